// The functions that users call: settings and information.

#include "compat.h"

#include <cstdio>
#include <cstdlib>

#include <octave/Cell.h>
#include <octave/defun-dld.h>
#include <octave/oct-map.h>
#include <octave/pager.h>

#include "config.h"
#include "store.h"
#include "look.h"
#include "main.h"
#include "methods.h"
#include "show.h"
#include "symarray.h"

// PKG_ADD: autoload ("symbackend", "symgpu.oct");
// PKG_DEL: autoload ("symbackend", which ("symbackend"), "remove");
// PKG_ADD: autoload ("symgpu_config", "symgpu.oct");
// PKG_DEL: autoload ("symgpu_config", which ("symgpu_config"), "remove");
// PKG_ADD: autoload ("symgpu_info", "symgpu.oct");
// PKG_DEL: autoload ("symgpu_info", which ("symgpu_info"), "remove");
// PKG_ADD: autoload ("symplan", "symgpu.oct");
// PKG_DEL: autoload ("symplan", which ("symplan"), "remove");

DEFMETHOD_DLD (symbackend, interp, args, nargout,
                R"texi(-*- texinfo -*-
@deftypefn  {} {@var{name} =} symbackend ()
@deftypefnx {} {@var{old} =} symbackend (@var{name})
Query or set how symarrays are evaluated.

@table @asis
@item @qcode{"cpu"}
Elementwise operations and reductions that belong together run as one loop, compiled for this
processor, over blocks that fit its cache; products are those of Octave's own BLAS.

@item @qcode{"native"}
One operation after the other, each with Octave's own function.  This is the reference.

@item @qcode{"cuda"}
What @qcode{"cpu"} does in a loop is a kernel, compiled for the GPU of this machine when it is
first needed; products are those of cuBLAS; values stay on the GPU until somebody looks at them.
What has no kernel is done by the CPU.  An error, @qcode{"symgpu:no-cuda"}, says what is missing
where there is no usable GPU; see @code{symgpu_info ("cuda")}.
@end table

@example
@group
old = symbackend ("native");
symbackend ()
  @result{} native
symbackend (old);
@end group
@end example
@seealso{gather, gpuArray, symgpu_config}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin > 1)
    print_usage ();
  octave_value old = symgpu::config_value ("backend");
  if (nargin == 1)
    symgpu::set_config ("backend", args(0));
  return nargin == 0 || nargout > 0 ? ovl (old) : octave_value_list ();
}

DEFMETHOD_DLD (symgpu_config, interp, args, nargout,
                R"texi(-*- texinfo -*-
@deftypefn  {} {@var{s} =} symgpu_config ()
@deftypefnx {} {@var{value} =} symgpu_config (@var{key})
@deftypefnx {} {@var{old} =} symgpu_config (@var{key}, @var{value})
Query or change settings.

Without arguments return a struct of all settings, with nothing to return to, print them with
their meaning.  The environment variable @env{SYMGPU_FLAGS}, for instance
@qcode{"backend=cpu,threads=2"}, gives the same keys values when the package is first used.

@example
@group
old = symgpu_config ("threads", 1);
symgpu_config ("threads")
  @result{} 1
symgpu_config ("threads", old);
@end group
@end example
@seealso{symbackend, symgpu_info}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin > 2)
    print_usage ();
  if (nargin == 0)
    {
      octave_scalar_map map;
      for (const std::string& key : symgpu::config_keys ())
        map.assign (key, symgpu::config_value (key));
      if (nargout > 0)
        return ovl (map);
      octave_stdout << "backend = " << sg_backend_name (symgpu::current_backend)
                    << "  (how symarrays are evaluated: native, cpu, cuda)\n";
      for (int k = 0; k < sg_config_count (); k++)
        {
          octave_stdout << sg_config_name (k) << " = ";
          if (sg_config_is_string (k))
            octave_stdout << '"' << sg_config_get_string (k) << '"';
          else if (sg_config_words (k))
            octave_stdout << sg_config_get_string (k);
          else
            octave_stdout << sg_config_get (k);
          octave_stdout << "  (" << sg_config_text (k) << ")\n";
        }
      return octave_value_list ();
    }
  std::string key = args(0).xstring_value ("symgpu_config: KEY must be a string");
  octave_value old = symgpu::config_value (key);
  if (nargin == 2)
    symgpu::set_config (key, symgpu::unwrap (args(1)));
  return nargin == 1 || nargout > 0 ? ovl (old) : octave_value_list ();
}

