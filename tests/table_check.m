## table_check (FAMILY): every row of a family of the tables of operations, with arguments of
## every class and many shapes and values, against Octave's own function: class, size, complexity
## and errors the same, values within the row's ulp; on the backends "native" and "cpu", the
## latter with fused and with separate loops, which must have the same bits.
## Fails if any differs, and shows the first.
##
## If the default backend is "cuda", only that one is looked at, and if TABLE_SAMPLE is a number N in
## the environment, with every N-th call.  A prime number meets all classes and shapes.
##
## table_check ("function", NAME): the same for a function that is made of several operations.

function table_check (family, name)
  if (nargin == 2)
    rows = function_row (name);
  else
    rows = __symgpu_rows__ ();
    rows = rows(strcmp ({rows.family}, family));
  endif
  assert (! isempty (rows));
  bad = {};
  count = tried = 0;
  sample = max ([1, str2num(getenv ("TABLE_SAMPLE"))]);
  for row = rows'
    for args = arguments (row)
      if (mod (tried++, sample) == 0)
        [why, n] = compare_call (row, args{1});
        bad = [bad, why];
        count += n;
      endif
    endfor
  endfor
  assert (count > 0 && tried > 40 * numel (rows));
  if (! isempty (bad))
    error ("%d of %d calls differ:\n%s", numel (bad), count,
           strjoin (bad(1:min (60, end)), "\n"));
  endif
endfunction

## ---- arguments ----------------------------------------------------------------------------

function c = class_names ()
  c = {"double", "single", "logical", "int8", "int16", "int32", "int64", "uint8", "uint16", ...
       "uint32", "uint64", "complex", "complex single"};
endfunction

## Special values of a class first, then numbers of [lo, hi], as many as asked for.
function v = values (cls, n, lo, hi)
  state = 0.5;
  r = zeros (1, n);
  for i = 1:n
    state = mod (state * 997 + 0.123456789, 1);
    r(i) = lo + state * (hi - lo);
  endfor
  switch (cls)
    case {"double", "single"}
      t = feval (cls, 1);
      s = [0, -0, 1, -1, Inf, -Inf, NaN, eps(t), realmin(cls), -realmin(cls), realmax(cls), ...
           -realmax(cls), 0.5, -0.5, 1.5, 2.5, -2.5, 2, 3, 4, 8, 10, 100, 1000];
      v = feval (cls, [s, r]);
    case {"complex", "complex single"}
      s = [0, 1; 1, 0; -1, -1; 0, -2; 3, -4; -2, 0; NaN, 1; 1, NaN; Inf, 2; -Inf, Inf; 2, -Inf; ...
           -0, 3; 1, -0; 1e30, 1e-30; 0.5, -2.5];
      v = complex ([s(:,1).', r], [s(:,2).', fliplr(r)]);
      if (strcmp (cls, "complex single"))
        v = single (v);
      endif
    case "logical"
      v = logical (mod (1:n, 3));
    otherwise
      v = feval (cls, [0, 1, double(intmax (cls)), double(intmin (cls)), 2, 3, 7, ...
                       double(intmax (cls)) / 2, r]);
      if (any (strcmp (cls, {"int64", "uint64"})))
        v = [v, intmax(cls), intmin(cls), intmax(cls)-1];
      endif
  endswitch
endfunction

## A value of a class and shape; WHICH turns its values round, so that pairs meet.
function a = array (cls, sz, which, row)
  v = values (cls, 37, row.lo, row.hi);
  if (any (strcmp (row.id, {"MOD", "REM"})))
    v(v == -1) = 1;    # Octave itself does not return from mod (intmin ("int32"), int32 (-1))
  endif
  n = prod (sz);
  k = mod ((0:n-1) * (1 + 2 * which) + which * 5, numel (v)) + 1;
  a = reshape (v(k), sz);
endfunction

