"""What only the logs of solvers tell."""

import re

PRESOLVED = {
    "cbc": r"processed model has (?P<constraints>\d+) rows, (?P<variables>\d+) columns"
    r" .*and (?P<nonzeros>\d+) el",
    "scip": r"presolved problem has (?P<variables>\d+) variables .*and (?P<constraints>\d+) constraints",
    "cplex": r"Reduced MIP has (?P<constraints>\d+) rows, (?P<variables>\d+) columns,"
    r" and (?P<nonzeros>\d+) nonzeros",
    "gurobi": r"Presolved: (?P<constraints>\d+) rows, (?P<variables>\d+) columns, (?P<nonzeros>\d+) nonzeros",
    # Nothing of the kind if presolve proves infeasibility.
    "highs": r"Presolve reductions: rows (?P<constraints>\d+)\(.*columns (?P<variables>\d+)\("
    r".*nonzeros (?P<nonzeros>\d+)\(",
}
"""Where the log states what presolve leaves."""

NOTHING_LEFT = r"All rows and columns (eliminated|removed)"
"""What CPLEX and Gurobi say instead of zeros."""


def presolved_sizes(solver: str, log: str) -> dict[str, int]:
    """What presolve leaves in the first solve of a log, by the names of an Outcome; empty if not told."""
    if solver == "ortools":
        sizes = presolved_by_cpsat(log)
    else:
        found = re.search(PRESOLVED[solver], log) if solver in PRESOLVED else None
        sizes = {name: int(figure) for name, figure in found.groupdict().items()} if found else {}
        if not found and re.search(NOTHING_LEFT, log):
            sizes = dict.fromkeys(("variables", "constraints", "nonzeros"), 0)
    return {f"presolved_{name}": size for name, size in sizes.items()}


def presolved_by_cpsat(log: str) -> dict[str, int]:
    """The sizes in the block "Presolved ... model" of a CP-SAT log.

    The block has one line "#Variables: 1'234 (...)" and one line "#kBoolOr: 56 (...)" a constraint kind.
    """
    block = re.search(r"^Presolved .*?(?:\n\n|\Z)", log, re.MULTILINE | re.DOTALL)
    counts = {
        kind: int(number.replace("'", ""))
        for kind, number in re.findall(
            r"^#(Variables|k\w+): ([\d']+)", block[0] if block else "", re.MULTILINE
        )
    }
    if "Variables" not in counts:
        return {}
    variables = counts.pop("Variables")
    return {"variables": variables, "constraints": sum(counts.values())}


def scip_nodes(log: str) -> int | None:
    """The nodes of all solves in a SCIP log: "Solving Nodes : 12 (total of 15 nodes in 2 runs)"."""
    found = re.findall(r"^Solving Nodes +: (\d+)(?: \(total of (\d+))?", log, re.MULTILINE)
    return sum(int(total or nodes) for nodes, total in found) if found else None
