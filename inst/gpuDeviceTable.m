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
## @deftypefn {} {@var{t} =} gpuDeviceTable ()
## Return what there is to know of the GPUs of this machine, one element of a struct array each.
##
## Its fields are @code{Index}, from 1, @code{Name}, @code{ComputeCapability},
## @code{DeviceAvailable} and @code{DeviceSelected}.  Without an output argument it is printed.
##
## @example
## gpuDeviceTable ()
## @end example
## @seealso{gpuDevice, gpuDeviceCount}
## @end deftypefn

function t = gpuDeviceTable ()

  n = gpuDeviceCount ();
  list = struct ("Index", cell (n, 1), "Name", "", "ComputeCapability", "",
                 "DeviceAvailable", true, "DeviceSelected", false);
  for k = 1:n
    d = __symgpu_device__ ("info", k - 1);
    list(k).Index = k;
    list(k).Name = d.Name;
    list(k).ComputeCapability = d.ComputeCapability;
    list(k).DeviceSelected = d.DeviceSelected;
  endfor
  if (nargout > 0)
    t = list;
    return;
  endif
  if (n == 0)
    puts ("no GPU\n");
  endif
  for k = 1:n
    printf ("%3d  %-30s compute capability %s%s\n", k, list(k).Name,
            list(k).ComputeCapability, in_use (list(k).DeviceSelected));
  endfor

endfunction

function text = in_use (selected)

  text = "";
  if (selected)
    text = ", in use";
  endif

endfunction

%!test
%! t = gpuDeviceTable ();
%! assert (numel (t), gpuDeviceCount ());
%! assert (fieldnames (t), {"Index"; "Name"; "ComputeCapability"; "DeviceAvailable"; ...
%!                          "DeviceSelected"});
%!test
%! s = evalc ("gpuDeviceTable ()");
%! assert (numel (strsplit (strtrim (s), "\n")), max (1, gpuDeviceCount ()));
%!error gpuDeviceTable (1)
