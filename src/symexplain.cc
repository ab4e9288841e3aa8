// Functions that show how expressions are computed: symexplain, symsource.

#include "compat.h"

#include <cstdio>
#include <cstdlib>
#include <unordered_set>

#include <octave/Cell.h>
#include <octave/defun-dld.h>
#include <octave/oct-map.h>
#include <octave/pager.h>

#include "look.h"
#include "main.h"
#include "origin.h"
#include "show.h"
#include "symarray.h"

// PKG_ADD: autoload ("symexplain", "symgpu.oct");
// PKG_DEL: autoload ("symexplain", which ("symexplain"), "remove");
// PKG_ADD: autoload ("symsource", "symgpu.oct");
// PKG_DEL: autoload ("symsource", which ("symsource"), "remove");

namespace symgpu
{
  // Of a longer plan only so many steps are printed.
  static const std::size_t max_steps = 60;
  // And so many operations of a loop.
  static const int max_operations = 12;

  // ---- a description -------------------------------------------------------------------------

  class explanation
  {
  public:

    explicit explanation (const std::vector<sg_node *>& roots)
    {
      check (sg_look_new (roots.size (), roots.data (), &m_look));
    }
    explanation (const explanation&) = delete;
    explanation& operator = (const explanation&) = delete;
    ~explanation () { sg_look_free (m_look); }

    const sg_look * operator -> () const { return m_look; }
    const sg_look * get () const { return m_look; }

  private:

    sg_look *m_look;
  };

  static double
  seconds_of (const sg_look *l, int k, sg_backend b)
  {
    double t;
    check (sg_look_seconds (l, k, b, &t));
    return t;
  }

  static double
  seconds_of_all (const sg_look *l, sg_backend b)
  {
    double t = 0;
    for (int k = 0; k < l->nstep; k++)
      t += seconds_of (l, k, b);
    return t;
  }

  static std::string
  cut_text (const sg_look_value& v)
  {
    static const char *const text[SG_NCUT] =
    {
      "",
      "it is asked for",
      "a variable or another expression holds it",
      "what makes it is no loop",
      "a reduction is complete only after its loop",
      "what takes it is no loop",
      "the loop that takes it has another size",
      "the loop that takes it needs something else first",
      "the setting \"fuse\" is 0",
      "a conversion",
    };
    std::string s = text[v.cut];
    return v.step < 0 ? s : s + ", step " + std::to_string (v.step + 1);
  }

  static Cell
  operation_names (const sg_look *l, const sg_look_step& s)
  {
    Cell names (1, s.nnode);
    for (int i = 0; i < s.nnode; i++)
      names(i) = sg_op_info (static_cast<sg_op> (l->order[s.node[i]]->op))->name;
    return names;
  }

  // The lines that made the nodes of a step, each once.
  static std::vector<std::string>
  line_names (const sg_look *l, const sg_look_step& s)
  {
    std::vector<std::string> lines;
    std::unordered_set<std::string> seen;
    for (int i = 0; i < s.nnode; i++)
      {
        std::string where = origin_text (l->order[s.node[i]]->origin);
        if (! where.empty () && seen.insert (where).second)
          lines.push_back (where);
      }
    return lines;
  }

  static std::string
  flags_text (const sg_look_step& s)
  {
    static const char *const mark[] = { "", ".'", "'" };
    if (s.work != SG_WORK_PRODUCT)
      return "";
    return (std::string ("A") + mark[s.ta] + " * " + (s.same ? "A" : "B") + mark[s.tb]);
  }

  static std::string
  step_text (const sg_look *l, const sg_look_step& s)
  {
    if (s.work == SG_WORK_PRODUCT)
      return (std::to_string (s.m) + "x" + std::to_string (s.k) + " * " + std::to_string (s.k)
              + "x" + std::to_string (s.n) + ", " + flags_text (s));
    if (s.nnode == 0)
      return "conversion of " + std::to_string (s.elements) + " elements";
    std::string text;
    for (int i = 0; i < s.nnode && i < max_operations; i++)
      text += ((i ? ", " : "")
               + std::string (sg_op_info (static_cast<sg_op> (l->order[s.node[i]]->op))->name));
    if (s.nnode > max_operations)
      text += ", ... " + std::to_string (s.nnode - max_operations) + " more";
    text += " over " + std::to_string (s.elements) + " elements";
    if (s.compiled)
      text += ", compiled";
    if (s.kernel == (s.work == SG_WORK_OCTAVE))
      text += s.kernel ? ", on cuda a kernel" : ", on cuda by the CPU";
    if (s.guards > 0)
      text += ", " + std::to_string (s.guards) + " guarded: the result may prove to be complex";
    return text;
  }

