// Expressions as text, as the user would write them.

#include "compat.h"

#include <cmath>

#include "convert.h"
#include "origin.h"
#include "symarray.h"
#include "tree.h"

namespace symgpu
{
  // ---- operators ----------------------------------------------------------------------------

  // How tightly an expression binds, as in Octave.
  enum binding { OR_ = 1, AND_, COMPARE, ADD, MULTIPLY, SIGN, POWER_, ATOM };

  struct infix_row
  {
    sg_op op;
    const char *text;
    const char *scalar_text;    // where an operand (of powers: each) is a single number
    binding level;
  };

  static const infix_row infix_rows[] =
  {
    { SG_OR, "|", "|", OR_ },           { SG_AND, "&", "&", AND_ },
    { SG_LT, "<", "<", COMPARE },       { SG_LE, "<=", "<=", COMPARE },
    { SG_EQ, "==", "==", COMPARE },     { SG_NE, "!=", "!=", COMPARE },
    { SG_GE, ">=", ">=", COMPARE },     { SG_GT, ">", ">", COMPARE },
    { SG_PLUS, "+", "+", ADD },         { SG_MINUS, "-", "-", ADD },
    { SG_TIMES, ".*", "*", MULTIPLY },  { SG_RDIVIDE, "./", "/", MULTIPLY },
    { SG_LDIVIDE, ".\\", "\\", MULTIPLY }, { SG_MTIMES, "*", "*", MULTIPLY },
    { SG_POWER, ".^", "^", POWER_ },
  };

  static const infix_row *
  infix_of (int op)
  {
    for (const infix_row& r : infix_rows)
      if (r.op == op)
        return &r;
    return nullptr;
  }

  static bool
  has_scalar_form (const sg_node *n)
  {
    bool a = n->in[0]->numel == 1, b = n->in[1]->numel == 1;
    switch (n->op)
      {
      case SG_TIMES:
        return a || b;
      case SG_RDIVIDE:
        return b;
      case SG_LDIVIDE:
        return a;
      default:
        return a && b;
      }
  }

  // ---- values and numbers -------------------------------------------------------------------

  static std::string
  number (double x)
  {
    char buf[40];
    if (x == std::floor (x) && std::fabs (x) < 1e15)
      std::snprintf (buf, sizeof buf, "%.0f", x);
    else
      std::snprintf (buf, sizeof buf, "%.5g", x);
    return buf;
  }

  static std::string
  list (int n, const int64_t *p, int64_t add)
  {
    std::string s = "[";
    for (int i = 0; i < n; i++)
      s += (i ? ", " : "") + std::to_string (p[i] + add);
    return s + "]";
  }

  // A number as the user wrote it, or the size and class of an array without a name.
  static std::string
  value_text (const sg_node *n)
  {
    if (n->numel != 1 || ! n->val)
      return "<" + describe_node (n) + ">";
    octave_value v = value_of_buf (n->val, dims_of_node (n));
    if (v.islogical ())
      return v.is_true () ? "true" : "false";
    if (v.iscomplex ())
      {
        Complex z = v.complex_value ();
        return ("(" + number (z.real ()) + (z.imag () < 0 ? "-" : "+")
                + number (std::fabs (z.imag ())) + "i)");
      }
    std::string s = number (v.double_value ());
    return v.is_double_type () ? s : v.class_name () + " (" + s + ")";
  }

  std::string
  describe_node (const sg_node *n)
  {
    std::string s;
    for (int i = 0; i < n->nd; i++)
      s += (i ? "x" : "") + std::to_string (n->dim[i]);
    if (n->cplx)
      s += n->val ? " complex" : " (complex)";
    return s + " " + sg_class_name (static_cast<sg_class> (n->cls));
  }

  static std::string
  subscript_text (const sg_index& x)
  {
    const int few = 4;
    if (x.kind == SG_IDX_COLON)
      return ":";
    if (x.kind == SG_IDX_RANGE && x.n == 1)
      return std::to_string (x.start + 1);
    if (x.kind == SG_IDX_RANGE)
      {
        std::string step = x.step == 1 ? "" : std::to_string (x.step) + ":";
        return (std::to_string (x.start + 1) + ":" + step
                + std::to_string (x.start + (x.n - 1) * x.step + 1));
      }
    if (x.n <= few)
      return list (x.n, x.vec, 1);
    return "<" + std::to_string (x.n) + " positions>";
  }

