"""Two revisions of the project, or of a puzzle from elsewhere, interleaved: base new, new base, base new, ...

Both sides are one campaign: the same instances (as they are now), the same harness (this one, which also
checks), one core. What differs is what is measured: each side's own workers, drivers and models, in an
environment of its own; of a puzzle from elsewhere its models alone. The records are in two folders, `base`
and `new`, and carry one campaign's name.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from pathlib import Path

from bench.campaign.execute import Provenance, execute_run
from bench.campaign.machine_json import Facts, open_campaign
from bench.campaign.plan import plan, with_contents
from bench.campaign.recorder import Recorder, recorder_of
from bench.campaign.results import Key, Row, key
from bench.campaign.runner import Progress
from bench.campaign.selection import Request, backends_of
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.catalogue.programs import is_program
from bench.contract import Backend, Run
from bench.environment import machine
from bench.execution.pool import ServerPool, server_pools, warn_if_not_pinned
from bench.execution.process import Checkout
from bench.instruments.regression.checkout import Base, packages_of

SIDES = ("base", "new")
"""The folders of the two sides."""


@dataclass(frozen=True)
class _MeasuredRevision:
    """One of the two revisions: what executes its runs, and where they are recorded."""

    servers: ServerPool
    backends: Mapping[str, Backend]
    facts: Facts
    provenance: Provenance
    recorder: Recorder
    completed: set[tuple[Key, int]]


def run_interleaved(
    request: Request,
    found: Sequence[Instance],
    base: Base,
    checkout: Checkout,
    folder: Path,
    pairs: int,
    confirm: int,
    progress: AbstractContextManager[Callable[[Progress], None]],
    command: Sequence[str],
) -> list[str]:
    """Executes the pairs of runs that `folder` does not record yet.

    Args:
        request: what to run; of both sides, the models that both have.
        found: its instances.
        base, checkout: the other revision, and what executes its runs.
        folder: gets the folders `base` and `new`.
        pairs: how many pairs for each run.
        confirm: how many more for each run that looks slower after these.
        progress: entered when the first run begins; gives a function to call after each run.
        command: the command that repeats this, for machine.json.

    Returns:
        What this cannot find, and what only one side has, a line each.

    Raises:
        RequestError: if the request cannot be carried out; what was recorded stays.
        KeyboardInterrupt: after all workers are ended; what was recorded stays.
    """
    instances = {instance.sha256: instance for instance in found}
    here = base.now(machine.describe())
    with ExitStack() as stack:
        (servers,) = stack.enter_context(server_pools(1))
        others = ServerPool(servers.cores, checkout)
        stack.callback(others.close)
        offers = [pool.offers(backends_of(request)) for pool in (others, servers)]
        _check_starts(others, offers[0], offers[1], base.commit)
        planned = [plan(request, list(instances.values()), offer) for offer in offers]
        runs, lines = _in_common(planned, offers)
        if not runs:
            raise RequestError("these filters leave nothing that both sides can run; leave one of them out")
        warn_if_not_pinned(servers)
        from bench.instruments.regression import significance

        groups = Counter((run.puzzle, run.backend, run.solver, run.threads) for run in runs)
        if too_few := significance.too_few([*groups.values()], pairs, confirm):
            print(too_few, file=sys.stderr)
            lines.insert(0, too_few)
        asked = {
            **asdict(request), "times": pairs, "confirm": confirm, "pinned": [servers.cores],
            "in_turns_with": base.commit,
        }  # fmt: skip
        there = replace(here, commit=base.commit, dirty=False, packages=packages_of(checkout))
        recorders = [stack.enter_context(recorder_of(folder / name)) for name in SIDES]
        sides: list[_MeasuredRevision] = []
        for pool, offer, where, recorder in zip(
            (others, servers), offers, (there, here), recorders, strict=True
        ):
            like = sides[0].facts if sides else None
            facts = open_campaign(recorder.path.parent, where, command, asked, runs, offer, like)
            provenance = Provenance.of(where, facts.campaign)
            if not all(_is_of(row, provenance.commit, offer) for row in recorder.rows):
                message = "it has runs of another commit, or of a model that has changed"
                raise RequestError(f"{recorder.path.parent}: {message}; choose another --out")
            completed = {(key(row), row.repeat) for row in recorder.rows}
            sides.append(_MeasuredRevision(pool, offer, facts, provenance, recorder, completed))
        on_progress = stack.enter_context(progress)
        done, total = 0, 2 * pairs * len(runs)

        def execute(wanted: Sequence[Run], repeats: range) -> None:
            nonlocal done
            for side, run in _interleave(wanted, repeats, sides):
                done += 1
                if (key(run), run.repeat) in side.completed:
                    continue
                side.servers.warm_up(run)
                instance, backend = instances[run.instance_sha256], side.backends[run.backend]
                load_s = servers.reference_load_s()
                completed = execute_run(side.servers, instance, run, side.provenance, backend, load_s)
                side.recorder.append(completed.row)
                on_progress(Progress(completed, done, total))

        execute(runs, range(1, pairs + 1))
        again = suspected(folder, runs, pairs) if confirm else []
        total += 2 * confirm * len(again)
        execute(again, range(pairs + 1, pairs + confirm + 1))
    return lines


def _is_of(row: Row, commit: str, offer: Mapping[str, Backend]) -> bool:
    """Whether a row was recorded at this commit, with the model as it is now."""
    contents = offer[row.backend].contents if row.backend in offer else {}
    return row.commit == commit and row.model_sha256 == contents.get(row.puzzle, row.model_sha256)


def _interleave(
    runs: Sequence[Run], repeats: range, sides: Sequence[_MeasuredRevision]
) -> Iterator[tuple[_MeasuredRevision, Run]]:
    """Every run, pair by pair: the two runs of a pair are neighbours, and every other pair begins with new.

    The order of the runs is another one for each repeat; machine.json has its seed.
    """
    base, new = sides
    for repeat in repeats:
        order = list(enumerate(runs))
        random.Random(f"{base.facts.order_seed} {repeat}").shuffle(order)
        for number, run in order:
            for side in (base, new) if (number + repeat) % 2 else (new, base):
                yield side, replace(with_contents(run, side.backends[run.backend]), repeat=repeat)


def suspected(folder: Path, runs: Sequence[Run], pairs: int) -> list[Run]:
    """The runs that look slower in new than in base, by the first so many pairs."""
    # pandas takes a second to import: not before there is something to run.
    from bench.analysis import tables
    from bench.instruments.regression import compare, significance

    recorded = [tables.read_runs(folder / name) for name in SIDES]
    base, new = (side[side["repeat"] <= pairs] for side in recorded)
    found = significance.suspects(compare.compare(base, new, pairs).timed)
    measurement = attrgetter(*tables.MEASUREMENT)
    chosen = set(map(measurement, found))
    return [run for run in runs if measurement(run) in chosen]


def _check_starts(
    others: ServerPool, base: Mapping[str, Backend], new: Mapping[str, Backend], commit: str
) -> None:
    """Refuses a revision whose servers do not start, but for backends that it does not have yet."""
    for name, backend in base.items():
        driver = others.checkout.root / "bench" / "drivers" / f"{name}.py"
        if backend.missing and not new[name].missing and driver.is_file():
            raise RequestError(f"{commit[:12]}: its backend {name} does not start: {backend.missing}")


def _in_common(
    planned: Sequence[Sequence[Run]], offers: Sequence[Mapping[str, Backend]]
) -> tuple[list[Run], list[str]]:
    """The runs that both sides have a model for, and a line for each model that only one side has.

    A model that base has and that does not load in new is run all the same, to be recorded as what it is.
    """
    runs, lines = [], []
    for run in {key(run): run for side in planned for run in side}.values():
        models = [offer[run.backend].formulations.get(run.puzzle, ()) for offer in offers]
        # A program of a user has no formulation, and neither has a run of a model that does not load.
        program = is_program(run.backend, run.solver)
        has = [bool(names) if program else run.formulation in names for names in models]
        here = offers[1][run.backend]
        if has[0] and (has[1] or here.missing or run.puzzle in here.broken):
            runs.append(run)
        elif any(has):
            side = SIDES[has.index(True)]
            lines.append(f"{run.puzzle} {run.backend} {run.formulation}: only {side} has this model")
    return runs, list(dict.fromkeys(lines))
