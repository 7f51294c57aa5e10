"""Knight Moves for clingo; asp.lp states the rules.

`visits`: a number is chosen for each cell; those before and after it are a knight's move away.

`path`: a move is chosen for each number, from the cell that has it to one that has no number yet.

Constraints: cardinality, sum
"""

from itertools import pairwise
from pathlib import Path

from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import known_empty, known_sums, orbits, possible_visits, views_from_ends
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name

RULES = Path(__file__).with_name("asp.lp")


def visits(puzzle: KnightMoves) -> Model:
    """A choice for each cell."""
    return _model(puzzle, "visits")


def path(puzzle: KnightMoves) -> Model:
    """A choice for each number."""
    return _model(puzzle, "path")


def _model(puzzle: KnightMoves, part: str) -> Model:
    possible = possible_visits(puzzle)
    facts = [fact("number", i, t) for i, numbers in possible.numbers.items() for t in numbers]
    facts += [fact("length", T) for T in possible.lengths]
    sums, empty = known_sums(puzzle, possible.lengths), known_empty(puzzle, possible.lengths)
    for group, (cells, _) in enumerate(sums + empty):
        facts += [fact("member", group, i) for i in cells]
    for name, first, groups in (("sum", 0, sums), ("empty", len(sums), empty)):
        for group, (_, of_length) in enumerate(groups, first):
            facts += [fact(name, group, T, number) for T, number in of_length.items()]
    if puzzle.rotation:
        turns = [turn for orbit in orbits(puzzle.side) for turn in pairwise([*orbit, orbit[0]])]
        facts += [fact("turn", *turn) for turn in turns]
    for end, (view, number) in enumerate(views_from_ends(puzzle)):
        facts += [fact("shown", end, number), *(fact("view", end, p, i) for p, i in enumerate(view))]
    return Model(
        LogicProgram(RULES, facts, [part]),
        lambda value: puzzle.solution(dict(value("holds")).__getitem__),
    )


FORMULATIONS = by_name(visits, path)
