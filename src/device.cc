// What functions written in Octave need to know of the GPU.

#include "compat.h"

#include <string>
#include <vector>

#include <octave/defun-dld.h>
#include <octave/oct-map.h>

#include "main.h"
#include "symarray.h"

// PKG_ADD: autoload ("__symgpu_device__", "symgpu.oct");
// PKG_DEL: autoload ("__symgpu_device__", which ("__symgpu_device__"), "remove");

namespace symgpu
{
  static std::string
  version_text (int v)
  {
    return std::to_string (v / 1000) + "." + std::to_string (v % 1000 / 10);
  }

  // The words are those of MATLAB.
  static octave_scalar_map
  device_map (int k)
  {
    sg_device_info d;
    check (sg_cuda_device_info (k, &d));
    octave_scalar_map map;
    map.assign ("Name", d.name);
    map.assign ("Index", d.index + 1.0);
    map.assign ("ComputeCapability", std::to_string (d.major) + "." + std::to_string (d.minor));
    map.assign ("SupportsDouble", true);
    map.assign ("DriverVersion", version_text (d.driver));
    map.assign ("ToolkitVersion", version_text (d.toolkit));
    map.assign ("MaxThreadsPerBlock", static_cast<double> (d.threads));
    map.assign ("MaxShmemPerBlock", static_cast<double> (d.shared));
    map.assign ("SIMDWidth", static_cast<double> (d.warp));
    map.assign ("TotalMemory", static_cast<double> (d.total));
    map.assign ("AvailableMemory", static_cast<double> (d.available));
    map.assign ("MultiprocessorCount", static_cast<double> (d.processors));
    map.assign ("ClockRateKHz", static_cast<double> (d.clock_khz));
    map.assign ("DeviceSelected", sg_cuda_is_open () && k == sg_cfg.device);
    return map;
  }

  static void
  compute_all (const octave_value_list& args)
  {
    std::vector<sg_node *> roots;
    for (octave_idx_type i = 0; i < args.length (); i++)
      {
        const octave_symarray *s = as_symarray (args(i));
        if (s && ! s->is_computed ())
          roots.push_back (s->node ());
      }
    if (! roots.empty ())
      check (sg_compute (current_backend, roots.size (), roots.data ()));
  }
}

DEFMETHOD_DLD (__symgpu_device__, interp, args, ,
                R"texi(-*- texinfo -*-
@deftypefn {} {@var{x} =} __symgpu_device__ (@var{what}, @dots{})
Internal: @qcode{"count"} devices; @qcode{"open"} the one that is set, true if that works;
@qcode{"info"} of device @var{k}, from 0; @qcode{"wait"} until it is idle; @qcode{"close"} it;
@qcode{"compute"} symarrays and leave their values where they are.
@end deftypefn)texi")
{
  symgpu::set_up (interp);

  int nargin = args.length ();
  if (nargin < 1)
    print_usage ();
  std::string what = args(0).xstring_value ("__symgpu_device__: WHAT must be a string");
  if (what == "compute")
    {
      symgpu::compute_all (args.slice (1, nargin - 1));
      return octave_value_list ();
    }
  if (what == "count")
    return ovl (static_cast<double> (sg_cuda_device_count ()));
  if (what == "open")
    {
      sg_status s = sg_cuda_open ();
      if (s != SG_NO_CUDA)
        symgpu::check (s);
      return ovl (s == SG_OK, sg_message ());
    }
  if (what == "info" && nargin == 2)
    return ovl (symgpu::device_map (args(1).xint_value ("__symgpu_device__: K must be a number")));
  if (what == "wait")
    symgpu::check (sg_cuda_wait ());
  else if (what == "close")
    symgpu::check (sg_cuda_close ());
  else
    print_usage ();
  return octave_value_list ();
}

/*
%!assert (__symgpu_device__ ("count") >= 0)
%!assert (islogical (__symgpu_device__ ("open")))
%!test
%! x = symarray (rand (2)) + 1;
%! __symgpu_device__ ("compute", x, 3);
%! n = symgpu_info ("counters").evaluations;
%! assert (all (gather (x)(:) > 1));
%! assert (symgpu_info ("counters").evaluations, n);
%!error <Invalid call> __symgpu_device__ ()
%!error <Invalid call> __symgpu_device__ ("nothing")
%!error <WHAT must be a string> __symgpu_device__ (1)
*/
