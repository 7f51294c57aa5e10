"""The moves of the die as a time-expanded network; for the models only, the checker rolls its own die.

A node (n, cell, die) says that after n moves the die is in the cell and lies in this way. An arc is a move
from node to node, which shows a value on a face, named by its place in the starting position. A solution is a
path of arcs from the start to any node of the last cell on which no face shows two values.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple

from models.die_agony.puzzle import DieAgony
from models.shared.grid import Cell
from models.shared.model import Values
from models.shared.puzzle import Solution

Die = tuple[int, ...]
"""The faces, by their places in the starting position, that lie on top, bottom, north, south, west, east."""

TURNS = {
    (-1, 0): (3, 2, 0, 1, 4, 5),
    (1, 0): (2, 3, 1, 0, 4, 5),
    (0, -1): (5, 4, 2, 3, 0, 1),
    (0, 1): (4, 5, 2, 3, 1, 0),
}
"""For each direction, the place from which the face comes that is then on top, bottom, ..."""


class Node(NamedTuple):
    """The die after so many moves."""

    moves: int
    cell: Cell
    die: Die


class Arc(NamedTuple):
    """One move, which shows a face with a value. Arcs sort by the number of the move."""

    source: Node
    target: Node
    face: int
    value: Fraction

    @property
    def number(self) -> int:
        """Which move it is, from 1."""
        return self.target.moves


Shown = tuple[frozenset[Fraction | None], ...]
"""For each face the values that it may have shown; None stands for not at all."""

NOTHING: Shown = (frozenset([None]),) * 6


@cache
def tip(die: Die, direction: tuple[int, int]) -> Die:
    """How the die lies after tipping in a direction."""
    return tuple(die[place] for place in TURNS[direction])


def start(puzzle: DieAgony) -> Node:
    """The die before its first move."""
    return Node(0, puzzle.start, tuple(range(6)))


def moves(puzzle: DieAgony, node: Node) -> list[Arc]:
    """The moves out of a node, each with the value that its face must have; none out of the end."""
    number, (row, column), die = node
    if (row, column) == puzzle.end or number == puzzle.max_moves:
        return []
    score = puzzle.grid[row][column] if number else 0
    arcs = []
    for dr, dc in TURNS:
        r, c = row + dr, column + dc
        if 0 <= r < len(puzzle.grid) and 0 <= c < len(puzzle.grid[0]):
            value = Fraction(puzzle.grid[r][c] - score, number + 1)
            if puzzle.faces == "rational" or value.denominator == 1:
                rolled = tip(die, (dr, dc))
                arcs.append(Arc(node, Node(number + 1, (r, c), rolled), rolled[0], value))
    return arcs


def all_arcs(puzzle: DieAgony) -> list[Arc]:
    """The arcs of all walks of `max_moves` moves over a grid of this shape, whatever its values; sorted.

    If faces are integers, arcs that would show a fraction are left out.
    """
    any_value = replace(puzzle, faces="rational")
    nodes, arcs = {start(puzzle)}, list[Arc]()
    while nodes:
        layer = [arc for node in nodes for arc in moves(any_value, node)]
        nodes = {arc.target for arc in layer}
        arcs += [arc for arc in layer if puzzle.faces == "rational" or arc.value.denominator == 1]
    return sorted(arcs)


def consistent_arcs(puzzle: DieAgony) -> list[Arc]:
    """The arcs on paths that no face contradicts, as far as sets of values can tell, sorted.

    Naively: the largest subset of the arcs of all paths from the start to the end in which each arc agrees
    with the paths of the subset that take it. Let before[f] be the set of the last values that face f shows
    on these paths before the arc, after[f] that of the first values after it, with None for a path on which f
    does not show. An arc that shows v on f agrees if before[f] and after[f] have v or None, and before[g] and
    after[g] have a value in common, or one of them has None, for each other face g.
    All arcs of all solutions are in this subset.
    """
    leaving: Callable[[Node], list[Arc]] = partial(moves, puzzle)
    while True:
        before, reached = _forward(puzzle, leaving)
        arcs = _backward(puzzle, before, reached)
        if len(arcs) == len(reached):
            return sorted(arcs)
        by_source = defaultdict(list)
        for arc in arcs:
            by_source[arc.source].append(arc)
        leaving = by_source.__getitem__


def _forward(puzzle: DieAgony, leaving: Callable[[Node], list[Arc]]) -> tuple[dict[Node, Shown], list[Arc]]:
    """The last values that the faces may show before each node, and the arcs that agree, move by move."""
    before: dict[Node, Shown] = {}
    reached = []
    layer = {start(puzzle): NOTHING}
    while layer:
        before |= layer
        following: dict[Node, Shown] = {}
        for node, shown in layer.items():
            for arc in leaving(node):
                if shown[arc.face] & {None, arc.value}:
                    following[arc.target] = _with_arc(following.get(arc.target), shown, arc)
                    reached.append(arc)
        layer = following
    return before, reached


def _backward(puzzle: DieAgony, before: dict[Node, Shown], reached: list[Arc]) -> list[Arc]:
    """The arcs that also agree with the first values that the faces may show on the way to the end."""
    after: dict[Node, Shown] = {}
    kept = []
    for arc in reversed(reached):
        shown = NOTHING if arc.target.cell == puzzle.end else after.get(arc.target)
        if not shown or not shown[arc.face] & {None, arc.value}:
            continue
        # Each other face may show the same before and after, or nothing on one side.
        both = enumerate(zip(before[arc.source], shown, strict=True))
        if all(f == arc.face or None in a or None in b or not a.isdisjoint(b) for f, (a, b) in both):
            after[arc.source] = _with_arc(after.get(arc.source), shown, arc)
            kept.append(arc)
    return kept


def _with_arc(known: Shown | None, shown: Shown, arc: Arc) -> Shown:
    """Adds to `known` of one node what `shown` at an arc's other node becomes when the arc shows its face."""
    added = tuple(frozenset([arc.value]) if face == arc.face else values for face, values in enumerate(shown))
    return added if known is None else tuple(a | b for a, b in zip(known, added, strict=True))


def solution_of(puzzle: DieAgony, path: Iterable[Arc]) -> Solution:
    """The solution whose path takes these arcs, which may come in any order."""
    ordered = sorted(path)
    cells = [puzzle.start, *(arc.target.cell for arc in ordered)]
    return puzzle.solution(cells, {arc.face: arc.value for arc in ordered})


def from_arcs(puzzle: DieAgony, arc: Mapping[Arc, Any]) -> Callable[[Values], Solution]:
    """Decodes binary variables: the path takes the arcs e for which arc[e] is 1."""
    return lambda value: solution_of(puzzle, (e for e, variable in arc.items() if value(variable)))
