## contract.m: prints doc/contract.texi, the page of the manual about last places, from
## tests/exact.txt and the tables of the core.

1;

top = fileparts (fileparts (mfilename ("fullpath")));
addpath (fullfile (top, "tests"));
s = exact_errors (fullfile (top, "tests", "exact.txt"), {"cpu", "native"});
table = __symgpu_rows__ ();
puts ("@c Made by tools/contract.m.\n");
for k = 1:2
  class_ = {"double", "single"}{k};
  printf ("\n@subheading Class @code{%s}\n\n", class_);
  puts ("@multitable @columnfractions .16 .14 .14 .14 .14 .14 .14\n");
  puts ("@headitem function @tab @code{cpu}, Octave @tab @code{cpu}, exact @tab found");
  puts (" @tab Octave's own @tab @code{cuda}, Octave @tab @code{cuda}, exact\n");
  for r = s(strcmp ({s.class}, class_))
    row = table(strcmp ({table.name}, r.name))(1);
    printf ("@item @code{%s} @tab %d @tab %g @tab %.2f @tab %.2f @tab %d @tab %g\n", r.name, ...
            row.ulp(1,k), row.exact(1,k), r.exact, row.ulp(2,k), row.exact(2,k));
  endfor
  puts ("@end multitable\n");
endfor
