## fuzz_describe (ST, V, WHICH): what is known of the variables WHICH, whose values are in V.
##
## ST has, for each variable, its NAME, value (VAL), TAINT (0 the bits are those of plain Octave, 1
## double, 2 single precision with rounding differences), and a column of INFO:
##   1      class number: 1 double, 2 single, 3 logical, 4 to 11 integers, 12 char, 0 none of these
##   2      number of elements
##   3 to 5 rows, columns, the others
## FIT says which slots of a template it can fill, a row each (see fuzz_slots); HAVE, whether a
## slot has any.
function st = fuzz_describe (st, v, which)
  persistent names = struct ("double", 1, "single", 2, "logical", 3, "int8", 4, "int16", 5, ...
                             "int32", 6, "int64", 7, "uint8", 8, "uint16", 9, "uint32", 10, ...
                             "uint64", 11, "char", 12, "cell", 0, "struct", 0, ...
                             "function_handle", 0);
  persistent by_class by_shape by_complex;
  persistent target = fuzz_slots ().u;
  if (isempty (by_class))
    [by_class, by_shape, by_complex] = slots_by ();
  endif
  st.val = v;
  info = st.info;
  fit = st.fit;
  taint = st.taint;
  for j = which
    x = v{j};
    s = size (x);
    c = names.(class (x));
    cpx = iscomplex (x);
    n = s(1) * s(2);
    d3 = 1;
    if (numel (s) > 2)
      d3 = prod (s(3:end));
      n *= d3;
      shape = 1;
    elseif (n == 1)
      shape = 5;
    else
      shape = 2 + ((s(1) == 1 || s(2) == 1) && n > 0) + 2 * (s(1) == s(2));
    endif
    ## What has grown large, or was never assigned, is no operand.
    if (n > 400 || (n == 0 && s(1) == s(2) && rand < 0.7))
      c = 0;
    endif
    info(:,j) = [c; n; s(1); s(2); d3];
    if (cpx && taint(j) > 0)
      fit(:,j) = false;
    else
      fit(:,j) = by_class(:,c+1) & by_shape(:,shape) & by_complex(:,1+cpx);
    endif
    ## Octave does not survive D(false) = 1 of a diagonal matrix D.
    fit(target,j) &= isempty (strfind (typeinfo (x), "diagonal"));
  endfor
  st.info = info;
  st.fit = fit;
  st.have = any (fit, 2);
endfunction

## Which slots a class, a shape and a complex value can fill.  Shapes: N-d, matrix, vector, square,
## scalar.
function [class, shape, complex] = slots_by ()
  s = fuzz_slots ();
  all_of = true (numel (fieldnames (s)), 1);
  except = @(names) without (s, all_of, names);
  class = [! all_of, except("il"), except("il"), except("rijq"), ...
              repmat(except ("cCfrjlq"), 1, 8), except("vcCfrijlq")];
  shape = [except("mcCvsjq"), except("vsq"), except("sq"), except("vs"), all_of];
  complex = [except("G"), except("rjn")];
endfunction

function ok = without (s, ok, names)
  for c = names
    ok(s.(c)) = false;
  endfor
endfunction
