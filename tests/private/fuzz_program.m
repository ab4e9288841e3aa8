## fuzz_program (): a random program: text (a cell of statements), what each does to the taint of
## variables (step), inputs, name and taint of its variables, the outcome of its plain run, and
## which inputs are wrapped when not all are.  Each statement is run when it is made, so that the
## next one knows what there is.
function z_p = fuzz_program ()
  z_p.name = {"a", "b", "c", "d", "p", "q", "r", "t", "s.a", "s.b", "k{1}", "k{2}"};
  z_p.inputs = z_in = inputs ();
  [a, b, c, d, s, k] = z_in{:};
  p = q = r = t = [];
  m_ = {};
  z_st.name = z_p.name;
  z_st.taint = zeros (1, 12);
  z_st.info = zeros (5, 12);
  z_st.fit = false (numel (fieldnames (fuzz_slots ())), 12);
  z_to = 1:12;
  z_p.text = z_p.step = {};
  z_out.message = z_out.identifier = "";
  z_out.at = 0;
  z_n = 5 + fix (rand * 16);
  for z_i = 1:z_n
    z_st = fuzz_describe (z_st, {a, b, c, d, p, q, r, t, s.a, s.b, k{1}, k{2}}, z_to);
    [z_txt, z_to, z_taint] = fuzz_statement (z_st, 0);
    try
      eval (z_txt);
      if (any (cellfun ("numel", {a, b, c, d, p, q, r, t, s.a, s.b, k{1}, k{2}}) > 1e5))
        ## Too large to be copied and compared many times.
        [a, b, c, d, p, q, r, t, s.a, s.b, k{1}, k{2}] = z_st.val{:};
        continue;
      endif
      z_st.taint(z_to) = z_taint;
      z_p.text{end+1} = z_txt;
      z_p.step{end+1} = [z_to; z_taint];
    catch z_e
      if (strncmp (z_e.message, "parse error", 11))
        error ("fuzz: this is no statement: %s", z_txt);
      endif
      z_st.taint(z_to) = max (z_st.taint(z_to), z_taint);
      z_p.step{end+1} = [z_to; z_st.taint(z_to)];
      if (rand < 0.1)
        z_p.text{end+1} = z_txt;
        z_out.message = z_e.message;
        z_out.identifier = z_e.identifier;
        z_out.at = numel (z_p.text);
        break;
      endif
      ## What it had done before it failed is done again.
      [a, b, c, d, p, q, r, t, s.a, s.b, k{1}, k{2}] = z_st.val{:};
      z_txt = ["try ", z_txt, " catch e_\n", ...
               " m_{end+1} = [e_.identifier, \"|\", e_.message]; end_try_catch"];
      eval (z_txt);
      z_p.text{end+1} = z_txt;
    end_try_catch
  endfor
  z_out.value = {a, b, c, d, p, q, r, t, s.a, s.b, k{1}, k{2}, m_};
  z_out.print = fuzz_fingerprint (z_out.value);
  z_p.taint = z_st.taint;
  z_p.outcome = z_out;
  z_w = num2cell (rand (1, 8) < 0.5);
  z_p.wrapped = [z_w(1:4), {z_w(5:6)}, {z_w(7:8)}];
endfunction

## The inputs a, b, c, d, s, k.
function in = inputs ()
  persistent classes = {"double", "double", "double", "double", "single", "single", "logical", ...
                        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", ...
                        "uint64", "complex", "complex", "complex single"};
  cls = classes(fix (rand (1, 2) * numel (classes)) + 1);
  cls = [cls, {"double"}];
  m = fix (rand * 5) + 1;
  n = fix (rand * 5) + 1;
  r = rand;
  if (r < 0.02)
    m = fix (rand * 60) + 5;
  elseif (r < 0.05)
    n = 0;
  endif
  shapes = {[m, n], [m, n], [m, 1], [1, n], [1, 1], [n, m], [m, n], [n, n], [0, 0], [0, n], ...
            [m, n, 2]};
  x = cell (1, 8);
  for i = 1:8
    x{i} = array (cls{fix(rand * 3) + 1}, shapes{fix(rand * numel (shapes)) + 1});
  endfor
  if (rand < 0.03)
    x{4} = "ab";
  endif
  in = {x{1:4}, struct("a", x{5}, "b", x{6}), {x{7}, x{8}}};
endfunction

function a = array (cls, sz)
  n = prod (sz);
  switch (cls)
    case {"double", "single"}
      a = reals (n);
      if (cls(1) == "s")
        a = single (a);
      endif
    case {"complex", "complex single"}
      a = complex (reals (n), reals (n));
      if (numel (cls) > 7)
        a = single (a);
      endif
      if (isreal (a + 0) || ! any (imag (a(:))))
        a += 1i;
      endif
    case "logical"
      a = rand (1, n) < 0.5;
    otherwise
      a = feval (cls, fix ((rand (1, n) - (cls(1) == "i") * 0.5) * 20));
      if (rand < 0.3 && n > 0)
        k = fix (rand * n) + 1;
        a(k) = intmax (cls);
        a(fix (rand * n) + 1) = intmin (cls);
        a(fix (rand * n) + 1) = intmax (cls) / 2;
      endif
  endswitch
  a = reshape (a, sz);
endfunction

function r = reals (n)
  persistent special = [0, -0, 1, -1, Inf, -Inf, NaN, 0.5, -0.5, 1.5, 2.5, -2.5, 2, 3, 100, ...
                        1e5, eps, pi, NA, 2^53, 255, -128.5];
  persistent extreme = [realmax, -realmax, realmin, 5e-324, -5e-324, 1e300, 1e19, -2^63, 2^64];
  k = rand;
  if (k < 0.5)
    r = fix (rand (1, n) * 13) - 5;
  elseif (k < 0.7)
    r = rand (1, n) * 8 - 3;
  elseif (k < 0.8)
    r = 0:n-1;
  elseif (k < 0.9)
    r = special(fix (rand (1, n) * numel (special)) + 1);
    if (rand < 0.1 && n > 0)
      r(fix (rand * n) + 1) = extreme(fix (rand * numel (extreme)) + 1);
    endif
  else
    r = fix (rand (1, n) * 20) / 2 - 4;
  endif
endfunction
