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
## @deftypefn {} {@var{x} =} fieldnames (@var{d})
## The names of the properties of the GPU @var{d}.
##
## @example
## @group
## if (gpuDeviceCount () > 0)
##   d = gpuDevice ();
##   fieldnames (d)
## endif
## @end group
## @end example
## @seealso{gpuDevice}
## @end deftypefn

function x = fieldnames (d)

  x = fieldnames (__symgpu_device__ ("info", d.index));

endfunction

%!testif ; gpuDeviceCount () > 0
%! assert (ismember ("Name", fieldnames (gpuDevice ())));
