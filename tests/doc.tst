## The examples of the manual: each chapter is run from its beginning, what its examples print is
## compared.

%!function text = manual ()
%!  top = fileparts (fileparts (which ("symgpu_demo")));
%!  text = fileread (fullfile (top, "doc", "symgpu.texi"));
%!endfunction

%!# the examples of a chapter, as lines
%!function lines = example_lines (chapter)
%!  blocks = regexp (chapter, '\n@example\n(.*?)\n@end example', "tokens");
%!  lines = {};
%!  for b = blocks
%!    lines = [lines, strsplit(b{1}{1}, "\n")];
%!  endfor
%!  for c = {"@@", "@"; "@{", "{"; "@}", "}"}'
%!    lines = strrep (lines, c{1}, c{2});
%!  endfor
%!endfunction

%!# what an example prints, without blanks, against the pattern of the manual
%!function check_output (got, want, code)
%!  squeezed = @(s) regexprep (s, '\s+', "");
%!  pattern = strjoin (cellfun (@(w) regexptranslate ("escape", squeezed (w)), want, ...
%!                              "UniformOutput", false), "");
%!  pattern = ["^", strrep(pattern, '@dots\{\}', ".*"), "$"];
%!  assert (! isempty (regexp (squeezed (got), pattern)), "the manual says of\n%s\n%s\nnot\n%s", ...
%!          code, strjoin (want, "\n"), got);
%!endfunction

%!# VARIABLES holds those of the chapter; runs its examples one after the other
%!function run_chapter (lines__)
%!  code__ = "";
%!  k__ = 1;
%!  while (k__ <= numel (lines__))
%!    want__ = {};
%!    code__ = lines__{k__++};
%!    while (strncmp (code__, "function ", 9) && isempty (strfind (code__, "endfunction")))
%!      code__ = [code__, "\n", lines__{k__++}];
%!    endwhile
%!    while (k__ <= numel (lines__) && ! isempty (regexp (lines__{k__}, '^@(print|dots)')))
%!      want__{end+1} = strrep (lines__{k__++}, "@print{}", "");
%!    endwhile
%!    got__ = evalc (code__);
%!    if (! isempty (want__) || ! isempty (got__))
%!      check_output (got__, want__, code__);
%!    endif
%!  endwhile
%!endfunction

%!test
%! chapters = strsplit (manual (), "\n@chapter ");
%! assert (numel (chapters) > 8);
%! old = symbackend ("cpu");
%! unwind_protect
%!   for c = chapters(2:end)
%!     run_chapter (example_lines (c{1}));
%!   endfor
%! unwind_protect_cleanup
%!   symbackend (old);
%! end_unwind_protect

%!test # every function that the manual names exists
%! names = unique (regexp (manual (), '\<sym\w+', "match"));
%! names(strcmp (names, "symgpu")) = [];
%! assert (numel (names) > 12);
%! for n = names
%!   assert (any (exist (n{1}) == [2, 3, 5]), n{1});
%! endfor
