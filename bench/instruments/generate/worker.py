"""The process that generates instances: `python -m bench.instruments.generate.worker`.

It reads Orders from its input and answers each with a Generated. Whether an instance has a second solution,
or none at all, the puzzle's hand search decides. It is a process because a generator may import CP-SAT, which
the harness may not, and because a process can be ended at a time limit.

The same order gives the same bytes, on any machine and however busy it is. Nothing here depends on time:
limits count branches, and the harness's time limit ends all of it with an error.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import getsourcelines
from random import Random

from bench import catalogue
from bench.catalogue import errors
from bench.instruments.generate.order import Generated, Order, Wanted
from models.shared.document import InstanceError, shorten
from models.shared.generator import Draft, Generator, HardGenerator
from models.shared.puzzle import Puzzle, Solution
from models.shared.search import Tally, steps_of
from models.shared.second_solution import Undecided, second_solution

BRANCHES = (500, 500, 500, 500, 1_000, 1_000, 16_000)
"""Limits of branches of the searches for a second solution, one after the other; a draft that needs more is
dropped. Short searches in several orders find what a long one would look for in the wrong half; a long one
proves that there is none."""

_EASING = 0.95
"""The factor on the hardness of all later drafts, after one was dropped because of BRANCHES."""

ATTEMPTS = 200
"""How many drafts are tried."""

RECURSION = 20_000
"""Python's limit of nested calls, as in the workers that measure hand searches."""

_NARROWINGS = 2000
"""How many clues are added to a draft at most."""


@dataclass
class Counted:
    """A generator that counts how often a clue was added: most drafts need none."""

    generator: Generator
    narrowings: int = 0

    def narrow(self, draft: Draft, other: Solution, rng: Random) -> Draft | None:
        """The draft with one more clue, as the generator narrows it."""
        self.narrowings += 1
        return self.generator.narrow(draft, other, rng)


def generate(order: Order, generator: Counted) -> Draft:
    """An instance; the same for the same order and versions.

    Raises:
        ValueError: if there is none of this size or kind, or none was found.
        PuzzleError: if the puzzle's own rules refuse a draft, or its search fails.
    """
    hardness = order.hardness
    drafts = generator.generator.draft
    if order.hard:
        if not isinstance(generator.generator, HardGenerator):
            file = errors.shown(catalogue.source_of(order.puzzle, "generate"))
            raise ValueError(f"{file} has no function `hard_draft`; leave out --hard")
        drafts = generator.generator.hard_draft
    for attempt in range(ATTEMPTS):
        rng = Random(order.seed_text(attempt))
        draft = drafts(order.size, hardness, rng)
        try:
            if draft and (finished := _FINISH[order.wanted](order.puzzle, generator, drafts, draft, rng)):
                return finished
        except Undecided:
            hardness *= _EASING
    raise ValueError(f"none found in {ATTEMPTS} attempts; another size, hardness or seed may do")


_Maker = Callable[..., Draft | None]
"""A function of a generator: draft, hard_draft, narrow or spoil."""


def narrowed(puzzle: str, generator: Counted, maker: _Maker, draft: Draft, rng: Random) -> Draft | None:
    """The draft with further clues, so that its solution is the only one; None if that fails."""
    current: Draft | None = draft
    for _ in range(_NARROWINGS):
        if current is None:
            return None
        if (other := _other_solution(puzzle, maker, current, current.solution)) is None:
            return current
        current, maker = generator.narrow(current, other, rng), generator.generator.narrow
    return None


def spoiled(puzzle: str, generator: Counted, maker: _Maker, draft: Draft, rng: Random) -> Draft | None:
    """The draft with a clue changed so that it has no solution; None if that fails."""
    narrow = narrowed(puzzle, generator, maker, draft, rng)
    spoil = generator.generator.spoil
    for _ in range(10):
        bad = narrow and spoil(narrow, rng)
        if bad and _other_solution(puzzle, spoil, bad, None) is None:
            return Draft(bad.table, None)
    return None


_Finish = Callable[[str, Counted, _Maker, Draft, Random], Draft | None]
_FINISH: Mapping[Wanted, _Finish] = {
    Wanted.ANY: lambda puzzle, generator, maker, draft, rng: draft,
    Wanted.ONE: narrowed,
    Wanted.NONE: spoiled,
}
"""By what is wanted, what turns a draft with a solution into it; None if that fails."""


def _other_solution(puzzle: str, maker: _Maker, draft: Draft, known: Solution | None) -> Solution | None:
    """A solution of the draft other than the known one; None if there is none.

    Raises:
        PuzzleError: if `parse` refuses what the maker has made, or the hand search fails.
    """
    table = {"puzzle": puzzle, "title": "draft", "source": "draft", **draft.table}
    try:
        instance = catalogue.puzzle_module(puzzle).parse(table)
    except InstanceError as error:
        raise catalogue.PuzzleError(puzzle, refused(puzzle, maker, error)) from None
    formulations = catalogue.formulations(puzzle, "backtrack")
    if not formulations:
        file = errors.shown(catalogue.source_of(puzzle, "backtrack"))
        raise ValueError(f"it has no hand search to count solutions; write {file}, or ask for any")
    search = partial(_iterate, next(iter(formulations.values())), instance)
    try:
        return second_solution(search, known, BRANCHES)
    except Undecided:
        raise
    except Exception as error:
        # Not the generator's: what the search does not do, it does not do for a typed instance either.
        raise catalogue.PuzzleError(puzzle, catalogue.blamed(error, puzzle, "backtrack")) from error


def _iterate(search: Callable[[Puzzle, Tally], object], instance: Puzzle, tally: Tally) -> Iterator[Solution]:
    """The solutions of a hand search; raises TypeError if it returns something else."""
    if steps := steps_of(search):
        tally.step = steps[0]
    solutions = search(instance, tally)
    if not isinstance(solutions, Iterator):
        name = getattr(search, "__name__", "the search")
        said = f"{name} returns {shorten(solutions)}, not an iterator; write `yield` for each solution"
        raise TypeError(said)
    return solutions


def refused(puzzle: str, maker: _Maker, error: InstanceError) -> str:
    """A line that says that `parse` refuses what a function of the generator makes, and where that is."""
    file = errors.shown(catalogue.source_of(puzzle, "generate"))
    line = getsourcelines(maker)[1]
    return f"{file}:{line}: parse refuses the instance that it makes: {error}"


def answer(order: Order) -> Generated:
    """What becomes of an order."""
    counts = ""
    try:
        generator = Counted(catalogue.generator(order.puzzle))
        counts = generator.generator.SIZE
        draft = generate(order, generator)
        return Generated(counts, draft.table, draft.solution, generator.narrowings)
    except catalogue.PuzzleError as error:
        return Generated(counts, mistake=str(error))
    except (Exception, SystemExit) as error:
        # What the rules refuse is a mistake, and no size without instances.
        if isinstance(error, ValueError) and not isinstance(error, InstanceError):
            return Generated(counts, error=str(error))
        return Generated(counts, mistake=catalogue.blamed(error, order.puzzle, "generate"))


def main() -> None:
    """Answers orders until there are no more."""
    # Python's own limit of 1,000 is less than a hand search may need: its depth is the number of unknowns.
    sys.setrecursionlimit(RECURSION)
    for line in sys.stdin.buffer:
        print(answer(Order.from_line(line)).line().decode(), flush=True)


if __name__ == "__main__":
    main()
