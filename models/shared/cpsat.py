"""For CP-SAT: literals of what cells hold, and of equations; a model that is stated in bulk."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Protocol, SupportsIndex, TypeVar

from ortools.sat.python import cp_model, cp_model_helper

from models.shared.grid import Cell
from models.shared.model import Model, Values
from models.shared.puzzle import Solution

Key = TypeVar("Key")


class Literal(SupportsIndex, Protocol):
    """The number of a binary variable, `variable.index`, or `~number` for its negation.

    For mypy it is no `int`, which OR-Tools would take for a constant.
    """

    def __invert__(self) -> "Literal":
        """Returns the negation."""
        ...


Holds = dict[Cell, dict[int, Literal]]
Term = tuple[int, Literal]
"""A coefficient, and a literal or the number of an integer variable."""


class BulkModel:
    """A model whose constraints on literals are kept as text, until CP-SAT reads all of them at once.

    That needs 0.6 to 0.7 of the time of its functions, whose names they have. The rest goes to `cp`.
    """

    def __init__(self) -> None:
        self._model = cp_model.CpModel()
        self._waiting: list[str] = []
        # A template by length is filled in five sixths of the time in which a list is written.
        self._clause = cache(lambda length: f"{{bool_or{{literals:[{','.join(['%s'] * length)}]}}}}")
        self._negations = cache(lambda literals: "".join(f",{~literal}" for literal in literals))

    @property
    def cp(self) -> cp_model.CpModel:
        """The model for CP-SAT, with all that has been added so far."""
        if self._waiting:
            self._read("constraints", self._waiting)
            self._waiting.clear()
        return self._model

    def _read(self, field: str, messages: Iterable[str]) -> None:
        if not self._model.proto.merge_text_format(f"{field}:[{','.join(messages)}]"):
            raise ValueError("a name has quotes, or a literal is no number: CP-SAT has printed where")

    def as_model(self, decode: Callable[[Values], Solution]) -> Model:
        """Returns the model of a puzzle, of which `decode` reads literals."""
        variable = cache(self.variable)
        return Model(self.cp, lambda value: decode(lambda literal: value(variable(literal))))

    def variable(self, literal: Literal) -> cp_model_helper.Literal:
        """Returns a literal as OR-Tools has it."""
        number = int(literal)
        found = self._model.get_bool_var_from_proto_index(max(number, ~number))
        return found if number >= 0 else ~found

    def new_bool_vars(self, names: Mapping[Key, str]) -> dict[Key, Literal]:
        """Adds binary variables with these names."""
        first = len(self._model.proto.variables)
        self._read("variables", [f'{{name:"{name}"domain:[0,1]}}' for name in names.values()])
        return dict(zip(names, range(first, first + len(names)), strict=True))

    def literals(self, domains: Mapping[Cell, Collection[int]]) -> Holds:
        """Adds a literal holds[i][v] for each cell i and each value v of its domain."""
        found = self.new_bool_vars({(i, v): f"{i} is {v}" for i, values in domains.items() for v in values})
        return {i: {v: found[i, v] for v in values} for i, values in domains.items()}

    def add_bool_or(self, *literals: Literal) -> None:
        """Adds that some are true."""
        self._waiting.append(self._clause(len(literals)) % literals)

    def add_conjunctions(self, equal: Mapping[Literal, tuple[Literal, ...]], only_if: Literal) -> None:
        """Adds that each literal is true if and only if all its parts are, if `only_if` is true."""
        begin = f"{{bool_or{{literals:[{~only_if},"
        for literal, parts in equal.items():
            for part in parts:
                self._waiting.append(f"{begin}{~literal},{part}]}}}}")
            self._waiting.append(f"{begin}{literal}{self._negations(parts)}]}}}}")

    def add_exactly_one(self, *literals: Literal) -> None:
        """Adds that one is true."""
        self._waiting.append(f"{{exactly_one{{literals:{[*literals]!s}}}}}")

    def add_at_most_one(self, *literals: Literal) -> None:
        """Adds that one is true or none."""
        self._waiting.append(f"{{at_most_one{{literals:{[*literals]!s}}}}}")

    def add_implication(self, a: Literal, b: Literal) -> None:
        """Adds that b is true if a is."""
        self._waiting.append(f"{{enforcement_literal:{a} bool_and{{literals:{b}}}}}")

    def add_sum(self, terms: Iterable[Term], total: int, only_if: Literal | None = None) -> None:
        """Adds that terms sum to a total, if the literal `only_if` is true."""
        factors: dict[int, int] = {}
        for factor, literal in terms:
            number = int(literal)
            if number < 0:  # A negation is 1 less its variable.
                total, factor, number = total - factor, -factor, ~number
            factors[number] = factors.get(number, 0) + factor
        # OR-Tools has them in this order.
        numbers = sorted(number for number, factor in factors.items() if factor)
        linear = f"vars:{numbers}coeffs:{[factors[number] for number in numbers]}domain:[{total},{total}]"
        enforced = "" if only_if is None else f"enforcement_literal:{only_if} "
        self._waiting.append(f"{{{enforced}linear{{{linear}}}}}")


def literals(
    model: cp_model.CpModel, domains: Mapping[Cell, Iterable[int]]
) -> dict[Cell, dict[int, cp_model.IntVar]]:
    """Adds a literal holds[i][v] for each cell i and each value v of its domain."""
    add, boolean = model.new_int_var_from_domain, cp_model.Domain(0, 1)
    return {i: {v: add(boolean, f"{i} is {v}") for v in values} for i, values in domains.items()}


def equal(
    model: cp_model.CpModel, a: cp_model.LinearExprT, b: cp_model.LinearExprT, name: str = ""
) -> cp_model.IntVar:
    """Adds a literal that is true if and only if a = b."""
    literal = model.new_bool_var(name or f"{a} = {b}")
    model.add(a == b).only_enforce_if(literal)
    model.add(a != b).only_enforce_if(~literal)
    return literal
