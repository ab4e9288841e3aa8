## Random programs, always the same ones; "make fuzz" tries others.

%!test
%! if (strcmp (symbackend (), "cuda"))
%!   fuzz (40, 20250, 1, "cuda");
%! else
%!   fuzz (250, 20250);
%! endif
