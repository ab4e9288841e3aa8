## [txt, to, taint] = fuzz_statement (st, depth): a random statement over the variables of ST, see
## fuzz_describe; TO are the numbers of the variables that it assigns and TAINT their state
## afterwards.

function [txt, to, taint] = fuzz_statement (st, depth)
  persistent rows = fuzz_templates ();
  persistent words = fuzz_words ();
  persistent consts = words.k;
  persistent wraps = {"(-%s)", "(%s + 1)", "abs(%s)", "(%s .* 2)", "(%s - %s)", "%s(:,:)", ...
                      "(+%s)", "%s.'.'"};

  n = numel (st.name);
  name = st.name;
  fit = st.fit;
  have = st.have;
  tainted = st.taint;
  exact = tainted == 0;
  class_of = st.info(1,:);
  numel_of = st.info(2,:);
  dims_of = st.info(3:5,:);
  count = numel (rows);
  which = rand (9, n);
  for attempt = 1:50
    row = rows{fix(rand * count) + 1};
    if (depth > 0 && row.nests || ! all (have(row.need)))
      continue;
    endif
    kind = row.kind;
    txt = row.text{1};
    to = taint = [];
    first = target = "";
    first_known = false;
    dims = [0; 0; 0];       # size of the operand that others are to fit
    dims_known = false;
    worst = 0;              # taint of the operands
    single_used = int_used = false;
    small = true;
    product = false;
    may = row.may;
    assigned = row.assigned;
    slots = row.slot;
    codes = row.code;
    texts = row.text;
    tame = row.tame;
    special = row.special;
    wrappable = row.wrappable;
    brackets = row.brackets;
    good = true;
    for i = 1:row.slots
      slot = slots(i);
      code = codes(i);
      if (code > 0)
        ## An operand.
        ok = fit(code,:);
        if (! may || int_used)
          ok &= exact;
        endif
        if (worst > 0)
          ok &= class_of < 4;
        endif
        if (brackets)
          ok &= numel_of > 0 & ! (dims_known && dims(3) > 1);
        endif
        if (special(i))
          switch (slot)
            case "b"
              if (dims_known && rand < 0.92)
                ok &= all (dims_of == dims | dims_of == 1 | dims == 1, 1);
                if (curcls > 3 && rand < 0.9)
                  ok &= class_of == curcls | class_of < 4;
                endif
              endif
            case "e"
              ok &= all (dims_of == dims, 1);
              if (curcls > 3)
                ok &= class_of == curcls | class_of < 4;
              endif
            case "c"
              ok &= dims_of(1,:) == dims(2);
            case "C"
              ok &= dims_of(1,:) == dims(1);
            case "s"
              if (rand < 0.3)
                ok(:) = false;
              endif
            case "m"
              if (rand < 0.95)
                ok &= class_of < 4;
              endif
          endswitch
        endif
        [rank, j] = max (ok .* which(rem(i, 9)+1,:));
        if (rank == 0)
          switch (slot)
            case {"s", "b", "e"}
              piece = consts{fix(rand * (words.first_integer - 1)) + 1};
              shape = [1; 1; 1];
            case "v"
              piece = "[3 1 2]";
              shape = [1; 3; 1];
            case "m"
              piece = "[1 2; 3 4]";
              shape = [2; 2; 1];
            case "l"
              piece = "[true, false]";
              shape = [1; 2; 1];
            otherwise
              good = false;
              break;
          endswitch
          if (! dims_known)
            dims_known = true;
            dims = shape;
            curcls = 1;
          endif
        else
          piece = name{j};
          c = class_of(j);
          if (tame || tainted(j) > 0)
            peak = abs (st.val{j}(:));
            whole = Inf;
            if (kind == "s" && small && all (peak == fix (peak)))
              whole = max ([0; double(peak)]);
            endif
            peak = max (peak(isfinite (peak)));
            if (tainted(j) > 0 && any (peak > 1e4) || any (peak > 1e30))
              good = false;
              break;
            endif
          endif
          if (tainted(j) > 0)
            worst = max (worst, tainted(j));
          endif
          single_used |= c == 2;
          int_used |= c > 3 && c < 12;
          if (kind == "s" && small)
            small = merge (product, whole ^ numel_of(j) < 2^53, whole < 500);
          endif
          if (slot == "u")
            target = piece;
            to(end+1) = j;
            taint(end+1) = -2;
          endif
          if (! dims_known || slot == "A" || slot == "u")
            dims_known = true;
            dims = dims_of(:,j);
            curcls = c;
          endif
          ## What is assigned by += is to keep its size.
          if (wrappable(i) && rand < 0.2 && ! iscomplex (st.val{j})
              && ! (slot == "e" && dims_of(3,j) > 1))
            piece = strrep (wraps{fix(rand * numel (wraps)) + 1}, "%s", piece);
          endif
        endif
        if (! first_known)
          first_known = true;
          first = piece;
        endif
      else
        switch (slot)
          case "t"
            j = fix (rand * n) + 1;
            target = piece = name{j};
            to(end+1) = j;
            taint(end+1) = assigned;
          case "1"
            piece = first;
          case {"T", "U"}
            piece = target;
          case "k"
            k = fix (rand * merge (worst > 0, 9, numel (consts))) + 1;
            piece = consts{k};
            int_used |= k >= words.first_integer && k < words.after_integers;
          case "d"
            piece = char ("0" + fix (rand * 3.1) + 1);
          case "w"
            piece = char ("0" + fix (rand * 4) + 1);
          case "x"
            piece = fuzz_subscript (prod (dims), 0, st);
          case "X"
            piece = subscripts (dims, 0, false, st);
          case "y"
            piece = fuzz_subscript (prod (dims), 1, st);
          case "Y"
            piece = subscripts (dims, 1, row.two(i), st);
          case "z"
            piece = fuzz_subscript (dims(2), 0, st);
            r = rand;
            if (r < 0.35)
              piece = [":,", piece];
            elseif (r < 0.6)
              piece = [fuzz_subscript(dims(1), 0, st), ",:"];
            elseif (r < 0.7)
              piece = [":,:,", fuzz_subscript(dims(3), 0, st)];
            elseif (r < 0.75)
              piece = [piece, ",1"];
            endif
          case "S"
            ## Branches and bodies of loops: what they assign is as bad as any way through them.
            [piece, t, b] = fuzz_statement (st, depth + 1);
            to = [to, t];
            taint = [taint, max(b, tainted(t))];
            if (! isempty (piece) && piece(end) != ";")
              piece = [piece, ";"];
            endif
            good = ! any (b > 0);
            if (! good)
              break;
            endif
          otherwise
            list = words.(slot);
            piece = list{fix(rand * numel (list)) + 1};
            product |= slot == "R" && strcmp (piece, "prod");
        endswitch
      endif
      txt = [txt, piece, texts{i+1}];
    endfor
    if (good && ! (worst > 0 && int_used))
      switch (kind)
        case "d"
          result = 0;
        case "x"
          result = worst;
        case "s"
          result = merge (small && worst == 0, 0, max (worst, 1));
        otherwise
          result = max (worst, 1);
      endswitch
      result += result == 1 && single_used;
      part = taint == -2;
      taint(taint == -1) = result;
      taint(part) = max (result, tainted(to(part)));
      return;
    endif
  endfor
  txt = "";
  to = taint = [];
endfunction

function s = subscripts (dims, grow, two, st)
  s = [fuzz_subscript(dims(1), grow, st), ",", fuzz_subscript(dims(2), grow, st)];
  if (! two && (dims(3) > 1 || rand < 0.05))
    s = [s, ",", fuzz_subscript(dims(3), grow, st)];
  endif
endfunction
