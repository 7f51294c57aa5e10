"""Bug Byte for a search in C, search.c, which states the rules, the propagation and the search.

The lines of the instance, nodes and edges numbered from 0 in the order of the instance file:
    how many nodes, edges, sums, and listed numbers there are
    of each edge its two nodes, and its given label or 0
    of each sum its node, and the total
    of each listed number its node, and the number
A solution is the label of each edge.

It is the search of backtrack.py: with seed 1 branches, failures and propagations are the same.

Constraints: all different (by assigned labels and labels with one place left), sum, disjunction of sums (both
by bounds)
"""

from pathlib import Path

from models.bug_byte.puzzle import BugByte
from models.shared.model import Model, by_name, from_integers
from models.shared.native import NativeInput, numbered

SEARCH = Path(__file__).with_name("search.c")


def propagation(puzzle: BugByte) -> Model:
    """The edge with the fewest labels first."""
    node = numbered(puzzle.graph)
    # Stands for all totals beyond the bounds of any edges, as those may have more than 64 bits.
    unreachable = puzzle.size**2 + 1
    totals = [(node[name], total) for name, total in puzzle.sums.items()]
    lines = [
        (len(node), puzzle.size, len(totals), len(puzzle.listed)),
        *((node[u], node[v], puzzle.givens.get((u, v), 0)) for u, v in puzzle.edges),
        *((n, total if 0 < total < unreachable else unreachable) for n, total in totals),
        *((node[name], min(number, unreachable)) for name, number in puzzle.listed),
    ]
    return Model(NativeInput(SEARCH, lines, puzzle.size), from_integers(puzzle, numbered(puzzle.edges)))


FORMULATIONS = by_name(propagation)