## What a row is called with: a cell row of cells of arguments.
function list = arguments (row)
  list = {};
  classes = class_names ();
  switch (row.family)
    case "elementwise"
      if (row.n == 1)
        for c = classes
          for sz = {[1, 1], [1, 41], [41, 1], [5, 9], [0, 0], [0, 3], [2, 3, 4]}
            for which = 0:merge (prod (sz{1}) == 1, 8, 0)
              list{end+1} = {array(c{1}, sz{1}, which, row)};
            endfor
          endfor
          list{end+1} = {array(c{1}, [30, 20], 3, row)(3:28, [1, 4, 7])};
        endfor
      elseif (row.n == 3)
        list = merge_arguments (row, classes);
      else
        pairs = {[1, 1], [1, 1]; [5, 9], [1, 1]; [1, 1], [5, 9]; [5, 9], [5, 9]; ...
                 [5, 1], [1, 9]; [5, 9], [5, 1]; [1, 9], [5, 9]; [2, 3, 4], [2, 1, 4]; ...
                 [0, 3], [1, 3]; [0, 3], [1, 1]; [3, 0], [3, 1]; [5, 9], [5, 8]; [2, 3], [3, 2]};
        ## All pairs of classes meet in some shapes, those of one class and double in all.
        for c = classes
          for d = classes
            few = pairs([2, 4, 5, 11],:);
            if (strcmp (c{1}, d{1}) && any (strcmp (c{1}, {"double", "single", "int8"})))
              few = pairs;
            endif
            for p = few'
              list{end+1} = {array(c{1}, p{1}, 1, row), array(d{1}, p{2}, 2, row)};
            endfor
          endfor
          if (any (strcmp (c{1}, {"double", "single", "int32"})))
            for k = 0:24
              list{end+1} = {array(c{1}, [5, 9], 1, row), array("double", [1, 1], k, row)};
            endfor
          endif
        endfor
      endif
    case {"reduction", "scan"}
      if (any (strcmp (row.id, {"DOT", "NORM"})))
        list = function_arguments (row);
        return;
      endif
      for c = classes
        for sz = {[1, 1], [1, 41], [41, 1], [5, 9], [0, 0], [0, 3], [3, 0], [1, 0], [2, 3, 4], ...
                  [3, 1, 2], [600, 2], [2, 600]}
          a = array (c{1}, sz{1}, 1, row);
          list{end+1} = {a};
          for dim = 1:4
            list{end+1} = {a, dim};
          endfor
        endfor
        for d = {[NaN, NaN; 1, NaN], [NaN; 3; NaN], [-0, 0], [0; -0]}
          if (! strncmp (c{1}, "complex", 7))
            list{end+1} = {feval(c{1}, merge (strcmp (c{1}, "logical"), 1, d{1}))};
          endif
        endfor
      endfor
    case "move"
      list = move_arguments (row, classes);
    case "function"
      list = function_arguments (row);
  endswitch
  ## Not the arguments that a reduction takes after the value.
  if (any (strcmp (row.id, {"MAX", "MIN", "IMAX", "IMIN"})))
    for i = 1:numel (list)
      if (numel (list{i}) == 2)
        list{i} = {list{i}{1}, [], list{i}{2}};
      endif
    endfor
  endif
endfunction

function list = merge_arguments (row, classes)
  list = {};
  for c = classes
    for sz = {[1, 1], [1, 41], [5, 9], [0, 3], [2, 3, 4]}
      for d = {c{1}, "double", "complex", "int8"}
        for mask = {mod(0:prod(sz{1})-1, 3) == 1, false(1, prod (sz{1})), zeros(1, prod (sz{1}))}
          m = reshape (mask{1}, sz{1});
          a = array (c{1}, sz{1}, 1, row);
          list{end+1} = {m, a, array(d{1}, sz{1}, 2, row)};
          list{end+1} = {m, a, array(d{1}, [1, 1], 2, row)};
          list{end+1} = {m, array(d{1}, [1, 1], 3, row), a};
        endfor
      endfor
    endfor
    list{end+1} = {true(2, 3), a, array(c{1}, [3, 2], 1, row)};
  endfor
endfunction

