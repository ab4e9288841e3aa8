## What the README says is the same, forces, is lazy, is delegated.  The tables of that section are
## read from it: when this fails because the program has changed, change the word there.

%!function text = section ()
%!  top = fileparts (fileparts (which ("symgpu_demo")));
%!  text = fileread (fullfile (top, "README.md"));
%!  title = "\n## What is the same, what forces, what is delegated\n";
%!  start = strfind (text, title);
%!  assert (numel (start) == 1, "README.md has no section '%s'", strtrim (title));
%!  text = [text(start + numel (title):end), "\n## "];
%!  text = text(1:strfind (text, "\n## ")(1));
%!endfunction

%!# the cells of the table with this heading, a row each
%!function cells = rows_under (heading)
%!  lines = ostrsplit (section (), "\n");
%!  k = find (strcmp (lines, heading));
%!  assert (numel (k) == 1, "README.md has no table with the heading '%s'", heading);
%!  cells = {};
%!  for k = k+2:numel (lines)
%!    if (! strncmp (lines{k}, "|", 1))
%!      break;
%!    endif
%!    cells(end+1,:) = strtrim (ostrsplit (lines{k}, "|")(2:end-1));
%!  endfor
%!endfunction

%!function names = quoted (cell)
%!  names = [regexp(cell, '`([^`]*)`', "tokens"){:}];
%!endfunction

%!function n = evaluations ()
%!  n = symgpu_info ("counters").evaluations;
%!endfunction

%!# one call of every function of the table; A and B are 4 x 4, v is a row, K holds subscripts
%!function c = calls ()
%!  c = {"A + i", "A * J", "abs (A)", "accumarray ([1; 2; 1; 2], A(:,1))", "acos (A / 100)", ...
%!       "all (A)", "any (A)", "arrayfun (@(x) x + 1, A)", "atan (A)", "atan2 (A, B)", ...
%!       "besselk (1, abs (A))", "bsxfun (@plus, A, v)", "cat (3, A, B)", "ceil (A)", ...
%!       "cell2mat ({A, B})", "cellfun (@(x) x + 1, {A, v}, 'UniformOutput', false)", ...
%!       "chol (A * A')", "circshift (A, 1)", "class (A)", "conj (A)", "conv2 (A, B)", "cos (A)", ...
%!       "cov (A)", "cross (A(1:3,:), B(1:3,:))", "cumprod (A)", "cumsum (A)", "det (A)", ...
%!       "diag (A)", "diff (A)", "dot (A, B)", "double (A)", "eig (A)", "eigs (double (A), 2)", ...
%!       "eps (A)", "exp (A)", "eye (size (A), class (A))", "false (size (A))", "fft (A)", ...
%!       "fft2 (A)", "fftshift (A)", "find (A > 1)", "fix (A)", "fliplr (A)", "flipud (A)", ...
%!       "floor (A)", "full (A)", "gammaln (abs (A))", "histc (v, 1:4)", "ifft (A)", ...
%!       "ifft2 (A)", "ifftshift (A)", "imag (A)", "ind2sub ([4, 4], K)", ...
%!       "inf (size (A), class (A))", "Inf (size (A), class (A))", "int32 (A)", ...
%!       "interp1 (1:4, v, 2.5)", "interp2 (A, 2.5, 1.5)", "intersect (v, A)", "inv (A)", ...
%!       "isa (A, 'float')", "isempty (A)", "isequal (A, A)", "isfinite (A)", "isinf (A)", ...
%!       "islogical (A)", "ismember (A, v)", "isnan (A)", "isnumeric (A)", "isreal (A)", ...
%!       "isscalar (A)", "issparse (A)", "isvector (A)", "kron (A, B)", "length (A)", ...
%!       "linspace (0, 1, numel (A))", "log (abs (A))", "log10 (abs (A))", "log2 (abs (A))", ...
%!       "logical (A > 1)", "logspace (0, 1, numel (A))", "max (A)", "mean (A)", "median (A)", ...
%!       "meshgrid (v)", "min (A, [], 2)", "minus (A, B)", "mod (A, 3)", ...
%!       "nan (size (A), class (A))", "NaN (size (A), class (A))", "ndgrid (v)", "ndims (A)", ...
%!       "nnz (A)", "nonzeros (A)", "norm (v)", "not (A > 1)", "num2cell (A)", "numel (A)", ...
%!       "ones (size (A), class (A))", "orth (A)", "permute (A, [2, 1])", "pi (class (A))", ...
%!       "pinv (A)", "plus (A, B)", "polyfit (1:4, v, 1)", "polyval (v, A)", "prod (A)", ...
%!       "qr (A)", "rand (size (A), class (A))", "randi (9, size (A), class (A))", ...
%!       "randn (size (A), class (A))", "randperm (numel (A))", "rank (A)", "rdivide (A, B)", ...
%!       "real (A)", "rem (A, 3)", "repmat (A, 2, 3)", "reshape (A, 2, [])", "rng (sum (K))", ...
%!       "roots (v)", "round (A)", "setdiff (v, A)", "sign (A)", "sin (A)", "single (A)", ...
%!       "size (A)", "sort (A)", "sortrows (A)", "sparse (double (A))", "spdiags (double (A))", ...
%!       "speye (size (A))", "sqrt (abs (A))", "squeeze (reshape (A, 4, 1, 4))", "std (A)", ...
%!       "sub2ind ([4, 4], K, K)", "sum (A)", "svd (A)", "svds (double (A), 2)", "times (A, B)", ...
%!       "trace (A)", "transpose (A)", "trapz (A)", "tril (A)", "triu (A)", "true (size (A))", ...
%!       "uint32 (A)", "uint8 (A)", "unique (A)", "var (A)", "zeros (size (A), class (A))"};
%!endfunction

