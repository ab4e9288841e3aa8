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
## @deftypefn  {} {} symdump (@var{x}, @var{file})
## @deftypefnx {} {@var{text} =} symdump (@var{x})
## Write a program of plain Octave that computes the value of the symarray @var{x} again, without
## this package: for reports of bugs.
##
## The program has one statement for each operation, with the place where it was made in a
## comment, and leaves the value in the variable @code{result}, with the same bits as
## @code{gather (@var{x}, "native")}.  Small inputs stand in it; those of more than 200 elements,
## and what decimal digits do not give exactly, are written to a file beside it, with the same
## name and the ending @file{.mat}.  @var{file} must end in @file{.m}.
##
## Without @var{file} the program is returned as text; then all inputs must be small.
##
## @example
## @group
## x = symarray ([1 2 3]);
## eval (symdump (sum (x .^ 2)));
## result
##   @result{} 14
## @end group
## @end example
## @seealso{gather, symtree, symverify}
## @end deftypefn

function text = symdump (x, file)
  if (nargin < 1 || nargin > 2)
    print_usage ();
  endif
  if (! (isnumeric (x) || islogical (x)))
    error ("symgpu:bad-class", "symdump: X must be a symarray or a full array, not a value of class %s", class (x));
  endif
  if (nargin == 2 && ! (ischar (file) && ! isempty (regexp (file, '\.m$'))))
    error ("symgpu:bad-argument", "symdump: FILE must be a name that ends in .m");
  endif
  [lines, data] = program (__symgpu_nodes__ (x));
  if (nargin == 1)
    if (! isempty (fieldnames (data)))
      error ("symgpu:bad-argument", ["symdump: the inputs are too large to stand in the program: ", ...
                                     "give FILE"]);
    endif
    text = strjoin ([lines, {""}], "\n");
  else
    write_program (lines, data, file);
  endif
endfunction

## LINES of the program, DATA to load by it.
function [lines, data] = program (g)
  lines = {sprintf("## A value of symgpu %s, Octave %s, computed again by plain Octave.", ...
                   symgpu_info ().version, version ())};
  data = struct ();
  for k = 1:numel (g)
    t = sprintf ("t%d", k);
    if (strcmp (g(k).id, "LEAF"))
      [code, data] = input_text (g(k).value, t, data);
      remark = g(k).name;
    else
      [code, data] = statement (g(k), t, data);
      remark = g(k).place;
    endif
    if (! isempty (remark))
      code = [code, "   # ", remark];
    endif
    lines{end+1} = code;
  endfor
  lines{end+1} = sprintf ("result = t%d;", numel (g));
  if (! isempty (fieldnames (data)))
    lines = [lines(1), {"load ([mfilename(\"fullpath\"), \".mat\"]);"}, lines(2:end)];
  endif
endfunction

function write_program (lines, data, file)
  fid = fopen (file, "w");
  if (fid < 0)
    error ("symgpu:bad-argument", "symdump: cannot write the file %s", file);
  endif
  fprintf (fid, "%s\n", lines{:});
  fclose (fid);
  if (! isempty (fieldnames (data)))
    save ("-v7", [file(1:end-2), ".mat"], "-struct", "data");
  endif
endfunction

## ---- inputs ---------------------------------------------------------------------------------

function [code, data] = input_text (v, t, data)
  if (numel (v) <= 200 && is_exact (v))
    code = [t, " = ", literal(v), ";"];
    return;
  endif
  data.(t) = bits_of (real (v));
  code = sprintf ("%s = %s;", t, from_bits (t, v));
  if (iscomplex (v))
    data.([t, "i"]) = bits_of (imag (v));
    code = sprintf ("%s = complex (%s, %s);", t, from_bits (t, v), from_bits ([t, "i"], v));
  endif
endfunction

