"""How many of the seeds 1 to 8 show the fault, by model, threads and options, in the installed release.

python table.py
"""

import json

import ortools
import show

WAYS = {
    "2 threads": (2, True, {}),
    "1 thread": (1, True, {}),
    "3 threads": (3, True, {}),
    "8 threads": (8, True, {}),
    "2 threads, presolve off": (2, False, {}),
    "2 threads, symmetry_level 0": (2, True, {"symmetry_level": 0}),
    "2 threads, share_level_zero_bounds off": (2, True, {"share_level_zero_bounds": False}),
}
"""Threads, whether to presolve, and other parameters."""

MODELS = {"model-at-fault.pb.txt": "witness.json", "model-smallest.pb.txt": "witness-smallest.json"}

if __name__ == "__main__":
    for show.MODEL, show.KNOWN in MODELS.items():
        print(f"OR-Tools {ortools.__version__}, {show.MODEL}, {len(show.missing([]))} solutions")
        for words, (show.THREADS, presolve, show.OPTIONS) in WAYS.items():
            shown, says = 0, []
            for seed in range(1, 9):
                said, complete, found = show.solve(seed, presolve)
                different = len({json.dumps(values) for values in found})
                shown += show.shows(complete, found)
                says.append(f"{said} {different}")
            print(f"  {words}: {shown} of 8 ({', '.join(sorted(set(says)))})")
