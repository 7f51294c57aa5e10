"""Model files in standard formats, each written in a process aside, as drivers import solver libraries."""

import sys
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path

from bench import catalogue
from bench.catalogue import errors
from bench.catalogue.errors import ROOT, RequestError
from bench.contract import Exports, ModelError, Unsupported
from bench.environment.releases import how_to_install
from bench.execution.process import Aside, ProcessEnded
from bench.execution.worker import RECURSION
from models.shared.model import Model


def formats(backend: str) -> list[str]:
    """The formats that a backend writes, the default first."""
    return catalogue.tables_in(ROOT / "bench" / "drivers" / f"{backend}.py", "FORMATS")


def export(
    path: Path, backend: str, solver: str, formulation: str, to: str, time_limit_s: float = 600.0
) -> str:
    """The text of a model file of an instance; what is empty is the backend's default.

    The time limit is long because CPMpy needs minutes to encode some models in DIMACS.

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
    with closing(Aside()) as aside:
        try:
            names = backend, solver, formulation, to or known[0]
            written = aside.call(time_limit_s, _written, path.resolve(), *names)
        except ProcessEnded as error:
            raise RequestError(f"{path.stem} with {backend}: what writes the model {error}") from None
    if isinstance(written, Exception):
        raise written
    return written


def _written(path: Path, backend: str, *names: str) -> str | Exception:
    """What `write` returns or raises, but without what libraries print."""
    sys.setrecursionlimit(RECURSION)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            return write(str(path), backend, *names)
    except Unsupported as reason:
        return reason
    except (ModelError, RequestError) as error:
        return RequestError(str(error))
    except ImportError as error:
        return RequestError(f"{backend} is not installed: {how_to_install(str(error))}")
    except (Exception, SystemExit) as error:
        # The path was read before, so the puzzle's name is known.
        return RequestError(errors.where(error, catalogue.folder(catalogue.load(path).puzzle_name)))


def write(path: str, backend: str, solver: str, formulation: str, to: str) -> str:
    """The text of a model file, in a process that may import the solver; `_written` says what it raises."""
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
    project = "puzzle-bench"
    with suppress(PackageNotFoundError):  # It may run from a clone that is not installed.
        project += f" {version(project)}"
    head = [
        f"Instance {instance.name} of the puzzle {puzzle}: {instance.title}",
        f"Source of the instance: {instance.source}",
        f"Model: formulation {formulation} of the backend {backend}, in {form.title}, by {project}",
    ]
    symmetric = f"Each of its solutions stands for {model.stands_for} of the puzzle, which are symmetric."
    return driver.export(model, to, solver, head + [symmetric] * (model.stands_for > 1))
