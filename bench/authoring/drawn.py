"""Random instances of a puzzle with all their solutions, for `validate`."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import catalogue
from bench.authoring.inspection import Inspection
from bench.authoring.solutions import Accepted, TooMany, exhaust
from bench.catalogue import Instance
from bench.catalogue.errors import PuzzleError, RequestError
from bench.generation.instance_file import as_toml
from models.shared.document import Expected

DRAWS = 30
"""The number of instances to draw."""

TRIED = 8
"""The number of them to try with all models."""

MOST_SOLUTIONS = 30
MOST_CANDIDATES = 2_000
MOST_S = 0.2
"""An instance with more solutions or candidates, or one that needs longer, is not tried."""


def draw_instances(inspection: Inspection, folder: Path) -> dict[Path, tuple[Instance, Accepted]]:
    """Small random instances, the smallest first, with their solutions, by their files in the folder."""
    if not catalogue.source_of(inspection.puzzle, "random_instances").exists():
        inspection.note("there is no random_instances.py: no random instance was tried")
        return {}
    found: dict[Path, tuple[Instance, Accepted]] = {}
    for table in draw_tables(inspection):
        file = folder / f"random_{len(found) + 1}.toml"
        try:
            file.write_text(as_toml(table), encoding="utf-8")
            instance = catalogue.load(file)
        except RequestError as error:
            place = inspection.place("random_instances", "INSTANCES")
            inspection.fault(f"{place}: {error}: it is drawn from {table}", once="INSTANCES")
            continue
        with suppress(TooMany):
            accepted = exhaust(inspection, instance.name, instance.puzzle, MOST_CANDIDATES, MOST_S)
            if accepted is not None and len(accepted.solutions) <= MOST_SOLUTIONS:
                # What was counted is expected: an instance without a solution needs no note.
                expected = Expected(solutions=len(accepted.solutions))
                found[file] = replace(instance, expected=expected), accepted
        if len(found) == TRIED:
            break
    inspection.checked["random instance"] += len(found)
    return dict(sorted(found.items(), key=lambda item: item[1][0].puzzle.size))


def draw_tables(inspection: Inspection) -> list[dict[str, Any]]:
    """Tables of instances, each once, the same ones each time; none, and a fault, if drawing raises."""
    # Only this command and fuzzing need it, and every command would wait for its import.
    from hypothesis import HealthCheck, Phase, given, seed, settings

    tables: list[dict[str, Any]] = []

    def keep(table: dict[str, Any]) -> None:
        if table not in tables:
            tables.append(table)

    # Hypothesis draws for tests only: this is one that always passes.
    options = settings(
        max_examples=DRAWS,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    try:
        drawn = catalogue.random_instances(inspection.puzzle)
        assert drawn is not None
        seed(1)(options(given(drawn.INSTANCES)(keep)))()
    except PuzzleError as error:
        inspection.fault(str(error))
    except (Exception, SystemExit) as error:
        place = inspection.place("random_instances", "INSTANCES")
        inspection.fault(f"{place}: {catalogue.blamed(error, inspection.puzzle, 'random_instances')}")
    return tables


def explain(inspection: Inspection, files: Mapping[Path, object]) -> None:
    """Adds a note on each random instance that a fault names: its file."""
    for file in files:
        if any(re.search(rf"\b{file.stem}\b", fault) for fault in inspection.faults):
            text = file.read_text(encoding="utf-8")
            inspection.note(f"{file.stem} was drawn for this check; to get it, save this as a file:\n{text}")
