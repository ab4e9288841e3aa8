## worker.m ENGINE: measures rows on request, see bench.py.  ENGINE is "plain" or "symgpu".
##
## A request is a line "ROW<tab>N<tab>CLASS<tab>THREADS<tab>SECONDS"; the answer is a line with the
## seconds that a call takes, in the mean over about SECONDS, and a sum over the result.

1;
source (fullfile (fileparts (mfilename ("fullpath")), "bench_table.m"));


function [t, check] = measure (f, args, seconds, deliver)
  for calls = 1:2
    id = tic ();
    y = deliver (f (args{:}));
    t = toc (id);
  endfor
  y = double (y(:));
  check = real (sum (y(isfinite (y)))) + imag (sum (y(isfinite (y))));
  clear y
  calls = max (1, min (1e5, round (seconds / max (t, 1e-7))));
  id = tic ();
  for i = 1:calls
    y = deliver (f (args{:}));
  endfor
  t = toc (id) / calls;
endfunction

function worker (engine)
  list = bench_rows ();
  key = "";
  while (ischar (line = fgetl (stdin)))
    if (isempty (line))
      continue;
    endif
    q = strsplit (line, "\t");
    r = list(strcmp ({list.name}, q{1}));
    n = str2double (q{2});
    if (! strcmp (key, [q{1:3}]))
      key = [q{1:3}];
      args = r.make (n);
      if (! strcmp (r.kind, "whole"))
        args = cellfun (@(x) feval (q{3}, x), args, "UniformOutput", false);
      endif
      if (strcmp (engine, "symgpu"))
        args = cellfun (@symarray, args, "UniformOutput", false);
      endif
    endif
    deliver = @(y) y;
    if (strcmp (engine, "symgpu"))
      symgpu_config ("threads", str2double (q{4}));
      deliver = @gather;
    endif
    [t, check] = measure (r.fcn, args, str2double (q{5}), deliver);
    printf ("%.9g %.17g\n", t, check);
    fflush (stdout);
  endwhile
endfunction

args = argv ();
worker (args{end});
