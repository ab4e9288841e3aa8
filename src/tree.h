// Expressions as text, as the user would write them.

#if ! defined (symgpu_tree_h)
#define symgpu_tree_h 1

#include <string>
#include <unordered_map>
#include <vector>

#include "symgpu.h"

namespace symgpu
{
  // A line of the text: "name = text", the value of NODE.
  struct tree_line
  {
    std::string name, text;
    const sg_node *node;
  };

  // The nodes below ROOT and itself, operands before results.
  std::vector<const sg_node *> order_of (const sg_node *root);

  // The names of values that variables hold.
  typedef std::unordered_map<const sg_node *, std::string> node_names;

  // The expression below ROOT.  Its own line is the first; parts that are used more than once,
  // that a variable holds or that are too long to stand in a line follow, what needs a part
  // before the part; then the inputs.
  std::vector<tree_line> tree_lines (const sg_node *root, const node_names& names);

  // "3x4 double", "2x2 complex single"
  std::string describe_node (const sg_node *n);

  // The graph as branches, for a terminal.
  std::string tree_art (const sg_node *root, const node_names& names);

  // The graph for Graphviz; of a large one what is nearest to the root.
  std::string tree_dot (const sg_node *root, const node_names& names);
}

#endif
