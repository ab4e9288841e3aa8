## bench.m RATES OUTPUT [QUICK]: symgpu against plain Octave.  RATES is the program made from
## rates.c, OUTPUT gets the numbers as JSON.
##
## Both sides of a line are timed in turn, several times; the medians are compared.  A goal
## is what the project wants of a line; nothing fails here.

1;

## Time F and G in turn, N calls of each; seconds per call, medians.
function [tf, tg] = interleave (f, g, n)
  f ();
  g ();
  t = zeros (n, 2);
  for i = 1:n
    id = tic ();
    f ();
    t(i,1) = toc (id);
    id = tic ();
    g ();
    t(i,2) = toc (id);
  endfor
  tf = median (t(:,1));
  tg = median (t(:,2));
endfunction

## A line of the report.  PLAIN NaN: there is nothing to compare with.
function line = report (name, plain, ours, unit, goal, value, met)
  line = struct ("name", name, "plain", plain, "symgpu", ours, "unit", unit,
                 "ratio", plain / ours, "goal", goal, "value", value, "met", met);
  if (isnan (plain))
    printf ("%-44s %10s %10.4g %-3s %8s", name, "", ours, unit, "");
  else
    printf ("%-44s %10.4g %10.4g %-3s %7.2fx", name, plain, ours, unit, plain / ours);
  endif
  printf ("   %s: %s\n", goal, {"missed", "met"}{1 + met});
  fflush (stdout);
endfunction

## ---- the lines ------------------------------------------------------------------------

function lines = bench_demo (quick)
  args = {"outdir", "", "verbose", false, "tolerance", 1e300};
  if (quick)
    args = [args, {"epochs", 5}];
  endif
  runs = 3 - 2 * quick;
  for i = 1:runs
    r = symgpu_demo (args{:}, "backends", {"native", "cpu"});
    t(i,:) = [r.seconds];
  endfor
  t = median (t, 1);
  lines = report ("demo, \"native\"", t(1), t(2), "s", "none", t(1) / t(2), true);
  lines(2) = report ("demo, \"cpu\"", t(1), t(3), "s", "at least 2x", t(1) / t(3), t(1) / t(3) >= 2);
  d = r(3).relative;
  lines(3) = report ("demo, \"cpu\", largest relative difference", NaN, d, "", "at most 1e-10", d, d <= 1e-10);
endfunction

function lines = bench_expression (quick)
  n = 1e6;
  x = linspace (-4, 4, n)';
  s = symarray (x);
  f = @(x) sum (exp (-x.^2) .* sin (x));
  [p, o] = interleave (@() f (x), @() gather (f (s)), 21 - 16 * quick);
  lines = report ("sum (exp (-x.^2) .* sin (x)), 1e6", 1e3 * p, 1e3 * o, "ms", "at least 5x", p / o, p / o >= 5);

  fused = gather (f (s));
  old = symgpu_config ("fuse");
  symgpu_config ("fuse", 0);
  unfused = gather (f (s));
  symgpu_config ("fuse", old);
  same = isequal (typecast (fused, "uint64"), typecast (unfused, "uint64"));
  lines(2) = report ("the same with fuse=0, difference", NaN, abs (fused - unfused), "", "the same bits", double (same), same);
endfunction

## Loops in functions of their own: the empty one is taken off.
function t = loop_empty (n)
  id = tic ();
  for i = 1:n
  endfor
  t = toc (id);
endfunction

function t = loop_plus (n, a, b)
  id = tic ();
  for i = 1:n
    y = a + b;
  endfor
  t = toc (id);
endfunction

function t = loop_gather (n, a, b, c)
  id = tic ();
  for i = 1:n
    y = gather (a + b .* c);
  endfor
  t = toc (id);
endfunction

function t = loop_plain (n, a, b, c)
  id = tic ();
  for i = 1:n
    y = a + b .* c;
  endfor
  t = toc (id);
endfunction

