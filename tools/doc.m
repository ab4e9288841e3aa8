## doc.m INDEX OUT: the chapter of functions of the manual, from their help.

1;

## Help has macros of Octave, and commands that older TeX does not know; that of m-files begins each line
## with a blank, which TeX minds.
function text = plain (text)
  text = regexprep (text, '^ ', "", "lineanchors");
  text = strrep (text, "-*- texinfo -*-", "");
  text = strrep (text, "@qcode{", "@code{");
  text = regexprep (text, '@seealso\{([^}]*)\}', "\n@noindent\nSee also: $1.\n");
endfunction

args = argv ();
text = fileread (args{end-1});
names = strtrim (regexp (text, '^ .*$', "match", "lineanchors", "dotexceptnewline"));
fid = fopen (args{end}, "w");
for k = 1:numel (names)
  help = get_help_text (names{k});
  fprintf (fid, "@section %s\n%s\n", names{k}, plain (help));
endfor
fclose (fid);
