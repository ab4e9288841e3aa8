## fuzz (N, SEED, FIRST): N random programs, the first of them number FIRST (1), each run plain
## and with its inputs wrapped by symarray, on the backends "native" and "cpu", the latter with
## fused and with separate loops and with some of its inputs plain.  "cpu, compiled", where every loop is
## compiled before it runs, takes about a second a program, and is run when it is asked for.  At its end all variables are compared, and the error if the
## program fails: message, identifier and the statement.
##
## Everything is to be the same to the bit, but what has met a function of the CPU backend that
## rounds in its own way: that is compared with a tolerance, and is given to no operation that
## makes much of small differences.
##
## What differs is made small and printed as a program.  Fails if any differs.
##
## fuzz (1, SEED, NUMBER) repeats one program; fuzz (N, SEED, FIRST, "cuda") runs programs on
## backend "cuda" instead, and fuzz (N, SEED, FIRST, {"native", "cuda"}) on these two.

function fuzz (n = 1000, seed = fix (1e6 * rem (now (), 1)), first = 1, ways = way_names ()(1:4))
  [ok, ways] = ismember (cellstr (ways), way_names ());
  assert (all (ok));
  state = warning ();
  warning ("off", "all");
  old = symbackend ();
  hook = missing_function_hook ("");    # a function that is missing is not looked for
  info = makeinfo_program ("true");     # nor is its help formatted when it is called badly
  ## An error of a subscript looks for a function of the variable's name, which takes 10 ms where
  ## there is none.  d has none: its errors are the other ones.
  shadowed = {"a", "b", "c", "k", "p", "q", "r", "s", "t"};
  eval (sprintf ("function %s (), endfunction\n", shadowed{:}));
  unwind_protect
    printf ("fuzz: %d programs, seed %d\n", n, seed);
    start = cputime ();
    count.differ = count.failed = count.statements = 0;
    shown = time ();
    for i = first:first+n-1
      rand ("twister", [seed; i]);
      prog = fuzz_program ();
      prog.ways = ways(:)';
      count.failed += ! isempty (prog.outcome.message);
      count.statements += numel (prog.text);
      [why, way] = differs (prog);
      if (! isempty (why))
        count.differ++;
        report (shrink (prog, why, way), way, seed, i);
      endif
      if (time () > shown + 10)
        shown = time ();
        printf ("fuzz: %d of %d programs, %d differ, %.0f per second\n", i - first + 1, n,
                count.differ, (i - first + 1) / (cputime () - start));
        fflush (stdout);
      endif
    endfor
    printf (["fuzz: seed %d: %d programs, %d statements, %d programs end in an error, %.0f " ...
             "programs per second of processor time; %d differ\n"], seed, n, count.statements, count.failed,
            n / (cputime () - start), count.differ);
  unwind_protect_cleanup
    clear ("-f", shadowed{:});
    missing_function_hook (hook);
    makeinfo_program (info);
    symbackend (old);
    symgpu_config ("fuse", 1);
    symgpu_config ("small", 128);
    warning (state);
  end_unwind_protect
  if (count.differ > 0)
    error ("fuzz: seed %d: %d of %d programs differ", seed, count.differ, n);
  endif
endfunction

## ---- running ------------------------------------------------------------------------------

## Why the outcome of a program differs from that of plain Octave, and on which way.  Separate
## loops, and compiled ones, are to give the bits of fused ones.  On way 4 some inputs stay plain, and small values are
## computed at once.
function [why, way] = differs (prog, ways = prog.ways)
  names = way_names ();
  text = fuzz_join (prog.text);
  fused = [];
  for way = ways
    symbackend (strtok (names{way}, ","));
    symgpu_config ("fuse", way != 3);
    symgpu_config ("small", 4096 * (way == 4));
    if (way == 6)
      symgpu_config ("jit", "sync");
    endif
    if (way == 4)
      inputs = wrap (prog.inputs, prog.wrapped);
    else
      inputs = wrap (prog.inputs, all_wrapped ());
    endif
    got = fuzz_run (text, inputs);
    symgpu_config ("jit", "1");
    if (any (way == [3, 6]) && ! isempty (fused))
      other = prog;
      other.outcome = fused;
      why = fuzz_compare (other, got, true);
    elseif (strcmp (names{way}, "cuda"))
      why = fuzz_compare (rounded (prog), got, false);
    else
      why = fuzz_compare (prog, got, way == 1);
    endif
    if (! isempty (why))
      why = sprintf ("%s: %s", names{way}, why);
      break;
    endif
    if (way == 2)
      fused = got;
    endif
  endfor
  symgpu_config ("fuse", 1);
  symgpu_config ("small", 128);
