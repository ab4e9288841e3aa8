// Settings: the rows of config.def and the backend.

#include "compat.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "config.h"
#include "symarray.h"

namespace symgpu
{
  static std::string
  list_of (const std::vector<std::string>& names)
  {
    std::string text;
    for (const std::string& n : names)
      text += (text.empty () ? "\"" : ", \"") + n + "\"";
    return text;
  }

  sg_backend
  find_backend (const std::string& name)
  {
    int b = sg_backend_find (name.c_str ());
    if (b < 0)
      {
        std::vector<std::string> names;
        for (int k = 0; k < SG_NBACKEND; k++)
          names.push_back (sg_backend_name (static_cast<sg_backend> (k)));
        raise ("symgpu:unknown-backend",
               "symgpu: there is no backend \"" + name + "\"; valid are " + list_of (names));
      }
    if (b == SG_CUDA)
      check (sg_cuda_open ());
    return static_cast<sg_backend> (b);
  }

  std::vector<std::string>
  config_keys ()
  {
    std::vector<std::string> keys { "backend" };
    for (int k = 0; k < sg_config_count (); k++)
      keys.push_back (sg_config_name (k));
    return keys;
  }

  // Position of a row; -1 for "backend".
  static int
  find_key (const std::string& key)
  {
    if (key == "backend")
      return -1;
    for (int k = 0; k < sg_config_count (); k++)
      if (key == sg_config_name (k))
        return k;
    raise ("symgpu:unknown-key",
           "symgpu: there is no setting \"" + key + "\"; valid are " + list_of (config_keys ()));
  }

  octave_value
  config_value (const std::string& key)
  {
    int k = find_key (key);
    if (k < 0)
      return octave_value (sg_backend_name (current_backend));
    if (sg_config_is_string (k) || sg_config_words (k))
      return octave_value (sg_config_get_string (k));
    return octave_value (static_cast<double> (sg_config_get (k)));
  }

  void
  set_config (const std::string& key, const octave_value& value)
  {
    int k = find_key (key);
    if (k < 0)
      {
        if (! value.is_string ())
          raise ("symgpu:bad-argument", "symgpu: the value of \"backend\" must be a string");
        current_backend = find_backend (value.string_value ());
        return;
      }
    if (sg_config_is_string (k) || (sg_config_words (k) && value.is_string ()))
      {
        if (! value.is_string () || value.rows () > 1)
          raise ("symgpu:bad-argument", "symgpu: the value of \"" + key + "\" must be a string");
        check (sg_config_set_string (k, value.string_value ().c_str ()));
        return;
      }
    if (value.is_string () || value.numel () != 1
        || ! (value.isnumeric () || value.islogical ()) || value.iscomplex ())
      raise ("symgpu:bad-argument", "symgpu: the value of \"" + key + "\" must be a number");
    double d = value.double_value ();
    if (d != std::floor (d) || std::fabs (d) > 9e18)
      raise ("symgpu:bad-argument", "symgpu: the value of \"" + key + "\" must be an integer");
    check (sg_config_set (k, static_cast<int64_t> (d)));
  }

  // The backend comes last: what it needs to start is among the other settings.
  void
  set_flags (const std::string& flags)
  {
    std::string backend;
    std::size_t at = 0;
    while (at < flags.length ())
      {
        std::size_t end = std::min (flags.find (',', at), flags.length ());
        std::string item = flags.substr (at, end - at);
        at = end + 1;
        if (item.empty ())
          continue;
        std::size_t eq = item.find ('=');
        if (eq == std::string::npos)
          raise ("symgpu:unknown-key",
                 "symgpu: \"" + item + "\" in SYMGPU_FLAGS is not of the form key=value");
        std::string key = item.substr (0, eq), text = item.substr (eq + 1);
        int k = find_key (key);
        if (k < 0)
          {
            backend = text;
            continue;
          }
        if (sg_config_is_string (k) || sg_config_words (k))
          {
            set_config (key, octave_value (text));
            continue;
          }
        char *rest;
        errno = 0;
        double d = std::strtod (text.c_str (), &rest);
        if (text.empty () || *rest || errno)
          raise ("symgpu:bad-argument",
                 "symgpu: the value of \"" + key + "\" in SYMGPU_FLAGS must be a number");
        set_config (key, octave_value (d));
      }
    if (! backend.empty ())
      set_config ("backend", octave_value (backend));
  }
}
