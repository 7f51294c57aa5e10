"""Programs in any language: this project's searches in C, and commands that a user names.

docs/programs.md has the protocol: integers on the program's standard input, solutions and counters on its
standard output.
"""

import hashlib
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from bench.catalogue.errors import where
from bench.catalogue.programs import OURS, programs
from bench.contract import ModelError, OnSolution, Outcome, Solver, SolveRequest, Task
from bench.drivers._common import LogFile, model_of
from bench.drivers._compiler import INSTALL, compiler, executable
from bench.drivers._process import Conversation
from models.shared.document import shorten
from models.shared.model import Model
from models.shared.native import NativeInput
from models.shared.puzzle import Puzzle

CORE = False

SOLVERS = {"c": "search in C"}
"""The title of this project's own programs; those of users are solvers beside it."""

_OUTPUT = "output.txt"
"""The file beside that of its input which has what a program wrote."""

FIGURES = {
    "variables": "variables",
    "root": "presolved_variables",
    "branches": "branches",
    "failures": "failures",
    "propagations": "propagations",
    "restarts": "restarts",
}
"""What a program may report beside solutions, and the field of Outcome that it is."""


_LINE = re.compile("([a-z]+)((?:[ \t]+-?[0-9]{1,20})*)[ \t\r]*")
"""A line of output."""


def solvers() -> Mapping[str, Solver]:
    """Returns this project's programs as one solver, with the compiler as its version, and those of users."""
    cc = compiler()
    ours = Solver(SOLVERS[OURS], cc.version if cc else None, None if cc else INSTALL)
    return {OURS: ours, **{name: solver_of(words) for name, words in programs().items()}}


def solver_of(words: Sequence[str]) -> Solver:
    """Returns a user's program; its version is a hash of the command and the files that it names."""
    program = shutil.which(words[0])
    if program is None:
        return Solver(words[0], None, f"the program {words[0]}")
    digest = hashlib.sha256()
    for word in (program, *words[1:]):
        # Where a file lies does not matter. One that may be executed need not be readable.
        content = word.encode()
        with suppress(OSError):
            content = Path(word).read_bytes()
        digest.update(f"{len(content)}\n".encode() + content)
    return Solver(shlex.join(words), f"sha256 {digest.hexdigest()[:12]}")


def load(solver: str) -> None:
    """Does nothing: there is no library."""


def prepare(source: Path) -> float:
    """Compiles a C file, unless that was done before; returns the seconds that it took then."""
    return executable(source).compile_s if compiler() else 0.0


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the integers that a program reads."""
    return model_of(formulation, puzzle, NativeInput)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Runs the program until it ends, or its time is up; reads its solutions as it writes them."""
    instance: NativeInput = model.problem
    started = perf_counter()
    words = [str(executable(instance.source).path)] if request.solver == OURS else programs()[request.solver]
    wanted = int(request.task == Task.FIRST)  # 0 is all of them.
    figures: dict[str, int] = {}
    root_at: float | None = None
    found = 0
    given = [[wanted, request.seed], *instance.lines]
    output = LogFile(request.last_model and request.last_model.with_name(_OUTPUT))
    with Conversation(words, given, LogFile(request.log).write) as program:
        if request.last_model:
            request.last_model.write_text(program.text)
        for number, text in enumerate(program.lines(started + request.time_s), 1):
            output.write(f"{text}\n")
            keyword, values = _read_line(number, text)
            if keyword in FIGURES:
                figures[FIGURES[keyword]] = values[0]
                root_at = perf_counter() if keyword == "root" else root_at
                continue
            found += 1
            if len(values) != instance.length:
                raise broken(number, text, f"a solution has {instance.length} integers, not {len(values)}")
            if wanted and found > wanted:
                raise broken(number, text, "one solution was asked for, and this is the second")
            try:
                solution = model.decode(values.__getitem__)
            except Exception as error:
                reason = where(error, instance.source.parent)
                raise broken(number, text, f"it cannot be decoded: {reason}") from error
            on_solution(solution, model.stands_for)
    ended = perf_counter()
    return Outcome(
        complete=not program.late,
        presolve_s=root_at - started if root_at else None,
        search_s=ended - root_at if root_at else None,
        solve_s=ended - started,
        stopped=False,
        **figures,
    )


def _read_line(number: int, text: str) -> tuple[str, Sequence[int]]:
    """Returns the keyword and the integers of a line of output.

    Raises:
        ModelError: if it breaks the protocol.
    """
    keyword = (text.split() or [""])[0]
    if keyword != "solution" and keyword not in FIGURES:
        raise broken(number, text, f"a line begins with solution, {', '.join(FIGURES)}")
    if not (parts := _LINE.fullmatch(text)):
        raise broken(number, text, f"{keyword} is followed by integers alone, of at most 20 digits")
    values = [int(word) for word in parts[2].split()]
    if keyword in FIGURES and (len(values) != 1 or values[0] < 0):
        raise broken(number, text, f"{keyword} is followed by one integer, 0 or more")
    return keyword, values


def broken(number: int, text: str, rule: str) -> ModelError:
    """Returns the error of a line that breaks a rule of the protocol."""
    return ModelError(f"line {number} of the program's output is {shorten(text)}: {rule}")
