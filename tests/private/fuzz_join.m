## fuzz_join (TEXT): the statements as one text that counts them in z_n.
function t = fuzz_join (text)
  t = sprintf ("z_n++;%s\n", text{:});
endfunction
