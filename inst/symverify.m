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
## @deftypefn  {} {} symverify (@var{x})
## @deftypefnx {} {} symverify (@var{x}, @var{backend}, @dots{})
## @deftypefnx {} {@var{s} =} symverify (@dots{})
## @deftypefnx {} {} symverify ("on")
## @deftypefnx {} {} symverify ("off")
## Check the backends against Octave, operation by operation of the expression @var{x}.
##
## Each operation is done by Octave's own function, which is the reference, and by each
## @var{backend}, by default all that can be used here: once with the operands of the reference
## (the local error) and once with those that the backend itself has found (the accumulated
## error).  For each operation the largest error is printed, in units in the last place of the
## reference, of reductions and products in those of the sum of the magnitudes, beside what the
## tables promise, and how many NaN, Inf and negative zeros are not the same, and how often class,
## size or complexity are not.  The first operation that breaks its promise is named, with its
## line and the element that is farthest off.
##
## With an output nothing is printed and a struct is returned:
##
## @table @code
## @item ok
## true if all promises were kept
## @item operations
## a struct array, for each backend and operation: @code{backend}, @code{op}, @code{count},
## @code{local} and @code{accumulated} (ulp), @code{promise}, @code{nan}, @code{inf},
## @code{negzero}, @code{kind} (counts of differences), @code{worst} (a struct: @code{element},
## @code{operands}, @code{reference}, @code{value}, @code{place})
## @item first
## the first operation that broke its promise: a struct with @code{backend}, @code{op},
## @code{place} and @code{text} (the line that made it), @code{ulp}, @code{worst}; or empty
## @end table
##
## @qcode{"on"} does this at every evaluation, before it, until @qcode{"off"}; one that breaks a
## promise is then the error @code{symgpu:divergence}.  All values are kept until the end of a
## check, and it is slow: for looking for faults.
##
## @example
## @group
## x = symarray (rand (10));
## s = symverify (sum (exp (x) * x));
## s.ok
##   @result{} 1
## @end group
## @end example
## @seealso{gather, symexplain, symdump}
## @end deftypefn

function s = symverify (x, varargin)
  if (nargin < 1 || ! (iscellstr (varargin) || isempty (varargin)))
    print_usage ();
  endif
  if (ischar (x))
    if (nargin > 1 || ! any (strcmp (x, {"on", "off"})))
      print_usage ();
    endif
    __symgpu_verify__ (strcmp (x, "on"));
    return;
  endif
  if (! (isnumeric (x) || islogical (x)))
    error ("symgpu:bad-class", "symverify: X must be a symarray or a full array, not a value of class %s", class (x));
  endif
  backends = varargin;
  if (isempty (backends))
    backends = setdiff (symgpu_info ().available, {"native"});
  endif
  r = verify (__symgpu_nodes__ (x), backends);
  if (nargout > 0)
    s = r;
  else
    report (r);
  endif
endfunction

## ---- the check -----------------------------------------------------------------------------

## What is computed meanwhile keeps its expression: it is part of what is looked at.
function r = verify (g, backends)
  old = {symgpu_config("history_nodes", 1e9), symgpu_config("history_bytes", 1e15)};
  unwind_protect
    r = verify_all (g, backends);
  unwind_protect_cleanup
    symgpu_config ("history_nodes", old{1});
    symgpu_config ("history_bytes", old{2});
  end_unwind_protect
endfunction

function r = verify_all (g, backends)
  n = numel (g);
  ref = cell (1, n);
  for k = 1:n
    if (strcmp (g(k).id, "LEAF"))
      ref{k} = g(k).value;
    else
      ref{k} = __symgpu_apply__ (g(k).node, ref(g(k).in), "native");
    endif
  endfor
  r = struct ("ok", true, "operations", struct ([]), "first", []);
  for b = backends
    r = verify_backend (r, g, ref, b{1});
  endfor
endfunction

