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
## @deftypefn  {} {@var{s} =} gpurng ()
## @deftypefnx {} {@var{s} =} gpurng (@var{seed}, @dots{})
## Query or set the generators of random numbers, as @code{rng} does.
##
## Random numbers are made by Octave and brought to the GPU, so the sequences are the same on
## every backend, and the arguments and the result are those of @code{rng}.
##
## @example
## @group
## gpurng (42);
## x = rand (2);
## gpurng (42);
## isequal (x, rand (2))
##   @result{} 1
## @end group
## @end example
## @seealso{rng, gpuArray}
## @end deftypefn

function s = gpurng (varargin)

  if (nargout > 0)
    s = rng (varargin{:});
  else
    rng (varargin{:});
  endif

endfunction

%!test
%! old = gpurng ();
%! unwind_protect
%!   gpurng (42);
%!   x = rand (2);
%!   gpurng (42);
%!   assert (rand (2), x);
%! unwind_protect_cleanup
%!   gpurng (old);
%! end_unwind_protect
%!error gpurng ("weather")
