// Where in the user's program nodes were made.

#if ! defined (symgpu_origin_h)
#define symgpu_origin_h 1

#include <cstdint>
#include <string>

#include "compat.h"

namespace symgpu
{
  // A statement.  Of what is typed only the position is known; what is given to eval belongs to
  // the statement that calls it.
  struct origin
  {
    std::string kind;           // "function", "script", "anonymous", "prompt"
    std::string function, file;
    int line, column;
    std::string name;           // the variable that the statement assigns to, may be empty
    std::string text;           // the statement, may be empty
  };

  // Where the user's program is now; 0: unknown.
  uint32_t origin_here ();

  // NULL: unknown.
  const origin * origin_of (uint32_t id);
  // "train.m:41", "myfunction:3" where there is no file; empty: unknown.
  std::string origin_text (uint32_t id);
  // "in the expression made at train.m:41 (h = x * W)"; empty: unknown.
  std::string origin_phrase (uint32_t id);

  // Make the place where a node was made the first of those that the error was called from.
  // Message and identifier stay.  Does nothing where the error is raised at that place.
  void add_origin_frame (octave::execution_exception& e, uint32_t id);
}

#endif
