"""Bug Byte in CPMpy, for any of its solvers; model.md states the constraint program.

Constraints: all different, linear, disjunction of linear
"""

import cpmpy

from models.bug_byte.puzzle import BugByte
from models.bug_byte.routes import simple_paths
from models.shared.model import Model, by_name, from_integers


def textbook(puzzle: BugByte) -> Model:
    """Integers, all different, with a disjunction of equations for each listed number."""
    model = cpmpy.Model()

    # Each edge has one label.
    x = {e: cpmpy.intvar(min(labels), max(labels)) for e, labels in puzzle.domains.items()}

    # Each label is on one edge.
    model += cpmpy.AllDifferent(list(x.values()))

    # The labels at a node add up to its sum.
    for node, total in puzzle.sums.items():
        model += cpmpy.sum(x[e] for e in puzzle.edges_at(node)) == total

    # Some simple path from the node adds up to each number that is listed there.
    for node, number in puzzle.listed:
        model += cpmpy.any(cpmpy.sum(x[e] for e in path) == number for path in simple_paths(puzzle, node))

    return Model(model, from_integers(puzzle, x), decisions=list(x.values()))


FORMULATIONS = by_name(textbook)
