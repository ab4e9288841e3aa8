// Numbers for people, and what variables keep alive.

#include <algorithm>
#include <cstdio>
#include <unordered_set>

#include "show.h"

namespace symgpu
{
  static std::string
  scaled (double x, double base, const char *const *unit, int n)
  {
    int k = 0;
    while (x >= base && k < n - 1)
      {
        x /= base;
        k++;
      }
    char buf[40];
    std::snprintf (buf, sizeof buf, x < 10 && x != static_cast<int> (x) ? "%.1f %s" : "%.0f %s",
                   x, unit[k]);
    return buf;
  }

  std::string
  bytes_text (double bytes)
  {
    static const char *const unit[] = { "bytes", "kB", "MB", "GB", "TB" };
    return scaled (bytes, 1000, unit, 5);
  }

  std::string
  seconds_text (double s)
  {
    static const char *const unit[] = { "us", "ms", "s" };
    return scaled (1e6 * s, 1000, unit, 3);
  }

  static double
  bytes_below (const sg_node *root)
  {
    double bytes = 0;
    std::unordered_set<const sg_node *> seen { root };
    std::vector<const sg_node *> todo { root };
    while (! todo.empty ())
      {
        const sg_node *n = todo.back ();
        todo.pop_back ();
        if (n->val && n != root)
          bytes += n->val->bytes;
        for (int i = 0; i < n->nin; i++)
          if (seen.insert (n->in[i]).second)
            todo.push_back (n->in[i]);
      }
    return bytes;
  }

  std::vector<kept_value>
  kept_values (const node_names& names)
  {
    std::vector<kept_value> kept;
    for (const auto& v : names)
      kept.push_back ({ v.second, v.first->val ? static_cast<double> (v.first->val->bytes) : 0.0,
                        bytes_below (v.first), v.first->val != nullptr });
    std::sort (kept.begin (), kept.end (), [] (const kept_value& a, const kept_value& b)
               { return (a.value + a.inputs != b.value + b.inputs
                         ? a.value + a.inputs > b.value + b.inputs : a.name < b.name); });
    return kept;
  }
}