  // ---- one node -----------------------------------------------------------------------------

  struct piece
  {
    std::string text;
    binding level;
  };

  static std::string
  enclosed (const piece& p, bool parentheses)
  {
    return parentheses ? "(" + p.text + ")" : p.text;
  }

  static piece
  infix_text (const sg_node *n, const infix_row& row, std::vector<piece> in)
  {
    static const char *const mark[] = { "", ".'", "'" };
    if (n->op == SG_MTIMES)
      for (int i = 0; i < 2; i++)
        if (n->par[i])
          in[i] = { enclosed (in[i], in[i].level < ATOM) + mark[n->par[i]], POWER_ };
    // Operators of one level go from left to right.
    std::string text = (enclosed (in[0], in[0].level < row.level) + " "
                        + (has_scalar_form (n) ? row.scalar_text : row.text) + " "
                        + enclosed (in[1], in[1].level <= row.level));
    return { text, row.level };
  }

  static piece
  call_text (const std::string& name, const std::vector<piece>& in, const std::string& more = "")
  {
    std::string s = name + " (";
    for (std::size_t i = 0; i < in.size (); i++)
      s += (i ? ", " : "") + in[i].text;
    return { s + (more.empty () ? "" : ", " + more) + ")", ATOM };
  }

  static piece
  reshape_text (const sg_node *n, const std::vector<piece>& in)
  {
    if (n->nd == 2 && n->dim[1] == 1)
      return { enclosed (in[0], in[0].level < ATOM) + "(:)", ATOM };
    return call_text ("reshape", in, list (n->nd, n->dim, 0));
  }

  static piece
  cat_text (const sg_node *n, const std::vector<piece>& in)
  {
    if (n->par[0] > 1)
      {
        std::vector<piece> args (in);
        args.insert (args.begin (), { std::to_string (n->par[0] + 1), ATOM });
        return call_text ("cat", args);
      }
    std::string s = "[";
    for (std::size_t i = 0; i < in.size (); i++)
      s += (i ? (n->par[0] == 0 ? "; " : ", ") : "") + in[i].text;
    return { s + "]", ATOM };
  }

  static piece
  index_text (const sg_node *n, const std::vector<piece>& in)
  {
    std::string s = enclosed (in[0], in[0].level < ATOM) + "(";
    for (int i = 0; i < n->npar; i++)
      s += (i ? "," : "") + subscript_text (n->idx[i]);
    return { s + ")", ATOM };
  }

  static piece
  reduction_text (const sg_node *n, const std::vector<piece>& in)
  {
    std::string dim = n->par[0] < 0 ? "" : std::to_string (n->par[0] + 1);
    std::string mode = n->npar > 1 && n->par[1] ? ", \"descend\"" : "";
    switch (n->op)
      {
      case SG_SORT:
        return call_text ("sort", in, dim + mode);
      case SG_ISORT:
        return call_text ("position_of_sort", in, dim + mode);
      case SG_ICUMMAX:
      case SG_ICUMMIN:
        return call_text (n->op == SG_ICUMMAX ? "position_of_cummax" : "position_of_cummin", in,
                          dim);
      case SG_MAX:
      case SG_MIN:
        return call_text (sg_op_info (static_cast<sg_op> (n->op))->name, in, "[], " + dim);
      case SG_IMAX:
      case SG_IMIN:
        return call_text (n->op == SG_IMAX ? "position_of_max" : "position_of_min", in, dim);
      default:
        return call_text (sg_op_info (static_cast<sg_op> (n->op))->name, in, dim);
      }
  }

