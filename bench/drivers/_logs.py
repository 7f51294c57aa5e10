"""Figures that solvers give only in their logs."""

import re
from collections.abc import Callable
from dataclasses import dataclass

NOTHING_LEFT = r"All rows and columns (eliminated|removed)"
"""What CPLEX and Gurobi write instead of zeros."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the presolved model in the first solve, named as in Outcome; None if the log lacks them."""

    presolved_variables: int | None = None
    presolved_constraints: int | None = None
    presolved_nonzeros: int | None = None


def sizes_by(pattern: str) -> Callable[[str], Sizes]:
    """Returns a reader of logs that give sizes as the groups `variables`, `constraints` and `nonzeros`."""

    def read(log: str) -> Sizes:
        if found := re.search(pattern, log):
            return Sizes(**{f"presolved_{name}": int(size) for name, size in found.groupdict().items()})
        return Sizes(0, 0, 0) if re.search(NOTHING_LEFT, log) else Sizes()

    return read


cbc_sizes = sizes_by(
    r"processed model has (?P<constraints>\d+) rows, (?P<variables>\d+) columns .*and (?P<nonzeros>\d+) el"
)
scip_sizes = sizes_by(
    r"presolved problem has (?P<variables>\d+) variables .*and (?P<constraints>\d+) constraints"
)
cplex_sizes = sizes_by(
    r"Reduced MIP has (?P<constraints>\d+) rows, (?P<variables>\d+) columns, and (?P<nonzeros>\d+) nonzeros"
)
gurobi_sizes = sizes_by(
    r"Presolved: (?P<constraints>\d+) rows, (?P<variables>\d+) columns, (?P<nonzeros>\d+) nonzeros"
)
# The line is absent if presolve proves infeasibility.
highs_sizes = sizes_by(
    r"Presolve reductions: rows (?P<constraints>\d+)\(.*columns (?P<variables>\d+)\("
    r".*nonzeros (?P<nonzeros>\d+)\("
)


def cpsat_sizes(log: str) -> Sizes:
    """Returns the sizes in the block "Presolved ... model" of a CP-SAT log.

    The block has one line "#Variables: 1'234 (...)" and one line "#kBoolOr: 56 (...)" per kind of constraint.
    """
    block = re.search(r"^Presolved .*?(?:\n\n|\Z)", log, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^#(Variables|k\w+): ([\d']+)", block[0] if block else "", re.MULTILINE)
    counts = {kind: int(number.replace("'", "")) for kind, number in found}
    if "Variables" not in counts:
        return Sizes()
    return Sizes(counts.pop("Variables"), sum(counts.values()))


def scip_nodes(log: str) -> int | None:
    """Returns the nodes of all solves in a SCIP log: "Solving Nodes : 12 (total of 15 nodes in 2 runs)"."""
    found = re.findall(r"^Solving Nodes +: (\d+)(?: \(total of (\d+))?", log, re.MULTILINE)
    return sum(int(total or nodes) for nodes, total in found) if found else None