function r = verify_backend (r, g, ref, backend)
  own = ref;
  rows = struct ();
  for k = find (! strcmp ({g.id}, "LEAF"))
    in = ref(g(k).in);
    value = __symgpu_apply__ (g(k).node, in, backend);
    if (all (cellfun (@same, own(g(k).in), in)))
      own{k} = value;
    else
      own{k} = __symgpu_apply__ (g(k).node, own(g(k).in), backend);
    endif
    scale = magnitudes (g(k), in);
    d = difference (ref{k}, value, scale);
    d.accumulated = difference (ref{k}, own{k}, scale).ulp;
    promise = promise_of (g(k), in, backend);
    d.worst = worst_element (g(k), in, ref{k}, value, d);
    rows = add_row (rows, g(k), backend, promise, d);
    if (d.kind || d.nan || d.inf || d.ulp > promise)
      r.ok = false;
      if (isempty (r.first))
        r.first = struct ("backend", backend, "op", g(k).op, "place", g(k).place, ...
                          "text", g(k).origin.text, "ulp", d.ulp, "worst", d.worst);
      endif
    endif
  endfor
  for name = fieldnames (rows)'
    r.operations = [r.operations, rows.(name{1})];
  endfor
endfunction

function rows = add_row (rows, node, backend, promise, d)
  if (! isfield (rows, node.id))
    rows.(node.id) = struct ("backend", backend, "op", node.op, "count", 0, "local", 0, ...
                             "accumulated", 0, "promise", promise, "nan", 0, "inf", 0, ...
                             "negzero", 0, "kind", 0, "worst", d.worst);
  endif
  row = rows.(node.id);
  row.count++;
  row.promise = max (row.promise, promise);
  if (d.ulp > row.local)
    row.worst = d.worst;
  endif
  row.local = max (row.local, d.ulp);
  row.accumulated = max (row.accumulated, d.accumulated);
  for f = {"nan", "inf", "negzero", "kind"}
    row.(f{1}) += d.(f{1});
  endfor
  rows.(node.id) = row;
endfunction

## ---- differences -----------------------------------------------------------------------------

function tf = same (a, b)
  tf = strcmp (class (a), class (b)) && size_equal (a, b) && iscomplex (a) == iscomplex (b) ...
       && isequal (typecast_all (a), typecast_all (b));
endfunction

## The bits of a value, so that NaN are equal and zeros differ by their sign.
function bits = typecast_all (a)
  a = a(:);
  if (iscomplex (a))
    a = [real(a); imag(a)];
  endif
  if (islogical (a))
    bits = a;
  else
    bits = typecast (a, "uint8");
  endif
endfunction

## What an ulp is measured in: NaN the result itself; reductions and products may add in another
## order, so that their last place is that of the sum of the magnitudes.
function scale = magnitudes (node, in)
  scale = NaN;
  if (! any (strcmp (node.class, {"double", "single"})))
    return;
  endif
  switch (node.id)
    case {"SUM", "SUMSQ", "DOT", "NORM"}
      m = cellfun (@(x) max ([0; abs(double (x(isfinite (x))))(:)]), in);
      count = numbers_in (node, in);
      switch (node.id)
        case "SUM"
          scale = count * m(1);
        case "DOT"
          scale = count * m(1) * m(2);
        case "SUMSQ"
          scale = count * m(1) ^ 2;
        otherwise
          scale = sqrt (count) * m(1);
      endswitch
    case "MTIMES"
      m = cellfun (@(x) max ([0; abs(double (x(isfinite (x))))(:)]), in);
      scale = max (size (in{1})) * m(1) * m(2);
  endswitch
endfunction

## How many numbers a reduction makes one of.
function n = numbers_in (node, in)
  n = numel (in{1}) / max (prod (node.size), 1);
endfunction

## The BLAS may add in another order than Octave's with other threads.  Octave adds one number
## after the other: the error of each addition may have the same sign.
function p = promise_of (node, in, backend)
  p = node.ulp.(backend);
  switch (node.id)
    case "MTIMES"
      if (any (strcmp (node.class, {"double", "single"})))
        p = 4;
      endif
    case {"SUM", "SUMSQ", "DOT", "NORM"}
      p = max (p, numbers_in (node, in));
  endswitch
endfunction

function d = difference (a, b, scale)
  d = struct ("ulp", 0, "nan", 0, "inf", 0, "negzero", 0, "kind", 0, "element", 0);
  if (! strcmp (class (a), class (b)) || ! size_equal (a, b) || iscomplex (a) != iscomplex (b))
    d.kind = 1;
    d.ulp = Inf;
    return;
  endif
  if (isempty (a))
    return;
  endif
  if (! isfloat (a))
    differs = a(:) != b(:);
    d.ulp = ifelse_ (any (differs), Inf, 0);
    d.element = find ([differs; true], 1) * any (differs);
    return;
  endif
  u = parts_difference (real (a)(:), real (b)(:), abs (a(:)), scale);
  v = parts_difference (imag (a)(:), imag (b)(:), abs (a(:)), scale);
  d.nan = sum (isnan (a(:)) != isnan (b(:)));
  d.inf = sum (isinf (a(:)) != isinf (b(:)) & ! near_limit (a(:), b(:)));
  d.negzero = sum (signbit_of_zero (real (a(:))) != signbit_of_zero (real (b(:))));
  [d.ulp, k] = max (max (u, v));
  d.element = k * (d.ulp > 0);
