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
## @deftypefn {} {@var{tf} =} existsOnGPU (@var{x})
## Return true if @var{x} is a symarray that the GPU evaluates.
##
## That is so after @code{gpuArray} has found a GPU, or after @code{symbackend ("cuda")}.
##
## @example
## @group
## existsOnGPU ([1 2 3])
##   @result{} 0
## @end group
## @end example
## @seealso{gpuArray, isgpuarray, symbackend}
## @end deftypefn

function tf = existsOnGPU (x)

  if (nargin != 1)
    print_usage ();
  endif
  tf = issymarray (x) && strcmp (symbackend (), "cuda");

endfunction

%!assert (existsOnGPU ([1 2 3]), false)
%!assert (existsOnGPU (symarray (1)), strcmp (symbackend (), "cuda"))
%!error <Invalid call> existsOnGPU ()
