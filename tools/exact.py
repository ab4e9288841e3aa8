#!/usr/bin/env python3
"""exact.py > tests/exact.txt: values of functions over their whole domain, correctly rounded,
made with mpmath (pip install mpmath; needed only here).

A line is: function, argument, second argument or -, value, rest.  Numbers are the bits of doubles
in hexadecimal; the rest is what the exact value has beyond the rounded one, in its last place."""

import math
import random
import struct

import mpmath
from mpmath import mp

mp.prec = 1400          # arguments go up to 2^1024, for sin and the like
POINTS = 60


def bits (x):
    return struct.pack (">d", x).hex ()


def ulp (x):
    return math.ulp (x)


def logs (lo, hi, sign=False):
    """Points whose logarithms are spread evenly."""
    r = random.Random (7)
    for _ in range (POINTS):
        x = math.ldexp (1 + r.random (), r.randint (lo, hi - 1))
        yield -x if sign and r.random () < 0.5 else x


def line (lo, hi):
    r = random.Random (11)
    for _ in range (POINTS):
        yield r.uniform (lo, hi)


def near (c, n=12):
    """Neighbours of C, at growing distance."""
    for k in range (n):
        d = math.ldexp (1, 3 * k - 52)
        yield c * (1 + d) if c else d
        yield c * (1 - d) if c else -d


TINY = [5e-324, 1e-310, 2.2250738585072014e-308, 1e-300]
PI = [math.pi * k / 2 for k in (1, 2, 3, 4, 11, 1000, 1048576)]
# Where range reduction is hardest, and where results are close to the middle of two doubles.
HARD_TRIG = [6381956970095103 * 2.0 ** 797, 1e22, 2.0 ** 1023, 1.7976931348623157e308]
HARD_EXP = [7.5417527749959590085206221024712557043923055744016892276704e-10, -0.5 ** 53 * 3,
            709.782712893384, 709.7, -745.13, -708.4, -708.3964185322641]
HARD_LOG = [1.0000000000000002, 0.9999999999999999, 1.9999999999999998, 0.7071067811865476, 1.5]

REAL = {
    "sqrt": (mpmath.sqrt, [logs (-1070, 1023)], TINY),
    "cbrt": (mpmath.cbrt, [logs (-1070, 1023)], TINY),
    "exp": (mpmath.exp, [line (-745, 709), logs (-60, 9, True)], HARD_EXP),
    "expm1": (mpmath.expm1, [line (-60, 709), logs (-300, 6, True)], TINY),
    "log": (mpmath.log, [logs (-1070, 1023), near (1)], TINY + HARD_LOG),
    "log2": (lambda x: mpmath.log (x) / mpmath.log (2), [logs (-1070, 1023), near (1)], HARD_LOG),
    "log10": (mpmath.log10, [logs (-1070, 1023), near (1)], TINY + HARD_LOG),
    "log1p": (mpmath.log1p, [logs (-300, 1023), line (-0.999999, 0)], TINY),
    "sin": (mpmath.sin, [line (-100, 100), logs (-30, 1023, True)], TINY + PI + HARD_TRIG),
    "cos": (mpmath.cos, [line (-100, 100), logs (-30, 1023, True)], TINY + PI + HARD_TRIG),
    "tan": (mpmath.tan, [line (-100, 100), logs (-30, 1023, True)], TINY + PI + HARD_TRIG),
    "asin": (mpmath.asin, [line (-1, 1), logs (-300, 0, True)], TINY + [1.0, -1.0]),
    "acos": (mpmath.acos, [line (-1, 1), logs (-60, 0, True)], [-1.0, 0.9999999999999999]),
    "atan": (mpmath.atan, [line (-3, 3), logs (-300, 1023, True)], TINY),
    "sinh": (mpmath.sinh, [line (-709, 709), logs (-300, 9, True)], TINY),
    "cosh": (mpmath.cosh, [line (-709, 709), logs (-60, 9, True)], TINY),
    "tanh": (mpmath.tanh, [line (-20, 20), logs (-300, 9, True)], TINY),
    "asinh": (mpmath.asinh, [line (-9, 9), logs (-300, 1023, True)], TINY),
    "acosh": (mpmath.acosh, [logs (0, 1023)], [1.0000000000000002, 1.5]),
    "atanh": (mpmath.atanh, [line (-1, 1), logs (-300, 0, True)], TINY + [0.9999999999999999]),
    "erf": (mpmath.erf, [line (-6, 6), logs (-300, 2, True)], TINY),
    "erfc": (mpmath.erfc, [line (-6, 26), logs (-60, 4, True)], TINY),
}

TWO = {
    "power": (mpmath.power, lambda r: (math.ldexp (1 + r.random (), r.randint (-8, 8)),
                                       r.uniform (-100, 100))),
    "atan2": (mpmath.atan2, lambda r: (math.ldexp (r.uniform (-1, 1), r.randint (-300, 300)),
                                       math.ldexp (r.uniform (-1, 1), r.randint (-300, 300)))),
    "hypot": (mpmath.hypot, lambda r: (math.ldexp (r.random (), r.randint (-500, 500)),
                                       math.ldexp (r.random (), r.randint (-500, 500)))),
}


def emit (name, x, y, exact):
    if not mpmath.isfinite (exact) or abs (exact) > 1.797e308:
        return
    v = float (exact)
    rest = 0.0 if abs (v) < 2.3e-308 else float ((exact - mpmath.mpf (v)) / mpmath.mpf (ulp (v)))
    print (name, bits (x), "-" if y is None else bits (y), bits (v), f"{rest:.4f}")


def main ():
    for name, (f, sets, more) in REAL.items ():
        for x in [x for s in sets for x in s] + more:
            emit (name, x, None, f (mpmath.mpf (x)))
    for name, (f, draw) in TWO.items ():
        r = random.Random (3)
        for _ in range (2 * POINTS):
            x, y = draw (r)
            emit (name, x, y, f (mpmath.mpf (x), mpmath.mpf (y)))


main ()
