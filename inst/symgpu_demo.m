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
## @deftypefn  {} {} symgpu_demo ()
## @deftypefnx {} {} symgpu_demo (@var{option}, @var{value}, @dots{})
## @deftypefnx {} {@var{result} =} symgpu_demo (@dots{})
## Train an autoencoder on images of handwritten digits, with plain arrays and
## with symarrays, and compare.
##
## The training function @code{symgpu_demo_train} is plain Octave.  It is
## called with ordinary arrays and with symarrays that backends @qcode{"native"},
## @qcode{"cpu"} and, if there is a GPU, @qcode{"cuda"} evaluate, each time from
## the same start.  Then a table shows the seconds that each took, the
## mean squared error of the reconstructed images at the end, and how far the
## trained weights are from those of the plain arrays: the largest difference
## relative to the largest magnitude in its array, and the same in units in the
## last place of that magnitude.  It is an error if that is more than
## @qcode{"tolerance"}.
##
## Two pictures are written: @file{symgpu_demo_filters.png}, the columns of
## @code{W} that matter most as images, and @file{symgpu_demo_digits.png}, ten
## digits above their reconstructions.
##
## Options and their defaults:
##
## @table @asis
## @item @qcode{"hidden"} (400)
## Number of hidden units.
##
## @item @qcode{"epochs"} (200)
## How often all images are used.
##
## @item @qcode{"batch"} (900)
## Number of images in a step.
##
## @item @qcode{"rate"} (1), @qcode{"momentum"} (0.9), @qcode{"decay"} (1e-3)
## Length of a step, part of it that the next one repeats, and part of the
## weights that a step of length 1 takes away.
##
## @item @qcode{"seed"} (42)
## Seed of the random start and of the order of the images.  The state of
## Octave's generators is what it was afterwards.
##
## @item @qcode{"backends"} (@code{@{"native", "cpu"@}}, with a GPU also @qcode{"cuda"})
## Backends to compare with plain arrays.  The seconds of an emulated GPU, which
## only checks what is computed, are not shown.
##
## @item @qcode{"tolerance"} (1e-10)
## Largest relative difference to plain arrays at the end.
##
## @item @qcode{"outdir"} (the current folder)
## Folder for the pictures, made if there is none; @code{""} for no pictures.
##
## @item @qcode{"verbose"} (true)
## Print what is done and the table.
## @end table
##
## With an output argument there is a struct array with one element per run,
## plain first, and the fields @code{name}, @code{device}, @code{seconds}, @code{error},
## @code{relative}, @code{ulp}, @code{same}, @code{W}, @code{b} and @code{c}.
##
## @example
## @group
## symgpu_demo ("hidden", 64, "epochs", 5, "outdir", tempdir ())
## @end group
## @end example
## @seealso{symgpu_demo_train, symarray, gather, symbackend}
## @end deftypefn

function result = symgpu_demo (varargin)

  opt = options (varargin);
  [X, digit] = images ();
  [W, b, c, order] = start (X, opt);

  say (opt, "Autoencoder, %d images of 8 x 8, %d hidden units, %d epochs of steps of %d images\n",
       rows (X), opt.hidden, opt.epochs, opt.batch);
  say (opt, "mean squared error after each tenth of the training:\n");

  runs = train ("plain", X, W, b, c, order, opt);
  for name = opt.backends
    runs(end+1) = train (name{1}, X, W, b, c, order, opt);
  endfor
  for i = 1:numel (runs)
    [runs(i).relative, runs(i).ulp] = difference (runs(i), runs(1));
    runs(i).same = runs(i).relative <= opt.tolerance;
  endfor

  table (runs, opt);
  pictures (X, digit, runs(end), opt);

  if (! all ([runs.same]))
    bad = runs(find (! [runs.same], 1));
    error ("symgpu:demo-differs",
           "symgpu_demo: backend \"%s\" differs from plain arrays by %.2g, more than %.2g",
           bad.name, bad.relative, opt.tolerance);
  endif

  if (nargout > 0)
    result = runs;
  endif

endfunction

