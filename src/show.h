// What the functions that show expressions have in common.

#if ! defined (symgpu_show_h)
#define symgpu_show_h 1

#include <string>
#include <vector>

#include "compat.h"
#include "symgpu.h"
#include "tree.h"

namespace symgpu
{
  // The node of a symarray, borrowed.  A plain array becomes one; WHO raises an error if V is something else.
  const sg_node * node_of (octave_value& v, const std::string& who);
  std::vector<sg_node *> roots_of (octave_value_list& args, const std::string& who);

  // What the variables of the caller hold.
  node_names caller_names (octave::interpreter& interp);

  // A symarray that holds N, too.
  octave_value hold (const sg_node *n);

  octave_value size_of_node (const sg_node *n);
  // A struct.
  octave_value origin_value (const sg_node *n);

  // What a variable keeps alive, in bytes: its value, and the values below its expression.
  struct kept_value
  {
    std::string name;
    double value, inputs;
    bool computed;
  };
  // The largest first.
  std::vector<kept_value> kept_values (const node_names& names);

  // "1.5 kB", "1.2 ms"
  std::string bytes_text (double bytes);
  std::string seconds_text (double s);
}

#endif
