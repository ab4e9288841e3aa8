## fuzz_compare (PROG, GOT, EXACT): why GOT is not the outcome of PROG; "" if it is.  Without EXACT
## the tainted variables are compared with a tolerance.
function why = fuzz_compare (prog, got, exact)
  want = prog.outcome;
  why = "";
  if (! strcmp (want.message, got.message) || ! strcmp (want.identifier, got.identifier)
      || want.at != got.at)
    why = sprintf ("error '%s' (%s) in statement %d, expected '%s' (%s) in statement %d",
                   got.message, got.identifier, got.at, want.message, want.identifier, want.at);
    return;
  endif
  same = strcmp (want.print, got.print);
  if (all (same))
    return;
  endif
  for i = find (! (same(1:end-1) & same(end)))
    tol = 0;
    if (! exact && i <= numel (prog.taint))
      tol = prog.taint(i);
    endif
    why = compare_value (want.value{i}, got.value{i}, tol, prog);
    if (! isempty (why))
      why = sprintf ("variable %s: %s", [prog.name, {"m_"}]{i}, why);
      return;
    endif
  endfor
endfunction

function why = compare_value (a, b, taint, prog)
  why = "";
  c = class (a);
  if (! strcmp (c, class (b)) || ! size_equal (a, b)
      || (taint == 0 && iscomplex (a) != iscomplex (b)))
    why = sprintf ("is %s, expected %s", describe (b), describe (a));
  elseif ((isinteger (a) || islogical (a)) && all ((a == b)(:)))
    return;
  elseif (isfloat (a))
    if (taint == 0 && ! iscomplex (a))
      same = a == b;
      if (all (same(:)) && all ((1 ./ a == 1 ./ b)(:)))
        return;
      endif
    endif
    u = [real(a)(:); imag(a)(:)];
    v = [real(b)(:); imag(b)(:)];
    same = (u == v & 1 ./ u == 1 ./ v) | (isnan (u) & isnan (v));
    if (taint > 0 && ! all (same))
      tol = merge (taint == 2, 2e-3, 1e-9) * scale (prog);
      tol = max (tol, merge (taint == 2, 1e-4, 1e-11) * max ([0; abs(u(isfinite (u)))]));
      same |= abs (u - v) <= tol;
    endif
    k = find (! same, 1);
    if (! isempty (k))
      why = sprintf ("element %d is %.17g, expected %.17g", k, v(k), u(k));
    endif
  elseif (iscell (a))
    for i = 1:numel (a)
      why = compare_value (a{i}, b{i}, taint, prog);
      if (! isempty (why))
        why = sprintf ("element %d: %s", i, why);
        return;
      endif
    endfor
  elseif (isstruct (a))
    if (! isequal (fieldnames (a), fieldnames (b)))
      why = "has other fields";
    else
      why = compare_value (struct2cell (a), struct2cell (b), taint, prog);
    endif
  elseif (! isequal (a, b))
    if (ischar (a))
      why = sprintf ("is '%s', expected '%s'", b, a);
    elseif (isnumeric (a) || islogical (a))
      k = find (a(:) != b(:), 1);
      why = sprintf ("element %d is %d, expected %d", k, b(k), a(k));
    else
      why = "differs";
    endif
  endif
endfunction

function s = describe (x)
  s = [class(x), " ", strjoin(arrayfun (@num2str, size (x), "uniformoutput", false), "x")];
  if (iscomplex (x))
    s = ["complex ", s];
  endif
endfunction

## The largest number that the program meets.
function m = scale (prog)
  m = 1;
  for n = 0:numel (prog.text)
    out = fuzz_run (fuzz_join (prog.text(1:n)), prog.inputs);
    for v = out.value
      x = v{1};
      if (isnumeric (x))
        x = abs (double (x(isfinite (x))));
        x = x(x < 1e15);
        m = max ([m; x(:)]);
      endif
    endfor
  endfor
endfunction
