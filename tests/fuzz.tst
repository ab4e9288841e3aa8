## Random programs, always the same ones; "make fuzz" tries others.

%!test fuzz (250, 20250);