  // ---- as text -------------------------------------------------------------------------------------

  static std::string
  padded (const std::string& s, std::size_t width)
  {
    return s + std::string (s.size () < width ? width - s.size () : 1, ' ');
  }

  static std::string
  value_line (const sg_look *l, const node_names& names, const sg_look_value& v)
  {
    std::string what = bytes_text (v.bytes);
    if (v.node >= 0)
      {
        const sg_node *n = l->order[v.node];
        auto k = names.find (n);
        what = ((k == names.end () ? "" : k->second + ", ") + describe_node (n) + ", " + what);
      }
    return "       to memory: " + what + ": " + cut_text (v) + "\n";
  }

  static std::string
  step_lines (const sg_look *l, int k, const node_names& names)
  {
    const sg_look_step& s = l->step[k];
    std::string number = std::to_string (k + 1);
    std::string text = (std::string (number.size () < 3 ? 3 - number.size () : 0, ' ') + number
                        + "  " + padded (sg_work_name (s.work), 9) + step_text (l, s) + "\n");
    text += ("       reads " + bytes_text (s.read) + ", writes " + bytes_text (s.written)
             + ", about " + seconds_text (seconds_of (l, k, SG_CPU)));
    std::string sep = "; ";
    for (const std::string& where : line_names (l, s))
      {
        text += sep + where;
        sep = ", ";
      }
    text += "\n";
    for (int i = 0; i < s.nvalue; i++)
      text += value_line (l, names, s.value[i]);
    return text;
  }

  // Of what is asked for; other values that stay can stay on a device.
  static double
  result_bytes (const sg_look *l)
  {
    double bytes = 0;
    for (int k = 0; k < l->nstep; k++)
      for (int i = 0; i < l->step[k].nvalue; i++)
        if (l->step[k].value[i].cut == SG_CUT_RESULT)
          bytes += l->step[k].value[i].bytes;
    return bytes;
  }

  static std::string
  memory_lines (const sg_look *l)
  {
    return ("memory: inputs " + bytes_text (l->inputs) + ", results that stay "
            + bytes_text (l->held) + ", intermediate values " + bytes_text (l->arena)
            + ", at most " + bytes_text (l->peak) + " at a time beside the inputs\n"
            + "transfers: none on cpu and native; on cuda at most " + bytes_text (l->inputs)
            + " to the device and " + bytes_text (result_bytes (l)) + " back\n");
  }

  static std::string
  explanation_text (const sg_look *l, const node_names& names)
  {
    int leaves = 0;
    for (int k = 0; k < l->nnode; k++)
      leaves += l->order[k]->val != nullptr;
    std::string text = ("plan of " + std::to_string (l->nstep) + " steps for "
                        + std::to_string (l->nnode - leaves) + " operations on "
                        + std::to_string (leaves) + " values, ");
    text += (l->cached ? "in the cache, run " + std::to_string (l->runs) + " times\n"
             : "made now\n");
    int shown = std::min<std::size_t> (l->nstep, max_steps);
    for (int k = 0; k < shown; k++)
      text += step_lines (l, k, names);
    if (shown < l->nstep)
      text += "     ... and " + std::to_string (l->nstep - shown) + " steps more\n";
    text += memory_lines (l);
    std::string sep = "time: about ";
    for (int b = SG_NBACKEND - 1; b >= 0; b--)
      {
        sg_backend backend = static_cast<sg_backend> (b);
        if (! sg_backend_is_available (backend))
          continue;
        text += sep + seconds_text (seconds_of_all (l, backend)) + " on " + sg_backend_name (backend);
        sep = ", ";
      }
    text += "\n";
    sep = "kept alive by variables: ";
    for (const kept_value& v : kept_values (names))
      {
        text += (sep + v.name + " " + bytes_text (v.value + v.inputs)
                 + (v.computed ? "" : " of inputs"));
        sep = ", ";
      }
    return text + (sep == ", " ? "\n" : "");
  }

  // ---- as a struct -----------------------------------------------------------------------------------

  static octave_scalar_map
  seconds_map (const sg_look *l, int k)
  {
    octave_scalar_map m;
    for (int b = 0; b < SG_NBACKEND; b++)
      {
        sg_backend backend = static_cast<sg_backend> (b);
        if (! sg_backend_is_available (backend))
          continue;
        m.assign (sg_backend_name (backend),
                  k < 0 ? seconds_of_all (l, backend) : seconds_of (l, k, backend));
      }
    return m;
  }

