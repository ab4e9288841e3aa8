## Every row of the tables of operations against Octave's own function: see table_check.m.


%!test table_check ("elementwise");
%!test table_check ("reduction");
%!test table_check ("scan");
%!test table_check ("move");
