## exact_errors (FILE, BACKENDS): the largest error of each function of tests/exact.txt on each
## backend, in units in the last place of the exact value, and against Octave's own result; as a
## struct array with the fields name, exact and octave (a column for each backend), argument
## (where the first backend is farthest from the exact value).  Where Octave's own result is more
## than 3 last places from the exact value, as that of cos at one argument, it is no measure.

function s = exact_errors (file, backends)
  fid = fopen (file);
  c = textscan (fid, "%s %s %s %s %f");
  fclose (fid);
  names = unique (c{1}, "stable");
  s = struct ("name", names', "exact", [], "octave", [], "argument", []);
  for k = 1:numel (names)
    rows_ = strcmp (c{1}, names{k});
    args = {hex2num(c{2}(rows_))};
    if (! strcmp (c{3}(rows_){1}, "-"))
      args{2} = hex2num (c{3}(rows_));
    endif
    exact = hex2num (c{4}(rows_));
    step = eps (exact);
    own = feval (names{k}, args{:});
    for b = 1:numel (backends)
      x = cellfun (@symarray, args, "UniformOutput", false);
      got = gather (feval (names{k}, x{:}), backends{b});
      d = abs ((got - exact) ./ step - c{5}(rows_));
      [s(k).exact(b), at] = max (d);
      if (b == 1)
        s(k).argument = cellfun (@(a) a(at), args);
      endif
      e = abs (got - own) ./ eps (own);
      e(got == own | abs ((own - exact) ./ step) > 3) = 0;
      s(k).octave(b) = max (e);
    endfor
  endfor
endfunction
