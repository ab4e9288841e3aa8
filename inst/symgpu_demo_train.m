## Copyright (C) 2025 The symgpu developers
##
## This program is free software: you can redistribute it and/or modify
## it under the terms of the GNU General Public License as published by
## the Free Software Foundation, either version 3 of the License, or
## (at your option) any later version.
##
## This program is distributed in the hope that it will be useful,
## but WITHOUT ANY WARRANTY; without even the implied warranty of
## MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
## GNU General Public License for more details.
##
## You should have received a copy of the GNU General Public License
## along with this program; see the file COPYING.  If not, see
## <https://www.gnu.org/licenses/>.

## -*- texinfo -*-
## @deftypefn  {} {[@var{W}, @var{b}, @var{c}, @var{err}] =} symgpu_demo_train (@var{X}, @var{W}, @var{b}, @var{c}, @var{order}, @var{opt})
## @deftypefnx {} {[@var{W}, @var{b}, @var{c}, @var{err}] =} symgpu_demo_train (@dots{}, @var{progress})
## Train an autoencoder by gradient descent with momentum.
##
## The rows of @var{X} are examples with values from 0 to 1.  The network maps
## a row @var{x} to @code{h = s (x * W + b)} and back to @code{z = s (h * W' +
## c)}, where @code{s} is the logistic function; training changes the start
## values @var{W}, @var{b} and @var{c} so that @code{z} comes close to
## @var{x} for all rows.
##
## Each row of @var{order} is an epoch: the numbers of the examples in the
## order in which they are used.  The fields of @var{opt} are @code{batch},
## the number of examples in a step; @code{rate}, the length of a step;
## @code{momentum}, the part of a step that the next one repeats; and
## @code{decay}, the part of @var{W} that a step of length 1 takes away.
##
## @var{err} holds the mean squared difference of @code{z} and @code{x} for
## each epoch, measured while it was trained.  If there is an argument
## @var{progress}, @code{progress (@var{epoch}, @var{err})} is called after
## each epoch.
##
## This function is plain Octave and knows nothing of the package it comes
## with.  It does the same with ordinary arrays and with those of
## @code{symarray}:
##
## @example
## @group
## X = double (rand (50, 6) > 0.5);
## W = 0.1 * randn (6, 4);
## opt = struct ("batch", 10, "rate", 1, "momentum", 0.9, "decay", 0);
## order = repmat (1:50, 20, 1);
## [W1, b1, c1] = symgpu_demo_train (X, W, zeros (1, 4), zeros (1, 6), ...
##                                   order, opt);
## [W2, b2, c2] = symgpu_demo_train (symarray (X), symarray (W), ...
##                                   symarray (zeros (1, 4)), ...
##                                   symarray (zeros (1, 6)), order, opt);
## max (abs (gather (W2) - W1)(:))
## @end group
## @end example
## @seealso{symgpu_demo, symarray, gather}
## @end deftypefn

function [W, b, c, err] = symgpu_demo_train (X_all, W, b, c, order, opt, progress = [])

  if (nargin < 6 || nargin > 7)
    print_usage ();
  endif

  n = columns (order);
  epochs = rows (order);
  err = zeros (epochs, 1);
  dW = zeros (size (W));
  db = zeros (size (b));
  dc = zeros (size (c));

  for epoch = 1:epochs
    sq = 0;
    for first = 1:opt.batch:n
      X = X_all(order(epoch, first:min (first + opt.batch - 1, n)), :);

      h = 1 ./ (1 + exp (-(X * W + b)));
      z = 1 ./ (1 + exp (-(h * W' + c)));
      delta_o = -(X - z) .* z .* (1 - z);
      delta_h = (delta_o * W) .* h .* (1 - h);
      grad_W = X' * delta_h + delta_o' * h;

      step = opt.rate / rows (X);
      dW = opt.momentum * dW - step * grad_W - opt.rate * opt.decay * W;
      db = opt.momentum * db - step * sum (delta_h, 1);
      dc = opt.momentum * dc - step * sum (delta_o, 1);
      W += dW;
      b += db;
      c += dc;
      sq += sumsq ((X - z)(:));
    endfor

    err(epoch) = sq / (n * columns (X));
    if (! isempty (progress))
      progress (epoch, err(epoch));
    endif
  endfor

endfunction

%!shared X, W, b, c, order, opt
%! X = double (mod ((1:40)' * (1:6) .^ 2, 7) > 3);
%! W = 0.1 * cos ((1:6)' * (1:4) * 1.7);
%! b = zeros (1, 4);
%! c = zeros (1, 6);
%! order = repmat (1:40, 30, 1);
%! opt = struct ("batch", 9, "rate", 1, "momentum", 0.9, "decay", 1e-4);

%!test
%! ## it learns
%! [~, ~, ~, err] = symgpu_demo_train (X, W, b, c, order, opt);
%! assert (size (err), [30, 1]);
%! assert (err(end) < err(1) / 2);

%!test
%! ## the gradient is that of half the squared difference
%! opt1 = struct ("batch", 40, "rate", 1, "momentum", 0, "decay", 0);
%! f = @(W) sumsq ((X - 1 ./ (1 + exp (-(1 ./ (1 + exp (-(X*W + b))) * W' + c))))(:)) / 2;
%! W1 = symgpu_demo_train (X, W, b, c, order(1,:), opt1);
%! for k = [1, 8, 24]
%!   e = zeros (size (W));
%!   e(k) = 1e-5;
%!   assert ((W - W1)(k) * 40, (f (W + e) - f (W - e)) / 2e-5, 1e-7);
%! endfor

%!test
%! ## called after each epoch
%! n = 0;
%! opt.batch = 40;
%! log = tempname ();
%! fid = fopen (log, "w");
%! [~, ~, ~, err] = symgpu_demo_train (X, W, b, c, order(1:3,:), opt, ...
%!                                     @(epoch, e) fprintf (fid, "%d %.15g\n", epoch, e));
%! fclose (fid);
%! seen = load (log);
%! unlink (log);
%! assert (seen, [(1:3)', err], 1e-14);

%!test
%! ## plain arrays, "native" and "cpu" end at the same place
%! old = symbackend ();
%! unwind_protect
%!   [W0, b0, c0, e0] = symgpu_demo_train (X, W, b, c, order, opt);
%!   for backend = {"native", "cpu"}
%!     symbackend (backend{1});
%!     [W1, b1, c1, e1] = symgpu_demo_train (symarray (X), symarray (W), symarray (b), ...
%!                                           symarray (c), order, opt);
%!     assert (issymarray (W1) && issymarray (b1) && issymarray (c1));
%!     assert (gather (W1), W0, 1e-11);
%!     assert (gather (b1), b0, 1e-11);
%!     assert (gather (c1), c0, 1e-11);
%!     assert (e1, e0, 1e-11);
%!   endfor
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect

%!error <Invalid call> symgpu_demo_train ()
%!error <Invalid call> symgpu_demo_train (1, 2, 3, 4, 5)
