## What others bring: compiled functions and classes.  The oracle is the plain array.

## A folder with functions and classes made for these tests, on the load path.
%!function dir = brought ()
%!  persistent made = "";
%!  if (isempty (made))
%!    made = tempname ();
%!    mkdir (made);
%!    put (made, "told_of.c", { ...
%!      "#include <mex.h>", ...
%!      "void mexFunction (int nl, mxArray **l, int nr, const mxArray **r)", ...
%!      "{", ...
%!      "  l[0] = mxCreateString (mxGetClassName (r[0]));", ...
%!      "  if (nl > 1)", ...
%!      "    l[1] = mxDuplicateArray (r[nr - 1]);", ...
%!      "  if (nl > 2)", ...
%!      "    mexCallMATLAB (1, l + 2, 1, (mxArray **) r, \"cumsum\");", ...
%!      "}"});
%!    mkoctfile ("--mex", "-o", fullfile (made, "told_of.mex"), fullfile (made, "told_of.c"));
%!    put (made, "like.cc", { ...
%!      "#include <octave/oct.h>", ...
%!      "DEFUN_DLD (like, args, , \"\")", ...
%!      "{", ...
%!      "  if (args(0).class_name () != args(1).class_name ())", ...
%!      "    error (\"like: not of the same class\");", ...
%!      "  return ovl (args(0).array_value () + args(1).array_value (), args(0).class_name ());", ...
%!      "}"});
%!    mkoctfile ("-o", fullfile (made, "like.oct"), fullfile (made, "like.cc"));
%!    mkdir (made, "private");
%!    mkdir (made, "@sgbox");
%!    cls = fullfile (made, "@sgbox");
%!    put (cls, "sgbox.m", {"function o = sgbox (v)", "o = class (struct (\"v\", v), \"sgbox\");"});
%!    put (cls, "within.m", {"function r = within (a, b)", ...
%!                           "if (isa (a, \"sgbox\")) r = {a.v, b}; else r = {a, b.v}; end"});
%!    put (cls, "ismember.m", {"function r = ismember (a, b)", "r = ismember (a, b.v);"});
%!    put (cls, "plus.m", {"function r = plus (a, b)", "r = within (a, b);"});
%!    put (cls, "sum.m", {"function r = sum (a, b)", "r = within (a, b);"});
%!    put (cls, "horzcat.m", {"function r = horzcat (varargin)", "r = numel (varargin);"});
%!    put (made, "sgnew.m", { ...
%!      "classdef sgnew", "properties", "v", "end", "methods", ...
%!      "function o = sgnew (v)", "o.v = v;", "end", ...
%!      "function r = sum (a, b)", "if (isa (a, \"sgnew\")) r = {a.v, b}; else r = {a, b.v}; end", "end", ...
%!      "function r = plus (a, b)", "r = sum (a, b);", "end", "end", "end"});
%!    put (made, "within.m", {"function r = within (a, b)", "r = \"neither\";"});
%!    addpath (made);
%!  endif
%!  dir = made;
%!endfunction

%!function put (dir, name, lines)
%!  fid = fopen (fullfile (dir, name), "w");
%!  fprintf (fid, "%s\n", lines{:});
%!  fclose (fid);
%!endfunction

%!function same (x, a)
%!  g = gather (x);
%!  assert (class (g), class (a));
%!  assert (size (g), size (a));
%!  assert (iscomplex (g), iscomplex (a));
%!  assert (g, a);
%!endfunction

%!function p = plains ()
%!  p = {magic(3), 5, zeros(0, 3), single([1 2]), [true, false], int8([100 -100]), uint16(7), ...
%!       [1+2i, 3], single(1-2i), reshape(1:8, 2, 2, 2)};
%!endfunction

%!test # a function written in C asks for the class
%! brought ();
%! for p = plains ()
%!   a = p{1};
%!   [c, v, s] = told_of (symarray (a));
%!   [cp, vp, sp] = told_of (a);
%!   assert (c, cp);
%!   same (v, vp);
%!   same (s, sp);
%! endfor
%! x = symarray ([1 2 3]);
%! [c, v] = told_of ("a", x + 1);
%! assert (c, "char"); same (v, [2 3 4]);
%! [c, v] = told_of (x, {x});
%! assert (c, "double");

