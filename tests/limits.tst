## What a user must be able to rely on: large graphs, lack of memory, fork, the same bits always,
## files that need no symgpu.


## A script run by another Octave under a limit of LIMIT KiB of memory.
%!function out = run_limited (script, limit)
%!  octave = fullfile (OCTAVE_HOME (), "bin", "octave-cli");
%!  where = strsplit (path (), pathsep ());
%!  ours = where(cellfun (@(d) exist (fullfile (d, "symgpu.oct"), "file") > 0, where));
%!  file = [tempname(), ".m"];
%!  fid = fopen (file, "w");  fputs (fid, script);  fclose (fid);
%!  [~, out] = system (sprintf ("ulimit -v %d; '%s' --norc --quiet --no-history --path '%s' '%s' 2>&1", ...
%!                              limit, octave, ours{1}, file));
%!  unlink (file);
%!endfunction

## Expressions of 1e6 nodes are built, printed, evaluated and let go of in linear time, and
## without recursion.
%!test
%! old = symgpu_config ("graph_nodes");
%! unwind_protect
%!   symgpu_config ("graph_nodes", 1e9);
%!   y = symarray ([1, 2, 3]);
%!   for k = 1:1e6
%!     y = y + 1;
%!   endfor
%!   text = evalc ("symtree (y)");
%!   assert (numel (text) < 20000);
%!   assert (gather (y), [1, 2, 3] + 1e6);
%!   clear y;
%! unwind_protect_cleanup
%!   symgpu_config ("graph_nodes", old);
%! end_unwind_protect

## Many reductions of one shape, each with an operand of its own.
%!test
%! old = symgpu_config ("graph_nodes");
%! unwind_protect
%!   symgpu_config ("graph_nodes", 1e9);
%!   x = symarray ([4, 5, 6]);
%!   s = 0;
%!   for k = 1:1e5
%!     s = s + sum (x + k);
%!   endfor
%!   assert (gather (s), 15e5 + 3 * sum (1:1e5));
%! unwind_protect_cleanup
%!   symgpu_config ("graph_nodes", old);
%! end_unwind_protect

%!test
%! c = cell (1, 1e5);
%! y = symarray ([1, 2, 3]);
%! for k = 1:numel (c)
%!   c{k} = y + k;
%! endfor
%! z = [c{:}];
%! assert (size (z), [1, 3e5]);
%! assert (gather (z), reshape ([1; 2; 3] + (1:1e5), 1, []));

## Shared operands are one node, whatever the size of the tree.
%!test
%! y = symarray ([1, 2, 3]);
%! for k = 1:100
%!   y = y + y;
%! endfor
%! assert (gather (y), [1, 2, 3] * 2^100);

## Out of memory is Octave's own error; the variables are as before, and what fits is computed.
%!testif ; isunix ()
%! script = ["x = symarray (ones (2000));\n", ...
%!           "function attempt (code)\n", ...
%!           "  try, evalin (\"base\", code); disp (\"done\"); catch e, disp (e.identifier); end\n", ...
%!           "end\n", ...
%!           "attempt (\"g = gather (repmat (x, 40, 40));\");\n", ...
%!           "attempt (\"c = cell (1, 150); for k = 1:150, c{k} = x + k; end, g = gather ([c{:}]);\");\n", ...
%!           "attempt (\"y = exp (x * x - 2000); g = gather (y);\");\n", ...
%!           "attempt (\"g = gather (sum (repmat (x, 40, 40)(:)));\");\n", ...
%!           "printf (\"%d %d %d\\n\", isequal (gather (x), ones (2000)), isequal (g, ones (2000)), gather (sum (y(:))));\n"];
%! out = run_limited (script, 3e6);
%! lines = strsplit (strtrim (out), "\n");
%! assert (numel (lines) >= 5, out);
%! assert (lines(1:5), {"Octave:bad-alloc", "Octave:bad-alloc", "done", "Octave:bad-alloc", "1 1 4000000"}, out);

## A process made by fork can evaluate, though none of the threads came along.
%!testif ; isunix ()
%! x = symarray (rand (800));
%! s = gather (sum (exp (x)(:)));
%! file = tempname ();
%! pid = fork ();
%! if (pid == 0)
%!   fid = fopen (file, "w");
%!   fprintf (fid, "%d", isequal (s, gather (sum (exp (x)(:)))) && isfinite (gather ((x * x)(1))));
%!   fclose (fid);
%!   kill (getpid (), 9);   # no farewell: history, files and tests are those of the parent
%! endif
%! for k = 1:600
%!   if (waitpid (pid, WNOHANG ()) == pid)
%!     break;
%!   endif
%!   pause (0.1);
%! endfor
%! if (k == 600)
%!   kill (pid, 9);
%!   waitpid (pid);
%! endif
%! assert (fileread (file), "1");
%! unlink (file);
%! assert (gather (sum (exp (x)(:))), s);

## The same bits with one thread or two, in any order of evaluation, with empty caches or full.
%!function v = results (threads, backwards)
%!  symgpu_config ("threads", threads);
%!  rand ("twister", 42);
%!  a = symarray (rand (700, 300) - 0.5);
%!  b = symarray (single (rand (300, 90)));
%!  e = {sum(exp (a)(:)), std(a), a' * a, norm(a(:)), single(a) * b, cumsum(a, 2), max(a, [], 2), ...
%!       prod(1 + a / 100), mean(a(:)), sort(a), softmax(a), sum(b .^ 2, 2)' * b};
%!  v = cell (size (e));
%!  order = 1:numel (e);
%!  if (backwards)
%!    order = fliplr (order);
%!  endif
%!  for k = order
%!    v{k} = gather (e{k});
%!  endfor
%!endfunction

%!function y = softmax (x)
%!  y = exp (x - max (x, [], 2));
%!  y = y ./ sum (y, 2);
%!endfunction

%!test
%! old = symgpu_config ("threads");
%! unwind_protect
%!   one = results (1, false);
%!   assert (isequal (one, results (2, false)));
%!   assert (isequal (one, results (2, true)));
%!   assert (isequal (one, results (4, true)));
%!   plans = symgpu_config ("plans");
%!   symgpu_config ("plans", 0);
%!   again = results (2, true);
%!   symgpu_config ("plans", plans);
%!   assert (isequal (one, again));
%! unwind_protect_cleanup
%!   symgpu_config ("threads", old);
%! end_unwind_protect

## Files hold the plain values: they are read without symgpu, and whatever is wrong with them is
## Octave's to find.
%!test
%! x = symarray ([1, 2.5; 3, 4]) + 1;
%! y = symarray (int8 ([1, 2, 3]));
%! z = symarray ([1+2i, 3]);
%! file = tempname ();
%! unwind_protect
%!   for format = {"-text", "-binary", "-hdf5", "-v6", "-v7"}
%!     save (format{1}, file, "x", "y", "z");
%!     s = load (file);
%!     assert (s.x, [2, 3.5; 4, 5]);
%!     assert (s.y, int8 ([1, 2, 3]));
%!     assert (s.z, [1+2i, 3]);
%!     assert (! any (structfun (@(v) isa (v, "symarray"), s)));
%!   endfor
%! unwind_protect_cleanup
%!   unlink (file);
%! end_unwind_protect
