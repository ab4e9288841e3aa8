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
## @deftypefn  {} {@var{d} =} gpuDevice ()
## @deftypefnx {} {@var{d} =} gpuDevice (@var{k})
## Return the GPU in use, or use the GPU number @var{k}, from 1, of the machine.
##
## Values that are on another GPU are brought to the host first.  @code{gpuDevice ([])} gives the
## GPU back; what is computed next takes it again.
##
## The fields of @var{d} are @code{Name}, @code{Index}, @code{ComputeCapability},
## @code{SupportsDouble}, @code{DriverVersion}, @code{ToolkitVersion}, @code{MaxThreadsPerBlock},
## @code{MaxShmemPerBlock}, @code{SIMDWidth}, @code{TotalMemory}, @code{AvailableMemory},
## @code{MultiprocessorCount}, @code{ClockRateKHz} and @code{DeviceSelected}.  @code{wait
## (@var{d})} waits until it has done all its work, @code{reset (@var{d})} gives its memory back.
##
## Without a usable GPU this is an error, @qcode{"symgpu:no-cuda"}, that says what is missing.
##
## @example
## @group
## if (gpuDeviceCount () > 0)
##   d = gpuDevice ();
##   d.Name
## endif
## @end group
## @end example
## @seealso{gpuDeviceCount, gpuDeviceTable, gpuArray, symgpu_info}
## @end deftypefn

function d = gpuDevice (k)

  if (nargin == 1 && isempty (k))
    __symgpu_device__ ("close");
    d = [];
    return;
  endif
  if (nargin == 1)
    if (! (isscalar (k) && isnumeric (k) && k >= 1 && k == fix (k)))
      error ("gpuDevice: K must be the number of a GPU, from 1");
    endif
    old = symgpu_config ("device", k - 1);
  endif
  [ready, why] = __symgpu_device__ ("open");
  if (! ready)
    if (nargin == 1)
      symgpu_config ("device", old);
    endif
    error ("symgpu:no-cuda", "gpuDevice: %s", why);
  endif
  d = class (struct ("index", symgpu_config ("device")), "gpuDevice");

endfunction

%!error id=symgpu:no-cuda gpuDevice (gpuDeviceCount () + 1)
%!error <K must be the number> gpuDevice (0)
%!error <K must be the number> gpuDevice ("a")
%!assert (gpuDevice ([]), [])
%!testif ; gpuDeviceCount () > 0
%! d = gpuDevice ();
%! assert (d.Index, symgpu_config ("device") + 1);
%! assert (ischar (d.Name));
%! assert (d.TotalMemory >= d.AvailableMemory);
%! assert (any (strcmp (fieldnames (d), "ComputeCapability")));
%! wait (d);
%! s = evalc ("d");
%! assert (! isempty (strfind (s, d.Name)));
%! fail ("d.Colour", "no field");
%!testif ; gpuDeviceCount () > 0
%! old = symbackend ("cuda");
%! unwind_protect
%!   x = symarray (rand (5)); y = x + 1;
%!   s = gather (sum (y(:)));
%!   reset (gpuDevice ());
%!   assert (gather (y), gather (x) + 1);
%!   assert (gather (y * 2), 2 * gather (y));
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect
