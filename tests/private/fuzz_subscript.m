## fuzz_subscript (N, GROW, ST): a subscript for N places, perhaps beyond them if GROW.
function s = fuzz_subscript (n, grow, st)
  persistent slot = fuzz_slots ();
  r = fix (rand * 24);
  m = n + grow * fix (rand * 2.3);
  switch (r)
    case {0, 1}
      s = ":";
    case 2
      s = "end";
    case {3, 4, 5}
      s = sprintf ("%d", fix (rand * m) + 1);
    case 6
      s = sprintf ("1:%d", m);
    case 7
      s = "end:-1:1";
    case {8, 9}
      s = ["[", sprintf("%d ", fix (rand (1, fix (rand * 4)) * m) + 1), "]"];
    case 10
      s = ["[", sprintf("%d;", fix (rand (1, 2) * m) + 1), "]"];
    case 11
      s = "2:end";
    case {12, 18}
      ## A mask, perhaps shorter than what it is for.
      s = ["logical ([", sprintf("%d ", rand (1, fix (rand * (min (m, 12) + 1))) < 0.5), "])"];
    case 13
      s = "[]";
    case 14
      s = {"zeros (1, 0)", "true", "false", "[1 2; 1 2]", "int8 (1)", "single (1)", ...
           "zeros (0, 3)", "false (1, 2)", "ones (1, 1, 2)"};
      s = s{fix(rand * 9)+1};
    case 15
      s = sprintf ("min (%d, end)", fix (rand * 4) + 1);
    case {16, 19}
      ## A variable whose values are positions.
      s = "1";
      for j = find (st.fit(slot.n,:) & st.taint == 0 & st.info(2,:) < 20)
        x = st.val{j}(:);
        if (all (x == fix (x) & x >= 0 & x <= m))
          s = st.name{j};
          if (r == 19)
            s = {"min (%s(end), end)", "1:%s(1)", "%s(1):end", "%s(:)", "%s'", "uint8 (%s)"};
            s = sprintf (s{fix(rand * 6)+1}, st.name{j});
          endif
          break;
        endif
      endfor
    case 17
      j = find (st.fit(slot.n,:) & st.taint == 0);
      s = "1";
      if (n > 1 && ! isempty (j))
        s = sprintf ("1 + (%s > 0)", st.name{j(fix (rand * numel (j)) + 1)});
      endif
    case 20
      s = {"[1, end]", "end - 1", "max (1, end - 2):end", "ceil (end / 2)", "1:2:end", ...
           "end:end", "numel (1:end)"};
      s = s{fix(rand * 7)+1};
    case 21
      ## A mask that is computed.
      j = find (st.fit(slot.n,:) & st.taint == 0 & st.info(2,:) <= m & st.info(2,:) > 0);
      s = "1";
      if (! isempty (j))
        s = {"%s > 0", "! %s", "%s != 1", "isnan (%s)", "%s(:) == 2"};
        s = sprintf (s{fix(rand * 5)+1}, st.name{j(fix (rand * numel (j)) + 1)});
      endif
    otherwise
      s = "1";
      if (rand < 0.3)
        s = {"0", "1.5", "-1", "9", "\"a\"", "NaN", "{1}", "2i", "Inf", "\":\""};
        s = s{fix(rand * 10)+1};
      endif
  endswitch
endfunction
