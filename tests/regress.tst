## Faults that there were, each in as few words as showed it.  The oracle is the plain array.

%!function same (x, a)
%!  g = gather (x);
%!  assert (class (g), class (a));
%!  assert (size (g), size (a));
%!  assert (iscomplex (g), iscomplex (a));
%!  assert (g, a);
%!endfunction

%!function message = failure (f, varargin)
%!  message = "";
%!  try
%!    f (varargin{:});
%!  catch err
%!    message = err.message;
%!  end_try_catch
%!endfunction

%!test # an array that has grown has spare memory, which Octave takes away when it is stored
%! for k = 1:20
%!   d = symarray ([1 1]);
%!   d(end+1) = 0;
%!   x = round (symarray (gather (d)) + 1);
%!   c = {d}; y = round (d + 1);
%!   same (x, [2 2 1]);
%!   same (y, [2 2 1]);
%!   p = [];
%!   for i = 1:3
%!     p(i) = -1;
%!   endfor
%!   x = symarray ([0; 1]) ./ p;
%!   p = num2cell (p);
%!   same (1 ./ x, 1 ./ ([0; 1] ./ [-1 -1 -1]));
%!   a = rand (100, 2); b = a(:,2);
%!   x = symarray (b); y = x + 1; b += 0; a = []; c = {x, gather(x)};
%!   same (y, b + 1);
%! endfor

%!test # a NaN as a truth value: the error is of this line
%! a = symarray ([1 NaN]);
%! for f = {@(x) !x, @(x) x & true, @(x) true | x, @(x) logical(x), @(x) !x & true, ...
%!          @(x) true | !x, @(x) xor (x, true), @(x) x + 1 & true}
%!   message = failure (f{1}, [1 NaN]);
%!   assert (! isempty (message));
%!   assert (failure (f{1}, a), message);
%! endfor
%! same (! symarray ([0 2]), [true false]);
%! same (symarray ([0 2]) & 1, [false true]);

%!test # what may prove to be complex meets integers: the error is of this line
%! a = symarray ([-4 -4 9]); b = [-4 -4 9];
%! for f = {@(x) sqrt (x) .* uint8(2), @(x) int8 (sqrt (x)), @(x) sqrt (x) == uint8 (2), ...
%!          @(x) cat (1, sqrt (x), int8 ([1 2 3])), @(x) [sqrt(x); int8([1 2 3])], ...
%!          @(x) [int16([1 2 3]), sqrt(x)], @(x) [uint8(x), 2i], ...
%!          @(x) [zeros(0, 3, "int16"); sqrt(x)]}
%!   message = failure (f{1}, b);
%!   assert (failure (f{1}, a), message);
%! endfor
%! same (sqrt (symarray ([4 9])) .* uint8 (2), uint8 ([4 6]));

%!test # functions that refuse complex numbers do so in this line
%! a = [1+2i, 3];
%! for f = {@cbrt, @erfinv, @erfcinv, @gamma, @lgamma, @(x) gamma (sqrt (-real (x)))}
%!   message = failure (f{1}, a);
%!   assert (! isempty (message));
%!   assert (failure (f{1}, symarray (a)), message);
%! endfor

%!test # merge says which classes it cannot merge, not that they are symarrays
%! f = @(m) merge (m > 1, m, -1);
%! m = uint8 ([1 2]);
%! message = failure (f, m);
%! assert (! isempty (message));
%! assert (failure (f, symarray (m)), message);
%! same (merge (symarray ([true false]), symarray ([1 2]), 7), [1 7]);
%! same (merge (symarray (true), symarray ([1 2]), 7), [1 2]);

%!test # a small part of a large value keeps nothing of the whole, which then changes in place
%! for f = {@(x) x, @(x) x > 0.5, @single, @(x) int8 (9 * x), @(x) x + 1i * round (x), @(x) complex (x, 0)}
%!   b = f{1} (rand (300, 100));
%!   for part = {{3, ":"}, {":", 7}, {2:5, 9}, {1:50}, {[1; 9; 30000]}, {zeros(1, 0)}, {":", []}, {4}}
%!     p = part{1};
%!     a = symarray (b);
%!     a(1) = b(1);
%!     before = symgpu_info ().counters.buffer_bytes;
%!     y = a(p{:}) + 1;
%!     z = a(p{:});
%!     a(1) = b(1);
%!     pinned = symgpu_info ().counters.buffer_bytes - before;
%!     assert (pinned < sizeof (b) / 4);
%!     a(p{:}) = 0;
%!     c = b;
%!     c(p{:}) = 0;
%!     same (y, b(p{:}) + 1);
%!     same (z, b(p{:}));
%!     same (a, c);
%!   endfor
%! endfor

