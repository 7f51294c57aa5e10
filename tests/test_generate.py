"""Instances made to order: valid files with as many solutions as asked for, the same for the same order."""

from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.contract import Task
from bench.generate import Order, Wanted, generate
from tests import families
from tests.conftest import Lab

SIZES = {
    "block_party": (4, 9),
    "bug_byte": (5, 10),
    "die_agony": (4, 9),
    "magic_hexagon": (3, 4),
    "number_cross": (3, 4),
}
"""Two sizes of some puzzles; the generators of all are tried in tests/test_validate.py."""


@pytest.mark.parametrize("wanted", Wanted)
@pytest.mark.parametrize(
    ("puzzle", "size"), [(name, size) for name, sizes in SIZES.items() for size in sizes]
)
def test_an_instance_has_as_many_solutions_as_asked(
    lab: Lab, tmp_path: Path, puzzle: str, size: int, wanted: Wanted
) -> None:
    """Counted by the hand search, which shares nothing with CP-SAT."""
    file = tmp_path / "made.toml"
    file.write_text(generate(Order(puzzle, size, size, 0.6, wanted), 120))
    assert catalogue.load(file).expected.solutions == {"any": None, "one": 1, "none": 0}[wanted]
    task = Task.FIRST if wanted == Wanted.ANY else Task.COUNT
    formulation = lab.backends["backtrack"].formulations[puzzle][0]
    row = lab.measure(file, "backtrack", formulation, task)
    assert row["status"] == ("infeasible" if wanted == Wanted.NONE else "solved"), row


def test_the_families_are_what_their_recipes_say() -> None:
    """Those of the puzzles that tests/families.py has recipes for."""
    made = {
        path
        for name in families.SIZES
        for family in catalogue.families(name).values()
        for path in family.values()
    }
    recipes = dict(families.recipes())
    assert made == recipes.keys()
    for file, order in recipes.items():
        instance = catalogue.load(file)
        assert instance.puzzle_name == order.puzzle
        assert f"size {order.size} (" in instance.source and f"seed {order.seed}," in instance.source


def test_the_command(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    arguments = ("generate", "die_agony", "--size", 5, "--seed", 7, "--hardness", 1)
    assert command(*arguments, "--out", file).returncode == 0
    assert command(*arguments).stdout == file.read_text(), "the same again"
    assert command(*arguments[:5], 8).stdout != file.read_text()
    result = command(
        "run",
        "--instance",
        file,
        "--backend",
        "cpsat",
        "--repeat",
        1,
        "--no-plots",
        "--out",
        tmp_path / "out",
    )
    assert result.returncode == 0, result
    for refused, said in (
        ((*arguments, "--out", file), "there is such a file already"),
        (("generate", "magic_hexagon", "--size", 2), "there is no magic hexagon"),
        (("generate", "chess", "--size", 8), "unknown puzzle 'chess'"),
        (("generate", "block_party", "--size", 30, "--time-limit", 1), "no answer within 1 s"),
    ):
        result = command(*refused)
        assert result.returncode == 2 and said in result.stderr, result
