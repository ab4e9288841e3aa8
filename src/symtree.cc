// Functions that show expressions: symtree, symnode, sympeek.

#include "compat.h"

#include <octave/defun-dld.h>
#include <octave/ov-struct.h>

#include <cerrno>
#include <cmath>
#include <cstdio>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "convert.h"
#include "main.h"
#include "origin.h"
#include "rebuild.h"
#include "show.h"
#include "symarray.h"

// PKG_ADD: autoload ("symtree", "symgpu.oct");
// PKG_DEL: autoload ("symtree", which ("symtree"), "remove");
// PKG_ADD: autoload ("symnode", "symgpu.oct");
// PKG_DEL: autoload ("symnode", which ("symnode"), "remove");
// PKG_ADD: autoload ("sympeek", "symgpu.oct");
// PKG_DEL: autoload ("sympeek", which ("sympeek"), "remove");

namespace symgpu
{
  // Of a longer expression only so many lines are printed.
  static const std::size_t max_lines = 60;

  const sg_node *
  node_of (octave_value& v, const std::string& who)
  {
    v = wrap (v);
    const octave_symarray *s = as_symarray (v);
    if (! s)
      raise ("symgpu:bad-class",
             who + ": X must be a symarray or a full array, not a value of class " + v.class_name ());
    return s->node ();
  }

  std::vector<sg_node *>
  roots_of (octave_value_list& args, const std::string& who)
  {
    std::vector<sg_node *> roots;
    for (octave_idx_type i = 0; i < args.length (); i++)
      roots.push_back (const_cast<sg_node *> (node_of (args(i), who)));
    return roots;
  }

  node_names
  caller_names (octave::interpreter& interp)
  {
    node_names names;
    for (const std::string& name : interp.variable_names ())
      {
        octave_value v = interp.varval (name);
        const octave_symarray *s = v.is_defined () ? as_symarray (v) : nullptr;
        if (s && s->node_get ())
          names.emplace (s->node_get (), name);
      }
    return names;
  }

  static std::string
  remark (const sg_node *n)
  {
    std::string s = describe_node (n);
    if (n->op == SG_LEAF)
      return s;
    if (n->val)
      s += ", computed";
    std::string where = origin_text (n->origin);
    return where.empty () ? s : s + ", " + where;
  }

  static std::string
  tree_text (const std::vector<tree_line>& lines)
  {
    std::size_t count = std::min (lines.size (), max_lines), wide = 0;
    std::vector<std::string> left (count);
    for (std::size_t i = 0; i < count; i++)
      {
        const tree_line& l = lines[i];
        std::string k = std::to_string (i + 1);
        left[i] = std::string (k.size () < 3 ? 3 - k.size () : 0, ' ') + k + "  ";
        if (l.node->op == SG_LEAF && l.text[0] == '<')
          left[i] += l.name.empty () ? "array" : l.name;
        else
          left[i] += (l.name.empty () ? "" : l.name + " = ") + l.text;
        wide = std::max (wide, left[i].size ());
      }
    std::string text;
    for (std::size_t i = 0; i < count; i++)
      text += left[i] + std::string (wide + 2 - left[i].size (), ' ') + remark (lines[i].node) + "\n";
    if (lines.size () > count)
      text += "     ... and " + std::to_string (lines.size () - count) + " lines more\n";
    return text;
  }

  // Graphviz reads DOT and writes FILE.  No shell has to understand the name.
  static bool
  run_graphviz (const std::string& dot, const std::string& format, const std::string& file)
  {
    std::FILE *in = std::tmpfile ();
    if (! in)
      return false;
    bool written = std::fwrite (dot.data (), 1, dot.size (), in) == dot.size ();
    std::rewind (in);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init (&actions);
    posix_spawn_file_actions_adddup2 (&actions, fileno (in), 0);
    for (int fd = 1; fd < 3; fd++)
      posix_spawn_file_actions_addopen (&actions, fd, "/dev/null", O_WRONLY, 0);
    const std::string type = "-T" + format;
    const char *arg[] = { "dot", type.c_str (), "-o", file.c_str (), nullptr };
    pid_t pid;
    int status = -1;
    if (written && posix_spawnp (&pid, arg[0], &actions, nullptr, const_cast<char **> (arg), environ) == 0)
      while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
        continue;
    posix_spawn_file_actions_destroy (&actions);
    std::fclose (in);
    return status == 0;
  }

