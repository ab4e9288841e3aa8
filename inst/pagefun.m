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
## @deftypefn  {} {@var{B} =} pagefun (@var{fcn}, @var{A})
## @deftypefnx {} {@var{C} =} pagefun (@var{fcn}, @var{A}, @var{B}, @dots{})
## @deftypefnx {} {[@var{C}, @var{D}, @dots{}] =} pagefun (@dots{})
## Apply the function @var{fcn} to the pages of arrays.
##
## A page is a matrix @code{A(:,:,k)}.  @var{fcn} is a function handle, such as @code{@@mtimes},
## @code{@@transpose}, @code{@@ctranspose}, @code{@@inv}, @code{@@mldivide} or @code{@@plus}, that is
## called with one page of each array; the results are the pages of the output.  In the dimensions
## from the third on, the extents of the arrays are the same, or 1: such an array gives the same
## page to all.
##
## Pages of symarrays are parts of the expression: nothing is computed.
##
## @example
## @group
## A = symarray (rand (3, 4, 10));
## B = symarray (rand (4, 2, 10));
## size (pagefun (@@mtimes, A, B))
##   @result{} 3    2   10
## @end group
## @end example
## @seealso{gpuArray, arrayfun, bsxfun}
## @end deftypefn

function varargout = pagefun (fcn, varargin)

  if (nargin < 2)
    print_usage ();
  endif
  if (ischar (fcn))
    fcn = str2func (fcn);
  elseif (! is_function_handle (fcn))
    error ("pagefun: FCN must be a function handle");
  endif

  nd = max ([3, cellfun(@ndims, varargin)]);
  extents = ones (numel (varargin), nd - 2);
  for i = 1:numel (varargin)
    extents(i,1:ndims(varargin{i})-2) = size (varargin{i})(3:end);
  endfor
  shape = max (extents, [], 1);
  shape(any (extents == 0, 1)) = 0;
  if (! all ((extents == shape | extents == 1)(:)))
    error ("Octave:nonconformant-args",
           "pagefun: the extents from the third dimension on must be the same or 1");
  endif

  n = prod (shape);
  if (n == 0)
    error ("pagefun: the arrays have no pages");
  endif
  nout = max (1, nargout);
  pages = cell (nout, n);
  at = cell (1, nd - 2);
  args = cell (size (varargin));
  for k = 1:n
    [at{:}] = ind2sub ([shape, 1], k);
    for i = 1:numel (varargin)
      own = num2cell (min ([at{:}], extents(i,:)));
      args{i} = varargin{i}(:,:,own{:});
    endfor
    [pages{:,k}] = fcn (args{:});
  endfor
  varargout = cell (1, nout);
  for i = 1:nout
    varargout{i} = reshape (cat (3, pages{i,:}), [size(pages{i,1}), shape]);
  endfor

endfunction

%!function check (fcn, varargin)
%!  want = pagefun (fcn, varargin{:});
%!  wrapped = cellfun (@symarray, varargin, "UniformOutput", false);
%!  got = pagefun (fcn, wrapped{:});
%!  assert (issymarray (got) || isscalar (want(:,:,1)));
%!  assert (gather (got), want, 10 * eps (max (abs (want(:)))));
%!endfunction

%!test
%! A = rand (3, 4, 5); B = rand (4, 2, 5);
%! C = pagefun (@mtimes, A, B);
%! assert (size (C), [3, 2, 5]);
%! for k = 1:5
%!   assert (C(:,:,k), A(:,:,k) * B(:,:,k));
%! endfor
%! check (@mtimes, A, B);
%!test # one page for all, several dimensions of pages
%! A = rand (3, 3, 2, 4); B = rand (3, 2); D = rand (3, 3, 1, 4);
%! C = pagefun (@mtimes, A, B);
%! assert (size (C), [3, 2, 2, 4]);
%! assert (C(:,:,2,3), A(:,:,2,3) * B);
%! check (@mtimes, A, B);
%! check (@plus, A, D);
%!test
%! A = rand (3, 3, 4) + full (eye (3)); B = rand (3, 2, 4);
%! for fcn = {@transpose, @ctranspose, @inv, @exp, @det}
%!   check (fcn{1}, A);
%! endfor
%! check (@mldivide, A, B);
%! check (@transpose, A + 1i);
%! check (@ctranspose, A + 1i);
%!test # matrices are one page
%! A = rand (3);
%! assert (pagefun (@transpose, A), A.');
%! assert (pagefun ("transpose", A), A.');
%!test # several outputs
%! A = rand (2, 2, 3);
%! [m, k] = pagefun (@max, A);
%! [m1, k1] = max (A);
%! assert ({m, k}, {m1, k1});
%!error <Invalid call> pagefun (@inv)
%!error <FCN must be> pagefun (1, 2)
%!error id=Octave:nonconformant-args pagefun (@plus, ones (2, 2, 2), ones (2, 2, 3))
%!error <no pages> pagefun (@plus, ones (2, 2, 0), 1)
