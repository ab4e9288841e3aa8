// What happens beside evaluations: verification, audits, progress, a word about loops.

#include "compat.h"

#include <cstdio>
#include <map>
#include <tuple>

#if defined (__unix__) || defined (__APPLE__)
#  include <unistd.h>
#endif

#include <octave/Cell.h>
#include <octave/defun-dld.h>
#include <octave/oct-map.h>
#include <octave/ov-fcn.h>
#include <octave/pt-eval.h>

#include "look.h"
#include "main.h"
#include "origin.h"
#include "show.h"
#include "symarray.h"
#include "watch.h"

// PKG_ADD: autoload ("__symgpu_verify__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_verify__", which ("__symgpu_verify__"), "remove");
// PKG_ADD: autoload ("__symgpu_audit__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_audit__", which ("__symgpu_audit__"), "remove");
// PKG_ADD: autoload ("__symgpu_profile__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_profile__", which ("__symgpu_profile__"), "remove");

namespace symgpu
{
  const std::string *forcing_function::s_name = nullptr;

  // ---- verification ---------------------------------------------------------------------------

  static bool s_verify = false;

  // With the node's own copy of the expression; raises an error at the first divergence.
  static void
  verify_before (int n, sg_node *const *nodes)
  {
    if (! s_verify || current_backend == SG_NATIVE)
      return;
    octave::unwind_protect_var<bool> restore (s_verify, false);
    for (int i = 0; i < n; i++)
      if (! nodes[i]->val)
        interpreter ().feval ("__symgpu_stop__",
                              ovl (hold (nodes[i]), sg_backend_name (current_backend)));
  }

  // ---- progress ---------------------------------------------------------------------------------

  static const double patience = 2;     // seconds without a word
  static const double pause = 0.2;      // between two

  static double s_progress_start, s_progress_next;

  // Steps are counted from 0; 0 of 0: the evaluation is over.
  static void
  show_progress (int step, int nsteps)
  {
    double now = sg_now ();
    if (nsteps == 0)
      {
        if (s_progress_next > s_progress_start + patience)
          std::fputs ("\r\033[K", stderr);
        return;
      }
    if (step == 0)
      {
        s_progress_start = now;
        s_progress_next = now + patience;
      }
    if (now < s_progress_next)
      return;
    std::fprintf (stderr, "\r\033[Ksymgpu: step %d of %d, %.0f s", step + 1, nsteps,
                  now - s_progress_start);
    std::fflush (stderr);
    s_progress_next = now + pause;
  }

  static bool
  is_watched ()
  {
#if defined (__unix__) || defined (__APPLE__)
    return sg_cfg.progress && interpreter ().interactive () && isatty (STDERR_FILENO);
#else
    return false;
#endif
  }

  // ---- loops ------------------------------------------------------------------------------------

  void
  warn_of_loop ()
  {
    static bool said = false;
    uint32_t id = sg_repeated;
    sg_repeated = 0;
    if (said || id == 0)
      return;
    said = true;
    std::string where = origin_text (id);
    warning_with_id ("symgpu:repeated-evaluation",
                     "the same small expression%s%s has been evaluated 1000 times: arrays of"
                     " this size are faster without symarray, or let the loop make one"
                     " expression of many", where.empty () ? "" : " made at ", where.c_str ());
  }

  // ---- audits -----------------------------------------------------------------------------------

  bool audit_on = false;

  // What happened how often: the place, the kind, the function that was the reason.
  typedef std::tuple<uint32_t, std::string, std::string> audit_key;

  struct audit_row
  {
    double count, seconds, nodes, plans, uploaded, downloaded, kept;
  };

  static std::map<audit_key, audit_row> s_audit;

  static audit_row&
  audit_entry (const std::string& kind, const std::string& by)
  {
    return s_audit[audit_key (origin_here (), kind, by)];
  }

  void
  audit_delegation (const std::string& name)
  {
    audit_entry ("delegated", name).count++;
  }

  void
  audit_element ()
  {
    audit_entry ("element", "").count++;
  }

  // The built-in function that runs; empty: a statement itself, a condition for instance.
  static std::string
  reason_of_force ()
  {
    if (forcing_function::name ())
      return *forcing_function::name ();
    octave_function *f = interpreter ().get_evaluator ().current_function ();
    return f && ! f->is_user_code () ? f->name () : "";
  }

  static octave_value
  origin_struct (uint32_t id)
  {
    const origin *o = origin_of (id);
    octave_scalar_map m;
    m.assign ("file", o ? o->file : "");
    m.assign ("function", o ? o->function : "");
    m.assign ("line", o ? o->line : 0);
    m.assign ("text", o ? o->text : "");
    return m;
  }

  // A row of a struct array.
  typedef std::vector<octave_value> row;

  static octave_value
  struct_array (const std::vector<std::string>& fields, const std::vector<row>& rows)
  {
    octave_map m (dim_vector (1, rows.size ()));
    for (std::size_t f = 0; f < fields.size (); f++)
      {
        Cell c (1, rows.size ());
        for (std::size_t k = 0; k < rows.size (); k++)
          c(k) = rows[k][f];
        m.assign (fields[f], c);
      }
    return m;
  }

  static octave_value
  audit_value ()
  {
    std::vector<row> rows;
    for (const auto& a : s_audit)
      {
        uint32_t id = std::get<0> (a.first);
        rows.push_back ({ origin_text (id), origin_struct (id), std::get<1> (a.first),
                          std::get<2> (a.first), a.second.count, a.second.seconds,
                          a.second.nodes, a.second.plans, a.second.uploaded,
                          a.second.downloaded, a.second.kept });
      }
    return struct_array ({ "place", "origin", "kind", "by", "count", "seconds", "nodes", "plans",
                           "uploaded", "downloaded", "kept" }, rows);
  }

