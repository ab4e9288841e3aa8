## fuzz_templates (): what the statements of fuzz.m are made of: a cell column of templates, each a
## weight (above 1 it counts fivefold), a kind and a text with slots.
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
##         $q  square and float   $G  complex
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
    "2 x $t = abs ($n);"
    "2 T $t = abs ($G);"
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
    "1 d $t = mod ($i, abs ($e)); % $t = rem ($1, 3);"
    "1 T $t = atan2 ($r, $b); % $t = hypot ($r, $e);"
    "1 d $t = bitand (uint8 ($n), 13); % $t = bitor (uint8 ($n), uint8 (4));"
    "1 d $t = bitshift (int32 ($n), $w);"
    "1 d $t = idivide (int16 ($n), int16 ($k));"
    "5 s $t = $R ($a);"
    "3 s $t = $R ($a, $d);"
    "1 s $t = sum ($a(:));"
    "1 t $t = prod ($a(:)); % $t = prod ($i); % $t = prod ($G);"
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
    "1 T $t = norm ($v); % $t = norm ($j, \"fro\"); % $t = norm ($j, Inf); % $t = norm ($v, -Inf);"
    "1 s $t = dot ($v, $e);"
    "1 s $t = dot ($r, $e, $d);"
    "1 s $t = kron ($m, $m(1:min (2, end),1));"
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
    "1 x $t = diag ($m, $w); % $t = tril ($m, $w); % $t = triu ($1, -$w);"
    "1 x $t = [$a, $a];"
    "1 x $t = [$a; $a];"
    "2 x $t = [$a, $1; $1, $1];"
    "2 x $t = [$s, $s, $k];"
    "1 x $t = [$s; $k];"
    "1 x $t = cat ($d, $a, $e);"
    "1 x $t = horzcat ($a, $e); % $t = vertcat ($1, $k);"
    "1 x $t = diff ($r);"
    "1 x $t = diff ($n, $w, $d); % $t = diff ($i);"
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
    "1 d $u /= 2; % $u ^= 2; % $u |= $e; % $u &= $e;"
    "1 d $t = sort ($n); % $t = sort ($1, \"descend\");"
    "1 d [$t, $t] = sort ($n, $d);"
    "1 d [$t, $t] = sort ($n, \"descend\"); % $t = sort ($i, $d, \"descend\");"
    "1 d $t = sum ($i); % $t = cumsum ($i, $d); % $t = sum ($1, 3); % $t = cumprod ($i);"
    "1 s $t = sum ($r, \"double\"); % $t = sum ($1, $d, \"native\"); % $t = cumsum ($l, \"native\");"
    "1 d $t = gamma ($r); % $t = erfinv ($r / 10);"
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
    "1 d $t = vec ($a); % $t = colon (1, min ($s, 9)); % $t = isargout (1); % $t = nnz ($l);"
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
    "1 d for z_ = 1:3 do $S until (z_ > $s || true); if (z_ > $s) break; endif; endfor"
    "1 d switch ($s)\n case 1\n $S case {2, 3}\n $S otherwise\n $S endswitch"
    "1 d switch ($k)\n case {$s}\n $S otherwise\n $S endswitch"
    "1 d try $S error (\"my:id\", \"%d\", $w); catch e_\n $t = e_.message; end_try_catch"
    "1 d unwind_protect $S unwind_protect_cleanup $S end_unwind_protect"
    "3 x $t = $G $o $b; % $t = complex ($r, $k); % $t = complex ($r, $e); % $t = $r + 2i * $e;"
    "1 d $t = $G ./ $b; % $t = $b ./ $G; % $t = [real($G), imag($1)]; % $t = conj ($G)(:).';"
    "1 d $t = isreal ($G * 0); % $t = iscomplex ($G($x)); % $t = $G $O $b; % $t = !$G;"
    "1 s $t = sum ($G); % $t = cumsum ($G); % $t = $G(:).' * $1(:);"
    "1 d [$t, $t] = sort ($G); % [$t, $t] = max ($G); % $t = min ($G, [], $d); % $t = any ($G);"
    "1 d $t = unique ($G); % $t = find ($G); % $t = num2str ($G); % $t = disp ($G);"
    "1 d $t = mat2str ($G, 5); % $t = sprintf (\"%g|\", $G); % $t = logical (imag ($G));"
    "1 x $u($y) = $G($x); % $u($Y) = $G(1); % $u(:) = $G(1); % $t = $G([1 1],:); % $t = $G';"
    "1 x $t = $G + conj ($1); % $t = real ($G .* $1); % $t = $G * 1i; % $t = -$G; % $t = $G - $1;"
    "3 d $t = $i $o $i; % $t = $i $o $e; % $t = $k $o $i; % $t = $i ./ $e; % $t = $i / $w;"
    "2 d $t = $i $O $k; % $t = $i $O $e; % $t = $i $O $f; % $t = -$i; % $t = !$i; % $t = $f $O $i;"
    "1 d $t = idivide ($i, $e); % $t = idivide ($i, $e, \"ceil\"); % $t = idivide ($i, $k, \"floor\");"
    "1 d $t = idivide ($i, $e, \"round\"); % $t = idivide ($k, $i);"
    "1 d $t = mod ($i, 3); % $t = rem ($i, abs ($e)); % $t = mod ($i, abs ($e)); % $t = mod (7, abs ($i));"
    "1 d $t = bitand ($i, $e); % $t = bitor ($i, $e); % $t = bitxor ($i, $1); % $t = bitshift ($i, $w);"
    "1 d $t = bitshift ($i, -1); % $t = bitand ($w, uint8 ($n)); % $t = bitxor ($l, $l); % $t = bitcmp ($i);"
    "1 d $t = typecast ($i(:), \"uint8\"); % $t = typecast (single ($s), \"uint32\"); % $t = num2hex ($f(:));"
    "1 d $t = sum ($i, \"native\"); % $t = sum ($i, \"double\"); % $t = sum ($i, $d, \"native\"); % $t = sum ($l, \"native\");"
    "1 d $t = cumsum ($i, $d); % $t = cumprod ($i); % $t = mean ($i); % $t = diff ($i);"
    "1 x $t = cat (3, $a, $e); % $t = permute ($a, [3 2 1]); % $t = ipermute ($a, [2 3 1]); % $t = shiftdim ($a);"
    "1 x $t = reshape ($a, [1, size($1)]); % $t = squeeze ($A(1,:,:)); % $t = shiftdim ($a, 1); % $t = $A(:,:,end);"
    "1 s $t = sum ($a, 3); % $t = sum ($a(:,:), 2); % $t = sum (sum ($a)); % $t = mean ($f, 3);"
    "1 x $t = $a + reshape ([1 2], 1, 1, 2); % $t = $a .* ones (1, 1, 2); % $t = $A(:,:); % $t = $A(:,1,:);"
    "1 d $t = $a $O reshape ([1 2], 1, 1, 2); % $t = max ($n, reshape ([1 2], 1, 1, 2));"
    "1 x $u(:,:,2) = $U(:,:,1); % $u(:,:,end+1) = $k; % $u(2,1,2) = $s; % $u(:,:,1) = [];"
    "1 x $t = circshift ($a, 1, $d); % $t = flip ($a, $d); % $t = rot90 ($m, $w); % $t = circshift ($a, -1);"
    "1 x [$t, $t] = meshgrid ($v); % [$t, $t] = ndgrid ($v, [1 2]); % $t = resize ($a, 2, 2); % $t = blkdiag ($m, $1);"
    "1 x $t = tril ($m, -1); % $t = triu ($m, 1); % $t = diag ($v); % $t = diag ($v, 1); % $t = prepad ($v, 5);"
    "1 s $t = $R ($A([],:)); % $t = $R ($A(:,[])); % $t = $R ($A([])); % $t = $R ($A(:,:,[])); % $t = $A(:,[]) * $1([],:);"
    "1 d $t = max ($A([],:)); % [$t, $t] = min ($A(:,[])); % $t = any ($A([],:)); % $t = all ($A([])); % $t = $N ($A([],:));"
    "1 d [$t, $t] = sort ($A(:,[]), $d); % $t = median ($A([],:)); % $t = $A([],:) $O $k; % $t = find ($A([],:));"
    "1 x $t = $A([],:) + $k; % $t = [$1([],:); $1]; % $t = $A(:,[])'; % $t = reshape ($A([],:), 0, 3);"
    "1 d $t = isempty ($A([],:)); % $t = size ($A(:,[])); % $t = repmat ($A([],:), 2, 2); % $t = unique ($A([]));"
    "1 d $t = $A($1(end) > 0); % $t = $A(end - (numel ($1) - 1):end); % $t = $A(min (end, max (1, $s)));"
    "1 x $u([]) = []; % $u(logical ([1 0])) = []; % $u(:) = []; % $u(end) = []; % $u(zeros (1, 0)) = []; % $u(:,[]) = [];"
    "1 x $u(1:end-1) = []; % $u(:,1) = []; % $u(end,:) = []; % $u(true) = []; % $u(:,:) = []; % $u({:}) = [];"
    "1 x $u(end+2) = $s; % $u(end+1,:) = $U(1,:); % $u(:,end+2) = $k; % $u(3,3,2) = $s; % $u(end+1,end+1) = $s;"
    "1 x $t = []; $T(3) = $s; % $t = []; $T(2,:) = $v; % $t = []; $T(:,2) = $v; % $t = zeros (0, 3); $T(end+1,:) = $s;"
    "1 x $t = []; $T(end+1) = $s; $T(end+1) = $k; % $t = {}; $T{3} = $a; $T = $T{3}; % $t = zeros (2, 2); $T(:) = $s;"
    "1 x $u .*= $e; % $u -= $U; % $u(1) += $s; % $u(:) -= $k; % $u(:,1) .*= $k; % $u(end)++; % $u(1) *= 2; % $u(1)--;"
    "1 d $u ./= 2; % $u .^= 2; % $u(:) |= 1; % $u(1,:) &= 0; % $u = $U == $U; % $u -= $e;"
    "1 x q_ = struct (\"f\", {$a, $a}); $t = q_(2).f; % q_ = struct (\"f\", $a); q_(2).f = $k; $t = q_(1).f;"
    "1 x q_ = []; q_.x.y = $a; q_.x.y(1) = $k; $t = q_.x.y; % q_ = {$a, {$a}}; $t = q_{2}{1};"
    "1 x q_ = {$a}; q_{1}(1) = $k; $t = q_{1}; % q_ = {$a, $a}; [$t, $t] = q_{:}; % q_ = {}; q_{end+1} = $a; $t = q_{1};"
    "1 x q_ = struct (\"f\", {$s, $k}); $t = [q_.f]; % q_ = {$s, $k}; $t = [q_{:}]; % q_ = struct (\"f\", {{$a}}); $t = q_.f{1};"
    "1 x q_ = struct (\"f\", {$a, $a}); [q_.f] = deal ($k); $t = q_(1).f; % q_ = []; q_(2).f = $a; $t = q_(2).f; $t = q_(1).f;"
    "1 x q_ = []; q_.a = {$a, $a}; q_.a{2}(:) = $k; $t = q_.a{2}; % q_ = []; q_.(\"z\") = $a; $t = getfield (q_, \"z\");"
    "1 x q_ = {$a; $a}; q_(1) = []; $t = q_{1}; % q_ = cell (1, 2); q_{2} = $a; $t = q_{2}; % $t = {$a}{1}; % $t = {$a, $a}(2){1};"
    "1 d q_ = {$a, $a}; $t = cellfun (@numel, q_); % q_ = struct (\"f\", $a); $t = isfield (q_, \"f\"); % $t = numel ({$a, $a});"
    "1 x q_ = $A; q_(1) = $k; $t = $1; % q_ = $A; q_ += 1; $t = $1; % q_ = {$A}; q_{1}(1) = $k; $t = $1; % q_ = $A; q_++; $t = $1;"
    "1 x [$u(1), $t] = deal ($s, $a); % [$u(:,1), $t] = deal ($s, $k); % [$u(end+1), $t] = deal ($s, $s); % [$u($y), $t] = deal ($k, 1);"
    "1 d [$t, ~] = max ($n); % [~, $t] = min ($n); % [$u(1), $t] = max ($v); % [~, ~, $t] = unique ($v); % [~, $t] = sort ($v);"
    "2 d $t = $A($l); % $t = $A(! $l); % $u($l) = $s; % $u($l) = []; % $t = $A($l,:); % $t = $A(:,$l); % $t = $A(find ($n));"
    "1 d $t = $A(logical ($n)); % $t = $A(true); % $t = $A(false); % $u(! $l) += 1; % $u($l,1) = $k; % $t = $A($l, end);"
    "1 d $t = ($w:6)(1:min (end, $w)); % $t = $s:$s+3; % $t = $s:-1:$s-3; % $t = (1:5) * $s; % $t = (1:$w)'; % $t = -(1:$w);"
    "1 x $t = (0:3) + $s; % $t = (1:3)'; $T(2) = $s; % $t = 0:0.5:2; $T(end+1) = $s; % $t = (1:3) .* $b;"
    "1 d for i_ = $m, $t = i_; endfor; % for i_ = $A, $t = i_(1); endfor; % for i_ = {$a, $k}, $t = i_{1}; endfor;"
    "1 x $t = 0; for i_ = $v, if (i_ > 1) continue; endif; $T += i_; endfor; % $t = $k; for i_ = $A(:).', $T = i_; break; endfor;"
    "1 d for i_ = $A(:)', $t = i_; if ($T > 2) break; endif; endfor; % for i_ = $A(:,[]), $t = 1; endfor; % for i_ = $a > 0, $t = i_; endfor;"
    "1 d switch ($s)\n case {1, 2, $k}\n $t = 1; otherwise\n $t = 2; endswitch; % switch ($a)\n case $k\n $t = 1; otherwise\n $t = 2; endswitch"
    "1 d for z_ = 0:2 while ($s > z_) $S break; endwhile; endfor; % i_ = $s; j_ = 0; do i_ += 2; j_++; until (i_ > 4 || j_ > 3); $t = i_;"
    "2 d try $t = $A(99); catch e_\n $t = e_.message; end_try_catch; % try $t = $A(0,1); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = $A(1.2); catch e_\n $t = [e_.message, e_.identifier]; end_try_catch; % try $t = $A(1,2,3); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $u(:) = 1:7; catch e_\n $t = [e_.message, e_.identifier]; end_try_catch; % try $u(1,:) = ones (2, 9); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = $a + ones (7, 3); catch e_\n $t = [e_.message, e_.identifier]; end_try_catch; % try $t = $m * ones (9, 2); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = [$m; ones(1, 9)]; catch e_\n $t = e_.message; end_try_catch; % try $t = cat (1, $m, ones (1, 9)); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = reshape ($a, 7, 13); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = $a.x; catch e_\n $t = e_.message; end_try_catch; % try $t = $A{2}; catch e_\n $t = e_.message; end_try_catch"
    "1 d try if ($a == ones (1, 7)) $t = 1; endif; catch e_\n $t = e_.message; end_try_catch; % try $u.y = 1; catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = chol ($m); catch e_\n $t = 1; end_try_catch; % try $t = ones (2, 3)(3, $s); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = cellfun (@(x) x, {$a, $a}); catch e_\n $t = e_.message; end_try_catch; % try $u{2} = 1; catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = permute ($a, [1 1]); catch e_\n $t = e_.message; end_try_catch; % try $t = sum ($a, 0); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $t = bitand ($a, $b); catch e_\n $t = e_.message; end_try_catch; % try $t = horzcat ($m, ones (9, 1)); catch e_\n $t = e_.message; end_try_catch"
    "1 d try $u($y) = []; catch e_\n $t = [e_.message, e_.identifier]; end_try_catch; % try $u($Y) = ones (2, 3); catch e_\n $t = e_.message; end_try_catch"
    "1 d $t = cellfun (@(x) sum (x(:) > 0), {$a, $a}); % $t = cellfun (@max, {$v, $v}); % $t = cellfun (@isempty, {$a, []});"
    "1 d $t = cellfun (@size, {$a, $a}, {1, 2}); % $t = cellfun (@class, {$a}, \"uniformoutput\", false){1}; % [$t, $t] = cellfun (@max, {$v, $v});"
    "1 d $t = arrayfun (@(i) $A(i), 1:min (numel ($1), 3)); % [$t, $t] = arrayfun (@(x) deal (x, x > $k), $n); % $t = arrayfun (@(x, y) x + y, $a, $e);"
    "1 d $t = cellfun (@plus, {$s, $k}, {1, 2}); % $t = cellfun (\"isclass\", {$a}, \"double\"); % $t = cellfun (\"length\", {$a, $a});"
    "1 d $t = cellfun (@(x) x, {$s, $k}); % $t = structfun (@(x) sum (x(:)), struct (\"x\", $l, \"y\", $l)); % $t = cellfun (@(x) [x, 1], {$v}, \"uniformoutput\", false){1};"
    "1 d $t = arrayfun (@(x) sum (1:x), [1 $w]); % $t = accumarray ([1; 2; 1], $s); % $t = accumarray ([1 1; 2 2; 1 1], [1; $w; $s]); % $t = accumarray (1 + ($v(:) > 1), $v(:), [], @max);"
    "1 x f_ = @plus; $t = f_ ($a, $b); % f_ = @() $a; $t = f_ (); % f_ = @(x) $A(x); $t = f_ (1); % f_ = @(varargin) varargin{end}; $t = f_ ($a, $a);"
    "1 x f_ = @(x) @(y) x + y; $t = f_ ($a)($b); % f_ = @(x) $a; $u = $k; $t = f_ (1); % $t = feval (@(x) x', $m); % $t = (@(x) -x) ($a);"
    "1 d $t = merge ($l, $s, $k); % $t = ($s > 0) * $n + ($s <= 0) * $k; % $t = {$k, $s}{1 + ($s > 0)}; % $t = merge ($n > 0, $1, -1);"
    "1 d $t = sprintf (\"%d \", $n); % $t = sprintf (\"%5.2f|\", $n); % $t = sprintf (\"%s\", $n); % $t = sprintf (\"%x\", $i); % $t = sprintf (\"%d %s\\n\", $n, \"x\");"
    "1 d $t = num2str ($n, 4); % $t = mat2str ($m, 3); % $t = int2str ($n); % $t = disp ($n); % $t = evalc (\"q_ = $A\"); % $t = evalc (\"$A\");"
    "1 d $t = evalc (\"printf ('%g ', $A)\"); % $t = [\"x\", num2str($s)]; % $t = evalc (\"display ($A)\"); % $t = mat2str ($l); % $t = char (abs ($i));"
    "1 d $t = ismember ($n, [1 2 3]); % [$t, $t] = ismember ($n, $v); % $t = unique ($n(:,:), \"rows\"); % [$t, $t, $t] = unique ($n); % $t = setxor ($v, [1 2]);"
    "1 d [$t, $t, $t] = find ($m); % $t = find ($a, $w); % $t = find ($a, 1, \"last\"); % $t = find ($l); % [$t, $t] = find ($m, 2);"
    "1 d [$t, $t] = sort ($n, \"descend\"); % $t = sort ($n, $d, \"descend\"); % $t = sortrows ($j); % [$t, $t] = sortrows ($j, -1); % $t = nth_element ($v, 1);"
    "1 d [$t, $t] = max ($n, [], $d); % $t = max ($s, $n); % $t = min ($n, [], 3); % $t = max ($n(:)); % $t = max (max ($n)); % $t = max ($l); % $t = min ($l, $k);"
    "1 d $t = any ($a, 3); % $t = all ($m, 2); % [$t, $t] = cummin ($n, $d); % [$t, $t] = cummax ($n); % $t = cumsum ($a > 0, 2); % $t = any (any ($m));"
    "1 d $t = max ($i, $e); % $t = min ($i, $k); % [$t, $t] = max ($i); % [$t, $t] = min ($i, [], 2); % $t = max ($f, $i); % $t = cummax ($i);"
    "1 d $t = median ($n, $d); % $t = mode ($n); % $t = bounds ($v); % $t = range ($m); % $t = median ($i); % $t = mean ($l);"
    "1 t $t = var ($f, 0, $d); % $t = std ($j); % $t = center ($j); % $t = cumtrapz ($v); % $t = trapz ($v); % $t = trapz ($j);"
    "1 T $t = norm ($v); % $t = norm ($j, \"fro\"); % $t = polyfit (1:3, [1 2 $w], 1); % $t = expm ($k * eye (2)); % $t = $q ^ -1;"
    "1 s $t = polyval ($v, $k); % $t = dot ($m, $1); % $t = dot ($v, $1); % $t = $v(:)' * $1(:); % $t = kron ($m, [1 2]); % $t = kron ([1 2], $v);"
    "1 T $t = norm ($v, Inf);"
    "1 d $t = histc ($v, 0:3); % $t = interp1 ([1 2 3], [4 5 6], $r, \"nearest\"); % $t = sub2ind ([4 5], $w, $w); % [$t, $t] = ind2sub ([3 4], $w);"
    "1 x $t = repmat ($a, [1 1 2]); % $t = repmat ($s, 2, 3); % $t = cat (1, $a, $1); % $t = cat ($d, $a, $1, $1); % $t = horzcat ($a); % $t = vertcat ($a, $1);"
    "1 x $t = [$a; $1; $1]; % $t = [$s, $k; $k, $s]; % $t = [$a', $1']; % $t = [$v(:); $k]; % $t = [$k, $v(:)']; % $t = [\"ab\", $s];"
    "1 d $t = isequal ($a, $1, $1); % $t = isequal ($a, $e); % $t = isequal ({$a}, {$1}); % $t = isequal (struct (\"f\", $a), struct (\"f\", $1)); % $t = size_equal ($a, $b);"
    "1 d $t = size ($a, $d); % $t = size ($a, [1 2]); % [$t, $t, $t] = size ($a); % $t = isindex ($n); % $t = issquare ($a); % $t = iscolumn ($a); % $t = isdiag ($m);"
    "1 d $t = isa ($a, \"float\"); % $t = isa ($a, \"integer\"); % $t = isa ($a, \"numeric\"); % $t = ischar ($a); % $t = iscellstr ({$a}); % $t = isbanded ($m, 0, 0); % $t = ishermitian ($m);"
    "1 d $t = cast ($n, \"single\"); % $t = cast ($n, class ($1)); % $t = intmax (class ($i)); % $t = zeros (2, class ($f)); % $t = eps ($f); % $t = realmax (class ($f)); % $t = ones (1, 2, \"like\", $n);"
    "1 d $t = gcd ($i, 6); % $t = double ($i) / 3; % $t = single ($i) * 2; % $t = int32 ($f) + 1; % $t = $i / 2; % $t = $k ./ $i; % $t = sign ($i); % $t = abs ($i);"
    "1 d $t = fix ($n / 2); % $t = floor ($f * 4) / 4; % $t = round ($f) == $1; % $t = !!$a; % $t = -(-$a); % $t = ($a > 0) - ($1 < 0); % $t = ($a > 0) + true;"
    "1 d $t = xor ($a > 0, $b); % $t = ($a > 0) & ($1 < 3); % $t = ($a > $k) | ! ($1 < 2); % $t = not ($l); % $t = and ($l, $1, $1); % $t = or ($n, $1);"
    "1 x $t = plus ($a, $b, $k); % $t = mtimes ($s, $a, $k); % $t = uminus ($a); % $t = ctranspose ($m); % $t = ldivide ($k, $f); % $t = subsref ($A, substruct (\"()\", {1}));"
    "1 d $t = nnz ($m); % $t = triu (ones (2)) * $s; % $t = vander ($v); % $t = toeplitz ($v); % $t = hankel ($v); % $t = flintmax () + $s; % $t = magic (3)($w, $w) + $s;"
    "1 d $t = deal ($a);"
    "1 d $t = strrep (\"a1\", \"1\", num2str ($s)); % $t = strcat (\"a\", num2str ($w)); % $t = regexprep (\"ab\", \"b\", num2str ($s)); % $t = blanks ($w); % $t = repmat (\"x\", 1, $w); % $t = str2double (num2str ($s));"
    "1 d $t = 1:numel ($a); % $t = numel ($A, 1, \":\"); % $t = colon ($w, 5);"
    "1 d $t = $a(0); % $t = $1(1.5); % $t = $a{1};"
    "1 d $t = $a + {1}; % $t = $1.x; % $t = [1 2 3] * $1; % $t = \"ab\" + $1;"
    };
  made = cell (0, 1);
  for i = 1:numel (text)
    t = text{i};
    w = str2double (t(1));
    for k = 1:(w + 4 * w * (w > 1))
      made{end+1,1} = t(3:end);
    endfor
  endfor
  ## What stands between percent signs are rows of their own; $1 of the later ones is an operand
  ## of the kind that the first one has.
  out = {};
  for i = 1:numel (made)
    kind = made{i}(1);
    part = strsplit (made{i}(3:end), " % ");
    for p = 1:numel (part)
      t = strtrim (part{p});
      if (p > 1 && ! isempty (strfind (t, "$1")) && isempty (regexp (t, "\\$[aAmvnrfijsqlG]")))
        first = regexp (part{1}, "\\$[aAmvnrfijsqleG]", "match");
        t = regexprep (t, "\\$1", ["\\" first{1}], "once");
      endif
      out{end+1} = tokens (kind, t);
    endfor
  endfor
  made = out;
