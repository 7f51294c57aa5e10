"""The moves of the die as a time-expanded network, for the models; the checker rolls its own die.

The score after a move equals the value of the cell, so the Nth move from cell i to k shows a face with the
value (value of k - value of i) / N, whatever came before. What a later move needs to know is the moment,
the cell, and how the die lies: a node (N, cell, die). An arc is one move; it shows one face, by its place
in the starting position, with one value. A solution is a path of arcs from the start to the end on which
no face shows two values.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from models.die_agony.puzzle import DieAgony
from models.shared.grid import Cell

Die = tuple[int, ...]
"""The faces, by their places in the starting position, that lie on top, bottom, north, south, west, east."""

TURNS = {
    (-1, 0): (3, 2, 0, 1, 4, 5),
    (1, 0): (2, 3, 1, 0, 4, 5),
    (0, -1): (5, 4, 2, 3, 0, 1),
    (0, 1): (4, 5, 2, 3, 1, 0),
}
"""For each direction, the place from which the face comes that is then on top, bottom, ..."""

Node = tuple[int, Cell, Die]

Shown = tuple[frozenset[Fraction | None], ...]
"""For each face the values that it can have shown; None stands for not at all."""

NOTHING: Shown = (frozenset([None]),) * 6


@dataclass(frozen=True)
class Arc:
    """One move; it is the `number`th, and shows `face` with `value`."""

    source: Node
    target: Node
    face: int
    value: Fraction

    @property
    def number(self) -> int:
        """Which move it is, from 1."""
        return self.target[0]


def in_order(arc: Arc) -> tuple[int, Node, Node]:
    """Sorts arcs by their moves."""
    return arc.number, arc.source, arc.target


@cache
def tip(die: Die, direction: tuple[int, int]) -> Die:
    """How the die lies after tipping in a direction."""
    return tuple(die[place] for place in TURNS[direction])


def start(puzzle: DieAgony) -> Node:
    """The die before its first move."""
    return 0, puzzle.start, tuple(range(6))


def moves(puzzle: DieAgony, node: Node) -> list[Arc]:
    """The moves out of a node, each with the value that its face must have."""
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
                arcs.append(Arc(node, (number + 1, (r, c), rolled), rolled[0], value))
    return arcs


def network(puzzle: DieAgony) -> list[Arc]:
    """The arcs that lie on some path from the start to the end, in the order of their moves."""
    layers: list[list[Arc]] = []
    nodes = {start(puzzle)}
    while nodes:
        layers.append([arc for node in nodes for arc in moves(puzzle, node)])
        nodes = {arc.target for arc in layers[-1]}
    kept: list[Arc] = []
    useful: set[Node] = set()
    for layer in reversed(layers):
        through = [arc for arc in layer if arc.target in useful or arc.target[1] == puzzle.end]
        useful = {arc.source for arc in through}
        kept += through
    return sorted(kept, key=in_order)


def consistent(puzzle: DieAgony) -> list[Arc]:
    """The arcs of the network that no face contradicts, as far as sets of values tell.

    For each node and face: the values that the face can have shown on the way from the start, and those that
    it can still show on the way to the end. An arc stays if its value can agree with what was shown before
    and will be shown later, and the two agree on the other faces. What the way from the start contradicts is
    never made: a large network would take longer to make than to prune.
    """
    leaving: Callable[[Node], list[Arc]] = partial(moves, puzzle)
    while True:
        before, reached = forward(puzzle, leaving)
        arcs = backward(puzzle, before, reached)
        if len(arcs) == len(reached):
            return sorted(arcs, key=in_order)
        by_source = defaultdict(list)
        for arc in arcs:
            by_source[arc.source].append(arc)
        leaving = by_source.__getitem__


def forward(puzzle: DieAgony, leaving: Callable[[Node], list[Arc]]) -> tuple[dict[Node, Shown], list[Arc]]:
    """What can have been shown before each node, and the arcs that agree with it, move by move."""
    before: dict[Node, Shown] = {}
    reached = []
    layer = {start(puzzle): NOTHING}
    while layer:
        before |= layer
        following: dict[Node, Shown] = {}
        for node, shown in layer.items():
            for arc in leaving(node):
                if shown[arc.face] & {None, arc.value}:
                    following[arc.target] = merge(following.get(arc.target), shown, arc)
                    reached.append(arc)
        layer = following
    return before, reached


def backward(puzzle: DieAgony, before: dict[Node, Shown], reached: list[Arc]) -> list[Arc]:
    """The arcs that also agree with what will be shown on the way to the end, the last move first."""
    after: dict[Node, Shown] = {}
    kept = []
    for arc in reversed(reached):
        shown = NOTHING if arc.target[1] == puzzle.end else after.get(arc.target)
        if shown and shown[arc.face] & {None, arc.value} and agree(before[arc.source], shown, arc.face):
            after[arc.source] = merge(after.get(arc.source), shown, arc)
            kept.append(arc)
    return kept


def merge(known: Shown | None, shown: Shown, arc: Arc) -> Shown:
    """What can have been shown at a node, once an arc adds what it shows to what was shown before it."""
    added = tuple(frozenset([arc.value]) if face == arc.face else values for face, values in enumerate(shown))
    return added if known is None else tuple(a | b for a, b in zip(known, added, strict=True))


def agree(before: Shown, after: Shown, but: int) -> bool:
    """Whether each face but one can show the same before and after, or nothing on one side."""
    return all(
        None in a or None in b or not a.isdisjoint(b)
        for face, (a, b) in enumerate(zip(before, after, strict=True))
        if face != but
    )


def path_of(puzzle: DieAgony, arcs: list[Arc]) -> tuple[list[Cell], dict[int, Fraction]]:
    """The cells and the faces of a path, from its arcs in any order."""
    ordered = sorted(arcs, key=lambda arc: arc.number)
    return [puzzle.start, *(arc.target[1] for arc in ordered)], {arc.face: arc.value for arc in ordered}
