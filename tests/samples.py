"""Makes the samples of instances/ again: `python -m tests.samples`; files that are there are left alone.

Each kind has 24 instances, 8 of each stratum and 8 of each size. Sizes, seeds and hardness were written down
before any of them was made or solved. What is not made, and how many proofs no backend completed, is printed.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from bench import catalogue
from bench.environment.machine import usable_cores
from bench.execution.process import ProcessEnded
from bench.instruments.generate.instance_file import Generated, Order, Wanted, run_worker

SIZES = {
    "block_party": (8, 16, 32),
    "bug_byte": (10, 20, 40),
    "choco_banana": (6, 10, 14),
    "cross_sums": (6, 9, 12),
    "die_agony": (8, 16, 32),
    "hooks": (5, 7, 9),
    "knight_moves": (6, 9, 12),
    "magic_hexagon": (3, 4, 5),
    "number_cross": (4, 6, 8),
    "sudoku": (9, 16, 25),
    "twenty_four_seven": (1, 2, 4),
}
"""The small, medium and large size of each kind."""

STRATA = {
    "proven": (Wanted.ONE, 1.0, (3, 3, 2)),
    "planted": (Wanted.ANY, 0.7, (3, 2, 3)),
    "infeasible": (Wanted.NONE, 1.0, (2, 3, 3)),
}
"""What is ordered of each stratum, the hardness, and how many instances of each size, with seeds 1, 2, ..."""

TIME_LIMIT_S = 1200.0
"""For an instance; one that is not made by then is named in the table, and missing."""


def recipes() -> Iterator[tuple[Path, Order]]:
    """Each file with what it is made to."""
    for puzzle, sizes in SIZES.items():
        rules = ("signed_sum", "sum") if puzzle == "cross_sums" else ("",)  # They take turns.
        for stratum, (wanted, hardness, shares) in STRATA.items():
            for size, share in zip(sizes, shares, strict=True):
                for seed in range(1, share + 1):
                    file = (
                        catalogue.INSTANCES
                        / puzzle
                        / f"family-{stratum}"
                        / f"{puzzle}_{stratum}_{size}_{seed}.toml"
                    )
                    yield file, Order(puzzle, size, seed, hardness, wanted, rules[seed % len(rules)])


def make(file: Path, order: Order) -> Generated:
    """Generates an instance and writes it, if it is made in time."""
    begin = monotonic()
    try:
        made = run_worker(order, TIME_LIMIT_S)
    except ProcessEnded as error:
        made = Generated(error=str(error))
    if made.text and not made.error:
        file.parent.mkdir(exist_ok=True)
        file.write_text(made.text, encoding="utf-8")
    print(f"{file.stem},{monotonic() - begin:.1f},{made.undecided},{made.error}", flush=True)
    return made


def main() -> None:
    """Makes what is not there, as many at a time as there are cores."""
    print("instance,seconds,undecided,error")
    missing = [(file, order) for file, order in recipes() if not file.exists()]
    with ThreadPoolExecutor(len(usable_cores())) as threads:
        list(threads.map(lambda recipe: make(*recipe), missing))


if __name__ == "__main__":
    main()