endfunction

function u = parts_difference (a, b, size_, scale)
  step = eps (cast (size_, class (a)));
  if (! isnan (scale))
    step = max (step, eps (cast (scale, class (a))));
  endif
  u = double (abs (a - b)) ./ double (step);
  u(a == b | ! isfinite (a) | ! isfinite (b)) = 0;
endfunction

## A value may be one step below or above the largest.
function tf = near_limit (a, b)
  limit = realmax (class (a)) * (1 - 4 * eps);
  tf = (isinf (a) & abs (b) > limit) | (isinf (b) & abs (a) > limit);
endfunction

function tf = signbit_of_zero (x)
  tf = x == 0 & 1 ./ x < 0;
endfunction

function v = ifelse_ (condition, a, b)
  v = b;
  if (condition)
    v = a;
  endif
endfunction

## ---- the element that is farthest off ----------------------------------------------------------

function w = worst_element (node, in, a, b, d)
  w = struct ("element", d.element, "operands", {{}}, "reference", [], "value", [], ...
              "place", node.place);
  if (d.element == 0)
    return;
  endif
  w.reference = a(d.element);
  w.value = b(d.element);
  if (strcmp (node.family, "elementwise"))
    w.operands = cellfun (@(x) operand_at (x, size (a), d.element), in, "UniformOutput", false);
  endif
endfunction

## The element of an operand that is repeated to the size of the result.
function v = operand_at (x, dims, k)
  [at{1:numel(dims)}] = ind2sub (dims, k);
  sx = size (x);
  sx(end+1:numel (dims)) = 1;
  for i = 1:numel (dims)
    at{i} = min (at{i}, sx(i));
  endfor
  v = x(at{:});
endfunction

## ---- the report ---------------------------------------------------------------------------------

function report (r)
  printf ("%-8s %-12s %6s %10s %12s %8s  %s\n", "backend", "operation", "count", "local ulp", ...
          "accumulated", "promise", "differences of NaN, Inf, -0, kind");
  for row = r.operations
    printf ("%-8s %-12s %6d %10.3g %12.3g %8g  %d, %d, %d, %d\n", row.backend, row.op, row.count, ...
            row.local, row.accumulated, row.promise, row.nan, row.inf, row.negzero, row.kind);
  endfor
  if (r.ok)
    puts ("all operations keep their promise\n");
  else
    puts ([divergence_text(r.first), "\n"]);
  endif
endfunction

