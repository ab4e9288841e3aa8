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
%!  a = settled (4096, f, varargin{:});
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
%! for x = {[1 NaN 0; NaN 0 2; -0 3 4], [NaN; 1; 0](:,ones (1, 9)), NaN, [NaN 1], ones(2, 8) * NaN, [0; NaN] + zeros(2, 2, 2)}
%!   for dim = 1:4
%!     for f = {@any, @all}
%!       for y = {x{1}, single(x{1}), x{1} > 0}
%!         check_same (@(x) f{1} (x, dim), y{1});
%!         assert (gather (f{1} (symarray (y{1}), dim)), f{1} (y{1}, dim));
%!       endfor
%!     endfor
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

%!test # values of more than a block of the interpreter
%! v = rand (700, 1) - 0.3;
%! A = rand (30, 41) - 0.3;
%! for f = {@(x, y) x + y, @(x, y) x .* y(1), @(x, y) x(:,1) ./ y(1,:), @(x, y) x > y, @(x, y) max (x, y(1)), @(x, y) x .^ 2 + exp (y)}
%!   check_same (f{1}, v(1:40), v(5:44));
%!   check_same (f{1}, v, v(end:-1:1));
%!   check_same (f{1}, A, A + 0.1);
%!   check_same (f{1}, single (A), A(:,1));
%! endfor
%! for x = {v, v', A, rand(3, 900), rand(16, 250), rand(17, 240), rand(900, 3), rand(33, 20, 4), rand(1, 4000), rand(600, 2)}
%!   for f = {@sum, @prod, @sumsq, @max, @min, @(x) sum (x, 2), @(x) max (x, [], 2), @(x) prod (x(:) + 0.5)}
%!     check_same (f{1}, x{1});
%!     check_same (f{1}, single (x{1}));
%!   endfor
%! endfor
%! for f = {@(a, v) a * a', @(a, v) v(1:30)' * a, @(a, v) a * v(1:41), @(a, v) v' * v, @(a, v) v * v(1:5)', @(a, v) a' * a}
%!   check_same (f{1}, A, v);
%!   check_same (f{1}, single (A), single (v));
%! endfor

%!test # blocks of a matrix, of whatever class, in the memory of its own that each has
%! A = reshape (1:3600, 60, 60);
%! for c = {@double, @single, @int16, @(x) x > 7, @(x) complex(x, -x)}
%!   B = c{1} (A);
%!   for f = {@(x) x(:,7), @(x) x(7,:), @(x) x(3:9,4), @(x) x(3:9,4:6), @(x) x(2,3:60), @(x) x(5:300), @(x) x(:,2:5), ...
%!            @(x) x(1:2:9,3), @(x) x(60:-1:1,2), @(x) x(:,end), @(x) x([4 2],:), @(x) x(7:7,:), @(x) x(1:0,3), @(x) x(61:70), ...
%!            @(x) x(:,3)(2:9), @(x) x(4,:)(3:5), @(x) x(:)(7:60), @(x) x(symarray (3),:), @(x) x(2:symarray (5),1)}
%!     check_same (f{1}, B);
%!     assert (gather (f{1} (symarray (B))), f{1} (B));
%!   endfor
%! endfor
%!error <index \(61,_\): out of bound 60 \(dimensions are 60x60\)> symarray (zeros (60))(59:61,:)
%!error <index \(0\): (out of bound|subscripts)> symarray (zeros (60))(0:2)

%!function [n, v] = evaluations_of_turns (x, turns)
%!  n = symgpu_info ("counters").evaluations;
%!  for k = 1:turns
%!    v = gather (x .* k + 1);
%!  endfor
%!  n = symgpu_info ("counters").evaluations - n;
%!endfunction

%!testif ; strcmp (symbackend (), "cpu") # lines of loops compute what is a little larger at once
%! x = symarray (rand (30));
%! [n, v] = evaluations_of_turns (x, 100);
%! assert (n > 5 && n < 50);
%! assert (v, gather (x) .* 100 + 1);
%! assert (evaluations_of_turns (symarray (rand (40)), 100), 100);
%! y = x .* 2 + 1;
%! assert (symnode (y).evaluated, false);

%!test # an array that is changed in place although values were made of it: what they are stays
%! x = b = rand (100, 10);
%! x = symarray (x);
%! v = symarray (zeros (100, 1));
%! kept = {};
%! before = symgpu_info ().counters.buffer_bytes;
%! for k = 1:9
%!   v = (v + x(:,k)) * 0.5;
%!   s = v' * x(:,k);
%!   kept{k} = {v, s, x(:,k) + 1};
%!   cellfun (@gather, kept{k}, "UniformOutput", false);
%!   x(:,k+1) = v;
%! endfor
%! if (strcmp (symbackend (), "cpu"))       # no copies of what x was
%!   assert (symgpu_info ().counters.buffer_bytes - before < 5 * sizeof (b));
%! endif
%! w = zeros (100, 1);
%! for k = 1:9
%!   w = (w + b(:,k)) * 0.5;
%!   assert (gather (kept{k}{1}), w);
%!   assert (gather (kept{k}{2}), w' * b(:,k), 4 * eps * norm (w) * norm (b(:,k)));
%!   assert (gather (kept{k}{3}), b(:,k) + 1);
%!   b(:,k+1) = w;
%! endfor
%! assert (gather (x), b);
%! assert (! isempty (symtree (kept{5}{1})));

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

## Lines of loops have quick ways: what they give is what the first turns gave, and plain arrays give.
%!function r = turns (f, args)
%!  r = cell (1, 25);
%!  for k = 1:25
%!    try
%!      r{k} = f (args{:});
%!      lazy_ = issymarray (r{k});
%!      r{k} = {class(r{k}), size(r{k}), iscomplex(r{k}), gather(r{k}), lazy_};
%!    catch err
%!      r{k} = {err.message, err.identifier};
%!    end_try_catch
%!  endfor
%!endfunction

%!test
%! v = [0.3; -0.5; 0.7; 0.2]; A = magic (4) - 8;
%! m = [true; false; true; true];
%! fs = {@(v, A, m, k) v(m), @(v, A, m, k) v(! m), @(v, A, m, k) v(false (4, 1)), @(v, A, m, k) A(A > 0), @(v, A, m, k) A(m,:), ...
%!       @(v, A, m, k) A(:,m'), @(v, A, m, k) A(m,k), @(v, A, m, k) v(k), @(v, A, m, k) v(k,1,1), @(v, A, m, k) A(k,k), @(v, A, m, k) v([]), ...
%!       @(v, A, m, k) v(zeros (1, 0)), @(v, A, m, k) v([k, 1; 2, 2]), @(v, A, m, k) v'([3 1]), @(v, A, m, k) A([3; 1]), @(v, A, m, k) A(:), ...
%!       @(v, A, m, k) A(:)', @(v, A, m, k) v(k + 7), @(v, A, m, k) v(k - 2), @(v, A, m, k) v(k / 4), @(v, A, m, k) v(-v), @(v, A, m, k) A(k,5), ...
%!       @(v, A, m, k) [0; v], @(v, A, m, k) [v; 0], @(v, A, m, k) [0, v'], @(v, A, m, k) [v, v; 1, 2], @(v, A, m, k) [1, 2; v, v], ...
%!       @(v, A, m, k) [k, 2], @(v, A, m, k) [1:3, k], @(v, A, m, k) [[], k], @(v, A, m, k) [k; zeros(0, 1)], @(v, A, m, k) [A; v'], ...
%!       @(v, A, m, k) [-0, v'], @(v, A, m, k) [v'; A(1,:); 1, 2, 3, k], @(v, A, m, k) [true; v], @(v, A, m, k) [single(1); v], ...
%!       @(v, A, m, k) [1i; v], @(v, A, m, k) [int8(1); v], @(v, A, m, k) ["a", 64 + k], @(v, A, m, k) [v, 1], @(v, A, m, k) [v; 1, 2], ...
%!       @(v, A, m, k) any (v > 0), @(v, A, m, k) all (v > 0), @(v, A, m, k) any (A > 0), @(v, A, m, k) all (A, 2), @(v, A, m, k) any (NaN * v), ...
%!       @(v, A, m, k) all (NaN * v), @(v, A, m, k) any (v), @(v, A, m, k) any (single (v)), @(v, A, m, k) sum (v > 0), @(v, A, m, k) sum (A > 0, 2), ...
%!       @(v, A, m, k) any (m), @(v, A, m, k) all (m'), @(v, A, m, k) sum (m), @(v, A, m, k) any (A > 100, 3), @(v, A, m, k) ifelse_of (any (v > 0)), ...
%!       @(v, A, m, k) ifelse_of (v), @(v, A, m, k) ifelse_of (k - 2), @(v, A, m, k) ifelse_of (k * NaN), @(v, A, m, k) ifelse_of (A(A > 100))};
%! for classes = {@double, @single, @int16, @(x) x + 0i, @(x) complex (x, 1)}
%!   args = {classes{1}(v), classes{1}(A), m, 2};
%!   if (isinteger (args{1}))
%!     args{1} = classes{1}(10 * v);
%!   endif
%!   wrapped = cellfun (@symarray, args, "UniformOutput", false);
%!   for f = fs
%!     want = turns (f{1}, args);
%!     got = turns (f{1}, wrapped);
%!     for k = [1, 24, 25]
%!       where = sprintf ("%s of %s, turn %d", func2str (f{1}), class (args{1}), k);
%!       assert (isequaln (got{k}(1:end-(numel (got{k}) > 2)), want{k}(1:end-(numel (want{k}) > 2))), "%s", where);
%!       assert (isequal (got{k}{end}, got{1}{end}), "%s", where);
%!     endfor
%!   endfor
%! endfor

%!function y = ifelse_of (x)
%!  y = 0;
%!  if (x)
%!    y = 1;
%!  endif
%!endfunction
