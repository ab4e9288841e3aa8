## Every place in which Octave asks something of the type: one test each.  The oracle is the
## plain array.

%!function p = plains ()
%!  p = {[1 2; 3 4], 5, [1.5, -2, NaN], zeros(0, 3), [], single([1 2]), [true, false], true, ...
%!       int8([100 -100]), uint16(7), int64([9007199254740993 1]), [1+2i, 3], 2i, ...
%!       single(1-2i), reshape(1:8, 2, 2, 2), uint64(18446744073709551615)};
%!endfunction

%!function same (x, a)
%!  g = gather (x);
%!  assert (class (g), class (a));
%!  assert (size (g), size (a));
%!  assert (iscomplex (g), iscomplex (a));
%!  assert (g, a);
%!endfunction

%!function check_error (code, code_plain, x, a)
%!  msg = id = "no error";
%!  try
%!    eval (code_plain);
%!  catch e
%!    msg = e.message; id = e.identifier;
%!  end_try_catch
%!  try
%!    eval (code);
%!    error ("no error");
%!  catch e
%!    assert (e.message, strrep (msg, "a(", "x("));
%!    assert (e.identifier, id);
%!  end_try_catch
%!endfunction

## ---- what is known

%!test <*2> # size, class, predicates
%! names = {"size", "ndims", "numel", "rows", "columns", "isempty", "isnumeric", "isreal", ...
%!          "iscomplex", "islogical", "isfloat", "isinteger", "isscalar", "isvector", "isrow", ...
%!          "iscolumn", "ismatrix", "issquare", "ischar", "iscell", "isstruct", "isobject", ...
%!          "issparse", "class", "length", "is_function_handle", "iscellstr"};
%! for p = plains ()
%!   a = p{1};
%!   x = symarray (a);
%!   for n = names
%!     assert (feval (n{1}, x), feval (n{1}, a));
%!   endfor
%!   for c = {"double", "single", "float", "integer", "numeric", "int8", "logical", "char"}
%!     assert (isa (x, c{1}), isa (a, c{1}));
%!   endfor
%!   assert (isa (x, "symarray"));
%! endfor

%!test # nothing of that computes
%! n = symgpu_info ("counters").evaluations;
%! x = symarray (rand (3)) + 1;
%! s = symarray (2) * 3;
%! size (x); class (x); isreal (x); isempty (x); class (s); isscalar (s); ischar (x);
%! x'; x(2, :); [x, x]; x * x; sum (x); reshape (x, 1, 9); x(:);
%! w = whos ("x", "s"); evalc ("whos x s"); sizeof (x); typeinfo (x);
%! assert (symgpu_info ("counters").evaluations, n);

%!test # typeinfo, validateattributes, nnz, nzmax, sizeof, columns of whos
%! x = symarray ([1 0 3]);
%! assert (typeinfo (x), "matrix");
%! validateattributes (x, {"numeric"}, {"vector", "numel", 3});
%! assert (gather (nnz (x)), 2);
%! assert (sizeof (x), 24);
%! s = whos ("x");
%! assert (s.size, [1 3]);
%! assert (s.bytes, 24);
%! for p = plains ()
%!   a = p{1};
%!   x = symarray (a);
%!   assert (sizeof (x), sizeof (a));
%!   assert (sizeof (x(:)), sizeof (a(:)));
%!   assert (typeinfo (x(:)), typeinfo (a(:)));
%!   assert (typeinfo (x), typeinfo (a));
%! endfor

## ---- operators

%!test # unary
%! for p = plains ()
%!   a = p{1};
%!   x = symarray (a);
%!   same (-x, -a);
%!   same (+x, +a);
%!   if (ndims (a) == 2)
%!     same (x', a');
%!     same (x.', a.');
%!   endif
%!   if (! any (isnan (a(:))))
%!     same (! x, ! a);
%!   endif
%! endfor