namespace symgpu
{
  // Octave's own description of its BLAS.
  static std::string
  blas_name (octave::interpreter& interp)
  {
    try
      {
        octave_value_list r = interp.feval ("version", ovl ("-blas"), 1);
        if (r.length () > 0 && r(0).is_string ())
          return r(0).string_value ();
      }
    catch (const octave::execution_exception&)
      {
        interp.recover_from_exception ();
      }
    return "unknown";
  }

  static octave_scalar_map
  counters ()
  {
    octave_scalar_map map;
    for (int k = 0; k < sg_counter_count (); k++)
      map.assign (sg_counter_name (k), static_cast<double> (sg_counter_get (k)));
    return map;
  }

  static octave_scalar_map
  functions ()
  {
    std::vector<std::string> ops, lazy, delegated;
    list_methods (lazy, delegated);
    for (int k = 0; k < SG_NOP; k++)
      {
        const sg_opinfo *i = sg_op_info (static_cast<sg_op> (k));
        if (i->family != SG_FAM_LEAF && i->out != SG_OUT_IDX)
          ops.push_back (i->name);
      }
    octave_scalar_map map;
    map.assign ("table", Cell (string_vector (ops).sort (true)));
    map.assign ("delegated", Cell (string_vector (delegated).sort (true)));
    return map;
  }

  static octave_scalar_map
  kernel_cache ()
  {
    sg_store_about c;
    sg_store_info (&c);
    octave_scalar_map map;
    map.assign ("folder", c.folder);
    map.assign ("files", static_cast<double> (c.files));
    map.assign ("bytes", static_cast<double> (c.bytes));
    map.assign ("limit", static_cast<double> (c.limit));
    return map;
  }

  // What it takes to use a GPU, step by step; tried now.
  static octave_map
  ladder ()
  {
    static const char *const state_name[] = { "not tried", "ok", "failed" };
    sg_status s = sg_cuda_open ();
    if (s != SG_NO_CUDA)
      check (s);
    Cell name (SG_NRUNG, 1), state (SG_NRUNG, 1), text (SG_NRUNG, 1);
    for (int k = 0; k < SG_NRUNG; k++)
      {
        sg_rung_state is;
        const char *what;
        name(k) = sg_cuda_rung (static_cast<sg_rung> (k), &is, &what);
        state(k) = state_name[is];
        text(k) = what;
      }
    octave_map map (dim_vector (SG_NRUNG, 1));
    map.assign ("step", name);
    map.assign ("state", state);
    map.assign ("text", text);
    return map;
  }

  static octave_scalar_map
  info (octave::interpreter& interp)
  {
    Cell backends (1, SG_NBACKEND), available;
    for (int k = 0; k < SG_NBACKEND; k++)
      {
        backends(k) = sg_backend_name (static_cast<sg_backend> (k));
        if (sg_backend_is_available (static_cast<sg_backend> (k)))
          available.resize (dim_vector (1, available.numel () + 1), backends(k));
      }
    octave_scalar_map map;
    map.assign ("version", SYMGPU_VERSION);
    map.assign ("backend", sg_backend_name (current_backend));
    map.assign ("backends", backends);
    map.assign ("available", available);
    map.assign ("isa", sg_cpu_isa ());
    map.assign ("vector_math", sg_cpu_vector_math ());
    map.assign ("compiler", sg_cpu_compiler ());
    map.assign ("threads", static_cast<double> (sg_cpu_threads ()));
    map.assign ("blas", blas_name (interp));
    map.assign ("cuda", ladder ());
    map.assign ("counters", counters ());
    return map;
  }

