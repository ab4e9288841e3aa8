## Slices, shifts and flips, read where they are by the loops that need them.

%!function check (f, x)
%!  want = f (x);
%!  got = gather (f (symarray (x)));
%!  assert (class (got), class (want));
%!  assert (got, want);
%!endfunction

%!shared fs, as
%! fs = {@(x) x(2:end,:) - x(1:end-1,:), @(x) x(:,[2:end,1]) + x, @(x) x([end,1:end-1],:) .* x, ...
%!       @(x) x(3,:) - x(4,:), @(x) x(:,3) + x(:,4), @(x) x(end:-1:1,:) + x(:,end:-1:1), ...
%!       @(x) x([1, 1, 2, 2, 4],[3, 3]) + x(4:8,1:2), @(x) x(5:3:20)' - x(1:3:16)', ...
%!       @(x) x(:)(2:end) - x(:)(1:end-1), @(x) reshape (x, [], 2)(3:9,:) + reshape (x, 2, [])(1:2,1:7)', ...
%!       @(x) x(mod (1:rows (x), 3) > 0,:) - 1, @(x) x(:,:,1) - x, ...
%!       @(x) (x(:,2:5) + x(:,1:4))(2:4,:) - x(1:3,1:4), @(x) max (x(2:end,:) - x(1:end-1,:)), ...
%!       @(x) min (x(:,2:2:end) - x(:,1), [], 2), @(x) any (x(2:3,:) > x(5:6,:)), ...
%!       @(x) x([],:) + x([],:), @(x) x(2:3,[]) - 1, @(x) -x(7), @(x) x(2:4,3) .* x(1,2:5)};
%! as = {reshape(mod ((1:96) * 37, 101), 8, 12) - 50, reshape(mod ((1:6e4) * 37, 10007), 300, 200)};