function lines = bench_small (quick)
  n = 1e5 / 10^quick;
  runs = 15;
  lines = struct ([]);
  for k = [1, 3, 10]
    a = rand (k);
    b = rand (k);
    sa = symarray (a);
    sb = symarray (b);
    t = zeros (runs, 3);
    for i = 1:runs
      t(i,:) = [loop_empty(n), loop_plus(n, a, b), loop_plus(n, sa, sb)];
    endfor
    t = median (t, 1) / n * 1e6;
    p = t(2) - t(1);
    o = t(3) - t(1);
    name = sprintf ("a + b, %d x %d, lazy", k, k);
    lines = [lines, report(name, p, o, "us", "at most 1.5x plain", o / p, o <= 1.5 * p)];
  endfor

  a = rand (3);
  b = rand (3);
  c = rand (3);
  s = {symarray(a), symarray(b), symarray(c)};
  t = zeros (runs, 3);
  for i = 1:runs
    t(i,:) = [loop_empty(n), loop_plain(n, a, b, c), loop_gather(n, s{:})];
  endfor
  t = median (t, 1) / n * 1e6;
  o = t(3) - t(1);
  lines = [lines, report("gather (a + b .* c), 3 x 3", t(2) - t(1), o, "us", "at most 10 us", o, o <= 10)];
endfunction

## Bytes of memory that this process has in use.
function bytes = resident ()
  bytes = NaN;
  if (exist ("/proc/self/status", "file"))
    bytes = 1024 * str2double (regexp (fileread ("/proc/self/status"), 'VmRSS:\s*(\d+)', "tokens", "once"){1});
  endif
endfunction

function [t, x] = loop_chain (n, x)
  id = tic ();
  for i = 1:n
    x = x + 1;
  endfor
  x = gather (x);
  t = toc (id);
endfunction

function lines = bench_chain (quick)
  n = 1e6 / 10^quick;
  loop_chain (n / 10, symarray (0));
  before = resident ();
  t = zeros (3, 2);
  for i = 1:rows (t)
    t(i,1) = loop_chain (n, 0);
    [t(i,2), x] = loop_chain (n, symarray (0));
  endfor
  grown = (resident () - before) / 2^20;
  p = median (t(:,1));
  o = median (t(:,2));
  name = sprintf ("for i = 1:%g, x = x + 1; endfor", n);
  lines = report (name, p, o, "s", "right, at most 3x plain", o / p, o <= 3 * p && x == n);
  lines(2) = report ("the same, growth of memory", NaN, grown, "MiB", "at most 16 MiB", grown, ! (grown > 16));
endfunction

## ---- all of it -------------------------------------------------------------------------

function bench (rates, output, quick)
  [status, text] = system (rates);
  if (status != 0)
    error ("bench: %s failed", rates);
  endif
  value = @(name) str2double (regexp (text, [name " (\\S+)"], "tokens", "once"){1});
  r.octave = version ();
  r.computer = computer ();
  r.threads = nproc ();
  r.triad_GBs = value ("triad");
  r.dgemm_GFLOPs = value ("dgemm");
  r.naive_ms = 1e3 * value ("naive");
  printf ("Octave %s, %d threads\n", r.octave, r.threads);
  printf ("memory %.3g GB/s (triad), %.3g GFLOP/s (dgemm, 1000 x 1000)\n", r.triad_GBs, r.dgemm_GFLOPs);
  printf ("sum of exp (-x^2) * sin (x) over 1e6 as a plain C loop: %.3g ms\n\n", r.naive_ms);
  printf ("%-44s %10s %10s %-3s %8s   %s\n", "", "plain", "symgpu", "", "speed", "goal");
  r.lines = [bench_small(quick), bench_expression(quick), bench_chain(quick), bench_demo(quick)];
  fid = fopen (output, "w");
  fprintf (fid, "%s\n", jsonencode (r));
  fclose (fid);
  printf ("\n%d of %d goals met; written to %s\n", sum ([r.lines.met]), numel (r.lines), output);
endfunction

args = argv ();
args(1:find (cellfun (@(a) any (strfind (a, "bench.m")), args), 1)) = [];
bench (args{1}, args{2}, numel (args) > 2);
