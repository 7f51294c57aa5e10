"""Knight Moves for clingo; asp.lp states the rules, model.md the formulations.

Constraints: cardinality, sum
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from models.knight_moves.backtrack import possible_visits
from models.knight_moves.puzzle import KnightMoves
from models.knight_moves.visits import Visits, known_empty, known_sums, orbits, stated_visits, views_from_ends
from models.shared.asp import LogicProgram, fact
from models.shared.model import Model, by_name, from_atoms, reasoned

RULES = Path(__file__).with_name("asp.lp")


@reasoned(possible_visits)
def visits(puzzle: KnightMoves, possible: Visits) -> Model:
    """The numbers that the clues leave to each cell; the next number is a move away as well."""
    return _model(puzzle, possible, ["onward"])


def textbook(puzzle: KnightMoves) -> Model:
    """A number for each cell; the one before it is a move away."""
    return _model(puzzle, stated_visits(puzzle), [])


def _model(puzzle: KnightMoves, possible: Visits, parts: Sequence[str]) -> Model:
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
    return Model(LogicProgram(RULES, facts, parts), from_atoms(puzzle))


FORMULATIONS = by_name(visits, textbook)
