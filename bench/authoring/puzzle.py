"""Inspects a puzzle as `validate` does: its rules, its models, its generator."""

import tempfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path

from bench import catalogue
from bench.authoring import drawn, rules
from bench.authoring.generator import explain, inspect_generator
from bench.authoring.inspection import Inspection
from bench.authoring.models import find_models, inspect_models, usable
from bench.authoring.solutions import try_candidates
from bench.execution.pool import ServerPool


def inspect_puzzle(
    puzzle: str, servers: ServerPool, time_limit_s: float, on_step: Callable[[str], None] = lambda _: None
) -> Inspection:
    """Inspects all parts of a puzzle; docs/adding.md says what is expected of each.

    Args:
        time_limit_s: of each run; one that does not end in time proves nothing.
        on_step: called with a word or two about each step before it begins.
    """
    inspection = Inspection(puzzle)
    on_step("instances")
    instances = [i for i in rules.load_instances(inspection) if rules.inspect_instance(inspection, i)]
    if not instances:
        return inspection
    rules.inspect_parsing(inspection, instances[0])
    on_step("models")
    backends = usable(inspection, servers.offers(find_models(inspection)))
    formulations = {name for backend in backends.values() for name in backend.formulations[puzzle]}
    rules.inspect_reported(inspection, catalogue.instance_paths(puzzle), formulations)
    with tempfile.TemporaryDirectory() as folder:
        on_step("generator")
        generated = inspect_generator(inspection, Path(folder))
        on_step("random instances")
        random = drawn.draw_instances(inspection, Path(folder))
        own = [*map(catalogue.load, generated), *instances]
        counted = ((i, try_candidates(inspection, i.name, i.puzzle)) for i in own)
        for instance, accepted in chain(counted, random.values()):
            on_step(instance.name)
            found = inspect_models(inspection, instance, backends, servers, time_limit_s, accepted)
            if found.solution is not None:
                rules.inspect_solution(inspection, instance, found.solution, found.count)
        drawn.explain(inspection, random)
    rules.inspect_texts(inspection)
    explain(inspection, generated)
    if unfinished := inspection.unfinished.total():
        runs = f"{unfinished} of {inspection.checked['run']} runs"
        models = ", ".join(f"{model} ({number})" for model, number in inspection.unfinished.most_common())
        inspection.note(f"{runs} did not end within {time_limit_s:g} s and prove nothing: {models}")
    return inspection
