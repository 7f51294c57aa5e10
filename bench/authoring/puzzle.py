"""Inspects a puzzle as `validate` does: its rules, its models, its generator."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from bench import catalogue
from bench.authoring.generator import explain, inspect_generator
from bench.authoring.inspection import Inspection
from bench.authoring.models import find_models, inspect_models, usable
from bench.authoring.rules import (
    inspect_instance,
    inspect_parsing,
    inspect_reported,
    inspect_solution,
    inspect_texts,
    load_instances,
)
from bench.authoring.solutions import try_candidates
from bench.execution.pool import ServerPool


def inspect_puzzle(
    puzzle: str, servers: ServerPool, time_limit_s: float, on_step: Callable[[str], None] = lambda _: None
) -> Inspection:
    """Inspects all parts of a puzzle; docs/adding.md says what is expected of each.

    Args:
        puzzle: its name.
        servers: for the runs of its models.
        time_limit_s: of each run; one that does not end in time proves nothing.
        on_step: called with a word or two about each step before it begins.
    """
    inspection = Inspection(puzzle)
    on_step("instances")
    instances = [i for i in load_instances(inspection) if inspect_instance(inspection, i)]
    if not instances:
        return inspection
    inspect_parsing(inspection, instances[0])
    on_step("models")
    backends = usable(inspection, servers.offers(find_models(inspection)))
    formulations = {name for backend in backends.values() for name in backend.formulations[puzzle]}
    inspect_reported(inspection, catalogue.instance_paths(puzzle), formulations)
    with tempfile.TemporaryDirectory() as folder:
        on_step("generator")
        generated = inspect_generator(inspection, Path(folder))
        for instance in [*map(catalogue.load, generated), *instances]:
            on_step(instance.name)
            accepted = try_candidates(inspection, instance.name, instance.puzzle)
            found = inspect_models(inspection, instance, backends, servers, time_limit_s, accepted)
            if found.solution is not None:
                inspect_solution(inspection, instance, found.solution, found.count)
    inspect_texts(inspection)
    explain(inspection, generated)
    if unfinished := inspection.checked["unfinished run"]:
        all_runs = inspection.checked["run"]
        inspection.note(
            f"{unfinished} of {all_runs} runs did not end within {time_limit_s:g} s and prove nothing"
        )
    return inspection
