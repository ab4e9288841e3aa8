## lifecycle.m TARBALL DIR: installs the package below DIR, loads, tests, unloads, loads it
## again and uninstalls it, in one session and with values that live through it all.

1;

function expect (what, ok)
  global passed failed
  if (ok)
    passed++;
  else
    failed++;
    printf ("FAILED: %s\n", what);
  endif
endfunction

## Runs the text in the base workspace; an error is a failed test.
function run (what, text)
  try
    evalin ("base", text);
    ok = true;
  catch err
    printf ("%s: %s\n", what, err.message);
    ok = false;
  end_try_catch
  expect (what, ok);
endfunction

## The numbers of the summary that "pkg test" prints.
function [pass, bad] = test_counts (text)
  number = @(s) str2double ([{"0"}, regexp(text, ["^ *" s " +(\\d+)$"], "tokens", "once", "lineanchors")]);
  pass = number ("PASS")(end);
  bad = number ("FAIL")(end) + number ("REGRESSION")(end);
endfunction

## Files of libraries that this process has mapped and whose name has BLAS or LAPACK in it.
function libs = blas_libraries ()
  libs = {};
  if (exist ("/proc/self/maps", "file"))
    maps = fileread ("/proc/self/maps");
    libs = unique (regexp (maps, '/\S*(?:blas|lapack|mkl|blis|atlas)\S*', "match"));
  endif
endfunction

global passed failed
passed = failed = 0;
args = argv ();
tarball = make_absolute_filename (args{end-1});
dir = make_absolute_filename (args{end});
cd (dir);
pkg ("prefix", fullfile (dir, "pkg"), fullfile (dir, "arch"));
pkg ("local_list", fullfile (dir, "packages"));
pkg ("global_list", fullfile (dir, "global_packages"));

A = magic (4);
[~] = A * A;
before = blas_libraries ();

run ("pkg install", "pkg (\"install\", tarball);");
run ("pkg describe", "d = pkg (\"describe\", \"-verbose\", \"symgpu\"); assert (numel (d{1}.provides) > 1);");
run ("pkg load", "pkg load symgpu");
run ("an expression", "x = symarray (A); y = x * 2 + 1; assert (gather (y), A * 2 + 1);");
run ("a product", "assert (gather (x * x), A * A);");
expect ("there is one BLAS library", isequal (blas_libraries (), before));
run ("it is a symarray", "assert (issymarray (y) && isa (y, \"symarray\"));");
run ("an expression to keep", "s = struct (\"lazy\", {y .^ 2 - x}); c = {exp(-x)};");

run ("pkg unload", "pkg unload symgpu");
run ("operators while the package is unloaded", "z = y + 1; w = x * y; u = -s.lazy;");
run ("display while it is unloaded", "t = evalc (\"z\"); assert (! isempty (strfind (t, \"34\")));");
run ("assignment while it is unloaded", "B = zeros (4); B(:) = z; assert (B, A * 2 + 2);");
run ("copies are freed while it is unloaded", "v = c; clear v w; q = {z, u}; clear q;");

run ("pkg load again", "pkg load symgpu");
run ("the old values", "assert (gather (y), A * 2 + 1); assert (gather (z), A * 2 + 2);");
run ("old values in containers", "assert (gather (u), -((A * 2 + 1) .^ 2 - A)); assert (gather (c{1}), exp (-A), 4 * eps);");
run ("old and new values together", "n = symarray (A); assert (issymarray (n + x)); assert (gather (n + x - y), A + A - (A * 2 + 1));");
run ("clear all keeps nothing from working", "evalin (\"base\", \"clear n; clear -f gather;\"); assert (gather (symarray (2) + 1), 3);");

try
  text = evalc ("pkg test symgpu");
catch err
  text = err.message;
end_try_catch
[pass, bad] = test_counts (text);
expect ("pkg test: there are tests", pass > 0);
expect ("pkg test: none fails", bad == 0);
if (! (pass > 0 && bad == 0))
  puts (text);
  if (exist ("fntests.log", "file"))
    puts (fileread ("fntests.log"));
  endif
endif

run ("pkg unload again", "pkg unload symgpu");
run ("pkg uninstall", "pkg uninstall symgpu");
expect ("nothing is left", isempty (pkg ("list", "symgpu")) && isempty (glob (fullfile (dir, "pkg", "symgpu*"))));
run ("a value that outlives the package", "r = x + 1; assert (isequal (double (r + 0)(:)', A(:)' + 1));");
clear x y z s c u r

printf ("%d passed, %d failed\n", passed, failed);
if (failed)
  exit (1);
endif
