"""What `validate` checks of a puzzle: functions that yield what each finds, in the order of _CHECKS.

A finding is a line that begins with the file, and the line, where the mistake is; or a _Note. What code of
the puzzle raises ends a check, and is its last finding.
"""

import json
import re
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from bench import catalogue
from bench.campaign.check import as_json, claimed, exhaust, settle
from bench.campaign.execute import execute_run
from bench.campaign.plan import plan
from bench.campaign.results import Row
from bench.campaign.selection import ALL, Request
from bench.catalogue import Instance, errors
from bench.catalogue.errors import PuzzleError, RequestError
from bench.contract import EFFORTS, LOCAL, Backend, Status, TimeLimit
from bench.environment import machine
from bench.execution.pool import ServerPool
from bench.execution.process import NoAnswer, ProcessEnded
from bench.instruments.generate.instance_file import Generated, Order, Wanted, as_toml, run_worker
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Reported, Solution

# JSON of many shapes, none of which solves anything; and what replaces a value in a malformed instance.
_SHAPES: tuple[Solution, ...] = (
    *(None, True, 0, -1, 1.5, "", "x", [], {}, [[]], [{}], [None], [1], ["x"], [[None]], [["x"]]),
    *([[1, 2], [3]], {"x": []}, {"path": []}, {"path": [], "faces": []}, [[[1]]], [["A", "B", "x"]]),
)
_JUNK: tuple[object, ...] = (None, True, -1, 10**9, 1.5, "", "?", "? ?\n?", [], ["?"], {}, {"?": "?"})
# The damaged copies of a solution, and of each value of an instance; the time limit of a generator.
_DAMAGED, _MALFORMED, _GENERATOR_S, _LOCAL_S = 200, 100, 60.0, 0.3
# The backend that counts solutions for generators. It orders its search itself: a second seed is run too.
_HAND_SEARCH = "backtrack"


@dataclass(frozen=True)
class Effort:
    """How much is tried."""

    time_limit_s: float = 20.0  # Of a run; one that does not end in time proves nothing.
    count_s: float = 2.0  # For so long the candidates of an instance are tried.
    own: int | None = None  # So many of the puzzle's instances, the smallest first; None for all.
    draws: int = 30  # So many random instances are drawn,
    random: int = 8  # and so many of them tried.
    made: int = 2  # Instances of so many sizes are generated, the first that have any:
    sizes: Sequence[int] = (3, 4, 5, 6, 7, 8, 9, 10, 2, 1)  # with one or two of anything there is often none.


class _Note(str):
    """A finding that is no mistake: what could not be checked, and why."""


@dataclass
class Inspection:
    """A puzzle, what is known of it so far, and what was found."""

    puzzle: str
    servers: ServerPool
    effort: Effort
    folder: Path  # Has the files of generated and random instances.
    on_step: Callable[[str], object]
    instances: list[Instance] = field(default_factory=list)
    backends: dict[str, Backend] = field(default_factory=dict)
    solved: list[tuple[Instance, Solution, int | None]] = field(default_factory=list)  # How many, if known.
    made: dict[str, str] = field(default_factory=dict)  # The files of instances that were made here.
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)  # By the name of a thing in the singular.

    def add(self, finding: str) -> None:
        """Adds a finding; of several mistakes on one line the first, from which the others may follow."""
        place = finding.partition(": ")[0]
        start = f"{place}: " if re.search(r":\d+$", place) else finding
        known = self.notes if isinstance(finding, _Note) else self.faults
        if not any(one.startswith(start) for one in known):
            known.append(finding)

    def has(self, module: str) -> bool:
        """Whether the puzzle has this file."""
        return catalogue.source_of(self.puzzle, module).exists()

    def at(self, module: str, *names: str) -> str:
        """A file of the puzzle, with the line of the first of the names that it defines."""
        file = catalogue.source_of(self.puzzle, module)
        text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
        for name in map(re.escape, names):
            if found := re.search(rf"^(?:[ \t]*(?:def|class) {name}\b|{name}\b[^\n=]*=)", text, re.MULTILINE):
                return f"{errors.shown(file)}:{text.count(chr(10), 0, found.start()) + 1}"
        return errors.shown(file)

    def call(self, instance: Instance, name: str, argument: object) -> Any:
        """What a function of the puzzle returns; PuzzleError if it raises, or does not return."""
        try:
            return catalogue.call(self.puzzle, name, lambda: getattr(instance.puzzle, name)(argument))
        except PuzzleError as error:
            raise PuzzleError(self.puzzle, f"{error}: {name}({shorten(argument)})") from error.__cause__

    def try_instance(self, name: str, text: str) -> Instance:
        """An instance that was made for this check; RequestError if it cannot be loaded."""
        file = self.folder / f"{name}.toml"
        file.write_text(text, encoding="utf-8")
        self.made[name] = text
        return catalogue.load(file)


