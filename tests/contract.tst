## The contract of the manual: how far results are from Octave's and from the exact values, over
## the whole domain of each function, at no more than the last places that doc/contract.texi
## promises.

%!shared top, said
%! top = fileparts (fileparts (which ("symgpu_demo")));
%! text = fileread (fullfile (top, "doc", "contract.texi"));
%! parts = strsplit (text, "@subheading Class ")(2:end);
%! form = '^@item @code\{(\w+)\} @tab (\S+) @tab (\S+) @tab \S+ @tab \S+ @tab (\S+) @tab (\S+)$';
%! said = cellfun (@(t) regexp (t, form, "tokens", "lineanchors"), parts, "UniformOutput", false);

%!test # the page promises what the tables do
%! table = __symgpu_rows__ ();
%! for k = 1:2
%!   assert (numel (said{k}) > 20);
%!   for f = said{k}
%!     row = table(strcmp ({table.name}, f{1}{1}))(1);
%!     want = [row.ulp(1,k), row.exact(1,k), row.ulp(2,k), row.exact(2,k)];
%!     assert (cellfun (@str2double, f{1}(2:5)), want);
%!   endfor
%! endfor

%!test # and it is kept, on every backend that can be used here
%! backends = [{"cpu"}, setdiff(symgpu_info ().available, {"cpu", "native"})];
%! table = __symgpu_rows__ ();
%! s = exact_errors (fullfile (top, "tests", "exact.txt"), backends);
%! ## An emulated GPU, and a CPU without SLEEF, have the functions of libm, which are Octave's.
%! own = [strncmp(symgpu_info ().vector_math, "SLEEF", 5), false(1, numel (backends) - 1)];
%! if (any (strcmp (backends, "cuda")))
%!   own(strcmp (backends, "cuda")) = ! strncmp (gpuDevice ().Name, "emulated", 8);
%! endif
%! assert ({s.name}, cellfun (@(c) c{1}, [said{:}], "UniformOutput", false));
%! for r = s
%!   row = table(strcmp ({table.name}, r.name))(1);
%!   column = 1 + strcmp (r.class, "single");
%!   for b = 1:numel (backends)
%!     line_ = 1 + strcmp (backends{b}, "cuda");
%!     where = sprintf ("%s of %s on %s", r.name, r.class, backends{b});
%!     assert (r.octave(b) <= row.ulp(line_,column), "%s: %g ulp from Octave's", where, r.octave(b));
%!     assert (! own(b) || r.exact(b) <= row.exact(line_,column), ...
%!             "%s (%s): %g ulp from the exact value", where, mat2str (r.argument, 17), r.exact(b));
%!   endfor
%! endfor
