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
## @deftypefn {} {} reset (@var{d})
## Give the memory of the GPU @var{d} back.
##
## Values that are only there are brought to the host first, so that symarrays stay what they
## are; they return to the GPU when they are used.
##
## @example
## @group
## if (gpuDeviceCount () > 0)
##   d = gpuDevice ();
##   reset (d);
## endif
## @end group
## @end example
## @seealso{gpuDevice}
## @end deftypefn

function reset (d)

  __symgpu_device__ ("close");

endfunction

%!testif ; gpuDeviceCount () > 0
%! d = gpuDevice ();
%! reset (d);
%! assert (gpuDevice ().Index, d.Index);
