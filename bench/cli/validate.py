"""The command `validate`: a puzzle against every part of the contract (docs/adding.md has it in words)."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from bench import catalogue
from bench.authoring import generated, models, rules, solutions
from bench.authoring.findings import Findings
from bench.cli.console import answers, console
from bench.execution.pool import ServerPool

TimeLimit = Annotated[
    float, typer.Option(min=0.1, help="Seconds that one run may take; one that takes longer proves nothing.")
]


def validate(
    puzzle: Annotated[str, typer.Argument(help="The name of a puzzle, or the folder of one.")],
    time_limit: TimeLimit = 20.0,
) -> None:
    """Check a puzzle of your own: rules, models, generator; say what is wrong or missing, one line each.

    Exit codes: 0 nothing is wrong, 1 something is.
    """
    name = catalogue.find_puzzle(puzzle)
    # No core is reserved for it, as no time that it sees matters.
    with closing(ServerPool()) as servers:
        findings = examine(name, servers, time_limit)
    for fault in findings.faults:
        answers.print(escape(fault), soft_wrap=True)
    for note in findings.notes:
        console.print(f"note: {escape(note)}", soft_wrap=True)
    answers.print(f"{findings.puzzle}: {conclusion(findings)}", soft_wrap=True)
    sys.exit(1 if findings.faults else 0)


def examine(puzzle: str, servers: ServerPool, time_limit_s: float) -> Findings:
    """All that is found of a puzzle."""
    findings = Findings(puzzle)
    with console.status(f"{puzzle}: instances"):
        instances = [i for i in rules.load_instances(findings) if rules.examine(findings, i)]
    if not instances:
        return findings
    rules.examine_malformed(findings, instances[0])
    with tempfile.TemporaryDirectory() as folder:
        with console.status(f"{puzzle}: models"):
            backends = servers.offers(models.written(findings))
            usable = models.usable(findings, backends)
        formulations = {name for backend in usable.values() for name in backend.formulations[puzzle]}
        rules.examine_reported(findings, catalogue.instance_paths(puzzle), formulations)
        with console.status(f"{puzzle}: generator"):
            made = generated.examine(findings, Path(folder))
        for instance in [*map(catalogue.load, made), *instances]:
            with console.status(f"{puzzle}: {instance.name}"):
                accepted = solutions.accepted(findings, instance.name, instance.puzzle)
                result = models.examine(findings, instance, usable, servers, time_limit_s, accepted)
                if result.solution is not None:
                    rules.examine_solution(findings, instance, result.solution, result.count)
    rules.examine_texts(findings)
    generated.explain(findings, made)
    if unfinished := findings.checked["unfinished run"]:
        all_runs = findings.checked["run"]
        findings.note(f"{unfinished} of {all_runs} runs took more than {time_limit_s:g} s and prove nothing")
    return findings


def conclusion(findings: Findings) -> str:
    """What was checked, and how many things are wrong, in one line."""
    checked = ", ".join(
        f"{number:,} {name}{'' if number == 1 else 's'}" for name, number in findings.checked.items()
    )
    faults = len(findings.faults)
    verdict = f"{faults} thing{'' if faults == 1 else 's'} to fix" if faults else "valid"
    return f"{verdict} ({checked or 'nothing could be checked'})"