endfunction

## A row: its kind, the texts between its slots, the slots, and what is to be known of them: their
## numbers (0: no operand), those that need a variable, whether rounding differences MAY pass,
## whether operands are to be TAME or stand in BRACKETS, whether there are at most TWO subscripts,
## whether it has statements in it.
function r = tokens (kind, t)
  persistent slots = fuzz_slots ();
  at = strfind (t, "$");
  r.kind = kind;
  r.slot = t(at+1);
  r.text = cell (1, numel (at) + 1);
  last = 1;
  for i = 1:numel (at)
    r.text{i} = t(last:at(i)-1);
    last = at(i) + 2;
  endfor
  r.text{end} = t(last:end);
  r.code = zeros (1, numel (at));
  for i = 1:numel (at)
    if (isfield (slots, r.slot(i)))
      r.code(i) = slots.(r.slot(i));
    endif
  endfor
  r.need = unique (r.code(r.code > 0 & ! ismember (r.slot, "sbevml")));
  r.slots = numel (r.slot);
  r.special = ismember (r.slot, "becCsm");
  r.wrappable = ismember (r.slot, "abfren");
  r.may = any (kind == "xts");
  ## -1: it is the result alone; -2: what was there before may still be.
  r.assigned = merge (isempty (regexp (t, "^(try|if|for|while|switch) ")), -1, -2);
  r.tame = any (kind == "stT");
  r.nests = any (r.slot == "S") || ! any (kind == "xd");
  ## Octave does not tell a type of empty pieces of brackets: their class is lost.  Nor does it ask
  ## a type there when the first piece has three dimensions.
  r.brackets = ! isempty (strfind (t, "= [$"));
  ## Where right-hand sides do not fit more than two subscripts, Octave reads beyond their
  ## dimensions: only scalars, which always fit, are assigned so.
  r.two = r.slot == "Y";
  for i = find (r.two)
    r.two(i) = isempty (regexp (t(at(i)+2:end), '^\) ([-+*]?= (\d|\$[sk])|= \$G\(1\))', "once"));
  endfor
endfunction
