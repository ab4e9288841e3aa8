## bench_table: what is measured, as Octave writes it.  A struct array:
##
##   name    as in the table, and in table.py
##   kind    "map", "reduce", "product", "update", "loop", "script"; "whole": a script of
##           bench_scripts.m, with inputs of the classes that it has
##   sizes   of the full run; the quick one takes the second last
##   make    make (n) gives the arguments
##   fcn     fcn (arguments) gives the result; the last step gathers

1;
source (fullfile (fileparts (mfilename ("fullpath")), "bench_scripts.m"));

## Numbers that every language makes alike, in (0, 1), of class double.
function x = numbers (n, m, k)
  x = reshape (mod ((1:n * m) * 0.6180339887498949 + k * 0.137, 1) * 0.998 + 0.001, n, m);
endfunction

function c = vectors (n, count)
  c = cell (1, count);
  for k = 1:count
    c{k} = numbers (n, 1, k);
  endfor
endfunction

function c = square (n, count)
  n = max (1, round (sqrt (n)));
  c = cell (1, count);
  for k = 1:count
    c{k} = numbers (n, n, k);
  endfor
endfunction

function r = black_scholes (s, x, t)
  d1 = (log (s ./ x) + 0.0445 * t) ./ (0.3 * sqrt (t));
  d2 = d1 - 0.3 * sqrt (t);
  r = s .* (0.5 + 0.5 * erf (d1 / sqrt (2))) - x .* exp (-0.02 * t) .* (0.5 + 0.5 * erf (d2 / sqrt (2)));
endfunction

function y = masked (x)
  y = x - 0.5;
  y(y < 0) = 0;
endfunction

function [s, k] = extreme (x)
  [s, k] = max (x);
  s = s + k;
endfunction

function y = softmax (x, dim)
  e = exp (x - max (x, [], dim));
  y = e ./ sum (e, dim);
endfunction

