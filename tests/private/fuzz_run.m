## fuzz_run (TEXT, INPUTS): what a program does: the values of its variables, gathered, their
## fingerprints, and its error.
function z_out = fuzz_run (z_text, z_in)
  z_out.message = z_out.identifier = "";
  z_out.at = 0;
  [a, b, c, d, s, k] = z_in{:};
  p = q = r = t = [];
  m_ = {};
  z_n = 0;
  try
    eval (z_text);
  catch z_e
    z_out.message = z_e.message;
    z_out.identifier = z_e.identifier;
    z_out.at = z_n;
  end_try_catch
  try
    z_out.value = fuzz_gather ({a, b, c, d, p, q, r, t, s.a, s.b, k{1}, k{2}});
    z_out.value{end+1} = m_;
    z_out.print = fuzz_fingerprint (z_out.value);
  catch z_e
    z_out.message = z_e.message;
    z_out.identifier = z_e.identifier;
    z_out.at = Inf;
    z_out.value = {};
    z_out.print = {};
  end_try_catch
endfunction
