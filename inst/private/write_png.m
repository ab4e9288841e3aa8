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
## @deftypefn {} {} write_png (@var{img}, @var{file})
## Write the uint8 matrix @var{img} as a grey picture in PNG format, without
## compression and without any library.
##
## @example
## write_png (uint8 (magic (16) - 1), "magic.png")
## @end example
## @end deftypefn

function write_png (img, file)

  [h, w] = size (img);
  ## Each line begins with the number of its filter, 0.
  lines = [zeros(1, h); double(img')](:)';

  ## A zlib stream of stored blocks.
  z = [120, 1];
  for first = 1:65535:numel (lines)
    block = lines(first:min (first + 65534, end));
    n = numel (block);
    len = [mod(n, 256), floor(n / 256)];
    z = [z, first + n > numel(lines), len, 255 - len, block];
  endfor
  a = mod (1 + sum (lines), 65521);
  b = mod (numel (lines) + sum (mod ((numel (lines):-1:1) .* lines, 65521)), 65521);
  z = [z, big_endian(b * 65536 + a)];

  fid = fopen (file, "w");
  if (fid < 0)
    error ("symgpu:no-file", "write_png: cannot write %s", file);
  endif
  fwrite (fid, [137, double("PNG"), 13, 10, 26, 10]);
  chunk (fid, "IHDR", [big_endian(w), big_endian(h), 8, 0, 0, 0, 0]);
  chunk (fid, "IDAT", z);
  chunk (fid, "IEND", []);
  fclose (fid);

endfunction

function bytes = big_endian (n)

  bytes = mod (floor (n ./ 256 .^ (3:-1:0)), 256);

endfunction

function chunk (fid, name, data)

  body = [double(name), data];
  fwrite (fid, [big_endian(numel (data)), body, big_endian(crc32 (body))]);

endfunction

function crc = crc32 (bytes)

  persistent table;
  if (isempty (table))
    table = uint32 (0:255);
    for k = 1:8
      odd = bitand (table, uint32 (1));
      table = bitxor (bitshift (table, -1), odd * uint32 (0xEDB88320));
    endfor
  endif
  crc = uint32 (0xFFFFFFFF);
  for byte = uint32 (bytes)
    crc = bitxor (bitshift (crc, -8), table(bitand (bitxor (crc, byte), uint32 (255)) + 1));
  endfor
  crc = double (bitxor (crc, uint32 (0xFFFFFFFF)));

endfunction