_Check = Callable[[Inspection], Iterator[str]]


def inspect_puzzle(
    puzzle: str, servers: ServerPool, effort: Effort, on_step: Callable[[str], object] = lambda _: None,
    checks: Sequence[_Check] = (),
) -> Inspection:  # fmt: skip
    """Runs all checks, or some; raises PuzzleError if a function of the puzzle does not return."""
    with tempfile.TemporaryDirectory() as folder:
        it = Inspection(puzzle, servers, effort, Path(folder), on_step)
        for check in checks or _CHECKS:
            on_step(f"{puzzle}: {check.__name__.replace('_', ' ').strip()}")
            try:
                for finding in check(it):
                    it.add(finding)
            except (RequestError, InstanceError) as error:
                if isinstance(error.__cause__, TimeLimit):  # The other checks would wait for it, too.
                    raise
                it.add(str(error))
            except ProcessEnded as error:  # Of the generator.
                it.add((_Note if isinstance(error, NoAnswer) else str)(f"{it.at('generate')}: {error}"))
            if not it.instances:
                break
    for name, text in it.made.items():
        if any(re.search(rf"\b{name}\b", fault) for fault in it.faults):
            it.add(_Note(f"{name} was made for this check; to get it, save this as a file:\n{text}"))
    return it


def instances(it: Inspection) -> Iterator[str]:
    """There are instances that can be loaded; what does not have the form of a solution is refused."""
    catalogue.puzzle_module(it.puzzle)
    paths = catalogue.instance_paths(it.puzzle)
    if not paths:
        folder = errors.shown(catalogue.instances_folder(it.puzzle))
        yield f"{folder}: there is no instance; write one TOML file, such as small.toml"
    for path in paths.values():
        try:
            instance = catalogue.load(path)
        except RequestError as error:
            yield str(error)
            continue
        if (size := instance.puzzle.size) < 1:
            yield f"{it.at('puzzle', 'size')}: the size of {instance.name} is {size}; count its unknowns"
        it.instances.append(instance)
    it.checked["instance"] = len(it.instances)
    it.instances = sorted(it.instances, key=lambda one: one.puzzle.size)[: it.effort.own]
    for instance, shape in product(it.instances, _SHAPES):
        if it.call(instance, "check", shape) == []:
            accepted = f"check accepts {json.dumps(shape)} as a solution of {instance.name}"
            yield f"{it.at('puzzle', 'check')}: {accepted}; refuse what does not have the form of one"


def _malformed_tables(it: Inspection) -> Iterator[str]:
    """Malformed tables raise InstanceError, and nothing else."""
    parse, place = catalogue.puzzle_module(it.puzzle).parse, it.at("puzzle", "parse")
    table = tomllib.loads(it.instances[0].path.read_text(encoding="utf-8"))
    accepted: dict[str, set[type]] = defaultdict(set)
    for key, malformed in _malformed(table):
        it.checked["malformed table"] += 1
        change = shorten(malformed[key], 200) if key in malformed else "missing"
        try:
            parse(malformed)
            accepted[key].add(type(malformed.get(key)))
        except InstanceError as error:
            if not str(error) or "\n" in str(error):
                yield f"{place}: the InstanceError for {change} is not one line: {str(error)!r}"
        except (Exception, SystemExit) as error:
            at = errors.place(error, catalogue.folder(it.puzzle)) or place
            yield f"{at}: parse raises {errors.words(error)} where {key} is {change}; raise InstanceError"
    for key, types in accepted.items():
        if key not in table:
            fix = "use read_document, and a schema made from Document"
            yield f"{place}: parse accepts a table with the unknown key {key!r}; {fix}"
        elif types >= set(map(type, _JUNK)):
            yield f"{place}: parse accepts anything for {key}; give it a type in the schema"


