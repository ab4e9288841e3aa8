## bench_scripts: whole scripts as people write them, at a user's size, for bench_table.m, whose
## numbers they take.  Nothing in them knows of symgpu: their inputs are wrapped.

1;

function g = normals (n, m, k)
  g = sqrt (-2 * log (numbers (n, m, k))) .* cos (2 * pi * mod (numbers (n, m, k + 1) * 977 + numbers (n, m, k + 2), 1));
endfunction

function W = script_autoencoder (X, W, b, c)
  for epoch = 1:2
    for i = 1:200:rows (X) - 199
      x = X(i:i+199,:);
      h = 1 ./ (1 + exp (-(x * W + b)));
      z = 1 ./ (1 + exp (-(h * W' + c)));
      dz = -(x - z) .* z .* (1 - z);
      dh = (dz * W) .* h .* (1 - h);
      W = W - 0.001 * (x' * dh + dz' * h);
      b = b - 0.001 * sum (dh);
      c = c - 0.001 * sum (dz);
    endfor
  endfor
endfunction

function y = em_mixture (x, mu, s2, w)
  n = numel (x);
  for i = 1:20
    p = w .* exp (-(x - mu) .^ 2 ./ (2 * s2)) ./ sqrt (2 * pi * s2);
    r = p ./ sum (p, 2);
    nk = sum (r);
    mu = sum (r .* x) ./ nk;
    s2 = sum (r .* (x - mu) .^ 2) ./ nk + 1e-6;
    w = nk / n;
  endfor
  y = [mu, s2, w];
endfunction

function C = script_k_means (X, C)
  k = rows (C);
  for i = 1:20
    D = sum (X .^ 2, 2) - 2 * X * C' + sum (C .^ 2, 2)';
    [~, a] = min (D, [], 2);
    for j = 1:k
      m = a == j;
      if (any (m))
        C(j,:) = mean (X(m,:), 1);
      endif
    endfor
  endfor
endfunction

function U = script_heat (U)
  for i = 1:100
    U(2:end-1,2:end-1) = U(2:end-1,2:end-1) + 0.2 * (U(1:end-2,2:end-1) + U(3:end,2:end-1) ...
      + U(2:end-1,1:end-2) + U(2:end-1,3:end) - 4 * U(2:end-1,2:end-1));
  endfor
endfunction

function p = monte_carlo (z)
  s = 100 * ones (columns (z), 1);
  total = zeros (size (s));
  dt = 1 / rows (z);
  for i = 1:rows (z)
    s = s .* exp ((0.05 - 0.5 * 0.04) * dt + 0.2 * sqrt (dt) * z(i,:)');
    total = total + s;
  endfor
  p = exp (-0.05) * mean (max (total / rows (z) - 100, 0));
endfunction

function y = options (s, x, t)
  r = 0.03; v = 0.25;
  d1 = (log (s ./ x) + (r + v ^ 2 / 2) * t) ./ (v * sqrt (t));
  d2 = d1 - v * sqrt (t);
  n1 = 0.5 * (1 + erf (d1 / sqrt (2)));
  n2 = 0.5 * (1 + erf (d2 / sqrt (2)));
  call = s .* n1 - x .* exp (-r * t) .* n2;
  put = call - s + x .* exp (-r * t);
  y = [call, put];
endfunction

function Y = tsne (P, Y)
  n = rows (Y);
  v = zeros (size (Y));
  for i = 1:30
    s = sum (Y .^ 2, 2);
    q = 1 ./ (1 + s + s' - 2 * (Y * Y'));
    q(1:n+1:end) = 0;
    Q = max (q ./ sum (q(:)), 1e-12);
    L = (P - Q) .* q;
    g = 4 * (diag (sum (L, 1)) - L) * Y;
    v = 0.5 * v - 10 * g;
    Y = Y + v;
    Y = Y - mean (Y, 1);
  endfor
endfunction

function y = n_body (x, v, m)
  for i = 1:20
    dx = x(:,1)' - x(:,1);
    dy = x(:,2)' - x(:,2);
    dz = x(:,3)' - x(:,3);
    w = (dx .^ 2 + dy .^ 2 + dz .^ 2 + 0.01) .^ -1.5;
    a = [(dx .* w) * m, (dy .* w) * m, (dz .* w) * m];
    v = v + 0.01 * a;
    x = x + 0.01 * v;
  endfor
  y = [x, v];
endfunction

function W = script_logistic (X, y)
  W = zeros (columns (X), 1);
  for i = 1:100
    p = 1 ./ (1 + exp (-(X * W)));
    W = W - 0.1 / rows (X) * (X' * (p - y) + 0.01 * W);
  endfor
endfunction

function W = softmax_regression (X, T, W)
  for i = 1:30
    s = X * W;
    s = s - max (s, [], 2);
    e = exp (s);
    p = e ./ sum (e, 2);
    W = W - 0.5 / rows (X) * (X' * (p - T));
  endfor
endfunction

function y = nmf (V, W, H)
  for i = 1:30
    H = H .* (W' * V) ./ (W' * W * H + 1e-9);
    W = W .* (V * H') ./ (W * (H * H') + 1e-9);
  endfor
  y = [W; H'];
endfunction

function out = bilateral (img)
  [n, m] = size (img);
  r = 3;
  num = zeros (n - 2 * r, m - 2 * r);
  den = num;
  c = img(r+1:end-r, r+1:end-r);
  for dy = -r:r
    for dx = -r:r
      s = img(r+1+dy:end-r+dy, r+1+dx:end-r+dx);
      w = exp (-(dx ^ 2 + dy ^ 2) / 8 - (s - c) .^ 2 / 0.02);
      num += w .* s;
      den += w;
    endfor
  endfor
  out = num ./ den;
endfunction

function f = lattice (f)
  w = [4/9, 1/9, 1/9, 1/9, 1/9, 1/36, 1/36, 1/36, 1/36];
  cx = [0, 1, 0, -1, 0, 1, -1, -1, 1];
  cy = [0, 0, 1, 0, -1, 1, 1, -1, -1];
  for t = 1:10
    rho = sum (f, 3);
    ux = zeros (size (rho));
    uy = ux;
    for k = 1:9
      ux = ux + cx(k) * f(:,:,k);
      uy = uy + cy(k) * f(:,:,k);
    endfor
    ux = ux ./ rho;
    uy = uy ./ rho;
    for k = 1:9
      cu = 3 * (cx(k) * ux + cy(k) * uy);
      feq = rho .* w(k) .* (1 + cu + 0.5 * cu .^ 2 - 1.5 * (ux .^ 2 + uy .^ 2));
      f(:,:,k) = circshift (f(:,:,k) - (f(:,:,k) - feq) / 0.6, [cx(k), cy(k)]);
    endfor
  endfor
endfunction

function x = script_kalman (z)
  F = [1, 1, 0, 0; 0, 1, 0, 0; 0, 0, 1, 1; 0, 0, 0, 1];
  H = [1, 0, 0, 0; 0, 0, 1, 0];
  Q = 0.01 * eye (4);
  R = eye (2);
  P = 10 * eye (4);
  x = kalman_filter (z, F, H, Q, R, P, zeros (4, 1));
endfunction

function x = kalman_filter (z, F, H, Q, R, P, x)
  for i = 1:columns (z)
    x = F * x;
    P = F * P * F' + Q;
    S = H * P * H' + R;
    K = P * H' / S;
    x = x + K * (z(:,i) - H * x);
    P = (eye (4) - K * H) * P;
  endfor
endfunction

function y = script_runge_kutta (y)
  A = [0, 1, 0; -1, 0, 0.1; 0, -0.1, -0.2];
  f = @(t, y) A * y + [0; 0.1 * sin(t); 0];
  h = 0.01; t = 0;
  for i = 1:2000
    k1 = f (t, y);
    k2 = f (t + h / 2, y + h / 2 * k1);
    k3 = f (t + h / 2, y + h / 2 * k2);
    k4 = f (t + h, y + h * k3);
    y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t = t + h;
  endfor
endfunction

function y = lorenz (y)
  h = 0.01;
  for i = 1:2000
    k1 = lorenz_f (y);
    k2 = lorenz_f (y + h / 2 * k1);
    k3 = lorenz_f (y + h / 2 * k2);
    k4 = lorenz_f (y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  endfor
endfunction

function d = lorenz_f (y)
  d = [10 * (y(2) - y(1)); y(1) * (28 - y(3)) - y(2); y(1) * y(2) - 8 / 3 * y(3)];
endfunction

function K = script_mandelbrot (c)
  z = zeros (size (c));
  K = z;
  for i = 1:50
    z = z .^ 2 + c;
    K += abs (z) < 2;
  endfor
endfunction

function K = mandelbrot_masked (c)
  z = c;
  K = zeros (size (c));
  for i = 1:50
    m = abs (z) <= 2;
    z(m) = z(m) .^ 2 + c(m);
    K(m) = i;
  endfor
endfunction

function G = life (G)
  for i = 1:50
    n = circshift (G, 1) + circshift (G, -1) + circshift (G, [0, 1]) + circshift (G, [0, -1]) ...
        + circshift (G, [1, 1]) + circshift (G, [1, -1]) + circshift (G, [-1, 1]) + circshift (G, [-1, -1]);
    G = (n == 3) | (G & n == 2);
  endfor
endfunction

function Z = standardize (X)
  Z = (X - mean (X)) ./ std (X);
  Z(Z > 3) = 3;
  Z(Z < -3) = -3;
  Z = Z' * Z / (rows (Z) - 1);
endfunction

function y = gray_scott (U, V)
  lap = @(A) circshift (A, 1, 1) + circshift (A, -1, 1) + circshift (A, 1, 2) + circshift (A, -1, 2) - 4 * A;
  for i = 1:40
    R = U .* V .^ 2;
    U = U + 0.16 * lap (U) - R + 0.035 * (1 - U);
    V = V + 0.08 * lap (V) + R - 0.095 * V;
  endfor
  y = [U, V];
endfunction

function w = pagerank (A)
  n = rows (A);
  M = A ./ max (sum (A), 1);
  w = ones (n, 1) / n;
  for i = 1:100
    v = 0.85 * (M * w) + 0.15 / n;
    if (norm (v - w, 1) < 1e-12)
      break;
    endif
    w = v;
  endfor
endfunction

function y = perceptron (X, Y, W1, W2)
  m1 = v1 = zeros (size (W1));
  m2 = v2 = zeros (size (W2));
  for t = 1:60
    h = max (X * W1, 0);
    o = h * W2;
    e = (o - Y) / rows (X);
    g2 = h' * e;
    g1 = X' * ((e * W2') .* (h > 0));
    m1 = 0.9 * m1 + 0.1 * g1;  v1 = 0.999 * v1 + 0.001 * g1 .^ 2;
    m2 = 0.9 * m2 + 0.1 * g2;  v2 = 0.999 * v2 + 0.001 * g2 .^ 2;
    W1 -= 0.01 * (m1 / (1 - 0.9 ^ t)) ./ (sqrt (v1 / (1 - 0.999 ^ t)) + 1e-8);
    W2 -= 0.01 * (m2 / (1 - 0.9 ^ t)) ./ (sqrt (v2 / (1 - 0.999 ^ t)) + 1e-8);
  endfor
  y = [W1(:); W2(:)];
endfunction

function D = cosine (X)
  N = X ./ sqrt (sum (X .^ 2, 2));
  D = 1 - N * N';
  D(D < 0) = 0;
endfunction

function s = ising (s, u)
  n = rows (s);
  [i, j] = ndgrid (1:n, 1:n);
  even = mod (i + j, 2) == 0;
  for t = 1:size (u, 3)
    nb = circshift (s, [1 0]) + circshift (s, [-1 0]) + circshift (s, [0 1]) + circshift (s, [0 -1]);
    flip = (u(:,:,t) < exp (-2 * 0.44 * s .* nb)) & xor (even, mod (t, 2));
    s(flip) = -s(flip);
  endfor
endfunction

function y = newton (x)
  y = x;
  for i = 1:20
    y = y - (y .^ 3 - x) ./ (3 * y .^ 2);
  endfor
endfunction

function img = tone (rgb)
  x = double (rgb) / 255;
  l = 0.2126 * x(:,:,1) + 0.7152 * x(:,:,2) + 0.0722 * x(:,:,3);
  t = l ./ (1 + l);
  x = x .* (t ./ max (l, 1e-6));
  lo = x <= 0.0031308;
  y = 1.055 * x .^ (1 / 2.4) - 0.055;
  y(lo) = 12.92 * x(lo);
  img = uint8 (255 * min (max (y, 0), 1));
endfunction

## Rows as in bench_table.m; there is no n.
function list = bench_scripts ()
  list = {
    "script: autoencoder", "whole", 1, ...
      @(n) {numbers(2000, 196, 1), numbers(196, 64, 2) - 0.5, numbers(1, 64, 3), numbers(1, 196, 4)}, ...
      @script_autoencoder
    "script: EM for a mixture", "whole", 1, ...
      @(n) {normals(1e5, 1, 1), [-1, 0, 2], [1, 1, 1], [1, 1, 1] / 3}, ...
      @em_mixture
    "script: k-means", "whole", 1, ...
      @(n) {normals(2e4, 10, 1), normals(8, 10, 2)}, ...
      @script_k_means
    "script: heat equation", "whole", 1, ...
      @(n) {numbers(500, 500, 1)}, ...
      @script_heat
    "script: Monte Carlo", "whole", 1, ...
      @(n) {normals(50, 2e4, 1)}, ...
      @monte_carlo
    "script: Black-Scholes", "whole", 1, ...
      @(n) {numbers(5e5, 1, 1) * 50 + 75, numbers(5e5, 1, 2) * 50 + 75, numbers(5e5, 1, 3) + 0.1}, ...
      @options
    "script: t-SNE", "whole", 1, ...
      @(n) {numbers(400, 400, 1) / 160000, normals(400, 2, 2) * 0.01}, ...
      @tsne
    "script: N-body", "whole", 1, ...
      @(n) {normals(500, 3, 1), normals(500, 3, 2) * 0.1, numbers(500, 1, 3)}, ...
      @n_body
    "script: logistic regression", "whole", 1, ...
      @(n) {normals(2e4, 20, 1), double(numbers (2e4, 1, 2) > 0.5)}, ...
      @script_logistic
    "script: softmax regression", "whole", 1, ...
      @(n) {normals(5000, 64, 1), double(ceil (numbers (5000, 1, 2) * 10) == 1:10), zeros(64, 10)}, ...
      @softmax_regression
    "script: NMF", "whole", 1, ...
      @(n) {numbers(400, 300, 1), numbers(400, 20, 2), numbers(20, 300, 3)}, ...
      @nmf
    "script: bilateral filter", "whole", 1, ...
      @(n) {numbers(300, 300, 1)}, ...
      @bilateral
    "script: lattice Boltzmann", "whole", 1, ...
      @(n) {1 + 0.1 * reshape(numbers (200, 1800, 1), 200, 200, 9)}, ...
      @lattice
    "script: Kalman 4 x 4", "whole", 1, ...
      @(n) {normals(2, 500, 1)}, ...
      @script_kalman
    "script: Kalman 4 x 4, all wrapped", "whole", 1, ...
      @(n) {normals(2, 500, 1), [1, 1, 0, 0; 0, 1, 0, 0; 0, 0, 1, 1; 0, 0, 0, 1], [1, 0, 0, 0; 0, 0, 1, 0], 0.01 * eye(4), eye(2), 10 * eye(4), zeros(4, 1)}, ...
      @kalman_filter
    "script: Runge-Kutta, linear", "whole", 1, ...
      @(n) {[1; 0; 0.5]}, ...
      @script_runge_kutta
    "script: Lorenz", "whole", 1, ...
      @(n) {[1; 1; 1]}, ...
      @lorenz
    "script: Mandelbrot", "whole", 1, ...
      @(n) {complex(numbers (200, 200, 1) * 3 - 2, numbers (200, 200, 2) * 2 - 1)}, ...
      @script_mandelbrot
    "script: Mandelbrot, masked", "whole", 1, ...
      @(n) {complex(numbers (200, 200, 1) * 3 - 2, numbers (200, 200, 2) * 2 - 1)}, ...
      @mandelbrot_masked
    "script: Life", "whole", 1, ...
      @(n) {numbers(400, 400, 1) > 0.7}, ...
      @life
    "script: standardize", "whole", 1, ...
      @(n) {normals(2e4, 40, 1)}, ...
      @standardize
    "script: Gray-Scott", "whole", 1, ...
      @(n) {numbers(256, 256, 1), numbers(256, 256, 2) / 4}, ...
      @gray_scott
    "script: PageRank", "whole", 1, ...
      @(n) {double(numbers (800, 800, 1) > 0.98)}, ...
      @pagerank
    "script: perceptron with Adam", "whole", 1, ...
      @(n) {normals(1000, 50, 1), normals(1000, 5, 2), normals(50, 100, 3) / 10, normals(100, 5, 4) / 10}, ...
      @perceptron
    "script: cosine distances", "whole", 1, ...
      @(n) {normals(1000, 50, 1)}, ...
      @cosine
    "script: Ising", "whole", 1, ...
      @(n) {sign(numbers (300, 300, 1) - 0.5), reshape(numbers (300, 6000, 2), 300, 300, 20)}, ...
      @ising
    "script: Newton", "whole", 1, ...
      @(n) {numbers(2e5, 1, 1) + 0.5}, ...
      @newton
    "script: tone mapping", "whole", 1, ...
      @(n) {uint8(255 * reshape (numbers (400, 1200, 1), 400, 400, 3))}, ...
      @tone
  };
endfunction
