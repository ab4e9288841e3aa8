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
## @deftypefn {} {} __symgpu_stop__ (@var{x}, @var{backend})
## Verify the symarray @var{x}; an operation that breaks its promise is an error.
##
## @example
## __symgpu_stop__ (symarray ([1 2]) + 1, "cpu")
## @end example
## @end deftypefn

function __symgpu_stop__ (x, backend)
  s = symverify (x, backend);
  if (! s.ok)
    error ("symgpu:divergence", "%s", divergence_text (s.first));
  endif
endfunction

%!test
%! __symgpu_stop__ (symarray ([1 2]) + 1, "cpu");
%! old = symgpu_config ("fault", "cpu:plus");
%! unwind_protect
%!   e = [];
%!   try
%!     __symgpu_stop__ (symarray ([1 2]) + 1, "cpu");
%!   catch e
%!   end_try_catch
%!   assert (e.identifier, "symgpu:divergence");
%! unwind_protect_cleanup
%!   symgpu_config ("fault", old);
%! end_unwind_protect