%!test # one written in C++, too; by name and by handle
%! brought ();
%! x = symarray (int8 ([1 2]));
%! [v, c] = like (x, int8 ([3 4]));
%! same (v, [4 6]); assert (c, "int8");
%! [v, c] = feval ("like", int8 ([3 4]), x);
%! same (v, [4 6]); assert (c, "int8");
%! f = @like;
%! same (f (x, x), [2 4]);
%! same (f (int8 ([1 2]), int8 ([1 2])), [2 4]);
%! r = cellfun (f, {x, x}, {int8([1 2]), x}, "uniformoutput", false);
%! same (r{1}, [2 4]); same (r{2}, [2 4]);
%! r = cellfun ("like", {x}, {x}, "uniformoutput", false);
%! same (r{1}, [2 4]);
%! fail ("like (symarray ([1 2]), int8 ([1 2]))", "like: not of the same class");

%!test # a function of the user's that goes before it
%! dir = tempname ();
%! mkdir (dir);
%! put (dir, "like.m", {"function r = like (a, b)", "r = {a, b};"});
%! brought ();
%! addpath (dir);
%! unwind_protect
%!   r = like (symarray ([1 2]), 3);
%!   assert (iscell (r)); assert (issymarray (r{1})); assert (r{2}, 3);
%! unwind_protect_cleanup
%!   rmpath (dir);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (dir, "s");
%! end_unwind_protect
%! same (like (symarray ([1 2]), [3 4]), [4 6]);

%!test # in the folder where one is
%! dir = brought ();
%! here = tempname ();
%! mkdir (here);
%! copyfile (fullfile (dir, "told_of.mex"), fullfile (here, "told_here.mex"));
%! before = cd (here);
%! unwind_protect
%!   rmpath (dir);
%!   addpath (dir);
%!   assert (told_here (symarray ([1 2])), "double");
%! unwind_protect_cleanup
%!   cd (before);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (here, "s");
%! end_unwind_protect

%!test # an object goes before an array, on either side
%! brought ();
%! o = sgbox ([1 2]);
%! x = symarray ([2 3]);
%! for f = {@within, @plus, @sum}
%!   r = f{1} (x, o);
%!   assert (size (r), [1 2]); same (r{1}, [2 3]); assert (r{2}, [1 2]);
%!   r = f{1} (o, x);
%!   assert (size (r), [1 2]); assert (r{1}, [1 2]); same (r{2}, [2 3]);
%! endfor
%! assert (within (x, x), "neither");
%! same (ismember (x, o), [true false]);
%! r = x + o; same (r{1}, [2 3]);
%! r = o + x; same (r{2}, [2 3]);
%! assert ([x, o], 2);
%! assert ([o, x], 2);
%! o = sgbox (x);
%! r = within (x, o); same (r{2}, [2 3]);

%!test # one of a class in a file of its own, too
%! brought ();
%! o = sgnew ([1 2]);
%! x = symarray ([2 3]);
%! r = sum (x, o); same (r{1}, [2 3]); assert (r{2}, [1 2]);
%! r = sum (o, x); same (r{2}, [2 3]); assert (r{1}, [1 2]);
%! r = x + o; same (r{1}, [2 3]); assert (r{2}, [1 2]);
%! r = o + x; same (r{2}, [2 3]); assert (r{1}, [1 2]);
%! f = @sum;
%! r = f (x, o); same (r{1}, [2 3]); assert (r{2}, [1 2]);

%!test # what was made is taken away
%! dir = brought ();
%! rmpath (dir);
%! clear told_of like sgbox sgnew
%! confirm_recursive_rmdir (false, "local");
%! rmdir (dir, "s");
%! fail ("like (symarray ([1 2]), 1)", "'like' undefined");
