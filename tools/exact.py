#!/usr/bin/env python3
"""exact.py > tests/exact.txt: values of functions over their whole domain, correctly rounded,
made with mpmath (pip install mpmath; needed only here).

A line is: function, argument, second argument or -, value, rest.  Numbers are the bits of doubles
or singles in hexadecimal; the rest is what the exact value has beyond the rounded one, in its last
place."""

import math
import random
import struct

import mpmath
from mpmath import mp

mp.prec = 1400          # arguments go up to 2^1024, for sin and the like
POINTS = 60


class Format:
    """A class of numbers: its letter in struct, bits of the fraction, the exponents of its ends."""

    def __init__ (self, letter, fraction, least, most):
        self.letter, self.fraction, self.least, self.most = letter, fraction, least, most
        self.largest = math.ldexp (2 - math.ldexp (1, -fraction), most)
        self.normal = math.ldexp (1, least + fraction)

    def bits (self, x):
        return struct.pack (">" + self.letter, x).hex ()

    def nearest (self, x):
        """X is exact; rounded once, to a number of the format, which must not be infinite."""
        if x == 0:
            return 0.0
        _, e = mpmath.frexp (x)
        step = max (int (e) - 1, self.least + self.fraction) - self.fraction
        return math.ldexp (int (mpmath.nint (mpmath.ldexp (x, -step))), step)

    def ulp (self, x):
        return math.ldexp (1, max (math.frexp (x)[1] - 1, self.least + self.fraction) - self.fraction)


DOUBLE = Format ("d", 52, -1074, 1023)
SINGLE = Format ("f", 23, -149, 127)


def logs (lo, hi, sign=False):
    """Points whose logarithms are spread evenly."""
    def points (f):
        r = random.Random (7)
        for _ in range (POINTS):
            x = math.ldexp (1 + r.random (), r.randint (max (lo, f.least), min (hi - 1, f.most)))
            yield -x if sign and r.random () < 0.5 else x
    return points


def line (lo, hi):
    def points (f):
        r = random.Random (11)
        for _ in range (POINTS):
            yield r.uniform (lo, hi)
    return points


def near (c, n=12):
    """Neighbours of C, at growing distance."""
    def points (f):
        for k in range (n):
            d = math.ldexp (1, 3 * k - f.fraction)
            yield c * (1 + d) if c else d
            yield c * (1 - d) if c else -d
    return points


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
    "exp": (mpmath.exp, [line (-745, 709), line (-103, 88), logs (-60, 9, True)], HARD_EXP),
    "expm1": (mpmath.expm1, [line (-60, 709), line (-20, 88), logs (-300, 6, True)], TINY),
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
    "sinh": (mpmath.sinh, [line (-709, 709), line (-88, 88), logs (-300, 9, True)], TINY),
    "cosh": (mpmath.cosh, [line (-709, 709), line (-88, 88), logs (-60, 9, True)], TINY),
    "tanh": (mpmath.tanh, [line (-20, 20), logs (-300, 9, True)], TINY),
    "asinh": (mpmath.asinh, [line (-9, 9), logs (-300, 1023, True)], TINY),
    "acosh": (mpmath.acosh, [logs (0, 1023)], [1.0000000000000002, 1.5]),
    "atanh": (mpmath.atanh, [line (-1, 1), logs (-300, 0, True)], TINY + [0.9999999999999999]),
    "erf": (mpmath.erf, [line (-6, 6), logs (-300, 2, True)], TINY),
    "erfc": (mpmath.erfc, [line (-6, 26), line (-4, 10), logs (-60, 4, True)], TINY),
}

def scaled (r, f, most, lo):
    """A number between LO and 1, times a power of 2 of at most MOST, or half of the format's range."""
    most = min (most, f.most // 2)
    return math.ldexp (r.uniform (lo, 1), r.randint (-most, most))


TWO = {
    "power": (mpmath.power, lambda r, f: (math.ldexp (1 + r.random (), r.randint (-8, 8)),
                                          r.uniform (-100, 100))),
    "atan2": (mpmath.atan2, lambda r, f: (scaled (r, f, 300, -1), scaled (r, f, 300, -1))),
    "hypot": (mpmath.hypot, lambda r, f: (scaled (r, f, 500, 0), scaled (r, f, 500, 0))),
}


def emit (f, name, args, function):
    """With the arguments rounded to the format, unless that takes them or the value to its ends."""
    if any (abs (x) > f.largest for x in args):
        return
    args = [f.nearest (mpmath.mpf (x)) for x in args]
    if name != "atan2" and 0 in args:
        return
    exact = function (*[mpmath.mpf (x) for x in args])
    if not isinstance (exact, mpmath.mpf) or not mpmath.isfinite (exact) or abs (exact) > f.largest:
        return
    v = f.nearest (exact)
    rest = 0.0 if abs (v) < f.normal else float ((exact - mpmath.mpf (v)) / mpmath.mpf (f.ulp (v)))
    text = [f.bits (x) for x in args] + ["-"]
    print (name, text[0], text[1], f.bits (v), f"{rest:.4f}")


def main ():
    for f in DOUBLE, SINGLE:
        for name, (function, sets, more) in REAL.items ():
            for x in [x for s in sets for x in s (f)] + more:
                emit (f, name, [x], function)
        for name, (function, draw) in TWO.items ():
            r = random.Random (3)
            for _ in range (2 * POINTS):
                emit (f, name, draw (r, f), function)


main ()
