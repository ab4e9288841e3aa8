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
## @deftypefn {} {@var{tf} =} isgpuarray (@var{x})
## Return true if @var{x} is what @code{gpuArray} returns, or computed from it.
##
## It is the same as @code{issymarray}.
##
## @example
## @group
## isgpuarray (symarray (1:3) + 1)
##   @result{} 1
## @end group
## @end example
## @seealso{gpuArray, issymarray, existsOnGPU}
## @end deftypefn

function tf = isgpuarray (x)

  if (nargin != 1)
    print_usage ();
  endif
  tf = issymarray (x);

endfunction

%!assert (isgpuarray (symarray (1:3) + 1))
%!assert (isgpuarray (1:3), false)
%!assert (isgpuarray ({symarray(1)}), false)
%!assert (isgpuarray ("abc"), false)
%!error <Invalid call> isgpuarray ()
