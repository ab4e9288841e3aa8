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
## @deftypefn {} {@var{s} =} __symgpu_selftest__ ()
## Compare plain Octave with every backend that can be used here, for some seconds: see
## @code{symgpu_info ("selftest")}.  The struct has the fields @code{ok}, @code{count} (of
## comparisons), @code{seconds} and @code{wrong} (a cell array of sentences).
##
## @example
## s = __symgpu_selftest__ ();
## s.ok
##   @result{} 1
## @end example
## @end deftypefn

function s = __symgpu_selftest__ ()
  limit = 5;
  start = tic ();
  s = struct ("ok", true, "count", 0, "seconds", 0, "wrong", {{}});
  old = symgpu_config ("fuse");
  unwind_protect
    for f = expressions ()
      for args = operand_lists ()
        s = compare (s, f{1}, args{1});
        if (toc (start) > limit)
          break;
        endif
      endfor
    endfor
  unwind_protect_cleanup
    symgpu_config ("fuse", old);
  end_unwind_protect
  s.ok = isempty (s.wrong);
  s.seconds = toc (start);
endfunction

## Plain Octave, each backend, and the CPU without fused loops, whose bits are those of fused ones.
function s = compare (s, f, args)
  try
    want = f (args{:});
  catch
    return;
  end_try_catch
  lazy = cellfun (@symarray, args, "UniformOutput", false);
  fused = [];
  for backend = symgpu_info ().available
    symgpu_config ("fuse", 1);
    got = gather (f (lazy{:}), backend{1});
    s = note (s, f, backend{1}, is_near (want, got));
    if (strcmp (backend{1}, "cpu"))
      symgpu_config ("fuse", 0);
      s = note (s, f, "cpu, loops not fused", isequaln_ (got, gather (f (lazy{:}), "cpu")));
    endif
  endfor
endfunction

function s = note (s, f, backend, ok)
  s.count++;
  if (! ok)
    s.wrong{end+1} = sprintf ("%s on %s differs", func2str (f), backend);
  endif
endfunction

function tf = isequaln_ (a, b)
  tf = strcmp (class (a), class (b)) && size_equal (a, b) ...
       && all ((a(:) == b(:)) | (isnan (a(:)) & isnan (b(:))));
endfunction

function tf = is_near (a, b)
  tf = strcmp (class (a), class (b)) && size_equal (a, b) && iscomplex (a) == iscomplex (b);
  if (! tf || isempty (a))
    return;
  endif
  if (isfloat (a))
    scale = max ([abs(a(isfinite (a)))(:); 1]);
    tf = all ((a(:) == b(:)) | (isnan (a(:)) & isnan (b(:)))
              | abs (a(:) - b(:)) <= 64 * eps (scale));
  else
    tf = isequal (a, b);
  endif
endfunction

function c = expressions ()
  c = {@(a, b) a + b, @(a, b) a .* b - a ./ (b + 20), @(a, b) a < b, @(a, b) max (a, b), ...
       @(a, b) exp (a / 9), @(a, b) log (abs (a) + 1), @(a, b) sqrt (a), @(a, b) sin (a) .* cos (b), ...
       @(a, b) tanh (a), @(a, b) atan (b), @(a, b) erf (a), @(a, b) abs (a) .^ 0.3, @(a, b) sum (a), ...
       @(a, b) max (a, [], 2), @(a, b) any (a > b), @(a, b) cumsum (a, 2), @(a, b) sort (a), ...
       @(a, b) a * b', @(a, b) a' * a, @(a, b) a', @(a, b) [a; b], @(a, b) a(2:end,[1 1]), ...
       @(a, b) repmat (a, 2, 2), @(a, b) reshape (a, [], 1), @(a, b) mean (a), @(a, b) var (a), ...
       @(a, b) int8 (a * 20), @(a, b) single (a) + 1, @(a, b) 1 ./ (1 + exp (-a * b')), ...
       @(a, b) a - mean (a), @(a, b) sum (a .* b, 2)'};
endfunction

function c = operand_lists ()
  a = reshape (sin (1:60) * 7, 12, 5);
  b = reshape (cos (1:60) * 5, 12, 5);
  c = {{a, b}, {single(a), single(b)}, {a + 1i * b, b - 2i}, {[a; NaN(1, 5); Inf(1, 5)], [b; b(1:2,:)]}};
endfunction

%!test
%! s = __symgpu_selftest__ ();
%! assert (s.wrong, {});
%! assert (s.ok);
%! assert (s.count >= 31 * 3);
%! assert (s.seconds < 60);

%!test # a fault is reported
%! old = symgpu_config ("fault", "cpu:tanh");
%! unwind_protect
%!   s = __symgpu_selftest__ ();
%!   assert (s.ok, false);
%!   assert (! isempty (strfind (s.wrong{1}, "tanh (a) on cpu differs")), s.wrong{1});
%! unwind_protect_cleanup
%!   symgpu_config ("fault", old);
%! end_unwind_protect
