"""Checks, in exact arithmetic and without a solver, that values of the columns satisfy a model in MPS.

It stands beside the evidence as a script, which needs Python alone:

    python check_witness.py model-at-fault.mps witness.json
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

Bounds = tuple[Fraction | None, Fraction | None]
"""The smallest and the largest value; None where there is no bound."""


@dataclass
class Program:
    """A model in MPS, without its objective."""

    rows: dict[str, Bounds] = field(default_factory=dict)
    columns: dict[str, Bounds] = field(default_factory=dict)
    integers: set[str] = field(default_factory=set)
    coefficients: dict[str, dict[str, Fraction]] = field(default_factory=dict)


def read_mps(text: str) -> Program:
    """Reads MPS in which no name has a space."""
    program = Program()
    kinds: dict[str, str] = {}
    section, integer = "", False
    for line in text.splitlines():
        words = line.split()
        if not words or line.startswith("*"):
            continue
        if not line[0].isspace():
            section = words[0]
        elif section == "ROWS":
            kind, row = words
            kinds[row] = kind
            if kind != "N":
                program.rows[row] = _bounds_of(kind, Fraction(0))
                program.coefficients[row] = {}
        elif section == "COLUMNS" and "'MARKER'" in words:
            integer = "'INTORG'" in words
        elif section == "COLUMNS":
            column, *pairs = words
            program.columns.setdefault(column, (Fraction(0), None))
            if integer:
                program.integers.add(column)
            for row, number in _in_pairs(pairs):
                if row in program.rows:
                    program.coefficients[row][column] = number
        elif section == "RHS":
            for row, number in _in_pairs(words[len(words) % 2 :]):
                if row in program.rows:
                    program.rows[row] = _bounds_of(kinds[row], number)
        elif section == "RANGES":
            for row, number in _in_pairs(words[len(words) % 2 :]):
                program.rows[row] = _widened(kinds[row], program.rows[row], number)
        elif section == "BOUNDS":
            kind, _, column, *numbers = words
            value = Fraction(numbers[0]) if numbers else Fraction(0)
            before = program.columns.get(column, (Fraction(0), None))
            program.columns[column] = _bounded(kind, before, value)
            if kind in ("BV", "LI", "UI"):
                program.integers.add(column)
    return program


def _in_pairs(words: list[str]) -> list[tuple[str, Fraction]]:
    """The names and numbers of a line."""
    return [(name, Fraction(number)) for name, number in zip(words[::2], words[1::2], strict=True)]


def _bounds_of(kind: str, side: Fraction) -> Bounds:
    """The bounds of a row by its kind and right-hand side."""
    return (None if kind == "L" else side, None if kind == "G" else side)


def _widened(kind: str, bounds: Bounds, span: Fraction) -> Bounds:
    """The bounds of a row with a range."""
    lower, upper = bounds
    if kind == "E":
        side = lower or Fraction(0)
        return min(side, side + span), max(side, side + span)
    return (upper - abs(span), upper) if upper is not None else (lower, (lower or 0) + abs(span))


def _bounded(kind: str, bounds: Bounds, value: Fraction) -> Bounds:
    """The bounds of a column after one more line of bounds."""
    lower, upper = bounds
    if kind in ("UP", "UI"):
        return (None if value < 0 and lower == 0 else lower), value
    return {
        "LO": (value, upper), "LI": (value, upper), "FX": (value, value), "FR": (None, None),
        "MI": (None, upper), "PL": (lower, None), "BV": (Fraction(0), Fraction(1)),
    }[kind]  # fmt: skip


def violations(program: Program, values: Mapping[str, float | str], tolerance: float = 0) -> list[str]:
    """What the values violate, a line each: rows, bounds, and that integer columns are whole numbers.

    Args:
        values: by column; a text is a fraction, as in "1/3".
        tolerance: by how much a row or a bound may be violated.
    """
    slack = Fraction(tolerance)
    exact = {column: Fraction(values[column]) for column in program.columns if column in values}
    if missing := sorted(program.columns.keys() - exact.keys()):
        return [f"column {missing[0]} has no value"]
    found = [f"column {column} = {exact[column]}" for column in sorted(program.integers) if exact[column] % 1]
    for column, bounds in program.columns.items():
        if not _within(bounds, exact[column], slack):
            found.append(f"column {column} = {exact[column]}, bounds {_shown(bounds)}")
    for row, bounds in program.rows.items():
        activity = sum((a * exact[column] for column, a in program.coefficients[row].items()), Fraction(0))
        if not _within(bounds, activity, slack):
            found.append(f"row {row} = {activity}, bounds {_shown(bounds)}")
    return found


def satisfies(target: Any, values: Mapping[str, float], tolerance: float = 0) -> bool:
    """Whether values that a solver gave satisfy the model of the target, by a tolerance."""
    program = read_mps(Path(target.model).read_text())
    # Solvers give floats, those of integer columns nearly whole.
    nearest = {name: round(value) for name, value in values.items() if name in program.integers}
    return not violations(program, {**values, **nearest}, tolerance)


def _within(bounds: Bounds, value: Fraction, slack: Fraction) -> bool:
    """Whether a value is within its bounds."""
    lower, upper = bounds
    return (lower is None or lower <= value + slack) and (upper is None or value <= upper + slack)


def _shown(bounds: Bounds) -> str:
    """Bounds for people."""
    lower, upper = bounds
    return f"{'-inf' if lower is None else lower} to {'inf' if upper is None else upper}"


def main(model: str, witness: str) -> int:
    """Prints what the witness violates; returns the exit code."""
    program = read_mps(Path(model).read_text())
    found = violations(program, json.loads(Path(witness).read_text()))
    satisfied = f"all {len(program.rows)} rows and the bounds of all {len(program.columns)} columns"
    print("\n".join(found) or f"{witness} satisfies {satisfied} of {model}, in exact arithmetic.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
