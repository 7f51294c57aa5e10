"""Answer set programming: clingo, which grounds rules with gringo and solves them with clasp.

clingcon adds integer variables and linear constraints on them to clingo, as a theory.
"""

import importlib
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import clingo
from clingo.ast import ProgramBuilder, parse_files
from clingo.theory import Theory

from bench.catalogue.errors import one_line, shown
from bench.contract import Format, ModelError, OnSolution, Outcome, Solver, SolveRequest, Task, Unsupported
from bench.drivers._comment import comment
from bench.drivers._description import Description
from bench.drivers._log_file import LogFile
from bench.drivers._models import model_of
from models.shared.asp import LogicProgram, Term
from models.shared.model import Model
from models.shared.puzzle import Puzzle

CORE = True

FORMATS: Mapping[str, Format] = {"lp": Format("the language of clingo")}

SOLVERS = {
    "clingo": Description(
        "clingo, answer set programming",
        ("clingo",),
        ("clingo",),
        separate_process=False,
        threads="parallel-mode",
    ),
    "clingcon": Description(
        "clingcon, clingo with integer variables",
        ("clingcon",),
        ("clingcon",),
        separate_process=False,
        threads="parallel-mode",
    ),
}
"""The solvers by name, the default first."""

FAULTS = {
    clingo.MessageCode.RuntimeError: "",
    clingo.MessageCode.OperationUndefined: "",
    clingo.MessageCode.AtomUndefined: "; misspelt? If it may have no atoms, write `#defined NAME/ARGUMENTS.`",
}
"""Messages after which an answer set need not be a solution, and what to do: as each drops a rule."""


def solvers() -> Mapping[str, Solver]:
    """Returns clingo and clingcon, which share the library of clingo."""
    return {name: description.solver() for name, description in SOLVERS.items()}


def load(solver: str) -> None:
    """Imports clingcon if it is there; clingo is imported with this module."""
    if not SOLVERS["clingcon"].missing():
        importlib.import_module("clingcon")


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the rules and facts of the puzzle."""
    return model_of(formulation, puzzle, LogicProgram)


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Grounds and solves; the harness ends a run that grounds for too long, as nothing else can.

    Raises:
        Unsupported: if the rules have integer variables, and the solver is clingo.
    """
    program: LogicProgram = model.problem
    started = perf_counter()
    # Held while `control` solves, which works with it.
    theory = importlib.import_module("clingcon").ClingconTheory() if request.solver == "clingcon" else None
    control = grounded(program, request, theory)
    solving_at = perf_counter()
    complete = False
    # In a thread of its own, which can be ended at the time limit.
    with control.solve(yield_=True, async_=True) as search:
        while search.wait(max(0.0, started + request.time_s - perf_counter())):
            answer_set = search.model()
            if answer_set is not None:
                atoms = answer_set.symbols(shown=True)
                on_solution(model.decode(partial(tuples, atoms)), model.stands_for)
            if answer_set is None or request.task == Task.FIRST:
                complete = True
                break
            search.resume()
    ended = perf_counter()
    # A tree of figures, as `clingo --stats` shows it.
    statistics: dict[str, Any] = control.statistics
    if request.log:
        LogFile(request.log).write(f"{json.dumps(statistics, indent=1)}\n")
    built, left = statistics["problem"]["lp"], statistics["problem"]["generator"]
    counted = statistics["solving"]["solvers"]
    search_s = statistics["summary"]["times"]["solve"]
    return Outcome(
        complete=complete,
        translate_s=solving_at - started,
        presolve_s=max(0.0, ended - solving_at - search_s),
        search_s=search_s,
        solve_s=ended - solving_at,
        variables=int(built["atoms"]),
        constraints=int(built["rules"]),
        presolved_variables=int(left["vars"] - left["vars_eliminated"]),
        presolved_constraints=int(
            left["constraints"] + left["constraints_binary"] + left["constraints_ternary"]
        ),
        branches=int(counted["choices"]),
        failures=int(counted["conflicts"]),
        restarts=int(counted["restarts"]),
    )


