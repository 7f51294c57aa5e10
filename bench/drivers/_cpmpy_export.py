"""CPMpy models as DIMACS and OPB, which CPMpy writes, and as FlatZinc, which MiniZinc writes."""

from collections.abc import Mapping, Sequence
from typing import Any

import cpmpy
from cpmpy.tools.io.annotate_bool import SugarAnnotator
from cpmpy.tools.io.dimacs import write_dimacs
from cpmpy.tools.io.opb import write_opb
from cpmpy.transformations.get_variables import get_variables

from bench.drivers._common import apart_by, comment
from models.shared.model import Model


def cnf(model: Model, head: Sequence[str]) -> str:
    """Returns the model in DIMACS."""
    annotator = _Annotator(model.decisions)
    text: str = write_dimacs(model.problem, p_header=True, header="", annotate_bool=annotator)
    return comment("c", [*head, *apart_by([str(number) for number in annotator.numbers])]) + text


def opb(model: Model, head: Sequence[str]) -> str:
    """Returns the model in OPB, whose first line has to be the one with the sizes."""
    annotator = _Annotator(model.decisions)
    sizes, rest = write_opb(model.problem, header="", annotate_bool=annotator).split("\n", 1)
    names = [f"x{number}" for number in annotator.numbers]
    return f"{sizes}\n{comment('*', [*head, *apart_by(names)])}{rest}\n"


def fzn(model: Model, solver: str, head: Sequence[str]) -> str:
    """Returns the model as MiniZinc flattens it for one of its solvers."""
    native: Any = cpmpy.SolverLookup.get(solver.replace("/", ":"), model.problem)
    names = [native.solver_var(decision) for decision in model.decisions]
    return comment("%", [*head, *apart_by(names)]) + str(native.flatzinc_string())


class _Annotator(SugarAnnotator):  # type: ignore[misc]
    """Names Boolean variables by what they say of an integer (`px=3`), and remembers those of the decisions.

    Attributes:
        numbers: of the variables in the file, counted from 1, that encode the decisions.
    """

    def __init__(self, decisions: Sequence[Any]):
        self.decisions = decisions
        self.numbers: list[int] = []

    def annotate(self, variables: list[Any], encodings: Mapping[str, Any]) -> list[str]:
        """Returns a name for each variable."""
        encoding = [
            encodings[decision.name].vars() if decision.name in encodings else decision
            for decision in self.decisions
        ]
        names = {variable.name for variable in get_variables(encoding)}
        self.numbers = [number for number, each in enumerate(variables, 1) if each.name in names]
        return list(super().annotate(variables, dict(encodings)))
