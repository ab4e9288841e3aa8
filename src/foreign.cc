// What the folders on the load path bring: compiled functions and classes.
//
// A compiled function asks a value for its type or its class, and then takes its elements in ways
// that virtuals do not show.  So it gets a method that gives it plain arrays, as the built-in
// functions do.  An object goes before a symarray when a method is looked for, as it goes before
// a matrix; but of two classes without relations Octave takes the one further left, so that every
// class must be made a superior one.

#include "compat.h"

#include <octave/dir-ops.h>
#include <octave/load-path.h>
#include <octave/oct-map.h>
#include <octave/symtab.h>

#include "foreign.h"
#include "methods.h"

namespace symgpu
{
  static const char *const s_own_file = "symgpu.oct";

  static bool
  has_ending (const std::string& s, const std::string& ending)
  {
    return s.length () > ending.length ()
           && s.compare (s.length () - ending.length (), ending.length (), ending) == 0;
  }

  static bool
  is_compiled (const std::string& file)
  {
    return (has_ending (file, ".oct") || has_ending (file, ".mex"))
           && ! has_ending (file, s_own_file);
  }

  // Functions that share a file with one of another name.
  static void
  take_autoloads (octave::interpreter& interp)
  {
    octave_map m = interp.feval ("autoload", octave_value_list (), 1)(0).map_value ();
    Cell names = m.contents ("function"), files = m.contents ("file");
    for (octave_idx_type i = 0; i < names.numel (); i++)
      if (is_compiled (files(i).string_value ()))
        install_delegate (interp, names(i).string_value ());
  }

  static void
  look_into (octave::interpreter& interp, const std::string& dir)
  {
    octave::sys::dir_entry entry (dir);
    string_vector names = entry ? entry.read () : string_vector ();
    bool any = false;
    for (octave_idx_type i = 0; i < names.numel (); i++)
      {
        const std::string& name = names(i);
        if (name.length () > 1 && name[0] == '@')
          interp.get_symbol_table ().set_class_relationship (name.substr (1), "symarray");
        else if (is_compiled (name))
          {
            install_delegate (interp, name.substr (0, name.length () - 4));
            any = true;
          }
      }
    if (any)
      take_autoloads (interp);
  }

  void
  watch_load_path (octave::interpreter& interp)
  {
    octave::load_path& lp = interp.get_load_path ();
    // The current folder is one of them.
    for (const std::string& dir : lp.dir_list ())
      look_into (interp, dir);
    take_autoloads (interp);
    // Octave's own runs the files PKG_ADD, which autoload.
    std::function<void (const std::string&)> before = lp.get_add_hook ();
    lp.set_add_hook ([before] (const std::string& dir)
                     {
                       if (before)
                         before (dir);
                       look_into (interpreter (), dir);
                       // Nobody is told when that is another one.
                       look_into (interpreter (), ".");
                     });
  }
}
