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
class _Program:
    """A model in MPS, without its objective."""

    rows: dict[str, Bounds] = field(default_factory=dict)
    columns: dict[str, Bounds] = field(default_factory=dict)
    integers: set[str] = field(default_factory=set)
    coefficients: dict[str, dict[str, Fraction]] = field(default_factory=dict)


def read_mps(text: str) -> _Program:
    """Reads MPS in which no name has a space."""
    program = _Program()
    kinds: dict[str, str] = {}
    sides: dict[str, dict[str, Fraction]] = {"RHS": {}, "RANGES": {}}
    section, integer = "", False
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
            program.columns.setdefault(column, (Fraction(0), None))
            program.integers |= {column} if integer else set()
            for row, number in _numbers(words).items():
                if row in kinds:
                    program.coefficients[row][column] = number
        elif section in sides:
            sides[section] |= _numbers(words)
        elif section == "BOUNDS":
            kind, _, column, *numbers = words
            before = program.columns.get(column, (Fraction(0), None))
            program.columns[column] = _bounded(kind, before, Fraction(numbers[0] if numbers else 0))
            program.integers |= {column} if kind in ("BV", "LI", "UI") else set()
    for row, kind in kinds.items():
        program.rows[row] = _bounds_of(kind, sides["RHS"].get(row, Fraction(0)), sides["RANGES"].get(row))
    return program


def _numbers(words: list[str]) -> dict[str, Fraction]:
    """The numbers of a line by their names, before which it may have another."""
    pairs = words[len(words) % 2 :]
    return {name: Fraction(number) for name, number in zip(pairs[::2], pairs[1::2], strict=True)}


def _bounds_of(kind: str, side: Fraction, span: Fraction | None) -> Bounds:
    """The bounds of a row by its kind, its right-hand side, and its range if it has one."""
    if span is None:
        return (None if kind == "L" else side, None if kind == "G" else side)
    if kind == "E":
        return min(side, side + span), max(side, side + span)
    return (side - abs(span), side) if kind == "L" else (side, side + abs(span))


def _bounded(kind: str, bounds: Bounds, value: Fraction) -> Bounds:
    """The bounds of a column after one more line of bounds."""
    lower, upper = bounds
    if kind in ("UP", "UI"):
        return (None if value < 0 and lower == 0 else lower), value
    return {
        "LO": (value, upper), "LI": (value, upper), "FX": (value, value), "FR": (None, None),
        "MI": (None, upper), "PL": (lower, None), "BV": (Fraction(0), Fraction(1)),
    }[kind]  # fmt: skip


def violations(program: _Program, values: Mapping[str, float | str], tolerance: float = 0) -> list[str]:
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
            found.append(f"column {column} = {exact[column]}, not within {' to '.join(map(str, bounds))}")
    for row, bounds in program.rows.items():
        activity = sum((a * exact[column] for column, a in program.coefficients[row].items()), Fraction(0))
        if not _within(bounds, activity, slack):
            found.append(f"row {row} = {activity}, not within {' to '.join(map(str, bounds))}")
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


def main(model: str, witness: str) -> int:
    """Prints what the witness violates; returns the exit code."""
    program = read_mps(Path(model).read_text())
    found = violations(program, json.loads(Path(witness).read_text()))
    satisfied = f"all {len(program.rows)} rows and the bounds of all {len(program.columns)} columns"
    print("\n".join(found) or f"{witness} satisfies {satisfied} of {model}, in exact arithmetic.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