  static void
  draw (const std::string& dot, const std::string& file)
  {
    std::size_t point = file.find_last_of ('.');
    std::string ending = point == std::string::npos ? "" : file.substr (point + 1);
    if (ending != "png" && ending != "svg" && ending != "pdf")
      raise ("symgpu:bad-argument",
             "symtree: the name of FILE must end in .png, .svg or .pdf, not \"" + file + "\"");
    if (! run_graphviz (dot, ending, file))
      raise ("symgpu:no-graphviz", "symtree: the program dot of Graphviz, which makes pictures, is not"
             " installed, or cannot write \"" + file + "\"");
  }

  octave_value
  origin_value (const sg_node *n)
  {
    octave_scalar_map m;
    const origin *o = origin_of (n->origin);
    bool known = o && o->line > 0;
    m.assign ("kind", o ? o->kind : "");
    m.assign ("function", o ? o->function : "");
    m.assign ("file", o ? o->file : "");
    m.assign ("line", known ? octave_value (o->line) : octave_value (Matrix ()));
    m.assign ("column", known ? octave_value (o->column) : octave_value (Matrix ()));
    m.assign ("name", o ? o->name : "");
    m.assign ("text", o ? o->text : "");
    return m;
  }

  octave_value
  hold (const sg_node *n)
  {
    return octave_value (new octave_symarray (sg_node_ref (const_cast<sg_node *> (n))));
  }

  octave_value
  size_of_node (const sg_node *n)
  {
    RowVector size (n->nd);
    for (int i = 0; i < n->nd; i++)
      size(i) = n->dim[i];
    return size;
  }

  // The value of N, which stays what it is.
  static octave_value
  peek (const sg_node *n)
  {
    if (n->val)
      return value_of_buf (n->val, dims_of_node (n));
    rebuilder again;
    sg_node *copy = again.copy (const_cast<sg_node *> (n));
    evaluate (1, &copy);
    return value_of_buf (copy->val, dims_of_node (copy));
  }
}

DEFMETHOD_DLD (symtree, interp, args, nargout,
               R"texi(-*- texinfo -*-
@deftypefn  {} {} symtree (@var{x})
@deftypefnx {} {} symtree (@var{x}, "art")
@deftypefnx {} {} symtree (@var{x}, "dot")
@deftypefnx {} {} symtree (@var{x}, "dot", @var{file})
@deftypefnx {} {@var{text} =} symtree (@dots{})
Print the expression of the symarray @var{x} as it was written; a plain array is one of no
operations.

The first line is @var{x} itself.  Parts that are used more than once, that a variable of the
caller holds, or that are too long for one line have lines of their own, under the name of the
variable or as @code{t1}, @code{t2}, @dots{}; inputs come last.  Beside each stand its size
and class, @samp{computed} if its value is there already, and where in the program it was
made.  A class in parentheses, @samp{(complex)}, may still prove to be real.

With @qcode{"art"} the graph is drawn as branches, with @qcode{"dot"} it is written in the
language of Graphviz; of a large graph what is nearest to @var{x}.  With @var{file}, whose ending
@file{.png}, @file{.svg} or @file{.pdf} says the format, the program @command{dot} of Graphviz
makes a picture of it; it is an error if that is not installed.

Nothing is computed.  With an output the text is returned instead of printed.

@example
@group
x = symarray (magic (4));
h = 1 ./ (1 + exp (-x));
y = sum (h .* (1 - h));
symtree (y)
  @print{}   1  y = sum (h .* (1 - h), 1)  1x4 double
  @print{}   2  h = 1 / (1 + exp (-x))     4x4 double
  @print{}   3  x                          4x4 double
@end group
@end example
@seealso{sympeek, symnode, symplan, gather}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin < 1 || nargin > 3)
    print_usage ();
  octave_value x = args(0);
  const sg_node *n = symgpu::node_of (x, "symtree");
  std::string format = nargin < 2 ? "text"
    : args(1).xstring_value ("symtree: FORMAT must be a string");
  if ((format != "text" && format != "dot" && format != "art") || (nargin == 3 && format != "dot"))
    symgpu::raise ("symgpu:bad-argument",
                   "symtree: FORMAT must be \"text\", \"art\" or \"dot\", not \"" + format + "\"");
  symgpu::node_names names = symgpu::caller_names (interp);
  std::string text = (format == "dot" ? symgpu::tree_dot (n, names)
                      : format == "art" ? symgpu::tree_art (n, names)
                      : symgpu::tree_text (symgpu::tree_lines (n, names)));
  if (nargin == 3)
    {
      symgpu::draw (text, args(2).xstring_value ("symtree: FILE must be a string"));
      return ovl ();
    }
  if (nargout > 0)
    return ovl (text);
  octave_stdout << text;
  return ovl ();
}

DEFMETHOD_DLD (symnode, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn {} {@var{s} =} symnode (@var{x})
Return what @code{symtree} prints of the topmost operation of the symarray @var{x}, as a
structure.

@table @code
@item op
the name of the operation, @qcode{"leaf"} for a value
@item name
the name of an input, or empty
@item class
@itemx size
of the value
@item complex
true if the value is complex; of an operation that is not computed yet: if it may be
@item evaluated
true if the value is there
@item children
the operands: a cell array of symarrays
@item origin
a structure about the statement that made it: its @code{kind}, which is @qcode{"function"},
@qcode{"script"}, @qcode{"anonymous"} or @qcode{"prompt"}; @code{function},
@code{file}, @code{line} and @code{column}; the @code{name} of the variable that it assigns to,
and its @code{text}, of a long one the beginning, where they are known
@end table

An error that is found only when a value is computed has the message and the identifier of
Octave, and this place is the first of those in its stack.

Nothing is computed.

@example
@group
x = symarray ([1 2; 3 4]);
s = symnode (x' + 1);
s.op
  @result{} plus
symnode (s.children@{1@}).op
  @result{} ctranspose
@end group
@end example
@seealso{symtree, sympeek}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 1)
    print_usage ();
  octave_value x = args(0);
  const sg_node *n = symgpu::node_of (x, "symnode");
  Cell children (1, n->nin);
  for (int i = 0; i < n->nin; i++)
    children(i) = symgpu::hold (n->in[i]);
  octave_scalar_map s;
  s.assign ("op", sg_op_info (static_cast<sg_op> (n->op))->name);
  s.assign ("name", n->name ? n->name : "");
  s.assign ("class", sg_class_name (static_cast<sg_class> (n->cls)));
  s.assign ("size", symgpu::size_of_node (n));
  s.assign ("complex", n->cplx || (n->spec && ! n->val));
  s.assign ("evaluated", n->val != nullptr);
  s.assign ("children", children);
  s.assign ("origin", symgpu::origin_value (n));
  return ovl (s);
}

DEFMETHOD_DLD (sympeek, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn  {} {@var{value} =} sympeek (@var{x}, @var{k})
@deftypefnx {} {@var{value} =} sympeek (@var{x}, @var{name})
Return the value of a part of the expression @var{x}: of line @var{k} of what
@code{symtree (@var{x})} prints, or of the line with this @var{name}.

The value is a plain array.  The expression stays what it is: nothing in it becomes computed
by this.

@example
@group
x = symarray ([1 2 3]);
d = x - mean (x);
v = sum (d .^ 2);
sympeek (v, "d")
  @result{} -1   0   1
@end group
@end example
@seealso{symtree, symnode, gather}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 2)
    print_usage ();
  octave_value x = args(0);
  const sg_node *n = symgpu::node_of (x, "sympeek");
  std::vector<symgpu::tree_line> lines = symgpu::tree_lines (n, symgpu::caller_names (interp));
  if (args(1).is_string ())
    {
      std::string name = args(1).string_value ();
      for (const symgpu::tree_line& l : lines)
        if (l.name == name)
          return ovl (symgpu::peek (l.node));
      symgpu::raise ("symgpu:bad-argument",
                     "sympeek: the expression has no line with the name \"" + name + "\"");
    }
  double k = args(1).xdouble_value ("sympeek: K must be the number or the name of a line");
  if (! (k >= 1 && k <= lines.size () && k == std::floor (k)))
    symgpu::raise ("symgpu:bad-argument",
                   "sympeek: K must be the number of a line, from 1 to "
                   + std::to_string (lines.size ()));
  return ovl (symgpu::peek (lines[static_cast<std::size_t> (k) - 1].node));
}

