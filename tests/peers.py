"""CPU time a Sudoku of the searches in C and Python, in one process for many, beside programs of others.

    python -m tests.peers 17.txt --every 10 --peer "jsolve=./jsolve" --peer "tdoku=./tdoku"

The file has one 9x9 Sudoku a line, 81 characters, a digit from 1 to 9 where it is given; other lines are left
out. Each program reads all of them on its standard input, as lines with `.` where nothing is given (that in C
in its own format, with all solutions wanted). Programs run one after the other, several times over. A time is
the user and system time of a process, less that of one with a single puzzle; the median of the runs counts.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.drivers._compiler import executable
from models.shared.search import Tally
from models.sudoku import backtrack
from models.sudoku.native import SEARCH, locked_candidates
from models.sudoku.puzzle import Sudoku

IN_C, IN_PYTHON = "C", "Python"


def puzzles_of(path: Path, every: int) -> list[str]:
    """Returns each so many-th of the puzzles in a file."""
    lines = [line.strip()[:81] for line in path.read_text().splitlines() if not line.startswith("#")]
    puzzles = [line.replace("0", ".") for line in lines if len(line) == 81]
    if not puzzles:
        raise SystemExit(f"{path} has no line of 81 characters")
    return puzzles[::every]


def puzzle_of(line: str) -> Sudoku:
    """The puzzle of a line."""
    givens = {divmod(k, 9): int(word) for k, word in enumerate(line) if word in "123456789"}
    return Sudoku(9, 9, (3, 3), tuple(range(1, 10)), givens, {}, {}, None, "middle_row")


def solve() -> None:
    """Finds all solutions of each line of the standard input, in Python."""
    for line in sys.stdin:
        for solution in backtrack.norvig(puzzle_of(line), Tally()):
            print("solution", solution)


def request_for(line: str) -> str:
    """The request for all solutions of a puzzle, as the program in C reads it."""
    model = locked_candidates(puzzle_of(line))
    return "\n".join(" ".join(map(str, numbers)) for numbers in [(0, 1), *model.problem.lines])


def cpu_s(command: list[str], text: Path) -> float:
    """Runs a program on a file; returns its user and system time in seconds."""
    with text.open() as given, subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{shlex.join(command)} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Prints a table with a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path, help="puzzles of 81 characters a line")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", help="another program")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use each N-th puzzle alone")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="give each puzzle N times over")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="how often each program runs")
    options = parser.parse_args()
    puzzles = puzzles_of(options.file, options.every)

    given = puzzles * options.times
    with tempfile.TemporaryDirectory() as folder:
        requests, request, lines, line = (Path(folder) / str(number) for number in range(4))
        requests.write_text("\n".join(map(request_for, given)) + "\n")
        request.write_text(request_for(given[0]) + "\n")
        lines.write_text("\n".join(given) + "\n")
        line.write_text(given[0] + "\n")
        commands = {
            IN_C: [str(executable(SEARCH).path)],
            IN_PYTHON: [sys.executable, "-c", "from tests.peers import solve; solve()"],
        }
        commands |= {name: shlex.split(words) for name, _, words in (p.partition("=") for p in options.peer)}
        measured: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                many, one = (requests, request) if name == IN_C else (lines, line)
                time_s = cpu_s(command, many) - cpu_s(command, one)
                measured[name].append(time_s / (len(given) - 1))

    print(f"{len(puzzles):,} puzzles, {options.times} times; {'microseconds a puzzle':>30}")
    for name, seconds in measured.items():
        print(
            f"{name:30} {median(seconds) * 1e6:12.1f}  ({min(seconds) * 1e6:.1f} to {max(seconds) * 1e6:.1f})"
        )


if __name__ == "__main__":
    main()