## X, a mask, and one number to assign.
function list = masked_arguments (a, row)
  list = {};
  n = numel (a);
  for c = class_names ()
    for k = {1, 4}
      y = array (c{1}, [1, 1], k{1}, row);
      list{end+1} = {a, reshape(mod (0:n-1, 3) == 1, size (a)), y};
    endfor
    list{end+1} = {a, true(size (a)), y};
    list{end+1} = {a, false(n, 1), y};
  endfor
  list{end+1} = {a, true(1, min (n, 2)), y};
  list{end+1} = {a, true(1, n + 1), y};
  list{end+1} = {a, false(1, n + 1), y};
  list{end+1} = {a, true(size (a)), []};
  list{end+1} = {a, true(size (a)), a};
endfunction

function x = assign_masked (x, other, y)
  x(! ! other) = y;
endfunction

function list = move_arguments (row, classes)
  list = {};
  row.lo = -9;
  row.hi = 9;
  shapes = {[1, 1], [1, 6], [6, 1], [4, 3], [0, 3], [2, 3, 4]};
  extra.reshape = {{[2, 3]}, {[], 1}, {3, []}, {[12, 1]}, {[3, 2, 2]}, {[2, 3, 2, 2]}, {5, 5}};
  extra.permute = {{[2, 1]}, {[1, 2]}, {[3, 1, 2]}, {[2, 3, 1]}, {[1, 1]}};
  extra.repmat = {{2}, {1, 3}, {[2, 1, 2]}, {0, 2}, {2, 3}};
  extra.transpose = extra.ctranspose = {{}};
  extra.cat = {};
  extra.index = {{1}, {":"}, {[2; 1]}, {[1, 1; 1, 1]}, {1, ":"}, {":", 1}, {1, 1}, {[1, 1], 1}, ...
                 {1:2:3}, {5}, {0}, {1.5}, {2, 2}, {":", ":"}, {true}, {logical([0, 1])}, {[]}, ...
                 {zeros(1, 0)}, {2, 1, 1}, {":", ":", 2}, {3:-1:1}, {-1}};
  for c = classes
    for s = shapes
      a = array (c{1}, s{1}, 1, row);
      if (isfield (extra, row.name))
        for e = extra.(row.name)
          list{end+1} = [{a}, e{1}];
        endfor
      endif
      switch (row.id)
        case "CAT"
          for d = classes
            for dim = 1:3
              for t = shapes
                list{end+1} = {dim, a, array(d{1}, t{1}, 2, row)};
              endfor
            endfor
          endfor
        case "MTIMES"
          if (! isempty (strfind (c{1}, "int")))
            continue;
          endif
          for d = {"double", "single", "logical", "int8", "complex"}
            for t = shapes
              b = array (d{1}, t{1}, 2, row);
              b(! isfinite (b) | abs (b) > 1e6) = 1;
              f = a;
              f(! isfinite (f) | abs (f) > 1e6) = 2;
              list{end+1} = {f, b};
            endfor
          endfor
      endswitch
    endfor
  endfor
endfunction

## A function without a row of its own.
function row = function_row (name)
  row = struct ("id", name, "name", name, "family", "function", "n", 1, "ulp", zeros (2), "lo", -9, ...
                "hi", 9, "native", false);
  if (strcmp (name, "places of sort"))
    row.id = "ISORT";
    row.name = "sort";
  endif
  if (any (strcmp (name, {"norm", "sum", "prod"})))
    row.ulp(:) = 4;
  endif
endfunction