%!test # binary with plain on either side, both symarrays
%! ops = {@plus, @minus, @times, @rdivide, @ldivide, @power, @lt, @le, @eq, @ge, @gt, @ne};
%! vals = {[1 2; 3 4], 3, [1; 2], single([1 2]), [true, false], 1i, [1+1i 2], zeros(0, 2), ...
%!         1:2, "ab"};
%! for i = 1:numel (vals)
%!   for j = 1:numel (vals)
%!     for k = 1:numel (ops)
%!       a = vals{i}; b = vals{j}; f = ops{k};
%!       try
%!         r = f (a, b);
%!       catch e
%!         if (! ischar (a))
%!           fail ("f (symarray (a), b)", regexptranslate ("escape", e.message));
%!         endif
%!         continue;
%!       end_try_catch
%!       if (! ischar (a))
%!         same (f (symarray (a), b), r);
%!       endif
%!       if (! ischar (b))
%!         same (f (a, symarray (b)), r);
%!         if (! ischar (a))
%!           same (f (symarray (a), symarray (b)), r);
%!         endif
%!       endif
%!     endfor
%!   endfor
%! endfor

%!test # matrix operators
%! a = [2 1; 1 3]; b = [1 2; 3 5]; v = [1; 2];
%! x = symarray (a); y = symarray (b); w = symarray (v);
%! same (x * y, a * b);
%! same (x * v, a * v);
%! same (a * w, a * v);
%! same (x \ v, a \ v);
%! same (b / x, b / a);
%! same (x ^ 2, a ^ 2);
%! same (2 ^ x, 2 ^ a);
%! same (2 * x, 2 * a);
%! same (x / 2, a / 2);
%! same (2 \ x, 2 \ a);

