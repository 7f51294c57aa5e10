"""Model files in standard formats, and the process that writes one, which is this module.

It reads an Export from its input and answers with Exported. It is a process because drivers import solver
libraries, one a process.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench import catalogue
from bench.catalogue import Instance, errors
from bench.catalogue.errors import ROOT, RequestError
from bench.contract import Exports, ModelError, Unsupported
from bench.environment.releases import how_to_install
from bench.execution.process import Process, ProcessEnded
from models.shared.model import Model

TIME_LIMIT_S = 600.0
"""CPMpy needs minutes to encode some models in DIMACS."""

RECURSION = 20_000
"""Python's limit of nested calls, as in the workers."""


@dataclass(frozen=True)
class Export:
    """A model to write.

    Attributes:
        path: the instance file.
        solver: empty for the backend's default.
        formulation: empty for the backend's default.
        to: the format, empty for the backend's default.
    """

    path: str
    backend: str
    solver: str = ""
    formulation: str = ""
    to: str = ""

    def line(self) -> bytes:
        """The request as a line."""
        return json.dumps(asdict(self)).encode()


@dataclass(frozen=True)
class Exported:
    """The text of the file, or why there is none.

    Attributes:
        lacking: why it cannot be written in this format.
        error: what else is wrong.
    """

    text: str = ""
    lacking: str = ""
    error: str = ""

    def line(self) -> bytes:
        """The answer as a line."""
        return json.dumps(asdict(self)).encode()


def formats(backend: str) -> list[str]:
    """The formats that a backend writes, the default first."""
    return catalogue.tables_in(ROOT / "bench" / "drivers" / f"{backend}.py", "FORMATS")


def export(
    path: Path,
    backend: str,
    solver: str = "",
    formulation: str = "",
    to: str = "",
    time_limit_s: float = TIME_LIMIT_S,
) -> str:
    """The text of a model file of an instance; what is empty is the backend's default.

    Raises:
        RequestError: if there is no such name, or no such model, or it is not written in time.
        Unsupported: if the format cannot express the model, or what writes it is not installed.
    """
    known = formats(backend)
    if not known:
        others = [name for name in catalogue.backend_names() if formats(name)]
        raise RequestError(f"{backend} writes no model files; these do: {', '.join(others)}")
    if to and to not in known:
        raise RequestError(f"{backend} does not write {to!r}; it writes {', '.join(known)}")
    process = Process("bench.instruments.generate.exporter")
    request = Export(str(path.resolve()), backend, solver, formulation, to or known[0])
    try:
        exported = Exported(**json.loads(process.ask(request.line(), time_limit_s)))
    except ProcessEnded as error:
        raise RequestError(f"{path.stem} with {backend}: {error}") from None
    finally:
        process.close()
    if exported.error:
        raise RequestError(exported.error)
    if exported.lacking:
        raise Unsupported(exported.lacking)
    return exported.text


def write(request: Export) -> str:
    """The text of a model file.

    Raises:
        ImportError: if a library is not installed.
        ModelError, PuzzleError: if the puzzle's files have a mistake.
        RequestError: for a name that does not exist.
        Unsupported: if the format cannot express the model, or what writes it is not installed.
    """
    driver = catalogue.driver(request.backend)
    assert isinstance(driver, Exports)
    solvers = driver.solvers()
    if request.solver and request.solver not in solvers:
        raise RequestError(catalogue.unknown(f"solver of {request.backend}", request.solver, solvers))
    form = driver.FORMATS[request.to]
    if form.solver in solvers and (missing := solvers[form.solver].missing):
        raise Unsupported(
            f"{form.title} is written by {request.backend}:{form.solver}: {how_to_install(missing)}"
        )
    driver.load(form.solver)
    instance = catalogue.load(Path(request.path))
    formulations = catalogue.formulations(instance.puzzle_name, request.backend)
    if not formulations:
        file = errors.shown(catalogue.source_of(instance.puzzle_name, request.backend))
        raise RequestError(f"{instance.puzzle_name} has no model for {request.backend}; write {file}")
    formulation = request.formulation or next(iter(formulations))
    if formulation not in formulations:
        of = f"{instance.puzzle_name}, {request.backend}: "
        raise RequestError(of + catalogue.unknown("formulation", formulation, formulations))
    model = driver.build(formulations[formulation], instance.puzzle)
    assert isinstance(model, Model)
    what = f"formulation {formulation} of the backend {request.backend}, in {form.title}"
    lines = head(instance, what, model)
    return driver.export(model, request.to, request.solver, list(lines))


def head(instance: Instance, what: str, model: Model) -> Iterator[str]:
    """The lines of the comment that are the same for all formats."""
    yield f"Instance {instance.name} of the puzzle {instance.puzzle_name}: {instance.title}"
    yield f"Source of the instance: {instance.source}"
    project = "puzzle-bench"
    with suppress(PackageNotFoundError):  # It may run from a clone that is not installed.
        project += f" {version(project)}"
    yield f"Model: {what}, by {project}"
    if model.stands_for > 1:
        yield f"Each of its solutions stands for {model.stands_for} of the puzzle, which are symmetric."


def answer(request: Export) -> Exported:
    """What becomes of a request."""
    try:
        return Exported(write(request))
    except Unsupported as reason:
        return Exported(lacking=str(reason))
    except (ModelError, RequestError) as error:
        return Exported(error=str(error))
    except ImportError as error:
        return Exported(error=f"{request.backend} is not installed: {how_to_install(str(error))}")
    except (Exception, SystemExit) as error:
        # The path was read before, so the puzzle's name is known.
        puzzle = catalogue.load(Path(request.path)).puzzle_name
        return Exported(error=errors.where(error, catalogue.folder(puzzle)))


def main() -> None:
    """Answers one request."""
    sys.setrecursionlimit(RECURSION)
    request = Export(**json.loads(sys.stdin.buffer.readline()))
    with redirect_stdout(sys.stderr):  # What a library prints is no answer.
        exported = answer(request)
    print(exported.line().decode())


if __name__ == "__main__":
    main()
