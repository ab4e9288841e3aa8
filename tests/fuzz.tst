## Random programs, always the same ones; "make fuzz" tries others.

%!test
%! if (strcmp (symbackend (), "cuda"))
%!   fuzz (40, 20250, 1, "cuda");
%! else
%!   fuzz (250, 20250);
%! endif

## Every loop compiled before it runs.
%!testif ; ! strcmp (symbackend (), "cuda") && exist (symgpu_info ().compiler, "file")
%! fuzz (12, 20252, 1, {"cpu", "cpu, compiled"});