## The options with their defaults, checked.
function opt = options (args)

  opt = struct ("hidden", 400, "epochs", 200, "batch", 900, "rate", 1, "momentum", 0.9,
                "decay", 1e-3, "seed", 42, "backends", {default_backends()},
                "tolerance", 1e-10, "outdir", pwd (), "verbose", true);
  if (mod (numel (args), 2) != 0 || ! iscellstr (args(1:2:end)))
    print_usage ("symgpu_demo");
  endif
  for i = 1:2:numel (args)
    name = args{i};
    value = args{i+1};
    if (! isfield (opt, name))
      error ("symgpu:bad-argument",
             "symgpu_demo: there is no option \"%s\"; there are%s",
             name, sprintf (" %s", fieldnames (opt){:}));
    endif
    switch (name)
      case {"hidden", "epochs", "batch"}
        ok = isnumeric (value) && isscalar (value) && value == fix (value) ...
             && value >= 1 && value < 1e6;
        what = "a positive integer";
      case {"rate", "momentum", "decay", "seed", "tolerance"}
        ok = isnumeric (value) && isreal (value) && isscalar (value) && value >= 0 ...
             && value < Inf;
        what = "a number that is not negative";
      case "backends"
        if (ischar (value))
          value = {value};
        endif
        ok = iscellstr (value);
        value = reshape (value, 1, []);
        what = "the name of a backend or a cell array of names";
      case "outdir"
        ok = ischar (value) && (isrow (value) || isempty (value));
        what = "the name of a folder";
      case "verbose"
        ok = (islogical (value) || isnumeric (value)) && isscalar (value);
        what = "true or false";
    endswitch
    if (! ok)
      error ("symgpu:bad-argument", "symgpu_demo: option \"%s\" must be %s", name, what);
    endif
    opt.(name) = value;
  endfor

endfunction

function names = default_backends ()

  names = {"native", "cpu"};
  if (__symgpu_device__ ("open"))
    names{end+1} = "cuda";
  endif

endfunction

function say (opt, varargin)

  if (opt.verbose)
    printf (varargin{:});
    fflush (stdout);
  endif

endfunction

## One image a row of X, values from 0 to 1, and the digit that it shows.
function [X, digit] = images ()

  file = fullfile (fileparts (mfilename ("fullpath")), "data", "digits.csv.gz");
  fid = fopen (file, "rz");
  if (fid < 0)
    error ("symgpu:no-data", "symgpu_demo: cannot read %s", file);
  endif
  text = fread (fid, Inf, "uint8=>char")';
  fclose (fid);
  data = reshape (sscanf (strrep (text, "\n", ","), "%d,"), 65, [])';
  X = data(:,1:64) / 16;
  digit = data(:,65);

endfunction

## Start values: small random weights, and a reconstruction that is about the mean image.
function [W, b, c, order] = start (X, opt)

  state = {rand("twister"), randn("twister")};
  unwind_protect
    rand ("twister", opt.seed);
    randn ("twister", opt.seed);
    W = 0.1 * randn (columns (X), opt.hidden);
    order = zeros (opt.epochs, rows (X));
    for i = 1:opt.epochs
      [~, order(i,:)] = sort (rand (1, rows (X)));
    endfor
  unwind_protect_cleanup
    rand ("twister", state{1});
    randn ("twister", state{2});
  end_unwind_protect
  b = -ones (1, opt.hidden);
  mean_image = (sum (X, 1) + 1) / (rows (X) + 2);
  c = log (mean_image ./ (1 - mean_image));

endfunction

## Train with plain arrays or on a backend.
function r = train (name, X, W, b, c, order, opt)

  say (opt, "  %-8s", name);
  tenths = unique (ceil ((1:10) / 10 * opt.epochs));
  progress = @(epoch, err) say (opt, {"", " %.4f"}{1 + any (epoch == tenths)}, err);
  r = struct ("name", name, "device", "");
  if (strcmp (name, "cuda"))
    r.device = __symgpu_device__ ("info", symgpu_config ("device")).Name;
  endif
  if (strcmp (name, "plain"))
    t = tic ();
    [W, b, c, err] = symgpu_demo_train (X, W, b, c, order, opt, progress);
    r.seconds = toc (t);
  else
    old = symbackend ();
    unwind_protect
      symbackend (name);
      t = tic ();
      [W, b, c, err] = symgpu_demo_train (symarray (X), symarray (W), symarray (b), ...
                                          symarray (c), order, opt, progress);
      [W, b, c] = gather (W, b, c);
      r.seconds = toc (t);
    unwind_protect_cleanup
      symbackend (old);
    end_unwind_protect
  endif
  say (opt, "\n");
  r.error = sumsq ((X - reconstruct (X, W, b, c))(:)) / numel (X);
  r.W = W;
  r.b = b;
  r.c = c;