%!# an expression of operations of all families, and a wrong operation
%!function x = sample ()
%!  a = symarray (reshape (sin (1:12), 3, 4), "a");
%!  b = symarray (int8 ([100 -100 7 3]), "b");
%!  h = 1 ./ (1 + exp (-a * a'));
%!  x = sum (cumsum (h(:,1:2) .* 3, 2), 1)' + double (b(1:2) .* 2)' + sort (max (a, [], 1)(1:2))';
%!endfunction

%!function s = with_fault (fault, f)
%!  old = symgpu_config ("fault", fault);
%!  unwind_protect
%!    s = f ();
%!  unwind_protect_cleanup
%!    symgpu_config ("fault", old);
%!  end_unwind_protect
%!endfunction

%!test # all is well
%! s = symverify (sample ());
%! assert (s.ok);
%! assert (isempty (s.first));
%! assert (all ([s.operations.local] <= [s.operations.promise]));
%! ops = {s.operations(strcmp ({s.operations.backend}, "cpu")).op};
%! assert (sort (ops), sort ({"rdivide", "plus", "exp", "uminus", "mtimes", "sum", "cumsum", ...
%!                     "index", "index", "times", "ctranspose", "double", "sort", "max"}(unique ...
%!                     ([1:8, 10:14]))));

%!test # planted faults, of each operation of the expression, are found and named
%! for op = {"exp", "plus", "mtimes", "sum", "cumsum", "sort", "max", "double", "index"}
%!   s = with_fault (["cpu:", op{1}], @() symverify (sample (), "cpu"));
%!   assert (s.ok, false, op{1});
%!   assert (s.first.op, op{1});
%!   assert (s.first.backend, "cpu");
%!   assert (! isempty (regexp (s.first.place, '^sample:\d+$')), op{1});
%! endfor
%! s = with_fault ("cpu:exp", @() symverify (sample (), "cpu"));
%! assert (s.first.text, "h = 1 ./ (1 + exp (-a * a'))");
%! assert (s.first.worst.element, 1);
%! assert (s.first.worst.value, 1.25 * s.first.worst.reference + 2^-40, eps);
%! assert (exp (s.first.worst.operands{1}), s.first.worst.reference, 2 * eps);
%! k = strcmp ({s.operations.op}, "rdivide");
%! assert (s.operations(k).local, 0);
%! assert (s.operations(k).accumulated > 1e6);

%!test # the report
%! t = with_fault ("cpu:exp", @() evalc ("symverify (sample (), 'cpu')"));
%! assert (! isempty (regexp (t, 'does not: exp on cpu, made at sample:\d+ \(h = 1 \./')), t);
%! t = evalc ("symverify (sample (), 'cpu')");
%! assert (! isempty (strfind (t, "all operations keep their promise")), t);

%!test # at every evaluation
%! old = symbackend ("cpu");
%! symverify ("on");
%! unwind_protect
%!   assert (gather (sample ()), gather (sample (), "native"), 1e-12);
%!   e = [];
%!   try
%!     with_fault ("cpu:cumsum", @() gather (sample ()));
%!   catch e
%!   end_try_catch
%!   assert (e.identifier, "symgpu:divergence");
%!   assert (! isempty (strfind (e.message, "cumsum on cpu, made at sample:")), e.message);
%! unwind_protect_cleanup
%!   symverify ("off");
%!   symbackend (old);
%! end_unwind_protect
%! with_fault ("cpu:cumsum", @() gather (sample ()));

%!test # complex values, special values, empty ones, single
%! z = symarray ([1+2i, -3i, NaN, Inf]);
%! assert (symverify (exp (z) .* z ./ (z + 1)).ok);
%! assert (symverify (sqrt (symarray ([-1 2 NaN -0 Inf])) * 2).ok);
%! assert (symverify (sum (symarray (zeros (0, 3)) + 1)).ok);
%! assert (symverify (tanh (symarray (single (-3:0.1:3)))).ok);
%! assert (symverify (symarray ([1 2])).ok);

%!test # a number, of whose expression nothing is kept once it is known
%! old = {symgpu_config("history_nodes", 1), symgpu_config("history_bytes", 1)};
%! unwind_protect
%!   x = symarray (linspace (0.5, 2, 1e4));
%!   s = symverify (x - -2 * sum (log (x)));
%!   assert (s.ok);
%!   for b = unique ({s.operations.backend})
%!     ops = {s.operations(strcmp ({s.operations.backend}, b)).op};
%!     assert (ops, {"log", "sum", "times", "minus"});
%!   endfor
%!   assert (symgpu_config ("history_nodes"), 1);
%!   assert (symgpu_config ("history_bytes"), 1);
%! unwind_protect_cleanup
%!   symgpu_config ("history_nodes", old{1});
%!   symgpu_config ("history_bytes", old{2});
%! end_unwind_protect

%!test # Octave adds one number after the other, whose errors may add up
%! x = symarray (repmat (0.1, 1e5, 2));
%! for f = {@sum, @sumsq, @(x) dot(x, x), @(x) norm(x(:))}
%!   s = symverify (f{1} (x));
%!   assert (s.ok);
%!   assert ([s.operations.local] <= [s.operations.promise]);
%! endfor
%! exact = 0.1 * 1e5;
%! assert (gather (sum (x)(1), "cpu"), exact, 8 * eps (exact));

%!error <Invalid call to symverify> symverify ()
%!error <Invalid call to symverify> symverify ("maybe")
%!error <Invalid call to symverify> symverify (symarray (1), 2)
%!assert (symverify (1, "cpu").ok)
%!error id=symgpu:bad-class symverify ({})
%!error id=symgpu:unknown-backend symverify (symarray ([1 2]) + 1, "abacus")
