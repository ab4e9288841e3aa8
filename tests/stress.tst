## Ctrl-C at random moments; "make stress" has a thousand of them.

%!testif ; isunix ()
%! switch (symbackend ())
%!   case "cpu"
%!     stress (50, 1);
%!   otherwise
%!     stress (15, 1);
%! endswitch
