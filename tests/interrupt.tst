## Ctrl-C in a long evaluation returns to the prompt, nothing is lost, and the next one works.
## The evaluation takes far longer than the test waits for it.

%!testif ; isunix ()
%! octave = fullfile (OCTAVE_HOME (), "bin", "octave-cli");
%! assert (exist (octave, "file"), 2);
%! dir = tempname ();
%! assert (mkdir (dir));
%! unwind_protect
%!   begin = ["x = symarray (rand (1500)); y = x; for k = 1:150, y = sin (y * x); end; ", ...
%!            "fclose (fopen (\"started\", \"w\")); z = gather (y); puts (\"finished\\n\");"];
%!   after = ["printf (\"next %d\\n\", gather (symarray (2) + 1)); ", ...
%!            "printf (\"intact %d\\n\", size (x, 1) == 1500 && all (isfinite (gather (x)(:)))); ", ...
%!            "fclose (fopen (\"over\", \"w\"));"];
%!   fid = fopen (fullfile (dir, "begin"), "w");  fputs (fid, [begin, "\n"]);  fclose (fid);
%!   fid = fopen (fullfile (dir, "after"), "w");  fputs (fid, [after, "\n"]);  fclose (fid);
%!   where = strsplit (path (), pathsep ());
%!   ours = where(cellfun (@(d) exist (fullfile (d, "symgpu.oct"), "file") > 0, where));
%!   command = ["cd '", dir, "' && { ", ...
%!              "(cat begin; i=0; while [ ! -f go ] && [ $i -lt 600 ]; do sleep 0.1; ", ...
%!              "i=$((i+1)); done; cat after; sleep 1) | '", octave, "' -i --norc --quiet", ...
%!              " --no-history --path '", ours{1}, "' > out 2>&1 & pid=$!; i=0; ", ...
%!              "while [ ! -f started ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done; ", ...
%!              "sleep 1; kill -INT $pid; : > go; wait $pid; }; cat out"];
%!   [~, out] = system (command);
%!   assert (isempty (strfind (out, "finished\n")), out);
%!   assert (! isempty (strfind (out, "next 3")), out);
%!   assert (! isempty (strfind (out, "intact 1")), out);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (dir, "s");
%! end_unwind_protect