endfunction

## The complex functions of a GPU round in their own way, too.
function prog = rounded (prog)
  text = strjoin (prog.text, "\n");
  values = [prog.inputs, prog.outcome.value];
  if (any (cellfun (@iscomplex, values))
      || ! isempty (regexp (text, '\di\>|\<(sqrt|log\w*|a\w*(sin|cos)h?|atanh)\>|\^', "once")))
    single = any (cellfun ("isclass", values, "single")) || ! isempty (strfind (text, "single"));
    prog.taint(:) = max (prog.taint(:), 1 + single);
  endif
endfunction

function names = way_names ()
  names = {"native", "cpu", "cpu, fuse=0", "cpu, inputs in part", "cuda", "cpu, compiled"};
endfunction

function which = all_wrapped ()
  which = {true, true, true, true, {true, true}, {true, true}};
endfunction

## X with what WHICH says wrapped.
function x = wrap (x, which)
  if (iscell (x))
    x = cellfun (@wrap, x, which, "uniformoutput", false);
  elseif (isstruct (x))
    x = cell2struct (wrap (struct2cell (x), which(:)), fieldnames (x));
  elseif (which && (isnumeric (x) || islogical (x)))
    x = symarray (x);
  endif
endfunction

## ---- what differs -------------------------------------------------------------------------

## The same program with as few statements and inputs as differ in the same manner.
function best = shrink (prog, why, way)
  best = prog;
  best.why = why;
  ways = way;
  if (way == 3)
    ways = [2, 3];
  endif
  kind = why_kind (why);
  deadline = time () + 20;
  do
    before = numel (best.text);
    for k = before:-1:1
      if (time () > deadline)
        return;
      endif
      other = best;
      other.text(k) = other.step(k) = [];
      other.taint(:) = 0;
      for step = other.step
        other.taint(step{1}(1,:)) = step{1}(2,:);
      endfor
      best = attempt (best, other, ways, kind);
    endfor
  until (numel (best.text) == before)
  for k = 1:4
    for f = {@(x) [], @(x) x(1), @(x) x(1,:), @(x) x(:,1), @(x) x(:,:,1), @(x) x(:,1:end-1), ...
             @(x) x(1:end-1,:), @(x) double (x), @(x) real (x), @(x) ones(size (x))}
      try
        other = best;
        other.inputs{k} = f{1}(best.inputs{k});
      catch
        continue;
      end_try_catch
      if (! isequal (other.inputs, best.inputs))
        best = attempt (best, other, ways, kind);
      endif
    endfor
  endfor
endfunction

function best = attempt (best, other, ways, kind)
  other.outcome = fuzz_run (fuzz_join (other.text), other.inputs);
  why = differs (other, ways);
  if (! isempty (why) && strcmp (why_kind (why), kind))
    other.why = why;
    best = other;
  endif
endfunction

## What kind of difference: the words before the first number.
function k = why_kind (why)
  k = regexp (why, "^[^0-9']*", "match", "once");
endfunction

function report (prog, way, seed, i)
  printf ("\n## seed %d, program %d: %s\n", seed, i, prog.why);
  text = strjoin (prog.text, "\n");
  names = {"a", "b", "c", "d", "s", "k"};
  which = all_wrapped ();
  if (way == 4)
    which = prog.wrapped;
  endif
  for k = 1:numel (names)
    x = prog.inputs{k};
    if (! isempty (regexp (text, ["(?<![.\\w{@])" names{k} "\\>"], "once")))
      if (isstruct (x))
        printf ("s.a = %s; s.b = %s;\n", literal (x.a, which{k}{1}), literal (x.b, which{k}{2}));
      elseif (iscell (x))
        printf ("k = {%s, %s};\n", literal (x{1}, which{k}{1}), literal (x{2}, which{k}{2}));
      else
        printf ("%s = %s;\n", names{k}, literal (x, which{k}));
      endif
    endif
  endfor
  printf ("%s\n\n", text);
  fflush (stdout);
endfunction

## A value as text that a program can read, wrapped or not.
function s = literal (x, wrapped)
  if (ischar (x))
    s = ["\"", x, "\""];
  elseif (isempty (x))
    s = sprintf ("zeros (%s, \"%s\")", mat2str (size (x)), class (x));
    if (islogical (x))
      s = sprintf ("false (%s)", mat2str (size (x)));
    endif
  else
    s = mat2str (x(:,:), 17, "class");
    if (ndims (x) > 2)
      s = sprintf ("reshape (%s, %s)", s, mat2str (size (x)));
    endif
  endif
  if (wrapped && ! ischar (x))
    s = ["symarray (", s, ")"];
  endif
endfunction
