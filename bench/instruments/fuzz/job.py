"""The process that fuzzes: `python -m bench.instruments.fuzz.job`.

It reads a Hunt, and writes what it executes as lines of JSON: a name of COUNTED, and several of these.
Hypothesis draws the instances, and shrinks those that show a fault. It ends when its input does.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, cast

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Flaky, NoSuchExample

from bench import catalogue
from bench.campaign.check import Exhausted, exhaust
from bench.campaign.plan import plan
from bench.campaign.selection import ALL, Request
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.contract import Run, Solver, Status, Task
from bench.execution.pool import ServerPool
from bench.execution.process import Process, ProcessEnded
from bench.instruments.fuzz.evidence import write_evidence
from bench.instruments.fuzz.findings import SOURCES, Finding, Hunt, Kind, add_finding, execute, judge
from bench.instruments.generate.instance_file import WORKER, Order, Wanted, as_toml, ask
from models.shared.random_instances import RandomInstances, header

# So many instances of one puzzle are drawn at most, and for so long, before it is another one's turn.
_BATCH, _BATCH_S = 40, 20.0
# The share of batches that a generator makes, their instances, and the largest size of these at first.
_GENERATED, _FEW, _LARGEST = 0.25, 4, 16
# A generated instance that is not there in time, or on which all models need longer, is too large.
_GENERATOR_S, _LONG_S = 2.0, 10.0
# For so long an instance is shrunk, and tried with so many seeds; with one if as many show it in a row.
_SHRINK_S, _SHRINK_TRIES, _STEADY_TRIES = 120.0, 8, 3
# The share of instances of which one solution is asked for, too; by how much longer a hang must last.
_FIRST, _PATIENCE = 0.25, 6
# Models do not count the solutions of an instance with more of them, or of a larger one of a generator.
_MOST_COUNTED, _COUNTED_SIZE = 60, 6
# The backend that counts instances which are too large to be counted exhaustively.
_HAND_SEARCH = "backtrack"
# What an instance is made of: its table, or the order for a generator.
_Source = dict[str, Any] | Order


@dataclass(frozen=True)
class _Case:
    """An instance to try; with all of its solutions if they were counted."""

    table: dict[str, Any]
    instance: Instance
    exhausted: Exhausted | None
    tasks: Sequence[Task]


def _draw(
    puzzle: str, largest: int | None, examples: int, number: int,
    search: Callable[[_Source, int], bool], *phases: Phase,
) -> tuple[_Source, int] | None:  # fmt: skip
    """Has Hypothesis call a function with sources of instances, until it is true: the same for a number.

    The function gets a number too, which decides on the seeds, orders and threads of all runs. Sources are
    random instances, or orders for a generator up to the largest size if there is one.
    """
    sources: st.SearchStrategy[_Source]
    if largest is None:
        sources = cast(RandomInstances, catalogue.random_instances(puzzle)).INSTANCES
    else:
        wanted, hardness = [Wanted.ONE, Wanted.NONE, Wanted.ANY], [0.5, 0.8, 1.0]
        sources = st.builds(
            Order, st.just(puzzle), st.integers(1, largest), st.integers(1, 10_000),
            st.sampled_from(hardness), st.sampled_from(wanted),
        )  # fmt: skip
    drawn = st.tuples(sources, st.integers(0, 2**31))
    options = settings(max_examples=examples, phases=phases, database=None, deadline=None, print_blob=False)
    # Flaky is what Hypothesis says of a fault that does not show each time.
    with suppress(NoSuchExample, Flaky):
        return find(drawn, lambda pair: search(*pair), settings=options, random=Random(number))
    return None


class _Fuzzer:
    """Draws instances, executes models on them, and shrinks those that show a fault."""

    def __init__(self, hunt: Hunt, servers: ServerPool, scratch: Path, tell: Callable[[bytes], object]):
        self.hunt, self.servers, self._tell = hunt, servers, tell
        self.file = scratch / "random.toml"
        names = dict.fromkeys(name.partition(":")[0] for name in [*hunt.backends, _HAND_SEARCH])
        self.backends = servers.offers(names)
        self.random = Random(hunt.seed)
        self.until = monotonic() + 60 * (hunt.minutes or inf)
        self.examples, self.drawn = 0, set[int]()
        self.generator: Process | None = None
        self.largest = dict.fromkeys(hunt.puzzles, _LARGEST)

    def run(self) -> None:
        """Fuzzes one puzzle after the other, always the one that had the least."""
        spent = dict.fromkeys(self.random.sample(self.hunt.puzzles, len(self.hunt.puzzles)), 0.0)
        while spent and not self.is_done():
            puzzle = min(spent, key=lambda name: spent[name])
            started, examples = monotonic(), self.examples
            try:
                self.fuzz(puzzle)
            except (Exception, SystemExit) as error:  # Of the puzzle's own code that draws.
                self.tell("errors", catalogue.blamed(error, puzzle, SOURCES[0]))
                del spent[puzzle]
                continue
            # Of a given number of examples each puzzle has as many; otherwise as much time.
            spent[puzzle] += self.examples - examples if self.hunt.examples else monotonic() - started

    def tell(self, name: str, *counted: str | tuple[str, ...]) -> None:
        """Tells what was executed."""
        self._tell(json.dumps([name, counted]).encode())

    def is_done(self) -> bool:
        """Whether the time is up, or all examples are drawn."""
        return monotonic() > self.until or self.examples >= (self.hunt.examples or inf)

    def fuzz(self, puzzle: str) -> None:
        """Tries a batch of instances of a puzzle, up to one with new faults, and shrinks it for each."""
        own, generator = (catalogue.source_of(puzzle, name).exists() for name in SOURCES)
        generated = generator and (not own or self.random.random() < _GENERATED)
        examples = _FEW if generated else _BATCH
        if self.hunt.examples is not None:
            # So that each puzzle has its turn.
            examples = min(examples, ceil(self.hunt.examples / len(self.hunt.puzzles)))
        largest = self.largest[puzzle] if generated else None
        batch = partial(_draw, puzzle, largest, examples, self.random.getrandbits(64))
        new: list[tuple[Finding, Path]] = []
        until = inf if self.hunt.examples else monotonic() + _BATCH_S

        def search(source: _Source, salt: int) -> bool:
            if self.is_done() or monotonic() > until:
                return True
            self.examples += 1
            # Of Hypothesis's draws almost half are alike.
            text = hash(json.dumps(source) if isinstance(source, dict) else source)
            if text not in self.drawn:
                self.drawn.add(text)
                new.extend(self.tried(puzzle, source, salt))
            return bool(new)

        first = batch(search, Phase.generate)
        for finding, folder in new:
            try:
                write_evidence(self.shrunk(batch, first, finding), folder, self.servers)
            except Exception as error:  # The instance as found is there, and the hunt goes on.
                self.tell("errors", f"{folder}: its evidence is incomplete: {errors.words(error)}")

    def shrunk(self, batch: Callable[..., object], first: object, finding: Finding) -> Finding:
        """The same fault on the smallest instance on which it shows, beginning with the first of a batch."""
        smallest, tries = finding, 0
        until = monotonic() + _SHRINK_S

        def search(source: _Source, salt: int) -> bool:
            nonlocal smallest, tries
            # The same seed draws the same instances again.
            if (not tries and (source, salt) != first) or monotonic() > until:
                return False
            if not (case := self.case(finding.run.puzzle, source, salt)):
                return False
            if not tries:
                steady = all(self.shows(case, finding, [other]) for other in range(1, _STEADY_TRIES + 1))
                tries = 1 if steady else _SHRINK_TRIES
                return True
            shown = self.shows(case, smallest, [finding.run.seed, *range(1, tries)])
            smallest = shown or smallest
            return shown is not None

        batch(search, Phase.generate, Phase.shrink)
        return smallest

    def tried(self, puzzle: str, source: _Source, salt: int) -> list[tuple[Finding, Path]]:
        """The faults that all models show on an instance and that are new, with their folders."""
        started = monotonic()
        if not (case := self.case(puzzle, source, salt)):
            return []
        self.tell("instances", puzzle)
        if case.exhausted:
            self.tell("counted", puzzle)
        rng = Random(salt)
        # Who counts has found a first solution too, as a rule in the same way.
        tasks = case.tasks if rng.random() < _FIRST else case.tasks[-1:]
        runs = [run for run in self.runs(case) if run.task in tasks]
        for place, run in enumerate(runs):
            seed, rewriting = rng.randint(1, 1000), rng.choice([0, 0, 0, rng.randint(1, 1000)])
            threads = rng.choice([1, 1, 1, 2]) if self.solver(run).parallel else 1
            runs[place] = replace(run, seed=seed, rewriting=rewriting, threads=threads)
        judged = self.judged(case, [*runs, *self.runs(case, others=True)])
        found = [each for each in judged if self.confirmed(case, each)]
        self.tell("faults", *(_model(finding.run) for finding in found))
        if monotonic() - started > _LONG_S:
            self.ask_smaller(source)
        out = Path(self.hunt.folder)
        return [(finding, folder) for finding in found if (folder := add_finding(out, finding))]

    def confirmed(self, case: _Case, finding: Finding) -> bool:
        """Whether a hang is one: on a small instance, and with a longer limit too, as machines are busy."""
        if finding.kind is not Kind.HANG:
            return True
        longer = replace(finding.run, time_limit_s=_PATIENCE * finding.run.time_limit_s)
        small = case.exhausted is not None
        return small and any(one.kind is Kind.HANG for one in self.judged(case, [longer], tallied=False))

    def shows(self, case: _Case, finding: Finding, seeds: Iterable[int]) -> Finding | None:
        """The same fault on another instance; None if it does not show there with any of these seeds."""
        run = replace(finding.run, instance_sha256=case.instance.sha256)
        # What only another model contradicts needs that model.
        others = self.runs(case) if finding.kind is Kind.DISAGREEMENT else []
        others = others or self.runs(case, others=True)
        for number in seeds:
            same = self.judged(case, [*others, replace(run, seed=number)], tallied=False)
            if found := next((one for one in same if one.fault == finding.fault), None):
                return found
        return None

    def case(self, puzzle: str, source: _Source, salt: int) -> _Case | None:
        """The instance of a source; None if there is none, which only a generator may say."""
        table = source if isinstance(source, dict) else self.generated(source)
        if table is None:
            return None
        self.file.write_text(as_toml(table), encoding="utf-8")
        try:
            instance = catalogue.load(self.file)
            exhausted = exhaust(instance, most=20_000, most_s=0.5)
        except (PuzzleError, RequestError) as error:
            place = errors.shown(catalogue.source_of(puzzle, SOURCES[isinstance(source, Order)]))
            reason = str(error).removeprefix(f"{errors.shown(self.file)}: ")
            self.tell("errors", f"{place}: an instance that it draws cannot be used: {reason}")
            return None
        tasks = instance.tasks
        large = isinstance(source, Order) and (source.wanted is Wanted.ANY or source.size > _COUNTED_SIZE)
        if exhausted and len(exhausted.solutions) > _MOST_COUNTED:
            large = True
        if large and Task.FIRST in tasks:
            tasks = [Task.FIRST]  # It may have too many solutions to count, or need too long.
        elif exhausted and not exhausted.solutions:
            # Both tasks ask the same.
            tasks = [tasks[salt % len(tasks)]]
        return _Case(table, instance, exhausted, tasks)

    def generated(self, order: Order) -> dict[str, Any] | None:
        """The table of a generated instance; None if there is none, or not in time."""
        self.generator = self.generator or Process(WORKER)
        try:
            made = ask(self.generator, order, _GENERATOR_S)
            if made.mistake:
                self.tell("errors", made.error)
            return made.table and header(order.puzzle) | made.table
        except ProcessEnded:
            self.generator.close()
            self.generator = None
            self.ask_smaller(order)
            return None

    def ask_smaller(self, source: _Source) -> None:
        """Asks a generator for smaller instances from now on: this one needed too much time."""
        if isinstance(source, Order):
            self.largest[source.puzzle] = max(1, min(self.largest[source.puzzle], source.size - 1))

    def solver(self, run: Run) -> Solver:
        return self.backends[run.backend].solver(run.solver)

    def runs(self, case: _Case, others: bool = False) -> list[Run]:
        """The runs of all models; or others that show what is true, unless that was counted exhaustively."""
        if others and case.exhausted:
            return []
        wanted = () if others else self.hunt.formulations
        request = Request(
            instances=[str(case.instance.path)], tasks=case.tasks, time_limit_s=self.hunt.time_limit_s,
            backends=[_HAND_SEARCH] if others else self.hunt.backends, formulations=() if others else [ALL],
            memory_limit_mb=4096,
        )  # fmt: skip
        return [
            run
            for run in plan(request, [case.instance], self.backends)
            if self.backends[run.backend].formulations.get(run.puzzle)
            and (not wanted or run.formulation in (*wanted, ""))
            # It would search until its time is up.
            and (case.exhausted is None or case.exhausted.solutions or self.solver(run).complete)
            and not run.endless
        ]

    def judged(self, case: _Case, runs: Sequence[Run], tallied: bool = True) -> list[Finding]:
        """The faults that runs on an instance show; runs that confirm or shrink a fault are not tallied."""
        tried = []
        for run in runs:
            # What was executed is compared even if the time is up before all are.
            if tallied and monotonic() > self.until:
                break
            tried.append(execute(self.servers, case.instance, run, self.backends[run.backend]))
        try:
            found = list(judge(case.table, case.exhausted, tried))
        except PuzzleError as error:
            self.tell("errors", str(error))
            return []
        if tallied:
            self.tell("runs", *((*_model(one.run), one.row.status) for one in tried))
            # A model that could not be built is no fault of a solver.
            broken = (one for one in tried if one.row.status is Status.CRASHED and one.row.build_s is None)
            self.tell("errors", *(f"{one.run.label}: {one.row.error}" for one in broken))
        return found


def _model(run: Run) -> tuple[str, ...]:
    """The model and the solver of a run, to count it by."""
    return run.puzzle, f"{run.backend}:{run.solver}", run.solver_version, run.formulation


def main() -> None:
    """Carries out one hunt; the answers go to what was the standard output."""
    answers = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    hunt = Hunt(**json.loads(sys.stdin.buffer.readline()))

    def end_with_input() -> None:
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGINT)

    # A shell may have had it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=end_with_input, daemon=True).start()
    # No cores are reserved, as times do not matter here.
    with suppress(KeyboardInterrupt), closing(ServerPool()) as servers, TemporaryDirectory() as scratch:
        set_hypothesis_home_dir(scratch)
        _Fuzzer(hunt, servers, Path(scratch), lambda line: answers.write(line + b"\n")).run()


if __name__ == "__main__":
    main()