%!function code = call_of (name)
%!  persistent all = calls ();
%!  hit = ! cellfun ("isempty", regexp (all, ["\\<", name, "\\>( \\(|$)"], "once"));
%!  first = strncmp (all, [name, " ("], numel (name) + 2);
%!  if (any (first))
%!    hit = first;
%!  endif
%!  assert (any (hit), ["README.md lists %s, for which tests/readme.tst has no call: ", ...
%!                      "add one to calls ()"], name);
%!  code = all{find (hit, 1)};
%!endfunction

%!function r = run (code, p)
%!  A = p{1}; B = p{2}; v = p{3}; K = p{4};
%!  r = eval (code);
%!endfunction

%!# the arguments of the calls, of a kind of number
%!function p = arguments (kind)
%!  a = magic (4) - 7.5 + 9 * eye (4);
%!  b = [1 2 3 4; 4 3 2 2; 7 6 5 4; 2 2 9 1.5] / 4;
%!  v = [4 3 2.5 1];
%!  switch (kind)
%!    case "complex"
%!      p = {a + 1i * b, b - 1i * a, v + 1i * v([2 1 4 3])};
%!    otherwise
%!      p = {feval(kind, a), feval(kind, b), feval(kind, v)};
%!  endswitch
%!  p{4} = [1 2 3];
%!endfunction

%!# what a call does: the word of the table; empty: the function refuses these numbers, as Octave's
%!function word = measured (name, kind, delegated)
%!  code = call_of (name);
%!  plain = arguments (kind);
%!  lazy = cellfun (@(a) symarray (a) + 0, plain, "UniformOutput", false);
%!  message = "";
%!  try
%!    r = run (code, plain);
%!  catch e
%!    message = e.message;
%!  end_try_catch
%!  before = evaluations ();
%!  try
%!    x = run (code, lazy);
%!  catch e
%!    assert (strcmp (e.message, message), "%s: %s", code, e.message);
%!    word = "";
%!    return;
%!  end_try_catch
%!  assert (message, "");
%!  computed = evaluations () > before;
%!  before = evaluations ();    # a complex scalar is computed as soon as it is an argument
%!  wrapped = issymarray (x);
%!  if (iscell (x))
%!    wrapped = all (cellfun (@issymarray, x)(:));
%!    g = cellfun (@gather, x, "UniformOutput", false);
%!  else
%!    g = gather (x);
%!  endif
%!  rest = evaluations () > before;
%!  if (computed && (any (strcmp (delegated, name)) || (wrapped && exist (name) == 5)))
%!    word = "delegated";
%!  elseif (computed)
%!    word = "forces";
%!  elseif (wrapped && rest)
%!    word = "lazy";
%!  else
%!    word = "at once";
%!  endif
%!  check_result (name, code, g, r, word);
%!endfunction

%!function check_result (name, code, g, r, word)
%!  assert (strcmp (class (g), class (r)), "class of %s", code);
%!  if (strcmp (name, "rng"))
%!    return;
%!  endif
%!  assert (size_equal (g, r), "size of %s", code);
%!  if (strncmp (name, "rand", 4))
%!    return;
%!  endif
%!  if (isnumeric (r))
%!    assert (iscomplex (g) == iscomplex (r), "complexity of %s", code);
%!    assert (issparse (g) == issparse (r), "sparsity of %s", code);
%!  endif
%!  if (isfloat (r) && ! strcmp (word, "delegated"))
%!    assert (g, r, 100 * eps (class (r)) * max ([1; abs(r(:))]));
%!  else
%!    assert (isequaln (g, r), "value of %s", code);
%!  endif
%!endfunction

%!function same = isequaln (a, b)
%!  same = true;
%!  try
%!    assert (a, b);
%!  catch
%!    same = false;
%!  end_try_catch
%!endfunction

