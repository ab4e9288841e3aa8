## What the files of the package say about each other.

%!shared top, index
%! top = fileparts (fileparts (which ("symgpu_demo")));
%! index = fileread (fullfile (top, "INDEX"));
%! index = strtrim (regexp (index, '^ .*$', "match", "lineanchors", "dotexceptnewline"));

%!test
%! ## every entry of INDEX is a function
%! for f = index
%!   assert (any (exist (f{1}) == [2, 3, 5, 103]), "%s is in INDEX but no function", f{1});
%! endfor

%!test
%! ## every function of inst/ is in INDEX
%! files = dir (fullfile (top, "inst", "*.m"));
%! names = regexprep ({files.name}, '\.m$', "");
%! assert (setdiff (names(! strncmp (names, "__", 2)), index), cell (1, 0));

%!test
%! ## every file of inst/ has help with an example, and tests
%! files = dir (fullfile (top, "inst", "*.m"));
%! for f = {files.name}
%!   text = fileread (fullfile (top, "inst", f{1}));
%!   assert (! isempty (strfind (text, "-*- texinfo -*-")), "%s has no help", f{1});
%!   assert (! isempty (strfind (text, "@example")), "%s has no example", f{1});
%!   assert (! isempty (regexp (text, '^%!(test|assert)', "lineanchors")), "%s has no test", f{1});
%! endfor

%!test
%! ## every function has help that makeinfo can read
%! for f = index
%!   [text, format] = get_help_text (f{1});
%!   assert (strcmp (format, "texinfo"), "%s has no texinfo help", f{1});
%! endfor

%!test
%! ## one version
%! text = fileread (fullfile (top, "DESCRIPTION"));
%! version = regexp (text, '^Version: (\S+)$', "tokens", "once", "lineanchors"){1};
%! assert (isempty (strfind (text, "\n\n")));
%! text = fileread (fullfile (top, "Makefile"));
%! assert (regexp (text, '^VERSION = (\S+)$', "tokens", "once", "lineanchors"){1}, version);
%! text = fileread (fullfile (top, "NEWS"));
%! assert (regexp (text, 'symgpu (\S+)$', "tokens", "once", "lineanchors"){1}, version);

%!test
%! ## SLEEF, which the set-up brings, was found; SLEEF=no says not to look for it
%! if (strncmp (computer (), "x86_64", 6) && ! strcmp (getenv ("SLEEF"), "no"))
%!   assert (strncmp (symgpu_info ().vector_math, "SLEEF", 5));
%! endif
