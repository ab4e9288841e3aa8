## Copyright (C) 2025 The symgpu developers
##
## This program is free software: you can redistribute it and/or modify
## it under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version.
##
## This program is distributed in the hope that it will be useful,
## but WITHOUT ANY WARRANTY; without even the implied warranty of
## MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
## GNU General Public License for more details.
##
## You should have received a copy of the GNU General Public License
## along with this program; see the file COPYING.  If not, see
## <https://www.gnu.org/licenses/>.

## -*- texinfo -*-
## @deftypefn  {} {} symaudit (@var{script})
## @deftypefnx {} {} symaudit (@var{fcn}, @var{arg}, @dots{})
## @deftypefnx {} {@var{s} =} symaudit (@dots{})
## Run the script in the file @var{script}, or call @var{fcn} (@var{arg}, @dots{}), and report by
## line what symarrays did there: which values were computed and by what, which functions were
## delegated to Octave, where elements were taken one by one, how much time each took; with one
## sentence of advice each.
##
## The struct array @var{s} has the fields @code{place}, @code{origin} (file, function, line, text),
## @code{kind} (@qcode{"evaluation"}, @qcode{"delegated"}, @qcode{"element"}), @code{by} (the
## function that was the reason; empty for a statement itself, such as a condition), @code{count},
## @code{seconds}, @code{nodes} (operations and values that were looked at), @code{plans} (that had
## to be made: where there are as many as evaluations, nothing is found again), @code{uploaded} and
## @code{downloaded} (bytes brought to a GPU and back), @code{kept} (bytes of values that were held
## afterwards and not before, negative if some went), @code{advice}.
##
## @example
## @group
## f = @@(x) eig (x * x');
## s = symaudit (f, symarray (magic (3)));
## any (strcmp (@{s.by@}, "eig"))
##   @result{} 1
## @end group
## @end example
## @seealso{symprofile, symexplain, symgpu_info}
## @end deftypefn

function s = symaudit (what, varargin)
  if (nargin < 1 || ! (ischar (what) || is_function_handle (what))
      || (ischar (what) && nargin > 1))
    print_usage ();
  endif
  before = symgpu_info ("counters");
  start = tic ();
  __symgpu_audit__ ("start");
  unwind_protect
    if (ischar (what))
      run_script (what);
    else
      what (varargin{:});
    endif
  unwind_protect_cleanup
    r = __symgpu_audit__ ("stop");
  end_unwind_protect
  seconds = toc (start);
  after = symgpu_info ("counters");
  r = with_advice (r);
  if (nargout > 0)
    s = r;
  else
    report (r, seconds, after.buffer_bytes - before.buffer_bytes);
  endif
endfunction

## Its variables are its own.
function run_script (symaudit_file__)
  source (symaudit_file__);
endfunction

function r = with_advice (r)
  for k = 1:numel (r)
    r(k).advice = advice (r(k));
  endfor
  if (! isempty (r))
    [~, order] = sort ([r.seconds], "descend");
    r = r(order);
  endif
endfunction

function text = advice (row)
  switch (row.kind)
    case "element"
      text = "take whole rows, columns or ranges: an element costs as much as an array";
    case "delegated"
      text = sprintf ("%s has no lazy form: its arguments are gathered, which is right but a stop", row.by);
    otherwise
      if (row.count >= 100 && row.nodes / row.count < 20)
        text = "small expressions are evaluated often: let the loop build one, or use plain arrays";
      elseif (row.uploaded + row.downloaded > 1e6 && row.count >= 10)
        text = "each turn moves arrays between the GPU and memory: gather after the loop, and keep inputs as symarrays";
      elseif (row.plans > 10 && row.plans > row.count / 2)
        text = "nearly each evaluation needs a plan of its own: keep sizes the same from turn to turn";
      elseif (isempty (row.by))
        text = "the statement needs the value, as a condition or subscript: decide less often";
      elseif (any (strcmp (row.by, {"gather", "disp", "display"})))
        text = "asked for; gather several values in one call and they share their work";
      else
        text = sprintf ("%s needs the value: call it as late as you can", row.by);
      endif
  endswitch
