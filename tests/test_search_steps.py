"""Hand searches: how much they propagate, step by step, and what somebody who watches them sees."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from bench import catalogue
from bench.trace import Recorder, read_trace
from models.shared.bits import adds_up, all_different, fixpoint, members, total_size, up_to_step
from models.shared.puzzle import Optimised, Placed, Solution
from models.shared.search import LimitedTally, Step, Tally, Undecided, View, steps_of

LIMIT = 200
"""Branches of a search: with little propagation it may need more than anyone can wait for."""

SEARCHES = [
    (puzzle, name)
    for puzzle in catalogue.puzzle_names()
    for name in catalogue.formulations(puzzle, "backtrack")
    if catalogue.random_instances(puzzle)
]
WITH_STEPS = [
    (puzzle, name) for puzzle, name in SEARCHES if steps_of(catalogue.formulations(puzzle, "backtrack")[name])
]
PLACED = [
    catalogue.ROOT / "instances/bug_byte/family-size/bug_byte_6_1.toml",
    catalogue.ROOT / "tests/instances/aristotle_half_given.toml",
    catalogue.ROOT / "instances/market_split/equal_halves.toml",
]
"""An instance of each puzzle whose unknowns are not the cells of a grid of squares."""

FEW = settings(max_examples=8)


def drawn(data: st.DataObject, puzzle: str) -> Any:
    """A small random instance."""
    random = catalogue.random_instances(puzzle)
    assert random
    return catalogue.puzzle_module(puzzle).parse(data.draw(random.INSTANCES))


def tally_of(search: Any, step: Step | None = None) -> Tally:
    """The tally of a search that propagates as far as a step, or as it does by default."""
    tally = LimitedTally(1, LIMIT)
    tally.step = step or (*steps_of(search), Step.FULL)[0]
    return tally


def solutions(search: Any, instance: Any, tally: Tally) -> Iterator[Solution]:
    """The solutions that a search finds, and None as the last if it reaches the limit."""
    try:
        yield from search(instance, tally)
    except Undecided:
        yield None


@pytest.mark.parametrize(("puzzle", "name"), WITH_STEPS)
@FEW
@given(st.data())
def test_each_step_leaves_no_more_values_and_the_same_solutions(
    puzzle: str, name: str, data: st.DataObject
) -> None:
    search, instance = catalogue.formulations(puzzle, "backtrack")[name], drawn(data, puzzle)
    complete, partial, left = [], [], []
    for step in sorted(steps_of(search)):
        tally = tally_of(search, step)
        every = list(solutions(search, instance, tally))
        (partial if None in every else complete).append({str(one) for one in every if one is not None})
        assert len(every) == len({str(one) for one in every})
        if tally.values is not None and tally.values_left is not None and tally.variables is not None:
            left.append((tally.values, tally.values_left))
            assert tally.variables <= tally.values_left <= tally.values
    assert all(one == complete[0] for one in complete)
    assert all(one <= complete[0] for one in partial if complete)
    assert left == sorted(left, reverse=True) and len({before for before, _ in left}) <= 1


@pytest.mark.parametrize(("puzzle", "name"), SEARCHES)
@FEW
@given(st.data())
def test_a_trace_is_the_tree_that_is_counted(
    tmp_path_factory: pytest.TempPathFactory, puzzle: str, name: str, data: st.DataObject
) -> None:
    """Its nodes stand in the order of the search, and whoever watches changes nothing."""
    search, instance = catalogue.formulations(puzzle, "backtrack")[name], drawn(data, puzzle)
    step = data.draw(st.sampled_from([*steps_of(search)] or [Step.FULL]))
    optimises = isinstance(instance, Optimised)
    unwatched, watched = tally_of(search, step), tally_of(search, step)
    expected, found, at = list(solutions(search, instance, unwatched)), [], set()
    path = Path(tmp_path_factory.getbasetemp()) / f"{puzzle}-{name}"
    with Recorder(path) as recorder:
        watched.watcher = recorder
        for solution in solutions(search, instance, watched):
            found.append(solution)
            if solution is not None:
                recorder.solution()
                at.add(recorder.nodes)

    def counts(tally: Tally) -> list[Any]:
        return [tally.branches, tally.failures, tally.propagations, tally.undecided, tally.values_left]

    assert found == expected and counts(watched) == counts(unwatched)
    root, *below = nodes = list(read_trace(path))
    assert (root.depth, root.decision, len(below)) == (0, "", watched.branches)
    assert all(node.depth > 0 and node.decision for node in below)
    assert sum(not node.consistent for node in below) == watched.failures
    assert {number for number, node in enumerate(nodes, 1) if node.solution} == at
    for node, after in zip(nodes, below, strict=False):
        # Below a solution there may be better ones.
        inner = node.consistent and (optimises or not node.solution)
        assert after.depth <= node.depth + inner
    for node in nodes:
        values = node.view.left.values() if node.view else ()
        assert all(len(each) == 1 for each in values) or not node.solution or optimises


def test_a_solution_that_is_decided_with_its_length_is_a_node(tmp_path: Path) -> None:
    """Each length is searched by itself: what the root decides of one is no part of the others."""
    clues = {"top": ". . . 2", "bottom": ". . . 2", "left": "2 . 1 .", "right": "2 3 1 ."}
    table = {
        "puzzle": "knight_moves", "title": "t", "source": "s", "size": 4, "steps": [1, 5],
        "regions": "AAAA\nAAAA\nAAAA\nAAAA", "equal_region_sums": True, "equal_region_visits": True,
        "equal_line_visits": False, "first_seen": clues,
    }  # fmt: skip
    search, tally = catalogue.formulations("knight_moves", "backtrack")["places"], Tally()
    with Recorder(tmp_path / "trace") as tally.watcher:
        for _ in search(catalogue.puzzle_module("knight_moves").parse(table), tally):
            tally.watcher.solution()
    root, *below = read_trace(tmp_path / "trace")
    assert not root.solution and len(below) == tally.branches
    first = next(node for node in below if node.solution)
    assert (first.depth, first.decision) == (1, "3 numbers"), below


class Last:
    """Keeps what is known at the last node."""

    def node(self, depth: int, decision: str, view: Callable[[], View], consistent: bool) -> None:
        self.view = view()


@pytest.mark.parametrize("path", PLACED, ids=lambda path: path.stem)
def test_an_unknown_is_drawn_where_the_puzzle_says(path: Path) -> None:
    """The values at the last node are those that the picture of the solution has there."""
    instance = catalogue.load(path)
    assert isinstance(instance.puzzle, Placed)
    search = next(iter(catalogue.formulations(instance.puzzle_name, "backtrack").values()))
    tally = tally_of(search)
    tally.watcher = last = Last()
    solution = next(solutions(search, instance.puzzle, tally))
    axes = Figure().subplots()
    instance.puzzle.draw(axes, solution)
    drawn = {text.get_position(): text.get_text() for text in axes.texts}
    assert len(last.view.left) == instance.puzzle.size
    for unknown, values in last.view.left.items():
        assert [drawn[instance.puzzle.position(unknown)]] == [str(value) for value in values]


@settings(max_examples=60)
@given(st.lists(st.sets(st.integers(0, 3), min_size=1), min_size=4, max_size=4), st.integers(0, 6))
def test_shaving_leaves_the_values_that_no_trial_refutes(sets: list[set[int]], total: int) -> None:
    """And removes a value only if it is in no solution."""
    rules = {
        Step.ALL_DIFFERENT: lambda domains: all_different(domains, Tally()),
        Step.BOUNDS: lambda domains: adds_up(domains, (0, 1), total, Tally()),
    }
    full, shaving = (up_to_step(rules, Tally(step=step)) for step in (Step.FULL, Step.SHAVING))
    stated = {i: sum(1 << value for value in values) for i, values in enumerate(sets)}
    domains = stated.copy()
    consistent = fixpoint(domains, shaving)
    trials = [{**stated, i: 1 << value} for i, bits in stated.items() for value in members(bits)]
    if consistent:
        trials = [{**domains, i: 1 << value} for i, bits in domains.items() for value in members(bits)]
        assert all(fixpoint(trial, full) for trial in trials)
    assert consistent or not any(
        total_size(trial.values()) == 4 and fixpoint(trial, full) for trial in trials
    )
