"""Instances made to order: valid files with as many solutions as asked for, the same for the same order."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bench import catalogue
from bench.analysis.tables import read_runs
from bench.contract import Task
from bench.execution.process import Process
from bench.instruments.generate.instance_file import Order, Wanted, generate
from models.cross_sums.puzzle import CrossSums, Rule
from models.die_agony import generate as die_agony
from models.magic_hexagon import generate as magic_hexagon
from models.magic_hexagon.geometry import opposites
from models.number_cross.generate import palindromes_beside
from models.shared.search import Tally
from models.shared.second_solution import Undecided, second_solution
from tests import families, pilot
from tests.conftest import Lab, all_cores

SIZES = {"block_party": 9, "bug_byte": 10, "die_agony": 9, "magic_hexagon": 4, "number_cross": 4}
"""Sizes of some puzzles; the generators of all are tried in tests/test_validate.py."""


@pytest.mark.parametrize("wanted", Wanted)
@pytest.mark.parametrize("puzzle", SIZES)
def test_an_instance_has_as_many_solutions_as_asked(
    lab: Lab, tmp_path: Path, puzzle: str, wanted: Wanted
) -> None:
    """Counted by CP-SAT, which shares nothing with the hand search that the generator asks."""
    file = tmp_path / "made.toml"
    file.write_text(generate(Order(puzzle, SIZES[puzzle], SIZES[puzzle], 0.5, wanted), 120))
    assert catalogue.load(file).expected.solutions == {"any": None, "one": 1, "none": 0}[wanted]
    task = Task.FIRST if wanted == Wanted.ANY else Task.COUNT
    formulation = lab.backends["cpsat"].formulations[puzzle][0]
    row = lab.measure(file, "cpsat", formulation, task)
    assert row.status == ("infeasible" if wanted == Wanted.NONE else "solved"), row


ORDERS = (
    Order("block_party", 8, 1, 1.0, Wanted.ONE),
    Order("bug_byte", 16, 1, 1.0, Wanted.ONE),
    Order("die_agony", 9, 1, 1.0, Wanted.NONE),
    Order("magic_hexagon", 4, 1, 0.5, Wanted.NONE),
    Order("magic_hexagon", 5, 1, 1.0, Wanted.ANY),
    Order("number_cross", 5, 5, 0.7, Wanted.ONE),
    *(Order(puzzle, families.HARD[puzzle][1], 1, 1.0, Wanted.ANY, hard=True) for puzzle in families.HARD),
)
"""What is made twice; a draft that a solver helps to make, and questions that take a real search."""


def start(order: Order, hash_seed: int) -> Process:
    """The process that makes an instance, with hashes of its own."""
    process = Process("bench.instruments.generate.worker", hash_seed=hash_seed)
    process.send(json.dumps(asdict(order)).encode())
    return process


def test_the_same_order_gives_the_same_bytes_on_a_busy_machine() -> None:
    """Number Cross came out differently in most calls: which solution CP-SAT finds first varies."""
    with ExitStack() as stack:

        def begun(order: Order, hash_seed: int) -> Process:
            return stack.enter_context(closing(start(order, hash_seed)))

        with all_cores():
            made = [begun(order, 1).answer(120) for order in ORDERS]
        # All at once on one core.
        again = [begun(order, 2) for order in ORDERS]
        for order, first, process in zip(ORDERS, made, again, strict=True):
            assert process.answer(120) == first, order
    assert all(json.loads(answer)["table"] for answer in made)


@pytest.mark.parametrize("puzzle", families.HARD)
def test_the_hard_kind_is_another_one(lab: Lab, tmp_path: Path, puzzle: str) -> None:
    order = Order(puzzle, families.HARD[puzzle][0], 1, 0.5, Wanted.ANY, hard=True)
    usual = replace(order, hard=False)
    file = tmp_path / "hard.toml"
    file.write_text(generate(order, 120))
    assert ", hard, " in catalogue.load(file).source
    assert asked(order)["table"] != asked(usual)["table"]
    formulation = lab.backends["cpsat"].formulations[puzzle][0]
    assert lab.measure(file, "cpsat", formulation, Task.FIRST).status == "solved"


def asked(order: Order) -> dict[str, Any]:
    """What the process answers."""
    with closing(start(order, 1)) as process:
        return dict(json.loads(process.answer(120)))


@pytest.mark.parametrize("wanted", Wanted)
def test_a_rule_can_be_chosen(lab: Lab, tmp_path: Path, wanted: Wanted) -> None:
    order, file = Order("cross_sums", 3, 1, 0.0, wanted), tmp_path / "made.toml"
    made = {rule: generate(replace(order, rule=rule), 120) for rule in ("", "signed_sum", "sum")}
    assert made["signed_sum"] == made[""] != made["sum"]
    file.write_text(made["sum"])
    instance = catalogue.load(file)
    assert isinstance(instance.puzzle, CrossSums) and instance.puzzle.rule == Rule.SUM
    assert ", rule sum, " in instance.source
    row = lab.measure(file, "cpsat", "multisets", Task.COUNT)
    assert row.status == ("infeasible" if wanted == Wanted.NONE else "solved"), row


@given(st.integers(10, 10**6))
def test_the_nearest_palindromes(number: int) -> None:
    """By counting."""
    below, above = palindromes_beside(number)
    assert below == next(k for k in count(number - 1, -1) if str(k) == str(k)[::-1])
    assert above == next(k for k in count(number + 1) if str(k) == str(k)[::-1])


@given(st.integers(3, 9), st.floats(0, 1), st.integers(0, 10**6))
def test_the_long_walk_of_a_die(size: int, hardness: float, seed: int) -> None:
    """The checker rolls a die of its own."""
    draft = die_agony.hard_draft(size, hardness, Random(seed))
    assume(draft)
    assert draft
    table = {"puzzle": "die_agony", "title": "draft", "source": "draft"} | draft.table
    puzzle = catalogue.puzzle_module("die_agony").parse(table)
    assert puzzle.check(draft.solution) == []
    moves = len(draft.solution["path"]) - 1
    assert die_agony.HARD_MOVES * size <= moves <= puzzle.max_moves
    assert sum(face not in (0, None) for face in draft.solution["faces"]) <= 1


@settings(max_examples=3)
@given(st.integers(5, 6), st.floats(0, 1), st.integers(0, 10**6))
def test_no_hexagon_of_opposite_numbers_has_the_givens_of_the_hard_kind(
    size: int, hardness: float, seed: int
) -> None:
    """Two opposite cells are given that do not add up to 0; the checker adds up the lines."""
    draft = magic_hexagon.hard_draft(size, hardness, Random(seed))
    assume(draft)
    assert draft
    table = {"puzzle": "magic_hexagon", "title": "draft", "source": "draft"} | draft.table
    puzzle = catalogue.puzzle_module("magic_hexagon").parse(table)
    assert puzzle.check(draft.solution) == []
    values = puzzle.givens
    assert any(k in values and values[i] + values[k] for i, k in opposites(puzzle).items() if i in values)
    holes = round(hardness * (6 * size - 6 + magic_hexagon.FREE * (size - 3)))
    assert len(values) == len(puzzle.cells) - holes


MOSAIC = """
from random import Random
from models.block_party import generate, puzzle
generate.WHOLE, generate.TILE = 20, 6
draft = generate.draft(24, 1.0, Random(1))
table = {"puzzle": "block_party", "title": "draft", "source": "draft"} | draft.table
print(puzzle.parse(table).check(draft.solution))
"""


def test_a_large_block_party_is_made_of_tiles() -> None:
    """In a process of its own, as the generator imports a solver; with tiles that are made at once."""
    made = subprocess.run(
        [sys.executable, "-c", MOSAIC], cwd=catalogue.ROOT, capture_output=True, text=True, timeout=120
    )
    assert made.stdout == "[]\n", made


def test_a_limit_of_branches_ends_a_search_at_the_same_place() -> None:
    def search(tally: Tally) -> Iterator[int]:
        for number in range(10):
            tally.branches += 1
            yield number if tally.seed == 1 else number + 5

    assert second_solution(search, 0, [2]) == 1
    assert second_solution(search, None, [1]) == 0
    with pytest.raises(Undecided):
        second_solution(lambda tally: (number for number in search(tally) if number == 8), 0, [8])
    found = second_solution(lambda tally: (number for number in search(tally) if number == 8), 0, [8, 4])
    assert found == 8, "the second search takes another order"
    assert second_solution(lambda tally: (number for number in search(tally) if number < 1), 0, [10]) is None


def test_a_puzzle_without_a_hand_search_is_told_so(tmp_path: Path, command: Any) -> None:
    folder = tmp_path / "unsearched"
    shutil.copytree(catalogue.ROOT / "bench" / "instruments" / "validate" / "template", folder)
    (folder / "backtrack.py").unlink()
    result = command("generate", folder, "--size", 4)
    assert result.returncode == 2 and "no hand search" in result.stderr, result
    assert command("generate", folder, "--size", 4, "--solutions", "any").returncode == 0


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
        assert (", hard, " in instance.source) == order.hard


QUICK = {
    "bug_byte": 9,
    "choco_banana": 18,
    "die_agony": 4,
    "hooks": 19,
    "knight_moves": 3,
    "magic_hexagon": 3,
    "number_cross": 19,
}
"""Seeds with which an instance of a sample is made in a second; `tests.families --check sample` makes all."""


def test_a_sample_is_the_first_seeds_of_the_size_that_the_pilot_chose() -> None:
    assert pilot.chosen(pilot.medians(read_runs(pilot.FOLDER))) == families.SAMPLE
    assert not set(pilot.SEEDS) & set(families.SAMPLE_SEEDS)
    for puzzle, size in families.SAMPLE.items():
        paths = catalogue.families(puzzle)["sample"]
        assert set(paths) == {f"{puzzle}_sample_{size}_{seed}" for seed in range(1, 21)}
        for path in paths.values():
            assert catalogue.load(path).expected.solutions == 1


def test_samples_are_made_again_as_they_are() -> None:
    recipes = dict(families.recipes())
    for puzzle, seed in QUICK.items():
        file = catalogue.families(puzzle)["sample"][f"{puzzle}_sample_{families.SAMPLE[puzzle]}_{seed}"]
        assert generate(recipes[file], 120) == file.read_text(), file


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
    slow = tmp_path / "slow"
    shutil.copytree(catalogue.ROOT / "bench" / "instruments" / "validate" / "template", slow)
    (slow / "generate.py").write_text("import time\ntime.sleep(60)\n")
    for refused, said in (
        ((*arguments, "--out", file), "this file exists already"),
        (("generate", "magic_hexagon", "--size", 2), "there is no magic hexagon"),
        (("generate", "block_party", "--size", 2), "the grid needs 3 cells or more"),
        (("generate", "magic_hexagon", "--size", 3, "--hard"), "the hard kind is of order 4 or more"),
        (("generate", "number_cross", "--size", 3, "--hard"), "no function `hard_draft`; leave out --hard"),
        (
            ("generate", "number_cross", "--size", 3, "--rule", "sum"),
            "there is no rule 'sum'; leave out --rule",
        ),
        (
            ("generate", "cross_sums", "--size", 3, "--rule", "no"),
            "there is no rule 'no'; write signed_sum or sum",
        ),
        (("generate", "chess", "--size", 8), "unknown puzzle 'chess'"),
        (("generate", slow, "--size", 4, "--time-limit", 1), "no answer within 1 s; choose a smaller"),
    ):
        result = command(*refused)
        assert result.returncode == 2 and said in result.stderr, result
    assert "generating slow of size 4, for at most 1 s (--time-limit)\n" in result.stderr
    assert "generating" not in command(*refused, "-q").stderr
