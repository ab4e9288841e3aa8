// Settings: the rows of config.def and the backend.

#if ! defined (symgpu_config_h)
#define symgpu_config_h 1

#include <string>
#include <vector>

#include "compat.h"
#include "symgpu.h"

namespace symgpu
{
  // Throws, listing what there is.
  sg_backend find_backend (const std::string& name);

  std::vector<std::string> config_keys ();
  octave_value config_value (const std::string& key);
  void set_config (const std::string& key, const octave_value& value);

  // "backend=cpu,threads=2,fuse=0"
  void set_flags (const std::string& flags);
}

#endif
