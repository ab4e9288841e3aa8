## fuzz_slots (): the slots of templates that are operands, numbered as fuzz_describe wants it.
function s = fuzz_slots ()
  s = cell2struct (num2cell (1:18), num2cell ("aAubemcCvsfrijlnqG"), 2);
endfunction
