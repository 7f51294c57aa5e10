"""What became of a measurement between two campaigns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import nan

import numpy as np

from bench.contract import Status, Task
from bench.stats import NO_RATIO, Floats, Ratio

COUNTERS = [
    "variables", "constraints", "nonzeros", "presolved_variables", "presolved_constraints",
    "presolved_nonzeros", "branches", "failures", "propagations", "lp_iterations", "work",
]  # fmt: skip
"""The figures that are the same in every run of one model and seed with the same versions, on any machine."""


class Kind(StrEnum):
    """What became of a measurement, the worst first."""

    WRONG = "wrong"  # A solution breaks the rules, or what is known or another run contradicts a claim.
    OTHER_ANSWER = "other answer"  # Both solved it, with other answers or another number of solutions.
    AT_LIMIT = "at its limit"  # Base solved it in more than a third of the time limit; new was stopped there.
    LOST = "lost"  # Base solved it; new tried, and did not.
    PARTLY_LOST = "partly lost"  # Base always solved it; new did not always.
    GONE = "gone"  # Base solved it; new did not try.
    INSTANCE_CHANGED = "instance changed"  # The instance file is another one: nothing to compare.
    SOLVED_NOW = "solved now"  # New solved it; base tried, and did not.
    ADDED = "added"  # Base did not try.
    NONE = ""


@dataclass(frozen=True)
class Side:
    """What one campaign says of a measurement: how many runs, how many conclusive ones, the worst status.

    `longest_s` is the longest total time of a conclusive run in seconds.
    """

    runs: int = 0
    conclusive: int = 0
    time_limit_s: float = nan
    memory_limit_mb: float = nan
    solver_version: str = ""
    python: str = ""
    status: Status | None = None
    error: str = ""
    solutions: float = nan
    answer: str = ""
    longest_s: float = nan

    @property
    def solved(self) -> bool:
        """Whether some run was conclusive."""
        return self.conclusive > 0


@dataclass(frozen=True)
class Counter:
    """A counter of both sides, summed over the seeds that both solved; NaN for no figure.

    Attributes:
        ratio: the least of new by the largest of base; they only differ from the sums where a solver is not
            deterministic.
    """

    base: float = nan
    new: float = nan
    ratio: float = nan

    @property
    def changed(self) -> bool:
        """Whether both sides have a figure, and not the same."""
        return self.ratio >= 0 and self.base != self.new


@dataclass(frozen=True, eq=False)
class Times:
    """The total times of a measurement that both campaigns solved, over the seeds that both solved.

    Attributes:
        base_s, new_s: medians in seconds; of several hosts those of the first one.
        base, new: logarithms of each time over base's median for its seed, and of several hosts for its host,
            so that differences between seeds and hosts are not taken for noise. If paired, the runs of a
            pair stand at the same place.
        repeats: the number of each pair; empty if they are not paired.
    """

    base_s: float
    new_s: float
    base: Floats
    new: Floats
    repeats: Floats = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, eq=False)
class Change:
    """A measurement in two campaigns.

    Attributes:
        label: the backend, with its solver where the campaigns have several of it.
        ratio: of the total times, new by base, with a 95% bootstrap interval.
        counters: each of COUNTERS; none if one of the campaigns did not solve it.
        times: None if one of the campaigns did not solve it.
    """

    puzzle: str
    instance: str
    backend: str
    solver: str
    formulation: str
    task: Task
    instance_sha256: str
    threads: float
    label: str
    kind: Kind
    base: Side
    new: Side
    ratio: Ratio = NO_RATIO
    counters: Mapping[str, Counter] = field(default_factory=dict)
    times: Times | None = None

    @property
    def name(self) -> str:
        """The measurement in a few words."""
        return " ".join(filter(None, (self.instance, self.label, self.formulation, self.task)))

    @property
    def one_sided(self) -> bool:
        """Whether only one campaign has it, and there is no more to say."""
        return not (self.base.runs and self.new.runs) and self.kind in (Kind.GONE, Kind.ADDED, Kind.NONE)

    @property
    def judged(self) -> bool:
        """Whether base solved it and new tried it, so that a gate can say something about it."""
        return self.base.solved and self.new.runs > 0


@dataclass(frozen=True)
class Comparison:
    """Two campaigns, measurement by measurement.

    Attributes:
        changes: in the order of all tables.
        paired: whether both are halves of one campaign whose runs were interleaved.
        rounds: the number of pairs of each measurement before some got more; 0 if that is not recorded.
        machines: host and processor of base and of new, in words.
        slowdown: time of the reference load in new divided by that in base; NaN if it was not measured.
        hosts: if a campaign has several hosts, those that both have: times are compared on each of them.
    """

    changes: Sequence[Change]
    paired: bool
    rounds: int
    machines: tuple[str, str]
    slowdown: float
    hosts: Sequence[str] | None = None

    @property
    def same_machine(self) -> bool:
        """Whether the times of both may be compared as they are."""
        return self.hosts is not None or self.machines[0] == self.machines[1]

    @property
    def timed(self) -> list[Change]:
        """The changes that have a ratio of times."""
        return [change for change in self.changes if change.times]
