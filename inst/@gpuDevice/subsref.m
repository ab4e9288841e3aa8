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
## @deftypefn {} {@var{x} =} subsref (@var{d}, @var{s})
## A property of the GPU @var{d}: @code{d.Name}, see @code{gpuDevice}.
##
## @example
## @group
## if (gpuDeviceCount () > 0)
##   d = gpuDevice ();
##   d.Name
## endif
## @end group
## @end example
## @seealso{gpuDevice}
## @end deftypefn

function x = subsref (d, s)

  info = __symgpu_device__ ("info", d.index);
  if (! strcmp (s(1).type, "."))
    error ("gpuDevice: a GPU has no elements, only fields");
  endif
  if (! isfield (info, s(1).subs))
    error ("gpuDevice: there is no field %s; valid are %s", s(1).subs,
           strjoin (fieldnames (info).', ", "));
  endif
  x = subsref (info, s);

endfunction

%!testif ; gpuDeviceCount () > 0
%! d = gpuDevice ();
%! assert (d.Name(1:1), d.Name(1));
%! fail ("d.Colour", "no field Colour");
%! fail ("d(1)", "no elements");