/*
%!test # a variable of the caller has a line of its own
%! old_small = symgpu_config ("small", 0);
%! restore = onCleanup (@() symgpu_config ("small", old_small));
%! x = symarray (magic (4));
%! h = 1 ./ (1 + exp (-x));
%! y = sum (h .* (1 - h));
%! t = strsplit (strtrim (symtree (y)), "\n");
%! assert (numel (t), 3);
%! assert (! isempty (regexp (t{1}, '^ *1  y = sum \(h \.\* \(1 - h\), 1\) +1x4 double')));
%! assert (! isempty (regexp (t{2}, '^ *2  h = 1 \./ \(1 \+ exp \(-x\)\) +4x4 double')));
%! assert (! isempty (regexp (t{3}, '^ *3  x +4x4 double$')));
%! assert (symnode (y).evaluated, false);

%!test # shared parts without a name
%! old_small = symgpu_config ("small", 0);
%! restore = onCleanup (@() symgpu_config ("small", old_small));
%! a = symarray ([1 2 3], "a");
%! t = symtree ((a + 1) .* 2 + exp ((a + 1) * 2)');
%! assert (numel (strfind (t, "a + 1")), 2);
%! s = sin (a);
%! u = symtree (s .* s' + s(2));
%! assert (! isempty (strfind (u, "s .* s' + s(2)")), u);
%! assert (! isempty (strfind (u, "s = sin (a)")), u);

%!test # precedence
%! a = symarray ([1 2; 3 4], "a");
%! b = symarray ([5 6; 7 8], "b");
%! f = {@() a - (b - a), @() (a - b) - a, @() -(a + b), @() (-a) .* b, @() a' * b, @() (a * b)', ...
%!      @() (a .^ b) .^ a, @() a .^ (b .^ a), @() ! (a & b) | a, @() a ./ (b .* a), @() [a, b; b, a], ...
%!      @() a(2,:), @() (a + b)(:), @() max (a, [], 2) - min (b, [], 1), @() 2 * a + b / 2};
%! for k = 1:numel (f)
%!   v = f{k} ();
%!   t = symtree (v);
%!   t = regexp (t, '^ *1  (?:\w+ = )?(.*?)  +\d', "tokens", "once"){1};
%!   assert (eval (t, "error (lasterr ())"), f{k} ());
%! endfor

%!test # functions with positions, of all elements, of diagonals
%! a = symarray ([3 1; 2 5], "a");
%! [s, i] = sort (a, 2, "descend");
%! assert (! isempty (strfind (symtree (s), 'sort (a, 2, "descend")')));
%! assert (! isempty (strfind (symtree (i), "position_of_sort (a, 2, \"descend\")")));
%! assert (! isempty (strfind (symtree (norm (a, "fro")), "norm (a)")));
%! assert (! isempty (strfind (symtree (tril (a, -1)), "tril (a, -1)")));

%!test # an expression of 10,000 operations
%! old_small = symgpu_config ("small", 0);
%! restore = onCleanup (@() symgpu_config ("small", old_small));
%! a = symarray ([1 2 3]);
%! old = symgpu_config ("graph_nodes", 1e6);
%! unwind_protect
%!   x = a;
%!   for i = 1:10000
%!     x = x + i;
%!   endfor
%!   t = symtree (x);
%! unwind_protect_cleanup
%!   symgpu_config ("graph_nodes", old);
%! end_unwind_protect
%! assert (numel (strsplit (strtrim (t), "\n")), 61);
%! assert (max (cellfun ("length", strsplit (t, "\n"))) < 150);

%!function y = made_here (x)
%!  y = x .* 2;
%!endfunction

%!test # where it was made
%! o = symnode (made_here (symarray ([1 2]))).origin;
%! assert (o.function, "made_here");
%! assert (o.kind, "function");
%! assert (o.line > 0);
%! assert ({o.name, o.text}, {"y", "y = x .* 2"});

%!test # the graph
%! a = symarray ([1 2 3], "a");
%! d = symtree (a .* 2 - a, "dot");
%! assert (numel (strfind (d, "->")), 4);
%! assert (! isempty (regexp (d, '^digraph symgpu \{')));

%!test # branches for a terminal
%! a = symarray ([1 2 3], "a");
%! s = exp (a);
%! t = symtree (s ./ (1 + s), "art");
%! assert (t, ["rdivide  1x3 double\n|- s: exp  1x3 double\n|  `- a  1x3 double\n" ...
%!             "`- plus  1x3 double\n   |- 1  1x1 double\n" ...
%!             "   `- s: exp  1x3 double, as in line 2\n"]);

%!test # large graphs are cut, whatever their form
%! old = symgpu_config ("graph_nodes", 1e6);
%! unwind_protect
%!   a = symarray (1:200); x = a; y = {a, a + 1};
%!   for i = 1:10000
%!     x = x + i;
%!   endfor
%!   for i = 1:12
%!     y = cellfun (@(v) v .* i, [y, y], "UniformOutput", false);
%!   endfor
%!   wide = vertcat (y{:});
%!   for v = {x, wide}
%!     t = symtree (v{1}, "art");
%!     assert (numel (strsplit (strtrim (t), "\n")) <= 61);
%!     assert (max (cellfun ("length", strsplit (t, "\n"))) < 200);
%!     d = symtree (v{1}, "dot");
%!     assert (numel (d) < 1e5);
%!     assert (! isempty (strfind (d, 'label = "..."')));
%!   endfor
%! unwind_protect_cleanup
%!   symgpu_config ("graph_nodes", old);
%! end_unwind_protect

%!# calls f with a program named dot that does what SCRIPT says
%!function with_dot (script, f)
%!  folder = tempname ();
%!  mkdir (folder);
%!  program = fullfile (folder, "dot");
%!  fid = fopen (program, "w");
%!  fputs (fid, ["#!/bin/sh\n", script, "\n"]);
%!  fclose (fid);
%!  path_ = getenv ("PATH");
%!  unwind_protect
%!    system (["chmod +x ", program]);
%!    setenv ("PATH", [folder, ":", path_]);
%!    f (folder);
%!  unwind_protect_cleanup
%!    setenv ("PATH", path_);
%!    cellfun (@unlink, fullfile (folder, setdiff (readdir (folder), {".", ".."})));
%!    rmdir (folder);
%!  end_unwind_protect
%!endfunction
%!function picture_of (x, file)
%!  symtree (x, "dot", file);
%!  assert (fileread (file), ["[-Tpng] [-o] [", file, "]\n", symtree(x, "dot")]);
%!endfunction

%!testif ; isunix () # what Graphviz is told, whatever the name
%! x = symarray ([1 2], "a") + 1;
%! with_dot ('{ echo "[$1] [$2] [$3]"; cat; } > "$3"', ...
%!           @(folder) picture_of (x, fullfile (folder, "it's $(a) \"b\".png")));

%!testif ; isunix () # it fails
%! fail ("with_dot ('exit 3', @(folder) symtree (symarray (1), 'dot', fullfile (folder, 'a.pdf')))", ...
%!       "cannot write");

%!test # a picture, where there is Graphviz
%! file = [tempname(), ".svg"];
%! [status, ~] = system ("dot -V 2> /dev/null");
%! x = symarray ([1 2]) + 1;
%! if (status == 0)
%!   symtree (x, "dot", file);
%!   assert (! isempty (strfind (fileread (file), "<svg")));
%!   unlink (file);
%! else
%!   fail ("symtree (x, 'dot', file)", "is not installed");
%! endif

%!test # any array is an expression of no operations
%! for x = {pi, single([1 2; 3 4]), true, int8([]), 1:3, [1i 2]}
%!   assert (! isempty (strfind (symtree (x{1}), class (x{1}))));
%!   s = symnode (x{1});
%!   assert ({s.op, s.class, s.size, s.evaluated}, {"leaf", class(x{1}), size(x{1}), true});
%!   assert (sympeek (x{1}, 1), x{1});
%! endfor

%!test # values of parts
%! old_small = symgpu_config ("small", 0);
%! restore = onCleanup (@() symgpu_config ("small", old_small));
%! x = symarray ([1 2 3]);
%! d = x - 2;
%! v = sum (d .^ 2) + max (d);
%! assert (sympeek (v, "d"), [-1 0 1]);
%! assert (sympeek (v, 1), 3);
%! assert (sympeek (v, "x"), [1 2 3]);
%! assert (symnode (v).evaluated, false);
%! assert (symnode (d).evaluated, false);

%!error <Invalid call to symtree> symtree ()
%!error id=symgpu:bad-class symtree ({1})
%!error id=symgpu:bad-argument symtree (symarray ([1 2]), "x")
%!error id=symgpu:bad-argument symtree (symarray ([1 2]), "text", "a.png")
%!error <must end in .png> symtree (symarray ([1 2]), "dot", "a.jpg")
%!error <Invalid call to symnode> symnode ()
%!error id=symgpu:bad-class symnode ("a")
%!error <Invalid call to sympeek> sympeek (1)
%!error id=symgpu:bad-argument sympeek (symarray ([1 2]), 7)
%!error id=symgpu:bad-argument sympeek (symarray ([1 2]), "nobody")
*/
