## stress (N, SEED): interrupts an interactive Octave, as Ctrl-C does, at N random moments of work
## that has no end.  After each the prompt must come back soon, nothing of the work may be left,
## what is computed next must be right, and the threads must be alive.  Fails where one is not.
function stress (n = 50, seed = fix (1e6 * rem (now (), 1)))
  state = rand ("twister");
  p = start_octave ();
  unwind_protect
    rand ("twister", seed);
    moments = 0.12 * rand (1, n);
    p = ask (p, "stress_work (\"begin\")", '(ready \d+)\n', 900);
    resident = delay = zeros (1, n);
    for k = 1:n
      p = ask (p, sprintf ("stress_work (\"go\", %d)", k), sprintf ('(began %d)\n', k), 60);
      pause (moments(k));
      asked = time ();
      kill (p.group, SIG ().INT);
      p = ask (p, sprintf ("stress_work (\"after\", %d)", k), sprintf ('(prompt %d)\n', k), 60);
      delay(k) = time () - asked;
      p = expect (p, sprintf ('after %d in (\\w+): (.*)\n', k), 60);
      if (! strcmp (p.found{2}, "well"))
        error ("stress: seed %d, moment %d, in %s: %s", seed, k, p.found{1}, p.found{2});
      endif
      where{k} = p.found{1};
      resident(k) = memory_of (p.pid);
    endfor
  unwind_protect_cleanup
    rand ("twister", state);
    stop_octave (p);
  end_unwind_protect
  [worst, at] = max (delay);
  printf ("stress: seed %d: %d moments; the prompt came back after %.1f ms, %.1f ms at most (in %s); %d MiB after a quarter, %d MiB at the end\n",
          seed, n, 1e3 * median (delay), 1e3 * worst, where{at}, resident(ceil (n / 4)), resident(end));
  if (worst > 10)
    error ("stress: seed %d, moment %d: the prompt came back after %g seconds", seed, at, worst);
  endif
endfunction

## An interactive Octave that has the package, in a process group of its own, as a terminal has it.
function p = start_octave ()
  octave = fullfile (OCTAVE_HOME (), "bin", "octave-cli");
  dirs = cellfun (@(f) fileparts (which (f)), {"symgpu_info", "symgpu_demo", "stress_work"}, ...
                  "uniformoutput", false);
  paths = sprintf (" --path '%s'", unique (dirs){:});
  has_group = system ("command -v setsid > /dev/null") == 0;
  command = sprintf ("exec %s '%s' -i --norc --quiet --no-history%s 2>&1", merge (has_group, "setsid", ""),
                     octave, paths);
  [p.in, p.out, p.pid] = popen2 ("/bin/sh", {"-c", command});
  p.group = merge (has_group, -p.pid, p.pid);
  p.text = "";
endfunction

function stop_octave (p)
  kill (p.pid, SIG ().KILL);
  waitpid (p.pid);
  fclose (p.in);
  fclose (p.out);
endfunction

## Have it execute a line, and read up to a line of its output that looks like PATTERN, which has a group.
function p = ask (p, line, pattern, seconds)
  p.text = "";
  fputs (p.in, [line, "\n"]);
  fflush (p.in);
  p = expect (p, pattern, seconds);
endfunction

function p = expect (p, pattern, seconds)
  until_when = time () + seconds;
  while (isempty (p.found = regexp (p.text, pattern, "tokens", "once", "lineanchors", "dotexceptnewline")))
    s = fgets (p.out);
    if (ischar (s))
      p.text = [p.text, s];
    else
      fclear (p.out);
      if (time () > until_when || waitpid (p.pid, WNOHANG ()) == p.pid)
        error ("stress: %s was not seen in %g seconds:\n%s", pattern, seconds, p.text);
      endif
      pause (0.0005);
    endif
  endwhile
endfunction

function mib = memory_of (pid)
  mib = 0;
  file = sprintf ("/proc/%d/status", pid);
  if (exist (file, "file"))
    kib = regexp (fileread (file), 'VmRSS:\s*(\d+)', "tokens", "once");
    mib = round (str2double (kib{1}) / 1024);
  endif
endfunction
