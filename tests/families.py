"""Makes the families of instances/ again: `python -m tests.families`; files that are there are left alone.

`python -m tests.families --check sample` makes all of a family and compares.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench import catalogue
from bench.environment.machine import usable_cores
from bench.instruments.generate.instance_file import Order, Wanted, generate

SEEDS = (1, 2, 3)

TIME_LIMIT_S = 1800
"""For an instance: the largest Block Parties take a quarter of an hour."""

SIZES = {
    "block_party": (4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 144, 222, 378),
    "bug_byte": (6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 80, 100, 128, 160, 200),
    "choco_banana": (4, 5, 6, 7, 8, 10, 12, 14, 16, 20),
    "cross_sums": (3, 4, 5, 6, 7, 8, 9, 10, 12, 14),
    "die_agony": (4, 6, 8, 12, 16, 24, 32, 48, 64),
    "hooks": (3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
    "knight_moves": (4, 6, 8, 10, 12, 14, 16),
    "magic_hexagon": (3, 4, 5, 6, 7, 8),
    "number_cross": (3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24),
    "sudoku": (4, 6, 9, 12, 16, 20, 25, 30, 36),
    "twenty_four_seven": (1, 2, 3, 4, 6, 8),
}
"""The sizes of the family `size` of each puzzle."""

HARDNESS = {
    "block_party": 1.0,
    "bug_byte": 0.2,
    "choco_banana": 1.0,
    "cross_sums": 1.0,
    "die_agony": 1.0,
    "hooks": 1.0,
    "knight_moves": 1.0,
    "magic_hexagon": 1.0,
    "number_cross": 0.5,
    "sudoku": 1.0,
    "twenty_four_seven": 1.0,
}
"""How hard the family `size` of each puzzle is."""

HARD = {
    "die_agony": (3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64, 80, 96, 128),
    "knight_moves": (4, 5, 6, 7, 8, 9, 10, 12),
    "magic_hexagon": (4, 5, 6, 7),
    "sudoku": (9, 12, 16, 20, 25, 30, 36, 42, 49, 56, 64),
    "twenty_four_seven": (1, 2, 3, 4, 5, 6, 8, 10, 12),
}
"""The sizes of the family `hard` of each puzzle whose generator has a hard kind; its hardness is 1."""

GIVENS = {"block_party": 12, "magic_hexagon": 4}
"""The one size of the family `givens` of each puzzle."""

SHARES = (0, 5, 10, 15, 20, 30, 40, 50)
"""About how many cells of a hundred are given in the family `givens`."""


UNIQUE = {
    "block_party": (4, 6, 8, 10, 15, 20, 25, 30, 40),
    "bug_byte": (8, 12, 16, 20, 24, 28, 32),
    "die_agony": (16, 24, 32, 48, 64, 96),
    "magic_hexagon": (3, 4, 5),
    "number_cross": (3, 4, 5, 6, 7),
}
"""The sizes of the family `unique`, whose instances have one solution, as in `size` of others."""

SAMPLE = {
    "block_party": 40,
    "bug_byte": 28,
    "choco_banana": 12,
    "cross_sums": 12,
    "die_agony": 96,
    "hooks": 9,
    "knight_moves": 12,
    "magic_hexagon": 3,
    "number_cross": 7,
    "sudoku": 25,
    "twenty_four_seven": 4,
}
"""The one size of the family `sample` of each puzzle, which tests/pilot.py chose before they were made."""

SAMPLE_SEEDS = range(1, 21)
"""The first seeds: none was left out for what became of it."""


def recipes() -> Iterator[tuple[Path, Order]]:
    """Each file of the families with what it was made to."""
    for puzzle, sizes in SIZES.items():
        for size in sizes:
            for seed in SEEDS:
                file = catalogue.INSTANCES / puzzle / "family-size" / f"{puzzle}_{size}_{seed}.toml"
                yield file, Order(puzzle, size, seed, HARDNESS[puzzle], Wanted.ANY)
    for puzzle, sizes in HARD.items():
        for size in sizes:
            for seed in SEEDS:
                file = catalogue.INSTANCES / puzzle / "family-hard" / f"{puzzle}_hard_{size}_{seed}.toml"
                yield file, Order(puzzle, size, seed, 1.0, Wanted.ANY, hard=True)
    for puzzle, size in GIVENS.items():
        for share in SHARES:
            for seed in SEEDS:
                file = catalogue.INSTANCES / puzzle / "family-givens" / f"{puzzle}_givens_{share}_{seed}.toml"
                yield file, Order(puzzle, size, seed, 1 - share / 100, Wanted.ANY)
    for puzzle, sizes in UNIQUE.items():
        for size in sizes:
            for seed in SEEDS:
                file = catalogue.INSTANCES / puzzle / "family-unique" / f"{puzzle}_unique_{size}_{seed}.toml"
                yield file, with_one_solution(puzzle, size, seed)
    for puzzle, size in SAMPLE.items():
        for seed in SAMPLE_SEEDS:
            file = catalogue.INSTANCES / puzzle / "family-sample" / f"{puzzle}_sample_{size}_{seed}.toml"
            yield file, with_one_solution(puzzle, size, seed)


def with_one_solution(puzzle: str, size: int, seed: int) -> Order:
    """An instance as hard as those of the family `size`, with exactly one solution."""
    return Order(puzzle, size, seed, HARDNESS[puzzle], Wanted.ONE)


def make(file: Path, order: Order) -> None:
    """Generates an instance if it is not there."""
    if not file.exists():
        print(file.relative_to(catalogue.ROOT), flush=True)
        text = generate(order, TIME_LIMIT_S)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


def changed(family: str) -> list[Path]:
    """The files of a family that the generators of today do not make again."""
    made = [(file, order) for file, order in recipes() if file.parent.name == f"family-{family}"]

    def same(recipe: tuple[Path, Order]) -> bool:
        file, order = recipe
        return generate(order, TIME_LIMIT_S) == file.read_text(encoding="utf-8")

    with ThreadPoolExecutor(len(usable_cores())) as threads:
        return [file for (file, _), alike in zip(made, threads.map(same, made), strict=True) if not alike]


def main() -> None:
    """Makes what is not there, as many at a time as there are cores; with `--check FAMILY` compares."""
    match sys.argv[1:]:
        case ["--check", family]:
            files = changed(family)
            for file in files:
                print(f"{file.relative_to(catalogue.ROOT)}: the generator makes another instance")
            sys.exit(1 if files else 0)
        case _:
            with ThreadPoolExecutor(len(usable_cores())) as threads:
                list(threads.map(lambda recipe: make(*recipe), recipes()))


if __name__ == "__main__":
    main()
