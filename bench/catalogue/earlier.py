"""Names that earlier revisions had for backends and formulations."""

BACKENDS = {"cp": "cpmpy"}
"""Today's name of a backend by its earlier one."""

FORMULATIONS = {
    ("magic_hexagon", "broken"): "symmetry_breaking",
    ("magic_hexagon", "all"): "integers",
}
"""Today's name of a formulation by puzzle and earlier name."""


def backend_today(name: str) -> str:
    """Today's name of a backend."""
    return BACKENDS.get(name, name)


def formulation_today(puzzle: str, name: str) -> str:
    """Today's name of a formulation."""
    return FORMULATIONS.get((puzzle, name), name)
