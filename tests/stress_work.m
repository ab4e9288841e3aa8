## stress_work (WHAT, K): what tests/stress.m has an interactive Octave do.  "begin" makes what the
## work needs, "go" works until it is interrupted, "after" says whether all is as it was.
function stress_work (what, k = 0)
  persistent s;
  switch (what)
    case "begin"
      s = begin ();
      printf ("ready %d\n", numel (s.work));
    case "go"
      rand ("twister", k);
      printf ("began %d\n", k);
      fflush (stdout);
      while (true)
        s.at = fix (rand * numel (s.work)) + 1;
        s.work{s.at} (s);
      endwhile
    case "after"
      printf ("prompt %d\n", k);
      fflush (stdout);
      printf ("after %d in %s: %s\n", k, func2str (s.work{s.at}), judge (s));
  endswitch
  fflush (stdout);
endfunction

function s = begin ()
  symgpu_config ("threads", 3);
  symgpu_config ("jit", 0);
  on_gpu = strcmp (symbackend (), "cuda");
  ## The numbers are whole, so that any order of operations has the same result.  Kernels of an
  ## emulated GPU run on the processor.
  n = merge (on_gpu, 30, 300);
  s.plain = reshape (mod (7 * (1:n^2), 31) - 15, n, n);
  s.x = symarray (s.plain);
  s.big = symarray (rand (merge (on_gpu, 70, 900)));
  s.z = complex (s.x, s.x');
  s.f = symfunction (@(a) (a - 1) * (a' + 1) ./ 7);
  s.want = expected (s.plain);
  s.work = {@loops, @products, @lines, @moves, @numbers, @delegated, @complexes, @left, @texts, ...
            @functions, @traced, @natively, @assignments};
  if (! on_gpu)
    s.work{end+1} = @compiled;
    s.work{end+1} = @compiled;
  endif
  for s.at = 1:numel (s.work)
    s.work{s.at} (s);
  endfor
  s.workers = find_workers (s.x);
  symgpu_config ("jit", 1);
  s.alive = alive ();
endfunction

## ---- work ---------------------------------------------------------------------------------

function loops (s)
  for k = 1:3
    gather (exp (-s.big) .* sin (s.big + k) - sqrt (s.big));
  endfor
endfunction

function products (s)
  y = s.x;
  for k = 1:4
    y = (y * s.x) ./ 100;
  endfor
  gather (y, s.big * s.big(:,1:50));
endfunction

function lines (s)
  [v, i] = sort (s.big(:,1:60));
  gather (cumsum (s.big, 2), sum (s.big)(1), max (s.big, [], 2), v, i, var (s.big));
endfunction

function moves (s)
  gather ([s.x; s.x'](:,end:-1:1), permute (reshape (s.x, [], 10, 3), [3, 1, 2]), repmat (s.x, 2, 3));
endfunction

function numbers (s)
  t = s.x(1,1);
  for k = 1:25
    t = t + s.x(k,2) * 0.5;
    if (t > 1e6)
      t = s.x(1,1);
    endif
  endfor
endfunction

function delegated (s)
  a = s.big(1:25,1:25);
  gather (inv (a) + a \ a, unique (round (10 * a)));
endfunction

function complexes (s)
  gather (s.z .* conj (s.z) + 1, s.z * s.z, sum (exp (s.z / 15)));
endfunction

## The values are complex, which is found when they are computed.
function left (s)
  gather (sqrt (s.x) + 1, log (s.x .* 2));
endfunction

function texts (s)
  mat2str (s.x(1:8,1:8));
  evalc ("s.x(1:9,1:5)");
  sprintf ("%g ", s.big(1:200));
endfunction

function functions (s)
  for k = 1:10
    gather (s.f (s.x));
  endfor
endfunction

function traced (s)
  f = symfunction (@(a, b) a .* b + sum (a));
  for k = 1:3
    gather (f (s.x, s.x'));
  endfor
endfunction

function natively (s)
  gather (abs (s.x') + s.x * 2 - 1, "native");
endfunction

function assignments (s)
  y = s.x;
  y(2,:) = 5;
  y(:,3) = [];
  y(y > 3) = 0;
  y += 1;
  gather (y);
endfunction

## Another loop each time, run until it is compiled in the background.
function compiled (s)
  op = {@plus, @minus, @times, @max, @min, @rdivide};
  op = op(fix (rand (1, 9) * 6) + 1);
  for k = 1:6
    y = s.big;
    for f = op
      y = f{1} (y, s.big(k));
    endfor
    gather (y);
  endfor
endfunction

## ---- whether all is well ------------------------------------------------------------------

function c = expected (a)
  b = max (a * 2 - 3, a');
  c = {b, a * b, sum(b, 2), cumsum(a), [a; b], a > b};
endfunction

function why = judge (s)
  why = "well";
  now = alive ();
  if (! isequal (now, s.alive))
    why = ["left: ", disp(now), "at the start: ", disp(s.alive)];
  elseif (! isequal (gather (s.x), s.plain))
    why = "an input has changed";
  elseif (! isequal (cellfun (@gather, expected (s.x), "uniformoutput", false), s.want))
    why = "a wrong value";
  elseif (! all (ismember (s.workers, find_workers (s.x, s.workers))))
    why = "a thread has gone";
  endif
  why = strrep (why, "\n", "; ");
endfunction

## The counters of what is alive, once all that may be let go of is gone.
function c = alive ()
  plans = symgpu_config ("plans");
  symgpu_config ("plans", 0);
  gather (symarray (1) + symarray ([1, 2]));
  symgpu_config ("plans", plans);
  all = symgpu_info ("counters");
  for name = {"nodes", "buffers", "buffer_bytes", "pool_bytes", "device_bytes"}
    c.(name{1}) = all.(name{1});
  endfor
endfunction

## Our threads that have run while the CPU did what is worth three of them.  Where there is no
## /proc that says so, none.
function ids = find_workers (x, wanted = [])
  first = run_time ();
  start = time ();
  do
    for k = 1:20
      gather (sum (exp (repmat (x, 2, 2) / 31)), "cpu");
    endfor
    pause (0.001);
    now = run_time ();
    ids = [];
    for [ns, id] = now
      if (! isfield (first, id) || ns > first.(id))
        ids(end+1) = str2double (id(2:end));
      endif
    endfor
    enough = numel (ids) >= 2 && all (ismember (wanted, ids));
  until (enough || ! isfolder ("/proc/self/task") || time () > start + 10)
endfunction

## Nanoseconds that each of our threads has run.  Others come and go as they please.
function t = run_time ()
  t = struct ();
  for f = glob ("/proc/self/task/*")'
    try
      name = strtrim (fileread (fullfile (f{1}, "comm")));
      ns = sscanf (fileread (fullfile (f{1}, "schedstat")), "%f");
    catch
      continue;    # it has ended
    end_try_catch
    if (strcmp (name, "symgpu worker"))
      id = regexp (f{1}, 'task/(\d+)', "tokens", "once");
      t.(["t", id{1}]) = ns(1);
    endif
  endfor
endfunction
