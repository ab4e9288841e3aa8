## What Octave says beside evaluations, in a session of its own: the warning about loops, once; how far
## long evaluations are, at a terminal.

%!# what a session prints that runs some code
%!function out = session (code)
%!  file = file_of (code);
%!  unwind_protect
%!    [~, out] = system (sprintf ("%s '%s' 2>&1", octave_command (), file));
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction
%!function command = octave_command ()
%!  top = fileparts (fileparts (which ("symgpu_demo")));
%!  command = sprintf ("SYMGPU_FLAGS= '%s' --norc --quiet --path '%s' --path '%s'", ...
%!                     fullfile (OCTAVE_HOME (), "bin", "octave-cli"), fullfile (top, "src"), ...
%!                     fullfile (top, "inst"));
%!endfunction
%!function file = file_of (code)
%!  file = [tempname(), ".m"];
%!  fid = fopen (file, "w");
%!  fputs (fid, code);
%!  fclose (fid);
%!endfunction

%!# what is seen at a terminal into which the code is typed
%!function out = terminal (code)
%!  file = file_of (code);
%!  unwind_protect
%!    [~, out] = system (sprintf ("TERM=dumb script -q -e -c \"%s --no-history\" /dev/null < '%s' 2>&1", ...
%!                                octave_command (), file));
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction
%!function yes = has_terminal ()
%!  [status, text] = system ("script --version 2> /dev/null");
%!  yes = status == 0 && ! isempty (strfind (text, "util-linux"));
%!endfunction

%!testif ; isunix ()
%! out = session (["x = symarray (1:300);\nfor k = 1:2500\n  gather (x + k);\n" ...
%!                 "  if (k == 900), disp (\"no word yet\"), end\nend\ndisp (\"over\")\n"]);
%! assert (numel (strfind (out, "warning: the same small expression made at")) == 1, out);
%! assert (! isempty (regexp (out, 'no word yet.*warning: .*1000 times.*over')), out);
%! assert (isempty (strfind (out, "symgpu: step")), out);

%!testif ; isunix () # not on data that are worth it
%! out = session (["x = symarray (rand (100, 100));\nfor k = 1:1200\n  gather (x(1,1) + x);\nend\n" ...
%!                 "disp (\"over\")\n"]);
%! assert (isempty (strfind (out, "warning")), out);
%! assert (! isempty (strfind (out, "over")), out);

%!# products that take five seconds or more, by the fastest of some, and what is computed of them
%!function code = long_work (progress)
%!  code = sprintf (["symgpu_config ('progress', %d);\nx = symarray (ones (1000) / 1000); gather (x * x);\n" ...
%!                   "t = Inf; for k = 1:10, s = tic; gather (x * x * k); t = min (t, toc (s)); end\n" ...
%!                   "n = ceil (5 / t);\n" ...
%!                   "symgpu_config ('graph_nodes', 1e6);\ny = x; for k = 1:n, y = y * x; end\n" ...
%!                   "printf ('%%.3f\\n', 7 * gather (y)(1) * 1000); disp ('over')\nexit\n"], progress);
%!endfunction

%!testif ; has_terminal () # one line, from the second second on, and it is gone at the end
%! out = terminal (long_work (1));
%! lines = regexp (out, "\r\033\\[Ksymgpu: step (\\d+) of (\\d+), (\\d+) s", "tokens");
%! assert (numel (lines) >= 2, out);
%! steps = cellfun (@(t) str2double (t{1}), lines);
%! assert (all (diff (steps) > 0), out);
%! seconds = cellfun (@(t) str2double (t{3}), lines);
%! assert (seconds(1) >= 2, out);
%! assert (! isempty (regexp (out, "s\r\033\\[K7.000\r\nover")), out);

%!testif ; has_terminal () # not where it is not wanted
%! out = terminal (long_work (0));
%! assert (isempty (strfind (out, "symgpu: step")), out);
%! assert (! isempty (strfind (out, "7.000")), out);
