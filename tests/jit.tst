## Loops that are compiled: the bits of the interpreter, on disk for the next session, and the
## interpreter where something is missing.

%!function [same, n] = both (f, varargin)
%!  names = {"jit", "small", "backend"};
%!  old = cellfun (@symgpu_config, names, "uniformoutput", false);
%!  x = cellfun (@symarray, varargin, "uniformoutput", false);
%!  unwind_protect
%!    symgpu_config ("small", 0);
%!    symgpu_config ("backend", "cpu");
%!    symgpu_config ("jit", 0);
%!    a = gather (f (x{:}));
%!    n = symgpu_info ("counters").loops_compiled;
%!    symgpu_config ("jit", "sync");
%!    b = gather (f (x{:}));
%!    n = symgpu_info ("counters").loops_compiled - n;
%!  unwind_protect_cleanup
%!    cellfun (@symgpu_config, names, old, "uniformoutput", false);
%!  end_unwind_protect
%!  same = strcmp (class (a), class (b)) && iscomplex (a) == iscomplex (b) && isequaln (a, b);
%!  if (isfloat (a))    # zeros have signs
%!    same = same && isequaln (1 ./ real (a), 1 ./ real (b)) && isequaln (1 ./ imag (a), 1 ./ imag (b));
%!  endif
%!endfunction
%!function k = orbit (c, k, f)
%!  z = c;
%!  for i = 1:4
%!    z = f (z, c);
%!    k = k + (abs (z) < 2);
%!  endfor
%!endfunction
%!function yes = has_compiler ()
%!  yes = exist (symgpu_info ().compiler, "file") > 0;
%!endfunction
%!function x = special (n, m)
%!  v = [0, -0, 1, -1, Inf, -Inf, NaN, realmin, -realmax, eps, 0.5, -2.5, 1e5, 3];
%!  x = reshape (v(mod (7 * (0:n*m-1), numel (v)) + 1), n, m);
%!endfunction

## Operations by table, on classes and special values.  Sizes that are no multiples of a vector.
%!testif ; has_compiler ()
%! a = special (61, 23);
%! b = special (23, 61)';
%! fs = { ...
%!   @(a, b) ((a + b) .* a - b) ./ (a - 1), @(a, b) -a + abs (b) - sign (a), @(a, b) max (a, b) - min (b, a), ...
%!   @(a, b) (a > b) + (a <= b) .* (a != b), @(a, b) fix (a) + floor (b) .* ceil (a) - round (b), ...
%!   @(a, b) isnan (a) | isinf (b) & ! isfinite (a), @(a, b) a .^ 2 + b .^ 3 - a .^ -1, ...
%!   @(a, b) exp (a + 1) .* b + log (abs (b) + 1), @(a, b) sum (a .* b + 1), @(a, b) cumsum (a .* 2 - b), ...
%!   @(a, b) [max(a - b, [], 2), min(a + b, [], 2)], @(a, b) a(2:end-1,:) - 2 * a(1:end-2,:) + b(3:end,:), ...
%!   @(a, b) a(:,[3, 1]) + b(:,1) .* a(1,1), @(a, b) a - a(1,:) + b(:,2) * 3, @(a, b) any (a - b > 2) + all (a + b)};
%! for f = fs
%!   for in = {{a, b}, {single(a), b}, {single(a), single(b)}}
%!     [same, n] = both (f{1}, in{1}{:});
%!     assert (same, "%s of %s", func2str (f{1}), class (in{1}{1}));
%!   endfor
%! endfor
%! assert (n, 1);

## Singles and doubles in one loop, on both sides of calls: a block of one size is not written
## while elements of the other are still read from it.
%!testif ; has_compiler ()
%! c = complex (single (mod (0:4999, 17) / 4 - 2), single (mod (0:4999, 13) / 3 - 2));
%! k = double (real (c)) / 3;
%! fs = {@(c, k) orbit (c, k, @(z, c) z + c), @(c, k) orbit (c, k, @(z, c) z .^ 2 + c), ...
%!       @(c, k) orbit (real (c), k, @(z, x) exp (z / 9) + x), ...
%!       @(c, k) k + (abs (c + c) < 2) + (abs (c + c + c) < 2), ...
%!       @(c, k) (k + (exp (real (c)) < 2)) .* (sin (imag (c)) > k), ...
%!       @(c, k) single (exp (k) < 3) .* exp (real (c) + 1) + single (sin (k) .* 3), ...
%!       @(c, k) k + (abs (c .^ 2 + c) < 2) + (abs ((c .^ 2 + c) .^ 2 + c) < 2) + (arg (c - 1) > 0)};
%! for f = fs
%!   assert (both (f{1}, c, k), "%s", func2str (f{1}));
%!   assert (gather (f{1} (symarray (c), symarray (k)), "cpu"), f{1} (c, k), -8 * eps ("single"));
%! endfor

