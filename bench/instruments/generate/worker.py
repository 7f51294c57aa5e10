"""The process that generates instances: `python -m bench.instruments.generate.worker`.

It answers each Order with a Generated, as lines of JSON. Whether an instance has a second solution, or none
at all, the puzzle's hand search decides. It is a process because a generator may import CP-SAT, which the
harness may not, and because a process can be ended at a time limit.

The same order gives the same bytes, on any machine and however busy it is. Nothing here depends on time:
limits count branches, and the harness's time limit ends all of it with an error.
"""

import json
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from importlib.metadata import version
from inspect import getsourcelines
from random import Random
from typing import Any, cast

from tomlkit.exceptions import ConvertError

from bench import catalogue
from bench.catalogue import errors
from bench.execution.worker import RECURSION
from bench.instruments.generate.instance_file import Generated, Order, Wanted, as_toml
from models.shared.document import InstanceError, shorten
from models.shared.generator import Draft, HardGenerator
from models.shared.puzzle import Puzzle, Solution
from models.shared.search import Tally, steps_of
from models.shared.second_solution import Undecided, second_solution

# Limits of branches of the searches for a second solution, one after the other; a draft that needs more is
# dropped. Short searches in several orders find what a long one would look for in the wrong half; a long one
# proves that there is none.
_BRANCHES = (500, 500, 500, 500, 1_000, 1_000, 16_000)
# The factor on the hardness of all later drafts, after one was dropped because of _BRANCHES; how many drafts
# are tried; how many clues are added to one, and how often one is spoilt, at most.
_EASING, _ATTEMPTS, _NARROWINGS, _SPOILINGS = 0.95, 200, 2000, 10
_IN_WORDS = {"any": "one solution or more", "one": "exactly one solution", "none": "no solution"}


