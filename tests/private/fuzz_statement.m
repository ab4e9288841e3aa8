## [txt, st, to, taint] = fuzz_statement (st, depth): a random statement over the variables
## of ST; TO are the numbers of the variables that it assigns and TAINT their state afterwards.
##
## ST has, for each variable, its name, value (val), class number (cls: 1 double, 2 single,
## 3 logical, 4 to 11 integers, 12 char, 0 none of these), size (a row of dims), whether it is
## complex (cpx), and taint: 0 the bits are those of plain Octave, 1 double, 2 single precision
## with rounding differences.

function [txt, to, taint] = fuzz_statement (st, depth)
  persistent rows = fuzz_templates ();
  persistent consts = {"0", "1", "-1", "2", "3", "0.5", "1", "2", "-2.5", "-0", "NaN", "Inf", ...
                       "-Inf", "1e3", "single(2.5)", "single(-1)", "true", "false", ...
                       "int8(3)", "uint8(200)", "int32(-7)", "int64(5)", "2i", "1-2i", "'a'"};
  persistent from_int = 19;
  persistent arith = {"+", "-", ".*", "*"};
  persistent compare = {"<", "<=", "==", "!=", ">", ">=", "&", "|"};
  persistent exact = {"abs", "sign", "fix", "floor", "ceil", "round", "real", "imag", "conj", ...
                      "isnan", "isinf", "isfinite", "logical", "double", "single", "gamma", ...
                      "erfinv", "int16", "uint8", "int32", "isna", "signbit"};
  persistent smooth = {"sin", "cos", "tanh", "atan", "asinh", "exp", "erf", "erfc", "expm1", ...
                       "sinh", "cosh"};
  persistent limits = {"log", "log2", "log10", "log1p", "tan", "asin", "acos", "acosh", ...
                       "atanh", "cbrt", "arg", "lgamma"};
  persistent reductions = {"sum", "sum", "prod", "sumsq"};
  persistent scans = {"cumsum", "cumsum", "cumprod", "cummax", "cummin"};
  persistent wraps = {"(-%s)", "(%s + 1)", "abs(%s)", "(%s .* 2)", "(%s - %s)"};

  n = numel (st.name);
  usable = st.cls > 0 & ! (st.taint > 0 & st.cpx);
  clean = usable & st.taint == 0;
  for attempt = 1:30
    row = rows{fix(rand * numel (rows)) + 1};
    kind = row{1};
    if (depth > 0 && (any (strcmp (row(3:2:end), "S")) || ! any (kind == "xd")))
      continue;
    endif
    txt = row{2};
    to = taint = [];
    first = target = cur = "";
    dims = [];              # size of the operand that others are to fit
    worst = 0;              # taint of the operands
    single_used = int_used = false;
    small = true;
    limit = 500;
    may = any (kind == "xts");
    good = true;
    ## Octave does not tell a type of empty pieces of a concatenation: their class is lost.
    full = (! isempty (strfind (txt, "= ["))
            || (numel (row) > 3 && ! isempty (strfind (row{4}, "= ["))));
    for i = 3:2:numel (row)
      slot = row{i};
      switch (slot)
        case "t"
          j = fix (rand * n) + 1;
          target = piece = st.name{j};
          to(end+1) = j;
          taint(end+1) = -1;
        case "T"
          piece = target;
        case "1"
          piece = first;
        case {"a", "A", "b", "e", "c", "C", "m", "v", "s", "f", "r", "i", "j", "l", "n", "q", "u"}
          if (! may || int_used)
            ok = clean;
          else
            ok = usable;
          endif
          if (worst > 0)
            ok &= st.cls < 4;
          endif
          if (full)
            ok &= prod (st.dims, 2)' > 0;
          endif
          switch (slot)
            case "b"
              if (rand < 0.92 && ! isempty (dims))
                ok &= all (st.dims == dims | st.dims == 1 | dims == 1, 2)';
                if (curcls > 3 && rand < 0.9)
                  ok &= st.cls == curcls | st.cls < 4;
                endif
              endif
            case "e"
              ok &= all (st.dims == dims, 2)';
              if (curcls > 3)
                ok &= st.cls == curcls | st.cls < 4;
              endif
            case "m"
              ok &= st.dims(:,3)' == 1;
              if (rand < 0.95)
                ok &= st.cls < 4;
              endif
            case "c"
              ok &= st.dims(:,3)' == 1 & st.dims(:,1)' == dims(2) & st.cls < 4;
            case "C"
              ok &= st.dims(:,3)' == 1 & st.dims(:,1)' == dims(1) & st.cls < 4;
            case "v"
              ok &= prod (st.dims, 2)' == max (st.dims, [], 2)' & st.dims(:,3)' == 1 & st.cls < 12;
            case "s"
              ok &= prod (st.dims, 2)' == 1;
            case "f"
              ok &= st.cls < 4;
            case "r"
              ok &= st.cls < 3 & ! st.cpx;
            case "i"
              ok &= st.cls > 3 & st.cls < 12;
            case "j"
              ok &= st.cls < 3 & ! st.cpx & st.dims(:,3)' == 1;
            case "l"
              ok &= st.cls == 3;
            case "n"
              ok &= ! st.cpx;
            case "q"
              ok &= st.cls < 3 & st.dims(:,3)' == 1 & st.dims(:,1)' == st.dims(:,2)';
          endswitch
          j = find (ok);
          if (slot == "s" && rand < 0.3)
            j = [];
          endif
          if (isempty (j))
            switch (slot)
              case {"s", "b", "e"}
                k = fix (rand * (from_int - 1)) + 1;
                piece = consts{k};
              case "v"
                piece = "[3 1 2]";
              case "m"
                piece = "[1 2; 3 4]";
                dims = [2, 2, 1];
                curcls = 1;
              case "l"
                piece = "[true, false]";
              otherwise
                good = false;
                break;
            endswitch
            if (isempty (first))
              first = piece;
            endif
            if (isempty (dims))
              dims = [1, 1, 1];
              curcls = 1;
            endif
          else
            j = j(fix (rand * numel (j)) + 1);
            piece = st.name{j};
            c = st.cls(j);
            x = st.val{j};
            if (st.taint(j) > 0)
              if (any (abs (x(:)) > 1e4 & isfinite (x(:))))
                good = false;
                break;
              endif
              worst = max (worst, st.taint(j));
            endif
            single_used |= c == 2;
            int_used |= c > 3 && c < 12;
            if (kind == "s" && small && c < 3 && ! isempty (x))
              x = x(:);
              small = all (x == fix (x)) && max (abs (x)) < limit;
            endif
            if (slot == "u")
              target = piece;
              to(end+1) = j;
              taint(end+1) = -2;
            endif
            if (isempty (dims) || slot == "A" || slot == "u")
              dims = st.dims(j,:);
              curcls = c;
            endif
            if (rand < 0.2 && any (slot == "abfren"))
              piece = strrep (wraps{fix(rand * numel (wraps)) + 1}, "%s", piece);
            endif
            if (isempty (first))
              first = piece;
            endif
          endif
        case "U"
          piece = target;
        case "k"
          k = fix (rand * ifelse_ (worst > 0, 9, numel (consts))) + 1;
          piece = consts{k};
          int_used |= k >= from_int && k < from_int + 4;
        case "d"
          piece = char ("0" + fix (rand * 3.1) + 1);
        case "w"
          piece = char ("0" + fix (rand * 4) + 1);
        case "x"
          piece = subscript (prod (dims), 0, st);
        case "X"
          piece = subscripts (dims, 0, st);
        case "y"
          piece = subscript (prod (dims), 1, st);
        case "Y"
          piece = subscripts (dims, 1, st);
        case "z"
          piece = subscript (dims(2), 0, st);
          r = rand;
          if (r < 0.35)
            piece = [":,", piece];
          elseif (r < 0.6)
            piece = [subscript(dims(1), 0, st), ",:"];
          elseif (r < 0.7)
            piece = [":,:,", subscript(dims(3), 0, st)];
          elseif (r < 0.75)
            piece = [piece, ",1"];
          endif
        case "o"
          piece = arith{fix(rand * 3.1)+1};
        case "O"
          piece = compare{fix(rand * numel (compare)) + 1};
        case "g"
          piece = exact{fix(rand * numel (exact)) + 1};
        case "h"
          piece = smooth{fix(rand * numel (smooth)) + 1};
        case "H"
          piece = limits{fix(rand * numel (limits)) + 1};
        case "R"
          piece = reductions{fix(rand * numel (reductions)) + 1};
          if (strcmp (piece, "prod"))
            limit = 5;
          endif
        case "N"
          piece = scans{fix(rand * numel (scans)) + 1};
        case "S"
          ## Branches and bodies of loops: what they assign is as bad as any way through them.
          [piece, t, b] = fuzz_statement (st, depth + 1);
          to = [to, t];
          taint = [taint, max(b, st.taint(t))];
          if (! isempty (piece) && piece(end) != ";")
            piece = [piece, ";"];
          endif
          good = ! any (b > 0);
          if (! good)
            break;
          endif
        otherwise
          error ("fuzz: no slot %s", slot);
      endswitch
      txt = [txt, piece, row{i+1}];
    endfor
    if (good && ! (worst > 0 && int_used))
      switch (kind)
        case "d"
          result = 0;
        case "x"
          result = worst;
        case "s"
          result = ifelse_ (small && worst == 0, 0, max (worst, 1));
        otherwise
          result = max (worst, 1);
      endswitch
      result += result == 1 && single_used;
      part = taint == -2;
      taint(taint == -1) = result;
      taint(part) = max (result, st.taint(to(part)));
      return;
    endif
  endfor
  txt = "";
  to = taint = [];
