## contract.m: prints doc/contract.texi, the page of the manual about last places, from
## tests/exact.txt, the tables and bounds below.

1;

## How far from the exact value a result may be, in its last place: what the libraries promise.
function b = exact_bound (name)
  b = 1.05;
  switch (name)
    case {"sqrt"}
      b = 0.5;
    case {"sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erfc", "cbrt"}
      b = 2;
  endswitch
endfunction

top = fileparts (fileparts (mfilename ("fullpath")));
addpath (fullfile (top, "tests"));
s = exact_errors (fullfile (top, "tests", "exact.txt"), {"cpu", "native"});
table = __symgpu_rows__ ();
puts ("@c Made by tools/contract.m.\n@multitable @columnfractions .16 .21 .21 .21 .21\n");
puts ("@headitem function @tab promised against Octave @tab promised against the exact value\n");
puts ("@tab found on @code{cpu} @tab found of Octave\n");
for r = s
  row = table(strcmp ({table.name}, r.name));
  printf ("@item @code{%s} @tab %d @tab %g @tab %.2f @tab %.2f\n", r.name, row(1).ulp, ...
          exact_bound (r.name), r.exact);
endfor
puts ("@end multitable\n");
