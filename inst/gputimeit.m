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
## @deftypefn  {} {@var{t} =} gputimeit (@var{f})
## @deftypefnx {} {@var{t} =} gputimeit (@var{f}, @var{nout})
## Return the seconds that the function @var{f} takes, with all work that it gives to the GPU.
##
## @var{f} is a function handle without arguments; it is called with @var{nout} outputs, 1 by
## default.  Outputs that are symarrays are computed; they need not be gathered.  After two calls
## that do not count, which compile kernels and fill caches, it is called as often as gives a
## measurement that can be relied on, and the median is returned.
##
## @example
## @group
## x = gpuArray (rand (500));
## t = gputimeit (@@() x * x);
## @end group
## @end example
## @seealso{gpuArray, tic, toc}
## @end deftypefn

function t = gputimeit (f, nout = 1)

  if (nargin < 1)
    print_usage ();
  endif
  if (! is_function_handle (f))
    error ("gputimeit: F must be a function handle");
  endif
  if (! (isscalar (nout) && isnumeric (nout) && nout >= 0 && nout == fix (nout)))
    error ("gputimeit: NOUT must be a number of outputs");
  endif

  least = 5;
  most = 200;
  seconds = 0.5;
  once (f, nout);
  once (f, nout);
  times = [];
  while (numel (times) < least || (sum (times) < seconds && numel (times) < most))
    times(end+1) = once (f, nout);
  endwhile
  t = median (times);

endfunction

function t = once (f, nout)

  out = cell (1, nout);
  __symgpu_device__ ("wait");
  start = tic ();
  if (nout > 0)
    [out{:}] = f ();
    lazy = out(cellfun (@issymarray, out));
    if (! isempty (lazy))
      __symgpu_device__ ("compute", lazy{:});
    endif
  else
    f ();
  endif
  __symgpu_device__ ("wait");
  t = toc (start);

endfunction

%!test
%! x = symarray (rand (20));
%! t = gputimeit (@() x * x);
%! assert (isscalar (t) && t > 0 && t < 10);
%!test # outputs are computed
%! x = symarray (rand (20));
%! n = symgpu_info ("counters").evaluations;
%! gputimeit (@() x + 1);
%! assert (symgpu_info ("counters").evaluations >= n + 7);
%!test
%! assert (gputimeit (@() deal (1, 2), 2) >= 0);
%! assert (gputimeit (@() isempty (1), 0) >= 0);
%!error <Invalid call> gputimeit ()
%!error <F must be a function handle> gputimeit (1)
%!error <NOUT must be> gputimeit (@() 1, -1)
