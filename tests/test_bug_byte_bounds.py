"""Bug Byte: what the bounds leave, and why no path has a sum, compared with all labellings and all paths."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bench.contract import Task
from models.bug_byte.bounds import Bounds, Interval
from models.bug_byte.puzzle import BugByte, Edge, parse
from models.bug_byte.random_instances import bug_bytes, candidates
from models.bug_byte.routes import Route, other_labels
from models.shared.random_instances import header
from tests.conftest import Lab

Labelling = Mapping[Edge, int]


def labellings(puzzle: BugByte) -> list[Labelling]:
    """At most two dozen of all labellings with the givens and the sums at nodes, if there are any."""
    every = [{(u, v): label for u, v, label in solution} for solution in candidates(puzzle)]
    assume(every)
    return every[:: len(every) // 12 or 1]


def simple_paths(puzzle: BugByte, node: str) -> list[Route]:
    """All simple paths from a node, those with few edges first."""
    graph = networkx.Graph(puzzle.graph)
    ways = networkx.all_simple_edge_paths(graph, node, [v for v in graph if v != node])
    paths = [tuple((u, v) if (u, v) in puzzle.edges else (v, u) for u, v in way) for way in ways]
    return sorted(paths, key=len)


def length(label: Labelling, path: Route) -> int:
    return sum(map(label.__getitem__, path))


@settings(max_examples=40)
@given(bug_bytes())
def test_no_labelling_is_outside_the_bounds(table: dict[str, Any]) -> None:
    puzzle = parse(table)
    bounds = Bounds(puzzle)
    for label in labellings(puzzle):
        for e in puzzle.edges:
            least, most = bounds.labels[e]
            assert least <= label[e] <= most and label[e] in bounds.possible(e)
        for (e, f), (low, high) in bounds.pairs.items():
            assert low <= label[e] + label[f] <= high


@settings(max_examples=40)
@given(bug_bytes(), st.data())
def test_every_path_with_a_sum_is_a_route(table: dict[str, Any], data: st.DataObject) -> None:
    """And those that the definition leaves out are not routes."""
    puzzle = parse(table)
    bounds, node = Bounds(puzzle), data.draw(st.sampled_from(sorted(puzzle.graph)))
    free = [v for v in puzzle.labels if v not in bounds.fixed]

    def interval(path: Route) -> Interval:
        """What a path can add up to, as the docstring of `routes` says."""
        if not path:
            return 0, 0
        limits = [bounds.labels[e] for e in path]
        sure = [low for low, high in limits if low == high]
        others = len(path) - len(sure)
        bounded = [
            (sum(sure) + sum(free[:others]), sum(sure) + sum(free[len(free) - others :])),
            tuple(map(sum, zip(interval(path[:-1]), limits[-1], strict=True))),
        ]
        if path[-2:] in bounds.pairs:
            bounded.append(tuple(map(sum, zip(interval(path[:-2]), bounds.pairs[path[-2:]], strict=True))))
        return max(low for low, _ in bounded), min(high for _, high in bounded)

    some, limits_of = labellings(puzzle), {path: interval(path) for path in simple_paths(puzzle, node)}
    for path, (low, high) in limits_of.items():
        assert all(low <= length(label, path) <= high for label in some)
    for target in range(1, sum(puzzle.labels) + 1):
        routes = list(bounds.routes(node, target))
        left = [path for path, (low, high) in limits_of.items() if low <= target <= high]
        assert sorted(routes) == sorted(left) and [*map(len, routes)] == [*map(len, left)]


@settings(max_examples=40)
@given(bug_bytes(), st.data())
def test_the_reason_why_a_number_is_missed_refuses_no_solution(
    table: dict[str, Any], data: st.DataObject
) -> None:
    """It refuses the labelling that it is the reason for; without a reason some path has the sum."""
    puzzle = parse(table)
    node, some = data.draw(st.sampled_from(sorted(puzzle.graph))), labellings(puzzle)
    label, paths = data.draw(st.sampled_from(some)), simple_paths(puzzle, node)
    for target in range(1, sum(puzzle.labels) + 1):
        reached = [other for other in some if any(length(other, path) == target for path in paths)]
        others = other_labels(puzzle, label, node, target)
        assert (others is None) == (label in reached)
        for other in [label, *reached] if others is not None else []:
            assert any(other[e] in labels for e, labels in others.items()) == (other != label)


def test_sums_leave_as_many_labels_as_edges() -> None:
    """Three labels that add up to 6 are 1 to 3, and two of them 3 to 5; other edges have the other labels."""
    edges = [["A", "B"], ["A", "C"], ["A", "D"], ["D", "E"], ["E", "F"]]
    bounds = Bounds(parse(header("bug_byte") | {"edges": edges, "endpoints": ["A", "F"], "sums": {"A": 6}}))
    assert list(bounds.labels.values()) == [(1, 3)] * 3 + [(4, 5)] * 2
    assert set(bounds.pairs.values()) == {(3, 5)} and len(bounds.pairs) == 6


@pytest.mark.parametrize(("given_label", "total", "left"), [(2, 8, [1, 3, 4]), (5, 13, [3, 4, 6])])
def test_a_given_label_is_not_in_sums_of_other_edges(given_label: int, total: int, left: list[int]) -> None:
    edges = [["A", "B"], ["A", "C"], ["A", "D"], ["D", "E", given_label], ["E", "F"], ["F", "G"]]
    table = {"edges": edges, "endpoints": ["A", "F"], "sums": {"A": total}}
    assert Bounds(parse(header("bug_byte") | table)).possible(("A", "B")) == left


def test_what_no_path_leaves_room_for_is_no_reason() -> None:
    """D-E is too large behind A-B-D and A-C-D: what the shorter leaves counts. Edges behind it do not."""
    label = dict(zip(["AC", "CD", "AB", "BD", "DE", "EF", "FG"], [3, 4, 1, 2, 6, 5, 7], strict=True))
    table = {"edges": [[*edge] for edge in label], "endpoints": ["A", "F"]}
    puzzle = parse(header("bug_byte") | table)
    others = other_labels(puzzle, {(u, v): label[u + v] for u, v in puzzle.edges}, "A", 8)
    assert others == {(*edge,): set(puzzle.labels) - {label[edge]} for edge in ("AC", "CD", "AB", "BD")} | {
        ("D", "E"): set(range(1, 6))
    }


@pytest.mark.parametrize(
    ("backend", "formulation"),
    [
        *(("cpsat", name) for name in ("half_reified", "textbook")),
        *(("milp", name) for name in ("half_reified", "textbook")),
        *(("asp", name) for name in ("flow", "textbook")),
    ],
)
def test_totals_beyond_a_solvers_integers_are_not_reached(
    lab: Lab, backend: str, formulation: str, tmp_path: Path
) -> None:
    path = tmp_path / "beyond.toml"
    head = 'puzzle = "bug_byte"\ntitle = "T"\nsource = "S"\nendpoints = ["A", "C"]\n'
    head += 'edges = [["A", "B"], ["B", "C"]]\n'
    for sums, paths in ((f"{{ B = {10**24} }}", "{}"), ("{}", f"{{ B = [{10**24}] }}")):
        path.write_text(f"{head}sums = {sums}\npaths = {paths}\n")
        row = lab.measure(path, backend, formulation, Task.COUNT)
        assert row.status == "infeasible", row
