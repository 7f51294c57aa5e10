"""The process that fuzzes: `python -m bench.fuzzing.job`.

It reads an Order, and tells now and then what it has executed since it last did, as a Tally. Hypothesis draws
the instances, and shrinks those that show a fault; findings go to the folder of the order. It ends when its
input does.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from math import ceil, inf
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Flaky

from bench import catalogue
from bench.campaign.plan import plan
from bench.campaign.selection import ALL, Request
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.contract import Backend, Run, Task
from bench.execution.pool import ServerPool
from bench.execution.process import Process, ProcessEnded
from bench.fuzzing.draws import LARGEST, Drawn, drawn
from bench.fuzzing.evidence import write_evidence
from bench.fuzzing.finding import Finding, Kind, Table
from bench.fuzzing.folder import Folder
from bench.fuzzing.order import SOURCES, Model, Order, Tally
from bench.fuzzing.trial import execute, judge, mistakes, varied
from bench.fuzzing.truth import Truth, truth_of
from bench.generation import order as generation
from bench.generation.instance_file import WORKER, as_toml
from bench.generation.order import Generated, Wanted
from models.shared.random_instances import header

BATCH = 40
"""How many instances of one puzzle are drawn at most, before it is another one's turn."""

SHRINK_S = 120.0
"""After so many seconds an instance that shows a fault is not shrunk further."""

SHRINK_TRIES = 8
"""With how many seeds a smaller instance is tried, where a fault shows with some seeds only."""

STEADY_TRIES = 3
"""A fault that shows with so many seeds in a row is taken to show with each."""

BATCH_S = 20.0
"""After so many seconds a batch ends, unless the number of instances is given: then each has the same."""

GENERATED = 0.25
"""The share of batches whose instances a puzzle's generator makes."""

FEW = 4
"""How many instances such a batch has: each needs much time."""

FIRST = 0.25
"""The share of the instances of which a single solution is asked for, where they are counted too."""

PATIENCE = 6
"""A run that did not stop at its limit gets so many times the limit, before that counts as a hang."""

MOST_COUNTED = 60
"""The solutions of an instance with more of them are not counted: meanwhile several others can be tried."""

COUNTED_SIZE = 6
"""The solutions of larger instances that a generator makes are not counted."""

GENERATOR_S = 2.0
"""Time limit of a generator in seconds."""

LONG_S = 10.0
"""A generated instance on which all models together need longer is too large."""

TELL_EVERY_S = 0.5
"""Seconds between two tallies."""

HAND_SEARCH = "backtrack"
"""The backend that counts instances which are too large to be counted exhaustively."""


class Stop(Exception):
    """Ends a batch: an instance shows a new fault, or there is no more to draw."""


@dataclass(frozen=True)
class Case:
    """An instance that was drawn: its table, its file as it was read, and what is true of it."""

    table: Table
    instance: Instance
    truth: Truth
    tasks: Sequence[Task]


@dataclass(frozen=True)
class Batch:
    """Draws of instances of a puzzle, the same each time.

    Attributes:
        largest: the size up to which the puzzle's generator makes them; None for those of its own.
        examples: how many at most.
    """

    puzzle: str
    largest: int | None
    examples: int
    seed: int

    def draw(self, phases: Sequence[Phase], search: Callable[[Drawn], None]) -> None:
        """Has Hypothesis call a function with each of them, until it raises Stop; then it may shrink."""
        test = settings(
            max_examples=self.examples, phases=phases, database=None, deadline=None, print_blob=False,
            report_multiple_bugs=False, suppress_health_check=list(HealthCheck),
        )(seed(self.seed)(given(drawn(self.puzzle, self.largest))(search)))  # fmt: skip
        # Flaky is what Hypothesis says of a fault that does not show each time.
        with suppress(Stop, Flaky):
            test()


