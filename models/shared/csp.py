"""Forward checking for constraints of python-constraint."""

from typing import Any


def hide(domain: Any, value: Any) -> bool:
    """Takes a value out of a domain until the search backs up; False if that empties the domain."""
    if value in domain:
        domain.hideValue(value)
    return bool(domain)


def restrict(domain: Any, value: Any) -> None:
    """Takes all other values out of a domain until the search backs up."""
    for other in domain[:]:
        if other != value:
            domain.hideValue(other)