endfunction

function z = reconstruct (X, W, b, c)

  z = 1 ./ (1 + exp (-(1 ./ (1 + exp (-(X * W + b))) * W' + c)));

endfunction

function [relative, ulp] = difference (r, plain)

  relative = ulp = 0;
  for f = {"W", "b", "c"}
    largest = max (abs (plain.(f{1})(:)));
    d = abs (r.(f{1}) - plain.(f{1}));
    ## NaN is a difference too.
    d(isnan (d)) = Inf;
    relative = max (relative, max (d(:)) / largest);
    ulp = max (ulp, max (d(:)) / eps (largest));
  endfor

endfunction

function table (runs, opt)

  say (opt, "\n  %-8s %9s %9s %10s %12s %12s\n",
       "", "seconds", "speed", "error", "ulp", "relative");
  for r = runs
    if (strcmp (r.name, "cuda") && is_emulated (r.device))
      say (opt, "  %-8s %9s %9s %10.6f", r.name, "-", "-", r.error);
    else
      say (opt, "  %-8s %9.2f %8.2fx %10.6f", r.name, r.seconds, runs(1).seconds / r.seconds, r.error);
    endif
    if (strcmp (r.name, "plain"))
      say (opt, "\n");
    else
      say (opt, " %12.4g %12.2e   %s\n", r.ulp, r.relative, {"DIFFERENT", "same"}{1 + r.same});
    endif
  endfor
  for r = runs(strcmp ({runs.name}, "cuda"))
    say (opt, "\"cuda\" is %s\n", r.device);
    if (is_emulated (r.device))
      say (opt, "That is no GPU: it checks what a GPU would compute, and its seconds mean nothing.\n");
    endif
  endfor
  say (opt, "\"same\": largest difference to plain, relative to the largest magnitude, is at most %g\n",
       opt.tolerance);

endfunction

function yes = is_emulated (device)

  yes = strncmp (device, "emulated", 8);

endfunction

## Write the pictures and say where.
function pictures (X, digit, r, opt)

  if (isempty (opt.outdir))
    return;
  endif
  [ok, msg] = mkdir (opt.outdir);
  if (! ok)
    error ("symgpu:no-folder", "symgpu_demo: cannot make the folder %s: %s", opt.outdir, msg);
  endif

  ## The filters that move the reconstruction most, from 0 in grey.
  h = 1 ./ (1 + exp (-(X * r.W + r.b)));
  [~, k] = sort (var (h) .* sumsq (r.W, 1), "descend");
  k = k(1:min (end, 64));
  F = r.W(:,k)';
  F = 0.5 + F ./ (2 * max (abs (F), [], 2));
  write (F, 8, fullfile (opt.outdir, "symgpu_demo_filters.png"), "filters", opt);

  ## The first image of each digit.
  [~, k] = unique (digit, "first");
  D = [X(k,:); reconstruct(X(k,:), r.W, r.b, r.c)];
  write (D, numel (k), fullfile (opt.outdir, "symgpu_demo_digits.png"),
         "digits and below them their reconstructions", opt);

endfunction

## Write the rows of IMAGES, 8 x 8 each, as tiles of a picture, ACROSS in a row.
function write (images, across, file, what, opt)

  tile = 48;
  gap = 4;
  at = min (max (((1:tile) - 0.5) / tile * 8 + 0.5, 1), 8);
  down = ceil (rows (images) / across);
  picture = ones (down * (tile + gap) + gap, across * (tile + gap) + gap);
  for i = 1:rows (images)
    y = floor ((i - 1) / across) * (tile + gap) + gap;
    x = mod (i - 1, across) * (tile + gap) + gap;
    picture(y+(1:tile),x+(1:tile)) = interp2 (reshape (images(i,:), 8, 8)', at, at');
  endfor
  picture = uint8 (255 * picture);
  try
    imwrite (picture, file);
  catch
    ## This Octave was built without a library for images.
    write_png (picture, file);
  end_try_catch
  say (opt, "%s: %s\n", what, make_absolute_filename (file));

endfunction

%!function r = small (varargin)
%!  r = symgpu_demo ("hidden", 12, "epochs", 2, "batch", 300, "outdir", "", ...
%!                   "verbose", false, varargin{:});
%!endfunction

%!test
%! r = small ();
%! assert ({r(1:3).name}, {"plain", "native", "cpu"});
%! assert (numel (r) - 3, double (__symgpu_device__ ("open")));
%! assert ([r.same], true (size (r)));
%! assert (r(1).relative, 0);
%! assert (max ([r.relative]) <= 1e-10);
%! assert (size (r(3).W), [64, 12]);
%! assert (class (r(3).W), "double");
%! assert (! issymarray (r(3).W));

%!test
%! ## the same seed gives the same, another something else; the generators do not move
%! rand ("twister", 1);
%! expected = rand ();
%! rand ("twister", 1);
%! r1 = small ("backends", {});
%! assert (rand (), expected);
%! r2 = small ("backends", {});
%! r3 = small ("backends", {}, "seed", 1);
%! assert (r1.W, r2.W);
%! assert (! isequal (r1.W, r3.W));

%!test
%! ## it learns
%! r1 = small ("backends", {}, "epochs", 1);
%! r2 = small ("backends", {}, "epochs", 20, "batch", 100);
%! assert (r2.error < 0.7 * r1.error);

%!test
%! ## pictures, as large as they must be
%! dir = tempname ();
%! unwind_protect
%!   symgpu_demo ("hidden", 5, "epochs", 1, "batch", 600, "backends", "cpu", "outdir", dir, ...
%!                "verbose", false);
%!   for f = {"filters", "digits"}
%!     fid = fopen (fullfile (dir, ["symgpu_demo_" f{1} ".png"]));
%!     head = fread (fid, 24)';
%!     fclose (fid);
%!     assert (char (head(2:4)), "PNG");
%!     size.(f{1}) = [256 .^ (3:-1:0) * head(17:20)', 256 .^ (3:-1:0) * head(21:24)'];
%!   endfor
%!   assert (size.filters, [8 * 52 + 4, 52 + 4]);
%!   assert (size.digits, [10 * 52 + 4, 2 * 52 + 4]);
%! unwind_protect_cleanup
%!   confirm_recursive_rmdir (false, "local");
%!   rmdir (dir, "s");
%! end_unwind_protect

%!test
%! ## the backend is what it was, after an error too
%! old = symbackend ();
%! small ();
%! assert (symbackend (), old);
%! fail ("small (\"backends\", \"nowhere\")");
%! assert (symbackend (), old);

%!test
%! text = evalc ("symgpu_demo (\"hidden\", 4, \"epochs\", 1, \"batch\", 900, \"outdir\", \"\");");
%! assert (! isempty (regexp (text, 'native .* same\n')));
%! assert (! isempty (regexp (text, 'cpu .* same\n')));
%! assert (! isempty (regexp (text, '"cuda" is \S+ .*\n')), __symgpu_device__ ("open"));

%!error <differs from plain> small ("tolerance", 0, "epochs", 5, "backends", "cpu", "batch", 50);
%!error <Invalid call to symgpu_demo> symgpu_demo ("hidden");
%!error <Invalid call to symgpu_demo> symgpu_demo (1, 2)
%!error id=symgpu:bad-argument symgpu_demo ("hiden", 3)
%!error <there are hidden epochs> symgpu_demo ("hiden", 3)
%!error <"hidden" must be a positive integer> symgpu_demo ("hidden", 0)
%!error <"epochs" must be a positive integer> symgpu_demo ("epochs", 1.5)
%!error <"rate" must be a number> symgpu_demo ("rate", -1)
%!error <"backends" must be the name> symgpu_demo ("backends", 3)
%!error <"outdir" must be the name> symgpu_demo ("outdir", 3)
%!error <"verbose" must be> symgpu_demo ("verbose", "yes")