class _Maker:
    """Makes the instance of an order."""

    def __init__(self, order: Order) -> None:
        self.order, self.generator, self.narrowings = order, catalogue.generator(order.puzzle), 0
        self.size = f"size {order.size} ({self.generator.SIZE})"

    def make(self) -> Draft:
        """The instance; the same for the same order and versions.

        Raises ValueError if there is none of this size or kind, or none was found; PuzzleError if the
        puzzle's own rules refuse a draft, or its search fails.
        """
        order, hardness, draw = self.order, self.order.hardness, self.generator.draft
        if order.hard:
            if not isinstance(self.generator, HardGenerator):
                file = errors.shown(catalogue.source_of(order.puzzle, "generate"))
                raise ValueError(f"{file} has no function `hard_draft`; leave out --hard")
            draw = self.generator.hard_draft
        rules = () if order.hard else getattr(self.generator, "RULES", ())
        if order.rule not in ("", *rules):
            advice = f"write {' or '.join(rules)}" if rules else "leave out --rule"
            raise ValueError(f"there is no rule {shorten(order.rule)}; {advice}")
        # The committed instances were made before there were --hard and --rule.
        if order.rule in rules[:1]:
            self.order = order = replace(order, rule="")
        rule = [order.rule] if order.rule else []
        ordered = (order.puzzle, order.size, order.seed, order.hardness, order.wanted)
        parts = (*ordered, *["hard"] * order.hard, *rule)
        finish = {Wanted.ANY: lambda draft, *_: draft, Wanted.ONE: self._narrowed, Wanted.NONE: self._spoilt}
        for attempt in range(_ATTEMPTS):
            rng = Random(" ".join(map(str, [*parts, attempt])))
            draft = draw(order.size, hardness, rng, *rule)
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
        """Another solution of the draft than the known one, if any; PuzzleError if it cannot be searched."""
        puzzle, instance = self.order.puzzle, self._parsed(draft.table, made_by)
        formulations = catalogue.formulations(puzzle, "backtrack")
        if not formulations:
            write = f"write {errors.shown(catalogue.source_of(puzzle, 'backtrack'))}, or ask for any"
            raise ValueError(f"it has no hand search to count solutions; {write}")
        search = next(iter(formulations.values()))

        def solutions(tally: Tally) -> Iterator[Solution]:
            if steps := steps_of(search):
                tally.step = steps[0]
            if isinstance(found := search(instance, tally), Iterator):
                return found
            name = getattr(search, "__name__", "the search")
            raise TypeError(
                f"{name} returns {shorten(found)}, not an iterator; write `yield` for each solution"
            )

        try:
            return second_solution(solutions, known, _BRANCHES)
        except Undecided:
            raise
        except Exception as error:
            # Not the generator's: what the search does not do, it does not do for a typed instance either.
            raise catalogue.PuzzleError(puzzle, catalogue.blamed(error, puzzle, "backtrack")) from error

    def _parsed(self, table: dict[str, Any], made_by: Callable[..., object]) -> Puzzle:
        """The puzzle with these keys; raises PuzzleError if `parse` refuses what the function has made."""
        name, header = self.order.puzzle, {"puzzle": self.order.puzzle, "title": "draft", "source": "draft"}
        rules = catalogue.puzzle_module(name)
        try:
            return cast(Puzzle, catalogue.call(name, "parse", lambda: rules.parse(header | table)))
        except InstanceError as error:
            raise self._blame(made_by, f"parse refuses the instance that it makes: {error}") from None

    def _blame(self, made_by: Callable[..., object], fault: str) -> catalogue.PuzzleError:
        """The error that names the line of a function of generate.py."""
        file = errors.shown(catalogue.source_of(self.order.puzzle, "generate"))
        return catalogue.PuzzleError(self.order.puzzle, f"{file}:{getsourcelines(made_by)[1]}: {fault}")

    def file(self, draft: Draft) -> str:
        """The text of the instance file; raises PuzzleError if `check` refuses the solution."""
        order = self.order
        kind = "hard, " * order.hard + f"rule {order.rule}, " * bool(order.rule)
        name, title = order.puzzle, order.puzzle.replace("_", " ").capitalize()
        table = {
            "puzzle": name,
            "title": f"{title}, {kind}size {order.size}, seed {order.seed}",
            "source": f"generated by puzzle-bench {version('puzzle-bench')}: {self.size}, "
            f"seed {order.seed}, hardness {order.hardness:g}, {kind}{_IN_WORDS[order.wanted]}",
            **draft.table,
        }
        if order.wanted == Wanted.NONE:
            return as_toml(table | {"expected": {"solutions": 0}})
        # As it will be read.
        puzzle = self._parsed(tomllib.loads(as_toml(table)), self.generator.draft)
        if broken := catalogue.call(name, "check", lambda: puzzle.check(draft.solution)):
            raise self._blame(self.generator.draft, f"it claims a solution that is none: {broken[0]}")
        answer = catalogue.call(name, "answer", lambda: puzzle.answer(draft.solution))
        one = {"expected": {"solutions": 1, "answer": answer}}
        return as_toml(table | (one if order.wanted == Wanted.ONE else {}))


def _answer(order: Order) -> Generated:
    """What becomes of an order."""
    try:
        maker = _Maker(order)
        draft = maker.make()
        return Generated(maker.file(draft), draft.table, maker.narrowings)
    except (Exception, SystemExit) as error:
        # What the rules refuse is a mistake, and no size without instances.
        if isinstance(error, ValueError) and not isinstance(error, (InstanceError, ConvertError)):
            return Generated(error=f"{maker.size}: {error}")
        return Generated(error=catalogue.blamed(error, order.puzzle, "generate"), mistake=True)


def main() -> None:
    """Answers orders until there are no more."""
    # Python's own limit of 1,000 is less than a hand search may need: its depth is the number of unknowns.
    sys.setrecursionlimit(RECURSION)
    for line in sys.stdin.buffer:
        print(json.dumps(asdict(_answer(Order(**json.loads(line))))), flush=True)


if __name__ == "__main__":
    main()
