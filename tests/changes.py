"""Which of counters, instructions and times finds a change: `python -m tests.changes`; docs/regressions.md.

Twelve changes are committed one by one, each on the same base, in a clone; `ab` then compares each with that.
"""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from bench.catalogue import ROOT

MEASURED = ("--instance", "june_2022", "--task", "first", "--formulation", "default")
BACKENDS = ("cpsat", "milp", "asp", "csp", "backtrack", "native")


@dataclass(frozen=True)
class Change:
    """A text of a file, and what stands in its place; the backends that it makes slower."""

    what: str
    affects: tuple[str, ...]
    file: str
    old: str
    new: str


CHANGES = (
    Change(
        "a copy of a list in propagation", ("backtrack",), "models/block_party/backtrack.py",
        "for other in members(others)):", "for other in list(members(others))):",
    ),
    Change(
        "a propagator called twice", ("backtrack",), "models/block_party/backtrack.py",
        "return self.shave(state, cells)", "return self.shave(state, cells) and self.shave(state, cells)",
    ),
    Change(
        "a longer name for each variable", ("cpsat",), "models/shared/cpsat.py",
        '(i, v): f"{i} is {v}"', '(i, v): f"cell {i[0]}, {i[1]} holds the value {v}"',
    ),
    Change(
        "a lost cache", ("cpsat", "milp", "backtrack", "csp", "native"), "models/shared/grid.py",
        "@cached_property\n    def cells", "@property\n    def cells",
    ),
    Change(
        "a slower parse", BACKENDS, "bench/catalogue/instances.py",
        'return content, tomllib.loads(content.decode("utf-8"))',
        'return content, [tomllib.loads(content.decode("utf-8")) for _ in "12"][0]',
    ),
    Change(
        "a parameter of CP-SAT", ("cpsat",), "bench/drivers/cpsat.py",
        "parameters.log_to_stdout = False",
        "parameters.log_to_stdout = False; parameters.cp_model_probing_level = 0",
    ),
    Change(
        "a constraint stated twice", ("milp",), "models/block_party/milp.py",
        "    # A region of k",
        "    problem.extend(total(holds[i].values()) == 1 for i in puzzle.cells)\n\n    # A region of k",
    ),
    Change(
        "a rule stated twice", ("asp",), "models/block_party/asp.lp",
        "1 { holds(R,C,K) : value(R,C,K) } 1 :- cell(R,C,_).",
        "1 { holds(R,C,K) : value(R,C,K) } 1 :- cell(R,C,_).\n"
        "1 { holds(R,C,K) : value(R,C,K) } 1 :- cell(R,C,G).",
    ),
    Change(
        "C compiled with -O1", ("native",), "bench/drivers/_compiler.py", '"-O2"', '"-O1"',
    ),
    Change(
        "a module imported within the run", ("milp",), "models/block_party/milp.py",
        'problem = program("block_party")',
        'import sqlite3\n\n    problem = program("block_party")',
    ),
    Change(
        "a solution decoded twice", ("csp",), "bench/drivers/csp.py",
        "on_solution(model.decode(",
        "model.decode(assignment.__getitem__)\n                on_solution(model.decode(",
    ),
    Change(
        "values tried in another order", ("backtrack",), "models/block_party/backtrack.py",
        "sorted(members(state.domains[cell]), reverse=True)", "sorted(members(state.domains[cell]))",
    ),
)  # fmt: skip


def main() -> None:
    """Prints the table of docs/regressions.md, a line as soon as it is known."""
    print("| change | counters | instructions | times |\n| --- | --- | --- | --- |", flush=True)
    with TemporaryDirectory() as folder:
        clone = Path(folder) / "bench"
        run("git", "clone", "-q", ROOT, clone)
        base = run("git", "-C", clone, "rev-parse", "HEAD").stdout.strip()
        for number, change in enumerate(CHANGES):
            run("git", "-C", clone, "checkout", "-q", base)
            file = clone / change.file
            text = file.read_text(encoding="utf-8")
            assert change.old in text, f"{file} has changed: {change.old}"
            file.write_text(text.replace(change.old, change.new, 1), encoding="utf-8")
            run("git", "-C", clone, *AUTHOR, "commit", "-q", "-a", "-m", change.what)
            found = {name: ab(clone, f"{number}-{name}", *options) for name, options in COMMANDS.items()}
            counted = found["instructions"]
            cells = (cell(change, *counted, "more work"), cell(change, *counted, "more instructions"))
            print(
                f"| {change.what} | {' | '.join(cells)} | {cell(change, *found['times'], 'slower')} |",
                flush=True,
            )


COMMANDS = {"instructions": ("--instructions",), "times": ()}
AUTHOR = ("-c", "user.name=trial", "-c", "user.email=trial@example.org")


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)


def ab(clone: Path, out: str, *options: str) -> tuple[list[str], pd.DataFrame]:
    """The lines of `ab HEAD~1` in a clone, and its table of all measurements."""
    words = [sys.executable, "-m", "bench", "ab", "HEAD~1", "--python", sys.executable, *MEASURED, *options]
    for backend in BACKENDS:
        words += ["--backend", backend]
    words += ["--out", f"results/{out}", "--csv", f"results/{out}.csv"]
    result = subprocess.run(words, cwd=clone, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1), result
    return result.stdout.splitlines(), pd.read_csv(clone / "results" / f"{out}.csv")


def cell(change: Change, lines: Sequence[str], changes: pd.DataFrame, what: str) -> str:
    """The backends that are named, with their change of instructions or time, and those that are missed."""
    column = {"more instructions": "instructions_ratio", "slower": "ratio"}.get(what)
    texts = []
    for row in changes.itertuples():
        named = any(line.startswith(f"{what}: ") and f" {row.backend} " in line for line in lines)
        ratio = f" {getattr(row, column) - 1:+.1%}" if column else ""
        if named or (row.backend in change.affects and column == "instructions_ratio"):
            missed = "" if named else "not "
            wrong = "" if row.backend in change.affects else " (false)"
            texts.append(f"{missed}{row.backend}{ratio}{wrong}")
    return ", ".join(texts) or "nothing"


if __name__ == "__main__":
    main()
