"""peer.py ENGINE: measures rows on request, as worker.m does.

ENGINE is numpy, numexpr, jax, torch (torch.compile) or torch-eager.  A row that the engine does not
have is answered with "none".
"""

import sys
import time

import numpy

import table

ENGINE = sys.argv[1]


def call_of(name, arrays, dtype):
    """A function without arguments that computes the row, or None."""
    make, text, fcn = table.ROWS[name]
    if ENGINE == "numexpr":
        import numexpr

        names = dict(zip("abc", arrays))
        return text and (lambda: numexpr.evaluate(text, names))
    if ENGINE == "numpy":
        if name == "Black-Scholes":
            return None
        return lambda: fcn(numpy, *arrays)
    if ENGINE == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
        import jax.numpy

        given = [jax.numpy.asarray(a) for a in arrays]
        jitted = jax.jit(lambda *a: fcn(jax.numpy, *a))
        return lambda: jitted(*given).block_until_ready()
    import torch

    given = [torch.from_numpy(a) for a in arrays]
    f = lambda *a: fcn(torch, *a)
    if ENGINE == "torch":
        f = torch.compile(f)
    return lambda: f(*given)


def set_threads(n):
    if ENGINE == "numexpr":
        import numexpr

        numexpr.set_num_threads(n)
    elif ENGINE.startswith("torch"):
        import torch

        torch.set_num_threads(n)


def measure(call, seconds):
    for _ in range(2):
        start = time.perf_counter()
        y = call()
        t = time.perf_counter() - start
    y = numpy.asarray(y, dtype=numpy.float64)
    check = float(y[numpy.isfinite(y)].sum())
    del y
    calls = max(1, min(100000, round(seconds / max(t, 1e-7))))
    start = time.perf_counter()
    for _ in range(calls):
        y = call()
    return (time.perf_counter() - start) / calls, check


def main():
    key, call = None, None
    for line in sys.stdin:
        if line == "\n":
            continue
        name, n, dtype, threads, seconds = line.rstrip("\n").split("\t")
        if key != (name, n, dtype):
            key, call = (name, n, dtype), None
            if name in table.ROWS:
                kind = {"double": numpy.float64, "single": numpy.float32}[dtype]
                arrays = [a.astype(kind) for a in table.ROWS[name][0](int(n))]
                call = call_of(name, arrays, kind)
        if call is None:
            print("none", flush=True)
            continue
        set_threads(int(threads))
        print("%.9g %.17g" % measure(call, float(seconds)), flush=True)


main()