endfunction

function report (r, seconds, bytes)
  printf ("%.3f s, %.3f s of it in %d evaluations; %.1f MB more are held than before\n", seconds, ...
          sum ([r.seconds]), sum ([r(strcmp ({r.kind}, "evaluation")).count]), bytes / 1e6);
  for row = r
    where = row.place;
    if (isempty (where))
      where = "the prompt";
    endif
    by = row.by;
    if (! isempty (by))
      by = [" by ", by];
    endif
    printf ("%s: %s%s, %d times, %.6f s%s\n", where, row.kind, by, row.count, row.seconds, details (row));
    if (! isempty (row.origin.text))
      printf ("    %s\n", row.origin.text);
    endif
    printf ("    %s\n", row.advice);
  endfor
endfunction

## What an evaluation has made, moved and kept, where that is anything.
function text = details (row)
  text = "";
  if (row.plans > 0)
    text = sprintf (", %d plans made", row.plans);
  endif
  for f = {"uploaded", "to the GPU"; "downloaded", "from the GPU"; "kept", "kept"}'
    if (abs (row.(f{1})) >= 5e4)
      text = [text, sprintf(", %.1f MB %s", row.(f{1}) / 1e6, f{2})];
    endif
  endfor
endfunction

%!function y = work (n)
%!  x = symarray (magic (12)) + 1;
%!  y = 0;
%!  for k = 1:n
%!    y += x(k,1);
%!    if (y > 1e9), error ("no"), endif
%!  endfor
%!  e = eig (x * 2);
%!endfunction

%!test
%! s = symaudit (@work, 4);
%! k = strcmp ({s.kind}, "element");
%! assert (s(k).count, 4);
%! assert (s(k).origin.text, "y += x (k, 1)");
%! k = strcmp ({s.kind}, "delegated");
%! assert (s(k).by, "eig");
%! k = strcmp ({s.kind}, "evaluation") & strcmp ({s.by}, "");
%! assert (s(k).origin.text, "(y > 1e9)");
%! assert (! any (cellfun ("isempty", {s.advice})));
%! assert (isempty (symaudit (@() 1)));

%!function c = moving (x)
%!  c = {};
%!  for k = 1:12
%!    y = x * k;
%!    c{k} = gather (y);
%!  endfor
%!endfunction

%!test # plans, transfers, what is kept
%! x = symarray (rand (200, 100));
%! s = symaudit (@moving, x);
%! s = s(strcmp ({s.by}, "gather"));
%! assert (s.count, 12);
%! assert (s.plans <= 1);
%! assert (s.kept >= 8 * 200 * 100);
%! if (strcmp (symbackend (), "cuda"))
%!   assert (s.downloaded, 12 * 8 * 200 * 100);
%!   assert (s.uploaded >= 8 * 200 * 100 && s.uploaded < 2 * 8 * 200 * 100);
%!   assert (! isempty (strfind (s.advice, "between the GPU and memory")));
%! else
%!   assert ([s.uploaded, s.downloaded], [0, 0]);
%! endif

%!test # a script, the report
%! file = [tempname(), ".m"];
%! fid = fopen (file, "w");
%! fprintf (fid, "a = symarray (1:200);\nb = gather (a + 1);\n");
%! fclose (fid);
%! unwind_protect
%!   t = evalc ("symaudit (file)");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! assert (! isempty (regexp (t, 'in 1 evaluations')), t);
%! assert (! isempty (regexp (t, '\.m:2: evaluation by gather, 1 times, [\d.]+ s')), t);
%! assert (! isempty (strfind (t, "b = gather (a + 1)")), t);

%!test # an error in what is run ends the audit
%! fail ("symaudit (@() error ('abc'))", "abc");
%! gather (symarray ([1 2]) + 1);
%! __symgpu_audit__ ("start");
%! assert (isempty (__symgpu_audit__ ("stop")));

%!error <Invalid call to symaudit> symaudit ()
%!error <Invalid call to symaudit> symaudit (1)
%!error <Invalid call to symaudit> symaudit ("a.m", 2)
