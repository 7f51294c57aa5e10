"""issue.md: a finding as a text for the solver's issue tracker."""

import json
from pathlib import Path

import jinja2

from bench.fuzzing import scripts
from bench.fuzzing.check_witness import read_mps
from bench.fuzzing.record import Record
from bench.fuzzing.scripts import Fault, Target
from bench.fuzzing.witness import Values

TITLES = {
    Fault.DENIES: "misses solutions of a feasible model",
    Fault.BREAKS: "gives a solution that the model does not have, or one twice",
    Fault.FAILS: "crashes, or does not stop at its time limit",
}

ISSUE = """
# {{ target.title }}

{% if target.fault == "denies" and record.model_witness_by %}
{{ name }} {{ record.version }} {% if one %}finds no solution of{% else %}ends its search for all solutions without one of those of{% endif %} \
`{{ record.model }}`{{ size }}. There is one: `witness.json` has a value for every variable\
{% if mps %}, and they satisfy every row, every bound and every integrality condition. `check_witness.py` verifies that in exact \
rational arithmetic with nothing but Python's standard library{% endif %}. It was found by {{ record.model_witness_by }}.
{% elif target.fault == "breaks" %}
{{ name }} {{ record.version }} gives a solution of `{{ record.model or "instance.toml" }}`{{ size }} that does not satisfy it, or gives one twice.
{% elif target.fault == "fails" %}
{{ name }} {{ record.version }} ends with an error, or does not stop at its time limit, on `{{ record.model or "instance.toml" }}`{{ size }}.
{% else %}
{{ name }} {{ record.version }} denies solutions that there are, in the run described below.
{% endif %}

## To reproduce

{% if target.release %}`pip install {{ target.release }}`, then run this{% else %}Run this, in an environment with the project{% endif %} in the folder of the attached files:

```python
{{ script }}```

{% if record.show %}
Here it prints:

```
{{ record.show.output.strip() }}
```
{% endif %}
{% if not record.show %}
**It did not end within its time limit here.**
{% elif not record.show.fault %}
**The script did not show the fault here**: it was seen in the run described below{% if not record.repeated %}, but not when that was repeated{% endif %}.
{% elif record.show.how == "sequence" %}
A fresh object that reads the last model does not show it: the script adds the rows as it happened, with a solve after each.
{% endif %}

{% if record.trials %}
## Seeds and presolve

| | seeds tried | show the fault |
| --- | --- | --- |
{% for words, trials in groups if trials %}
| {{ words }} | {{ trials | map(attribute="seed") | join(", ") }} | {{ trials | selectattr("shows") | list | length }} of {{ trials | length }} |
{% endfor %}

{% endif %}
## Where the model comes from

It states a puzzle ({{ record.puzzle }}, formulation {{ record.formulation }}; `instance.toml`) whose solutions are checked by code that \
knows nothing of the model. The task was to {{ "find one solution" if record.task == "first" else "count all solutions" }}.\
{% if record.task == "count" and mps %}
 After each solution a row was added that cuts it off, and the model was solved again, until nothing was left.{% endif %}


- The run said: {{ record.said }}.
- True is: {{ record.truth.rstrip(".") }}.
{% if record.solutions is not none %}
- An exhaustive search counts {{ record.solutions }} solution{{ "" if record.solutions == 1 else "s" }} of the puzzle.
{% endif %}
{% if record.witness is not none %}
- A solution of the puzzle that the run denies: `{{ witness }}`.
{% endif %}
{% if record.rewriting %}
- The model was rewritten into an equivalent one (number {{ record.rewriting }}): rows and columns in another order, rows scaled, redundant rows.
{% endif %}

## Environment

{{ record.solver }} {{ record.version }}; seed {{ record.seed }}, threads {{ record.threads }}, time limit {{ "%g" | format(record.time_limit_s) }} s, all other options as they are by default.
Python {{ record.python }}, {{ record.platform }}{% if record.cpu %}, {{ record.cpu }}{% endif %}.
{{ record.packages.items() | map("join", " ") | join(", ") }}.

## Not tried

Other releases and other platforms; other options than seed and presolve. The puzzle was made as small as \
possible, the model itself was not: rows or columns may be superfluous.{% if not record.trials %}

Other seeds, and switching presolve off, were not tried either.{% endif %}


{% for what in record.left_out %}
{% if loop.first %}
Not in the folder:

{% endif %}
- {{ what }}
{% endfor %}
"""


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
    return environment.from_string(ISSUE.lstrip()).render(
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


def as_json(values: Values) -> str:
    """A witness as the text of its file, a line for each variable."""
    return json.dumps(values, indent=0) + "\n"
