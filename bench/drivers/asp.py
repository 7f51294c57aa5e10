"""Answer set programming: clingo, and clingcon, which adds integer variables as a theory."""

import importlib
import json
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import clingo
from clingo.ast import ProgramBuilder, parse_files
from clingo.theory import Theory

from bench.catalogue.errors import one_line, shown
from bench.contract import Format, ModelError, OnSolution, Outcome, Solver, SolveRequest, Task, Unsupported
from bench.drivers._common import Description, LogFile, Options, Variant, comment, model_of
from models.shared.asp import LogicProgram, Term
from models.shared.model import Model
from models.shared.puzzle import Puzzle, Sense

CORE = True

FORMATS: Mapping[str, Format] = {"lp": Format("the language of clingo")}

SOLVERS = {
    "clingo": Description(
        "clingo, answer set programming", ("clingo",), ("clingo",),
        separate_process=False, threads="parallel-mode",
    ),
    "clingcon": Description(
        "clingcon, clingo with integer variables", ("clingcon",), ("clingcon",),
        separate_process=False, threads="parallel-mode",
    ),
}  # fmt: skip

_MECHANISMS: Mapping[str, Options] = {
    "preprocessing": {"eq": 0, "sat-prepro": "no"},
    "restarts": {"restarts": "no"},
    "learning": {"no-lookback": None, "heuristic": "None", "lookahead": "no"},
}
"""The mechanisms of clasp, with the options that turn them off; None for one without a value."""

VARIANTS = {
    "frumpy": Variant("clingo, configuration frumpy: conservative", {"configuration": "frumpy"}),
    "jumpy": Variant("clingo, configuration jumpy: aggressive", {"configuration": "jumpy"}),
    "tweety": Variant("clingo, configuration tweety: the default by its name", {"configuration": "tweety"}),
    "handy": Variant("clingo, configuration handy: for large problems", {"configuration": "handy"}),
    "crafty": Variant("clingo, configuration crafty: for crafted problems", {"configuration": "crafty"}),
    "trendy": Variant("clingo, configuration trendy: for industrial problems", {"configuration": "trendy"}),
    "nopreprocessing": Variant("clingo without clasp's preprocessing", without="preprocessing"),
    "norestarts": Variant("clingo without restarts", without="restarts"),
    "nolearning": Variant(
        "clingo without learning, so without restarts and the heuristic", without="learning"
    ),
    "onlylearning": Variant("clingo with learning, without preprocessing and restarts", only=["learning"]),
    "bare": Variant("clingo without preprocessing, learning, restarts and heuristic", only=[]),
    "lookahead": Variant("clingo with failed literal detection at every node", {"lookahead": "atom"}),
    "propagation": Variant("clingo, propagation at the root alone"),
    "probing": Variant("clingo, failed literal detection at the root alone", {"lookahead": "atom"}),
    "usc": Variant("clingo, from below by unsatisfiable cores", {"opt-strategy": "usc"}),
}

_ROOT_ALONE = ("propagation", "probing")
"""The variants that end at the first choice."""

_FAULTS = {
    clingo.MessageCode.RuntimeError: "",
    clingo.MessageCode.OperationUndefined: "",
    clingo.MessageCode.AtomUndefined: "; misspelt? If it may have no atoms, write `#defined NAME/ARGUMENTS.`",
}
"""Messages after which an answer set need not be a solution, and what to do: as each drops a rule."""


def solvers() -> Mapping[str, Solver]:
    """Returns clingo, clingcon, which shares its library, and the variants of clingo."""
    clingo_itself = SOLVERS["clingo"].solver()
    return {
        **{name: description.solver() for name, description in SOLVERS.items()},
        **{name: replace(clingo_itself, title=each.title, variant=True) for name, each in VARIANTS.items()},
    }


def load(solver: str) -> Model:
    """Imports clingcon if it is there; clingo is imported with this module."""
    if not SOLVERS["clingcon"].missing():
        importlib.import_module("clingcon")
    return Model(LogicProgram(Path(os.devnull), ["1 { x(0..1) } 1.", ":- x(0)."]), lambda value: value("x"))


def build(formulation: Callable[[Puzzle], Model], puzzle: Puzzle) -> Model:
    """Returns the rules and facts of the puzzle."""
    return model_of(formulation, puzzle, LogicProgram)


class _Root(clingo.Propagator):
    """Ends a search at its first choice; propagates nothing itself.

    Attributes:
        atoms: those that the grounder leaves open, as literals of clasp.
        undecided: how many of them have no value at the first choice, None if there was none.
    """

    def __init__(self, control: clingo.Control) -> None:
        self.control = control
        self.atoms: list[int] = []
        self.undecided: int | None = None
        control.register_propagator(self)

    def init(self, init: clingo.PropagateInit) -> None:
        """Looks up the atoms that are no facts; those that preprocessing found equal share a literal."""
        self.atoms = [init.solver_literal(atom.literal) for atom in init.symbolic_atoms if not atom.is_fact]

    def decide(self, thread_id: int, assignment: clingo.Assignment, fallback: int) -> int:
        """Returns clasp's choice, which it makes only after all propagation."""
        if self.undecided is None:
            self.undecided = sum(map(assignment.is_free, self.atoms))
            self.control.interrupt()
        return fallback