## Files of this format keep no sign of zeros: numbers go there as their bits.
function b = bits_of (v)
  if (isa (v, "double"))
    b = typecast (v(:), "uint64");
  elseif (isa (v, "single"))
    b = typecast (v(:), "uint32");
  else
    b = v(:);
  endif
endfunction

function code = from_bits (t, v)
  if (isfloat (v))
    code = sprintf ("reshape (typecast (%s, \"%s\"), %s)", t, class (v), mat2str (size (v)));
  else
    code = sprintf ("reshape (%s, %s)", t, mat2str (size (v)));
  endif
endfunction

## True if digits give the same bits.
function tf = is_exact (v)
  if (isfloat (v))
    parts = [real(v)(:); imag(v)(:)];
    odd = parts(isnan (parts));
    known = bits_of (feval (class (v), [NaN; NA]));
    tf = all (ismember (bits_of (odd), known));
  else
    tf = islogical (v) || all (abs (double (v(:))) < flintmax ());
  endif
endfunction

function s = literal (v)
  if (iscomplex (v))
    s = sprintf ("complex (%s, %s)", literal (real (v)), literal (imag (v)));
    return;
  endif
  if (isempty (v))
    s = sprintf ("zeros (%s)", mat2str (size (v)));
  elseif (isscalar (v))
    s = number_text (v);
  else
    rows_ = cell (1, rows (v(:,:)));
    for i = 1:numel (rows_)
      rows_{i} = strjoin (arrayfun (@number_text, v(i,:), "UniformOutput", false), " ");
    endfor
    s = ["[", strjoin(rows_, "; "), "]"];
    if (ndims (v) > 2)
      s = sprintf ("reshape (%s, %s)", s, mat2str (size (v)));
    endif
  endif
  if (! isa (v, "double"))
    s = sprintf ("%s (%s)", class (v), s);
  endif
endfunction

function s = number_text (x)
  if (isfloat (x) && isna (x))
    s = "NA";
  elseif (x == 0 && isfloat (x) && 1 / x < 0)
    s = "-0";
  else
    s = sprintf ("%.17g", x);
  endif
endfunction

## ---- operations --------------------------------------------------------------------------------

function [code, data] = statement (node, t, data)
  persistent infix = struct ("PLUS", "+", "MINUS", "-", "TIMES", ".*", "RDIVIDE", "./", ...
                             "LDIVIDE", ".\\", "POWER", ".^", "LT", "<", "LE", "<=", "EQ", "==", ...
                             "GE", ">=", "GT", ">", "NE", "!=", "AND", "&", "OR", "|");
  persistent prefix = struct ("NOT", "!", "UMINUS", "-", "UPLUS", "+");
  in = arrayfun (@(k) sprintf ("t%d", k), node.in, "UniformOutput", false);
  left = t;
  if (isfield (infix, node.id))
    right = [in{1}, " ", infix.(node.id), " ", in{2}];
  elseif (isfield (prefix, node.id))
    right = [prefix.(node.id), in{1}];
  elseif (strcmp (node.family, "elementwise"))
    right = call (node.op, in);
  elseif (strcmp (node.family, "move"))
    [right, data] = move_text (node, in, t, data);
  else
    [left, right] = line_text (node, in, t);
  endif
  code = [left, " = ", right, ";"];
endfunction

function s = call (name, args)
  s = sprintf ("%s (%s)", name, strjoin (args, ", "));
endfunction

## Reductions and scans along a dimension; the second result of some is a position.
function [left, right] = line_text (node, in, t)
  left = t;
  dim = sprintf ("%d", node.par(1) + 1);
  if (any (strcmp (node.id, {"IMAX", "IMIN", "ICUMMAX", "ICUMMIN", "ISORT"})))
    left = ["[~, ", t, "]"];
  endif
  switch (node.id)
    case "NORM"
      right = call ("norm", [in, {"\"fro\""}]);
    case {"SORT", "ISORT"}
      right = call ("sort", [in, {dim, {"\"ascend\"", "\"descend\""}{node.par(2) + 1}}]);
    case {"MAX", "MIN", "IMAX", "IMIN"}
      right = call (node.op, [in, {"[]", dim}]);
    otherwise
      right = call (node.op, [in, {dim}]);
  endswitch
  if (node.par(1) < 0 && ! strcmp (node.id, "NORM"))
    right = call (node.op, {[in{1}, "(:)"]});
  endif