def grounded(program: LogicProgram, request: SolveRequest, theory: Theory | None = None) -> clingo.Control:
    """Returns the program without variables, ready to be solved.

    Raises:
        ModelError: if clingo refuses the program, with its message, which names the file and the line.
        Unsupported: if the program needs a theory, and there is none.
    """
    if program.theory and theory is None:
        raise Unsupported("clingo has no integer variables: this formulation needs asp:clingcon")
    if not program.rules.is_file():
        raise ModelError(f"{shown(program.rules)} is not there: it has the rules")
    faults: list[str] = []
    parts = ["base", *program.parts]
    facts = list(program.facts)
    if request.seed != 1:
        # The seed alone changes nothing, as clasp makes no random choices; the order of facts numbers atoms.
        random.Random(request.seed).shuffle(facts)

    def hear(code: clingo.MessageCode, message: str) -> None:
        LogFile(request.log).write(f"{message}\n")
        place, _, words = message.partition(": ")
        line = int((re.search(r":(\d+):", place) or [0, 0])[1])
        if place.startswith("<block>"):
            place = f"the fact {facts[line - 1]}"
        # Rules of parts that do not count need no atoms.
        elif code == clingo.MessageCode.AtomUndefined and part_at(program.rules, line) not in parts:
            return
        if code in FAULTS:
            place = place.replace(str(program.rules), shown(program.rules))
            faults.append(f"{place}: {words.strip().removeprefix('info: ')}{FAULTS[code]}")

    control = clingo.Control(
        [
            f"--models={int(request.task == Task.FIRST)}",  # 0 is all of them.
            "--project=show",
            f"--parallel-mode={request.threads}",
            f"--seed={request.seed}",
        ],
        hear,
    )
    try:
        if theory:
            theory.register(control)
        if theory and program.theory:
            with ProgramBuilder(control) as builder:
                parse_files(
                    [str(program.rules)], lambda rule: theory.rewrite_ast(rule, builder.add), logger=hear
                )
        else:
            control.load(str(program.rules))
        control.add("base", [], "\n".join(facts))
        control.ground([(part, []) for part in parts])
        if theory:
            theory.prepare(control)
    except RuntimeError as error:
        faults.append(str(error))
    if faults:
        raise ModelError(one_line(faults[0]))
    return control


def part_at(rules: Path, line: int) -> str:
    """Returns the part of a file of rules that a line, counted from 1, belongs to."""
    before = "\n".join(rules.read_text(encoding="utf-8").splitlines()[:line])
    return str(["base", *re.findall(r"^#program (\w+)", before, re.MULTILINE)][-1])


def tuples(atoms: Sequence[clingo.Symbol], name: str) -> list[tuple[Term, ...]]:
    """Returns the arguments of the atoms of this name."""
    return [tuple(map(term, atom.arguments)) for atom in atoms if atom.name == name]


def term(symbol: clingo.Symbol) -> Term:
    """Returns an argument as `fact` takes it."""
    if symbol.type == clingo.SymbolType.Number:
        return symbol.number
    if symbol.type == clingo.SymbolType.Function and not symbol.name:
        return tuple(map(term, symbol.arguments))
    return str(symbol)


def export(model: Model, to: str, solver: str, head: Sequence[str]) -> str:
    """Returns the rules of the parts that count and the facts as one program."""
    program: LogicProgram = model.problem
    parts = ["base", *program.parts]
    # The text before the first part, then name and text of each.
    first, *named = re.split(
        r"^#program (\w+).*\n", program.rules.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    rules = [first, *(text for name, text in zip(named[::2], named[1::2], strict=True) if name in parts)]
    with_solver = "clingcon" if program.theory else "clingo"
    say = f"Two solutions are different if they differ in the shown atoms: {with_solver} FILE 0 --project"
    return comment("%", [*head, say]) + "\n".join([*rules, *program.facts, ""])
