"""issue.md: a finding as a text for the solver's issue tracker."""

import json
from pathlib import Path

import jinja2

from bench.catalogue.programs import BACKEND as NATIVE
from bench.fuzzing import scripts
from bench.fuzzing.check_witness import read_mps
from bench.fuzzing.record import Record
from bench.fuzzing.scripts import Target
from bench.fuzzing.witness import Values

TEMPLATE = Path(__file__).with_name("issue.md.jinja")

REWRITTEN = {
    "milp": "rows permuted, scaled, repeated, split and added up",
    "cpsat": "constraints permuted and repeated",
    "cpmpy": "constraints permuted and repeated",
}
"""How the drivers rewrite models; those of other backends rewrite none."""

SHOWN = 20
"""So many lines of a program's output are shown at most."""


def issue(record: Record, target: Target, folder: Path, instance: str) -> str:
    """The text of issue.md.

    Args:
        instance: the instance for people.
    """
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    words = {True: "presolve as by default", False: "presolve off"}
    is_program = target.backend == NATIVE
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(
        record=record,
        target=target,
        truth=record.truth.rstrip("."),
        subject=f"`{record.model}`" if record.model else "the puzzle below",
        instance=instance.strip("\n"),
        rewritten=REWRITTEN.get(target.backend) if record.rewriting else None,
        is_program=is_program,
        # This project's own programs have no command of the user.
        command=scripts.command(target) or "PROGRAM",
        output=first_lines(folder / "output.txt") if is_program else "",
        size=size_of(folder / record.model) if record.model else "",
        one=target.task == "first",
        mps=record.model.endswith(".mps"),
        script=(folder / "show.py").read_text(),
        as_json=json.dumps,
        groups=[
            (words[presolve], [trial for trial in record.trials if trial.presolve == presolve])
            for presolve in (True, False)
        ],
    )


def first_lines(file: Path) -> str:
    """The beginning of a file; nothing if it is not there."""
    lines = file.read_text().splitlines() if file.is_file() else []
    return "\n".join([*lines[:SHOWN], *(["..."] if len(lines) > SHOWN else [])])


def size_of(model: Path) -> str:
    """How large a model in MPS is, in brackets; nothing for other formats."""
    if model.suffix != ".mps":
        return ""
    program = read_mps(model.read_text())
    integers = len(program.integers)
    return f" ({len(program.rows)} rows, {len(program.columns)} columns, {integers} of them integer)"


def as_json(values: Values | list[Values]) -> str:
    """A witness as the text of its file, a line for each variable, or for each of several solutions."""
    if isinstance(values, dict):
        return json.dumps(values, indent=0) + "\n"
    return "[\n" + ",\n".join(map(json.dumps, values)) + "\n]\n"
