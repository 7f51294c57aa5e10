"""Makes the families of instances/ again: `python -m tests.families`; files that are there are left alone."""

from collections.abc import Iterator
from pathlib import Path

from bench import catalogue
from bench.generation.instance_file import generate
from bench.generation.order import Order, Wanted

SEEDS = (1, 2, 3)

SIZES = {
    "block_party": (4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100),
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
    "sudoku": (9, 12, 16, 20, 25, 30, 36, 42, 49, 56, 64),
    "twenty_four_seven": (1, 2, 3, 4, 5, 6, 8, 10, 12),
}
"""The sizes of the family `hard` of each puzzle whose generator has a hard kind; its hardness is 1."""

GIVENS = {"block_party": 12, "magic_hexagon": 4}
"""The one size of the family `givens` of each puzzle."""

SHARES = (0, 5, 10, 15, 20, 30, 40, 50)
"""About how many cells of a hundred are given in the family `givens`."""


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


def main() -> None:
    """Makes what is not there."""
    for file, order in recipes():
        if not file.exists():
            print(file.relative_to(catalogue.ROOT), flush=True)
            text = generate(order, time_limit_s=600)
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
