## The picture writer of symgpu_demo that needs no library.

%!test
%! old = pwd ();
%! file = [tempname() ".png"];
%! unwind_protect
%!   cd (fullfile (fileparts (which ("symgpu_demo")), "private"));
%!   ## more than one stored block
%!   img = uint8 (mod ((1:300)' * (1:333), 256));
%!   write_png (img, file);
%!   assert (imread (file), img);
%!   write_png (uint8 (7), file);
%!   assert (imread (file), uint8 (7));
%! unwind_protect_cleanup
%!   cd (old);
%!   unlink (file);
%! end_unwind_protect
