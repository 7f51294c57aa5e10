"""CPU time a Sudoku of the search in C, in one process for many, beside programs of others.

    python -m tests.peers 17.txt --every 10 --peer "jsolve=./jsolve" --peer "tdoku=./tdoku"

The file has one 9x9 Sudoku a line, 81 characters, a digit from 1 to 9 where it is given; other lines are left
out. Each program reads all of them on its standard input: ours in its own format, with all solutions wanted,
those of others as lines of 81 characters with `.` where nothing is given. Programs run one after the other,
several times over. A time is the user and system time of a whole process, its start included, divided by the
number of puzzles; the median of the runs counts.
"""

import argparse
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from statistics import median

from bench.drivers._compiler import executable
from models.sudoku.native import SEARCH, norvig
from models.sudoku.puzzle import Sudoku

OURS = "ours"


def puzzles_of(path: Path, every: int) -> list[str]:
    """Returns each so many-th of the puzzles in a file."""
    lines = [line.strip()[:81] for line in path.read_text().splitlines() if not line.startswith("#")]
    puzzles = [line.replace("0", ".") for line in lines if len(line) == 81]
    if not puzzles:
        raise SystemExit(f"{path} has no line of 81 characters")
    return puzzles[::every]


def request_for(line: str) -> str:
    """The request for all solutions of a puzzle, as our program reads it."""
    givens = {divmod(k, 9): int(word) for k, word in enumerate(line) if word in "123456789"}
    model = norvig(Sudoku((3, 3), tuple(range(1, 10)), givens, {}, {}, None, "middle_row"))
    return "\n".join(" ".join(map(str, numbers)) for numbers in [(0, 1), *model.problem.lines])


def cpu_s(command: list[str], text: Path) -> float:
    """Runs a program on a file; returns its user and system time in seconds."""
    with text.open() as given, subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{shlex.join(command)} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def solutions(command: list[str], text: Path) -> int:
    """How many solutions our program finds of all puzzles together."""
    with text.open() as given:
        said = subprocess.run(command, stdin=given, stdout=subprocess.PIPE, check=True, text=True).stdout
    return said.count("solution")


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

    with tempfile.TemporaryDirectory() as folder:
        requests, lines = Path(folder) / "requests", Path(folder) / "lines"
        commands = {OURS: [str(executable(SEARCH).path)]}
        requests.write_text("\n".join(map(request_for, puzzles)) + "\n")
        found = solutions(commands[OURS], requests)
        print(f"{len(puzzles):,} puzzles, {found:,} solutions")
        requests.write_text("\n".join(map(request_for, puzzles * options.times)) + "\n")
        lines.write_text("\n".join(puzzles * options.times) + "\n")
        commands |= {name: shlex.split(words) for name, _, words in (p.partition("=") for p in options.peer)}
        measured: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                measured[name].append(cpu_s(command, requests if name == OURS else lines))

    count = len(puzzles) * options.times
    ours = median(measured[OURS])
    print(f"{'program':12} {'us a puzzle':>12} {'ours / it':>10}")
    for name, seconds in measured.items():
        middle = median(seconds)
        ratio = f"{ours / middle:10.2f}" if middle else f"{'-':>10}"
        print(f"{name:12} {middle / count * 1e6:12.1f} {ratio}")


if __name__ == "__main__":
    main()