  static octave_value
  profile_value ()
  {
    std::vector<row> rows;
    for (int k = 0; k < sg_profile_count (); k++)
      {
        const sg_profile_row *r = sg_profile_get (k);
        rows.push_back ({ sg_work_name (r->work), origin_text (r->origin),
                          origin_struct (r->origin), static_cast<double> (r->count), r->seconds,
                          static_cast<double> (r->bytes) });
      }
    return struct_array ({ "kind", "place", "origin", "count", "seconds", "bytes" }, rows);
  }

  // ---- an evaluation ------------------------------------------------------------------------------

  evaluation_watch::evaluation_watch (int n, sg_node *const *nodes)
    : m_start (0), m_nodes (0)
  {
    verify_before (n, nodes);
    sg_progress = is_watched () ? show_progress : nullptr;
    if (audit_on)
      {
        m_before = sg_count;
        m_start = sg_now ();
        for (int i = 0; i < n; i++)
          m_nodes += order_of (nodes[i]).size ();
      }
  }

  evaluation_watch::~evaluation_watch ()
  {
    sg_progress = nullptr;
  }

  void
  evaluation_watch::done ()
  {
    if (audit_on && m_start > 0)
      {
        audit_row& r = audit_entry ("evaluation", reason_of_force ());
        r.count++;
        r.seconds += sg_now () - m_start;
        r.nodes += m_nodes;
        r.plans += sg_count.plan_misses - m_before.plan_misses;
        r.uploaded += sg_count.uploaded - m_before.uploaded;
        r.downloaded += sg_count.downloaded - m_before.downloaded;
        r.kept += sg_count.buffer_bytes - m_before.buffer_bytes;
      }
    warn_of_loop ();
  }
}

DEFMETHOD_DLD (__symgpu_verify__, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn {} {} __symgpu_verify__ (@var{tf})
Switch the verification of every evaluation on or off, see @code{symverify}.

@example
__symgpu_verify__ (false)
@end example
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 1)
    print_usage ();
  symgpu::s_verify = args(0).bool_value ();
  return ovl ();
}

DEFMETHOD_DLD (__symgpu_audit__, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn  {} {} __symgpu_audit__ ("start")
@deftypefnx {} {@var{s} =} __symgpu_audit__ ("stop")
Note evaluations, delegated functions and elements taken one by one by the line that caused
them, see @code{symaudit}.  The struct array has the fields @code{place}, @code{origin},
@code{kind}, @code{by}, @code{count}, @code{seconds}, @code{nodes}, @code{plans} (made),
@code{uploaded} and @code{downloaded} (bytes brought to a GPU and back), @code{kept} (bytes of values
that were held afterwards and not before).

@example
@group
__symgpu_audit__ ("start");
gather (symarray ([1 2]) + 1);
__symgpu_audit__ ("stop").kind
  @result{} evaluation
@end group
@end example
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () != 1)
    print_usage ();
  std::string what = args(0).xstring_value ("__symgpu_audit__: the argument must be a string");
  symgpu::audit_on = what == "start";
  if (symgpu::audit_on)
    {
      symgpu::s_audit.clear ();
      return ovl ();
    }
  return ovl (symgpu::audit_value ());
}

DEFMETHOD_DLD (__symgpu_profile__, interp, args, ,
               R"texi(-*- texinfo -*-
@deftypefn  {} {@var{s} =} __symgpu_profile__ ()
@deftypefnx {} {} __symgpu_profile__ (@var{what})
What the steps of evaluations have taken, as a struct array with a row for each kind of step and
line of the program: @code{kind}, @code{place}, @code{origin}, @code{count}, @code{seconds},
@code{bytes}.  @var{what}: @qcode{"on"}, @qcode{"off"}, @qcode{"reset"}.

@example
__symgpu_profile__ ("off");
@end example
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  if (args.length () > 1)
    print_usage ();
  if (args.length () == 0)
    return ovl (symgpu::profile_value ());
  std::string what = args(0).xstring_value ("__symgpu_profile__: WHAT must be a string");
  if (what == "reset")
    sg_profile_reset ();
  else
    sg_profile_on = what == "on";
  return ovl ();
}

/*
%!error <Invalid call> __symgpu_verify__ ()
%!error <Invalid call> __symgpu_profile__ (1, 2)
%!error <Invalid call> __symgpu_audit__ ()

%!function s = audited (f)
%!  __symgpu_audit__ ("start");
%!  unwind_protect
%!    f ();
%!  unwind_protect_cleanup
%!    s = __symgpu_audit__ ("stop");
%!  end_unwind_protect
%!endfunction

%!function some_work ()
%!  x = symarray (1:200) + 1;
%!  gather (x);
%!  eig (symarray (magic (12)) * 2);
%!  if (any (x > 1000)), error ("no"), end
%!  for k = 1:3, y = x(k); end
%!endfunction

%!test
%! s = audited (@some_work);
%! e = s(strcmp ({s.kind}, "evaluation"));
%! assert (sort ({e.by}), sort ({"gather", "eig", ""}));
%! assert ([e.count], [1 1 1]);
%! d = s(strcmp ({s.kind}, "delegated"));
%! assert ({d.by}, {"eig"});
%! d = s(strcmp ({s.kind}, "element"));
%! assert (d.count, 3);
%! assert (! isempty (regexp (d.place, '^some_work:\d')));
%! assert (d.origin.text, "y = x (k)");
*/