endfunction

function [s, data] = move_text (node, in, t, data)
  list = @(v) mat2str (v(:)');
  switch (node.id)
    case "MTIMES"
      s = product_text (node.par, in);
    case "TRANSPOSE"
      s = [in{1}, ".'"];
    case "CTRANSPOSE"
      s = [in{1}, "'"];
    case "PERMUTE"
      s = call ("permute", {in{1}, list(node.par + 1)});
    case "REPMAT"
      s = call ("repmat", {in{1}, list(node.par)});
    case {"TRIL", "TRIU"}
      s = call (node.op, {in{1}, sprintf("%d", node.par)});
    case "CAT"
      s = call ("cat", [{sprintf("%d", node.par + 1)}, in]);
    case "RESHAPE"
      s = call ("reshape", {in{1}, list(node.size)});
    case "INDEX"
      [subs, data] = subscripts_text (node.subs, t, data);
      s = call ("reshape", {[in{1}, "(", subs, ")"], list(node.size)});
  endswitch
endfunction

## Octave's product of two transposed operands transposes the second one first.
function s = product_text (flags, in)
  mark = {"", ".'", "'"};
  a = [in{1}, mark{flags(1) + 1}];
  b = [in{2}, mark{flags(2) + 1}];
  if (all (flags))
    b = sprintf ("(%s)(:,:)", b);
  endif
  s = [a, " * ", b];
endfunction

function [s, data] = subscripts_text (subs, t, data)
  s = cell (1, numel (subs));
  for i = 1:numel (subs)
    v = subs{i};
    if (ischar (v))
      s{i} = ":";
    elseif (numel (v) > 1 && v(1) != v(2) && all (diff (v) == v(2) - v(1)))
      s{i} = sprintf ("%d:%d:%d", v(1), v(2) - v(1), v(end));
    elseif (numel (v) <= 200)
      s{i} = mat2str (v);
    else
      name = sprintf ("%s_s%d", t, i);
      data.(name) = v;
      s{i} = name;
    endif
  endfor
  s = strjoin (s, ", ");
endfunction

%!# the value of a program in a file, the program, the file beside it
%!function [v, text, mat] = run_dump (x)
%!  folder = tempname ();
%!  mkdir (folder);
%!  unwind_protect
%!    file = fullfile (folder, "value_.m");
%!    symdump (x, file);
%!    text = fileread (file);
%!    mat = exist (fullfile (folder, "value_.mat"), "file") > 0;
%!    source (file);
%!    v = result;
%!  unwind_protect_cleanup
%!    confirm_recursive_rmdir (false, "local");
%!    rmdir (folder, "s");
%!  end_unwind_protect
%!endfunction

%!function assert_bits (a, b)
%!  assert (class (a), class (b));
%!  assert (size (a), size (b));
%!  assert (iscomplex (a), iscomplex (b));
%!  if (isfloat (a))
%!    a = [real(a)(:); imag(a)(:)]; b = [real(b)(:); imag(b)(:)];
%!    assert (isequal (typecast (a, "uint8"), typecast (b, "uint8")));
%!  else
%!    assert (isequal (a, b));
%!  endif
%!endfunction

%!function c = elementwise ()
%!  a = symarray (sin (reshape (1:12, 3, 4)), "a");
%!  b = symarray (single ([0.1 -0 Inf; NaN NA 3]), "b");
%!  z = symarray (complex ([1 -2 0.3], [0 -0 NaN]), "z");
%!  n = symarray (int8 ([100 -100 7]), "n");
%!  l = symarray ([true false true], "l");
%!  i = symarray (int64 (9223372036854775807) - int64 ([0 1 2]), "i");
%!  c = {a + 1, -(a .* a) ./ 3, a .^ 2 - a(:,[4 3 2 1]), exp(b) .* b, sqrt(a), log(a), z .* z, ...
%!       abs(z), n * 2 + n, !l & n > 3, l + l, int8(a * 200), double(n), single(a), i - 1, i, ...
%!       mod(a, 0.3), atan2(a, a + 1), hypot(a, 2), max(a, 0.5), min(b, 2), fix(a * 10), ...
%!       erf(a), gamma(a + 3), xor(a > 0, a > 0.5), 1 ./ (1 + exp(-a)), 2 .\ a, a <= 0.1};
%!endfunction

%!function c = others ()
%!  a = symarray (cos (reshape (1:12, 3, 4)), "a");
%!  z = symarray (complex ([1 -2 0.3], [0 -0 NaN]), "z");
%!  e = symarray (zeros (0, 3), "e");
%!  d = symarray (cos (reshape (1:24, 2, 3, 4)), "d");
%!  [s, k] = sort (a, 2, "descend"); [m, p] = max (a, [], 1); [c1, c2] = cummax (a, 2);
%!  back = d(5:-1:2);
%!  c = {back, a' * a, a * a', a.' * (a + 1), (a' * a)(1,:), z', z.' * z, e + 1, sum(e), [e; e], ...
%!       permute(d, [3 1 2]), d(:,:,2), d(1,:), d(:), d([1 2 1],[1 1]), sum(d, 3), ...
%!       prod(a), sumsq(a), norm(a(:)), dot(a, a, 2), s, k, m, p, c1, c2, cumsum(a, 1), ...
%!       cumprod(a), any(a > 0.9), all(a > -1), min(a, [], 2), repmat(a, [2 1 2]), ...
%!       tril(a, -1), triu(a, 1), [a, a; a, a], cat(3, a, a), reshape(a, 2, []), mean(a), ...
%!       var(a), std(a(:)), diff(a), kron(a, [1 2]), trace(a(:,1:3))};
%!endfunction