class Fuzzer:
    """Draws instances, executes models on them, and shrinks those that show a fault.

    Args:
        order: what to do.
        servers: execute the runs.
        scratch: a folder for the files of instances.
        tell: receives a line with what was executed.
    """

    def __init__(
        self, order: Order, servers: ServerPool, scratch: Path, tell: Callable[[bytes], None]
    ) -> None:
        self.order, self.servers, self.tell = order, servers, tell
        self.file = scratch / "random.toml"
        names = dict.fromkeys(name.partition(":")[0] for name in [*order.backends, HAND_SEARCH])
        self.backends: Mapping[str, Backend] = servers.offers(names)
        self.folder = Folder(Path(order.folder))
        self.random = Random(order.seed)
        self.started = self.told_at = monotonic()
        self.examples = 0
        self.drawn = set[int]()
        self.tally = Tally()
        self.generator: Process | None = None
        self.largest = dict.fromkeys(order.puzzles, LARGEST)

    def run(self) -> None:
        """Fuzzes one puzzle after the other, the one that had the least first, until all is done."""
        puzzles = self.random.sample(self.order.puzzles, len(self.order.puzzles))
        spent = dict.fromkeys(puzzles, 0.0)
        while spent and not self.is_done():
            puzzle = min(spent, key=lambda name: spent[name])
            started, examples = monotonic(), self.examples
            try:
                self.fuzz(puzzle)
            except (Exception, SystemExit) as error:  # Of the puzzle's own code that draws.
                self.tally.errors.append(catalogue.blamed(error, puzzle, SOURCES[0]))
                del spent[puzzle]
                continue
            # Of a given number of examples each puzzle has as many; otherwise as much time.
            spent[puzzle] += self.examples - examples if self.order.examples else monotonic() - started
        self.report()

    def is_done(self) -> bool:
        """Whether the time is up, or all examples are drawn."""
        return self.is_late() or (self.order.examples is not None and self.examples >= self.order.examples)

    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.order.minutes is not None and monotonic() - self.started > 60 * self.order.minutes

    def batch(self, puzzle: str) -> Batch:
        """The next draws of a puzzle."""
        own, generator = (catalogue.source_of(puzzle, name).exists() for name in SOURCES)
        generated = generator and (not own or self.random.random() < GENERATED)
        examples = FEW if generated else BATCH
        if self.order.examples is not None:
            # So that each puzzle has its turn.
            examples = min(examples, ceil(self.order.examples / len(self.order.puzzles)))
        return Batch(
            puzzle, self.largest[puzzle] if generated else None, examples, self.random.getrandbits(64)
        )

    def fuzz(self, puzzle: str) -> None:
        """Tries a batch of instances of a puzzle, up to one with new faults, and shrinks it for each."""
        batch = self.batch(puzzle)
        new: list[Finding] = []
        drawn_before = 0
        until = inf if self.order.examples else monotonic() + BATCH_S

        def search(drawn: Drawn) -> None:
            nonlocal drawn_before
            if self.is_done() or monotonic() > until:
                raise Stop
            self.examples += 1
            if self.is_fresh(drawn):
                new.extend(self.tried(puzzle, drawn))
            if new:
                raise Stop
            drawn_before += 1

        batch.draw([Phase.generate], search)
        for finding in new:
            smallest = self.shrunk(batch, drawn_before, finding)
            folder = self.folder.of(finding.signature)
            try:
                write_evidence(smallest, folder, self.servers)
            except Exception as error:  # The instance as found is there, and the hunt goes on.
                self.tally.errors.append(f"{folder}: its evidence is incomplete: {errors.words(error)}")

    def is_fresh(self, drawn: Drawn) -> bool:
        """Whether an instance was not drawn before: of Hypothesis's draws almost half are alike."""
        text = hash(json.dumps(drawn.source) if isinstance(drawn.source, dict) else drawn.source)
        fresh = text not in self.drawn
        self.drawn.add(text)
        return fresh

    def shrunk(self, batch: Batch, drawn_before: int, finding: Finding) -> Finding:
        """The same fault on the smallest instance on which it shows.

        Args:
            batch: with which the fault was found.
            drawn_before: how many instances were drawn before the one that shows the fault.
        """
        smallest, number = finding, -1
        until = monotonic() + SHRINK_S
        tries = SHRINK_TRIES

        def search(drawn: Drawn) -> None:
            nonlocal smallest, number, tries
            number += 1
            # The same seed draws the same instances again.
            if number < drawn_before or monotonic() > until:
                return
            if not (case := self.case(batch.puzzle, drawn)):
                return
            if number == drawn_before:
                if all(self.shows(case, finding, [other]) for other in range(1, STEADY_TRIES + 1)):
                    tries = 1
                raise Stop
            if shown := self.shows(case, smallest, [finding.run.seed, *range(1, tries)]):
                smallest = shown
                raise Stop

        batch.draw([Phase.generate, Phase.shrink], search)
        return smallest

    def tried(self, puzzle: str, drawn: Drawn) -> list[Finding]:
        """Executes all models on an instance; returns the faults that are new."""
        started = monotonic()
        if not (case := self.case(puzzle, drawn)):
            return []
        self.tally.instances[puzzle] += 1
        self.tally.counted[puzzle] += case.truth.exhaustive
        rng = Random(drawn.salt)
        # Who counts has found a first solution too, as a rule in the same way.
        tasks = case.tasks if rng.random() < FIRST else case.tasks[-1:]
        runs = [
            varied(run, self.backends[run.backend], rng)
            for run in self.runs(case, self.order.backends)
            if run.task in tasks
        ]
        found = [
            each for each in self.judged(case, [*runs, *self.others(case)]) if self.confirmed(case, each)
        ]
        self.tally.faults.update(model_of(finding.run) for finding in found)
        if isinstance(drawn.source, generation.Order) and monotonic() - started > LONG_S:
            self.ask_smaller(drawn.source)
        self.report(every_s=TELL_EVERY_S)
        return [finding for finding in found if self.folder.add(finding)]

    def confirmed(self, case: Case, finding: Finding) -> bool:
        """Whether a hang is one: on a small instance, and with a longer limit too, as machines are busy."""
        if finding.kind is not Kind.HANG:
            return True
        if not case.truth.exhaustive:
            return False
        longer = replace(finding.run, time_limit_s=PATIENCE * finding.run.time_limit_s)
        return any(each.kind is Kind.HANG for each in self.judged(case, [longer], tallied=False))

    def shows(self, case: Case, finding: Finding, seeds: Iterable[int]) -> Finding | None:
        """The same fault on another instance; None if it does not show there with any of these seeds."""
        run = replace(finding.run, instance_sha256=case.instance.sha256)
        # What only another model contradicts needs that model.
        everyone = self.runs(case, self.order.backends) if finding.kind is Kind.DISAGREEMENT else []
        others = everyone or self.others(case)
        for number in seeds:
            same = self.judged(case, [*others, replace(run, seed=number)], tallied=False)
            if found := next((one for one in same if one.signature == finding.signature), None):
                return found
        return None

    def case(self, puzzle: str, drawn: Drawn) -> Case | None:
        """The instance that was drawn; None if there is none, which only a generator may say."""
        tasks = list(Task)
        if isinstance(drawn.source, generation.Order):
            generated = self.generate(drawn.source)
            if generated is None:
                return None
            table = header(puzzle) | generated
            # It may have too many solutions to count, or need too long.
            if drawn.source.wanted is Wanted.ANY or drawn.source.size > COUNTED_SIZE:
                tasks = [Task.FIRST]
        else:
            table = drawn.source
        self.file.write_text(as_toml(table), encoding="utf-8")
        try:
            instance = catalogue.load(self.file)
            truth = truth_of(instance)
        except (PuzzleError, RequestError) as error:
            source = SOURCES[isinstance(drawn.source, generation.Order)]
            place = errors.shown(catalogue.source_of(puzzle, source))
            reason = str(error).removeprefix(f"{errors.shown(self.file)}: ")
            self.tally.errors.append(f"{place}: an instance that it draws cannot be used: {reason}")
            return None
        if len(truth.solutions) > MOST_COUNTED:
            tasks = [Task.FIRST]
        elif truth.number == 0:
            # Both tasks ask the same.
            tasks = [tasks[drawn.salt % len(tasks)]]
        return Case(table, instance, truth, tasks)

    def generate(self, order: generation.Order) -> Table | None:
        """The instance that a generator makes; None if it makes none of this size, or none in time."""
        self.generator = self.generator or Process(WORKER)
        try:
            return Generated.from_line(self.generator.ask(order.line(), GENERATOR_S)).table
        except ProcessEnded:
            self.generator.close()
            self.generator = None
            self.ask_smaller(order)
            return None

    def ask_smaller(self, order: generation.Order) -> None:
        """Asks the generator of a puzzle for smaller instances from now on: this one needed too much time."""
        self.largest[order.puzzle] = max(1, min(self.largest[order.puzzle], order.size - 1))

    def runs(self, case: Case, backends: Sequence[str]) -> list[Run]:
        """The runs of all models of these backends."""
        wanted = self.order.formulations
        request = replace(self.request(case, backends), formulations=[ALL])
        return [
            run
            for run in plan(request, [case.instance], self.backends)
            if self.backends[run.backend].formulations.get(run.puzzle)
            and (not wanted or run.formulation in (*wanted, ""))
            # It would search until its time is up.
            and (case.truth.number != 0 or self.backends[run.backend].solver(run.solver).complete)
        ]

    def request(self, case: Case, backends: Sequence[str]) -> Request:
        """The default formulations of these backends on an instance."""
        return Request(
            instances=[str(case.instance.path)],
            backends=backends,
            tasks=case.tasks,
            time_limit_s=self.order.time_limit_s,
            memory_limit_mb=self.order.memory_limit_mb,
        )

    def others(self, case: Case) -> list[Run]:
        """Runs that show what is true, where that was not counted exhaustively."""
        if case.truth.exhaustive:
            return []
        request = self.request(case, [HAND_SEARCH])
        return [run for run in plan(request, [case.instance], self.backends) if run.formulation]

    def judged(self, case: Case, runs: Sequence[Run], tallied: bool = True) -> list[Finding]:
        """Executes runs on an instance, and returns the faults that they show.

        Args:
            tallied: whether they count; those that confirm and shrink a fault do not.
        """
        tried = []
        for run in runs:
            # What was executed is compared even if the time is up before all are.
            if tallied and self.is_late():
                break
            tried.append(execute(self.servers, case.instance, run, self.backends[run.backend]))
        try:
            found = judge(case.table, case.truth, tried) if tried else []
        except PuzzleError as error:
            self.tally.errors.append(str(error))
            return []
        if tallied:
            self.tally.runs.update((model_of(one.run), str(one.row.status)) for one in tried)
            self.tally.errors += mistakes(tried)
        return found

    def report(self, every_s: float = 0) -> None:
        """Tells what was executed, unless it last did less than so many seconds ago."""
        if monotonic() - self.told_at >= every_s:
            self.tell(self.tally.line())
            self.tally, self.told_at = Tally(), monotonic()


def model_of(run: Run) -> Model:
    """The model and the solver of a run."""
    return run.puzzle, f"{run.backend}:{run.solver}", run.solver_version, run.formulation


def main() -> None:
    """Carries out one order; the lines go to what was the standard output."""
    answers = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    order = Order.from_line(sys.stdin.buffer.readline())

    def end_with_input() -> None:
        while os.read(0, 1024):
            pass
        os.kill(os.getpid(), signal.SIGINT)

    def tell(line: bytes) -> None:
        answers.write(line + b"\n")

    # A shell may have had it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=end_with_input, daemon=True).start()
    # No cores are reserved, as times do not matter here.
    with suppress(KeyboardInterrupt), closing(ServerPool()) as servers, TemporaryDirectory() as scratch:
        Fuzzer(order, servers, Path(scratch), tell).run()


if __name__ == "__main__":
    main()
