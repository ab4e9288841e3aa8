## Small values are computed when their nodes are made: with the bits that the same operation has in
## a plan, and with nothing lost of what users see of expressions.

%!function v = settled (small, f, varargin)
%!  old = symgpu_config ("small");
%!  unwind_protect
%!    symgpu_config ("small", small);
%!    args = cellfun (@symarray, varargin, "UniformOutput", false);
%!    v = gather (f (args{:}));
%!  unwind_protect_cleanup
%!    symgpu_config ("small", old);
%!  end_unwind_protect
%!endfunction

%!function h = bits (v)
%!  if (isfloat (v))
%!    v = [real(v(:)); imag(v(:))];
%!    v(isnan (v)) = NaN;
%!    h = typecast (v, "uint8");
%!  else
%!    h = v(:);
%!  endif
%!endfunction

%!function check_same (f, varargin)
%!  a = settled (512, f, varargin{:});
%!  b = settled (0, f, varargin{:});
%!  what = sprintf ("%s of %s", func2str (f), ...
%!                  strjoin (cellfun (@(x) [class(x), " ", disp(x)], varargin, ...
%!                                    "UniformOutput", false), ", "));
%!  if (! isequal ({class(a), size(a), iscomplex(a)}, {class(b), size(b), iscomplex(b)}))
%!    error ("%s: %s and %s", what, disp (a), disp (b));
%!  elseif (! isequal (bits (a), bits (b)))
%!    error ("%s: other bits", what);
%!  endif
%!endfunction

%!shared shapes
%! v = [0.5 -0.25 3 0 -0 NaN Inf -Inf 1e-310 2 7 -1.5];
%! shapes = {2.5, -0.5, v, v', reshape(v, 3, 4), reshape(v, 2, 6)', v(1:3), v(1:4)', 3};

%!test <*5>
%! for f = {@plus, @minus, @times, @rdivide, @ldivide, @lt, @le, @eq, @ge, @gt, @ne, @power}
%!   for x = shapes
%!     for y = shapes
%!       d = [size(x{1}); size(y{1})];
%!       if (all (d(1,:) == d(2,:) | d(1,:) == 1 | d(2,:) == 1))
%!         check_same (f{1}, x{1}, y{1});
%!         check_same (f{1}, single (x{1}), single (y{1}));
%!         check_same (f{1}, single (x{1}), y{1});
%!       endif
%!     endfor
%!   endfor
%! endfor

%!test # exponents that are products
%! x = [0.1 1.7 -3; 5 0.3 -0.7];
%! for e = [2, 3, -1, 0.5, 1, 0]
%!   check_same (@(x) x .^ e, x);
%!   check_same (@(x) x .^ e, single (x));
%!   check_same (@(x) x .^ e, x(1));
%! endfor

%!test # functions, inside and outside of their domains
%! for f = {@exp, @log, @sqrt, @sin, @tanh, @abs, @floor, @isnan, @gamma, @sign, @acos, @uminus, @erf}
%!   for x = shapes
%!     check_same (f{1}, x{1});
%!     check_same (f{1}, single (x{1}));
%!   endfor
%! endfor

%!test # reductions
%! for f = {@sum, @prod, @sumsq, @max, @min, @any, @all}
%!   for x = [shapes, {rand(3, 4, 2), rand(40, 3), rand(3, 40), rand(1, 100), zeros(3, 4)}]
%!     check_same (@(x) f{1} (x), x{1});
%!     check_same (@(x) f{1} (x), single (x{1}));
%!   endfor
%! endfor
%! check_same (@(x) sum (x, 2), rand (5, 7));
%! check_same (@(x) sum (x, 3), rand (5, 7));
%! check_same (@(x) max (x, [], 2), [1 NaN; NaN NaN; -0 0]);

%!test # products and moves
%! A = rand (4);  B = rand (4, 3);
%! check_same (@mtimes, A, B);
%! check_same (@(a, b) a' * b, A, B);
%! check_same (@(a, b) b' * a', A, B);
%! check_same (@(a) a' * a, B);
%! check_same (@(a) a * a', B);
%! check_same (@mtimes, single (A), B);
%! for f = {@(x) x', @(x) x(:), @(x) x(2,:), @(x) x(:,[1 3 1]), @(x) x([2 1; 1 2]), @(x) [x; x], ...
%!          @(x) [x, x + 1], @(x) reshape (x, [], 2), @(x) repmat (x, 2, 3), @tril, @(x) triu (x, 1), ...
%!          @(x) permute (x, [3 1 2]), @(x) x(:)'}
%!   check_same (f{1}, A);
%!   check_same (f{1}, int8 (100 * A));
%!   check_same (f{1}, A > 0.5);
%!   check_same (f{1}, complex (A, A'));
%! endfor

%!test # what is not done at once: other classes, complex numbers
%! x = [1 2; 3 -4];
%! for y = {int8(x), x > 1, complex(x, x), single(x)}
%!   check_same (@(x) x + 1, y{1});
%!   check_same (@(x) abs (x) * 2, y{1});
%! endfor
%! check_same (@(x) int8 (x * 100), x);
%! check_same (@(x) double (x), single (x));

%!test # no evaluation of a plan, the expression stays
%! old = symbackend ("cpu");
%! unwind_protect
%!   x = symarray ([1 2; 3 4]);
%!   n = symgpu_info ("counters").evaluations;
%!   y = x .* 2 + x';
%!   assert (gather (y), [3 7; 8 12]);
%!   assert (symgpu_info ("counters").evaluations, n);
%!   assert (! isempty (strfind (symtree (y), "x * 2 + x'")));
%!   assert (gather (y, "native"), [3 7; 8 12]);
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect

%!test # numbers
%! k = symarray (0.5);
%! assert (gather (((k + 1) * 2 - k) / 3), 2.5 / 3);
%! assert (gather (sqrt (k - 1.5)), 1i);
%! assert (gather (-k ^ 2), -0.25);
%! assert (gather ((-k) ^ 0.5), (-0.5) ^ 0.5, eps);
%! assert (class (k > 0), "logical");
%! assert (gather (exp (k)), exp (0.5), -4 * eps);
%! assert (issymarray (k + 1));

%!test # numbers are Octave's own on backend "native"
%! old = symbackend ("native");
%! unwind_protect
%!   k = symarray (4.7892495723302391);
%!   for f = {@(k) k .^ 3, @(k) exp (k), @(k) sin (k) + log (k), @(k) k ^ 0.3}
%!     assert (gather (f{1} (k)), f{1} (gather (k)), 0);
%!   endfor
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect

%!test # a NaN as a truth value is an error of this line
%! x = symarray ([1 NaN]);
%! fail ("! x");
%! fail ("x & 1");

%!test # a loop keeps its memory
%! x = symarray (eye (3));
%! for i = 1:5000
%!   x = 0.5 * x + x';
%! endfor
%! a = symgpu_info ("counters").nodes;
%! for i = 1:5000
%!   x = 0.5 * x + x';
%! endfor
%! assert (symgpu_info ("counters").nodes <= a + 1024);
