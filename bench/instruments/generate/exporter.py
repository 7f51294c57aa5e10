"""Model files in standard formats, and the process that writes one, since drivers import solver libraries.

It reads the arguments of `write`, and answers with the text, or with why there is none; both are JSON.
"""

import json
import sys
from contextlib import closing, redirect_stdout
from pathlib import Path

from bench import catalogue
from bench.catalogue import errors
from bench.catalogue.errors import PROGRAM, ROOT, RequestError
from bench.contract import Exports, ModelError, Unsupported
from bench.environment.releases import how_to_install, installed
from bench.execution.process import Process, ProcessEnded
from bench.execution.worker import RECURSION
from models.shared.model import Model


def formats(backend: str) -> list[str]:
    """The formats that a backend writes, the default first."""
    return catalogue.tables_in(ROOT / "bench" / "drivers" / f"{backend}.py", "FORMATS")


def export(
    path: Path, backend: str, solver: str, formulation: str, to: str, time_limit_s: float = 600.0
) -> str:
    """The text of a model file of an instance; what is empty is the backend's default.

    The time limit is long because CPMpy needs minutes to encode some models in DIMACS. Raises RequestError if
    there is no such name, or no such model, or it is not written in time; Unsupported if the format cannot
    express the model, or what writes it is not installed.
    """
    known = formats(backend)
    if not known:
        others = [name for name in catalogue.backend_names() if formats(name)]
        raise RequestError(f"{backend} writes no model files; these do: {', '.join(others)}")
    if to and to not in known:
        raise RequestError(f"{backend} does not write {to!r}; it writes {', '.join(known)}")
    request = [str(path.resolve()), backend, solver, formulation, to or known[0]]
    with closing(Process("bench.instruments.generate.exporter")) as process:
        try:
            answer = json.loads(process.ask(json.dumps(request).encode(), time_limit_s))
        except ProcessEnded as error:
            raise RequestError(f"{path.stem} with {backend}: {error}") from None
    if "error" in answer:
        raise RequestError(answer["error"])
    if "unsupported" in answer:
        raise Unsupported(answer["unsupported"])
    return str(answer["text"])


def write(path: str, backend: str, solver: str, formulation: str, to: str) -> str:
    """The text of a model file, in a process that may import the solver; `main` says what it raises."""
    driver = catalogue.driver(backend)
    assert isinstance(driver, Exports)
    solvers = driver.solvers()
    if solver and solver not in solvers:
        raise RequestError(catalogue.unknown(f"solver of {backend}", solver, solvers))
    form = driver.FORMATS[to]
    if form.solver in solvers and (missing := solvers[form.solver].missing):
        raise Unsupported(f"{form.title} is written by {backend}:{form.solver}: {how_to_install(missing)}")
    driver.load(form.solver)
    instance = catalogue.load(Path(path))
    puzzle = instance.puzzle_name
    formulations = catalogue.formulations(puzzle, backend)
    if not formulations:
        file = errors.shown(catalogue.source_of(puzzle, backend))
        raise RequestError(f"{puzzle} has no model for {backend}; write {file}")
    formulation = formulation or next(iter(formulations))
    if formulation not in formulations:
        unknown = catalogue.unknown("formulation", formulation, formulations)
        raise RequestError(f"{puzzle}, {backend}: {unknown}")
    model = driver.build(formulations[formulation], instance.puzzle)
    assert isinstance(model, Model)
    # It may run from a clone that is not installed.
    project = f"{PROGRAM} {installed(PROGRAM) or ''}".rstrip()
    head = [
        f"Instance {instance.name} of the puzzle {puzzle}: {instance.title}",
        f"Source of the instance: {instance.source}",
        f"Model: formulation {formulation} of the backend {backend}, in {form.title}, by {project}",
    ]
    symmetric = f"Each of its solutions stands for {model.stands_for} of the puzzle, which are symmetric."
    return driver.export(model, to, solver, head + [symmetric] * (model.stands_for > 1))


def main() -> None:
    """Answers one request."""
    sys.setrecursionlimit(RECURSION)
    path, backend, *names = json.loads(sys.stdin.buffer.readline())
    with redirect_stdout(sys.stderr):  # What a library prints is no answer.
        try:
            answer = {"text": write(path, backend, *names)}
        except Unsupported as reason:
            answer = {"unsupported": str(reason)}
        except (ModelError, RequestError) as error:
            answer = {"error": str(error)}
        except ImportError as error:
            answer = {"error": f"{backend} is not installed: {how_to_install(str(error))}"}
        except (Exception, SystemExit) as error:
            # The path was read before, so the puzzle's name is known.
            answer = {"error": errors.where(error, catalogue.folder(catalogue.puzzle_in(Path(path))))}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
