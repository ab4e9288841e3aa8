## fuzz_templates (): what the statements of fuzz.m are made of: a cell column of texts, each a
## weight, a kind and a text with slots.
##
##   kind  x   continuous: operands may carry rounding differences, and pass them on
##         d   not continuous: only operands that have the bits of plain Octave
##         s   makes rounding differences, unless all operands are small integers
##         t   makes rounding differences
##         T   makes them, and wants exact operands
##
##   slot  $t  a variable to assign            $T  the same again
##         $u  a variable to assign parts of   $U  the same again
##         $a  an operand                      $A  a variable, not an expression; $1 the same again
##         $b  one that broadcasts with it     $e  one of the same size
##         $c  one whose rows are its columns  $C  one with the same rows
##         $m  a matrix   $v  a vector   $s  a scalar   $f  a float   $r  a real float
##         $i  integers   $j  two-dimensional and real float   $l  logical   $n  real
##         $q  square and float
##         $k  a constant   $d  a dimension   $w  1 to 4   $x, $X  one subscript, several, of $A
##         $y, $Y  the same of $U, perhaps beyond its end   $z  of $U, to be deleted
##         $o  + - .*   $O  a comparison or logic   $g  an exact function of one argument
##         $h  a smooth one, $H one with limits   $R  a reduction   $N  a scan
##         $S  a statement

function list = fuzz_templates ()
  persistent made;
  if (isempty (made))
    made = make ();
  endif
  list = made;
endfunction

