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
## @deftypefn  {} {@var{n} =} gpuDeviceCount ()
## @deftypefnx {} {@var{n} =} gpuDeviceCount (@var{which})
## Return the number of GPUs that the driver shows to this program.
##
## It is 0 where there is no driver.  @var{which} is @qcode{"all"}, the default, or
## @qcode{"available"}: both count the same devices.
##
## @example
## n = gpuDeviceCount ();
## @end example
## @seealso{gpuDevice, gpuDeviceTable}
## @end deftypefn

function n = gpuDeviceCount (which = "all")

  if (! any (strcmp (which, {"all", "available"})))
    error ('gpuDeviceCount: WHICH must be "all" or "available"');
  endif
  n = __symgpu_device__ ("count");

endfunction

%!assert (gpuDeviceCount () >= 0)
%!assert (gpuDeviceCount ("available"), gpuDeviceCount ("all"))
%!error <must be "all" or "available"> gpuDeviceCount ("some")
%!error gpuDeviceCount (1, 2)