%!test # at once, lazy, forces, delegated: what the README says of each function is true
%! old_small = symgpu_config ("small", 0);
%! restore = onCleanup (@() symgpu_config ("small", old_small));
%! pairs = rows_under ("| function | | function | | function | |");
%! pairs = reshape (pairs', 2, [])';
%! pairs(cellfun ("isempty", pairs(:,1)),:) = [];
%! assert (rows (pairs) >= 150);
%! names = strrep (pairs(:,1), "`", "");
%! assert (numel (unique (names)), numel (names));
%! later = rows_under ("| function | since Octave | |");
%! assert (all (ismember (later(:,1), pairs(:,1))));
%! for k = 1:rows (later)
%!   if (compare_versions (version (), later{k,2}, ">="))
%!     pairs(strcmp (pairs(:,1), later{k,1}),2) = later(k,3);
%!   endif
%! endfor
%! delegated = symgpu_info ("functions").delegated;
%! state = warning ();
%! seed = rng ();
%! wrong = {};
%! unwind_protect
%!   warning ("off", "all");
%!   for k = 1:numel (names)
%!     real_word = double_word = measured (names{k}, "double", delegated);
%!     assert (! isempty (real_word), "%s fails", call_of (names{k}));
%!     word = measured (names{k}, "single", delegated);
%!     if (! strcmp (word, double_word))
%!       real_word = [real_word "; single: " word];
%!     endif
%!     word = measured (names{k}, "complex", delegated);
%!     if (! isempty (word) && ! strcmp (word, double_word))
%!       real_word = [real_word "; complex: " word];
%!     endif
%!     if (! strcmp (real_word, pairs{k,2}))
%!       wrong{end+1} = sprintf ("change the word of `%s` in README.md from '%s' to '%s'", ...
%!                               names{k}, pairs{k,2}, real_word);
%!     endif
%!   endfor
%! unwind_protect_cleanup
%!   warning (state);
%!   rng (seed);
%! end_unwind_protect
%! assert (isempty (wrong), "%s\n", strjoin (wrong, "\n"));

%!# evaluations by a statement about 3 x 3 symarrays x and y, a plain A
%!function n = does_compute (code)
%!  x = symarray ([4 2 3; 2 6 1; 3 1 9]) + 0;
%!  y = x - 0;
%!  A = magic (3);
%!  file = tempname ();
%!  code = strrep (code, '"FILE"', "file");
%!  n = evaluations ();
%!  try
%!    evalc ([code ";"]);
%!  catch e
%!    error ("README.md: `%s` fails: %s", code, e.message);
%!  end_try_catch
%!  n = evaluations () - n;
%!  if (exist (file, "file"))
%!    unlink (file);
%!  endif
%!endfunction

%!test # every statement of the README computes, or does not compute, as it says there
%! old_small = symgpu_config ("small", 0);
%! restore = onCleanup (@() symgpu_config ("small", old_small));
%! wrong = {};
%! for t = {"| computes | |", "| computes nothing | |"}
%!   cells = rows_under (t{1});
%!   for code = quoted (strjoin (cells(:,1)', " "))
%!     n = does_compute (code{1});
%!     if ((n > 0) != strcmp (t{1}, "| computes | |"))
%!       wrong{end+1} = sprintf ("move `%s` to the other table of README.md", code{1});
%!     endif
%!   endfor
%! endfor
%! assert (isempty (wrong), "%s\n", strjoin (wrong, "\n"));

%!test # the last places: as in the tables of operations
%! top = fileparts (fileparts (which ("symgpu_demo")));
%! text = fileread (fullfile (top, "src", "core", "op.def"));
%! row = regexp (text, '^EW \(\w+, *"(\w+)",(?: *\w+,){4} *(\d+),', "tokens", "lineanchors");
%! assert (numel (row) > 60);
%! text = fileread (fullfile (top, "src", "core", "red.def"));
%! red = regexp (text, '^(?:RED|SCAN) \(\w+, *"(\w+)",.* (\d+)\)', "tokens", "lineanchors", ...
%!               "dotexceptnewline");
%! assert (numel (red) > 8);
%! ## Of a reduction as many as there are numbers.
%! for k = 1:numel (red)
%!   red{k}{2} = strrep (red{k}{2}, "4", "n");
%! endfor
%! is = unique (strcat (vertcat ([row, red]{:})(:,1), ":", vertcat ([row, red]{:})(:,2)));
%! is = is(cellfun ("isempty", regexp (is, ':0$')));
%! cells = rows_under ("| ulp | at most |");
%! said = {};
%! for k = 1:rows (cells)
%!   said = [said, strcat(quoted (cells{k,2}), ":", cells{k,1})];
%! endfor
%! missing = setdiff (is', said);
%! assert (isempty (missing), "README.md does not say ulp %s", strjoin (missing, ", "));
%! missing = setdiff (said, is');
%! assert (isempty (missing), "README.md says ulp %s, which is no more", strjoin (missing, ", "));

## the two things that are not the same
%!error <incompatible types found in range expression> 1:symarray ([3, 4])
%!error <Invalid resizing operation> [ones(1, 2, 2); symarray(ones (2, 2, 2))]
%!test
%! a = rand (1, 2, 2); b = rand (2, 2, 2);
%! assert (gather (vertcat (a, symarray (b))), [a; b]);
%! assert (gather (cat (1, a, symarray (b))), [a; b]);
%! assert (gather ([symarray(a); b]), [a; b]);

%!test # and what is said of a long sum
%! x = repmat (0.1, 1e6, 1);
%! exact = 0.1 * 1e6;
%! assert (round (abs (sum (x) - exact) / eps (exact)), 91594, 1);
%! assert (abs (gather (sum (symarray (x)), "cpu") - exact) <= 5 * eps (exact));
