## soak (N, SEED): random programs on wrapped inputs until N evaluations have been done.  After
## each thousand of programs nothing may be left: the counters of nodes, buffers, bytes return to
## what they were, and the process does not grow.

function soak (n = 1e6, seed = 1)
  state = warning ();
  warning ("off", "all");
  hook = missing_function_hook ("");
  info = makeinfo_program ("true");
  unwind_protect
    before = settled ();
    grown = [];
    first = symgpu_info ().counters.evaluations;
    done = i = 0;
    shown = time ();
    while (done < n)
      for i = i+1:i+1000
        rand ("twister", [seed; i]);
        prog = fuzz_program ();
        fuzz_run (fuzz_join (prog.text), wrapped (prog.inputs));
      endfor
      clear prog;
      done = symgpu_info ().counters.evaluations - first;
      after = settled ();
      if (! isequal (before, after))
        error ("soak: seed %d: after %d programs, %d evaluations, something is left:\n%s\nat the start:\n%s",
               seed, i, done, disp (after), disp (before));
      endif
      grown(end+1) = resident ();
      if (time () > shown + 10)
        shown = time ();
        printf ("soak: %d evaluations, %d programs, %d MiB\n", done, i, grown(end));
        fflush (stdout);
      endif
    endwhile
  unwind_protect_cleanup
    missing_function_hook (hook);
    makeinfo_program (info);
    warning (state);
  end_unwind_protect
  ## Octave's own tables grow at the beginning.
  early = grown(ceil (numel (grown) / 4));
  printf ("soak: seed %d: %d evaluations of %d programs; %d MiB after a quarter, %d MiB at the end\n",
          seed, done, i, early, grown(end));
  if (grown(end) > 1.2 * early + 32)
    error ("soak: the process has grown from %d to %d MiB", early, grown(end));
  endif
endfunction

## The counters of what is alive, once all that may be let go of is gone.
function c = settled ()
  plans = symgpu_config ("plans");
  symgpu_config ("plans", 0);
  gather (symarray (1) + symarray ([1, 2]));
  symgpu_config ("plans", plans);
  all = symgpu_info ().counters;
  for name = {"nodes", "buffers", "buffer_bytes", "pool_bytes"}
    c.(name{1}) = all.(name{1});
  endfor
endfunction

function mib = resident ()
  mib = 0;
  text = fileread ("/proc/self/status");
  kib = regexp (text, 'VmRSS:\s*(\d+)', "tokens", "once");
  if (! isempty (kib))
    mib = round (str2double (kib{1}) / 1024);
  endif
endfunction

function x = wrapped (x)
  if (iscell (x))
    x = cellfun (@wrapped, x, "uniformoutput", false);
  elseif (isstruct (x))
    x = structfun (@wrapped, x, "uniformoutput", false);
  elseif (isnumeric (x) || islogical (x))
    x = symarray (x);
  endif
endfunction
