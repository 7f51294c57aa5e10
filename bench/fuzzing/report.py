"""issue.md: a finding as a text for the solver's issue tracker."""

import json
from pathlib import Path

import jinja2

from bench.fuzzing import scripts
from bench.fuzzing.check_witness import read_mps
from bench.fuzzing.record import Record
from bench.fuzzing.scripts import Fault, Target
from bench.fuzzing.witness import Values

TEMPLATE = Path(__file__).with_name("issue.md.jinja")

TITLES = {
    Fault.DENIES: "misses solutions of a feasible model",
    Fault.BREAKS: "gives a solution that the model does not have, or one twice",
    Fault.FAILS: "ends with an error",
    Fault.HANGS: "does not stop at its time limit",
}


def title(fault: Fault, name: str, version: str, one: bool) -> str:
    """The title of a report.

    Args:
        one: whether one solution was asked for.
    """
    if fault == Fault.DENIES and one:
        return f"{name} {version} calls a feasible model infeasible"
    return f"{name} {version} {TITLES[fault]}"


def issue(record: Record, target: Target, folder: Path) -> str:
    """The text of issue.md."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    called = scripts.alone(target.backend, target.solver)
    words = {True: "presolve as by default", False: "presolve off"}
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(
        record=record,
        target=target,
        name=called.name if called else record.solver,
        size=size_of(folder / record.model) if record.model else "",
        one=target.task == "first",
        mps=record.model.endswith(".mps"),
        script=(folder / "show.py").read_text(),
        witness=json.dumps(record.witness),
        groups=[
            (words[presolve], [trial for trial in record.trials if trial.presolve == presolve])
            for presolve in (True, False)
        ],
    )


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
