"""What all commands share: -q and -v, and one-line messages for commands that cannot be understood."""

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import click

from bench.catalogue.errors import RequestError
from bench.cli.console import console
from bench.contract import MOST_S

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Argument:
    """What a command says of a parameter, in Annotated; its type and its default say the rest.

    Attributes:
        min, max: the limits of a number; one with a point, such as a time, is at most MOST_S.
        completed: returns the values that begin with a text.
    """

    help: str = ""
    metavar: str | None = None
    min: float | None = None
    max: float | None = None
    completed: Callable[[str], Sequence[str]] | None = None


@dataclass(frozen=True)
class Option(Argument):
    """The same of an option.

    Attributes:
        names: such as "--json"; by default that of the parameter. A truth value with a name has no --no-NAME.
    """

    names: Sequence[str] = ()


Quiet = Annotated[
    bool, Option(names=("--quiet", "-q"), help="Show only errors, and the final line or solution.")
]
Verbose = Annotated[
    bool,
    Option(names=("--verbose", "-v"), help="Show tracebacks of unexpected errors and of runs that crash."),
]

_ONE_NAME = {"puzzle": "puzzle", "file": "instance", "formulation": "formulation", "family": "family"}
"""The parameters that have a single value in some commands, and what they name."""


def set_verbosity(quiet: bool, verbose: bool) -> None:
    """Applies -q and -v, which may also stand before the name of the command."""
    console.quiet |= quiet
    console.verbose |= verbose


class _Names(click.Choice[str]):
    """The values of an enumeration; click itself would offer the names of its members."""

    def __init__(self, kind: type[StrEnum]):
        super().__init__([each.value for each in kind])
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.kind(super().convert(value, param, ctx))


def command(function: Callable[..., None], name: str) -> click.Command:
    """Makes a command of a function.

    A parameter whose type is a dataclass stands for the options that are its fields. Every command also has
    -q and -v, and refuses commas in lists.
    """
    groups: dict[str, type[DataclassInstance]] = {}
    parameters: list[click.Parameter] = []
    for each in inspect.signature(function, eval_str=True).parameters.values():
        kind = each.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            groups[each.name] = kind
            types = get_type_hints(kind, include_extras=True)
            parameters += [parameter(one.name, types[one.name], one.default) for one in fields(kind)]
        else:
            parameters.append(parameter(each.name, kind, each.default))
    parameters += [parameter("quiet", Quiet, False), parameter("verbose", Verbose, False)]
    options = {each.name for each in parameters if isinstance(each, click.Option)}

    def called(quiet: bool, verbose: bool, **values: Any) -> None:
        set_verbosity(quiet, verbose)
        for name, value in values.items():
            if value != value:  # No range leaves it out.
                raise RequestError(f"--{name.replace('_', '-')}: {value} is not a number")
            if isinstance(value, str) and name in _ONE_NAME:
                _refuse_commas(name, value, name in options, several=False)
            elif isinstance(value, tuple):
                values[name] = [*value] or None
                for text in value:
                    if isinstance(text, str):
                        _refuse_commas(name, text, name in options)
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in fields(group)})
        function(**values)

    return click.Command(name, callback=called, params=parameters, help=inspect.getdoc(function))


def parameter(name: str, annotated: object, default: object) -> click.Parameter:
    """Returns the parameter of a command for that of a function."""
    kind, said = get_args(annotated)
    if get_origin(kind) is UnionType:
        kind = get_args(kind)[0]  # The other one is None.
    if several := get_origin(kind) is list:
        (kind,) = get_args(kind)
    settings: dict[str, Any] = {"type": _type_of(kind, said), "metavar": said.metavar, "help": said.help}
    if default is inspect.Parameter.empty:
        settings["required"] = True
    else:
        settings["default"] = default.value if isinstance(default, StrEnum) else default
    if said.completed:
        settings["shell_complete"] = lambda _context, _parameter, text: said.completed(text)
    if not isinstance(said, Option):
        return click.Argument([name], nargs=-1 if several else 1, **settings)
    words = name.replace("_", "-")
    names = said.names or [f"--{words}/--no-{words}" if kind is bool else f"--{words}"]
    if kind is bool:
        settings["is_flag"] = True
    settings["show_default"] = default not in (None, "", False)
    return click.Option([*names, name], multiple=several, **settings)


def _type_of(kind: type, said: Argument) -> Any:
    """What click makes a value of."""
    if issubclass(kind, StrEnum):
        return _Names(kind)
    if kind in (int, float) and (said.min, said.max) != (None, None):
        limited: Any = click.IntRange if kind is int else click.FloatRange
        return limited(said.min, MOST_S if kind is float and said.max is None else said.max)
    return click.Path(path_type=Path) if issubclass(kind, Path) else kind


def _refuse_commas(name: str, text: str, is_option: bool, several: bool = True) -> None:
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
            raise RequestError(f"{text}: one {_ONE_NAME[name]} at a time, as in {first}")
        way = " ".join(f"--{name} {part}" if is_option else part for part in parts if part)
        raise RequestError(f"{text}: no commas here; write {way}")


_REPHRASED = (
    (r"^Invalid value for '?([^':]+)'?: ", r"\1: "),
    (r"\. \(Did you mean one of: (.*)\?\)$", r"; did you mean one of \1?"),
    (r"[.;]? ?Did you mean '?([^'?]*)'?\??$", r"; did you mean \1?"),
    (r" is not in the range x>=(\S+)$", r" is less than \1"),
    (r" is not in the range (\S+)<=x<=(\S+)$", r" is not from \1 to \2"),
    (r": '[^']*' is not a valid integer( range)?$", ": not a whole number"),
    (r": '[^']*' is not a valid float( range)?$", ": not a number"),
)
"""Messages of the library, and what they become."""


def explain(error: click.ClickException) -> str:
    """A line that says what is wrong with a command."""
    context = getattr(error, "ctx", None)
    message = " ".join(error.format_message().split()).rstrip(".")
    for pattern, replacement in _REPHRASED:
        message = re.sub(pattern, replacement, message)
    if found := re.match(r"(--[\w-]+): '([^']*,[^']*)' is not one of", message):
        option, parts = found[1], found[2].split(",")
        if getattr(getattr(error, "param", None), "multiple", False):
            message = f"{found[2]}: no commas here; write {' '.join(f'{option} {part}' for part in parts)}"
        else:
            message = f"{option} {found[2]}: one of them at a time"
    elif found := re.match(r"(?:No such option ')?--solvers?\b(?:: '([^']*)' is not)?", message):
        from bench.campaign.selection import solvers_by_name

        names = (solvers_by_name(variants=True) | solvers_by_name()).get(found[1] or "highs", ["milp:highs"])
        message = f"one solver is named with its backend: --backend {' or --backend '.join(names)}"
        if found[1]:
            message = f"--solvers {found[1]}: write core, all or variants; {message}"
    see = f" (see `{context.command_path} --help`)" if context else ""
    return message[:1].lower() + message[1:] + see