def _malformed(table: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    """The tables that differ from one in one key, after the key."""
    yield "no_such_key", table | {"no_such_key": 1}
    rng = Random(1)
    for key, value in table.items():
        yield key, {other: table[other] for other in table if other != key}
        changed = [*_JUNK, *(_damaged(value, rng) for _ in range(_MALFORMED))]
        if isinstance(value, str):
            # Cut short, with a line more, and doubled.
            changed += [value[:-2], value + "\n?", value * 2]
        yield from ((key, table | {key: change}) for change in changed if change != value)


def _models(it: Inspection) -> Iterator[str]:
    """There are models, which can be imported; the instances and formulations of REPORTED exist."""
    there = [name for name in catalogue.backend_names() if it.has(name)]
    for name in catalogue.backend_names():
        if name not in there and catalogue.is_core(name):
            yield _Note(f"there is no {name}.py: nothing can be said of the backend {name}")
    if not there:
        folder = errors.shown(catalogue.folder(it.puzzle))
        yield f"{folder}: there is no model; write a file for a backend, such as cpsat.py"
    for name, backend in it.servers.offers(there).items():
        if backend.missing:
            yield _Note(f"{name}.py was not tried: {backend.missing}")
        elif reason := backend.broken.get(it.puzzle):
            yield reason
        else:
            it.backends[name] = backend
            it.checked["formulation"] += len(backend.formulations[it.puzzle])
    place = f"{it.at('puzzle', 'REPORTED')}: REPORTED"
    instances = catalogue.instance_paths(it.puzzle)
    formulations = {name for backend in it.backends.values() for name in backend.formulations[it.puzzle]}
    for entry in catalogue.reported(it.puzzle):
        if not isinstance(entry, Reported):
            yield f"{place} has {shorten(entry)}, not a Reported(...)"
        elif entry.instance not in instances:
            yield f"{place}: {catalogue.unknown('instance', entry.instance, instances)}"
        elif entry.formulation and entry.formulation not in formulations:
            yield f"{place}: {catalogue.unknown('formulation', entry.formulation, formulations)}"


def generator(it: Inspection) -> Iterator[str]:
    """The generator makes what was ordered, and the same instance in every process."""
    if not it.has("generate"):
        yield _Note("there is no generate.py: no generated instance was tried")
        return
    plant, proves = it.at("generate", "plant"), any(map(it.has, EFFORTS))
    made, reasons = list[int](), list[str]()
    if not proves:
        models = ", ".join(f"{name}.py" for name in EFFORTS)
        yield _Note(
            f"none of {models} is there: nothing is proved of generated instances, and spoil was not tried"
        )
    for size in it.effort.sizes:
        if len(made) == it.effort.made:
            break
        order = Order(it.puzzle, size, 1, 1.0, Wanted.ONE if proves else Wanted.ANY)
        generated = run_worker(order, _GENERATOR_S, hash_seed=1)
        if generated.error and not generated.mistake:
            reasons.append(generated.error)
            continue
        # As texts: the order of keys counts, it is that of the file.
        if repr(run_worker(order, _GENERATOR_S, hash_seed=2)) != repr(generated):
            fix = "draw all random numbers from `rng`, and rely on no order of a set"
            yield f"{plant}: another process generates another instance of size {size}; {fix}"
        yield from _keep(it, order, generated)
        made.append(size)
    if not made:
        yield f"{plant}: no instance of size 1 to {max(it.effort.sizes)} ({'; '.join(reasons[:2])})"
    elif proves:
        for hardness, wanted in (1.0, Wanted.ANY), (0.5, Wanted.NONE):
            order = Order(it.puzzle, made[0], 2, hardness, wanted)
            yield from _keep(it, order, run_worker(order, _GENERATOR_S, hash_seed=1))


def _keep(it: Inspection, order: Order, generated: Generated) -> Iterator[str]:
    """Adds a generated instance to those that are tried."""
    if generated.mistake and not generated.text:
        raise PuzzleError(it.puzzle, f"{generated.error} (size {order.size}, seed {order.seed})")
    if generated.text:
        name = f"size_{order.size}_{order.wanted}_{order.seed}_{100 * order.hardness:.0f}"
        it.instances.append(it.try_instance(name, generated.text))
        it.checked["generated instance"] += 1
    elif order.wanted is not Wanted.NONE:  # Not every size has an instance without a solution.
        yield f"{it.at('generate', 'plant')}: {generated.error} (seed {order.seed})"


def _random_instances(it: Inspection) -> Iterator[str]:
    """Random instances can be loaded; small ones with few solutions are tried, the smallest first."""
    # Every command would wait for its import.
    from hypothesis import Phase, find, settings
    from hypothesis.errors import NoSuchExample

    if (drawn := catalogue.random_instances(it.puzzle)) is None:
        yield _Note("there is no random_instances.py: no random instance was tried")
        return
    texts, found = dict[str, bool](), list[Instance]()

    def keep(table: dict[str, Any]) -> bool:
        return texts.setdefault(as_toml(table), False)

    # The same ones each time; none is what is to be found.
    options = settings(max_examples=it.effort.draws, phases=[Phase.generate], database=None, deadline=None)
    try:
        find(drawn.INSTANCES, keep, settings=options, random=Random(1))
    except NoSuchExample:
        pass
    except (Exception, SystemExit) as error:
        yield catalogue.blamed(error, it.puzzle, "random_instances")
    for text in texts:
        try:
            instance = it.try_instance(f"random_{len(found) + 1}", text)
        except RequestError as error:
            refused = f"INSTANCES draws what is refused: {str(error).partition(': ')[2]}: {text!r}"
            yield f"{it.at('random_instances', 'INSTANCES')}: {refused}"
            continue
        accepted = exhaust(instance, most=2_000, most_s=0.2)
        few = accepted and (accepted.best is not None or len(accepted.solutions) <= 30)
        if few and len(found) < it.effort.random:
            found.append(instance)
    it.checked["random instance"] += len(found)
    it.instances += sorted(found, key=lambda one: one.puzzle.size)


def _runs(it: Inspection) -> Iterator[str]:
    """Each model finds what the checker accepts, and all of it: of generated instances, own, random ones."""
    unfinished = Counter[str]()
    for instance in it.instances:
        name = instance.name
        it.on_step(f"{it.puzzle}: {name}")
        accepted = exhaust(instance, 50_000, it.effort.count_s)
        known = {*accepted.solutions} if accepted else set()
        if accepted is None:
            why = "there are no `candidates`, or too many"
            yield _Note(f"{name}: {why}; its models were compared with each other only")
        elif len(known) < len(accepted.solutions):
            (twice, _), *_ = Counter(accepted.solutions).most_common(1)
            place = it.at("random_instances", "candidates")
            yield f"{place}: candidates yields a solution of {name} twice: {twice[:200]}"
        it.checked["candidate"] += accepted.candidates if accepted else 0
        rows = _rows(it, instance)
        it.checked["run"] += len(rows)
        settled = settle(rows, exhausted=accepted) if rows else []
        for row, (status, error) in zip(rows, settled, strict=True):
            model, (head, _, rest) = f"{row.backend} {row.formulation}", error.partition(": ")
            place = it.at(row.backend, row.formulation.replace(" ", "_"), "FORMULATIONS")
            if status is Status.FEASIBLE and LOCAL in (row.backend, row.formulation):
                continue  # It proves nothing.
            if status in (Status.TIMEOUT, Status.FEASIBLE, Status.MEMOUT):
                unfinished[model] += 1
            elif not status.tried:
                yield _Note(f"{model}: {status}: {error}")
            elif error.endswith(" expected") and not error.startswith("solution "):
                fix = "change [expected], or fix check and all models"
                yield f"{errors.shown(instance.path)}: {error}: {fix}"
            elif head.partition(":")[0].endswith(".py"):  # A file and a line.
                yield f"{head}: {row.formulation} on {name}: {rest}"
            elif not status.conclusive:
                yield f"{place}: {row.formulation} on {name}, task {row.task}: {status}: {error}"
            elif row.backend == _HAND_SEARCH and row.variables is None:
                yield _Note(f"{place}: {row.formulation} never calls tally.root: its times are not split")
        counts = {claim for row in rows if (claim := claimed(row)) is not None}
        # Where the best solution is asked for, candidates need not have all.
        counts |= {len(known)} if accepted and accepted.best is None else set()
        count = counts.pop() if len(counts) == 1 else None
        if count == 0 and instance.expected.solutions is None and name not in it.made:
            yield _Note(f"{name} has no solution; if that is meant, write solutions = 0 under [expected]")
        if solution := next((row.solution for row in rows if row.solution and not row.status.failed), ""):
            it.solved.append((instance, json.loads(solution), count))
    if unfinished:
        which = ", ".join(f"{model} ({number})" for model, number in unfinished.most_common())
        limit = f"did not end within {it.effort.time_limit_s:g} s and prove nothing"
        yield _Note(f"{unfinished.total()} of {it.checked['run']} runs {limit}: {which}")


def _rows(it: Inspection, instance: Instance) -> list[Row]:
    """The rows of all formulations with the default solver, both tasks."""
    # Planned here, as with Hypothesis imported parsing in several threads raised SystemError in Python 3.11.
    paths, limit_s = [str(instance.path)], it.effort.time_limit_s
    request = Request(instances=paths, backends=[*it.backends], formulations=[ALL], time_limit_s=limit_s)
    planned = plan(request, [instance], it.backends) if it.backends else []
    planned = [replace(one, time_limit_s=_LOCAL_S) if one.endless else one for one in planned]
    planned += [
        replace(one, seed=2) for one in planned if one.backend == _HAND_SEARCH and one.task != "first"
    ]

    def execute(name: str) -> list[Row]:
        own, backend = [run for run in planned if run.backend == name], it.backends[name]
        return [execute_run(it.servers, instance, run, {}, backend).row for run in own]

    # Each backend has a server of its own.
    with ThreadPoolExecutor(len(machine.usable_cores())) as threads:
        try:
            return [row for rows in threads.map(execute, it.backends) for row in rows]
        except BaseException:
            it.servers.close()
            raise


def _pictures(it: Inspection) -> Iterator[str]:
    """Text and picture show an instance without a solution and with one, and some text shows the solution."""
    # Every command would wait for its import.
    from matplotlib.figure import Figure

    texts: dict[str, set[str]] = defaultdict(set)
    solved = [(instance, solution) for instance, solution, _ in it.solved]
    for instance, solution in [*((instance, None) for instance in it.instances), *solved]:
        what = "with no solution" if solution is None else "with a solution"
        axes = Figure().subplots()
        catalogue.call(it.puzzle, "draw", partial(instance.puzzle.draw, axes, solution))
        # Text alone is a picture too, but no data.
        if not (axes.has_data() or axes.texts):
            yield f"{it.at('puzzle', 'draw')}: draw {what} draws nothing"
        text = it.call(instance, "text", solution)
        if not isinstance(text, str) or not text.strip():
            yield f"{it.at('puzzle', 'text')}: text {what} returns {shorten(text)}, not the text to print"
        texts[instance.name].add(repr(text))
    # Not of all instances: everything may be given.
    if solved and all(len(texts[instance.name]) == 1 for instance, _ in solved):
        yield f"{it.at('puzzle', 'text')}: text is the same with and without a solution; show what was found"


def _damaged_solutions(it: Inspection) -> Iterator[str]:
    """The checker accepts no more damaged solutions than there are solutions."""
    for instance, solution, count in it.solved:
        rng, found = Random(1), {as_json(solution)}
        it.checked["damaged solution"] += _DAMAGED
        for variant in [_damaged(solution, rng) for _ in range(_DAMAGED)]:
            found |= {as_json(variant)} if it.call(instance, "check", variant) == [] else set()
            if count is not None and len(found) > count:
                accepted = f"check accepts {shorten(variant, 200)} as a solution of {instance.name}"
                has = f"which has {count}: {shorten(solution, 200)}"
                yield f"{it.at('puzzle', 'check')}: {accepted}, {has}; refuse it, or fix the models"
                break


def _damaged(value: Any, rng: Random) -> Solution:
    """The same JSON with one part changed, left out, doubled, or replaced by something else."""
    kind, change = type(value), rng.random()
    if kind is dict and value and change < 0.9:
        key = rng.choice(sorted(value))
        return {**value, key: _damaged(value[key], rng)}
    if kind in (list, str) and value and change < 0.97:
        place = rng.randrange(len(value))
        before, part, after = value[:place], value[place : place + 1], value[place + 1 :]
        if kind is str:
            return before + rng.choice("0123456789.AZ") + after
        return before + ([_damaged(part[0], rng)] if change < 0.9 else part * rng.choice([0, 2])) + after
    return rng.choice([None, "x", 1.5, True, -1, 0, 1, 2, 3, 99, [], {}])


_CHECKS: tuple[_Check, ...] = (
    instances, _malformed_tables, _models, generator, _random_instances, _runs, _pictures, _damaged_solutions,
)  # fmt: skip
