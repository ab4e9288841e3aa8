## fuzz_gather (X): X with all in it gathered.
function x = fuzz_gather (x)
  nested = cellfun ("isclass", x, "cell");
  record = cellfun ("isclass", x, "struct");
  if (! any (nested(:)) && ! any (record(:)))
    x = cellfun (@gather, x, "uniformoutput", false);
    return;
  endif
  for i = 1:numel (x)
    if (nested(i))
      x{i} = fuzz_gather (x{i});
    elseif (record(i))
      x{i} = cell2struct (fuzz_gather (struct2cell (x{i})), fieldnames (x{i}));
    else
      x{i} = gather (x{i});
    endif
  endfor
endfunction
