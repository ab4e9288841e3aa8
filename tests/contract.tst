## The contract of the manual: how far results are from Octave's and from the exact values, over
## the whole domain of each function, at no more than the last places that doc/contract.texi
## promises.

%!shared top, said
%! top = fileparts (fileparts (which ("symgpu_demo")));
%! text = fileread (fullfile (top, "doc", "contract.texi"));
%! said = regexp (text, '^@item @code\{(\w+)\} @tab (\S+) @tab (\S+) @tab', "tokens", "lineanchors");

%!test # the page promises what the tables do
%! table = __symgpu_rows__ ();
%! assert (numel (said) > 20);
%! for k = 1:numel (said)
%!   row = table(strcmp ({table.name}, said{k}{1}));
%!   assert (row(1).ulp, str2double (said{k}{2}), said{k}{1});
%! endfor

%!test # and it is kept, on every backend that can be used here
%! backends = [{"cpu"}, setdiff(symgpu_info ().available, {"cpu", "native"})];
%! s = exact_errors (fullfile (top, "tests", "exact.txt"), backends);
%! ## An emulated GPU, and a CPU without SLEEF, have the functions of libm, which are Octave's.
%! own = [strncmp(symgpu_info ().vector_math, "SLEEF", 5), false(1, numel (backends) - 1)];
%! if (any (strcmp (backends, "cuda")))
%!   own(strcmp (backends, "cuda")) = ! strncmp (gpuDevice ().Name, "emulated", 8);
%! endif
%! assert ({s.name}, cellfun (@(c) c{1}, said, "UniformOutput", false));
%! for k = 1:numel (s)
%!   assert (all (s(k).octave <= str2double (said{k}{2})), "%s: %g ulp from Octave's", s(k).name, ...
%!           max (s(k).octave));
%!   assert (all (s(k).exact(own) <= str2double (said{k}{3})), "%s (%s): %g ulp from the exact value", ...
%!           s(k).name, mat2str (s(k).argument, 17), max (s(k).exact));
%! endfor