%!test # compound operators
%! a = rand (3, 2); b = rand (3, 2); c = a + 1i; l = a > 0.5; m = b > 0.5;
%! x = symarray (a); y = symarray (b); z = symarray (c); p = symarray (l); q = symarray (m);
%! assert (gather (x' * y), a' * b);
%! assert (gather (x.' * x), a.' * a);
%! assert (gather (x * y'), a * b');
%! assert (gather (z' * z), c' * c);
%! assert (gather (z * z'), c * c');
%! assert (gather (x(1:2,:)' \ y(1:2,:)), a(1:2,:)' \ b(1:2,:));
%! same (! p & q, ! l & m);
%! same (! p | q, ! l | m);
%! same (p & ! q, l & ! m);
%! same (p | ! q, l | ! m);

%!test # with sparse, diagonal and permutation matrices, cells and strings
%! a = [1 2; 3 4];
%! x = symarray (a);
%! assert (issparse (x .* speye (2)), issparse (a .* speye (2)));
%! assert (gather (x * eye (2)), a * eye (2));
%! assert (gather (x + speye (2)), a + speye (2));
%! [l, u, p] = lu (a);
%! assert (gather (p * x), p * a);

%!test # operators that Octave does not have
%! for code = {"x + {1}", "x + struct ()", "{1} * x", "x & @sin", "x' * {1}", "x(1) < {1}", "! x + {}"}
%!   check_error (code{1}, strrep (code{1}, "x", "a"), symarray ([1 2]), [1 2]);
%! endfor

%!test # x += 1, x++ and the like
%! a = [1 2; 3 4];
%! x = symarray (a);
%! x += 1; assert (issymarray (x)); same (x, a + 1);
%! x -= 1; x *= 2; same (x, a * 2);
%! x /= 2; same (x, a);
%! x .*= a; same (x, a .* a);
%! x = symarray (a); x++; assert (issymarray (x)); same (x, a + 1);
%! x--; same (x, a);
%! y = x; y++; same (x, a); same (y, a + 1);
%! b = symarray (int8 (127)); b++; same (b, int8 (127));
%! x(2) += 5; a(2) += 5; same (x, a);

%!error <operator \+: nonconformant arguments \(op1 is 1x2, op2 is 1x3\)> symarray ([1 2]) + [1 2 3]
%!error <operator \*: nonconformant arguments \(op1 is 1x2, op2 is 1x3\)> symarray ([1 2]) * [1 2 3]
%!error id=Octave:nonconformant-args [1 2] .* symarray ([1 2 3])
%!error <binary operator '\+' not implemented for 'int8 matrix' by 'int16 matrix' operations> symarray (int8 ([1 2])) + int16 ([1 2])

## ---- conditions and loops

%!test # if, while, ternary logic, short circuits
%! n = 0;
%! if (symarray (1)) n++; endif
%! if (symarray ([1 1])) n++; endif
%! if (symarray ([1 0])) n += 100; endif
%! if (symarray ([])) n += 100; endif
%! if (! symarray (false)) n++; endif
%! if (symarray (3) > 2 && symarray (1) || false) n++; endif
%! assert (n, 4);
%! k = symarray (3);
%! while (k)
%!   k -= 1;
%! endwhile
%! same (k, 0);
%! do
%!   k++;
%! until (k >= 4)
%! same (k, 4);
%!error <NaN> if (symarray (NaN)) end

%!test # switch
%! function r = which_case (v)
%!   switch (v)
%!     case 1
%!       r = "one";
%!     case {2, 3}
%!       r = "some";
%!     otherwise
%!       r = "other";
%!   endswitch
%! endfunction
%! assert (which_case (symarray (1)), "one");
%! assert (which_case (symarray (3)), "some");
%! assert (which_case (symarray (4)), "other");
%! switch (2)
%!   case symarray (2)
%!     ok = true;
%!   otherwise
%!     ok = false;
%! endswitch
%! assert (ok);

%!test # for over columns, scalars, empties, N-d
%! for p = plains ()
%!   a = p{1};
%!   x = symarray (a);
%!   r = s = {};
%!   for c = a
%!     r{end+1} = c;
%!   endfor
%!   for c = x
%!     s{end+1} = gather (c);
%!   endfor
%!   assert (s, r);
%! endfor

%!test # for with symarrays as limits
%! t = 0;
%! for i = 1:symarray (3)
%!   t += i;
%! endfor
%! for i = symarray (1):symarray (2):5
%!   t += i;
%! endfor
%! assert (gather (t), 15);

## ---- subscripts

%!test # reading
%! for p = {rand(4, 5), (1:6)', 1:6, rand(3, 4, 2), int16(magic (4)), rand(3) > 0.5, rand(3) + 1i}
%!   a = p{1};
%!   x = symarray (a);
%!   m = a > 2;
%!   same (x(2), a(2));
%!   same (x(:), a(:));
%!   same (x(:, :), a(:, :));
%!   same (x(end), a(end));
%!   same (x(end, end), a(end, end));
%!   same (x(1, :), a(1, :));
%!   same (x(:, 1), a(:, 1));
%!   same (x([1 1 3]), a([1 1 3]));
%!   same (x([1; 1; 3]), a([1; 1; 3]));
%!   same (x([1 2; 3 1]), a([1 2; 3 1]));
%!   same (x(m), a(m));
%!   same (x(symarray (m)), a(m));
%!   same (x(symarray ([1 3])), a([1 3]));
%!   same (x(end:-1:1), a(end:-1:1));
%!   same (x(1:2:end), a(1:2:end));
%!   same (x(1:0), a(1:0));
%!   same (x([]), a([]));
%!   same (x(zeros (0, 3)), a(zeros (0, 3)));
%!   same (x(true), a(true));
%!   same (x(end, 1, 1), a(end, 1, 1));
%!   same (x(1)(1), a(1)(1));
%!   same ((x + 0)(end, :), (a + 0)(end, :));
%! endfor

%!test # subscripts of plain arrays
%! a = magic (4);
%! i = symarray ([1 3]);
%! same (a(i), a([1 3]));
%! same (a(i, symarray (2)), a([1 3], 2));
%! same (a(symarray (a > 8)), a(a > 8));
%! c = {1, 2, 3};
%! assert (c{symarray (2)}, 2);
%! assert (c(i), {1, 3});

%!test # end in every position
%! a = reshape (1:24, 2, 3, 4);
%! x = symarray (a);
%! same (x(end, 1), a(end, 1));
%! same (x(1, end), a(1, end));
%! same (x(1, end, 2), a(1, end, 2));
%! same (x(end/2, (end-1)/2, :), a(end/2, (end-1)/2, :));
%! same (x(min (end, 100)), a(min (end, 100)));
%! c = {x};
%! same (c{1}(end), 24);
%! s.f = x;
%! same (s.f(end, end, end), 24);
%! x(end+1, :, :) = 1;
%! a(end+1, :, :) = 1;
%! same (x, a);

%!test # errors of subscripts have Octave's text
%! for code = {"x(7)", "x(3, 1)", "x(1, 4)", "x(0)", "x(1.5)", "x(-1)", "x(1, 0)", "x(1, 1, 2)", ...
%!             "x{1}", "x.f", "x(1)(2)", "x(:, 2.5)", "x(true (1, 9))", "x(\"a\")"}
%!   check_error (code{1}, strrep (code{1}, "x", "a"), symarray (ones (2, 3)), ones (2, 3));
%! endfor

%!test # errors of assignments
%! for code = {"x(0) = 1", "x(1.5) = 1", "x([1 2]) = [1 2 3]", "x(:, 1) = [1 2 3]", "x(3, :) = []; x", ...
%!             "x(1, 1) = []", "x{1} = 2", "x.f = 2", "x(1).f = 2", "x(:) = 1:5"}
%!   check_error (code{1}, strrep (code{1}, "x", "a"), symarray (ones (2, 3)), ones (2, 3));
%! endfor

%!test # a value is still usable after an error
%! x = symarray ([1 2 3]);
%! try, x(0) = 1; end_try_catch
%! try, x([1 2]) = 1:5; end_try_catch
%! try, x + [1 2]; end_try_catch
%! same (x + 1, [2 3 4]);

%!test # assigning into a symarray
%! for p = {rand(3, 4), 1:5, single(magic (3)), int8([1 2 3]), [true false true], [1+2i 3 4]}
%!   for r = {5, 2.5, single(1), true, 3i}
%!     a = p{1}; b = r{1};
%!     if (isinteger (a) && iscomplex (b))
%!       continue;
%!     endif
%!     x = symarray (a); y = symarray (b);
%!     a1 = a; a1(2) = b;
%!     x1 = x; x1(2) = b; assert (issymarray (x1)); same (x1, a1);
%!     x1 = x; x1(2) = y; same (x1, a1);
%!     a1 = a; a1(:, end) = b; x1 = x; x1(:, end) = y; same (x1, a1);
%!     if (isvector (a))
%!       a1 = a; a1(end+2) = b; x1 = x; x1(end+2) = b; same (x1, a1);
%!     endif
%!     a1 = a; a1(a > 2) = b; x1 = x; x1(x > 2) = b; same (x1, a1);
%!     same (x, a);
%!   endfor
%! endfor

%!test # growth from nothing, deletion
%! x = symarray ([]);
%! x(3) = 7; same (x, [0 0 7]);
%! x(2, 2) = 1; same (x, [0 0 7; 0 1 0]);
%! x(:, 2) = []; same (x, [0 7; 0 0]);
%! x(1, :) = []; same (x, [0 0]);
%! x([]) = []; same (x, [0 0]);
%! a = [0 0]; a(:) = []; x(:) = []; same (x, a);
%! s = symarray (5); s(3) = 1; same (s, [5 0 1]);

%!test # assigning into plain arrays of every class leaves them plain
%! x = symarray ([1 2]);
%! for c = {"double", "single", "int8", "uint64", "logical"}
%!   a = zeros (2, 2, "int8"); a = feval (c{1}, a); b = a;
%!   a(1, :) = x; b(1, :) = [1 2];
%!   assert (issymarray (a), false);
%!   assert (class (a), class (b));
%!   assert (a, b);
%! endfor
%! a = zeros (1, 2); a(2) = symarray (3i); assert (a, [0 3i]);
%! a = []; a(3) = symarray (1); assert (a, [0 0 1]);
%! clear b; b(2) = symarray (int8 (4)); assert (gather (b), int8 ([0 4]));
%! a = "abc"; a(2) = symarray (90); assert (class (a), class (setfield ("abc", {2}, 90)));

%!test # a copy keeps its value when the other is changed
%! x = symarray ([1 2 3]);
%! y = x; z = x + 0;
%! gather (z);
%! x(1) = 9;
%! same (y, [1 2 3]);
%! same (z, [1 2 3]);
%! w = z; w(2) = 0; same (z, [1 2 3]);
%! a = [1 2 3]; x = symarray (a); a(1) = 5; same (x, [1 2 3]);
%! x(2) = 7; assert (a, [5 2 3]);

%!test # elements one by one, in place
%! x = symarray (zeros (1, 1000)); a = zeros (1, 1000);
%! for i = 1:1000
%!   x(i) = i ^ 2; a(i) = i ^ 2;
%! endfor
%! same (x, a);
