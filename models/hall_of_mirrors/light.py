"""The ways that the light of a laser can take, by its number: states that follow each other, and paths."""

from collections.abc import Iterator
from typing import NamedTuple

from models.hall_of_mirrors.puzzle import INWARDS, HallOfMirrors
from models.shared.grid import Cell
from models.shared.sides import Side, line_from

EMPTY, RISING, FALLING = range(3)
"""What a cell holds, in the order of SIGNS: no mirror, `/` or `\\`."""

Clue = tuple[Side, int]

Path = dict[Cell, int]
"""What the cells hold through which the light goes."""


class State(NamedTuple):
    """The light comes to the middle of a cell.

    Attributes:
        step: that from the cell before, or from the dot.
        length: of the segment so far.
        left: the product of the lengths of this segment and of all after it.
    """

    cell: Cell
    step: Cell
    length: int
    left: int


Network = dict[State, dict[int, State | None]]
"""For each state and what its cell may hold, the state that follows; None for a dot."""


def following(n: int, state: State) -> dict[int, State | None]:
    """What can follow, in a grid of n x n cells; where nothing does, the number would be another."""
    (r, c), (dr, dc), length, left = state
    inside = range(n)
    ways = [(EMPTY, (dr, dc), length + 1, left)]
    # After one step from a mirror there is no other: they never stand side by side.
    if left % length == 0 and (length > 1 or r - dr not in inside or c - dc not in inside):
        ways += [(RISING, (-dc, -dr), 1, left // length), (FALLING, (dc, dr), 1, left // length)]
    found: dict[int, State | None] = {}
    for value, (dy, dx), longer, rest in ways:
        if r + dy in inside and c + dx in inside:
            if longer <= rest:
                found[value] = State((r + dy, c + dx), (dy, dx), longer, rest)
        elif longer == rest:
            found[value] = None
    return found


def start(puzzle: HallOfMirrors, clue: Clue) -> State:
    """The first state of a laser with a number."""
    first = line_from(*clue, puzzle.height, puzzle.width)[0]
    return State(first, INWARDS[clue[0]], 1, puzzle.clues[clue])


def network(puzzle: HallOfMirrors, clue: Clue, dead_ends: bool = True) -> Network:
    """The states in which the light of a laser can be; or only those that lead to a dot.

    The network has no cycle: of all segments only the first and the last can have length 1, so `left` falls.
    """
    found: Network = {}

    def leads(state: State | None) -> bool:
        if state and state not in found:
            ways = following(puzzle.height, state).items()
            found[state] = {value: after for value, after in ways if leads(after) or dead_ends}
        return state is None or bool(found[state])

    leads(start(puzzle, clue))
    return {state: ways for state, ways in found.items() if ways or dead_ends}


def paths(puzzle: HallOfMirrors, clue: Clue) -> Iterator[Path]:
    """Yields each path of a laser that gives its number and has no mirrors side by side: depth-first."""
    ways = network(puzzle, clue, dead_ends=False)
    waiting: list[tuple[State, Path]] = [(start(puzzle, clue), {})]
    while waiting:
        state, path = waiting.pop()
        for value, after in ways.get(state, {}).items():
            # Where it was before, the cell holds what it held.
            beside = puzzle.near[state.cell] if value != EMPTY else ()
            if path.get(state.cell, value) == value and not any(path.get(i) for i in beside):
                longer = path | {state.cell: value}
                if after:
                    waiting.append((after, longer))
                else:
                    yield longer


def all_paths(puzzle: HallOfMirrors) -> dict[Clue, list[Path]]:
    """The paths of each laser with a number."""
    return {clue: list(paths(puzzle, clue)) for clue in puzzle.clues}
