"""Solutions as JSON: those that a checker accepts of all candidates, and damaged ones to be refused."""

import json
import random
from dataclasses import dataclass
from time import process_time
from typing import Any

from bench.authoring.findings import RAISED, Findings
from models.shared.puzzle import Puzzle, Solution, WithCandidates

MOST_CANDIDATES = 50_000
MOST_S = 4.0
"""An exhaustive count ends after so many candidates, or seconds of this process's time."""

SHAPES: tuple[Solution, ...] = (
    *(None, True, 0, -1, 1.5, "", "x", [], {}, [[]], [{}], [None], [1], ["x"], [[None]], [["x"]]),
    *([[1, 2], [3]], {"x": []}, {"path": []}, {"path": [], "faces": []}, [[[1]]], [["A", "B", "x"]]),
)
"""JSON of many shapes, none of which solves anything."""


@dataclass(frozen=True)
class Accepted:
    """The solutions (as JSON) that `check` accepts, of so many candidates that were all tried."""

    solutions: frozenset[str]
    candidates: int


def as_json(solution: Solution) -> str:
    """A solution in the one form in which equal ones are equal.

    Raises:
        TypeError, ValueError: if it is none that JSON can write.
    """
    return json.dumps(solution, sort_keys=True)


def accepted(findings: Findings, name: str, puzzle: Puzzle) -> Accepted | None:
    """The solutions of an instance by trying all candidates; None where there are none, or too many."""
    if not isinstance(puzzle, WithCandidates):
        findings.note(
            "puzzle.py has no `candidates`: the counts of the models were compared with each other only"
        )
        return None
    place = findings.place("puzzle", "candidates")
    found: set[str] = set()
    tried = 0
    started = process_time()
    candidates = findings.call("candidates", lambda: iter(puzzle.candidates()))
    while candidates is not RAISED:
        candidate = findings.call("candidates", next, candidates, RAISED)
        if candidate is RAISED:
            break
        tried += 1
        if tried > MOST_CANDIDATES or process_time() - started > MOST_S:
            compared = "its counts were only compared with each other"
            findings.note(f"{name} has too many candidates to try them all: {compared}")
            return None
        broken = findings.call("check of a candidate", puzzle.check, candidate)
        if broken is RAISED:
            return None
        if not broken:
            try:
                found.add(as_json(candidate))
            except (TypeError, ValueError) as error:
                findings.fault(place, f"candidates yields what JSON cannot write: {error}", once="candidates")
                return None
    if not tried:
        findings.fault(
            place, f"candidates yields nothing for {name}; a filling that is no solution counts too"
        )
        return None
    findings.checked["candidate"] += tried
    return Accepted(frozenset(found), tried)


def damaged(value: Solution, rng: random.Random) -> Solution:
    """The same JSON with one part changed, left out, doubled, or replaced by something else."""
    inner = isinstance(value, list | dict) and len(value) > 0
    if inner and rng.random() < 0.9:
        if isinstance(value, dict):
            key = rng.choice(sorted(value))
            return {**value, key: damaged(value[key], rng)}
        place = rng.randrange(len(value))
        return [damaged(item, rng) if number == place else item for number, item in enumerate(value)]
    if isinstance(value, list) and inner and rng.random() < 0.7:
        place = rng.randrange(len(value))
        return value[:place] + value[place : place + 1] * rng.choice([0, 2]) + value[place + 1 :]
    if isinstance(value, str) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice("0123456789.AZ") + value[place + 1 :]
    return rng.choice([None, "x", 1.5, True, -1, 0, 1, 2, 3, 99, [], {}])


def variations(solution: Solution, number: int) -> list[Any]:
    """So many damaged solutions, the same each time."""
    rng = random.Random(1)
    return [damaged(solution, rng) for _ in range(number)]
