## exact_errors (FILE, BACKENDS): the largest error of each function of tests/exact.txt on each
## backend, in units in the last place of the exact value, and against Octave's own result; as a
## struct array with the fields name, class, exact and octave (a column for each backend), argument
## (where the first backend is farthest from the exact value).  Where Octave's own result is more
## than 3 last places from the exact value, as that of cos at one argument, it is no measure.

function s = exact_errors (file, backends)
  fid = fopen (file);
  c = textscan (fid, "%s %s %s %s %f");
  fclose (fid);
  classes = {"double", "single"};
  digits_ = cellfun ("length", c{2});
  s = struct ("name", {}, "class", {}, "exact", {}, "octave", {}, "argument", {});
  for class_ = classes
    for name = unique (c{1}, "stable")'
      rows_ = strcmp (c{1}, name{1}) & digits_ == 2 * sizeof (cast (0, class_{1}));
      s(end+1) = errors_of (name{1}, class_{1}, cellfun (@(x) x(rows_), c, "UniformOutput", false), ...
                            backends);
    endfor
  endfor
endfunction

function s = errors_of (name, class_, c, backends)
  args = {hex2num(c{2}, class_)};
  if (! strcmp (c{3}{1}, "-"))
    args{2} = hex2num (c{3}, class_);
  endif
  exact = hex2num (c{4}, class_);
  step = eps (exact);
  own = feval (name, args{:});
  s = struct ("name", name, "class", class_, "exact", [], "octave", [], "argument", []);
  for b = 1:numel (backends)
    x = cellfun (@symarray, args, "UniformOutput", false);
    got = gather (feval (name, x{:}), backends{b});
    d = double (abs ((got - exact) ./ step - c{5}));
    [s.exact(b), at] = max (d);
    if (b == 1)
      s.argument = cellfun (@(a) a(at), args);
    endif
    e = double (abs (got - own) ./ eps (own));
    e(got == own | abs ((own - exact) ./ step) > 3) = 0;
    s.octave(b) = max (e);
  endfor
endfunction
