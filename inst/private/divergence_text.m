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

## divergence_text (F): a sentence about the first operation that breaks its promise, see symverify.

function text = divergence_text (f)
  place = f.place;
  if (isempty (place))
    place = "the prompt";
  endif
  text = sprintf ("the first operation that does not: %s on %s, made at %s", f.op, f.backend, place);
  if (! isempty (f.text))
    text = sprintf ("%s (%s)", text, f.text);
  endif
  if (f.worst.element > 0)
    text = sprintf ("%s, %.3g ulp; element %d is %s, Octave's is %s", text, f.ulp, ...
                    f.worst.element, number_text (f.worst.value), ...
                    number_text (f.worst.reference));
  endif
  for k = 1:numel (f.worst.operands)
    text = sprintf ("%s, operand %d is %s", text, k, number_text (f.worst.operands{k}));
  endfor
endfunction

function s = number_text (v)
  if (iscomplex (v))
    s = sprintf ("%.17g%+.17gi", real (v), imag (v));
  else
    s = sprintf ("%.17g", v);
  endif
endfunction