  static piece
  node_text (const sg_node *n, const std::vector<piece>& in)
  {
    const sg_opinfo *row = sg_op_info (static_cast<sg_op> (n->op));
    const infix_row *infix = infix_of (n->op);
    if (infix)
      return infix_text (n, *infix, in);
    switch (n->op)
      {
      case SG_UMINUS:
        return { "-" + enclosed (in[0], in[0].level <= SIGN), SIGN };
      case SG_NOT:
        return { "!" + enclosed (in[0], in[0].level <= SIGN), SIGN };
      case SG_TRANSPOSE:
        return { enclosed (in[0], in[0].level < ATOM) + ".'", POWER_ };
      case SG_CTRANSPOSE:
        return { enclosed (in[0], in[0].level < ATOM) + "'", POWER_ };
      case SG_RESHAPE:
        return reshape_text (n, in);
      case SG_PERMUTE:
        return call_text ("permute", in, list (n->npar, n->par, 1));
      case SG_REPMAT:
        return call_text ("repmat", in, list (n->npar, n->par, 0));
      case SG_CAT:
        return cat_text (n, in);
      case SG_INDEX:
        return index_text (n, in);
      case SG_SELECT:
        return call_text (row->name, in);
      case SG_LOOKUP:
        return call_text (row->name, in, n->npar ? "\"" + std::string (n->par, n->par + n->npar) + "\""
                          : "");
      case SG_NTH:
        return call_text (row->name, in, std::to_string (n->par[0]) + ":"
                          + std::to_string (n->par[0] + n->par[1] - 1) + ", "
                          + std::to_string (n->par[2] + 1));
      default:
        break;
      }
    if (row->family == SG_FAM_RED || row->family == SG_FAM_SCAN)
      return reduction_text (n, in);
    return call_text (row->name, in, n->npar > 0 ? std::to_string (n->par[0]) : "");
  }

  // ---- the whole ------------------------------------------------------------------------------

  std::vector<const sg_node *>
  order_of (const sg_node *root)
  {
    std::vector<const sg_node *> order;
    std::unordered_map<const sg_node *, int> done;    // operands visited
    std::vector<const sg_node *> way { root };
    while (! way.empty ())
      {
        const sg_node *n = way.back ();
        int& k = done[n];
        if (k < n->nin)
          {
            const sg_node *c = n->in[k++];
            if (done.find (c) == done.end ())
              way.push_back (c);
          }
        else
          {
            order.push_back (n);
            way.pop_back ();
          }
      }
    return order;
  }

  class tree_writer
  {
  public:

    tree_writer (const sg_node *root, const node_names& names) : m_names (names)
    {
      m_order = order_of (root);
      for (const sg_node *n : m_order)
        for (int i = 0; i < n->nin; i++)
          m_uses[n->in[i]]++;
      for (const sg_node *n : m_order)
        write (n, n == root);
    }

    std::vector<tree_line> lines ()
    {
      std::vector<tree_line> all (m_parts.rbegin (), m_parts.rend ());
      all.insert (all.end (), m_inputs.begin (), m_inputs.end ());
      return all;
    }

  private:

    static const std::size_t width = 72;

    std::string name_of (const sg_node *n)
    {
      if (n->name)
        return n->name;
      auto k = m_names.find (n);
      return k == m_names.end () ? "" : k->second;
    }

    // The node gets a line of its own, and stands for it elsewhere by its name.
    void give_line (const sg_node *n, const std::string& text)
    {
      std::string name = name_of (n);
      if (name.empty ())
        name = "t" + std::to_string (++m_count);
      m_parts.push_back ({ name, text, n });
      m_piece[n] = { name, ATOM };
      m_inline.erase (n);
    }

    void write_leaf (const sg_node *n, bool root)
    {
      std::string name = name_of (n);
      piece p { name.empty () ? value_text (n) : name, ATOM };
      m_piece[n] = p;
      if (root || ! name.empty ())
        m_inputs.push_back ({ name, value_text (n), n });
    }

    piece compose (const sg_node *n)
    {
      std::vector<piece> in;
      for (int i = 0; i < n->nin; i++)
        in.push_back (m_piece[n->in[i]]);
      return node_text (n, in);
    }

    void write (const sg_node *n, bool root)
    {
      if (n->op == SG_LEAF)
        {
          write_leaf (n, root);
          return;
        }
      piece p = compose (n);
      // The longest operands get lines until this one fits.
      while (p.text.size () > width)
        {
          const sg_node *longest = nullptr;
          for (int i = 0; i < n->nin; i++)
            if (m_inline.count (n->in[i])
                && (! longest || m_piece[n->in[i]].text.size () > m_piece[longest].text.size ()))
              longest = n->in[i];
          if (! longest)
            break;
          give_line (longest, m_piece[longest].text);
          p = compose (n);
        }
      m_piece[n] = p;
      if (root || m_uses[n] > 1 || ! name_of (n).empty ())
        give_line (n, p.text);
      else
        m_inline[n] = true;
    }