%!test # the same bits, for every kind of operation and class
%! for x = [elementwise(), others()]
%!   if (issymarray (x{1}))
%!     assert_bits (run_dump (x{1}), gather (x{1}, "native"));
%!   endif
%! endfor

%!test # a product of two transposed operands
%! a = symarray (rand (3, 4)); b = symarray (rand (5, 3));
%! assert_bits (run_dump (a' * b'), gather (a' * b', "native"));

%!test # small inputs stand in the program, large ones beside it; it needs no symgpu
%! x = symarray (rand (5, 4), "x"); w = symarray (randn (30) .* [-1, zeros(1, 29)], "w");
%! [v, text, mat] = run_dump (x .* 2);
%! assert (mat, false);
%! assert (isempty (strfind (text, "symarray")));
%! assert (! isempty (strfind (text, "# x")));
%! [v, text, mat] = run_dump (w + 1);
%! assert (mat);
%! assert_bits (run_dump (w .* 1), gather (w .* 1, "native"));
%! k = mod (7 * (1:300), 31) + 1;
%! y = symarray (rand (1, 40))(k);
%! assert_bits (run_dump (y), gather (y, "native"));

%!test # text
%! x = symarray ([1 2 3]);
%! eval (symdump (sum (x .^ 2)));
%! assert (result, 14);

%!error <Invalid call to symdump> symdump ()
%!test # of a plain array
%! eval (symdump (int8 ([1 2])));
%! assert (result, int8 ([1 2]));

%!error id=symgpu:bad-class symdump (struct ())
%!error id=symgpu:bad-argument symdump (symarray ([1 2]), "file.txt")
%!error id=symgpu:bad-argument symdump (symarray ([1 2]), "/no/such/folder/f.m")
%!error <give FILE> symdump (symarray (rand (50)))
