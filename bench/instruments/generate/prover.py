"""The process in which a backend proves how many solutions an instance has.

`python -m bench.instruments.generate.prover BACKEND EFFORT` answers each question, the arguments of `answer`,
with a Proof, as lines of JSON. The effort is in a unit of the backend (bench/contract.py), not in time.
"""

import json
import sys
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass

from bench import catalogue
from bench.contract import MOST_S, SolveRequest, Task, Unsupported
from bench.environment import processes
from bench.execution.worker import RECURSION
from models.shared.generator import Table, document
from models.shared.puzzle import Solution


@dataclass(frozen=True)
class Proof:
    """What a backend says of an instance.

    Attributes:
        solutions: those that it found before the effort was spent, or as many as were asked for.
        count: how many they stand for.
        complete: whether there are no others.
        fault: what is wrong with the model.
    """

    solutions: list[Solution]
    count: int = 0
    complete: bool = False
    fault: str = ""


def answer(backend: str, effort: float, puzzle: str, table: Table, most: int) -> str:
    """What the backend's default model and solver say, which stop at `most` solutions: a Proof as JSON."""
    found: list[tuple[Solution, int]] = []

    def hear(solution: Solution, stands_for: int) -> bool:
        if all(solution != other for other, _ in found):  # Its model may tell apart what is the same.
            found.append((solution, stands_for))
        return sum(number for _, number in found) >= most

    try:
        driver = catalogue.driver(backend)
        solver = next(iter(driver.solvers()))
        driver.load(solver)
        formulation = next(iter(catalogue.formulations(puzzle, backend).values()))
        model = driver.build(formulation, catalogue.puzzle_module(puzzle).parse(document(table)))
        request = SolveRequest(Task.COUNT, MOST_S, 1, 1, solver, effort=effort)
        complete = driver.solve(model, request, hear).complete
        count = sum(number for _, number in found)
        return json.dumps(asdict(Proof([solution for solution, _ in found], count, complete)))
    except Unsupported:
        return json.dumps(asdict(Proof([])))
    except (Exception, SystemExit) as error:
        return json.dumps(asdict(Proof([], fault=catalogue.blamed(error, puzzle, backend))))


def main() -> None:
    """Answers until there are no more questions."""
    processes.die_with_parent()
    sys.setrecursionlimit(RECURSION)
    backend, effort = sys.argv[1:]
    for line in sys.stdin.buffer:
        with redirect_stdout(sys.stderr):  # What a model prints is no answer.
            said = answer(backend, float(effort), *json.loads(line))
        print(said, flush=True)


if __name__ == "__main__":
    main()
