"""What scripts and notebooks call: `from bench import measure`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import ConfigDict, PositiveInt, ValidationError, validate_call

from bench.analysis.tables import read_runs
from bench.campaign import runner
from bench.campaign.schedule import Redo, Repeats
from bench.campaign.selection import MOST, Request
from bench.catalogue.errors import RequestError
from models.shared.document import shorten


def measure(
    request: Request,
    folder: Path | str,
    repeats: Repeats | None = Repeats(),  # noqa: B008, it is frozen
    jobs: int = 1,
    redo: Redo = Redo.STALE,
    on_note: Callable[[str], None] = print,
    **options: Any,
) -> pd.DataFrame:
    """Executes all runs of a campaign that a folder does not record yet; returns those that it then records.

    Args:
        request, repeats, jobs, redo, on_note, options: as in `measure` of bench/campaign/runner.py.
        folder: where runs.csv and machine.json are written.

    Returns:
        The runs of the folder, as `read_runs` gives them.

    Raises:
        RequestError: in one line, if an argument is wrong, before anything is started, or if the request
            cannot be fulfilled; what was recorded stays.
    """
    given: dict[str, Any] = {"request": request, "folder": folder, "repeats": repeats, "jobs": jobs}
    try:
        checked = _checked(**given, redo=redo)
    except ValidationError as error:
        raise RequestError(_mistake(error)) from None
    home = checked["folder"]
    if home.exists() and not home.is_dir():
        raise RequestError(f"folder: {home} is a file; choose another name")
    runner.measure(**checked, on_note=on_note, **options)
    return read_runs(home)


@validate_call(config=ConfigDict(revalidate_instances="always"))
def _checked(request: Request, folder: Path, repeats: Repeats | None, jobs: PositiveInt, redo: Redo) -> Any:
    """The arguments in the types that they are to have: of texts, tasks and paths are made."""
    # Not by their types: those of pydantic would have every command import it.
    told = {
        **{
            f"request.{name}": getattr(request, name) for name in ("seeds", "time_limit_s", "memory_limit_mb")
        },
        **{f"request.threads, entry {place}": number for place, number in enumerate(request.threads, 1)},
        **({f"repeats.{name}": number or None for name, number in vars(repeats).items()} if repeats else {}),
    }
    for place, number in told.items():
        most = MOST.get(place.partition(".")[2], number)
        if number is not None and not 0 < number <= most:
            limit = f" and at most {most}" if most != number else ""
            raise RequestError(f"{place}: should be greater than 0{limit}, not {number}")
    return {"request": request, "folder": folder, "repeats": repeats, "jobs": jobs, "redo": redo}


def _mistake(error: ValidationError) -> str:
    """The first mistake in arguments, in one line."""
    first = error.errors(include_url=False)[0]
    if first["type"] in ("sequence_str", "is_instance_of"):
        message = f"write a list, as in {shorten([first['input']])}"
    else:
        message = f"{first['msg'][0].lower()}{first['msg'][1:]}, not {shorten(first['input'])}"
    path = (f", entry {part + 1}" if isinstance(part, int) else f".{part}" for part in first["loc"])
    return f"{''.join(path).removeprefix('.')}: {message}"
