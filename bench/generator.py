"""The process that makes one instance: `python -m bench.generator`.

It reads an Order from its input, one line of JSON, and answers with one line: what the size counts, and the
table of the instance file with a solution, or an error. Whether an instance has another solution, or none, is
told by the puzzle's hand search. It is a process because a generator may import CP-SAT, which the harness may
not, and because a process can be ended at a time limit.

The same order gives the same bytes, on any machine and however busy it is. Nothing here depends on time:
limits count branches, and the harness's time limit ends all of it with an error.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any

from bench import blame, catalogue
from bench.generate import Order, Wanted
from models.shared.another import Undecided, another
from models.shared.draft import Draft, Generator
from models.shared.puzzle import Solution

BRANCHES = (500, 500, 500, 500, 1_000, 1_000, 16_000)
"""The searches for another solution may have so many branches, one after the other; a draft that needs more
is dropped. Short ones find what a long one would look for in the wrong half; a long one proves that there is
none."""

ATTEMPTS = 200
"""So many drafts are tried."""

RECURSION = 20_000
"""So many calls of functions within each other, as in the workers that measure hand searches."""

NARROWINGS = 2000
"""So many clues are added to a draft at most."""


def generate(order: Order) -> Draft:
    """An instance; the same for the same order and versions.

    Raises:
        ValueError: if there is none of this size, or none was found.
    """
    generator = catalogue.generator(order.puzzle)
    for attempt in range(ATTEMPTS):
        rng = Random(" ".join(map(str, (*asdict(order).values(), attempt))))
        draft = generator.draft(order.size, order.hardness, rng)
        try:
            if draft and (made := FINISH[order.wanted](order.puzzle, generator, draft, rng)):
                return made
        except Undecided:
            continue
    raise ValueError(f"none found in {ATTEMPTS} attempts; another size, hardness or seed may do")


def narrowed(puzzle: str, generator: Generator, draft: Draft, rng: Random) -> Draft | None:
    """The draft with as many clues more as make its solution the only one."""
    current: Draft | None = draft
    for _ in range(NARROWINGS):
        if current is None:
            return None
        if (other := solve(puzzle, current, current.solution)) is None:
            return current
        current = generator.narrow(current, other, rng)
    return None


def spoiled(puzzle: str, generator: Generator, draft: Draft, rng: Random) -> Draft | None:
    """The draft with clues changed so that no solution is left."""
    narrow = narrowed(puzzle, generator, draft, rng)
    for _ in range(10):
        bad = narrow and generator.spoil(narrow, rng)
        if bad and solve(puzzle, bad, None) is None:
            return Draft(bad.table, None)
    return None


Finish = Callable[[str, Generator, Draft, Random], Draft | None]
FINISH: Mapping[Wanted, Finish] = {
    Wanted.ANY: lambda puzzle, generator, draft, rng: draft,
    Wanted.ONE: narrowed,
    Wanted.NONE: spoiled,
}
"""What makes a draft that has a solution into what is wanted; None if that comes to nothing."""


def solve(puzzle: str, draft: Draft, known: Solution | None) -> Solution | None:
    """A solution of the draft other than the known one; None if there is none."""
    table = {"puzzle": puzzle, "title": "draft", "source": "draft", **draft.table}
    instance = catalogue.puzzle_module(puzzle).parse(table)
    formulations = catalogue.formulations(puzzle, "backtrack")
    if not formulations:
        file = blame.shown(catalogue.source_of(puzzle, "backtrack"))
        raise ValueError(f"it has no hand search to count solutions; write {file}, or ask for any")
    return another(partial(next(iter(formulations.values())), instance), known, BRANCHES)


def main() -> None:
    """Answers one order."""
    # Python's own limit of 1,000 is less than a hand search may need: its depth is the number of unknowns.
    sys.setrecursionlimit(RECURSION)
    order = Order(**json.loads(sys.stdin.readline()))
    answer: dict[str, Any] = {}
    try:
        answer = {"counts": catalogue.generator(order.puzzle).SIZE}
        answer |= asdict(generate(order))
    except catalogue.PuzzleError as error:
        answer["mistake"] = str(error)
    except ValueError as error:
        answer["error"] = str(error)
    except (Exception, SystemExit) as error:
        answer["mistake"] = catalogue.blamed(error, order.puzzle, "generate")
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