%!test # imaginary parts that single does not have
%! x = [1+1e-60i, 2];
%! for f = {@single, @(x) [x, single(1)], @(x) x .* single (2), @(x) single (x) + 1, ...
%!          @(x) single (x) * single ([1; 2]), @(x) sum (single (x)), @(x) sqrt (single (x))}
%!   for backend = {"native", "cpu"}
%!     a = f{1} (x);
%!     b = gather (f{1} (symarray (x)), backend{1});
%!     assert (class (b), class (a));
%!     assert (iscomplex (b) == iscomplex (a), "%s", func2str (f{1}));
%!     assert (b, a);
%!   endfor
%! endfor

%!test # strings into which parts are put stay strings where Octave's do
%! values = {true, [true false], false(1, 0), 66, [66 67], int8(66), single(66), 2i, zeros(1, 0)};
%! for text = {"", "a", "char", 'sq', ["ab"; "cd"]}
%!   for v = values
%!     for at = {{1}, {[1 2]}, {2, 2}, {":"}, {[]}, {5}, {0}}
%!       a = b = text{1};
%!       ea = eb = "";
%!       x = v{1};
%!       try a(at{1}{:}) = x; catch ea, ea = ea.message; end_try_catch
%!       x = symarray (x);
%!       try b(at{1}{:}) = x; catch eb, eb = eb.message; end_try_catch
%!       assert (strrep (eb, "b(", "a("), ea);
%!       assert (class (b), class (a));
%!       assert (is_dq_string (b), is_dq_string (a));
%!       assert (b, a);
%!       assert (issymarray (b), false);
%!     endfor
%!   endfor
%! endfor

%!test # what is done in place has errors in other words
%! values = {[true false true], [1 2 3], single([1 2 3]), int8([1 2 3]), [1i 2 3], true(1, 2), ...
%!           [1 2], int8([1 2]), [1i 2], {1}, "abc"};
%! update = {@(a, b) eval ("a = a(end:-1:1); a += b;"), @(a, b) eval ("a = a(end:-1:1); a -= b;"), ...
%!           @(a, b) eval ("a = a(end:-1:1); a .*= b;"), @(a, b) eval ("a = a(end:-1:1); a ./= b;"), ...
%!           @(a, b) eval ("a = a(end:-1:1); a &= b;"), @(a, b) eval ("a = a(end:-1:1); a |= b;"), ...
%!           @(a, b) plus (a, 1, b), @(a, b) times (a, a, b), @(a, b) and (a, a, b), ...
%!           @(a, b) or (a, 1, b)};
%! for f = update
%!   for a = values(1:end-2)
%!     for b = values
%!       message = failure (f{1}, a{1}, b{1});
%!       assert (failure (f{1}, symarray (a{1}), b{1}), message);
%!       if (isnumeric (b{1}) || islogical (b{1}))
%!         assert (failure (f{1}, symarray (a{1}), symarray (b{1})), message);
%!       endif
%!     endfor
%!   endfor
%! endfor
%! x = y = symarray ([1 2 3]);
%! x += 1;
%! x &= true;
%! same (y, [1 2 3]);
%! same (x, [true true true]);