## What functions are called with after an array of any class and shape; a cell in the place of
## that array stands for its shape.
function list = function_arguments (row)
  dims = {{}, {1}, {2}, {3}, {4}, {0}, {1.5}};
  words = {"native", "double", "extra", "none"};
  more.diag = {{}, {0}, {1}, {-1}, {2}, {-3}, {5}, {1.5}, {"x"}, {2, 2}};
  more.diff = [dims, {{[]}, {2}, {3}, {20}, {[], 1}, {2, 1}, {2, 2}, {1, 3}, {4, 2}, {-1}}];
  more.nnz = {{}};
  more.norm = {{}, {2}, {1}, {Inf}, {-Inf}, {"fro"}, {"inf"}, {"Inf"}, {"-inf"}, {3}, {0}, {"x"}, ...
               {1, "rows"}, {"fro", "cols"}};
  more.sum = more.prod = more.cumsum = {};
  for w = words
    more.sum = more.prod = more.cumsum = [more.sum, {w, {1, w{1}}, {2, w{1}}}];
  endfor
  more.trace = {{}};
  more.tril = more.triu = {{}, {0}, {1}, {-1}, {2}, {-3}, {20}, {-20}, {1.5}, {"pack"}, {1, "pack"}, ...
                           {[1, 2]}, {NaN}};
  more.sort = [dims, {{"ascend"}, {"descend"}, {"up"}, {1, "descend"}, {2, "ascend"}, ...
                      {2, "descend"}, {3, "descend"}, {"descend", 1}}];
  list = {};
  for c = class_names ()
    for sz = {[1, 1], [1, 7], [7, 1], [5, 9], [9, 5], [4, 4], [0, 0], [0, 3], [3, 0], [2, 3, 4], ...
              [2, 600]}
      a = array (c{1}, sz{1}, 1, row);
      switch (row.name)
        case "dot"
          list = [list, pairs_of(a, sz{1}, row, {{}, {1}, {2}, {3}, {0}})];
        case {"kron", "xor"}
          if (prod (sz{1}) < 40)
            list = [list, pairs_of(a, sz{1}, row, {{}})];
          endif
        case "masked assignment"
          list = [list, masked_arguments(a, row)];
        otherwise
          for m = more.(row.name)
            list{end+1} = [{a}, m{1}];
          endfor
      endswitch
    endfor
  endfor
  if (strcmp (row.name, "kron"))
    list{end+1} = {[1, 2], [3; 4], single([5, 6])};
  endif
  if (any (strcmp (row.name, {"norm", "NORM"})))
    for x = {[NaN, 1], [1, NaN; 2, 3], [1, 2; NaN, 3], [Inf, NaN], [Inf, 1], [0, 0], [-0, 0], ...
             [3e300, 4e300], [3e-300, 4e-300], [5e-324, 0], [NaN; NaN], [Inf, -Inf; 1, 2], ...
             [1, 2e200], [1e-170, 1]}
      for m = more.norm(merge (isvector (x{1}), 1, 3):end)    # no singular values
        list{end+1} = [x, m{1}];
        list{end+1} = [{single(x{1} * 1e-10)}, m{1}];
      endfor
    endfor
  endif
endfunction

## A with operands of other classes and the same shape, the turned one, another one.
function list = pairs_of (a, sz, row, more)
  list = {};
  for c = {"double", "single", "logical", "int8", "complex"}
    for t = {sz, fliplr(sz), [2, 2]}
      for m = more
        list{end+1} = [{a, array(c{1}, t{1}, 2, row)}, m{1}];
      endfor
    endfor
  endfor
endfunction

## ---- comparison ---------------------------------------------------------------------------

## The function that a row stands for.
function f = function_of (row)
  switch (row.id)
    case {"IMAX", "IMIN", "ICUMMAX", "ICUMMIN", "ISORT"}
      f = @(varargin) second_output (row.name, varargin{:});
    case "INDEX"
      f = @(a, varargin) a(varargin{:});
    case "LOGICAL"
      f = @logical;
    case "masked assignment"
      f = @assign_masked;
    case "NORM"
      f = @(a) norm (a, "fro");
    otherwise
      f = str2func (row.name);
  endswitch
endfunction

function i = second_output (name, varargin)
  [~, i] = feval (name, varargin{:});
endfunction

