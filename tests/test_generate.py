"""Instances made to order: valid files with as many solutions as asked for, the same for the same order."""

import json
import shutil
import tomllib
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench import catalogue
from bench.contract import EFFORTS, Task
from bench.execution.process import Process
from bench.instruments.generate.instance_file import Order, Wanted, generate
from bench.instruments.generate.prover import Proof
from models.cross_sums.puzzle import CrossSums, Rule
from models.shared.generator import document
from tests.conftest import Lab, all_cores

SIZES = {"block_party": 9, "bug_byte": 10, "die_agony": 9, "magic_hexagon": 4, "number_cross": 4}
"""Sizes of some puzzles; the generators of all are tried in tests/test_validate.py."""


@pytest.mark.parametrize("wanted", Wanted)
@pytest.mark.parametrize("puzzle", SIZES)
def test_an_instance_has_as_many_solutions_as_asked(
    lab: Lab, tmp_path: Path, puzzle: str, wanted: Wanted
) -> None:
    """Counted by HiGHS, which the generator does not ask."""
    file = tmp_path / "made.toml"
    file.write_text(generate(Order(puzzle, SIZES[puzzle], SIZES[puzzle], 0.5, wanted), 120))
    expected = catalogue.load(file).expected
    assert expected.solutions == {"any": None, "one": 1, "none": 0}[wanted]
    assert bool(expected.proved_by) == (wanted != Wanted.ANY) and set(expected.proved_by) <= set(EFFORTS)
    task = Task.FIRST if wanted == Wanted.ANY else Task.COUNT
    formulation = lab.backends["milp"].formulations[puzzle][0]
    row = lab.measure(file, "milp", formulation, task)
    assert row.status == ("infeasible" if wanted == Wanted.NONE else "solved"), row


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("puzzle", ["tents", "yajilin", "abc_end_view", "hidato"])
def test_clues_are_true_until_they_are_spoilt(puzzle: str, seed: int) -> None:
    """Also after changes where another solution differs: any grid will do."""
    generator, rng = catalogue.generator(puzzle), Random(seed)
    planted, other = (generator.plant(3 + seed, rng) for _ in range(2))
    assert planted and other
    if refute := getattr(generator, "refute", None):
        planted = refute(planted, other.solution, rng) or planted
    clues = [clue for group in planted.clues for clue in group]
    told = rng.sample(clues, (len(clues) + 1) // 2)
    spoilt = generator.spoil(planted, told, rng)
    assert (spoilt is None) == (not told)
    for given, true in (clues, True), (told, True), (spoilt or [], not spoilt):
        instance = catalogue.puzzle_module(puzzle).parse(document(planted.table(given)))
        assert (not instance.check(planted.solution)) == true


PROVER = "bench.instruments.generate.prover"

ORDERS = (
    Order("block_party", 8, 1, 1.0, Wanted.ONE),
    Order("bug_byte", 16, 1, 1.0, Wanted.ONE),
    Order("die_agony", 9, 1, 1.0, Wanted.NONE),
    Order("magic_hexagon", 4, 1, 0.5, Wanted.NONE),
    Order("magic_hexagon", 5, 1, 1.0, Wanted.ANY),
    Order("number_cross", 5, 5, 0.7, Wanted.ONE),
    Order("sudoku", 12, 1, 1.0, Wanted.ONE),
    Order("cross_sums", 6, 1, 1.0, Wanted.ONE, "sum"),
)
"""What is made twice: one that a solver helps to plant, and proofs that take a real search."""


def start(order: Order, hash_seed: int) -> Process:
    """The process that makes an instance, with hashes of its own."""
    process = Process("bench.instruments.generate.worker", hash_seed=hash_seed)
    process.send(json.dumps(asdict(order)).encode())
    return process


def test_the_same_order_gives_the_same_bytes_on_a_busy_machine() -> None:
    """In processes with other hashes."""
    with ExitStack() as stack:

        def begun(order: Order, hash_seed: int) -> Process:
            return stack.enter_context(closing(start(order, hash_seed)))

        with all_cores():
            made = [begun(order, 1).answer(600) for order in ORDERS]
        # All at once on one core.
        again = [begun(order, 2) for order in ORDERS]
        for order, first, process in zip(ORDERS, made, again, strict=True):
            assert process.answer(600) == first, order
    assert all(json.loads(answer)["table"] for answer in made)


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


@pytest.mark.parametrize("backend", EFFORTS)
def test_a_proof_ends_where_its_effort_does(backend: str) -> None:
    """At the same place in every process; with enough of it, it is complete."""

    def proof(instance: str, effort: float, most: int = 10**9, hash_seed: int = 1) -> Proof:
        table = tomllib.loads(catalogue.find_instance(instance).read_text())
        question = json.dumps(["sudoku", table, most]).encode()
        with closing(Process(PROVER, backend, effort, hash_seed=hash_seed)) as process:
            return Proof(**json.loads(process.ask(question, 600)))

    limit = {"backtrack": 300, "asp": 20, "cpsat": 0.3}[backend]
    first, again = (proof("sudoku_hard_20_1", limit, hash_seed=seed) for seed in (1, 2))
    assert first == again and not first.complete
    found = proof("sudoku_hard_16_1", 1e9)
    assert found.complete and found.count == len(found.solutions) > 1
    stopped = proof("sudoku_hard_16_1", 1e9, most=1)
    assert stopped.count == 1 and stopped.solutions[0] in found.solutions


def test_a_puzzle_of_which_nothing_is_proved_is_told_so(tmp_path: Path, command: Any) -> None:
    folder = tmp_path / "unsearched"
    shutil.copytree(catalogue.ROOT / "bench" / "instruments" / "validate" / "template", folder)
    for backend in EFFORTS:
        (folder / f"{backend}.py").unlink()
    result = command("generate", folder, "--size", 4)
    assert result.returncode == 2 and "write backtrack.py, asp.py, cpsat.py, or ask for any" in result.stderr
    assert command("generate", folder, "--size", 4, "--solutions", "any").returncode == 0


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