%!test # numbers between strings become characters as in Octave
%! values = {[65 66], [65.5 66], [300 65], [1i 66], 65, 65.5, 2i, single([65.5 66]), ...
%!           single([1i 66]), int8([65 66]), [true false], [NaN 65]};
%! forms = {@(x) [x, "a"], @(x) ["a", x], @(x) ['a', x], @(x) [x, 'a', x], @(x) ["ab"; x], ...
%!          @(x) [x; "ab"], @(x) ["", x], @(x) [x, ''], @(x) [x, 66, "a"], @(x) [x, {}, "a"], ...
%!          @(x) [x, single(66), "a"], @(x) ["a", x, 2i], @(x) [x', ['a'; 'b']], ...
%!          @(x) horzcat ("a", x), @(x) vertcat (x, 'ab'), @(x) char ([x, x]), ...
%!          @(x) ["ab", x; x, "cd"], @(x) strcat ("a", x)};
%! warning ("off", "Octave:num-to-str", "local");
%! for x = values
%!   for f = forms
%!     a = b = ea = eb = "";
%!     try a = f{1} (x{1}); catch ea, ea = ea.message; end_try_catch
%!     try b = f{1} (symarray (x{1})); catch eb, eb = eb.message; end_try_catch
%!     assert (eb, ea);
%!     assert (class (b), class (a));
%!     if (ischar (a))
%!       assert (b, a);
%!       assert (is_dq_string (b), is_dq_string (a));
%!     endif
%!   endfor
%! endfor

%!test # rows of empty pieces take no room
%! forms = {@(e, x) [e; x], @(e, x) [x; e], @(e, x) [x; e; x], @(e, x) [e; x; x], ...
%!          @(e, x) [e, x], @(e, x) [x, e, x], @(e, x) [e, x; x, e], @(e, x) [e; e; x], ...
%!          @(e, x) [e; 1 2; x], @(e, x) [3 4; e; x; 5 6; e; x], @(e, x) [e; "ab"; x], ...
%!          @(e, x) [e, e], @(e, x) [e; e], @(e, x) vertcat (e, x, x), @(e, x) [e, e; x]};
%! warning ("off", "Octave:num-to-str", "local");
%! for e = {zeros(1, 0), zeros(0, 1), [], zeros(0, 2), zeros(2, 0)}
%!   for x = {[70 80], [1; 2], 5, [0 0; 3 4], ones(2, 0)}
%!     for f = forms
%!       message = failure (f{1}, e{1}, x{1});
%!       assert (failure (f{1}, e{1}, symarray (x{1})), message);
%!       assert (failure (f{1}, symarray (e{1}), symarray (x{1})), message);
%!       if (isempty (message))
%!         a = f{1} (e{1}, x{1});
%!         assert (gather (f{1} (e{1}, symarray (x{1}))), a);
%!         assert (gather (f{1} (symarray (e{1}), symarray (x{1}))), a);
%!       endif
%!     endfor
%!   endfor
%! endfor

%!test # many small results do not keep the large values that they come from
%! old = symgpu_config ("history_bytes", 4 * 8e4);
%! unwind_protect
%!   x = symarray (rand (100));
%!   before = symgpu_info ().counters.buffer_bytes;
%!   for t = 1:30
%!     x = x * 0.99 + 1e-3;
%!     c{t} = sum (x(:));
%!     s(t).largest = max (x(:)) - min (x(:));
%!     assert (c{t} > s(t).largest);
%!   endfor
%!   assert (symgpu_info ().counters.buffer_bytes - before < 8 * 8e4);
%!   fail ('gather (c{1}, "native")', "warning", "only its value");
%!   assert (gather (c{30}, "native"), gather (c{30}), -1e-13);
%! unwind_protect_cleanup
%!   symgpu_config ("history_bytes", old);
%! end_unwind_protect

%!test # functions made of operations refuse strings, or take them, as Octave's do
%! for f = {@(x) dot (x, "ab"), @(x) dot ("ab", x, 2), @(x) kron (x, "ab"), @(x) kron ("a", x)}
%!   message = failure (f{1}, [1 2]);
%!   assert (! isempty (message));
%!   assert (failure (f{1}, symarray ([1 2])), message);
%! endfor
%! same (bsxfun (@plus, symarray ([1 2]), "ab"), bsxfun (@plus, [1 2], "ab"));

%!test # errors name the type of positions
%! for a = {[3 1 2], [3; 1], 5, magic(3)}
%!   [~, i] = sort (a{1});
%!   [~, j] = sort (symarray (a{1}));
%!   for f = {"k.f(2) = 2;", "k{2} = 2;", "k.f;", "k{1};", "k(2).f = 3;"}
%!     k = i;
%!     want = "";
%!     eval (f{1}, "want = lasterr ();");
%!     k = j;
%!     got = "";
%!     eval (f{1}, "got = lasterr ();");
%!     assert (got, want);
%!   endfor
%! endfor

%!test # complex numbers without imaginary parts, through what leaves values as they are
%! f = {@squeeze, @full, @(z) [z], @(z) [z; []], @(z) [z, zeros(rows (z), 0)], @(z) z(:,:), ...
%!      @vec, @(z) reshape (z, size (z)), @(z) cat (1, z), @(z) repmat (z, 1), @double, @(z) +z, ...
%!      @(z) [z([],:); z], @(z) z.', @(z) z(:), @(z) [z, z], @tril, @(z) z(1), @sum, @sort};
%! for v = {3, [1; 2], [1, 2], [1, 2; 3, 4]}
%!   z = complex (v{1}, 0);
%!   for k = 1:numel (f)
%!     a = f{k} (z);
%!     b = f{k} (symarray (z));
%!     assert (iscomplex (b) == iscomplex (a), "%s", func2str (f{k}));
%!     assert (gather (b), a);
%!   endfor
%! endfor

%!test # steps of complex numbers without imaginary parts
%! for v = {complex([1 2], 0), complex(1, 0), complex(zeros (0, 3), 0), single(complex ([1 2], 0)), ...
%!          [1+2i, 3]}
%!   a = v{1};
%!   b = symarray (v{1});
%!   a++;
%!   b++;
%!   assert (iscomplex (b), iscomplex (a));
%!   assert (gather (b), a);
%!   a--;
%!   b--;
%!   assert (iscomplex (b), iscomplex (a));
%!   assert (gather (b), a);
%! endfor

## A product takes its elements in Octave's order: in another one there may be infinities and
## zeros that meet.
%!test
%! cases = {single(0:100), 0:400, [realmax, 1e10, 0, 3], ...
%!          [repmat(1e-200, 1, 40), repmat(1e200, 1, 40)], single(1 + rand (1, 70000) / 1e4), ...
%!          1 + rand(30, 5000) / 1e3, 1 + rand(7, 9000, 2) / 1e3};
%! for k = 1:numel (cases)
%!   for d = 1:3
%!     y = symarray (cases{k});
%!     [p, s] = gather (prod (y + 0, d), sum (y + 0, d));
%!     assert (p, prod (cases{k}, d));
%!   endfor
%! endfor

## Exponents are integers up to the ends of type int.
%!test
%! ends = [intmin("int32"), -7, intmax("int32")];
%! for e = [double(ends), double(ends) + [-1, 0.5, 1], double(intmin ("int32")) + 0.5]
%!   for b = {[-2, 3, 0], [-1, 0.5, -0]}
%!     for type = {@double, @single}
%!       x = type{1} (b{1});
%!       n = type{1} (e);
%!       assert (gather (symarray (x) .^ n), x .^ n, -4 * eps (class (x)));
%!       assert (gather (symarray (x) .^ [n, 2, 0]), x .^ [n, 2, 0], -4 * eps (class (x)));
%!     endfor
%!   endfor
%! endfor

%!test # exponents at the ends of type int, and beyond
%! for f = {@double, @single}
%!   for e = [-2147483648, 2147483647, -2147483647, 2147483648, -2147483649, 1e10, Inf, -Inf, NaN, 2.5]
%!     b = f{1} ([-2, 3, 0, -0.5, -1]);
%!     x = f{1} (repmat (e, 1, 5));
%!     for g = {@() {b, x}, @() {b, e}, @() {b(1), x}, @() {b(5), [x; 2 * ones(1, 5)]}, @() {b(1), x(1)}, ...
%!              @() {b + 1i, e}, @() {b, [e; 3]}, @() {b, [2; 3]}}
%!       c = g{1} ();
%!       want = c{1} .^ c{2};
%!       for backend = {"native", "cpu"}
%!         old = symbackend (backend{1});
%!         got = gather (symarray (c{1}) .^ symarray (c{2}));
%!         symbackend (old);
%!         assert (iscomplex (got), iscomplex (want));
%!         assert (got, want, -4 * eps (f{1} (1)));
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!test # numbers put into strings by a mask
%! for y = {1, true, 2.5, single(3)}
%!   t = u = v = "ab";
%!   t([1 0] > 0) = y{1};
%!   u(symarray ([1 0]) > 0) = symarray (y{1});
%!   v([1 0] > 0) = symarray (y{1});
%!   assert (class (u), class (t));
%!   assert (gather (u), t);
%!   assert (gather (v), t);
%! endfor

%!test # nth_element and lookup compute nothing; median, made of them up to Octave 8, is Octave's
%! for a = {[3 1 2], magic(4), single(magic (4))(:,1:3), int8([3 1; 9 7]), reshape(24:-1:1, 2, 3, 4), [4 NaN -0; 0 5 1]}
%!   for f = {@(x) nth_element (x, 1), @(x) nth_element (x, 1:2, 2), @(x) nth_element (x, 2, 1), ...
%!            @(x) nth_element (x, 9), @(x) lookup ([1 2 5], x), @(x) lookup ([1; 2], x, "r"), ...
%!            @(x) lookup ([1 3], x, "b"), @(x) lookup ([1 3], x, "m"), @(x) lookup ([1 3], x, "q"), ...
%!            @median, @(x) median (x, 2)}
%!     message = failure (f{1}, a{1});
%!     x = symarray (a{1});
%!     assert (failure (f{1}, x), message);
%!     if (isempty (message))
%!       y = f{1} (x);
%!       if (isempty (strfind (func2str (f{1}), "median")))
%!         assert (symnode (y).evaluated, false);
%!       endif
%!       same (y, f{1} (a{1}));
%!     endif
%!   endfor
%! endfor

## Of 0 and -0, max and min take the one that Octave's loops take.
%!test
%! zeros_ = {0, -0, [0, -0, 0, -0], [-0, 0, -0, 0], [0; -0; NaN], [-0; NaN; 0], zeros(2, 1, 3), ...
%!           -zeros(1, 1, 3), -zeros(2, 4), zeros(2, 4, 3), NaN, -zeros(1, 4, 3), [0; -0], [-0; 0]};
%! for x = zeros_
%!   for y = zeros_
%!     for f = {@max, @min}
%!       for type = {@double, @single}
%!         a = x{1};  b = type{1} (y{1});
%!         try
%!           want = f{1} (a, b);
%!         catch
%!           continue;
%!         end_try_catch
%!         assert (1 ./ gather (f{1} (uplus (symarray (a)), b)), 1 ./ want);
%!         assert (1 ./ gather (f{1} (a, symarray (b))), 1 ./ want);
%!       endfor
%!     endfor
%!   endfor
%! endfor

## Whether a NaN has a sign shows in messages about subscripts.
%!test
%! for type = {@double, @single}
%!   x = type{1} ([NaN, -NaN, 0 * -Inf, Inf - Inf]);
%!   for f = {@gamma, @erfinv, @sign, @abs, @uminus, @sqrt, @round, @floor}
%!     want = f{1} (x);
%!     got = gather (f{1} (symarray (x)));
%!     assert (num2hex (got), num2hex (want), func2str (f{1}));
%!     got = gather (f{1} (symarray (repmat (x, 1, 100)) + 0))(1:4);
%!     assert (num2hex (got), num2hex (f{1} (x + 0)), func2str (f{1}));
%!   endfor
%! endfor

## x'*x is a product of x with itself, also where x is a computed value of ours and the result
## proves to be real.
%!test
%! for type = {@double, @single}
%!   d = type{1} ([1+6i; 2; NaN]);
%!   D = symarray (d);
%!   y = D(:,1);
%!   gather (y + 1);
%!   assert (gather (y' * y), d' * d);
%!   assert (iscomplex (gather (y' * y)), iscomplex (d' * d));
%!   assert (gather (y.' * y), d.' * d);
%!   y = [D, D + 1];
%!   gather (y + 1);
%!   e = [d, d + 1];
%!   assert (gather (y' * y), e' * e);
%!   k = {D .* 2};  p = {d .* 2};
%!   gather (tanh (k{1}));
%!   assert (gather (k{1}(:)' * k{1}(:)), p{1}(:)' * p{1}(:));
%! endfor

## The positions that find gives have a type of their own, for which Octave transposes before it
## multiplies.
%!test
%! b = [3, 7, 6, 7, 6; -4, 0, -2, 4, 5; -4, -4, -4, 3, 7; 4, 3, -3, 4, -3];
%! [~, j, v] = find (b);
%! m = v / v;
%! [~, c, a] = find (symarray (b));
%! k = a / a;
%! assert (gather (k' * c, "native"), m' * j);
%! assert (gather (c' * k, "native"), j' * m);
%! assert (gather (k.' * c, "native"), m.' * j);
%! assert (gather (k' * c, "cpu"), m' * j, 1e-13);
