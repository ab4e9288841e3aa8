## Backend "cuda" by its counts: what is launched, compiled, brought there and back.  Runs on a GPU,
## or on the emulated one where that was built (make cudaemu).

%!function ready = device ()
%!  persistent state = [];
%!  if (isempty (state))
%!    state = __symgpu_device__ ("open");
%!    top = fileparts (fileparts (which ("symgpu_demo")));
%!    emulated = fullfile (top, "build", "cudaemu");
%!    if (! state && exist (fullfile (emulated, "libcuda.so.1"), "file"))
%!      symgpu_config ("cuda_path", emulated);
%!      symgpu_config ("cache", fullfile (emulated, "cubins"));
%!      state = __symgpu_device__ ("open");
%!    endif
%!    if (! state)
%!      disp ("there is no GPU, nor an emulated one (make cudaemu)");
%!    endif
%!  endif
%!  ready = state;
%!endfunction

%!# what the counters have gained while F was done
%!function [d, x] = counted (f)
%!  old = symbackend ("cuda");
%!  unwind_protect
%!    a = symgpu_info ("counters");
%!    x = f ();
%!    b = symgpu_info ("counters");
%!  unwind_protect_cleanup
%!    symbackend (old);
%!  end_unwind_protect
%!  d = cell2struct (num2cell (cell2mat (struct2cell (b)) - cell2mat (struct2cell (a))), ...
%!                   fieldnames (a));
%!endfunction

%!testif ; device ()
%! ## one kernel, one launch, nothing is uploaded twice
%! A = rand (40, 50); B = rand (40, 50); C = rand (1, 50);
%! a = symarray (A); b = symarray (B); c = symarray (C);
%! [d, x] = counted (@() gather (a .* b + c));
%! assert (x, A .* B + C);
%! assert (d.launches, 1);
%! assert (d.compiled + d.cubin_hits <= 1);
%! assert (d.uploaded, 8 * (numel (A) + numel (B) + numel (C)));
%! assert (d.downloaded, 8 * numel (A));
%! [d, x] = counted (@() gather (a .* b + c));
%! assert (x, A .* B + C);
%! assert ([d.launches, d.compiled, d.cubin_hits, d.uploaded], [1, 0, 0, 0]);

%!testif ; device ()
%! ## a loop of equal bodies compiles nothing after the first, allocates nothing after the second
%! a = symarray (rand (20, 30)); b = symarray (rand (20, 30));
%! for i = 1:1000
%!   d = counted (@() gather (sum (exp (-a) .* b + 2 * a)));
%!   if (i > 1)
%!     assert (d.compiled + d.cubin_hits, 0);
%!   endif
%!   if (i > 2)
%!     assert (d.device_allocs, 0);
%!     assert (d.device_bytes, 0);
%!   endif
%! endfor

%!function k = second_of (f, x, dim)
%!  [~, k] = f (x, [], dim);
%!  k = gather (k);
%!endfunction

%!function n = bytes_of (x)
%!  n = whos ("x").bytes;
%!endfunction

%!function y = intmax_of (x)
%!  y = true;
%!  if (! islogical (x))
%!    y = intmax (class (x));
%!  endif
%!endfunction

%!function y = intmin_of (x)
%!  y = false;
%!  if (! islogical (x))
%!    y = intmin (class (x));
%!  endif
%!endfunction

