"""What all commands share: -q and -v, and one-line messages for commands that cannot be understood."""

import inspect
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_type_hints

import typer

from bench.catalogue.errors import RequestError
from bench.cli.console import console

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only errors, and the final line or solution.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show tracebacks of unexpected errors and of runs that crash.")
]

ONE_NAME = {"puzzle": "puzzle", "file": "instance", "formulation": "formulation", "family": "family"}
"""The parameters that have a single value in some commands, and what they name."""


def set_verbosity(quiet: bool, verbose: bool) -> None:
    """Applies -q and -v, which may also stand before the name of the command."""
    console.quiet |= quiet
    console.verbose |= verbose


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Turns a function into a command.

    A parameter whose type is a dataclass stands for the options that are its fields. Every command also has
    -q and -v, and refuses commas in lists.
    """
    signature = inspect.signature(function, eval_str=True)
    groups: dict[str, type[DataclassInstance]] = {}
    parameters = []
    for name, parameter in signature.parameters.items():
        kind = parameter.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            groups[name] = kind
            types = get_type_hints(kind, include_extras=True)
            parameters += [keyword(each.name, types[each.name], each.default) for each in fields(kind)]
        else:
            parameters.append(keyword(name, kind, parameter.default))
    parameters += [keyword("quiet", Quiet, False), keyword("verbose", Verbose, False)]
    # An argument has no default, or is called `what`; all others are options.
    optional = {p.name for p in parameters if p.default is not inspect.Parameter.empty and p.name != "what"}

    @wraps(function)
    def called(quiet: bool, verbose: bool, **values: object) -> None:
        set_verbosity(quiet, verbose)
        for name, value in values.items():
            if isinstance(value, str) and name in ONE_NAME:
                refuse_commas(name, value, name in optional, several=False)
            elif isinstance(value, list | tuple):
                for text in value:
                    if isinstance(text, str):
                        refuse_commas(name, text, name in optional)
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in fields(group)})
        function(**values)

    called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called


def keyword(name: str, kind: object, default: object) -> inspect.Parameter:
    """Returns a parameter that is passed by name."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def refuse_commas(name: str, text: str, is_option: bool, several: bool = True) -> None:
    """Refuses several values in one word, with the correct form; only the name of a file may contain a comma.

    Args:
        several: whether the parameter may have several values.

    Raises:
        RequestError: if there are several.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 1 and not Path(text).exists():
        if not several:
            first = next(filter(None, parts), name)
            raise RequestError(f"{text}: one {ONE_NAME[name]} at a time, as in {first}")
        way = " ".join(f"--{name} {part}" if is_option else part for part in parts if part)
        raise RequestError(f"{text}: no commas here; write {way}")


REPHRASED = (
    (r"^Invalid value for '?([^':]+)'?: (Value error, )?", r"\1: "),
    (r" \(Possible options?: (.*)\)$", r"; did you mean \1?"),
    (r"[.;]? ?Did you mean '?([^'?]*)'?\??$", r"; did you mean \1?"),
    (r": Input should be a valid integer,.*$", ": not a whole number"),
    (r": Input should be a valid number,.*$", ": not a number"),
)
"""Messages of the libraries, and what they become."""


def explain(error: typer.TyperException) -> str:
    """A line that says what is wrong with a command."""
    context = getattr(error, "ctx", None)
    message = " ".join(error.format_message().split()).rstrip(".")
    for pattern, replacement in REPHRASED:
        message = re.sub(pattern, replacement, message)
    if found := re.match(r"(--[\w-]+): '([^']*,[^']*)' is not one of", message):
        option, parts = found[1], found[2].split(",")
        if getattr(getattr(error, "param", None), "multiple", False):
            message = f"{found[2]}: no commas here; write {' '.join(f'{option} {part}' for part in parts)}"
        else:
            message = f"{option} {found[2]}: one of them at a time"
    elif found := re.match(r"(?:No such option: )?--solvers?\b(?:: '([^']*)' is not)?", message):
        from bench.campaign.selection import backends_by_name, variants_by_name

        names = (variants_by_name() | backends_by_name()).get(found[1] or "highs", ["milp:highs"])
        message = f"one solver is named with its backend: --backend {' or --backend '.join(names)}"
        if found[1]:
            message = f"--solvers {found[1]}: write core, all or variants; {message}"
    see = f" (see `{context.command_path} --help`)" if context else ""
    return message[:1].lower() + message[1:] + see
