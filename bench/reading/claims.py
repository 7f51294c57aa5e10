"""What no checker can check: that there is no solution, or none beside those found. Says who vouches for it.

Without pandas, so that a command that makes one run need not wait for its import.
"""

from collections.abc import Sequence

MOST_NAMED = 4
"""So many instances are named in a sentence; of more, how many they are."""


def of_one_run(status: str, task: str, solutions: int | None, solver: str) -> str:
    """What rests on one run alone, in a sentence; empty if it claims nothing that the checker cannot check.

    Args:
        status: of the run.
        task: `first` or `count`.
        solutions: how many it found.
        solver: what made it, as backend:solver.
    """
    if status == "infeasible" or (status == "solved" and task == "count" and not solutions):
        claim = "That there is no solution"
    elif status == "solved" and task == "count":
        claim = f"That there is no solution beside {'this one' if solutions == 1 else f'these {solutions:,}'}"
    else:
        return ""
    return (
        f"{claim} rests on {solver} alone: the checker can check solutions, not that there are no more; "
        "a second backend can confirm it."
    )


def of_campaign(counted: Sequence[str], infeasible: Sequence[str]) -> str:
    """What rests on one solver alone in a campaign, in a sentence; empty if nothing does.

    Args:
        counted: the instances whose number of solutions only one solver found.
        infeasible: the instances that only one solver proved to have none.
    """
    parts = []
    if counted:
        parts.append(f"the number of solutions of {shortened(counted)}")
    if infeasible:
        parts.append(f"that {shortened(infeasible)} {'has' if len(infeasible) == 1 else 'have'} none")
    if not parts:
        return ""
    claim = ", and ".join(parts)
    return (
        f"{claim[0].upper()}{claim[1:]}{',' if len(parts) > 1 else ''} "
        f"{'rest' if len(parts) > 1 else 'rests'} on one solver alone: the checker can check solutions, not "
        "that there are no more, and no second backend confirmed it."
    )


def shortened(names: Sequence[str]) -> str:
    """The names, or the first of them and how many more there are."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} (and {len(names) - MOST_NAMED} more)"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
