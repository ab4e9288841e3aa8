"""gpu_peer.py NUMEL ORDER: the rows of bench_gpu in CuPy and PyTorch, where they are installed.

Prints lines "NAME <tab> ROW <tab> SECONDS", the median of some runs; what is not installed is said on
the standard error.
"""

import importlib
import math
import sys
import time

NUMEL, ORDER = int(sys.argv[1]), int(sys.argv[2])
SIDE = math.isqrt(NUMEL)


class CuPy:
    name = "cupy"

    def __init__(self):
        self.xp = importlib.import_module("cupy")
        if self.xp.cuda.runtime.getDeviceCount() == 0:
            raise RuntimeError("no device")

    def numbers(self, rows, cols, single=False):
        x = self.xp.arange(rows * cols, dtype="float64") * 0.618 % 1 + 0.05
        return x.reshape(rows, cols).astype("float32" if single else "float64")

    def subscripts(self, count, below):
        return self.xp.random.randint(0, below, count)

    def copied(self, x):
        return self.xp.ascontiguousarray(x)

    def softmax(self, x):
        e = self.xp.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def relu(self, x):
        return self.xp.maximum(x, 0)

    def sync(self):
        self.xp.cuda.Device().synchronize()


class Torch:
    name = "torch"

    def __init__(self):
        self.xp = importlib.import_module("torch")
        if not self.xp.cuda.is_available():
            raise RuntimeError("no device")
        self.xp.backends.cuda.matmul.allow_tf32 = False

    def numbers(self, rows, cols, single=False):
        x = self.xp.arange(rows * cols, dtype=self.xp.float64, device="cuda") * 0.618 % 1 + 0.05
        return x.reshape(rows, cols).to(self.xp.float32 if single else self.xp.float64)

    def subscripts(self, count, below):
        return self.xp.randint(0, below, (count,), device="cuda")

    def copied(self, x):
        return x.contiguous()

    def softmax(self, x):
        return self.xp.softmax(x, 1)

    def relu(self, x):
        return self.xp.relu(x)

    def sync(self):
        self.xp.cuda.synchronize()


def chain(peer, a, b, c):
    xp, x = peer.xp, a * b
    return xp.minimum(xp.maximum((x + c - a) * b, c) + a, b) - c


def autoencoder(peer, x, w, b, c):
    exp = peer.xp.exp
    h = 1 / (1 + exp(-(x @ w + b)))
    z = 1 / (1 + exp(-(h @ w.T + c)))
    dz = (z - x) * z * (1 - z)
    dh = (dz @ w) * h * (1 - h)
    w2 = w - 1e-3 * (x.T @ dh + dz.T @ h)
    return w2, b - 1e-3 * dh.sum(0), c - 1e-3 * dz.sum(0)


def column_rows(peer):
    a, b, c = (peer.numbers(NUMEL, 1)[:, 0] for _ in range(3))
    k = peer.subscripts(NUMEL // 10, NUMEL)
    yield "map", lambda: a * b + c
    yield "chain", lambda: (chain(peer, a, b, c) * a) + b
    yield "sum", lambda: a.sum()
    yield "gather", lambda: a[k]


def single_rows(peer):
    a, b, c = (peer.numbers(NUMEL, 1, True)[:, 0] for _ in range(3))
    yield "map single", lambda: a * b + c


def square_rows(peer):
    """Rows and columns change places: here the rows are together in memory."""
    a = peer.numbers(SIDE, SIDE)
    t = a.T
    yield "sum columns", lambda: a.sum(1)
    yield "sum rows", lambda: a.sum(0)
    yield "softmax", lambda: peer.softmax(t)
    yield "cumsum", lambda: a.cumsum(1)
    yield "transpose", lambda: peer.copied(t)


def product_rows(peer):
    for single in (False, True):
        a, b = peer.numbers(ORDER, ORDER, single), peer.numbers(ORDER, ORDER, single)
        c = peer.numbers(1, ORDER, single)
        yield "layer single" if single else "layer", lambda: peer.relu(a @ b + c)
    batch, width, hidden = ((ORDER + d - 1) // d for d in (2, 8, 16))
    x, w = peer.numbers(batch, width), peer.numbers(width, hidden)
    b, c = peer.numbers(1, hidden), peer.numbers(1, width)
    yield "autoencoder", lambda: autoencoder(peer, x, w, b, c)


def many_rows(peer):
    a, b, c = (peer.numbers(1000, 1)[:, 0] for _ in range(3))

    def many():
        for _ in range(1000):
            y = a * b + c
        return y

    yield "launches", many


def median_of(peer, call):
    times = []
    while len(times) < 5 or (len(times) < 27 and sum(times[2:]) < 0.4):
        peer.sync()
        start = time.perf_counter()
        y = call()
        peer.sync()
        times.append(time.perf_counter() - start)
        del y
    return sorted(times[2:])[(len(times) - 2) // 2]


def main():
    for kind in (CuPy, Torch):
        try:
            peer = kind()
        except Exception as e:
            print(f"gpu_peer: without {kind.name}: {e}".splitlines()[0], file=sys.stderr)
            continue
        for part in (column_rows, single_rows, square_rows, product_rows, many_rows):
            try:
                for name, call in part(peer):
                    print(f"{peer.name}\t{name}\t{median_of(peer, call):.9g}", flush=True)
            except Exception as e:
                print(f"gpu_peer: {peer.name} stops: {e}".splitlines()[0], file=sys.stderr)


main()
