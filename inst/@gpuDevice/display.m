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
## @deftypefn {} {} display (@var{d})
## Print the properties of the GPU @var{d} under its name.
##
## @example
## @group
## if (gpuDeviceCount () > 0)
##   d = gpuDevice ();
##   d
## endif
## @end group
## @end example
## @seealso{gpuDevice}
## @end deftypefn

function display (d)

  printf ("%s =\n\n", inputname (1));
  disp (d);
  puts ("\n");

endfunction

%!testif ; gpuDeviceCount () > 0
%! d = gpuDevice ();
%! assert (strncmp (evalc ("d"), "d =", 3));
