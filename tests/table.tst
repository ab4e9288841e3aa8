## Every row of the tables of operations against Octave's own function: see table_check.m.


%!test table_check ("elementwise");
%!test table_check ("reduction");
%!test table_check ("scan");
%!test table_check ("move");
%!test
%! warning ("off", "all", "local");
%! table_check ("function", "masked assignment");
%!test table_check ("function", "kron");
%!test table_check ("function", "diag");
%!test table_check ("function", "diff");
%!test table_check ("function", "nnz");
%!test table_check ("function", "norm");
%!test table_check ("function", "sum");
%!test table_check ("function", "prod");
%!test table_check ("function", "cumsum");
%!test table_check ("function", "trace");
%!test table_check ("function", "xor");
%!test table_check ("function", "tril");
%!test table_check ("function", "triu");
%!test table_check ("function", "sort");
%!test table_check ("function", "places of sort");
