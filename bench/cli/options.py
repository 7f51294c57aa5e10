"""Options that several commands share; a command has a parameter for each group of them."""

import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from bench import catalogue
from bench.analysis.units import plural
from bench.campaign import selection
from bench.campaign.plan import Shard
from bench.campaign.schedule import PRECISION, USUAL_BUDGET, USUAL_REPEATS, Redo, Repeats
from bench.campaign.selection import MOST, TIME_LIMIT_OF_ALL_S, TIME_LIMIT_S, Request, Solvers
from bench.catalogue.errors import RequestError, meant
from bench.catalogue.programs import add_program
from bench.cli.command import Argument, Option
from bench.contract import Task
from bench.environment import machine
from bench.execution.executor import BATCH_SYSTEMS, Cluster


class _Again(StrEnum):
    """The values of --redo."""

    FAILED = Redo.FAILED
    DISTURBED = Redo.DISTURBED
    ALL = Redo.ALL


Backends = Annotated[
    list[str] | None,
    Option(
        "Only this backend, as in cpsat, or only one of its solvers, as in milp:highs. May be repeated.",
        "BACKEND[:SOLVER]",
    ),
]
Programs = Annotated[
    list[str] | None,
    Option(
        "Also this program of yours (docs/programs.md), as the solver native:NAME. May be repeated.",
        "NAME=COMMAND",
    ),
]
AllSolvers = Annotated[
    Solvers,
    Option(
        "core: the default solver of each core backend, or of those named with --backend; "
        "all: every solver that is installed; variants: the default solvers with their variants, which have "
        "a mechanism turned off or on (docs/why.md)."
    ),
]
Instructions = Annotated[bool, Option("Count the instructions of each run, too (docs/regressions.md).")]
PuzzleArgument = Annotated[str, Argument("The puzzle: its name, or the path to its folder.", "PUZZLE")]
Puzzles = Annotated[
    list[str] | None,
    Option("Only this puzzle: its name, or the path to its folder. May be repeated.", "PUZZLE"),
]
Collections = Annotated[
    list[str] | None,
    Option(
        "The instances of this collection instead (docs/collections.md): a folder or a file of JSON lines, "
        "ppbench, sgt:GAME:PARAMS#FIRST-LAST, or an address of puzz.link. May be repeated.",
        "COLLECTION",
    ),
]
Formulations = Annotated[
    list[str] | None,
    Option(
        "Only this formulation; `all`: every one; `default`: the first of each backend. By default "
        "these, those that repeat a published model and, for one solution, `textbook`. May be repeated.",
        "FORMULATION",
    ),
]
OneFormulation = Annotated[
    str, Option("The formulation; by default the first of the backend.", "FORMULATION")
]
_TASK = "first: find one solution; count: find all; best: the best one, of a puzzle with an objective."
OneTask = Annotated[Task | None, Option(f"{_TASK} By default first or best.")]
THREADS = "Threads (and cores) of each run; solvers that can use only one get one."
OneThreads = Annotated[int, Option(THREADS, min=1)]
InstanceArgument = Annotated[
    str,
    Argument("The instance: its name, a TOML file, or the name of a puzzle that has only one.", "INSTANCE"),
]
SkipDamaged = Annotated[
    bool,
    Option("Go on without damaged rows of runs.csv; they are moved as they are to runs.damaged.csv there."),
]
Json = Annotated[bool, Option("Print one JSON object, for programs.", names=("--json",))]


def one_task(task: Task | None) -> list[Task]:
    """The tasks to ask for, of which each puzzle has one; by default not to count."""
    return [task] if task else [Task.FIRST, Task.BEST]