%!function [gW, gb, gc] = autoencoder_step (X, W, b, c)
%!  h = 1 ./ (1 + exp (-(X * W + b)));      z = 1 ./ (1 + exp (-(h * W' + c)));
%!  delta_o = -(X - z) .* z .* (1 - z);     delta_h = (delta_o * W) .* h .* (1 - h);
%!  gW = X' * delta_h + delta_o' * h;
%!  gb = sum (delta_h, 1);                  gc = sum (delta_o, 1);
%!endfunction

%!function v = gathered_step (varargin)
%!  [gW, gb, gc] = autoencoder_step (varargin{:});
%!  [gW, gb, gc] = gather (gW, gb, gc);
%!  v = {gW, gb, gc};
%!endfunction

%!testif ; device ()
%! ## no more launches than products and 6
%! arg = {rand(30, 20), 0.1 * randn(20, 8), zeros(1, 8), zeros(1, 20)};
%! lazy = cellfun (@symarray, arg, "UniformOutput", false);
%! [d, got] = counted (@() gathered_step (lazy{:}));
%! want = cell (1, 3);
%! [want{:}] = autoencoder_step (arg{:});
%! for i = 1:3
%!   assert (got{i}, want{i}, 1e-13);
%! endfor
%! products = 5;
%! assert (d.launches <= products + 6, "%d launches", d.launches);
%! assert (d.foreign, 0);

%!# Octave joins the two operations in functions, not in function handles
%!function y = square (x, k)
%!  switch (k)
%!    case 1
%!      y = x' * x;
%!    case 2
%!      y = x * x';
%!    case 3
%!      y = x.' * x;
%!  endswitch
%!endfunction

%!testif ; device ()
%! ## x' * x is symmetric to the bit, as Octave's
%! for z = {rand(9, 7), single(rand (9, 7)), rand(9, 7) + 1i * rand(9, 7)}
%!   x = symarray (z{1});
%!   for k = 1:3
%!     [d, g] = counted (@() gather (square (x, k)));
%!     assert (g, square (z{1}, k), 20 * eps (class (z{1})));
%!     assert (real (g), transpose (real (g)));
%!     assert (d.launches, 2 + iscomplex (z{1}));
%!   endfor
%! endfor

%!function n = computed (x)
%!  __symgpu_device__ ("compute", x);
%!  n = 1;
%!endfunction

%!testif ; device ()
%! ## values that nobody looks at stay there
%! a = symarray (rand (30));
%! x = a + 1;
%! d = counted (@() computed (x));
%! y = x * 2;
%! d = counted (@() computed (y));
%! assert ([d.downloaded, d.uploaded <= 64], [0, 1]);
%! assert (gather (y), (gather (a) + 1) * 2);
%! assert (gather (y, "native"), gather (y));

%!testif ; device ()
%! ## a value that was computed there, looked at by all others
%! A = rand (4, 5) - 0.5;
%! old = symbackend ("cuda");
%! unwind_protect
%!   x = symarray (A) * 2;
%!   __symgpu_device__ ("compute", x);
%!   symbackend ("cpu");
%!   assert (gather (x + 1), 2 * A + 1);
%!   assert (gather (x - 1, "native"), 2 * A - 1);
%!   assert (x(2,3), 2 * A(2,3));
%!   assert (gather (sqrt (x)), sqrt (2 * A));
%!   assert (sprintf ("%g", x), sprintf ("%g", 2 * A));
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect

%!testif ; device ()
%! ## roots of negative numbers, on the device
%! A = [4 -9; 16 25]; x = symarray (A);
%! [d, y] = counted (@() gather (sqrt (x) + 1));
%! assert (y, sqrt (A) + 1);
%! assert (d.redone, 1);

%!# numbers at which arithmetic of 64 bits turns, then others of all sizes
%!function [w, d] = turning_points (cls)
%!  i = @(v) feval (cls, v);
%!  m = intmax (cls);
%!  w = [m, m-1, m-2, m/2, m/2+1, m/2-1, m/3, m-1024, m-512, i(0:5), i(2 .^ [31 32 33 52 53 54 61 62]), ...
%!       i(2 .^ [31 32 52 53 54 62]) + 1, i(2 .^ [31 53 62]) - 1];
%!  if (strcmp (cls, "int64"))
%!    w = [w, -w, intmin("int64"), intmin("int64")+1];
%!  else
%!    w = [w, i(2 ^ 63), i(2 ^ 63) + 1, i(2 ^ 63) - 1];
%!  endif
%!  r = mod (997 * (1:60) .^ 3, 1009) / 1009;
%!  w = [w, i(2 .^ (64 * r(1:30)) .* r(31:60))];
%!  d = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 1/3, 1e-3, 1e-20, eps, realmin, 1e300, realmax, Inf, ...
%!       2 .^ [31 32 52 53 62 63 64 65], 2 ^ 63 - 1024, 2 ^ 64 - 2048, 2 ^ 63 + 2048, ...
%!       1 + eps, 1 - eps / 2, 0.5 - eps / 4, 0.5 + eps / 2, 1.5 * 2 ^ 63, 1e18 + 0.5, 4503599627370495.5, ...
%!       2 .^ (130 * r(1:20) - 65) .* r(21:40)];
%!  d = [d, -d, NaN];
%!endfunction

%!testif ; device ()
%! ## integers of 64 bits: arithmetic and comparisons, by kernels, with Octave's bits
%! for cls = {"int64", "uint64"}
%!   [w, d] = turning_points (cls{1});
%!   s = single (d(abs (d) < 1e30));
%!   for f = {@plus, @minus, @times, @rdivide, @ldivide, @lt, @le, @eq, @ge, @gt, @ne, @max, @min}
%!     for a = {{w, w'}, {w, d'}, {d, w'}, {w, s'}, {w', true}, {w(1), d}, {w, 0.3}}
%!       [x, y] = a{1}{:};
%!       [c, g] = counted (@() gather (f{1} (symarray (x), symarray (y))));
%!       assert (g, f{1} (x, y));
%!       assert ([c.launches, c.foreign], [1, 0]);
%!     endfor
%!   endfor
%! endfor

%!testif ; device ()
%! ## integers of 64 bits with others; truth, signs, conversions
%! i = turning_points ("int64"); [u, d] = turning_points ("uint64");
%! x = symarray (i); y = symarray (u');
%! for f = {@lt, @le, @eq, @ge, @gt, @ne}
%!   assert (counted (@() gather (f{1} (x, y))).foreign, 0);
%!   assert (gather (f{1} (x, y), "cuda"), f{1} (i, u'));
%!   assert (gather (f{1} (y, x), "cuda"), f{1} (u', i));
%!   n = int32 ([-5, 0, 3, intmax("int32"), intmin("int32")])';
%!   assert (gather (f{1} (x, symarray (n)), "cuda"), f{1} (i, n));
%! endfor
%! for f = {@uminus, @uplus, @abs, @sign, @fix, @floor, @ceil, @round, @real, @imag, @conj, @isnan, ...
%!          @isinf, @isfinite, @not, @double, @single, @logical, @int8, @int16, @int32, @int64, @uint8, ...
%!          @uint16, @uint32, @uint64}
%!   for v = {i, u}
%!     [c, g] = counted (@() gather (f{1} (symarray (v{1}))));
%!     assert (g, f{1} (v{1}));
%!     assert (c.foreign, 0);
%!   endfor
%! endfor
%! for v = {d, single(d), int8([-3 3]), [true false]}
%!   for f = {@int64, @uint64}
%!     [c, g] = counted (@() gather (f{1} (symarray (v{1}))));
%!     assert (g, f{1} (v{1}));
%!     assert (c.foreign, 0);
%!   endfor
%! endfor
%! assert (gather (x & flip (x), "cuda"), i & flip (i));
%! assert (gather (x | (x > 3), "cuda"), i | (i > 3));
%! z = x; z(x > 3) = 2.5; w = i; w(i > 3) = 2.5;
%! assert (gather (z, "cuda"), w);
%! assert (gather (merge (x > 3, x, flip (x)), "cuda"), merge (i > 3, i, flip (i)));

%!testif ; device ()
%! ## integers of 64 bits: values that stay on the device, chains, more dimensions
%! a = reshape (int64 (2) ^ 62 + int64 (1:60), 3, 4, 5); b = reshape (int64 (1:12), 1, 4, 3)(:,:,[1 2 3 1 2]);
%! x = symarray (a); y = symarray (b);
%! [c, g] = counted (@() gather ((x + y) .* 0.75 - x(:,[2 1 4 3],:)));
%! assert (g, (a + b) .* 0.75 - a(:,[2 1 4 3],:));
%! assert ([c.foreign, c.downloaded], [0, 8 * numel(a)]);
%! [c, g] = counted (@() gather (sum (double (x - y)) .* 2));
%! assert (g, sum (double (a - b)) .* 2);
%! assert (c.foreign, 0);

%!testif ; device ()
%! ## integers of 64 bits: along lines, short and long ones, many and few
%! for cls = {"int64", "uint64"}
%!   w = turning_points (cls{1});
%!   n = numel (w);
%!   for k = {w(1:30), w(1:30)', reshape(w(mod (7 * (1:600), n) + 1), 20, 30), ...
%!            reshape(w(mod (7 * (1:60000), n) + 1), 2, []), w(mod (11 * (1:100000), n) + 1)', ...
%!            reshape(w(mod (7 * (1:3000), n) + 1), 10, 100, 3)}
%!     v = k{1};
%!     for dim = 1:2
%!       for f = {@(x) max(x, [], dim), @(x) min(x, [], dim), @(x) any(x, dim), @(x) all(x, dim), ...
%!                @(x) cummax(x, dim), @(x) cummin(x, dim), @(x) cumsum(x, dim), @(x) cumprod(x, dim)}
%!         [c, g] = counted (@() gather (f{1} (symarray (v))));
%!         assert (g, f{1} (v));
%!         assert (c.foreign, 0);
%!       endfor
%!       for f = {@sum, @sumsq}
%!         [c, g] = counted (@() gather (f{1} (symarray (v), dim)));
%!         most = f{1} (abs (double (v)), dim);
%!         assert (all ((abs (g - f{1} (v, dim)) <= max (4, size (v, dim)) * eps (most))(:)));
%!         assert (c.foreign, 0);
%!       endfor
%!       [c, g] = counted (@() gather (prod (symarray (v), dim)));
%!       assert (g, prod (v, dim));
%!       for f = {@max, @min}
%!         [c, g] = counted (@() second_of (f{1}, symarray (v), dim));
%!         [~, h] = f{1} (v, [], dim);
%!         assert (g, h);
%!         assert (c.foreign, 0);
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!function k = places_of (x, dim, mode)
%!  [~, k] = sort (x, dim, mode);
%!  k = gather (k);
%!endfunction

%!testif ; device ()
%! ## sort: equal elements, zeros of both signs, NaN, lines of all lengths, without the host
%! r = mod (997 * (1:2000) .^ 3, 1009);
%! for cls = {"double", "single", "logical", "int8", "uint16", "int32", "uint32", "int64", "uint64"}
%!   v = feval (cls{1}, mod (r, 23) - 8 * ! strcmp (cls{1}, "logical"));
%!   if (isfloat (v))
%!     v(1:7:end) = NaN; v(3:11:end) = -0; v(4:11:end) = 0; v([5 50 77]) = [Inf -Inf Inf];
%!   else
%!     v([2 600]) = intmax_of (v); v([3 700]) = intmin_of (v);
%!   endif
%!   for a = {v, v', v(1:7), v(1:8)', v(1:9), reshape(v, 50, 40), reshape(v, 5, 400), ...
%!            reshape(v, 10, 20, 10), v(1)}
%!     for dim = 1:ndims (a{1})
%!       for mode = {"ascend", "descend"}
%!         [s, k] = sort (a{1}, dim, mode{1});
%!         [c, g] = counted (@() gather (sort (symarray (a{1}), dim, mode{1})));
%!         assert (g, s);
%!         assert (1 ./ double (g), 1 ./ double (s));
%!         assert (c.foreign, 0);
%!         assert (c.downloaded, bytes_of (s) * (numel (s) > 1));
%!         assert (counted (@() places_of (symarray (a{1}), dim, mode{1})).foreign, 0);
%!         assert (places_of (symarray (a{1}), dim, mode{1}), k);
%!       endfor
%!     endfor
%!   endfor
%! endfor

%!# F with little memory; nothing on a device that has much even so
%!function [d, x] = with_little_memory (f)
%!  d = x = [];
%!  total = 0;
%!  for k = 1:gpuDeviceCount ()
%!    total = max (total, __symgpu_device__ ("info", k - 1).TotalMemory);
%!  endfor
%!  if (total > 2e9)
%!    return;
%!  endif
%!  old = symgpu_config ("memory", 1);
%!  warning ("off", "symgpu:device-memory", "local");
%!  unwind_protect
%!    [d, x] = counted (f);
%!  unwind_protect_cleanup
%!    symgpu_config ("memory", old);
%!  end_unwind_protect
%!endfunction

%!testif ; device ()
%! ## more than the device may hold: loops go over slices, with the same bits
%! A = reshape (mod (1:2e6, 1013) / 7 - 60, 2000, 1000); r = (1:1000) / 3; c = (1:2000)' / 7;
%! I = int16 (A * 100); Z = A + 1i * double (I);
%! x = symarray (A); y = symarray (I); z = symarray (Z);
%! for f = {@(x, y, z) x + 1, @(x, y, z) x .* r - c, @(x, y, z) y .* x + single(c), ...
%!          @(x, y, z) abs (z .* (1 + 2i)), @(x, y, z) x > r, @(x, y, z) exp (x / 100), ...
%!          @(x, y, z) sum (x .* r), @(x, y, z) max (x .* c), @(x, y, z) any (x > 40), @(x, y, z) prod (1 + x / 1e6), ...
%!          @(x, y, z) sum (z), @(x, y, z) sum (reshape (x + 1, 50, 8, 5000), 2)}
%!   [~, g] = counted (@() gather (f{1} (x, y, z)));
%!   [d, h] = with_little_memory (@() gather (f{1} (symarray (A + 0), symarray (I + 0), symarray (Z + 0))));
%!   if (! isempty (d))
%!     assert (h, g);
%!     assert ({class(h), iscomplex(h)}, {class(g), iscomplex(g)});
%!     assert (d.slices > 1 && d.launches == d.slices, func2str (f{1}));
%!   endif
%! endfor

%!function v = several (x)
%!  y = x + 1;
%!  s = max (y);
%!  v = cell (1, 3);
%!  [v{:}] = gather (y, s, sqrt (x));
%!endfunction

%!testif ; device ()
%! ## steps of one evaluation, results that stay, a loop that finds its argument to be negative
%! A = reshape (mod (1:2e6, 1013), 2000, 1000);
%! [d, v] = with_little_memory (@() several (symarray (A)));
%! if (! isempty (d))
%!   assert (v, {A + 1, max(A + 1), sqrt(A)});
%!   assert ([d.slices > 3, d.redone], [1, 0]);
%!   B = A; B(end) = -4;
%!   [d, v] = with_little_memory (@() several (symarray (B)));
%!   assert (v, {B + 1, max(B + 1), sqrt(B)});
%!   assert (d.redone, 1);
%! endif

%!testif ; device ()
%! ## what cannot be cut is done by the CPU
%! A = reshape (mod (1:2e6, 1013), 2000, 1000);
%! [d, v] = with_little_memory (@() gather (cumsum (symarray (A))));
%! if (! isempty (d))
%!   assert (v, cumsum (A));
%!   assert ([d.launches, d.slices], [0, 0]);
%! endif

%!test
%! ## without a GPU the error says which step failed, and all else works
%! s = symgpu_info ("cuda");
%! bad = find (strcmp ({s.state}, "failed"));
%! if (! isempty (bad))
%!   try
%!     symbackend ("cuda");
%!     error ("no error");
%!   catch e
%!     assert (e.identifier, "symgpu:no-cuda");
%!     assert (! isempty (strfind (e.message, s(bad).step)), "%s", e.message);
%!   end_try_catch
%!   fail ("gather (symarray (1) + 1, 'cuda')", "no usable GPU");
%! endif
%! assert (gather (symarray (1:3) + 1, "cpu"), 2:4);
