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
## @deftypefn  {} {} symprofile ("on")
## @deftypefnx {} {} symprofile ("off")
## @deftypefnx {} {} symprofile ("reset")
## @deftypefnx {} {} symprofile ("report")
## @deftypefnx {} {} symprofile ("picture", @var{file})
## @deftypefnx {} {@var{s} =} symprofile ()
## Measure where the time of evaluations goes: by kind of step and by the line of the program that
## made the expression.
##
## The kinds are those of @code{symexplain}, and two more.  @code{planning} is the time to make or
## find plans.  @code{compiling} is that of compilers: of kernels of a GPU, for which evaluations
## wait, and of loops of the CPU, which are compiled beside the program (unless the setting @code{jit} is
## @qcode{"sync"}) and are counted when they first run.  From @qcode{"on"} until @qcode{"off"} times are added up; @qcode{"reset"} forgets them.
## @qcode{"report"} prints them, @qcode{"picture"} draws the seconds of each line as bars, longest
## first, into the PNG image @var{file}.
##
## The struct array @var{s} has the fields @code{kind}, @code{place}, @code{origin} (file,
## function, line, text), @code{count}, @code{seconds}, @code{bytes} (read and written).
##
## @example
## @group
## symprofile ("on");
## x = gather (exp (symarray (rand (100))) * 2);
## symprofile ("off");
## s = symprofile ();
## symprofile ("reset");
## any (strcmp (@{s.kind@}, "loop"))
##   @result{} 1
## @end group
## @end example
## @seealso{symexplain, symaudit}
## @end deftypefn

function s = symprofile (what, file)
  if (nargin == 0)
    s = __symgpu_profile__ ();
    return;
  endif
  if (! ischar (what) || ! any (strcmp (what, {"on", "off", "reset", "report", "picture"}))
      || (nargin == 2) != strcmp (what, "picture"))
    print_usage ();
  endif
  switch (what)
    case "report"
      report (__symgpu_profile__ ());
    case "picture"
      draw (__symgpu_profile__ (), file);
    otherwise
      __symgpu_profile__ (what);
  endswitch
endfunction

## Sums of rows with the same text in a field, longest time first.
function t = sums (s, field)
  names = unique ({s.(field)});
  t = struct ("name", names, "count", 0, "seconds", 0, "bytes", 0);
  for k = 1:numel (names)
    rows_ = s(strcmp ({s.(field)}, names{k}));
    t(k).count = sum ([rows_.count]);
    t(k).seconds = sum ([rows_.seconds]);
    t(k).bytes = sum ([rows_.bytes]);
    if (isempty (t(k).name))
      t(k).name = "(elsewhere)";
    endif
  endfor
  [~, order] = sort ([t.seconds], "descend");
  t = t(order);
endfunction

function report (s)
  if (isempty (s))
    puts ("nothing has been measured: symprofile (\"on\")\n");
    return;
  endif
  for field = {"kind", "place"}
    printf ("%-32s %10s %12s %10s\n", merge (strcmp (field{1}, "kind"), "kind of step", "line"), ...
            "count", "seconds", "MB");
    for t = sums (s, field{1})
      printf ("  %-30s %10d %12.6f %10.1f\n", t.name, t.count, t.seconds, t.bytes / 1e6);
    endfor
  endfor
endfunction

## A bar for each line, as long as its share of the longest; planning is grey.
function draw (s, file)
  t = sums (s, "place");
  wide = 400;
  high = 16;
  image = 255 * ones (high * max (1, numel (t)), wide);
  longest = max ([t.seconds, realmin]);
  for k = 1:numel (t)
    here = s(strcmp ({s.place}, strrep (t(k).name, "(elsewhere)", "")));
    planning = sum ([here(strcmp ({here.kind}, "planning")).seconds]);
    bar = round (wide * t(k).seconds / longest);
    grey = round (wide * planning / longest);
    rows_ = (k - 1) * high + (3:high - 2);
    image(rows_,1:bar) = 0;
    image(rows_,max (1, bar - grey + 1):bar) = 160;
  endfor
  write_png (uint8 (image), file);
endfunction

%!function work (x)
%!  y = exp (x) .* 2;
%!  z = y * y';
%!  gather (sort (z, 2), erfcx (x));
%!endfunction

%!function s = profiled ()
%!  symprofile ("reset");
%!  symprofile ("on");
%!  unwind_protect
%!    work (symarray (rand (20, 30)));
%!  unwind_protect_cleanup
%!    symprofile ("off");
%!  end_unwind_protect
%!  s = symprofile ();
%!endfunction

%!testif ; strcmp (symbackend (), "cpu")
%! s = profiled ();
%! assert (sort (unique ({s.kind})), {"Octave", "lines", "loop", "planning", "product"});
%! assert (all ([s.seconds] >= 0));
%! k = strcmp ({s.kind}, "loop");
%! assert (s(k).bytes, 2 * 8 * 600 + 8);
%! assert (s(k).origin.text, "y = exp (x) .* 2");
%! k = strcmp ({s.kind}, "product");
%! assert (s(k).count, 1);
%! assert (s(k).origin.text, "z = y * y'");
%! gather (symarray ([1 2]) + 1);             # off: nothing is added
%! assert (symprofile (), s);
%! symprofile ("reset");
%! assert (isempty (symprofile ()));

%!test # the report and the picture
%! profiled ();
%! t = evalc ("symprofile ('report')");
%! assert (! isempty (regexp (t, 'work:\d')), t);
%! file = [tempname(), ".png"];
%! unwind_protect
%!   symprofile ("picture", file);
%!   assert (fileread (file)(2:4), "PNG");
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
%! symprofile ("reset");
%! t = evalc ("symprofile ('report')");
%! assert (! isempty (strfind (t, "nothing has been measured")));

%!function s = profiled_anew ()
%!  y = x = symarray (1:500);
%!  for f = {@plus, @minus, @times}(randi (3, 1, 16))  # nobody has compiled this
%!    y = f{1}(y, x);
%!  endfor
%!  symprofile ("reset");
%!  symprofile ("on");
%!  unwind_protect
%!    gather (y);
%!  unwind_protect_cleanup
%!    symprofile ("off");
%!  end_unwind_protect
%!  s = symprofile ();
%!  symprofile ("reset");
%!endfunction

%!testif ; any (strcmp (symbackend (), {"cpu", "cuda"})) && symgpu_info ().compiler(1) == "/" # compilers
%! old = {symgpu_config("jit", "sync"), symgpu_config("cache", "off")};
%! unwind_protect
%!   s = profiled_anew ();
%! unwind_protect_cleanup
%!   symgpu_config ("jit", old{1});
%!   symgpu_config ("cache", old{2});
%! end_unwind_protect
%! k = strcmp ({s.kind}, "compiling");
%! assert (sum (k), 1);
%! assert (s(k).count, 1);
%! assert (s(k).seconds > 0.005);
%! assert (s(k).origin.text, "y = f {1} (y, x)");
%! loop = s(strcmp ({s.kind}, "loop"));
%! assert (loop.seconds >= 0 && loop.seconds < s(k).seconds);

%!error <Invalid call to symprofile> symprofile (1)
%!error <Invalid call to symprofile> symprofile ("perhaps")
%!error <Invalid call to symprofile> symprofile ("picture")
%!error <Invalid call to symprofile> symprofile ("on", "x")