@dataclass(frozen=True)
class Filters:
    """Restrictions of a campaign."""

    puzzle: Puzzles = None
    instance: Annotated[
        list[str] | None, Option("Only this instance: its name, or a TOML file. May be repeated.", "INSTANCE")
    ] = None
    backend: Backends = None
    program: Programs = None
    formulation: Formulations = None
    task: Annotated[list[Task] | None, Option(f"{_TASK} By default all. May be repeated.")] = None

    def request(self, limits: "RunLimits") -> Request:
        """The request for everything that passes these filters."""
        return Request(
            puzzles=self.puzzle or (),
            instances=self.instance or (),
            backends=self.backend or (),
            programs=[add_program(text) for text in self.program or ()],
            formulations=self.formulation or (),
            tasks=tuple(dict.fromkeys(self.task or Task)),
            time_limit_s=limits.time_limit or TIME_LIMIT_S,
            memory_limit_mb=limits.memory_limit,
        )


@dataclass(frozen=True)
class Repetition:
    """How often each run is executed."""

    repeat: Annotated[
        str | None,
        Option(
            "Repeats of each run, those that fail too; auto: until the 95% interval of its median total "
            f"time lies within {PRECISION:.0%}. By default {USUAL_REPEATS}, but see --budget; with "
            "--repeat N and --budget it may be fewer than N.",
            "N|auto",
        ),
    ] = None
    budget: Annotated[
        float | None,
        Option(
            "No more repeats of a run that failed, or once it and its repeats have lasted so long "
            f"together. By default {USUAL_BUDGET:.0%} of the time limit; none with --repeat N.",
            min=0,
        ),
    ] = None
    seeds: Annotated[
        int,
        Option(
            "Number of seeds; a solver without seeds solves as many permutations of the model.",
            min=1,
            max=MOST["seeds"],
        ),
    ] = 1

    def repeats(self, time_limit_s: float) -> Repeats:
        """What --repeat and --budget ask for; raises RequestError if the former is wrong."""
        if self.repeat is None or self.repeat == "auto":
            budget_s = USUAL_BUDGET * time_limit_s if self.budget is None else self.budget
            return Repeats(None if self.repeat else USUAL_REPEATS, budget_s)
        if not re.fullmatch("[0-9]{1,9}", self.repeat) or not 1 <= int(self.repeat) <= MOST["times"]:
            raise RequestError(f"--repeat {self.repeat}: write a number from 1 to {MOST['times']}, or auto")
        return Repeats(int(self.repeat), self.budget)


@dataclass(frozen=True)
class RunLimits:
    """The limits of one run."""

    time_limit: Annotated[
        float | None,
        Option(
            "Time limit of a run; it is stopped there. "
            f"By default {TIME_LIMIT_S:g}, in `run --all` {TIME_LIMIT_OF_ALL_S:g}.",
            min=0.01,
        ),
    ] = None
    memory_limit: Annotated[
        int, Option("Memory limit of a run; it is stopped there.", "MB", min=16, max=MOST["memory_limit_mb"])
    ] = 4096