  static void
  print_names (const char *title, const Cell& names)
  {
    octave_stdout << title << "\n";
    std::string line = " ";
    for (octave_idx_type i = 0; i < names.numel (); i++)
      {
        std::string name = names(i).string_value ();
        if (line.length () + name.length () > 78)
          {
            octave_stdout << line << "\n";
            line = " ";
          }
        line += " " + name;
      }
    octave_stdout << line << "\n";
  }

  static void
  print_counters ()
  {
    for (int k = 0; k < sg_counter_count (); k++)
      octave_stdout << "  " << sg_counter_name (k) << ": " << sg_counter_get (k) << "  ("
                    << sg_counter_text (k) << ")\n";
  }

  static void
  print_ladder (const octave_map& map)
  {
    octave_stdout << "  GPU: " << (sg_cuda_is_open () ? "ready" : "none") << "\n";
    for (octave_idx_type k = 0; k < map.numel (); k++)
      {
        std::string state = map.contents ("state")(k).string_value ();
        octave_stdout << "    " << map.contents ("step")(k).string_value () << ": " << state;
        if (state != "not tried")
          octave_stdout << ", " << map.contents ("text")(k).string_value ();
        octave_stdout << "\n";
      }
  }

  static void
  print_selftest (const octave_scalar_map& map)
  {
    const Cell wrong = map.contents ("wrong").cell_value ();
    for (octave_idx_type i = 0; i < wrong.numel (); i++)
      octave_stdout << wrong(i).string_value () << "\n";
    octave_stdout << "selftest: " << map.contents ("count").double_value () << " comparisons, "
                  << wrong.numel () << " differ, " << map.contents ("seconds").double_value ()
                  << " s\n";
  }

  static void
  print_info (const octave_scalar_map& map)
  {
    octave_stdout << "symgpu " << map.contents ("version").string_value ()
                  << "\n  backend: " << map.contents ("backend").string_value ()
                  << "\n  processor: " << map.contents ("isa").string_value ()
                  << ", vector mathematics: " << map.contents ("vector_math").string_value ()
                  << ", threads: " << map.contents ("threads").double_value ()
                  << "\n  compiler of loops: " << map.contents ("compiler").string_value ()
                  << "\n  BLAS: " << map.contents ("blas").string_value () << "\n";
    print_ladder (map.contents ("cuda").map_value ());
    print_counters ();
  }
}

