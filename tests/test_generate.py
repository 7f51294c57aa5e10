"""Instances made to order: valid files with as many solutions as asked for, the same for the same order."""

from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.contract import Task
from bench.generate import Order, Wanted, generate
from tests.conftest import Lab

SIZES = {"block_party": 4, "bug_byte": 8, "die_agony": 4, "magic_hexagon": 3, "number_cross": 4}
"""A small size of each puzzle."""


@pytest.mark.parametrize("wanted", Wanted)
@pytest.mark.parametrize("puzzle", catalogue.puzzle_names())
@pytest.mark.parametrize("seed", [1, 2])
def test_an_instance_has_as_many_solutions_as_asked(
    lab: Lab, tmp_path: Path, puzzle: str, wanted: Wanted, seed: int
) -> None:
    """Counted by the hand search, which shares nothing with CP-SAT."""
    file = tmp_path / "made.toml"
    file.write_text(generate(Order(puzzle, SIZES[puzzle], seed, 0.7, wanted), 120))
    assert catalogue.load(file).expected.solutions == {"any": None, "one": 1, "none": 0}[wanted]
    task = Task.FIRST if wanted == Wanted.ANY else Task.COUNT
    formulation = lab.backends["backtrack"].formulations[puzzle][0]
    row = lab.measure(file, "backtrack", formulation, task)
    assert row["status"] == ("infeasible" if wanted == Wanted.NONE else "solved"), row


def test_the_command(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    arguments = ("generate", "die_agony", "--size", 5, "--seed", 7, "--hardness", 1)
    assert command(*arguments, "--out", file).returncode == 0
    assert command(*arguments).stdout == file.read_text(), "the same again"
    assert command(*arguments[:5], 8).stdout != file.read_text()
    result = command(
        "run", "--instance", file, "--backend", "cpsat", "--repeat", 1, "--out", tmp_path / "out"
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