    const node_names& m_names;
    std::vector<const sg_node *> m_order;
    std::unordered_map<const sg_node *, int> m_uses;
    std::unordered_map<const sg_node *, piece> m_piece;
    std::unordered_map<const sg_node *, bool> m_inline;
    std::vector<tree_line> m_parts, m_inputs;
    int m_count = 0;
  };

  std::vector<tree_line>
  tree_lines (const sg_node *root, const node_names& names)
  {
    return tree_writer (root, names).lines ();
  }

  static std::string
  escaped (const std::string& s)
  {
    std::string r;
    for (char c : s)
      {
        if (c == '"' || c == '\\')
          r += '\\';
        r += c;
      }
    return r;
  }

  // The name of a node, and what it does or is.
  static std::string
  label_text (const sg_node *n, const node_names& names)
  {
    auto v = names.find (n);
    std::string name = n->name ? n->name : v == names.end () ? "" : v->second;
    std::string what = (n->op != SG_LEAF ? sg_op_info (static_cast<sg_op> (n->op))->name
                        : name.empty () ? value_text (n) : "");
    return name + (name.empty () || what.empty () ? "" : ": ") + what;
  }

  // The nodes nearest to the root, so many at most, breadth first.
  static std::unordered_map<const sg_node *, int>
  nearest (const sg_node *root, std::size_t count)
  {
    std::unordered_map<const sg_node *, int> number { { root, 1 } };
    std::vector<const sg_node *> queue { root };
    for (std::size_t i = 0; i < queue.size (); i++)
      for (int j = 0; j < queue[i]->nin && number.size () < count; j++)
        if (number.emplace (queue[i]->in[j], number.size () + 1).second)
          queue.push_back (queue[i]->in[j]);
    return number;
  }

  std::string
  tree_dot (const sg_node *root, const node_names& names)
  {
    const std::size_t most = 300;
    std::string s = "digraph symgpu {\n  rankdir = BT;\n  node [shape = box];\n";
    std::unordered_map<const sg_node *, int> number = nearest (root, most);
    for (const sg_node *n : order_of (root))
      {
        auto k = number.find (n);
        if (k == number.end ())
          continue;
        std::string id = "n" + std::to_string (k->second);
        s += "  " + id + " [label = \"" + escaped (label_text (n, names)) + "\\n"
             + describe_node (n) + "\"" + (n->op == SG_LEAF ? ", shape = ellipse" : "") + "];\n";
        bool more = false;
        for (int i = 0; i < n->nin; i++)
          {
            auto c = number.find (n->in[i]);
            more = more || c == number.end ();
            if (c != number.end ())
              s += "  n" + std::to_string (c->second) + " -> " + id + ";\n";
          }
        if (more)
          s += "  m" + id + " [label = \"...\", shape = plaintext];\n  m" + id + " -> " + id + ";\n";
      }
    return s + "}\n";
  }

  std::string
  tree_art (const sg_node *root, const node_names& names)
  {
    // A node, what stands before it, what stands before its operands.
    struct item { const sg_node *node; std::string lead, below; };
    const std::size_t most = 60, deep = 40;
    std::string text;
    std::size_t lines = 0;
    std::unordered_map<const sg_node *, std::size_t> line_of;
    std::vector<item> todo { { root, "", "" } };
    while (! todo.empty () && lines < most)
      {
        item x = todo.back ();
        todo.pop_back ();
        lines++;
        text += x.lead + label_text (x.node, names) + "  " + describe_node (x.node);
        auto seen = line_of.emplace (x.node, lines);
        bool shared = ! seen.second && x.node->nin > 0;
        bool cut = ! shared && x.node->nin > 0 && x.below.size () > 3 * deep;
        text += (shared ? ", as in line " + std::to_string (seen.first->second)
                 : cut ? ", ..." : "") + "\n";
        if (shared || cut)
          continue;
        for (int i = x.node->nin - 1; i >= 0; i--)
          {
            bool last = i == x.node->nin - 1;
            todo.push_back ({ x.node->in[i], x.below + (last ? "`- " : "|- "),
                              x.below + (last ? "   " : "|  ") });
          }
      }
    return text + (todo.empty () ? "" : "... and more\n");
  }
}
