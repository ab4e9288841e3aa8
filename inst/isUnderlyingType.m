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
## @deftypefn {} {@var{tf} =} isUnderlyingType (@var{x}, @var{type})
## Return true if the elements of @var{x} are of class @var{type}.
##
## @example
## @group
## isUnderlyingType (symarray (single (1:3)), "single")
##   @result{} 1
## @end group
## @end example
## @seealso{underlyingType}
## @end deftypefn

function tf = isUnderlyingType (x, type)

  if (nargin != 2)
    print_usage ();
  endif
  if (! (ischar (type) && rows (type) == 1))
    error ("isUnderlyingType: TYPE must be a string");
  endif
  tf = strcmp (underlyingType (x), type);

endfunction

%!assert (isUnderlyingType (symarray (single (1:3)), "single"))
%!assert (isUnderlyingType (symarray (single (1:3)), "double"), false)
%!assert (isUnderlyingType (1, "double"))
%!error <Invalid call> isUnderlyingType (1)
%!error <TYPE must be a string> isUnderlyingType (1, 2)
