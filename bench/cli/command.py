"""What all commands have in common: -q and -v, and one line for a command that cannot be understood."""

import inspect
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from bench.campaign.selection import backends_by_name
from bench.catalogue.errors import RequestError
from bench.cli.console import console

Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Show errors and the final line or solution only.",
    ),
]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Show the tracebacks of unexpected errors and of runs that crash.",
    ),
]


ONE_NAME = {"puzzle": "puzzle", "file": "instance", "formulation": "formulation", "family": "family"}
"""What a parameter names that has a single value in some commands."""


def set_verbosity(quiet: bool, verbose: bool) -> None:
    """Does what -q and -v ask for, here or before the name of the command."""
    console.quiet |= quiet
    console.verbose |= verbose


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turns a function into a command.

    A parameter whose type is a dataclass stands for the options that are its fields. Every command has -q and
    -v too, and accepts no commas in lists.
    """
    signature = inspect.signature(function, eval_str=True)
    groups: dict[str, type[Any]] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation)
    }
    options = {name: fields(group) for name, group in groups.items()}

    @wraps(function)
    def called(quiet: bool, verbose: bool, **values: Any) -> None:
        set_verbosity(quiet, verbose)
        for name, value in values.items():
            repeated = isinstance(value, list | tuple)
            for text in value if repeated else [value] if name in ONE_NAME else []:
                if isinstance(text, str):
                    refuse_commas(name, text, name in optional, several=repeated)
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in options[name]})
        function(**values)

    parameters = []
    for name, parameter in signature.parameters.items():
        if name in groups:
            types = get_type_hints(groups[name], include_extras=True)
            parameters += [
                keyword(option.name, types[option.name], option.default) for option in options[name]
            ]
        else:
            parameters.append(keyword(name, parameter.annotation, parameter.default))
    parameters += [keyword("quiet", Quiet, False), keyword("verbose", Verbose, False)]
    # Arguments of these commands are called `what` or have no default.
    optional = {p.name for p in parameters if p.default is not inspect.Parameter.empty and p.name != "what"}
    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called


def keyword(name: str, kind: object, default: object) -> inspect.Parameter:
    """Returns a parameter that is given by its name."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def refuse_commas(name: str, text: str, is_option: bool, several: bool = True) -> None:
    """Refuses several values in one word; only the name of a file may have a comma.

    Args:
        name: of the parameter.
        text: its value.
        is_option: whether it is no argument.
        several: whether it may have several values.

    Raises:
        RequestError: saying how it is done.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and not Path(text).exists():
        if not several:
            raise RequestError(
                f"{text}: one {ONE_NAME[name]} at a time, as in {next(filter(None, parts), name)}"
            )
        way = " ".join(f"--{name} {part}" if is_option else part for part in parts if part)
        raise RequestError(f"{text}: no commas here; write {way}")


def explain(error: typer.TyperException) -> str:
    """The line that says what is wrong with a command."""
    context = getattr(error, "ctx", None)
    message = " ".join(error.format_message().split()).rstrip(".")
    message = re.sub(r"^Invalid value for '?([^':]+)'?: (Value error, )?", r"\1: ", message)
    message = re.sub(r" \(Possible options?: (.*)\)$", r"; did you mean \1?", message)
    message = re.sub(r"[.;]? ?Did you mean '?([^'?]*)'?\??$", r"; did you mean \1?", message)
    if found := re.match(r"(--[\w-]+): '([^']*,[^']*)' is not one of", message):
        option, parts = found[1], found[2].split(",")
        if getattr(getattr(error, "param", None), "multiple", False):
            message = f"{found[2]}: no commas here; write {' '.join(f'{option} {part}' for part in parts)}"
        else:
            message = f"{option} {found[2]}: one of them at a time"
    elif found := re.match(r"(?:No such option: )?--solvers?\b(?:: '([^']*)' is not)?", message):
        message = of_a_solver(found[1])
        if found[1]:
            message = f"--solvers {found[1]}: write core or all; {message}"
    message = re.sub(r": Input should be a valid integer,.*$", ": not a whole number", message)
    message = re.sub(r": Input should be a valid number,.*$", ": not a number", message)
    see = f" (see `{context.command_path} --help`)" if context else ""
    return message[:1].lower() + message[1:] + see


def of_a_solver(name: str | None) -> str:
    """How one solver is asked for."""
    matches = backends_by_name().get(name or "highs", ["milp:highs"])
    return f"one solver is named with its backend: --backend {' or --backend '.join(matches)}"
