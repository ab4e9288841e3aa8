## fuzz_gather (X): X with all in it gathered.
function x = fuzz_gather (x)
  for i = 1:numel (x)
    y = x{i};
    if (iscell (y))
      y = fuzz_gather (y);
    elseif (isstruct (y))
      y = cell2struct (fuzz_gather (struct2cell (y)), fieldnames (y));
    else
      y = gather (y);
    endif
    x{i} = y;
  endfor
endfunction
