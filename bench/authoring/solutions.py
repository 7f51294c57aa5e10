"""Solutions for testing a checker: all those that it accepts, and damaged ones that it must refuse."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench import catalogue
from bench.alarm import alarm
from bench.authoring.inspection import RAISED, Inspection
from bench.catalogue.errors import PuzzleError
from bench.contract import TimeLimit
from models.shared.puzzle import Puzzle, Solution, WithCandidates

MOST_CANDIDATES = 50_000
MOST_S = 2.0
"""An exhaustive count is given up after this many candidates, or seconds."""

SHAPES: tuple[Solution, ...] = (
    *(None, True, 0, -1, 1.5, "", "x", [], {}, [[]], [{}], [None], [1], ["x"], [[None]], [["x"]]),
    *([[1, 2], [3]], {"x": []}, {"path": []}, {"path": [], "faces": []}, [[[1]]], [["A", "B", "x"]]),
)
"""JSON of many shapes, none of which solves anything."""


@dataclass(frozen=True)
class Accepted:
    """The solutions that `check` accepts, as JSON, and the number of candidates that were tried."""

    solutions: frozenset[str]
    candidates: int


def as_json(solution: Solution) -> str:
    """A solution as text, the same for equal ones; raises TypeError or ValueError if it is no JSON."""
    return json.dumps(solution, sort_keys=True)


class TooMany(Exception):
    """There are too many candidates to try them all."""


def try_candidates(inspection: Inspection, name: str, puzzle: Puzzle) -> Accepted | None:
    """The solutions of the instance `name` by trying all candidates; None if there are none, or too many."""
    try:
        return exhaust(inspection, name, puzzle, MOST_CANDIDATES, MOST_S)
    except TooMany:
        compared = "the counts of its models were compared with each other only"
        inspection.note(f"{name} has too many candidates to try them all: {compared}")
        return None


def exhaust(inspection: Inspection, name: str, puzzle: Puzzle, most: int, most_s: float) -> Accepted | None:
    """The solutions of the instance `name` by trying all candidates; None if the puzzle has none to try.

    Raises:
        TooMany: if there are more than so many, or they need more seconds.
    """
    yielded = find_candidates(inspection, puzzle)
    if yielded is None:
        return None
    found: set[str] = set()
    doubled = ""
    tried = 0
    try:
        # Long may pass until the first is yielded.
        with alarm(most_s):
            for candidate in inspection.each("candidates", yielded):
                tried += 1
                if tried > most:
                    raise TooMany
                broken = inspection.call("check of a candidate", puzzle.check, candidate)
                if broken is RAISED:
                    return None
                if not broken:
                    text = as_json(candidate)
                    if text in found:
                        doubled = doubled or text
                    found.add(text)
    except TimeLimit:
        raise TooMany from None
    except (TypeError, ValueError) as error:
        candidates_fault(inspection, f"candidates yields what JSON cannot express: {error}")
        return None
    finally:
        # Not before: the alarm must not ring while the place of a fault is looked up.
        if doubled:
            candidates_fault(inspection, f"candidates yields a solution of {name} twice: {doubled[:200]}")
    inspection.checked["candidate"] += tried
    return Accepted(frozenset(found), tried)


def find_candidates(inspection: Inspection, puzzle: Puzzle) -> Callable[[], Iterator[Solution]] | None:
    """The function that yields an instance's candidates; None, and a fault or a note, if there is none."""
    try:
        drawn = catalogue.random_instances(inspection.puzzle)
    except PuzzleError as error:
        inspection.fault(str(error))
        return None
    if drawn is not None:
        if callable(getattr(drawn, "candidates", None)):
            return lambda: drawn.candidates(puzzle)
        lacking = "it has no function `candidates`; write candidates(puzzle)"
        inspection.fault(f"{inspection.place('random_instances')}: {lacking}")
    elif isinstance(puzzle, WithCandidates):
        return puzzle.candidates
    else:
        compared = "the counts of the models were compared with each other only"
        inspection.note(f"there are no `candidates`: {compared}")
    return None


def candidates_fault(inspection: Inspection, text: str) -> None:
    """Adds a fault in `candidates`, once."""
    own = catalogue.source_of(inspection.puzzle, "random_instances").exists()
    place = inspection.place("random_instances" if own else "puzzle", "candidates")
    inspection.fault(f"{place}: {text}", once="candidates")


def damaged(solution: Solution, number: int) -> list[Solution]:
    """Damaged copies of a solution, the same ones each time."""
    rng = random.Random(1)
    return [damage(solution, rng) for _ in range(number)]


def damage(value: Solution, rng: random.Random) -> Solution:
    """The same JSON with one part changed, left out, doubled, or replaced by something else."""
    inner = isinstance(value, list | dict) and len(value) > 0
    if inner and rng.random() < 0.9:
        if isinstance(value, dict):
            key = rng.choice(sorted(value))
            return {**value, key: damage(value[key], rng)}
        place = rng.randrange(len(value))
        return [damage(item, rng) if number == place else item for number, item in enumerate(value)]
    if isinstance(value, list) and inner and rng.random() < 0.7:
        place = rng.randrange(len(value))
        return value[:place] + value[place : place + 1] * rng.choice([0, 2]) + value[place + 1 :]
    if isinstance(value, str) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice("0123456789.AZ") + value[place + 1 :]
    return rng.choice([None, "x", 1.5, True, -1, 0, 1, 2, 3, 99, [], {}])