%!test <*views>
%! for x = as
%!   for c = {"double", "single", "int8", "uint16", "int64", "logical"}
%!     y = feval (c{1}, x{1});
%!     for f = fs
%!       if (! strcmp (c{1}, "logical") || ! any (func2str (f{1}) == "*"))
%!         check (f{1}, y);
%!       endif
%!     endfor
%!   endfor
%!   for f = fs([1:5, 9, 13])
%!     check (f{1}, complex (x{1}, x{1}'(1)));
%!   endfor
%! endfor

## N dimensions
%!test
%! x = reshape (mod ((1:5 * 7 * 6 * 3) * 37, 101), 5, 7, 6, 3);
%! for f = {@(x) x(:,2:end,:,:) - x(:,1:end-1,:,:), @(x) x(:,:,[2:end,1],:) + x, @(x) x(2,:,:,3) + x(3,:,:,1), ...
%!          @(x) x(:,:,2) - x(:,:,18), @(x) x(:,3:7) + x(:,30:34), @(x) sum (x(:,:,:,2) .* x(:,:,:,3), 3), ...
%!          @(x) x(end:-1:1,[1, 5, 2],3,:) + x(:,1:3,1,:), @(x) x(:,:,:,[3, 1, 2]) - x(:,:,[6, 1:5],:)}
%!   check (f{1}, x);
%!   check (f{1}, int16 (x));
%! endfor

## Slices and shifts of one value are one loop, and no memory but that of the result.
%!test
%! x = symarray (reshape (mod ((1:4e4) * 37, 101), 200, 200));
%! y = x(2:end-1,2:end-1) + x(1:end-2,2:end-1) - x(3:end,2:end-1);
%! z = circshift (x, 1, 1) + circshift (x, -1, 2) .* flipud (x);
%! for v = {y, z}
%!   s = symexplain (v{1});
%!   assert (numel (s.steps), 1);
%! endfor

## A slice that somebody else needs is computed once, and stays what it was.
%!test
%! x = reshape (mod ((1:4e4) * 37, 101), 200, 200);
%! g = symarray (x);
%! part = g(:,2:100);
%! assert (gather (sum (part(:) .* 2)), sum (2 * x(:,2:100)(:)));
%! g(:,:) = 0;
%! assert (gather (part), x(:,2:100));

## m-files that are nodes: all that they take, with their errors
%!function both (f, x, args)
%!  want = got = cell (1, 2);
%!  try
%!    want{1} = f (x, args{:});
%!  catch e
%!    want{2} = [e.identifier, ": ", e.message];
%!  end_try_catch
%!  try
%!    got{1} = gather (f (symarray (x), args{:}));
%!  catch e
%!    got{2} = [e.identifier, ": ", e.message];
%!  end_try_catch
%!  assert (got{2}, want{2});
%!  assert (class (got{1}), class (want{1}));
%!  assert (got{1}, want{1}, 4 * eps (class (sum (single ([])(:)))));
%!endfunction
%!test
%! warning ("off", "Octave:num-to-str", "local");
%! x = {mod((1:20) * 7, 11)(ones (1, 4),:), 1:6, (1:6)', reshape(1:24, 3, 4, 2), 5, zeros(0, 3), ...
%!      single([1, 2; 3, 5]), int8([1, 2; 3, 4]), [1, 2; 3, 4] > 2, [1, NaN; 3, 4] + 2i, zeros(3, 0)};
%! args = {{}, {1}, {-1}, {0}, {7}, {-13}, {[1, 2]}, {[1; -1]}, {[1, 2, 3]}, {1, 2}, {1, 3}, {1, 4}, ...
%!         {-2, 1}, {1.5}, {1, 0}, {[1, 2], 1}, {[]}, {1, []}, {true}, {int8(1)}, {single(1)}, {NaN}, {2}, {3}};
%! for f = {@circshift, @flip, @fliplr, @flipud, @mean}
%!   for v = x
%!     for a = args
%!       both (f{1}, v{1}, a{1});
%!     endfor
%!   endfor
%! endfor

## A user's own file of such a name goes before ours.
%!test
%! folder = tempname ();
%! mkdir (folder);
%! unwind_protect
%!   fid = fopen (fullfile (folder, "flipud.m"), "w");
%!   fputs (fid, "function y = flipud (x)\n  y = x + 1;\nendfunction\n");
%!   fclose (fid);
%!   addpath (folder);
%!   assert (gather (flipud (symarray ([1; 2]))), [2; 3]);
%! unwind_protect_cleanup
%!   rmpath (folder);
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (folder, "s");
%! end_unwind_protect
%! assert (gather (flipud (symarray ([1; 2]))), [2; 1]);

## x(...) = of what belongs to nobody does not copy x, and what is held keeps its value.
%!test
%! x = symarray (reshape (1:250000, 500, 500));
%! y = reshape (1:250000, 500, 500);
%! for k = 1:3
%!   old = x;
%!   x(2:end-1,:) = x(1:end-2,:) + x(3:end,:);
%!   x(1,:) = x(2,:) - x(3,:);
%!   was = y;
%!   y(2:end-1,:) = y(1:end-2,:) + y(3:end,:);
%!   y(1,:) = y(2,:) - y(3,:);
%!   assert (gather (old), was);
%!   assert (gather (x), y);
%! endfor

## elements of matrices, however they came about
%!test
%! for x = {[1.5, 2; 3, -0], single([1, 2; 3, 4]), int8([1, 2; 3, 4]), [1, 2; 3, 4] > 2, [1i, 2; 3, 4], 7}
%!   a = symarray (x{1});
%!   for v = {a, a + 0, a', [a, a]}
%!     w = gather (v{1});
%!     for idx = {{1}, {2}, {1, 1}, {2, 1}, {1, 2}, {1, 1, 1}, {0}, {1.5}, {9, 1}, {1, 9}, {99}, {-1}, {1, 1, 2}, {NaN}}
%!       want = got = "";
%!       try
%!         want = w(idx{1}{:});
%!       catch e
%!         want = strrep (e.message, "w(", "v(");
%!       end_try_catch
%!       try
%!         got = gather (v{1}(idx{1}{:}));
%!       catch e
%!         got = e.message;
%!       end_try_catch
%!       assert (class (got), class (want));
%!       if (! ischar (want))
%!         assert (got, want);
%!         assert (1 ./ double (got), 1 ./ double (want));
%!       endif
%!     endfor
%!   endfor
%! endfor

## positions that a variable holds are not those of an array that is made of them
%!test
%! x = magic (30);
%! s = symarray (x);
%! k = reshape (mod (7 * (1:600), 30) + 1, 20, 30);
%! for p = {k, single(k), int32(k), int64(k), find(x(:,1) > 300), x > 300, logical(mod(x, 2)), [true, false, true, false, true, false], k + 0, symarray(k)}
%!   i = p{1};
%!   y = {s(i), s(:,i(1:5)), s(i(5:-1:1),:)};
%!   j = i;
%!   i(:) = 1;
%!   assert (gather (y{1}), x(p{1}));
%!   assert (gather (y{2}), x(:,p{1}(1:5)));
%!   assert (gather (y{3}), x(p{1}(5:-1:1),:));
%!   z = s(j) + 1;
%!   clear i j y
%!   assert (gather (z), x(p{1}) + 1);
%!   s(1) = s(1);
%! endfor
