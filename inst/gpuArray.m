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
## @deftypefn {} {@var{x} =} gpuArray (@var{A})
## Put the numeric or logical array @var{A} on the GPU.
##
## This is @code{symarray (@var{A})}, and from the first call on the GPU is what evaluates, as
## after @code{symbackend ("cuda")}: operators build expressions, and values are computed on the
## GPU and stay there until @code{gather} brings them.
##
## Without a usable GPU the CPU does the same, and a warning, @qcode{"symgpu:no-gpu"}, says so
## once; @code{symgpu_info ("cuda")} tells what is missing.
##
## @example
## @group
## x = gpuArray ([1 2; 3 4]);
## gather (x * x)
##   @result{} 7  10
##      15  22
## @end group
## @end example
## @seealso{gather, symarray, isgpuarray, gpuDevice}
## @end deftypefn

function x = gpuArray (A)

  persistent told = false;

  if (nargin != 1)
    print_usage ();
  endif
  if (! (isnumeric (A) || islogical (A)))
    error ("symgpu:bad-class",
           "gpuArray: A must be a numeric or logical array, not a value of class %s", class (A));
  endif
  x = symarray (A);
  if (strcmp (symbackend (), "cpu") && ! told)
    [ready, why] = __symgpu_device__ ("open");
    if (ready)
      symbackend ("cuda");
    else
      warning ("symgpu:no-gpu", "gpuArray: the CPU does what the GPU would do: %s", why);
      told = true;
    endif
  endif

endfunction

%!shared old, state
%! old = symbackend ();
%! state = warning ("off", "symgpu:no-gpu", "local");
%!test
%! x = gpuArray ([1 2; 3 4]);
%! assert (isgpuarray (x));
%! assert (gather (x * x), [7 10; 15 22]);
%! symbackend (old);
%!test
%! for A = {single(1:3), int8([1 -2]), true (2), zeros(0, 3), 1i}
%!   x = gpuArray (A{1});
%!   assert (class (x), class (A{1}));
%!   assert (gather (x), A{1});
%! endfor
%! symbackend (old);
%!test # of a symarray
%! x = gpuArray (symarray ([1 2]));
%! assert (gather (x + 1), [2 3]);
%! symbackend (old);
%!error <Invalid call> gpuArray ()
%!error id=symgpu:bad-class gpuArray ("abc")
%!error <not a value of class cell> gpuArray ({1})
