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
## @deftypefn {} {@var{type} =} underlyingType (@var{x})
## Return the class of the elements of @var{x}.
##
## For symarrays, plain arrays and all other values this is what @code{class} says.
##
## @example
## @group
## underlyingType (symarray (single (1:3)))
##   @result{} single
## @end group
## @end example
## @seealso{isUnderlyingType, classUnderlying, class}
## @end deftypefn

function type = underlyingType (x)

  if (nargin != 1)
    print_usage ();
  endif
  type = class (x);

endfunction

%!assert (underlyingType (symarray (single (1:3))), "single")
%!assert (underlyingType (symarray (true)), "logical")
%!assert (underlyingType (int8 (1)), "int8")
%!assert (underlyingType ({}), "cell")
%!error <Invalid call> underlyingType ()