%!testif ; has_compiler ()
%! i = reshape (mod (0:1402, 255) - 128, 61, 23);
%! for c = {"int8", "uint8", "int16", "uint16", "int32", "uint32"}
%!   x = cast (i, c{1});
%!   y = cast (fliplr (i) * 200, c{1});
%!   assert (both (@(x, y) x + y / 2 - 3, x, y), true);
%!   assert (both (@(x, y) (x .* 0.75 + 1) > y, x, y), true);
%!   assert (both (@(x, y) abs (x) - y .* 2, x, double (y)), true);
%!   assert (both (@(x, y) double (x) + 0.5, x, y), true);
%! endfor
%! l = i > 3;
%! assert (both (@(l, i) ! l | i < 0 & l, l, i), true);
%! assert (both (@(l, i) l + i .* l - 1, l, single (i)), true);

%!testif ; has_compiler ()
%! z = complex (special (61, 23), special (23, 61)');
%! w = complex (special (61, 23)', 1)';
%! fs = {@(z, w) z + w - 2, @(z, w) z .* 2 - real (w) ./ 3, @(z, w) conj (z) + imag (w), @(z, w) (z == w) | (z != 1),
%!       @(z, w) z .* w + 1, @(z, w) abs (z + 1) < 2, @(z, w) round (z) - fix (w), @(z, w) sum (z - w)};
%! for f = fs
%!   assert (both (f{1}, z, w), "%s", func2str (f{1}));
%!   assert (both (f{1}, single (z), w), "%s", func2str (f{1}));
%! endfor

## A guard that is hit, and one that is not: of the first one in the program, whatever its segment.
%!testif ; has_compiler ()
%! x = linspace (-1, 5, 1403);
%! for f = {@(x) sqrt (x) + 1, @(x) sqrt (x + 2) - log (x), @(x) (x .^ 0.5 + 2) .* 3, @(x) asin (x - 1) + x, @(x) sqrt (x + 1) .* 2}
%!   [same, n] = both (f{1}, x);
%!   assert (same, "%s", func2str (f{1}));
%!   assert (n >= 1);
%! endfor

## The same plan with another exponent: what was compiled for a square does not serve.
%!testif ; has_compiler ()
%! x = symarray (linspace (-2, 2, 1403));
%! old = symgpu_config ("jit", "sync");
%! unwind_protect
%!   for e = [2, 3, 2, -1, 0.5, 2, 4]
%!     g = x .^ symarray (e) + 1;
%!     assert (gather (g, "cpu"), gather (g, "native"), -4 * eps);
%!   endfor
%! unwind_protect_cleanup
%!   symgpu_config ("jit", old);
%! end_unwind_protect

## A loop is compiled in the background once it has done enough; symexplain tells.
%!testif ; has_compiler () && strcmp (symbackend (), "cpu")
%! a = symarray (rand (300));
%! f = @() (a + 1) .* a - a ./ 3 + abs (a - 0.25);
%! want = gather (f (), "native");
%! start = now ();
%! do
%!   assert (gather (f ()), want);
%! until (symexplain (f ()).steps.compiled || (now () - start) * 86400 > 60)
%! assert (symexplain (f ()).steps.compiled);
%! assert (gather (f ()), want);
%! assert (! isempty (strfind (evalc ("symexplain (f ())"), "elements, compiled")));
%! t = symsource (f ());
%! assert (! isempty (strfind (t, "compiled, but for what it calls, as")), t);
%! assert (! isempty (strfind (t, "sg_s0 (long n")), t);

## Without a compiler, with a compiler that fails and with one that makes no library, the interpreter
## goes on.
%!test
%! old = symgpu_config ();
%! x = symarray (rand (40));
%! unwind_protect
%!   symgpu_config ("jit", "sync");
%!   symgpu_config ("cache", "off");
%!   compilers = {"/no/such/compiler", "/bin/false", "/bin/true", "cc"};
%!   fs = {@(x) x .* 3 + x - 7, @(x) x ./ 3 - x + 7, @(x) x - 3 .* x + 7, @(x) x + 3 - x ./ 7};
%!   for k = 1:4
%!     symgpu_config ("compiler", compilers{k});
%!     assert (gather (fs{k} (x)), gather (fs{k} (x), "native"));
%!     assert (symexplain (fs{k} (x)).steps.compiled, false);
%!   endfor
%!   assert (symgpu_info ().compiler, "the setting compiler names no program");
%! unwind_protect_cleanup
%!   symgpu_config ("jit", old.jit);
%!   symgpu_config ("cache", old.cache);
%!   symgpu_config ("compiler", old.compiler);
%! end_unwind_protect
