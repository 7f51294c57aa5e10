"""Checks in exact arithmetic that values of the columns satisfy a model in MPS. It needs Python alone:

python check_witness.py model-at-fault.mps witness.json
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

# The smallest and the largest value; None where there is no bound.
_Bounds = tuple[Fraction | None, Fraction | None]


@dataclass
class _Program:
    rows: dict[str, _Bounds] = field(default_factory=dict)
    columns: dict[str, _Bounds] = field(default_factory=dict)
    integers: set[str] = field(default_factory=set)
    coefficients: dict[str, dict[str, Fraction]] = field(default_factory=dict)


def read_mps(text: str) -> _Program:
    """Reads MPS in which no name has a space, without the objective."""
    program = _Program()
    kinds: dict[str, str] = {}
    sides: dict[str, dict[str, Fraction]] = {"RHS": {}, "RANGES": {}}
    section, integer, zero = "", False, Fraction(0)
    for line in text.splitlines():
        words = line.split()
        if not words or line.startswith("*"):
            continue
        if not line[0].isspace():
            section = words[0]
        elif section == "ROWS" and words[0] != "N":
            kinds[words[1]] = words[0]
            program.coefficients[words[1]] = {}
        elif section == "COLUMNS" and "'MARKER'" in words:
            integer = "'INTORG'" in words
        elif section == "COLUMNS":
            column = words[0]
            program.columns.setdefault(column, (zero, None))
            program.integers |= {column} if integer else set()
            for row, number in _numbers(words).items():
                if row in kinds:
                    program.coefficients[row][column] = number
        elif section in sides:
            sides[section] |= _numbers(words)
        elif section == "BOUNDS":
            kind, _, column, *numbers = words
            lower, upper = program.columns.get(column, (zero, None))
            value = Fraction(numbers[0] if numbers else 0)
            most = (None if value < 0 and lower == 0 else lower), value
            program.columns[column] = {
                "LO": (value, upper), "LI": (value, upper), "UP": most, "UI": most, "FX": (value, value),
                "FR": (None, None), "MI": (None, upper), "PL": (lower, None), "BV": (zero, Fraction(1)),
            }[kind]  # fmt: skip
            program.integers |= {column} if kind in ("BV", "LI", "UI") else set()
    for row, kind in kinds.items():
        side, span = sides["RHS"].get(row, zero), sides["RANGES"].get(row)
        if kind == "E":
            program.rows[row] = side + min(span or zero, zero), side + max(span or zero, zero)
        else:
            other = None if span is None else side - abs(span) if kind == "L" else side + abs(span)
            program.rows[row] = (other, side) if kind == "L" else (side, other)
    return program


def _numbers(words: list[str]) -> dict[str, Fraction]:
    """The numbers of a line by their names, before which it may have another name."""
    pairs = words[len(words) % 2 :]
    return {name: Fraction(number) for name, number in zip(pairs[::2], pairs[1::2], strict=True)}


def violations(program: _Program, values: Mapping[str, float | str], tolerance: float = 0) -> list[str]:
    """What the values violate by more than the tolerance, a line each; a text is a fraction, as in "1/3"."""
    exact = {column: Fraction(values[column]) for column in program.columns if column in values}
    if missing := sorted(program.columns.keys() - exact.keys()):
        return [f"column {missing[0]} has no value"]
    found = [f"column {column} = {exact[column]}" for column in sorted(program.integers) if exact[column] % 1]
    slack = Fraction(tolerance)
    rows = {
        row: sum((factor * exact[column] for column, factor in terms.items()), Fraction(0))
        for row, terms in program.coefficients.items()
    }
    for kind, bounds, reached in (("column", program.columns, exact), ("row", program.rows, rows)):
        for name, (lower, upper) in bounds.items():
            value = reached[name]
            if (lower is not None and value < lower - slack) or (upper is not None and value > upper + slack):
                found.append(f"{kind} {name} = {value}, not within {lower} to {upper}")
    return found


def main(model: str, witness: str) -> int:
    """Prints what the witness violates; returns the exit code."""
    program = read_mps(Path(model).read_text())
    found = violations(program, json.loads(Path(witness).read_text()))
    satisfied = f"all {len(program.rows)} rows and the bounds of all {len(program.columns)} columns"
    print("\n".join(found) or f"{witness} satisfies {satisfied} of {model}, in exact arithmetic.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