@dataclass(frozen=True)
class Recording:
    """How a campaign is executed and recorded."""

    jobs: Annotated[
        int,
        Option(
            "How many runs are executed at the same time (on each worker of a cluster); "
            "more than one makes times noisier.",
            min=1,
        ),
    ] = 1
    cluster: Annotated[
        str | None,
        Option(
            "Execute the runs on a Dask cluster (docs/clusters.md): the address of its scheduler, as "
            "tcp://HOST:8786 or tls://HOST:8786, its scheduler file, or a batch system that starts workers "
            "as jobqueue.yaml says: slurm, pbs, lsf, sge, htcondor, oar.",
            "ADDRESS|FILE|SYSTEM",
        ),
    ] = None
    workers: Annotated[int | None, Option("With --cluster SYSTEM: how many workers it starts.", min=1)] = None
    out: Annotated[
        Path | None,
        Option(
            "The folder to record in; a campaign already there is resumed. By default a new folder in "
            "results/, to which results/latest then points.",
            "FOLDER",
        ),
    ] = None
    shard: Annotated[
        str | None,
        Option(
            "Only the K-th of N parts of the campaign, for a job array, recorded in "
            "FOLDER/shard-K-of-N; what is compared stays in one part, and `merge` puts the parts together.",
            "K/N",
        ),
    ] = None
    keep: Annotated[
        bool, Option("Execute nothing again that is recorded in --out, not even what crashed or has changed.")
    ] = False
    redo: Annotated[
        _Again | None,
        Option(
            "Execute again what is recorded in --out: everything (all), what was not solved (failed), or "
            "once what was disturbed. By default only what crashed, was wrong or has changed since."
        ),
    ] = None
    dry_run: Annotated[
        bool, Option("Execute nothing; show which runs are missing, and about how long they would take.")
    ] = False
    logs: Annotated[bool, Option("Keep the solver's own log of each model's first run, in FOLDER/logs.")] = (
        True
    )
    plots: Annotated[bool, Option("Draw plots and write the report at the end.")] = True
    skip_damaged: SkipDamaged = False

    @property
    def part(self) -> Shard | None:
        """The value of --shard; raises RequestError if it is not a shard."""
        return None if self.shard is None else Shard.parse(self.shard)

    @property
    def again(self) -> Redo:
        """Which recorded runs are executed again; raises RequestError if --keep and --redo are both given."""
        if self.keep and self.redo:
            both = f"--keep executes nothing again, --redo {self.redo} does"
            raise RequestError(f"{both}; leave one of them out")
        return Redo.KEEP if self.keep else Redo(self.redo or Redo.STALE)

    @property
    def where(self) -> Cluster | None:
        """The cluster that executes the runs, None for this machine; raises RequestError if it is none."""
        where, starts = self.cluster, self.cluster in BATCH_SYSTEMS
        if where is not None and not (starts or ":" in where or Path(where).is_file()):
            none = "this is no address (as in tcp://HOST:8786), no file and no batch system"
            near = meant(where.lower(), BATCH_SYSTEMS)
            raise RequestError(f"--cluster {shlex.quote(where)}: {none}; {near}")
        if self.workers and not starts:
            systems = f"only with --cluster and a batch system ({', '.join(BATCH_SYSTEMS)})"
            raise RequestError(f"--workers {self.workers}: {systems}")
        if starts and not self.workers:
            raise RequestError(f"--cluster {where}: say how many workers it starts, as in --workers 4")
        return None if where is None else Cluster(where, self.workers)


def refuse_missing_cores(jobs: int, threads: int) -> None:
    """Raises RequestError if more cores are asked for than there are."""
    cores = len(machine.usable_cores())
    if jobs * threads > cores:
        have = f"this machine has {plural(cores, 'core')} to use; more would disturb each other"
        numbers = {"--jobs": jobs, "--threads": threads}
        asked = " with ".join(f"{name} {number}" for name, number in numbers.items() if number > 1)
        raise RequestError(f"{asked}: {have}")


def refuse_misspelt(request: Request) -> None:
    """Raises RequestError for a formulation that no model has, before a server starts.

    Nothing is refused if the source of some model may have others than its table says.
    """
    wanted = [name for name in request.formulations if name not in (selection.ALL, selection.DEFAULT)]
    if not wanted:
        return
    backends = selection.backends_of(request)
    puzzles = {instance.puzzle_name for instance in selection.find_instances(request)}
    sources = [catalogue.source_of(puzzle, backend) for puzzle in puzzles for backend in backends]
    known: set[str] = set()
    for path in filter(Path.is_file, sources):
        _, _, table = path.read_text(encoding="utf-8", errors="replace").partition("FORMULATIONS")
        names = catalogue.tables_in(path, "FORMULATIONS")
        if not names or "*" in table or "FORMULATIONS" in table:
            return  # There may be more than is written there.
        known.update(names)
    for name in wanted:
        if name not in known:
            of = f"{min(puzzles)}, {backends[0]}: " if len(sources) == 1 else ""
            raise RequestError(of + catalogue.unknown("formulation", name, known))
