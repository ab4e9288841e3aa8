## Write a forwarder for every virtual function of octave_base_value that symarray.h does not
## override itself: it does what the plain value does.
##
##   octave-cli --norc -q genforward.m OV-BASE.H OUTPUT
##
## The list of virtuals is that of the header of the Octave at hand, whatever its version.

1;

## Functions that have to do with the object, not with its value, or whose definition in
## octave_base_value is right because it calls others that are forwarded.
function names = own_functions ()
  names = {"clone", "empty_clone", "unique_clone", "break_closure_cycles", ...
           "numeric_demotion_function", "type_id", "type_name", "class_name", ...
           "assign", "undef_subsasgn", "lock", "unlock", "islocked", ...
           "try_narrowing_conversion", "maybe_economize", "erase_subfunctions", ...
           "call_object_destructor", "load_ascii", "load_binary", "load_hdf5", ...
           "isnull", "is_magic_int", "is_storable", "size", "xnumel", "ndims", "nzmax", ...
           "convert_to_row_or_column_vector", ...
           "as_double_or_copy", "simple_subsref", "simple_subsasgn", "storable_value", ...
           "make_storable_value", "maybe_call_dtor", "get_cached_fcn", ...
           "has_function_cache", "is_maybe_function"};
endfunction

## Predicates that octave_base_value answers with false are false for an array, too, and must
## not compute anything; but not these.
function names = real_predicates ()
  names = {"is_true"};
endfunction

## Functions whose results are arrays: symarrays again.
function names = array_functions ()
  names = {"diag", "sort"};
endfunction

## The text between the first brace after PATTERN and its partner.
function body = block_after (text, pattern)
  at = regexp (text, pattern, "end", "once");
  if (isempty (at))
    error ("genforward: class octave_base_value not found");
  endif
  first = at + index (text(at:end), "{") - 1;
  depth = cumsum ((text == "{") - (text == "}"));
  last = first + find (depth(first:end) < depth(first), 1) - 1;
  body = text(first + 1:last - 1);
endfunction

## Comments, conditional blocks that are off, preprocessor lines.
function text = strip (text)
  text = regexprep (text, "/\\*.*?\\*/", "");
  text = regexprep (text, "//[^\n]*", "");
  text = regexprep (text, "\n[ \t]*#[ \t]*if[ \t]+0[ \t]*\n.*?\n[ \t]*#[ \t]*endif[^\n]*", "\n");
  text = regexprep (text, "\n[ \t]*#(\\\\\n|[^\n])*", "\n");
  text = regexprep (text, "OCTAVE_DEPRECATED[ \t]*\\([^)]*\\)", "");
  text = regexprep (text, "\\b(OCTINTERP_API|OCTAVE_NORETURN|OCTAVE_API)\\b", "");
endfunction

## Split a list of parameters at the commas outside <> and ().
function parts = split_parameters (text)
  parts = {};
  if (isempty (strtrim (text)) || strcmp (strtrim (text), "void"))
    return;
  endif
  depth = cumsum (ismember (text, "<(") - ismember (text, ">)"));
  cut = [0, find(text == "," & depth == 0), numel(text) + 1];
  for i = 2:numel (cut)
    parts{end+1} = strtrim (regexprep (text(cut(i-1) + 1:cut(i) - 1), "\\s+", " "));
  endfor
endfunction

## The type of a parameter: without name and default value.
function type = parameter_type (p)
  type = strtrim (regexprep (p, "=.*$", ""));
  words = {"int", "bool", "char", "long", "short", "unsigned", "double", "float"};
  tok = regexp (type, "^(.*[ \\t&*>])(\\w+)$", "tokens", "once");
  if (! isempty (tok) && ! any (strcmp (tok{2}, words))
      && ! any (strcmp (strtrim (tok{1}), {"const", "unsigned"})))
    type = strtrim (tok{1});
  endif
endfunction

function write_forwarder (fid, ret, name, args, isconst)
  params = cell (1, 0);
  values = cell (1, 0);
  parts = split_parameters (args);
  for i = 1:numel (parts)
    params{i} = sprintf ("%s a%d", parameter_type (parts{i}), i);
    values{i} = sprintf ("a%d", i);
  endfor
  call = sprintf ("plain ().%s (%s)", name, strjoin (values, ", "));
  if (strcmp (ret, "octave_value") && any (strcmp (name, array_functions ())))
    call = sprintf ("symgpu::wrap (%s)", call);
  endif
  if (! strcmp (ret, "void"))
    call = ["return " call];
  endif
  fprintf (fid, "  %s %s (%s)%s override\n  { %s; }\n", ret, name, strjoin (params, ", "), ...
           ifelse_text (isconst, " const", ""), call);
endfunction

function t = ifelse_text (c, a, b)
  t = b;
  if (c)
    t = a;
  endif
endfunction

function main (header, output)
  body = block_after (strip (fileread (header)), "\\boctave_base_value\\s*(?=\\{)");
  ours = regexprep (fileread ("symarray.h"), "//[^\n]*", "");
  ours = regexp (ours, "(\\w+)\\s*\\((?:[^()]|\\([^()]*\\))*\\)\\s*(?:const)?\\s*override", "tokens");
  skip = [cellfun(@(t) t{1}, ours, "uniformoutput", false), own_functions()];

  pattern = ["\\bvirtual\\s+((?:[\\w:<>,]|\\s|\\*|&)+?)\\s*\\b(\\w+)\\s*", ...
             "\\(((?:[^()]|\\([^()]*\\))*)\\)\\s*(const)?\\s*(?:noexcept)?\\s*(?=([;{=]\\s*(?:return false;)?))"];
  [tok, from] = regexp (body, pattern, "tokens", "start");
  destructors = numel (regexp (body, "\\bvirtual\\s+~"));
  written = numel (regexp (body, "\\bvirtual\\b"));
  if (written != numel (tok) + destructors)
    all = regexp (body, "\\bvirtual\\s+(?!~)", "start");
    bad = setdiff (all, from);
    error ("genforward: %d of %d virtual functions in %s are not understood, the first is: %s",
           written - destructors - numel (tok), written, header, strtok (body(bad(1):end), ";{"));
  endif

  fid = fopen (output, "w");
  if (fid < 0)
    error ("genforward: cannot write %s", output);
  endif
  fprintf (fid, "// Made by genforward.m.\n");
  n = 0;
  for i = 1:numel (tok)
    t = tok{i};
    ret = strtrim (regexprep (t{1}, "\\s+", " "));
    isconst = any (strcmp (t(4:end), "const"));
    isfalse = strncmp (t{2}, "is", 2) && any (regexp (t{end}, "return false"));
    if (! any (strcmp (t{2}, skip))
        && (! isfalse || any (strcmp (t{2}, real_predicates ()))))
      write_forwarder (fid, ret, t{2}, t{3}, isconst);
      n++;
    endif
  endfor
  fclose (fid);
  ## Fewer than this means that the header has changed beyond what this program knows.
  if (n < 100)
    error ("genforward: only %d virtual functions found in %s", n, header);
  endif
endfunction

args = argv ();
main (args{end-1}, args{end});
