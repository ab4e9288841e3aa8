// Numbers for people.

#include <cstdio>

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
}
