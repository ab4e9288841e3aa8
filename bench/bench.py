"""bench.py [--quick] [--only TEXT or KIND] BUILD OCTAVE...: symgpu beside its peers, in one run.

Each engine is a process of its own that measures a row when asked (worker.m, peer.py); they are
asked in turn, several times, and medians are compared.  Results are compared as well.  Prints a
table of ratios, time of the peer over that of symgpu, and writes BUILD/bench.json, BUILD/bench.md
and, if matplotlib is there, BUILD/bench.png.  OCTAVE... is the command that runs Octave with the
package.
"""

import json
import math
import os
import platform
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 30  # seconds for an answer
PATIENCE = 2  # seconds for a line
# So that glibc keeps all memory it once had: nothing by mmap, nothing given back.
KEEP = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "17179869184", "MALLOC_TOP_PAD_": "67108864"}


class Engine:
    def __init__(self, name, command, env=None, any_threads=True):
        self.name, self.command, self.any_threads = name, command, any_threads
        self.env = dict(os.environ, **(env or {}))
        self.process = None

    def start(self):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, env=self.env, cwd=HERE)

    def ask(self, request):
        """Seconds and check, or None: the engine has no such row, failed or took too long."""
        self.start()
        timer = threading.Timer(LIMIT, self.process.kill)
        timer.start()
        try:
            # Octave looks at the character after a line before it gives the line.
            self.process.stdin.write(request + "\n\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().split()
        except OSError:
            answer = []
        finally:
            timer.cancel()
        return (float(answer[0]), float(answer[1])) if len(answer) == 2 else None

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def has_module(python, name):
    return subprocess.call([python, "-c", "import " + name], stderr=subprocess.DEVNULL) == 0


def find_engines(octave, python):
    worker = os.path.join(HERE, "worker.m")
    list_ = [Engine("symgpu", octave + [worker, "symgpu"]),
             Engine("plain", octave + [worker, "plain"]),
             Engine("plain, malloc kept", octave + [worker, "plain"], KEEP)]
    for name, module, any_threads in (("numexpr", "numexpr", True), ("numpy", "numpy", False), ("jax", "jax", False),
                                      ("torch", "torch", True), ("torch-eager", "torch", True)):
        if python and has_module(python, module):
            list_.append(Engine(name, [python, os.path.join(HERE, "peer.py"), name],
                                {"PYTHONWARNINGS": "ignore"}, any_threads))
        else:
            print("%s: not installed here, left out" % name)
    return list_


def row_list(octave):
    """Name, kind and sizes of all rows, as worker.m has them."""
    code = "source ('%s'); r = rmfield (bench_rows (), {'make', 'fcn'}); puts (jsonencode (r))" % os.path.join(HERE, "bench_table.m")
    text = subprocess.run(octave + ["--eval", code], capture_output=True, text=True).stdout
    rows, _ = json.JSONDecoder().raw_decode(text)
    for r in rows:
        if not isinstance(r["sizes"], list):
            r["sizes"] = [r["sizes"]]
        r["sizes"] = [int(n) for n in r["sizes"]]
    return rows


def agree(a, b, n, dtype):
    eps = 2e-3 if dtype == "single" else 1e-8
    return abs(a - b) <= eps * (1 + abs(a) + math.sqrt(n))


def measure(engines, row, n, dtype, threads, rounds, seconds):
    """Lines that take long are measured three times, so that all have their turn."""
    request = "\t".join([row["name"], str(n), dtype, str(threads), str(seconds)])
    times, checks, start = {}, {}, time.time()
    for k in range(rounds):
        if k >= 3 and time.time() - start > PATIENCE:
            break
        for e in engines:
            if k > 0 and e.name not in times:
                continue
            answer = e.ask(request)
            if answer:
                times.setdefault(e.name, []).append(answer[0])
                checks[e.name] = answer[1]
    line = {"row": row["name"], "kind": row["kind"], "n": n, "class": dtype, "threads": threads,
            "seconds": {k: statistics.median(t) for k, t in times.items()},
            "spread": {k: (max(t) - min(t)) / statistics.median(t) for k, t in times.items()}}
    if "plain" in checks:
        line["differs"] = [k for k, c in checks.items() if not agree(checks["plain"], c, n, dtype)]
    return line


def text_of(line, names):
    s = line["seconds"]
    own = s.get("symgpu")
    cells = ["%-32s" % line["row"][:32], "%9d" % line["n"], line["class"][0], str(line["threads"]),
             "%10.3g" % (own * 1e6) if own else "%10s" % "failed"]
    for k in names[1:]:
        cells.append("%8.2f" % (s[k] / own) if own and k in s else "%8s" % "")
    return " ".join(cells) + ("  DIFFERS: " + ", ".join(line["differs"]) if line.get("differs") else "")


def geometric_mean(ratios):
    return math.exp(statistics.mean(math.log(r) for r in ratios)) if ratios else float("nan")


def summary(lines, names):
    out = []
    for whole in (False, True):
        for k in names[1:]:
            ratios = [(l["seconds"][k] / l["seconds"]["symgpu"], l) for l in lines
                      if k in l["seconds"] and "symgpu" in l["seconds"] and (l["kind"] == "whole") == whole]
            if ratios:
                least = min(ratios, key=lambda r: r[0])
                out.append("%-20s geometric mean %6.2f over %3d %s, least %5.2f (%s, n = %d, %s, %d threads)" % (
                    k, geometric_mean([r[0] for r in ratios]), len(ratios), "scripts" if whole else "lines", least[0],
                    least[1]["row"], least[1]["n"], least[1]["class"], least[1]["threads"]))
    return out


def against_machine(lines, limits):
    """What was reached of the limits that were measured in the same run, and of two threads."""
    own = {(l["row"], l["n"], l["class"], l["threads"]): l["seconds"]["symgpu"] for l in lines
           if "symgpu" in l["seconds"]}
    cores = max((k[3] for k in own), default=1)
    out = []

    def say(row, n, threads, ideal, of):
        seconds = own.get((row, n, "double", threads))
        if seconds and ideal:
            out.append("%-32s n = %.0e, %d thread%s: %3.0f %% of %s" % (
                row, n, threads, "s" if threads > 1 else "", 100 * ideal / seconds, of))

    for n in (1e6, 1e7):
        say("a.*b+c", n, cores, 32e-9 * n / limits["triad"], "triad, result delivered fresh")
        say("sum((a-mean(a)).^2)", n, cores, 16e-9 * n / limits["read"], "two reads, result consumed")
    say("exp(a)", 1e6, 1, limits.get("sleef"), "a loop over SLEEF's vectors")
    say("A'*B", 1e6, cores, 2 / limits["dgemm"], "dgemm called directly")
    say("1./(1+exp(-(X*W+b)))", 1e6, cores, 2 / limits["dgemm"], "dgemm called directly, with bias and exp")
    ratios = [own[k[:3] + (1,)] / t for k, t in own.items() if k[3] > 1 and k[:3] + (1,) in own and k[1] > 1e5]
    if ratios:
        out.append("%d threads against one: geometric mean %.2f over %d lines" % (
            cores, geometric_mean(ratios), len(ratios)))
    return out


def draw(python, path):
    if not python or not has_module(python, "matplotlib"):
        print("no picture: matplotlib is not installed here")
        return
    subprocess.call([python, os.path.join(HERE, "draw.py"), path + ".json", path + ".png"])


def machine(build):
    limits = subprocess.run([os.path.join(build, "bench", "rates")], capture_output=True, text=True).stdout.split()
    cpu = platform.processor()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as f:
            cpu = next((l.split(":")[1].strip() for l in f if l.startswith("model name")), cpu)
    return {"cpu": cpu, "cores": os.cpu_count(), "limits": dict(zip(limits[::2], map(float, limits[1::2])))}


def main():
    args = sys.argv[1:]
    quick = "--quick" in args
    only = args[args.index("--only") + 1] if "--only" in args else ""
    args = [a for a in args if a != "--quick" and a != "--only" and (a != only or not only)]
    build, octave = os.path.abspath(args[0]), args[1:]
    python = os.path.join(build, "bench", "venv", "bin", "python")
    python = python if os.path.exists(python) else None
    start = time.time()
    engines = find_engines(octave, python)
    names = [e.name for e in engines]
    info = machine(build)
    print("%s, %d cores; %s" % (info["cpu"], info["cores"], ", ".join("%s %.3g" % kv for kv in info["limits"].items())))
    head = "%-32s %9s %s %s %10s " % ("", "n", "c", "t", "symgpu us") + " ".join("%8s" % k[-8:] for k in names[1:])
    print(head)
    lines, left_out, cores = [], [], os.cpu_count()
    rounds, seconds = (3, 0.02) if quick else (5, 0.04)
    budget = 150 if quick else 1100
    for row in row_list(octave):
        if only not in row["name"] and only != row["kind"]:
            continue
        sizes = row["sizes"][-2:-1] or row["sizes"] if quick else row["sizes"]
        whole = row["kind"] == "whole"
        for n in sizes:
            one = quick or whole or row["name"] == "complex arithmetic"
            for dtype in ["double"] if one else ["double", "single"]:
                # The largest arrays take most of the time and say what those of 1e6 say.
                if n > 1e6 and dtype == "single":
                    continue
                few = quick or n > 1e6 or (n < 1e5 and not whole)
                for threads in sorted({cores} if few else {1, cores}):
                    if time.time() - start > budget:
                        left_out.append("%s, n = %d, %s, %d threads" % (row["name"], n, dtype, threads))
                        continue
                    some = [e for e in engines if e.any_threads or threads == cores]
                    lines.append(measure(some, row, n, dtype, threads, rounds, seconds))
                    print(text_of(lines[-1], names), flush=True)
    for e in engines:
        e.stop()
    end = summary(lines, names) + against_machine(lines, info["limits"]) + ["for want of time not measured: " + k for k in left_out]
    print("\n" + "\n".join(end))
    path = os.path.join(build, "bench")
    with open(path + ".json", "w") as f:
        json.dump({"machine": info, "engines": names, "lines": lines}, f, indent=1)
    with open(path + ".md", "w") as f:
        f.write("```\n" + "\n".join([head] + [text_of(l, names) for l in lines] + [""] + end) + "\n```\n")
    draw(python, path)
    print("%.0f s; written to %s.json, .md, .png" % (time.time() - start, path))


main()
