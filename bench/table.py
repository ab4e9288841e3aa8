"""The rows of bench_table.m that peers are measured in.

A row is what it takes (a function of n, arrays as bench_table.m makes them) and how it is written for
each peer: numexpr takes text, the others a function of their module XP and the arrays.
"""

import math

import numpy


def numbers(n, m, k):
    x = numpy.arange(1, n * m + 1, dtype=numpy.float64) * 0.6180339887498949 + k * 0.137
    return numpy.asfortranarray((x % 1 * 0.998 + 0.001).reshape((n, m), order="F"))


def columns(count):
    return lambda n: [numbers(n, 1, k + 1)[:, 0].copy() for k in range(count)]


def square(count):
    def make(n):
        n = max(1, round(math.sqrt(n)))
        return [numbers(n, n, k + 1) for k in range(count)]

    return make


def layer(n):
    n = max(1, round(math.sqrt(n)))
    return [numbers(n, n, 1), numbers(n, n, 2), numbers(1, n, 3)]


def erf(xp, x):
    if xp.__name__ == "jax.numpy":
        from jax.scipy.special import erf as f

        return f(x)
    return xp.erf(x)


def black_scholes(xp, s, x, t):
    d1 = (xp.log(s / x) + 0.0445 * t) / (0.3 * xp.sqrt(t))
    d2 = d1 - 0.3 * xp.sqrt(t)
    c = 1 / math.sqrt(2)
    return s * (0.5 + 0.5 * erf(xp, d1 * c)) - x * xp.exp(-0.02 * t) * (0.5 + 0.5 * erf(xp, d2 * c))


def softmax(axis):
    def f(xp, x):
        if xp.__name__ == "torch":
            return xp.softmax(x, axis)
        e = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
        return e / xp.sum(e, axis=axis, keepdims=True)

    return f


def standardize(xp, x):
    if xp.__name__ == "torch":
        return (x - xp.mean(x, 0, True)) / xp.std(x, 0, keepdim=True)
    return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0, ddof=1)


def distances(xp, x, y):
    if xp.__name__ == "torch":
        return (x**2).sum(1)[:, None] + (y**2).sum(1)[None, :] - 2 * x @ y.T
    return xp.sum(x**2, axis=1)[:, None] + xp.sum(y**2, axis=1)[None, :] - 2 * x @ y.T


# name: (make, text for numexpr or None, function of the others or None)
ROWS = {
    "a.*b+c": (columns(3), "a*b+c", lambda xp, a, b, c: a * b + c),
    "2*a.^2+3*a+1": (columns(1), "2*a**2+3*a+1", lambda xp, a: 2 * a**2 + 3 * a + 1),
    "a chain of 10": (
        columns(3),
        "((((((((((a + b) * c - a) * b + c) * a - b) * c) + a) * b) - c) + a) * b)",
        lambda xp, a, b, c: ((((((((((a + b) * c - a) * b + c) * a - b) * c) + a) * b) - c) + a) * b),
    ),
    "exp(-a.^2).*sin(b)+log(1+c.^2)": (
        columns(3),
        "exp(-a**2)*sin(b)+log(1+c**2)",
        lambda xp, a, b, c: xp.exp(-(a**2)) * xp.sin(b) + xp.log(1 + c**2),
    ),
    "exp(a)": (columns(1), "exp(a)", lambda xp, a: xp.exp(a)),
    "1./(1+exp(-a))": (columns(1), "1/(1+exp(-a))", lambda xp, a: 1 / (1 + xp.exp(-a))),
    "Black-Scholes": (columns(3), None, black_scholes),
    "sum((a-mean(a)).^2)": (columns(1), None, lambda xp, a: xp.sum((a - xp.mean(a)) ** 2)),
    "norm and dot": (columns(2), None, lambda xp, a, b: xp.sqrt(xp.sum(a * a)) + xp.dot(a, b)),
    "row and column sums": (square(1), None, lambda xp, a: xp.sum(a, 0) + xp.sum(a, 1)),
    "softmax over rows": (square(1), None, softmax(1)),
    "softmax over columns": (square(1), None, softmax(0)),
    "standardize columns": (square(1), None, standardize),
    "pairwise distances": (square(2), None, distances),
    "A'*B": (square(2), None, lambda xp, a, b: a.T @ b),
    "x'*x": (square(1), None, lambda xp, a: a.T @ a),
    "1./(1+exp(-(X*W+b)))": (layer, None, lambda xp, x, w, b: 1 / (1 + xp.exp(-(x @ w + b)))),
    "masked update": (
        columns(1),
        "where(a < 0.5, 0, a - 0.5)",
        lambda xp, a: xp.where(a < 0.5, 0.0 * a, a - 0.5),
    ),
    "cumsum": (columns(1), None, lambda xp, a: xp.cumsum(a, 0)),
    "sort": (columns(1), None, lambda xp, a: xp.sort(a)[0] if xp.__name__ == "torch" else xp.sort(a)),
}
