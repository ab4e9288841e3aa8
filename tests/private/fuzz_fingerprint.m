## f = fuzz_fingerprint (V): a cell of strings for the variables in V and one for all of their
## classes, sizes and complexities; where these are equal the variables have the same bits.  Of
## cells and structs there is none, but {}, which equals nothing.
function f = fuzz_fingerprint (v)
  deep = cellfun ("isclass", v, "cell") | cellfun ("isclass", v, "struct") ...
         | cellfun ("isclass", v, "function_handle");
  u = v;
  u(deep) = 0;
  f = cellfun (@typecast, cellfun (@vec, u, "uniformoutput", false), {"char"}(ones (size (u))), ...
               "uniformoutput", false);
  f(deep) = {{}};
  shape = cellfun (@size, u, "uniformoutput", false);
  f{end+1} = [cellfun(@class, v, "uniformoutput", false){:}, ...
              sprintf(" %d", cellfun (@iscomplex, u), cellfun ("ndims", u), shape{:})];
endfunction
