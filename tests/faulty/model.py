"""Every way to go wrong that we could think of."""

import collections
import ctypes
import itertools
import os
import signal
import subprocess
import sys
import tempfile
from typing import Any

from bench.drivers.faulty import CLOCK

from bench.contract import Outcome, Unsupported
from models.block_party.backtrack import shaving
from models.shared.search import Tally

MB = 1_000_000
SLEEPER = ["sleep", "600.25"]


def build_raises(puzzle: Any) -> Any:
    raise ValueError("no such\nluck")


def build_loops(puzzle: Any) -> Any:
    while True:
        pass


def raises(on_solution: Any) -> None:
    raise ValueError("no such\nluck")


def says_where_it_runs(on_solution: Any) -> None:
    told = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    raise ValueError(f"on cores {told}")


def exits(on_solution: Any) -> None:
    sys.exit(3)


def ends_at_once(on_solution: Any) -> None:
    os.write(2, b"licence server not found\n")
    os._exit(7)


def segfaults(on_solution: Any) -> None:
    ctypes.string_at(0)


def aborts(on_solution: Any) -> None:
    os.abort()


def loops_in_python(on_solution: Any) -> None:
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def loops_in_c(on_solution: Any) -> None:
    tempfile.mkdtemp(prefix="of_a_solver_")
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    collections.deque(itertools.repeat(0), maxlen=0)


def grows(on_solution: Any) -> None:
    kept = []
    while True:
        kept.append(b"x" * MB)


def wants_too_much_at_once(on_solution: Any) -> None:
    bytearray(100_000 * MB)


def throws_bad_alloc(on_solution: Any) -> None:
    os.write(
        2, b"terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"
    )
    os.abort()


def child_grows(on_solution: Any) -> None:
    subprocess.run([sys.executable, "-c", "kept = []\nwhile True: kept.append(b'x' * 1000000)"])


def wrong_solution(on_solution: Any) -> None:
    on_solution([[1, 1], [1, 1]], 1)


def wrong_shape(on_solution: Any) -> None:
    on_solution({"row": [None, "x"]}, 1)


def not_json(on_solution: Any) -> None:
    on_solution({1, 2}, 1)


def finds_nothing(on_solution: Any) -> None:
    pass


def figure_is_no_number(on_solution: Any) -> Outcome:
    return Outcome(complete=True, branches="many")  # type: ignore[arg-type]


def figure_is_not_finite(on_solution: Any) -> Outcome:
    return Outcome(complete=True, work=float("nan"))


def sets_the_clock(on_solution: Any) -> Outcome:
    """As someone else may; a solver that reads it then believes that its time is over."""
    CLOCK[0] += 1
    return Outcome(complete=False)


def small_licence(on_solution: Any) -> None:
    raise Unsupported("the licence allows 1,000 variables, the model has 1,100")


def kills_its_server(on_solution: Any) -> None:
    subprocess.Popen(SLEEPER, start_new_session=True)
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()


def closes_its_pipes(on_solution: Any) -> None:
    os.closerange(0, 100)


def floods_on(on_solution: Any) -> None:
    subprocess.Popen(["yes", "a child that never stops to talk"], start_new_session=True)
    while True:
        os.write(1, b"nor does its parent\n" * 1000)


FAULTS = (
    raises, says_where_it_runs, exits, ends_at_once, segfaults, aborts, loops_in_python, loops_in_c, grows,
    wants_too_much_at_once, throws_bad_alloc, child_grows, wrong_solution, wrong_shape, not_json,
    finds_nothing, figure_is_no_number, figure_is_not_finite, sets_the_clock,
    small_licence, kills_its_server,
    closes_its_pipes, floods_on,
)  # fmt: skip


def right(puzzle: Any) -> Any:
    """What all others could have done."""

    def solve(on_solution: Any, stands_for: int = 1) -> None:
        for solution in shaving(puzzle, Tally()):
            on_solution(solution, stands_for)

    return solve


def wrong_count(puzzle: Any) -> Any:
    return lambda on_solution: right(puzzle)(on_solution, 2)


def sets_the_clock_once(puzzle: Any) -> Any:
    def solve(on_solution: Any) -> Outcome | None:
        if CLOCK[1]:
            right(puzzle)(on_solution)
            return None
        CLOCK[1] = 1
        return sets_the_clock(on_solution)

    return solve


def floods(puzzle: Any) -> Any:
    def solve(on_solution: Any) -> None:
        for _ in range(200):
            os.write(1, b"\xff" * 100_000)
            os.write(2, b"{}\n" * 30_000)
        right(puzzle)(on_solution)

    return solve


def leaves_children(puzzle: Any) -> Any:
    def solve(on_solution: Any) -> None:
        subprocess.Popen(SLEEPER)
        subprocess.Popen(SLEEPER, start_new_session=True)
        right(puzzle)(on_solution)

    return solve


def peaks(puzzle: Any) -> Any:
    """More than the limit, for less time than lies between two looks at the memory."""

    def solve(on_solution: Any) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        bytearray(b"x") * (330 * MB)
        right(puzzle)(on_solution)

    return solve


FORMULATIONS = {
    function.__name__: function
    for function in (
        build_raises,
        build_loops,
        right,
        wrong_count,
        sets_the_clock_once,
        floods,
        leaves_children,
        peaks,
    )
} | {fault.__name__: (lambda puzzle, fault=fault: fault) for fault in FAULTS}
