// Where in the user's program nodes were made.

#if ! defined (symgpu_origin_h)
#define symgpu_origin_h 1

#include <cstdint>
#include <string>

namespace symgpu
{
  // A statement: function "" is the prompt, file "" no file.
  struct origin
  {
    std::string function, file;
    int line, column;
  };

  // NULL: unknown.
  const origin * origin_of (uint32_t id);
  // "train.m:41", "myfunction:3" where there is no file; empty: unknown.
  std::string origin_text (uint32_t id);
}

#endif