DEFMETHOD_DLD (symgpu_info, interp, args, nargout,
                R"texi(-*- texinfo -*-
@deftypefn  {} {} symgpu_info ()
@deftypefnx {} {@var{s} =} symgpu_info ()
@deftypefnx {} {@var{s} =} symgpu_info ("functions")
@deftypefnx {} {@var{s} =} symgpu_info ("counters")
@deftypefnx {} {@var{s} =} symgpu_info ("cache")
@deftypefnx {} {@var{s} =} symgpu_info ("cuda")
@deftypefnx {} {@var{s} =} symgpu_info ("selftest")
Say what this package is built with and what it has done.

@qcode{"functions"} lists the operations that have a lazy form, in @code{table}, and the
built-in functions that are given gathered values, in @code{delegated}.
@qcode{"counters"} lists counts of nodes, buffers, plans and evaluations, of kernels launched on
a GPU and of bytes brought there and back.
@qcode{"cache"} says where compiled kernels and loops are kept, how many, and how many bytes they take.
@qcode{"cuda"} tries what it takes to use a GPU, step by step, and lists the steps: their state is
@qcode{"ok"}, @qcode{"failed"} or @qcode{"not tried"}, their text says what there is, or what failed
and what helps.

@qcode{"selftest"} compares, for some seconds, plain Octave with every backend that can be used
here, and the CPU with fused loops and without: for reports of bugs.

Without an output argument the information is printed, else returned as a struct.

@example
@group
s = symgpu_info ();
s.backends
  @result{} @{ native, cpu, cuda @}
@end group
@end example
@seealso{symgpu_config, symplan}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin > 1)
    print_usage ();
  std::string what
    = nargin == 1 ? args(0).xstring_value ("symgpu_info: the argument must be a string") : "";
  octave_scalar_map map;
  if (what.empty ())
    map = symgpu::info (interp);
  else if (what == "functions")
    map = symgpu::functions ();
  else if (what == "counters")
    map = symgpu::counters ();
  else if (what == "cache")
    map = symgpu::kernel_cache ();
  else if (what == "cuda")
    {
      octave_map steps = symgpu::ladder ();
      if (nargout > 0)
        return ovl (steps);
      symgpu::print_ladder (steps);
      return octave_value_list ();
    }
  else if (what == "selftest")
    map = interp.feval ("__symgpu_selftest__", ovl (), 1)(0).scalar_map_value ();
  else
    symgpu::raise ("symgpu:unknown-key",
                   "symgpu_info: there is no \"" + what
                   + "\"; valid are \"functions\", \"counters\", \"cache\", \"cuda\","
                   " \"selftest\"");
  if (nargout > 0)
    return ovl (map);
  if (what.empty ())
    symgpu::print_info (map);
  else if (what == "counters")
    symgpu::print_counters ();
  else if (what == "cache")
    octave_stdout << "folder: " << map.contents ("folder").string_value ()
                  << "\nfiles: " << map.contents ("files").double_value ()
                  << "\nbytes: " << map.contents ("bytes").double_value () << " of "
                  << map.contents ("limit").double_value () << "\n";
  else if (what == "selftest")
    symgpu::print_selftest (map);
  else
    {
      symgpu::print_names ("Operations with a lazy form:", map.contents ("table").cell_value ());
      symgpu::print_names ("Built-in functions that are given gathered values:",
                           map.contents ("delegated").cell_value ());
    }
  return octave_value_list ();
}

DEFMETHOD_DLD (symplan, interp, args, nargout,
                R"texi(-*- texinfo -*-
@deftypefn  {} {} symplan (@var{x}, @dots{})
@deftypefnx {} {@var{text} =} symplan (@var{x}, @dots{})
Print the plan by which the CPU would evaluate the symarrays @var{x}, @dots{} together.

Each step of a plan is one pass over memory: a fused elementwise program, a product, a move of
elements, or a call to Octave.

@example
x = symarray (rand (3));
symplan (sum (exp (x) .* x + 1))
@end example
@seealso{gather, symgpu_info}
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin < 1)
    print_usage ();
  octave_value_list x = args;
  std::vector<sg_node *> roots = symgpu::roots_of (x, "symplan");
  char *text = nullptr;
  std::size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  if (! f)
    throw std::bad_alloc ();
  sg_status st = sg_plan_print (f, roots.size (), roots.data ());
  std::fclose (f);
  std::string plan (text, size);
  std::free (text);
  symgpu::check (st);
  if (nargout > 0)
    return ovl (plan);
  octave_stdout << plan;
  return octave_value_list ();
}

