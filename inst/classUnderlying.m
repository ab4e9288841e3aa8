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
## @deftypefn {} {@var{type} =} classUnderlying (@var{x})
## Return the class of the elements of @var{x}: an older name of @code{underlyingType}.
##
## @example
## @group
## classUnderlying (symarray (int8 (1:3)))
##   @result{} int8
## @end group
## @end example
## @seealso{underlyingType}
## @end deftypefn

function type = classUnderlying (x)

  if (nargin != 1)
    print_usage ();
  endif
  type = underlyingType (x);

endfunction

%!assert (classUnderlying (symarray (int8 (1:3))), "int8")
%!assert (classUnderlying ("abc"), "char")
%!error <Invalid call> classUnderlying ()