function W = logistic (X, y)
  W = zeros (columns (X), 1);
  for i = 1:50
    p = 1 ./ (1 + exp (-(X * W)));
    W = W - 0.1 / rows (X) * (X' * (p - y));
  endfor
endfunction

function C = k_means (X, C)
  k = rows (C);
  for i = 1:50
    D = sum (X .^ 2, 2) + sum (C .^ 2, 2)' - 2 * X * C';
    [~, a] = min (D, [], 2);
    M = a == 1:k;
    C = (M' * X) ./ max (sum (M, 1)', 1);
  endfor
endfunction

function U = heat (U)
  for i = 1:100
    U(2:end-1,2:end-1) = U(2:end-1,2:end-1) ...
      + 0.1 * (U(1:end-2,2:end-1) + U(3:end,2:end-1) + U(2:end-1,1:end-2) + U(2:end-1,3:end) ...
               - 4 * U(2:end-1,2:end-1));
  endfor
endfunction

function K = mandelbrot (c)
  z = 0 * c;
  K = zeros (size (c));
  for i = 1:30
    z = z .^ 2 + c;
    K = K + (abs (z) < 2);
  endfor
endfunction

function x = small_loop (x, a, b)
  for i = 1:200
    x = 0.9 * x + a .* b - 0.1 * (x - a);
  endfor
endfunction

function x = kalman (F, P, H, z)
  x = zeros (rows (F), 1);
  Q = 0.01 * eye (rows (F));
  R = 0.1 * eye (rows (H));
  for i = 1:100
    x = F * x;
    P = F * P * F' + Q;
    K = (P * H') / (H * P * H' + R);
    x = x + K * (z - H * x);
    P = P - K * H * P;
  endfor
endfunction

function x = runge_kutta (x, h)
  f = @(x) [10 * (x(2) - x(1)); x(1) * (28 - x(3)) - x(2); x(1) * x(2) - 8 / 3 * x(3)];
  for i = 1:100
    k1 = f (x);
    k2 = f (x + h / 2 * k1);
    k3 = f (x + h / 2 * k2);
    k4 = f (x + h * k3);
    x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  endfor
endfunction

function g = autoencoder (X, W, b, c)
  h = 1 ./ (1 + exp (-(X * W + b)));
  z = 1 ./ (1 + exp (-(h * W' + c)));
  dz = -(X - z) .* z .* (1 - z);
  dh = (dz * W) .* h .* (1 - h);
  g = X' * dh + dz' * h;
endfunction

function list = bench_rows ()
  s = [1, 100, 1e4, 1e6, 1e7];
  m = [1, 100, 1e4, 1e6, 4e6];
  list = {
    "a.*b+c", "map", s, @(n) vectors (n, 3), @(a, b, c) a .* b + c
    "2*a.^2+3*a+1", "map", s, @(n) vectors (n, 1), @(a) 2 * a .^ 2 + 3 * a + 1
    "a chain of 10", "map", s, @(n) vectors (n, 3), ...
      @(a, b, c) ((((((((((a + b) .* c - a) .* b + c) .* a - b) .* c) + a) .* b) - c) + a) .* b)
    "exp(-a.^2).*sin(b)+log(1+c.^2)", "map", s, @(n) vectors (n, 3), ...
      @(a, b, c) exp (-a .^ 2) .* sin (b) + log (1 + c .^ 2)
    "exp(a)", "map", s, @(n) vectors (n, 1), @(a) exp (a)
    "1./(1+exp(-a))", "map", s, @(n) vectors (n, 1), @(a) 1 ./ (1 + exp (-a))
    "Black-Scholes", "map", s, @(n) vectors (n, 3), @black_scholes
    "sum((a-mean(a)).^2)", "reduce", s, @(n) vectors (n, 1), @(a) sum ((a - mean (a)) .^ 2)
    "norm and dot", "reduce", s, @(n) vectors (n, 2), @(a, b) norm (a) + dot (a, b)
    "max with index", "reduce", s, @(n) vectors (n, 1), @extreme
    "row and column sums", "reduce", m, @(n) square (n, 1), @(a) sum (a, 1) + sum (a, 2)'
    "softmax over rows", "reduce", m, @(n) square (n, 1), @(a) softmax (a, 2)
    "softmax over columns", "reduce", m, @(n) square (n, 1), @(a) softmax (a, 1)
    "standardize columns", "reduce", m(2:end), @(n) square (n, 1), @(x) (x - mean (x)) ./ std (x)
    "pairwise distances", "product", m, @(n) square (n, 2), ...
      @(x, y) sum (x .^ 2, 2) + sum (y .^ 2, 2)' - 2 * x * y'
    "A'*B", "product", m(1:4), @(n) square (n, 2), @(a, b) a' * b
    "x'*x", "product", m(1:4), @(n) square (n, 1), @(a) a' * a
    "1./(1+exp(-(X*W+b)))", "product", m(1:4), @(n) [square(n, 2), {numbers(1, max (1, round (sqrt (n))), 3)}], ...
      @(x, w, b) 1 ./ (1 + exp (-(x * w + b)))
    "masked update", "update", s, @(n) vectors (n, 1), @masked
    "cumsum", "reduce", s, @(n) vectors (n, 1), @(a) cumsum (a)
    "sort", "reduce", s, @(n) vectors (n, 1), @(a) sort (a)
    "complex arithmetic", "map", s, @(n) vectors (n, 2), @(a, b) (a + 1i * b) .* (b - 1i * a) + a
    "gather by index vector", "update", s, @(n) {numbers(n, 1, 1), round(numbers (n, 1, 2) * (n - 1)) + 1}, ...
      @(a, k) a(k) + 1
    "loop of small expressions", "loop", [1, 9, 100], @(n) square (n, 3), @small_loop
    "Kalman filter", "loop", [4, 16], @(n) {0.1 * numbers(n, n, 1), numbers(n, n, 2) + eye(n), numbers(2, n, 3), [1; 2]}, @kalman
    "Runge-Kutta", "loop", 3, @(n) {numbers(3, 1, 1), 0.01}, @runge_kutta
    "autoencoder step", "script", [1e4, 1e6], @(n) {numbers(n / 100, 100, 1), numbers(100, 40, 2) - 0.5, numbers(1, 40, 3), numbers(1, 100, 4)}, @autoencoder
    "logistic regression", "script", [1e4, 1e6], @(n) {numbers(n / 20, 20, 1), double(numbers (n / 20, 1, 2) > 0.5)}, @logistic
    "k-means", "script", [1e4, 1e5], @(n) {numbers(n / 10, 10, 1), numbers(8, 10, 2)}, @k_means
    "heat equation by slices", "script", [1e4, 262144], @(n) square (n, 1), @heat
    "Mandelbrot", "script", [1e4, 262144], @(n) {3 * square(n, 1){1} - 2 + 1i * (2 * square(n, 2){2} - 1)}, @mandelbrot
  };
  list = cell2struct ([list; bench_scripts()], {"name", "kind", "sizes", "make", "fcn"}, 2);
endfunction
