"""The reference load, a fixed piece of work whose time shows how the machine drifts.

`python -m bench.environment.reference_load [CORE,...]` executes it for each line of its input, and answers
with the median time of its parts in seconds. One process for each job does this for a whole campaign, so that
nothing but the machine can change the time.
"""

import gc
import os
import sys
from collections.abc import Sequence
from statistics import median
from time import perf_counter

STEADY = 0.04
"""Relative variation of its time, up to which a machine is steady."""


def work() -> int:
    """About 10 ms of operations as in models and searches: integers, sets, dictionaries, a few megabytes."""
    table = {number: number * number % 40_009 for number in range(40_009)}
    seen = {table[value] for value in table.values()}
    return sum(value for value in sorted(seen) if value & 1)


def measure() -> float:
    """The median time of five parts in seconds."""
    times = []
    for _ in range(5):
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return median(times)


def main(cores: Sequence[int]) -> None:
    """Answers until the input ends."""
    if cores:
        os.sched_setaffinity(0, cores[:1])
    gc.disable()
    measure()
    for _ in sys.stdin:
        print(measure(), flush=True)


if __name__ == "__main__":
    main([int(core) for argument in sys.argv[1:] for core in argument.split(",")])