## Reasons for which the backends differ from plain Octave, and how many calls were made.
function [bad, count] = compare_call (row, args)
  ## The last one computes each operation at once.
  ways = {"native", 1, 0; "cpu", 1, 0; "cpu", 0, 0; "cpu", 1, 512};
  if (strcmp (symbackend (), "cuda"))
    ways = {"cuda", 1, 0};
  endif
  bad = {};
  count = size (ways, 1);
  f = function_of (row);
  want = outcome (f, args);
  cpu = [];
  for w = 1:count
    old = symbackend (ways{w,1});
    symgpu_config ("fuse", ways{w,2});
    small = symgpu_config ("small", ways{w,3});
    got = outcome (f, cellfun (@wrap, args, "uniformoutput", false));
    symgpu_config ("fuse", 1);
    symgpu_config ("small", small);
    symbackend (old);
    ulp = promise (row, ways{w,1});
    why = difference (want, got, ulp, row, args);
    if (w == 2)
      cpu = got;
    elseif (w > 2 && isempty (why))
      why = difference (cpu, got, 0, row, args);
    endif
    if (! isempty (why))
      bad{end+1} = sprintf ("%s (%s) on %s, fuse=%d, small=%d: %s", row.id,
                            strjoin (cellfun (@describe, args, "uniformoutput", false), ", "),
                            ways{w,:}, why);
    endif
  endfor
endfunction

## The larger of what is promised of doubles and singles.
function ulp = promise (row, backend)
  ulp = [0; max(row.ulp, [], 2)](strcmp ({"native", "cpu", "cuda"}, backend));
endfunction

function x = wrap (x)
  if (! ischar (x))
    x = symarray (x);
  endif
endfunction

function r = outcome (f, args)
  r.message = r.identifier = "";
  r.value = [];
  try
    v = f (args{:});
    r.value = gather (v);
  catch err
    r.message = err.message;
    r.identifier = err.identifier;
  end_try_catch
endfunction

function s = describe (x)
  s = [class(x), " ", strjoin(arrayfun (@num2str, size (x), "uniformoutput", false), "x")];
  if (iscomplex (x))
    s = ["complex ", s];
  endif
  if (numel (x) <= 1)
    s = [s, " ", disp(x)(1:end-1)];
  endif
endfunction

function why = difference (a, b, ulp, row, args)
  why = "";
  if (! strcmp (a.message, b.message) || ! strcmp (a.identifier, b.identifier))
    why = sprintf ("error '%s' (%s), expected '%s' (%s)", b.message, b.identifier, a.message,
                   a.identifier);
    return;
  endif
  a = a.value;
  b = b.value;
  if (! strcmp (class (a), class (b)) || ! isequal (size (a), size (b))
      || iscomplex (a) != iscomplex (b))
    why = sprintf ("%s, expected %s", describe (b), describe (a));
    return;
  endif
  if (isfloat (a))
    d = float_difference ([real(a)(:); imag(a)(:)], [real(b)(:); imag(b)(:)], ulp, row, args);
    k = find (d, 1);
    if (! isempty (k))
      k = mod (k - 1, numel (a)) + 1;
      why = sprintf ("element %d is %.17g%+.17gi, expected %.17g%+.17gi", k, real (b(k)),
                     imag (b(k)), real (a(k)), imag (a(k)));
    endif
  elseif (! isequal (a, b))
    k = find (a(:) != b(:), 1);
    why = sprintf ("element %d is %d, expected %d", k, b(k), a(k));
  endif
endfunction

## True where B is farther from A than the row allows.  Reductions: in ulp of the largest sum of
## magnitudes that they can have met.
function d = float_difference (a, b, ulp, row, args)
  same = (a == b & signbit_ (a) == signbit_ (b)) | (isnan (a) & isnan (b));
  d = ! same;
  if (! any (d) || ulp == 0)
    return;
  endif
  tol = ulp * eps (a);
  if (any (strcmp (row.family, {"reduction", "function"})))
    x = double (args{1}(:));
    if (numel (args) > 1 && numel (args{2}) == numel (x))
      x = max (abs (x), abs (double (args{2}(:))));
    endif
    x = abs (x(isfinite (x)));
    tol = max (tol, ulp * eps (merge (isa (a, "single"), single (1), 1)) * sum (x .* max (x, 1)));
  endif
  ## A value may be one step below or above the largest or the smallest.
  near = abs (a - b) <= tol | (isinf (a) & abs (b) > realmax (class (b)) * (1 - 4 * eps)
                               & sign (a) == sign (b));
  d &= ! near;
endfunction

function s = signbit_ (x)
  s = x < 0 | (x == 0 & 1 ./ x < 0);
endfunction
