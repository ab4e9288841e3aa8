## runtests.m TODO RESULT: runs the test blocks of the files that TODO lists, one a line, and
## writes to RESULT, as it goes, "FILE PASSED FAILED SKIPPED LOG" for each.  LOG holds the
## blocks that failed; it is RESULT.log while the file is being tested.

1;

function runtests (todo, result)
  files = strsplit (strtrim (fileread (todo)), "\n");
  for i = 1:numel (files)
    fid = fopen ([result ".log"], "w");
    [passed, total, xfail, xbug, skip, rtskip, regressions] = ...
      test (make_absolute_filename (files{i}), "quiet", fid);
    fclose (fid);
    log = sprintf ("%s.%d.log", result, i);
    rename ([result ".log"], log);
    failed = total - passed - xfail - xbug;
    skipped = xfail + xbug + skip + rtskip;
    fid = fopen (result, "a");
    fprintf (fid, "%s %d %d %d %s\n", files{i}, passed, failed, skipped, log);
    fclose (fid);
  endfor
endfunction

args = argv ();
## A warning that a test provokes is its own affair.
warning ("on", "quiet");
runtests (args{end-1}, args{end});