endfunction

function r = ifelse_ (cond, a, b)
  if (cond)
    r = a;
  else
    r = b;
  endif
endfunction

## A subscript for N places, perhaps beyond them if GROW.
function s = subscript (n, grow, st)
  r = fix (rand * 19);
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
    case 12
      s = ["logical ([", sprintf("%d ", rand (1, min (m, 12)) < 0.5), "])"];
    case 13
      s = "[]";
    case 14
      s = {"zeros (1, 0)", "true", "false", "[1 2; 1 2]", "int8 (1)", "single (1)"};
      s = s{fix(rand * 6)+1};
    case 15
      s = sprintf ("min (%d, end)", fix (rand * 4) + 1);
    case 16
      ## A variable whose values are positions.
      s = "1";
      for j = find (st.cls > 0 & st.cls < 12 & ! st.cpx & st.taint == 0)
        x = st.val{j}(:);
        if (! isempty (x) && numel (x) < 20 && all (x == fix (x) & x >= 0 & x <= m))
          s = st.name{j};
          break;
        endif
      endfor
    case 17
      j = find (st.cls > 0 & st.cls < 12 & ! st.cpx & st.taint == 0);
      s = "1";
      if (n > 1 && ! isempty (j))
        s = sprintf ("1 + (%s > 0)", st.name{j(fix (rand * numel (j)) + 1)});
      endif
    otherwise
      s = "1";
      if (rand < 0.3)
        s = {"0", "1.5", "-1", "9", "\"a\"", "NaN", "{1}"}{fix(rand * 7)+1};
      endif
  endswitch
endfunction

function s = subscripts (dims, grow, st)
  s = [subscript(dims(1), grow, st), ",", subscript(dims(2), grow, st)];
  if (dims(3) > 1 || rand < 0.05)
    s = [s, ",", subscript(dims(3), grow, st)];
  endif
endfunction
