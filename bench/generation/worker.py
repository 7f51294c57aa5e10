"""The process that makes one instance: `python -m bench.generation.worker`.

It reads an Order from its input, one line of JSON, and answers with one line: what the size counts, and the
table of the instance file with a solution, or an error. Whether an instance has another solution, or none, is
told by the puzzle's hand search. It is a process because a generator may import CP-SAT, which the harness may
not, and because a process can be ended at a time limit.

The same order gives the same bytes, on any machine and however busy it is. Nothing here depends on time:
limits count branches, and the harness's time limit ends all of it with an error.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from inspect import getsourcelines
from random import Random
from typing import Any

from bench import catalogue
from bench.catalogue import errors
from bench.generation.order import Order, Wanted
from models.shared.document import InstanceError, shorten
from models.shared.generator import Draft, Generator
from models.shared.model import Tally
from models.shared.puzzle import Puzzle, Solution
from models.shared.second_solution import Undecided, second_solution

BRANCHES = (500, 500, 500, 500, 1_000, 1_000, 16_000)
"""The searches for another solution may have so many branches, one after the other; a draft that needs more
is dropped. Short ones find what a long one would look for in the wrong half; a long one proves that there is
none."""

EASING = 0.95
"""After a draft that was dropped so, the hardness of the next ones is this times what it was."""

ATTEMPTS = 200
"""So many drafts are tried."""

RECURSION = 20_000
"""So many calls of functions within each other, as in the workers that measure hand searches."""

NARROWINGS = 2000
"""So many clues are added to a draft at most."""


@dataclass
class Counted:
    """A generator, and how often it was asked for one clue more: most drafts need none."""

    generator: Generator
    narrowings: int = 0

    def draft(self, size: int, hardness: float, rng: Random) -> Draft | None:
        """As the generator does."""
        return self.generator.draft(size, hardness, rng)

    def narrow(self, draft: Draft, other: Solution, rng: Random) -> Draft | None:
        """As the generator does; counted."""
        self.narrowings += 1
        return self.generator.narrow(draft, other, rng)

    def spoil(self, draft: Draft, rng: Random) -> Draft | None:
        """As the generator does."""
        return self.generator.spoil(draft, rng)


def generate(order: Order, generator: Counted) -> Draft:
    """An instance; the same for the same order and versions.

    Raises:
        ValueError: if there is none of this size, or none was found.
        PuzzleError: if the puzzle's own rules or search cannot do anything with a draft.
    """
    hardness = order.hardness
    for attempt in range(ATTEMPTS):
        rng = Random(" ".join(map(str, (*asdict(order).values(), attempt))))
        draft = generator.draft(order.size, hardness, rng)
        try:
            if draft and (made := FINISH[order.wanted](order.puzzle, generator, draft, rng)):
                return made
        except Undecided:
            hardness *= EASING
    raise ValueError(f"none found in {ATTEMPTS} attempts; another size, hardness or seed may do")


def narrowed(puzzle: str, generator: Counted, draft: Draft, rng: Random) -> Draft | None:
    """The draft with as many clues more as make its solution the only one."""
    current: Draft | None = draft
    for _ in range(NARROWINGS):
        if current is None:
            return None
        if (other := solve(puzzle, current, current.solution)) is None:
            return current
        current = generator.narrow(current, other, rng)
    return None


def spoiled(puzzle: str, generator: Counted, draft: Draft, rng: Random) -> Draft | None:
    """The draft with clues changed so that no solution is left."""
    narrow = narrowed(puzzle, generator, draft, rng)
    for _ in range(10):
        bad = narrow and generator.spoil(narrow, rng)
        if bad and solve(puzzle, bad, None) is None:
            return Draft(bad.table, None)
    return None


Finish = Callable[[str, Counted, Draft, Random], Draft | None]
FINISH: Mapping[Wanted, Finish] = {
    Wanted.ANY: lambda puzzle, generator, draft, rng: draft,
    Wanted.ONE: narrowed,
    Wanted.NONE: spoiled,
}
"""What makes a draft that has a solution into what is wanted; None if that comes to nothing."""


def solve(puzzle: str, draft: Draft, known: Solution | None) -> Solution | None:
    """A solution of the draft other than the known one; None if there is none.

    Raises:
        PuzzleError: if `parse` refuses the draft, or the hand search fails.
    """
    table = {"puzzle": puzzle, "title": "draft", "source": "draft", **draft.table}
    try:
        instance = catalogue.puzzle_module(puzzle).parse(table)
    except InstanceError as error:
        raise catalogue.PuzzleError(puzzle, refused(puzzle, error)) from None
    formulations = catalogue.formulations(puzzle, "backtrack")
    if not formulations:
        file = errors.shown(catalogue.source_of(puzzle, "backtrack"))
        raise ValueError(f"it has no hand search to count solutions; write {file}, or ask for any")
    search = partial(iterate, next(iter(formulations.values())), instance)
    try:
        return second_solution(search, known, BRANCHES)
    except Undecided:
        raise
    except Exception as error:
        # Not the generator's: what the search does not do, it does not do for a typed instance either.
        raise catalogue.PuzzleError(puzzle, catalogue.blamed(error, puzzle, "backtrack")) from error


def iterate(formulation: Callable[[Puzzle, Tally], object], instance: Puzzle, tally: Tally) -> Iterator[Any]:
    """The solutions of a hand search.

    Raises:
        TypeError: if it returns something else.
    """
    solutions = formulation(instance, tally)
    if not isinstance(solutions, Iterator):
        name = getattr(formulation, "__name__", "the search")
        said = f"{name} returns {shorten(solutions)}, not an iterator; write `yield` for each solution"
        raise TypeError(said)
    return solutions


def refused(puzzle: str, error: InstanceError) -> str:
    """The line that says that `parse` refuses what the generator makes."""
    file = errors.shown(catalogue.source_of(puzzle, "generate"))
    line = getsourcelines(catalogue.generator(puzzle).draft)[1]
    return f"{file}:{line}: parse refuses the instance that it makes: {error}"


def main() -> None:
    """Answers one order."""
    # Python's own limit of 1,000 is less than a hand search may need: its depth is the number of unknowns.
    sys.setrecursionlimit(RECURSION)
    order = Order(**json.loads(sys.stdin.readline()))
    answer: dict[str, Any] = {}
    try:
        generator = Counted(catalogue.generator(order.puzzle))
        answer = {"counts": generator.generator.SIZE}
        answer |= asdict(generate(order, generator))
        answer["narrowings"] = generator.narrowings
    except catalogue.PuzzleError as error:
        answer["mistake"] = str(error)
    except ValueError as error:
        answer["error"] = str(error)
    except (Exception, SystemExit) as error:
        answer["mistake"] = catalogue.blamed(error, order.puzzle, "generate")
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
