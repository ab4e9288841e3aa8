## Where expressions were made: what symnode, symtree and the stacks of errors say.

%!function o = origin_of (x)
%!  o = symnode (x).origin;
%!endfunction

%!# a file of its own, removed with the returned object
%!function [folder, guard] = write_file (name, text)
%!  folder = tempname ();
%!  mkdir (folder);
%!  fid = fopen (fullfile (folder, name), "w");
%!  fputs (fid, text);
%!  fclose (fid);
%!  guard = onCleanup (@() remove (folder, name));
%!endfunction

%!function remove (folder, name)
%!  unlink (fullfile (folder, name));
%!  rmdir (folder);
%!endfunction

%!test # a function in a file: lines, columns, names, in nested commands
%! [folder, guard] = write_file ("origin_fcn_.m", ["function [a, b, c, d, e] = origin_fcn_ (x)\n" ...
%!   "  a = x + 1;\n  if (true)\n    for k = 1:2\n      b = x .* k; c = exp (x);\n    endfor\n" ...
%!   "  endif\n  try\n    x; d.part = x - 2;\n  catch\n  end_try_catch\n" ...
%!   "  switch (3)\n    case 3\n      [e, f] = max (x);\n  endswitch\nendfunction\n"]);
%! addpath (folder);
%! unwind_protect
%!   [a, b, c, d, e] = origin_fcn_ (symarray ([1 2 3]));
%!   try
%!     origin_fcn_ ({});
%!   catch err
%!     octave_column = err.stack(1).column;
%!   end_try_catch
%! unwind_protect_cleanup
%!   rmpath (folder);
%! end_unwind_protect
%! o = cellfun (@origin_of, {a, b, c, d.part, e}, "UniformOutput", false);
%! o = [o{:}];
%! assert ([o.line], [2 5 5 9 14]);
%! assert (o(1).column, octave_column);
%! assert (o(3).column > o(2).column);
%! assert ({o.kind}, repmat ({"function"}, 1, 5));
%! assert ({o.name}, {"a", "b", "c", "d", "e"});
%! assert (o(2).text, "b = x .* k");
%! assert (o(1).file, fullfile (folder, "origin_fcn_.m"));
%! assert (! isempty (strfind (symtree (c), "origin_fcn_.m:5")));

%!test # a script, a condition
%! [folder, guard] = write_file ("origin_script_.m", ...
%!   ["## a script\nx = symarray ([4 5]);\nif (any (keep = x < 0))\nelseif (all (more = x > 1))\nend\n" ...
%!   "while (any ((again = x + 1) < 0))\nend\n"]);
%! source (fullfile (folder, "origin_script_.m"));
%! o = origin_of (keep);
%! assert ({o.kind, o.line, o.text}, {"script", 3, "(any (keep = x < 0))"});
%! o = origin_of (more);
%! assert ({o.kind, o.line, o.text}, {"script", 4, "(all (more = x > 1))"});
%! o = origin_of (again);
%! assert ({o.kind, o.line, o.text}, {"script", 6, "(any ((again = x + 1) < 0))"});

%!test # anonymous functions and eval
%! f = @(x) x .^ 2 + 1;
%! o = origin_of (f (symarray ([1 2])));
%! assert (o.kind, "anonymous");
%! assert (o.line > 0);
%! assert (o.text, "x .^ 2 + 1");
%! x = symarray ([1 2]);
%! eval ("y = x + 3;");
%! o = origin_of (y);
%! assert ({o.kind, o.text}, {"function", "eval (\"y = x + 3;\")"});

%!test # a long statement is cut
%! x = symarray ([1 2]);
%! aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa = x + 1;
%! y = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;
%! t = origin_of (y).text;
%! assert (numel (t), 63);
%! assert (t(end-2:end), "...");

%!function y = too_large (x)
%!  y = x .* x';
%!endfunction

%!test # an error that is found when the value is forced keeps its text and names the expression
%! x = symarray (zeros (2e6, 1)) + 1;
%! plain = [];
%! try
%!   a = zeros (2e6, 1); a = a .* a';
%! catch plain
%! end_try_catch
%! y = too_large (x);
%! e = [];
%! try
%!   gather (y);
%! catch e
%! end_try_catch
%! assert (e.message, plain.message);
%! assert (e.identifier, plain.identifier);
%! assert (! isempty (strfind (e.stack(1).name, "(y = x .* x')")), e.stack(1).name);
%! assert (! isempty (strfind (e.stack(1).name, "in the expression made at too_large:")));
%! assert (e.stack(1).line, symnode (y).origin.line);
%! assert (numel (e.stack) > 1);
%! clear y                          # nothing has changed: it fails again, elsewhere
%! e = [];
%! try
%!   gather (too_large (x) + 1);
%! catch e
%! end_try_catch
%! assert (e.message, plain.message);

%!test # not where the expression is forced by the statement that made it
%! x = symarray (zeros (2e6, 1)) + 1;
%! e = [];
%! try
%!   gather (x .* x');
%! catch e
%! end_try_catch
%! assert (isempty (strfind (e.stack(1).name, "expression")));

%!test # functions that have the name of one that is gone, and its address at times
%! x = symarray ([1 2]);
%! for k = 1:500
%!   eval (sprintf ("function y = origin_again_ (x)\n  y = x + %d;\nendfunction", k));
%!   y = origin_again_ (x);
%!   assert (origin_of (y).text, sprintf ("y = x + %d", k));
%!   clear origin_again_;
%! endfor