function made = make ()
  text = {
    "9 x $t = $a $o $b;"
    "3 x $t = $a $o $k;"
    "2 x $t = $k $o $a;"
    "2 d $t = $a ./ $b;"
    "1 d $t = $a .\\ $b;"
    "1 x $t = $a / $w;"
    "5 d $t = $a $O $b;"
    "3 d $t = $a $O $k;"
    "1 d $t = ! $a $O $b;"
    "1 d $t = ! ($a $O $b);"
    "1 d $t = xor ($a, $b);"
    "4 d $t = $g ($a);"
    "2 x $t = abs ($a);"
    "1 x $t = -$a;"
    "1 x $t = real ($a); % $t = imag ($1);"
    "4 t $t = $h ($f);"
    "3 T $t = $H ($f);"
    "2 d $t = sqrt ($f);"
    "2 T $t = $a .^ $k;"
    "2 T $t = $a .^ $b;"
    "1 d $t = $f .^ 2;"
    "1 T $t = $q ^ $w;"
    "1 T $t = $s ^ $k;"
    "1 x $t = $a .* $b + $e;"
    "1 x $t = ($a - $b) .* ($1 + $k);"
    "1 t $t = 1 ./ (1 + exp (-$f));"
    "1 x $t = max ($n, $b);"
    "1 x $t = min ($n, $k);"
    "1 d [$t, $t] = max ($n);"
    "1 d [$t, $t] = min ($n, [], $d);"
    "1 x $t = max ($n, [], $d);"
    "1 x $t = min ($n);"
    "1 d $t = mod ($r, $k);"
    "1 d $t = rem ($r, $b);"
    "1 d $t = mod ($i, $e + ($e == -1)); % $t = rem ($1, 3);"
    "1 T $t = atan2 ($r, $b); % $t = hypot ($r, $e);"
    "1 d $t = bitand (uint8 ($n), 13); % $t = bitor (uint8 ($n), uint8 (4));"
    "1 d $t = bitshift (int32 ($n), $w);"
    "1 d $t = idivide (int16 ($n), int16 ($k));"
    "5 s $t = $R ($a);"
    "3 s $t = $R ($a, $d);"
    "1 s $t = sum ($a(:)); % $t = prod ($1(:));"
    "1 s $t = sum ($n, \"native\");"
    "1 s $t = sumsq ($a);"
    "2 d $t = any ($a); % $t = all ($1);"
    "1 d $t = any ($a, $d);"
    "1 d $t = all ($a(:)); % $t = any ($1(:) > 0);"
    "2 x $t = $N ($a);"
    "1 x $t = $N ($a, $d);"
    "1 s $t = mean ($f);"
    "1 s $t = mean ($f, $d);"
    "1 d $t = median ($r);"
    "1 t $t = std ($r); % $t = var ($1);"
    "1 T $t = norm ($j, 1);"
    "1 T $t = norm ($v, 1); % $t = norm ($1, Inf);"
    "1 s $t = dot ($v, $e);"
    "1 s $t = kron ($m, $m);"
    "1 s $t = trace ($q);"
    "3 s $t = $m * $c;"
    "2 s $t = $m' * $C;"
    "1 s $t = $m.' * $C; % $t = $m';"
    "1 s $t = $m * $1'; % $t = $1' * $1;"
    "1 s $t = $m * $c + $k;"
    "1 T $t = $q \\ $C;"
    "1 T $t = $m / $1; % $t = inv ($q); % $t = det ($q);"
    "2 x $t = $m'; % $t = $1.';"
    "2 x $t = $A(:);"
    "1 x $t = reshape ($a, [], 1); % $t = reshape ($1, 1, []);"
    "1 x $t = reshape ($a, size ($1)); % $t = reshape ($1, fliplr (size ($1)));"
    "1 x $t = permute ($a, [2 1 3]); % $t = permute ($1, [3 1 2]);"
    "1 x $t = squeeze ($a); % $t = repmat ($1, $w, 2);"
    "1 x $t = repmat ($a, [1 2]);"
    "1 x $t = circshift ($a, $w); % $t = flipud ($m); % $t = fliplr ($1);"
    "1 x $t = rot90 ($m); % $t = flip ($1);"
    "1 x $t = diag ($m); % $t = tril ($m); % $t = triu ($1, 1);"
    "1 x $t = [$a, $a];"
    "1 x $t = [$a; $a];"
    "2 x $t = [$a, $1; $1, $1];"
    "2 x $t = [$s, $s, $k];"
    "1 x $t = [$s; $k];"
    "1 x $t = cat ($d, $a, $e);"
    "1 x $t = horzcat ($a, $e); % $t = vertcat ($1, $k);"
    "1 x $t = diff ($r);"
    "1 d $t = $w:numel ($a); % $t = 1:min ($s, 6);"
    "1 d $t = linspace (0, $w, 4); % $t = linspace ($s, $k, 3);"
    "1 x $t = zeros (size ($a)); % $t = ones (size ($1), class ($1));"
    "1 x $t = zeros ($w, $w); $T($w,:) = $s;"
    "1 x $t = zeros (size ($a)); $T(:) = $1;"
    "1 x $t = zeros (4, columns ($m)); $T($w,:) = $1(1,:);"
    "1 x $t = eye ($w) + $k; % $t = $k * ones (2, $w);"
    "3 x $t = $A($x);"
    "3 x $t = $A($X);"
    "2 d $t = $A($A > 0); % $t = $1($1 == $k);"
    "1 d $t = $A($a > $k);"
    "1 d $t = $A(:,1)(1 + ($a > 0)); % $t = $A(1 + ($a > 0));"
    "1 x $t = $A(end); % $t = $1(min (end, $w)); % $t = $1(end,1);"
    "1 x $t = $A(:,end)'; % $t = $1(1,:);"
    "2 x $u($y) = $s;"
    "3 x $u($Y) = $s;"
    "1 x $u(:) = $s;"
    "1 x $u($y) = $k;"
    "1 x $u(:,$w) = $U(:,1);"
    "1 x $u(end+1) = $s;"
    "1 x $u(:,end+1) = $U(:,end);"
    "1 x $u(end+1,:) = $k;"
    "2 d $u($U > $k) = $s;"
    "1 d $u($l) = $k;"
    "1 x $u($y) += $k;"
    "1 x $u($Y) *= 2;"
    "1 x $u(1,:) = []; % $u(:,end) = [];"
    "2 x $u($z) = [];"
    "1 d $u($U > $k) = [];"
    "1 x $u($w,$w) = $U(1);"
    "1 x $u(:,:) = $e;"
    "1 x $u($y) = $A($x);"
    "1 x $u(2,:) = $v; % $u(:,1) = $v;"
    "1 x $u(1,1,2) = $k;"
    "1 x $u.f(2) = $s;"
    "2 x $u += $k; % $u -= $s; % $u .*= $k;"
    "1 x $u += $U; % $u *= 2;"
    "1 d $u++; % $u--;"
    "1 d $u /= 2; % $u ^= 2; % $u |= $l; % $u &= $l;"
    "1 d $t = sort ($n); % $t = sort ($1, \"descend\");"
    "1 d [$t, $t] = sort ($n, $d);"
    "1 d $t = find ($a); [$t, $t] = find ($m);"
    "1 d $t = find ($a > $k, 1);"
    "1 d $t = unique ($n);"
    "1 d [$t, $t, $t] = unique ($v);"
    "1 d $t = ismember ($n, $1);"
    "1 d $t = cumsum ($a > 0); % $t = sum ($1 > 0);"
    "1 d $t = isequal ($a, $b); % $t = isequal ($1, $1);"
    "1 d $t = size ($a); [$t, $t] = size ($1); % $t = numel ($1); % $t = ndims ($1);"
    "1 d $t = isempty ($a) + isreal ($1) + 2 * isfloat ($1) + 4 * islogical ($1);"
    "1 d $t = [iscomplex($a), isinteger($1), isnumeric($1), isvector($1), isscalar($1)];"
    "1 d $t = strcmp (class ($a), \"double\"); % $t = class ($1);"
    "1 d $t = columns ($a) + rows ($1); % $t = length ($1); % $t = nnz ($1);"
    "1 d $t = double ($n); % $t = single ($1);"
    "1 d $t = int8 ($n); % $t = uint16 ($n); % $t = int32 ($n);"
    "1 d $t = int64 ($n); % $t = uint64 ($n);"
    "1 d $t = logical ($n); % $t = cast ($1, \"int8\");"
    "1 d $t = accumarray (1 + ($v(:) > 0), 1); % $t = histc ($v, [-1 0 1 2]);"
    "1 T $t = interp1 (1:3, [4 5 9], $r);"
    "1 T $t = interp1 ([1 2 4], $v, 1.5);"
    "1 s $t = cellfun (@sum, {$v, $v}, \"uniformoutput\", false){1};"
    "1 d $t = cellfun (@numel, {$a, $a}); % $t = cellfun (\"isempty\", {$1});"
    "1 x $t = arrayfun (@(x) x + 1, $a); % $t = arrayfun (@(x) {x}, $1){end};"
    "1 d $t = arrayfun (@(x) x > $k, $a);"
    "1 x $t = num2cell ($a); $T = $T{1};"
    "1 d $t = num2str ($v); % $t = mat2str ($m); % $t = sprintf (\"%g,\", $1); % $t = disp ($1);"
    "1 x f_ = @(x, y) x + y; $t = f_ ($a, $b);"
    "1 x f_ = @(x) x .* $a; $t = f_ ($b);"
    "1 x $t = bsxfun (@plus, $a, $b); % $t = bsxfun (@max, $n, $k);"
    "1 x $t = feval (\"minus\", $a, $b); % $t = plus ($1, $k); % $t = times ($1, 2);"
    "1 d $t = cross ([1 2 3], [$s $s $s]);"
    "1 d $t = nnz ($a) + any ($a(:)) * 2; % $t = all (all ($m > $k));"
    "1 d $t = meshgrid ($v, 1:2); % $t = ndgrid ($v); % $t = sub2ind ([3 3], 1 + ($l), 1);"
    "1 d $t = fix ($r); % $t = round ($1); % $t = floor ($1 / 2);"
    "1 d $t = merge ($l, $k, $s); % $t = isrow ($1);"
    "1 d $t = nchoosek ($v, 2); % $t = triu (ones (3)) .* $s;"
    "1 s $t = polyval ([1 2 3], $r); % $t = polyfit (1:2, [1 $w], 1); % $t = filter (1, [1 2], $v);"
    "1 s $t = conv ($v, [1 2 1]); % $t = cov ($j); % $t = cumsum ($1, 2);"
    "1 d $t = range ($v); % $t = mode ($v); % $t = fftshift ($v);"
    "1 d $t = issorted ($v); % $t = lookup ([1 2 3], $r); % $t = isspace (\"a b\")(1 + ($s > 0));"
    "1 d $t = tril (ones (3), -1)(:, 1 + ($s > 0)); % $t = validatestring (\"r\", {\"red\"});"
    "1 d $t = setdiff ($v, $k); % $t = union ($v, $v); % $t = intersect ($v, $v);"
    "1 d $t = fliplr (cummax ($n)); % $t = cummin ($n, $d); [$t, $t] = cummax ($n);"
    "1 d $t = nthargout (2, @max, $n); % $t = deal ($a); % $t = postpad ($v, 4);"
    "1 d $t = vec ($a); % $t = colon (1, $s); % $t = isargout (1); % $t = nnz ($l);"
    "1 d $t = ($s && $s); % $t = ($a || $l); % $t = !$s;"
    "2 d if ($a) $S else $S endif"
    "2 d if ($s > $k) $S elseif ($l) $S endif"
    "1 d for i_ = $a, $t = i_; endfor"
    "1 x $t = 0; for i_ = $n, $T = $T + i_; endfor"
    "1 d for i_ = 1:$w, $S endfor"
    "1 d for i_ = 1:$w, $t = $A(min (i_, end)); endfor"
    "1 d $t = []; for i_ = 1:$w, $T(i_) = $s; endfor"
    "1 d $t = []; for i_ = 1:$w, $T = [$T, i_ * $s]; endfor"
    "1 d i_ = $s; j_ = 0; while (i_ < 9 && j_ < 4) i_ = i_ + $w; j_++; endwhile; $t = i_;"
    "1 d j_ = 0; do $S j_++; until (j_ > $s || j_ > 2)"
    "1 d switch ($s)\n case 1\n $S case {2, 3}\n $S otherwise\n $S endswitch"
    "1 d switch ($k)\n case {$s}\n $S otherwise\n $S endswitch"
    "1 d try $S error (\"my:id\", \"%d\", $w); catch e_\n $t = e_.message; end_try_catch"
    "1 d unwind_protect $S unwind_protect_cleanup $S end_unwind_protect"
    "1 d $t = $a(0); % $t = $1(1.5); % $t = $a{1};"
    "1 d $t = $a + {1}; % $t = $1.x; % $t = [1 2 3] * $1; % $t = \"ab\" + $1;"
    };
  made = cell (0, 1);
  for i = 1:numel (text)
    t = text{i};
    for w = 1:str2double (t(1))
      made{end+1,1} = t(3:end);
    endfor
  endfor
  ## What stands between percent signs are rows of their own; $1 of the later ones is an operand
  ## of the kind that the first one has.
  out = cell (0, 1);
  for i = 1:numel (made)
    kind = made{i}(1);
    part = strsplit (made{i}(3:end), " % ");
    for p = 1:numel (part)
      t = strtrim (part{p});
      if (p > 1 && ! isempty (strfind (t, "$1")) && isempty (regexp (t, "\\$[aAmvnrfijsql]")))
        first = regexp (part{1}, "\\$[aAmvnrfijsqle]", "match");
        t = regexprep (t, "\\$1", ["\\" first{1}], "once");
      endif
      out{end+1,1} = tokens (kind, t);
    endfor
  endfor
  made = out;
endfunction

## {kind, text, slot, text, slot, ..., text}
function c = tokens (kind, t)
  at = strfind (t, "$");
  c = {kind};
  last = 1;
  for k = at
    c{end+1} = t(last:k-1);
    c{end+1} = t(k+1);
    last = k + 2;
  endfor
  c{end+1} = t(last:end);
endfunction
