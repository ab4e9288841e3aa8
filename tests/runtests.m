## runtests.m TODO RESULT LOG: runs the test blocks of the files that TODO lists, one a line,
## and writes to RESULT, as it goes, "FILE PASSED FAILED SKIPPED LOG" for each.  The last is the
## name of a file with the blocks that failed; it is LOG while the file is being tested.

1;

function runtests (todo, result, current)
  backend = symbackend ();
  files = strsplit (strtrim (fileread (todo)), "\n");
  for i = 1:numel (files)
    fid = fopen (current, "w");
    [passed, total, xfail, xbug, skip, rtskip, regressions] = ...
      test (make_absolute_filename (files{i}), "quiet", fid);
    fclose (fid);
    log = sprintf ("%s.%d", current, i);
    rename (current, log);
    failed = total - passed - xfail - xbug;
    ## The files after it are to run on the same backend.
    if (! strcmp (symbackend (), backend))
      failed++;
      fid = fopen (log, "a");
      fprintf (fid, "%s leaves backend \"%s\" behind\n", files{i}, symbackend (backend));
      fclose (fid);
    endif
    skipped = xfail + xbug + skip + rtskip;
    fid = fopen (result, "a");
    fprintf (fid, "%s %d %d %d %s\n", files{i}, passed, failed, skipped, log);
    fclose (fid);
  endfor
endfunction

args = argv ();
## A warning that a test provokes is its own affair.
warning ("on", "quiet");
runtests (args{end-2}, args{end-1}, args{end});