  static octave_value
  steps_value (const sg_look *l)
  {
    static const char *const fields[] = { "kind", "operations", "lines", "flags", "elements",
                                          "read", "written", "flops", "guards", "compiled", "kernel",
                                          "cuts", "seconds" };
    const int nf = sizeof fields / sizeof fields[0];
    std::vector<Cell> c (nf, Cell (1, l->nstep));
    for (int k = 0; k < l->nstep; k++)
      {
        const sg_look_step& s = l->step[k];
        Cell cuts (1, s.nvalue);
        for (int i = 0; i < s.nvalue; i++)
          cuts(i) = cut_text (s.value[i]);
        const octave_value v[nf] =
        {
          sg_work_name (s.work), operation_names (l, s), Cell (string_vector (line_names (l, s))),
          flags_text (s), static_cast<double> (s.elements), static_cast<double> (s.read),
          static_cast<double> (s.written), s.flops, s.guards, s.compiled, s.kernel, cuts, seconds_map (l, k)
        };
        for (int f = 0; f < nf; f++)
          c[f](k) = v[f];
      }
    octave_map m (dim_vector (1, l->nstep));
    for (int f = 0; f < nf; f++)
      m.assign (fields[f], c[f]);
    return m;
  }

  static octave_value
  kept_value_struct (const node_names& names)
  {
    std::vector<kept_value> kept = kept_values (names);
    Cell name (1, kept.size ()), value (1, kept.size ()), inputs (1, kept.size ());
    for (std::size_t i = 0; i < kept.size (); i++)
      {
        name(i) = kept[i].name;
        value(i) = kept[i].value;
        inputs(i) = kept[i].inputs;
      }
    octave_map m (dim_vector (1, kept.size ()));
    m.assign ("name", name);
    m.assign ("value_bytes", value);
    m.assign ("input_bytes", inputs);
    return m;
  }

  static octave_value
  explanation_value (const sg_look *l, const node_names& names)
  {
    double read = 0, written = 0;
    std::vector<std::string> delegated;
    for (int k = 0; k < l->nstep; k++)
      {
        read += l->step[k].read;
        written += l->step[k].written;
        if (l->step[k].work == SG_WORK_OCTAVE)
          delegated.push_back (sg_op_info (l->step[k].op)->name);
      }
    octave_scalar_map m;
    m.assign ("steps", steps_value (l));
    m.assign ("cached", l->cached);
    m.assign ("runs", static_cast<double> (l->runs));
    m.assign ("read", read);
    m.assign ("written", written);
    m.assign ("inputs", static_cast<double> (l->inputs));
    m.assign ("results", static_cast<double> (l->held));
    m.assign ("asked", result_bytes (l));
    m.assign ("temporary", static_cast<double> (l->arena));
    m.assign ("peak", static_cast<double> (l->peak));
    m.assign ("delegated", Cell (string_vector (delegated)));
    m.assign ("seconds", seconds_map (l, -1));
    m.assign ("variables", kept_value_struct (names));
    return m;
  }
}

