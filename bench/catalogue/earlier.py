"""Names that earlier versions gave to backends, formulations and statuses: the only place that maps them."""

BACKENDS = {"cp": "cpmpy"}
"""Today's names of backends that had another one."""

FORMULATIONS = {"magic_hexagon": {"broken": "symmetry_breaking", "all": "integers"}}
"""By puzzle, today's names of formulations that had another one."""

STATUSES = {"contradicted": "wrong"}
"""Today's names of statuses that had another one."""


def backend(name: str) -> str:
    """Today's name of a backend."""
    return BACKENDS.get(name, name)


def formulation(puzzle: str, name: str) -> str:
    """Today's name of a formulation of a puzzle, whatever the backend."""
    return FORMULATIONS.get(puzzle, {}).get(name, name)


def status(name: str) -> str:
    """Today's name of a status."""
    return STATUSES.get(name, name)