def solve(model: Model, request: SolveRequest, on_solution: OnSolution) -> Outcome:
    """Grounds and solves; the harness ends a run that grounds for too long, as nothing else can."""
    program: LogicProgram = model.problem
    if request.solver == "usc" and request.task != Task.BEST:
        raise Unsupported("unsatisfiable cores are for objectives")
    started = perf_counter()
    # Held while `control` solves, which works with it.
    theory = importlib.import_module("clingcon").ClingconTheory() if request.solver == "clingcon" else None
    control = grounded(program, request, theory)
    root = _Root(control) if request.solver in _ROOT_ALONE else None
    solving_at = perf_counter()
    complete = found = False
    # In a thread of its own, which can be ended at the time limit.
    with control.solve(yield_=True, async_=True) as search:
        while search.wait(max(0.0, started + request.time_s - perf_counter())):
            answer_set = search.model()
            if answer_set is not None:
                found = True
                atoms = answer_set.symbols(shown=True)
                enough = on_solution(model.decode(partial(tuples, atoms)), model.stands_for)
            if answer_set is None or request.task == Task.FIRST:
                complete = answer_set is not None or bool(search.get().exhausted)
                break
            if enough:
                break
            search.resume()
    ended = perf_counter()
    # A tree of figures, as `clingo --stats` shows it.
    statistics: dict[str, Any] = control.statistics
    for lower in statistics["summary"]["lower"] if request.sense else ():
        # To clasp a sum that is to be large is a sum of negative weights.
        request.on_bound(lower if request.sense is Sense.LEAST else -lower)
    if request.log:
        LogFile(request.log).write(f"{json.dumps(statistics, indent=1)}\n")
    built, left = statistics["problem"]["lp"], statistics["problem"]["generator"]
    counted = statistics["solving"]["solvers"]
    search_s = statistics["summary"]["times"]["solve"]
    outcome = Outcome(
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
    return _at_root(outcome, root, found) if root else outcome


def _at_root(outcome: Outcome, root: _Root, found: bool) -> Outcome:
    """Returns the outcome of a search that ended at the root, with how many values propagation left there.

    Facts have one value from the start, as have atoms without a name, which stand for parts of rules.
    """
    stopped = root.undecided is not None
    undecided = root.undecided if stopped else 0 if found else None
    atoms = outcome.variables or 0
    return replace(
        outcome,
        complete=outcome.complete and not stopped,
        stopped=stopped,
        # What clasp counts includes the choice at which it was told to stop, and its conflict.
        branches=0,
        failures=None if stopped else outcome.failures,
        values=atoms + len(root.atoms),
        values_left=None if undecided is None else atoms + undecided,
    )


def grounded(program: LogicProgram, request: SolveRequest, theory: Theory | None = None) -> clingo.Control:
    """Returns the program without variables, ready to be solved.

    Raises ModelError if clingo refuses it, with the file and the line; Unsupported if it needs a theory, and
    there is none.
    """
    if program.theory and theory is None:
        raise Unsupported("clingo has no integer variables: this formulation needs asp:clingcon")
    if not (program.rules.is_file() or program.rules == Path(os.devnull)):
        raise ModelError(f"{shown(program.rules)} is not there: it has the rules")
    options = SOLVERS.get(request.solver, SOLVERS["clingo"]).options_for(request)
    options |= VARIANTS.get(request.solver, Variant("")).options_for(_MECHANISMS)
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
        elif code == clingo.MessageCode.AtomUndefined and _part_at(program.rules, line) not in parts:
            return
        if code in _FAULTS:
            place = place.replace(str(program.rules), shown(program.rules))
            faults.append(f"{place}: {words.strip().removeprefix('info: ')}{_FAULTS[code]}")

    control = clingo.Control(
        [
            f"--models={int(request.task == Task.FIRST)}",  # 0 is all of them.
            *(["--project=show"] if request.task != Task.BEST else []),
            f"--seed={request.seed}",
            *([] if request.effort is None else [f"--solve-limit={request.effort:.0f}"]),
            *(f"--{name}" if value is None else f"--{name}={value}" for name, value in options.items()),
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


def _part_at(rules: Path, line: int) -> str:
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
    text = f"#program base.\n{program.rules.read_text(encoding='utf-8')}"
    _, *named = re.split(r"^#program (\w+).*\n", text, flags=re.MULTILINE)
    rules = [rules for name, rules in zip(named[::2], named[1::2], strict=True) if name in parts]
    with_solver = "clingcon" if program.theory else "clingo"
    say = f"Two solutions are different if they differ in the shown atoms: {with_solver} FILE 0 --project"
    if re.search(r"#(min|max)imi[sz]e|:~", "\n".join([*rules, *program.facts])):
        say = f"Of what it shows the last is the best: {with_solver} FILE 0"
    return comment("%", [*head, say]) + "\n".join([*rules, *program.facts, ""])