/*
%!test
%! old = symbackend ();
%! unwind_protect
%!   assert (symbackend ("native"), old);
%!   assert (symbackend (), "native");
%!   symbackend ("cpu");
%!   assert (symgpu_config ("backend"), "cpu");
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect
%!error <Invalid call to symbackend> symbackend (1, 2)
%!error id=symgpu:unknown-backend symbackend ("abacus")
%!error <valid are "native", "cpu"> symbackend ("abacus")
%!error <must be a string> symbackend (1)

%!test
%! old = symgpu_config ("threads", 1);
%! unwind_protect
%!   assert (symgpu_config ("threads"), 1);
%!   s = symgpu_config ();
%!   assert (s.threads, 1);
%!   assert (isfield (s, {"backend", "fuse", "graph_nodes"}), [true, true, true]);
%! unwind_protect_cleanup
%!   symgpu_config ("threads", old);
%! end_unwind_protect
%!error <Invalid call to symgpu_config> symgpu_config (1, 2, 3)
%!error <KEY must be a string> symgpu_config (1)
%!error id=symgpu:unknown-key symgpu_config ("colour")
%!error <valid are "backend", "threads"> symgpu_config ("colour", 1)
%!error id=symgpu:bad-argument symgpu_config ("threads", -1)
%!error id=symgpu:bad-argument symgpu_config ("threads", 1.5)
%!error id=symgpu:bad-argument symgpu_config ("threads", "many")
%!test
%! old = symgpu_config ("cache", "off");
%! unwind_protect
%!   assert (symgpu_config ("cache"), "off");
%! unwind_protect_cleanup
%!   symgpu_config ("cache", old);
%! end_unwind_protect
%!error <"cache" must be a string> symgpu_config ("cache", 1)
%!test
%! old = symgpu_config ("jit", 0);
%! unwind_protect
%!   assert (symgpu_config ("jit", "sync"), "0");
%!   assert (symgpu_config ("jit", 1), "sync");
%!   assert (symgpu_config ("jit"), "1");
%! unwind_protect_cleanup
%!   symgpu_config ("jit", old);
%! end_unwind_protect
%!error <jit must be one of these words, not 2: 0 1 sync> symgpu_config ("jit", 2)
%!error <jit must be one of these words, not fast: 0 1 sync> symgpu_config ("jit", "fast")
%!error <"jit" must be a number> symgpu_config ("jit", {})

%!test
%! s = symgpu_info ();
%! assert (isfield (s, {"version", "isa", "vector_math", "compiler", "threads", "blas"}), true (1, 6));
%! assert (s.backends, {"native", "cpu", "cuda"});
%! assert (s.available(1:2), {"native", "cpu"});
%!test
%! t = evalc ("symgpu_info ('selftest')");
%! assert (! isempty (regexp (t, '^selftest: \d+ comparisons, 0 differ')), t);
%!test
%! f = symgpu_info ("functions");
%! assert (any (strcmp (f.table, "exp")));
%! assert (any (strcmp (f.delegated, "eig")));
%! assert (any (strcmp (f.table, "eig")), false);
%!test
%! n = symgpu_info ("counters").nodes;
%! x = symarray (rand (2));
%! y = x + 1;
%! assert (symgpu_info ("counters").nodes > n);
%! clear x y
%! assert (symgpu_info ("counters").nodes, n);
%!test
%! old = symgpu_config ("cache", "off");
%! unwind_protect
%!   assert (symgpu_info ("cache").folder, "");
%!   symgpu_config ("cache", tempname ());
%!   s = symgpu_info ("cache");
%!   assert (s.folder, symgpu_config ("cache"));
%!   assert ([s.files, s.bytes], [0, 0]);
%! unwind_protect_cleanup
%!   symgpu_config ("cache", old);
%! end_unwind_protect
%!test
%! s = symgpu_info ("cuda");
%! assert (fieldnames (s), {"step"; "state"; "text"});
%! bad = find (strcmp ({s.state}, "failed"));
%! if (isempty (bad))
%!   assert (all (strcmp ({s.state}, "ok")));
%! else
%!   assert (numel (bad), 1);
%!   assert (! isempty (strfind (s(bad).text, "What helps: ")));
%!   assert (unique ({s(bad+1:end).state}), {"not tried"});
%! endif
%!error <Invalid call to symgpu_info> symgpu_info (1, 2)
%!error id=symgpu:unknown-key symgpu_info ("weather")

%!test
%! x = symarray (rand (3));
%! assert (ischar (symplan (exp (x) + 1)));
%!error <Invalid call to symplan> symplan ()
%!error id=symgpu:bad-class symplan ("a")
*/
