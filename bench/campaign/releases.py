"""The releases of packages that a request names: which solvers have them, and the environments they need."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from bench import catalogue
from bench.campaign.plan import releases_of, solvers_of
from bench.campaign.selection import Request, backends_of
from bench.catalogue.errors import RequestError
from bench.contract import Backend
from bench.environment.index import make_environment, python_of


def with_releases(
    request: Request,
    offers: Callable[[Iterable[str]], Mapping[str, Backend]],
    makes: bool = True,
    on_note: Callable[[str], None] = lambda _: None,
) -> tuple[Request, Mapping[str, Backend]]:
    """A request and the backends that it needs; unless it `makes` the environments of releases, those here.

    If it names releases and no backend, it gets one solver for each package, the first that uses it. A
    release whose environment cannot be made is missing. Raises RequestError for a package that no solver
    uses.
    """
    backends = dict(offers(backends_of(request)))
    if not request.releases:
        return request, backends
    names = request.backends or dict.fromkeys(_first_with(each, backends) for each in request.releases)
    request = replace(request, backends=[*names])
    solvers = list(solvers_of(request, backends))
    backends = {backend.name: backend for backend, _ in solvers}
    for release in request.releases:
        own = [one for one in solvers if release in releases_of(request, one[0].solver(one[1]))]
        if not own:
            raise RequestError(
                f"--release {release}: {', '.join(names)} needs no such package, or is missing"
            )
        known = {f"{backend.name}@{release}": backend for backend, _ in own}
        is_there = python_of(release).exists()
        if makes and not is_there:
            on_note(f"making the environment of {release}")
        try:
            if makes:
                make_environment(release, set().union(*(packages_for(*one) for one in own)))
            backends |= offers(known) if makes or is_there else known
        except RequestError as error:
            on_note(str(error))
            backends |= {name: replace(backend, missing=str(error)) for name, backend in known.items()}
    return request, backends


def packages_for(backend: Backend, solver: str) -> set[str]:
    """The packages that an environment must have for runs of a solver."""
    first = next(iter(backend.solvers))  # The server of a backend imports it.
    return {package for name in (solver, first) for package in backend.solver(name).packages}


def _first_with(release: str, backends: Mapping[str, Backend]) -> str:
    """The solver that a release is measured with: a default one if there is one, of a core backend."""
    found = [
        (not catalogue.is_core(name), place, f"{name}:{solver}")
        for name, backend in backends.items()
        for place, (solver, offered) in enumerate(backend.solvers.items())
        if not offered.variant and releases_of(Request(releases=[release]), offered)
    ]
    if not found:
        raise RequestError(f"--release {release}: no solver here needs this package")
    return min(found)[2]