DEFMETHOD_DLD (symexplain, interp, args, nargout,
               R"texi(-*- texinfo -*-
@deftypefn  {} {} symexplain (@var{x}, @dots{})
@deftypefnx {} {@var{s} =} symexplain (@var{x}, @dots{})
Explain how the symarrays @var{x}, @dots{} will be computed together by the CPU.

Each step of the plan is one pass over memory: a @code{loop} of elementwise operations and
reductions that have been fused, @code{lines} (a scan or sort along a dimension), a
@code{product} by the BLAS, a @code{move} of elements, or a call to @code{Octave}.  With each
stand the bytes that it reads and writes, an estimate of its time from rates that are measured
once in a session, and the lines of the program that made its operations.  For each value that
goes through memory the reason is given why the loop was cut there.

Then come the memory that the evaluation needs, the estimated time on each backend, and what the
variables of the caller keep alive.

Nothing is computed.  With an output a struct is returned:

@table @code
@item steps
a struct array: @code{kind}, @code{operations}, @code{lines}, @code{flags} (of products, which
operand is transposed), @code{elements}, @code{read} and @code{written} (bytes), @code{flops},
@code{guards} (checks whether a result is real), @code{compiled} (whether a loop runs as code that was
compiled for it alone, see @code{jit} in @code{symgpu_config}), @code{kernel} (whether backend "cuda" has
a kernel for it; products are done by a library), @code{cuts} (a reason for each value that it
writes), @code{seconds} (by backend)
@item cached
@itemx runs
whether the plan was there, and how often it has run
@item read
@itemx written
@itemx inputs
@itemx results
@itemx asked
@itemx temporary
@itemx peak
bytes: a GPU is sent @code{inputs} at most, and sends @code{asked} back; @code{results} are all
values that stay, @code{temporary} those that do not
@item delegated
the operations that are done by Octave
@item seconds
by backend
@item variables
what they keep alive: a struct array with @code{name}, @code{value_bytes}, @code{input_bytes}
@end table

@example
@group
x = symarray (rand (300));
h = 1 ./ (1 + exp (x * x'));
s = symexplain (sum (h));
@{s.steps.kind@}
  @result{} @{ product, loop @}
@end group
@end example
@seealso{symtree, symsource, symplan, symprofile}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () < 1)
    print_usage ();
  octave_value_list x = args;
  symgpu::explanation e (symgpu::roots_of (x, "symexplain"));
  symgpu::node_names names = symgpu::caller_names (interp);
  if (nargout > 0)
    return ovl (symgpu::explanation_value (e.get (), names));
  octave_stdout << symgpu::explanation_text (e.get (), names);
  return ovl ();
}

DEFMETHOD_DLD (symsource, interp, args, nargout,
               R"texi(-*- texinfo -*-
@deftypefn  {} {} symsource (@var{x}, @dots{})
@deftypefnx {} {} symsource (@var{x}, @dots{}, @var{backend})
@deftypefnx {} {@var{text} =} symsource (@dots{})
Print the programs that compute the symarrays @var{x}, @dots{} together: with the @var{backend}
@qcode{"cuda"} the CUDA text of the kernels of each step, else what the CPU runs.  No GPU is needed.

That of the CPU is the text of @code{symplan}, and behind each instruction stand the operation that it
belongs to and the place where that was made.  @code{v0}, @code{v1}, @dots{} are values in
memory, @code{r0}, @code{r1}, @dots{} blocks of a few hundred elements in the cache.  A loop that
runs as compiled code is followed by the C text of it; what it calls between its functions, such as that
of @code{exp}, are kernels of the package.

@example
@group
x = symarray (rand (30));
text = symsource (sum (exp (x) + 1));
! isempty (strfind (text, "% exp"))
  @result{} 1
@end group
@end example
@seealso{symexplain, symplan}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  std::string backend = "cpu";
  if (nargin > 1 && args(nargin-1).is_string ())
    backend = args(--nargin).string_value ();
  if (nargin < 1)
    print_usage ();
  if (backend != "cpu" && backend != "cuda")
    symgpu::raise ("symgpu:unknown-backend",
                   "symsource: backend \"" + backend + "\" has no programs; valid are \"cpu\","
                   " \"cuda\"");
  octave_value_list x = args.slice (0, nargin);
  std::vector<sg_node *> roots = symgpu::roots_of (x, "symsource");
  char *text = nullptr;
  std::size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  if (! f)
    throw std::bad_alloc ();
  sg_status st = (backend == "cuda" ? sg_look_cuda : sg_look_source) (f, roots.size (),
                                                                      roots.data ());
  std::fclose (f);
  std::string source (text, size);
  std::free (text);
  symgpu::check (st);
  if (nargout > 0)
    return ovl (source);
  octave_stdout << source;
  return ovl ();
}

/*
%!test # steps, cuts, flags
%! x = symarray (rand (30, 20));
%! h = 1 ./ (1 + exp (x * x'));
%! s = symexplain (sum (h));
%! assert ({s.steps.kind}, {"product", "loop"});
%! assert (s.steps(1).flags, "A * A'");
%! assert (s.steps(1).flops, 2 * 30 * 20 * 30);
%! assert (s.steps(1).cuts, {"what makes it is no loop, step 2"});
%! assert (s.steps(2).operations, {"exp", "plus", "rdivide", "sum"});
%! assert (sort (s.steps(2).cuts), {"a variable or another expression holds it", "it is asked for"});
%! assert (s.steps(2).written, 8 * (30 * 30 + 30));
%! assert (symnode (h).evaluated, false);

%!test # reasons
%! x = symarray (rand (30, 20)); w = symarray (rand (20, 4));
%! s = symexplain ((x - sum (x) / 30) * w);
%! cuts = [s.steps.cuts];
%! assert (any (strncmp (cuts, "a reduction is complete only after its loop", 20)), true);
%! assert (any (strncmp (cuts, "what takes it is no loop", 20)), true);
%! s = symexplain (exp (symarray (rand (200, 150))') + 1);
%! assert (s.steps(1).kind, "move");
%! s = symexplain (exp (symarray (1:300)) + symarray ([1; 2]));
%! assert (s.steps(1).cuts, {"the loop that takes it has another size, step 2"});
%! old = symgpu_config ("fuse", 0);
%! unwind_protect
%!   s = symexplain (exp (x) + 1);
%!   assert (s.steps(1).cuts, {"the setting \"fuse\" is 0, step 2"});
%! unwind_protect_cleanup
%!   symgpu_config ("fuse", old);
%! end_unwind_protect
%! s = symexplain (erfcx (x) + sqrt (x));
%! assert (s.delegated, {"erfcx"});
%! assert (sum ([s.steps.guards]), 1);

%!test # what the GPU does of its own though the CPU leaves it to Octave, and the other way round
%! k = symarray (intmax ("int64") - int64 (0:299));
%! s = symexplain (sum (k .* 0.3));
%! assert ([s.steps.kernel], [true, true]);
%! assert (s.delegated(:)', {"times", "sum"});
%! s = symexplain (erfcx (symarray (rand (20))) + 1);
%! assert ([s.steps.kernel], [false, true]);
%! t = evalc ("symexplain (k + 1)");
%! assert (! isempty (strfind (t, "plus over 300 elements, on cuda a kernel")), t);

%!test # memory, cache, variables, estimates
%! big = symarray (rand (1000, 10)); y = big + 1;
%! s = symexplain (y .* 3.25 - 7.5 .* big);
%! assert (s.cached, false);
%! s = symexplain (y .* 3.25 - 7.5 .* big);
%! assert (s.cached, true);
%! assert (s.inputs, 80000 + 24);
%! assert (s.peak, 160000);
%! assert ([s.asked, s.results], [80000, 160000]);
%! k = strcmp ({s.variables.name}, "big");
%! assert ([s.variables(k).value_bytes, s.variables(k).input_bytes], [80000, 0]);
%! k = strcmp ({s.variables.name}, "y");
%! assert ([s.variables(k).value_bytes, s.variables(k).input_bytes], [0, 80008]);
%! assert (all (isfield (s.seconds, {"native", "cpu"})));
%! assert (all (structfun (@(t) t > 0 && t < 60, s.seconds)));

%!test # what is computed already, text
%! x = symarray (1:300); y = x + 1;
%! gather (y);
%! assert (numel (symexplain (y).steps), 0);
%! t = evalc ("symexplain (exp (x) * 2, sum (x))");
%! assert (! isempty (regexp (t, '^plan of \d steps for 3 operations on 2 values')), t);
%! assert (! isempty (strfind (t, "to memory: 1x300 double, 2.4 kB: it is asked for")), t);
%! assert (! isempty (strfind (t, "kept alive by variables: ")), t);

%!test # 10,000 operations
%! old = symgpu_config ("graph_nodes", 1e6);
%! unwind_protect
%!   x = symarray (1:300);
%!   for i = 1:5000
%!     x = cumsum (x + i);
%!   endfor
%!   t = evalc ("symexplain (x)");
%! unwind_protect_cleanup
%!   symgpu_config ("graph_nodes", old);
%! end_unwind_protect
%! assert (! isempty (strfind (t, "... and 9940 steps more")), t(1:100));

%!function y = made_here (x)
%!  y = sum (exp (x) .* 2);
%!endfunction

%!test # the program with the lines that made it
%! t = symsource (made_here (symarray (1:300)));
%! assert (! isempty (regexp (t, '= exp v\d    % exp, made_here:\d')), t);
%! assert (! isempty (regexp (t, '= reduce sum r\d+    % sum, made_here:\d')), t);
%! t = symsource (symarray (rand (20)) * rand (20), sort (symarray (1:300)), erfcx (symarray (1:300)));
%! assert (! isempty (strfind (t, "% mtimes")), t);
%! assert (! isempty (strfind (t, "% sort")), t);
%! assert (! isempty (strfind (t, "% erfcx")), t);

%!test # the CUDA text
%! x = symarray (rand (20, 3));
%! t = symsource (sum (exp (x) .* 2), x' * x, "cuda");
%! assert (! isempty (regexp (t, '// step \d, loop')), t);
%! assert (! isempty (strfind (t, "__global__ void")), t);
%! assert (! isempty (regexp (t, '= exp, \w*:?\d*')), t);
%! assert (! isempty (strfind (t, "// no kernel: a library or the CPU does it")), t);

%!error <Invalid call to symexplain> symexplain ()
%!test # of plain arrays there is nothing to do
%! assert (numel (symexplain (1, [2 3]).steps), 0);
%! assert (! isempty (strfind (symsource (pi), "plan of 0 steps")));

%!error id=symgpu:bad-class symexplain ("a")
%!error <Invalid call to symsource> symsource ()
%!error id=symgpu:unknown-backend symsource (symarray (1), "a")
%!error id=symgpu:bad-class symsource (symarray (1), {})
*/
