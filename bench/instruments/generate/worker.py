"""The process that generates instances: `python -m bench.instruments.generate.worker`.

It answers each Order with a Generated, as lines of JSON. How many solutions an instance has, several backends
try to prove, each in a process of its own, with the same effort whatever the puzzle; what one proves counts.

The same order gives the same bytes, on any machine and however busy it is. Nothing here depends on time:
efforts are counted, and the harness's time limit ends all of it with an error.
"""

import json
import sys
import tomllib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from importlib.metadata import version
from inspect import getsourcelines
from random import Random
from typing import cast

from tomlkit.exceptions import ConvertError

from bench import catalogue
from bench.catalogue import errors
from bench.contract import MOST_S
from bench.execution.process import Process, ProcessEnded
from bench.execution.worker import RECURSION
from bench.instruments.generate.instance_file import Generated, Order, Wanted, as_toml
from bench.instruments.generate.prover import Proof
from models.shared.document import InstanceError, shorten
from models.shared.generator import Clue, Planted, Table, document
from models.shared.puzzle import Optimised, Puzzle

_BUDGETS = {"backtrack": 3_000, "asp": 10_000, "cpsat": 1}
"""What each backend may spend on a proof, in the units of EFFORTS; docs/methodology.md has the times."""

_REPRODUCIBLE = ("backtrack", "asp")
"""The backends whose solutions are used, too; of CP-SAT's only the number is."""

_ATTEMPTS = 50  # How many solutions are planted at most,
_REFUTATIONS = 1_000  # how often one is changed that is not the only one,
_PROOFS, _UNDECIDED = 300, 10  # how many proofs are tried that clues need not be told, and may be undecided,
_SPOILINGS = 20  # and how often clues are spoilt.
_OF_BEST = Wanted.ANY, 0.7  # What is ordered of a puzzle with an objective, whatever the order says.
_IN_WORDS = {"any": "one solution or more", "one": "exactly one solution", "none": "no solution"}


class _Provers:
    """The backends that prove how many solutions the instances of a puzzle have."""

    def __init__(self) -> None:
        self.processes: dict[str, Process] = {}

    def ask(self, backend: str, puzzle: str, table: Table, most: int) -> Proof:
        """What a backend proves, which stops at `most` solutions; PuzzleError if its model fails."""
        if backend not in self.processes:
            self.processes[backend] = Process("bench.instruments.generate.prover", backend, _BUDGETS[backend])
        question = json.dumps([puzzle, table, most]).encode()
        try:
            proof = Proof(**json.loads(self.processes[backend].ask(question, MOST_S)))
        except ProcessEnded as error:
            self.processes.pop(backend).close()
            raise ValueError(f"{backend}: {error}") from None
        if proof.fault:
            raise catalogue.PuzzleError(puzzle, proof.fault)
        return proof

    def close(self) -> None:
        """Ends their processes."""
        for process in self.processes.values():
            process.close()


