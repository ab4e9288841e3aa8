"""draw.py JSON PNG: how many times as long each engine takes as symgpu, a dot for each row."""

import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

with open(sys.argv[1]) as f:
    data = json.load(f)
lines = [l for l in data["lines"] if l["class"] == "double" and l["threads"] == data["machine"]["cores"] and "symgpu" in l["seconds"]]
labels = ["%s, %g" % (l["row"], l["n"]) for l in lines]
fig, ax = plt.subplots(figsize=(10, 2 + 0.2 * len(lines)))
for name in data["engines"][1:]:
    at = [(l["seconds"][name] / l["seconds"]["symgpu"], k) for k, l in enumerate(lines) if name in l["seconds"]]
    if at:
        ax.plot(*zip(*at), "o", label=name, alpha=0.7)
ax.axvline(1, color="black")
ax.set_xscale("log")
ax.set_yticks(range(len(lines)))
ax.set_yticklabels(labels, fontsize=7)
ax.invert_yaxis()
ax.set_xlabel("time over that of symgpu")
ax.legend()
ax.grid(axis="x", alpha=0.3)
fig.tight_layout()
fig.savefig(sys.argv[2], dpi=100)
