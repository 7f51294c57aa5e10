"""The process that generates instances: `python -m bench.instruments.generate.worker`.

It reads Orders from its input and answers each with a Generated, as lines of JSON. Whether an instance has a
second solution, or none at all, the puzzle's hand search decides. It is a process because a generator may
import CP-SAT, which the harness may not, and because a process can be ended at a time limit.

The same order gives the same bytes, on any machine and however busy it is. Nothing here depends on time:
limits count branches, and the harness's time limit ends all of it with an error.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from inspect import getsourcelines
from random import Random

from bench import catalogue
from bench.catalogue import errors
from bench.execution.worker import RECURSION
from bench.instruments.generate.instance_file import Generated, Order, Wanted
from models.shared.document import InstanceError, shorten
from models.shared.generator import Draft, HardGenerator
from models.shared.puzzle import Solution
from models.shared.search import Tally, steps_of
from models.shared.second_solution import Undecided, second_solution

_BRANCHES = (500, 500, 500, 500, 1_000, 1_000, 16_000)
"""Limits of branches of the searches for a second solution, one after the other; a draft that needs more is
dropped. Short searches in several orders find what a long one would look for in the wrong half; a long one
proves that there is none."""

_EASING, _ATTEMPTS, _NARROWINGS, _SPOILINGS = 0.95, 200, 2000, 10
"""The factor on the hardness of all later drafts, after one was dropped because of _BRANCHES; how many drafts
are tried; how many clues are added to one, and how often one is spoilt, at most."""


class _Maker:
    """Makes the instance of an order.

    Attributes:
        narrowings: how often a clue was added: most drafts need none.
    """

    def __init__(self, order: Order) -> None:
        self.order, self.generator, self.narrowings = order, catalogue.generator(order.puzzle), 0

    def make(self) -> Draft:
        """The instance; the same for the same order and versions.

        Raises:
            ValueError: if there is none of this size or kind, or none was found.
            PuzzleError: if the puzzle's own rules refuse a draft, or its search fails.
        """
        order, hardness, draw = self.order, self.order.hardness, self.generator.draft
        if order.hard:
            if not isinstance(self.generator, HardGenerator):
                file = errors.shown(catalogue.source_of(order.puzzle, "generate"))
                raise ValueError(f"{file} has no function `hard_draft`; leave out --hard")
            draw = self.generator.hard_draft
        # The committed instances were made before there was --hard.
        parts = (order.puzzle, order.size, order.seed, order.hardness, order.wanted, *["hard"] * order.hard)
        finish = {Wanted.ANY: lambda draft, *_: draft, Wanted.ONE: self._narrowed, Wanted.NONE: self._spoilt}
        for attempt in range(_ATTEMPTS):
            rng = Random(" ".join(map(str, [*parts, attempt])))
            draft = draw(order.size, hardness, rng)
            try:
                if draft and (finished := finish[order.wanted](draft, draw, rng)):
                    return finished
            except Undecided:
                hardness *= _EASING
        raise ValueError(f"none found in {_ATTEMPTS} attempts; another size, hardness or seed may do")

    def _narrowed(self, draft: Draft | None, made_by: Callable[..., object], rng: Random) -> Draft | None:
        """The draft with further clues, so that its solution is the only one; None if that fails."""
        for _ in range(_NARROWINGS):
            if draft is None or (other := self._solution(draft, made_by, draft.solution)) is None:
                return draft
            self.narrowings += 1
            draft, made_by = self.generator.narrow(draft, other, rng), self.generator.narrow
        return None

    def _spoilt(self, draft: Draft, made_by: Callable[..., object], rng: Random) -> Draft | None:
        """The draft with a clue changed so that it has no solution; None if that fails."""
        spoil = self.generator.spoil
        if (narrow := self._narrowed(draft, made_by, rng)) is None:
            return None
        for _ in range(_SPOILINGS):
            bad = spoil(narrow, rng)
            if bad and self._solution(bad, spoil, None) is None:
                return Draft(bad.table, None)
        return None

    def _solution(self, draft: Draft, made_by: Callable[..., object], known: Solution) -> Solution | None:
        """A solution of the draft other than the known one; None if there is none.

        Raises:
            PuzzleError: if `parse` refuses what the function has made, or the hand search fails.
        """
        puzzle = self.order.puzzle
        table = {"puzzle": puzzle, "title": "draft", "source": "draft", **draft.table}
        try:
            instance = catalogue.puzzle_module(puzzle).parse(table)
        except InstanceError as error:
            at = f"{errors.shown(catalogue.source_of(puzzle, 'generate'))}:{getsourcelines(made_by)[1]}"
            said = f"{at}: parse refuses the instance that it makes: {error}"
            raise catalogue.PuzzleError(puzzle, said) from None
        formulations = catalogue.formulations(puzzle, "backtrack")
        if not formulations:
            write = f"write {errors.shown(catalogue.source_of(puzzle, 'backtrack'))}, or ask for any"
            raise ValueError(f"it has no hand search to count solutions; {write}")
        search = next(iter(formulations.values()))

        def solutions(tally: Tally) -> Iterator[Solution]:
            if steps := steps_of(search):
                tally.step = steps[0]
            found = search(instance, tally)
            if not isinstance(found, Iterator):
                name = getattr(search, "__name__", "the search")
                fix = "write `yield` for each solution"
                raise TypeError(f"{name} returns {shorten(found)}, not an iterator; {fix}")
            return found

        try:
            return second_solution(solutions, known, _BRANCHES)
        except Undecided:
            raise
        except Exception as error:
            # Not the generator's: what the search does not do, it does not do for a typed instance either.
            raise catalogue.PuzzleError(puzzle, catalogue.blamed(error, puzzle, "backtrack")) from error


def _answer(order: Order) -> Generated:
    """What becomes of an order."""
    counts = ""
    try:
        maker = _Maker(order)
        counts = maker.generator.SIZE
        draft = maker.make()
        return Generated(counts, draft.table, draft.solution, maker.narrowings)
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
        print(json.dumps(asdict(_answer(Order(**json.loads(line))))), flush=True)


if __name__ == "__main__":
    main()
