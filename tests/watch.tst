## What Octave says beside evaluations, in a session of its own: the warning about loops, once.

%!# what a session prints that runs some code
%!function out = session (code)
%!  octave = fullfile (OCTAVE_HOME (), "bin", "octave-cli");
%!  top = fileparts (fileparts (which ("symgpu_demo")));
%!  file = [tempname(), ".m"];
%!  fid = fopen (file, "w");
%!  fputs (fid, code);
%!  fclose (fid);
%!  unwind_protect
%!    [~, out] = system (sprintf ("SYMGPU_FLAGS= '%s' --norc --quiet --path '%s' --path '%s' '%s' 2>&1", octave, ...
%!                                fullfile (top, "src"), fullfile (top, "inst"), file));
%!  unwind_protect_cleanup
%!    unlink (file);
%!  end_unwind_protect
%!endfunction

%!testif ; isunix ()
%! out = session (["x = symarray (1:300);\nfor k = 1:2500\n  gather (x + k);\n" ...
%!                 "  if (k == 900), disp (\"no word yet\"), end\nend\ndisp (\"over\")\n"]);
%! assert (numel (strfind (out, "warning: the same small expression made at")), 1, out);
%! assert (! isempty (regexp (out, 'no word yet.*warning: .*1000 times.*over')), out);
%! assert (isempty (strfind (out, "symgpu: step")), out);

%!testif ; isunix () # not on data that are worth it
%! out = session (["x = symarray (rand (100, 100));\nfor k = 1:1200\n  gather (x(1,1) + x);\nend\n" ...
%!                 "disp (\"over\")\n"]);
%! assert (isempty (strfind (out, "warning")), out);
%! assert (! isempty (strfind (out, "over")), out);