class _Maker:
    """Makes the instance of an order.

    Attributes:
        backends: those that prove something of this puzzle, the one that did last first.
        undecided: how many proofs none of them completed.
    """

    def __init__(self, order: Order, provers: _Provers) -> None:
        self.order, self.provers, self.undecided, self.optimises = order, provers, 0, False
        self.generator = catalogue.generator(order.puzzle)
        self.size = f"size {order.size} ({self.generator.SIZE})"
        self.backends = [name for name in _BUDGETS if catalogue.source_of(order.puzzle, name).exists()]

    def make(self) -> Generated:
        """The instance; the same for the same order and versions.

        Raises ValueError if there is none of this size or kind, or none was found; PuzzleError if the
        puzzle's own rules refuse what is planted, or a model fails.
        """
        order, rules = self.order, getattr(self.generator, "RULES", ())
        if order.rule not in ("", *rules):
            advice = f"write {' or '.join(rules)}" if rules else "leave out --rule"
            raise ValueError(f"there is no rule {shorten(order.rule)}; {advice}")
        if order.wanted != Wanted.ANY and not self.backends:
            known = ", ".join(f"{name}.py" for name in _BUDGETS)
            raise ValueError(f"no model proves how many solutions it has; write {known}, or ask for any")
        if order.rule in rules[:1]:
            self.order = order = replace(order, rule="")
        rule = [order.rule] if order.rule else []
        parts = [order.puzzle, order.size, order.seed, order.hardness, order.wanted, *rule]
        for attempt in range(_ATTEMPTS):
            rng = Random(" ".join(map(str, [*parts, attempt])))
            planted = self.generator.plant(order.size, rng, *rule)
            if planted:
                self._check(planted)
            # Of the best solutions there may be several, and nothing is left out: one order stands for all.
            if self.optimises and (order.wanted, order.hardness) != _OF_BEST:
                self.order = replace(order, wanted=Wanted.ANY, hardness=_OF_BEST[1])
                return self.make()
            if planted and (made := self._finished(planted, rng)):
                return made
        undecided = f" ({self.undecided} proofs were undecided)" * bool(self.undecided)
        raise ValueError(
            f"none found in {_ATTEMPTS} attempts{undecided}; another size, hardness or seed may do"
        )

    def _finished(self, planted: Planted, rng: Random) -> Generated | None:
        """The instance with as few clues and as many solutions as were ordered; None if that fails."""
        # Where no clue can be left out, what is spoilt need not have had a single solution.
        if self.order.wanted == Wanted.ONE or (self.order.wanted == Wanted.NONE and planted.clues):
            if (unique := self._unique(planted, rng)) is None:
                return None
            planted = unique
        clues = _all_clues(planted)
        groups = [[clue for clue in group if rng.random() < self.order.hardness] for group in planted.clues]
        if self.order.wanted == Wanted.ANY:
            return self._instance(planted, _without(clues, *groups))
        clues = self._needed(planted, clues, [rng.sample(group, len(group)) for group in groups])
        if self.order.wanted == Wanted.ONE:
            return self._instance(planted, clues, 1)
        for _ in range(_SPOILINGS):
            spoilt = self.generator.spoil(planted, clues, rng)
            if spoilt and (proof := self._proof(planted, spoilt, 0)) and proof.count == 0:
                return self._instance(planted, spoilt, 0)
        return None

    def _unique(self, planted: Planted, rng: Random) -> Planted | None:
        """What is planted, changed until all of its clues leave no other solution; None if that fails."""
        refute = getattr(self.generator, "refute", None)
        for _ in range(_REFUTATIONS):
            proof = self._proof(planted, _all_clues(planted), 1, _REPRODUCIBLE if refute else tuple(_BUDGETS))
            if proof is None or proof.count == 1:
                return planted if proof else None
            others = [each for each in proof.solutions if each != planted.solution]
            if not (refute and others and (changed := refute(planted, others[0], rng))):
                return None
            planted = changed
        return None

    def _needed(self, planted: Planted, given: list[Clue], groups: Sequence[Sequence[Clue]]) -> list[Clue]:
        """The clues without those of the groups that need not be told: more at a time while that succeeds."""
        left, step, limit = [clue for group in groups for clue in group], 1, self.undecided + _UNDECIDED
        for _ in range(_PROOFS):
            if not left or self.undecided >= limit:
                break
            fewer = _without(given, left[:step])
            if (proof := self._proof(planted, fewer, 1)) and proof.count == 1:
                given, left, step = fewer, left[step:], 2 * step
            elif step > 1:
                step = max(1, step // 4)
            else:
                left = left[1:]
        return given

    def _proof(
        self, planted: Planted, clues: Sequence[Clue], most: int, shown_by: Sequence[str] = tuple(_BUDGETS)
    ) -> Proof | None:
        """How many solutions an instance has, or that it has more than `most`; None if no backend proves it.

        If `most` is 0 its clues are spoilt. Only the solutions of `shown_by` are believed.
        """
        table = planted.table(clues)
        self._parsed(document(table), self.generator.plant if most else self.generator.spoil)
        for backend in self.backends:
            proof = self.provers.ask(backend, self.order.puzzle, table, most + 1)
            if most and proof.complete and proof.count == 0:
                raise catalogue.PuzzleError(self.order.puzzle, f"{backend} misses a solution that is planted")
            if (proof.complete and proof.count <= most) or (proof.count > most and backend in shown_by):
                # It may be the one that can prove the next, too.
                self.backends.remove(backend)
                self.backends.insert(0, backend)
                return proof
        self.undecided += 1
        return None

    def _instance(
        self, planted: Planted, clues: Sequence[Clue], count: int | None = None
    ) -> Generated | None:
        """The instance with these clues and so many solutions; None if no backend proves that again."""
        order, table = self.order, planted.table(clues)
        kind = f"rule {order.rule}, " * bool(order.rule)
        told = f"hardness {order.hardness:g}, {kind}{_IN_WORDS[order.wanted]}"
        name, title = order.puzzle, order.puzzle.replace("_", " ").capitalize()
        whole = {
            "puzzle": name,
            "title": f"{title}, {kind}size {order.size}, seed {order.seed}",
            "source": f"generated by puzzle-bench {version('puzzle-bench')}: {self.size}, "
            f"seed {order.seed}{'' if self.optimises else f', {told}'}",
            **table,
        }
        # As it will be read.
        puzzle = self._parsed(tomllib.loads(as_toml(whole)), self.generator.plant)
        if count is None:
            return Generated(as_toml(whole), table)
        proofs = {
            name: self.provers.ask(name, order.puzzle, table, count + 1) for name in sorted(self.backends)
        }
        proved = [name for name, proof in proofs.items() if proof.complete and proof.count == count]
        if not proved:
            return None
        expected: Table = {"solutions": count, "proved_by": proved}
        if count:
            expected["answer"] = catalogue.call(name, "answer", lambda: puzzle.answer(planted.solution))
        whole["expected"] = expected
        doubts = [
            f"{other} finds {proof.count} solutions where {proved[0]} proves {count}"
            for other, proof in proofs.items()
            if proof.count > count or (proof.complete and other not in proved)
        ]
        return Generated(as_toml(whole), table, "; ".join(doubts), bool(doubts))

    def _check(self, planted: Planted) -> None:
        """Raises PuzzleError if `parse` or `check` refuses what is planted."""
        name, plant = self.order.puzzle, self.generator.plant
        puzzle = self._parsed(document(planted.table(_all_clues(planted))), plant)
        if isinstance(puzzle, Optimised):
            if self.order.wanted == Wanted.NONE:
                raise ValueError("there is always a best solution; leave out --solutions none")
            self.optimises = True
        if broken := catalogue.call(name, "check", lambda: puzzle.check(planted.solution)):
            raise self._blame(plant, f"it claims a solution that is none: {broken[0]}")

    def _parsed(self, table: Table, made_by: Callable[..., object]) -> Puzzle:
        """The puzzle of an instance; raises PuzzleError if `parse` refuses what the function has made."""
        name = self.order.puzzle
        rules = catalogue.puzzle_module(name)
        try:
            return cast(Puzzle, catalogue.call(name, "parse", lambda: rules.parse(table)))
        except InstanceError as error:
            raise self._blame(made_by, f"parse refuses the instance that it makes: {error}") from None

    def _blame(self, made_by: Callable[..., object], fault: str) -> catalogue.PuzzleError:
        """The error that names the line of a function of generate.py."""
        file = errors.shown(catalogue.source_of(self.order.puzzle, "generate"))
        return catalogue.PuzzleError(self.order.puzzle, f"{file}:{getsourcelines(made_by)[1]}: {fault}")


def _all_clues(planted: Planted) -> list[Clue]:
    """The clues of all groups."""
    return [clue for group in planted.clues for clue in group]


def _without(clues: Sequence[Clue], *groups: Sequence[Clue]) -> list[Clue]:
    """The clues that are in none of the groups."""
    gone = {clue for group in groups for clue in group}
    return [clue for clue in clues if clue not in gone]


def _answer(order: Order, provers: _Provers) -> Generated:
    """What becomes of an order."""
    try:
        maker = _Maker(order, provers)
        return maker.make()
    except (Exception, SystemExit) as error:
        # What the rules refuse is a mistake, and no size without instances.
        if isinstance(error, ValueError) and not isinstance(error, (InstanceError, ConvertError)):
            return Generated(error=f"{maker.size}: {error}")
        return Generated(error=catalogue.blamed(error, order.puzzle, "generate"), mistake=True)


def main() -> None:
    """Answers orders until there are no more."""
    # Python's own limit of 1,000 is less than a search that fills a grid may need.
    sys.setrecursionlimit(RECURSION)
    with closing(_Provers()) as provers:
        for line in sys.stdin.buffer:
            print(json.dumps(asdict(_answer(Order(**json.loads(line)), provers))), flush=True)


if __name__ == "__main__":
    main()
