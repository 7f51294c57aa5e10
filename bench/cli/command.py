"""What all commands share: -q and -v, and one-line messages for commands that cannot be understood."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import partial
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
        metavar: by default N for a whole number, and SECONDS for one with a point.
        min, max: the limits of a number; one with a point is at most MOST_S.
        completed: returns the values that begin with a text; by default those of `completion.OFFERED`.
    """

    help: str = ""
    metavar: str | None = None
    min: float | None = None
    max: float | None = None
    completed: Callable[[str], Sequence[str]] | None = None


@dataclass(frozen=True)
class Option(Argument):
    """The same of an option; a truth value that is True by default can be turned off, with --no-NAME.

    Attributes:
        names: such as "--json"; by default that of the parameter.
    """

    names: Sequence[str] = ()


Quiet = Annotated[bool, Option("Show only errors, and the final line or solution.", names=("--quiet", "-q"))]
Verbose = Annotated[
    bool,
    Option("Show tracebacks of unexpected errors and of runs that crash.", names=("--verbose", "-v")),
]


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
        if param and param.multiple:
            _refuse_commas(param.opts[0], value)
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
    options = {each.name: each.opts[0] for each in parameters if isinstance(each, click.Option)}

    def called(quiet: bool, verbose: bool, **values: Any) -> None:
        set_verbosity(quiet, verbose)
        for name, value in values.items():
            if value != value:  # No range leaves it out.
                raise RequestError(f"{options[name]}: {value} is not a number")
            if isinstance(value, tuple):
                values[name] = [*value] or None
                for text in value:
                    if isinstance(text, str):
                        _refuse_commas(options.get(name, ""), text)
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
    metavar = said.metavar or {int: "N", float: "SECONDS"}.get(kind)
    settings: dict[str, Any] = {"type": _type_of(kind, said), "metavar": metavar, "help": said.help}
    if default is inspect.Parameter.empty:
        settings["required"] = True
    else:
        settings["default"] = default.value if isinstance(default, StrEnum) else default
    settings["shell_complete"] = partial(_completed, said)
    if not isinstance(said, Option):
        return click.Argument([name], nargs=-1 if several else 1, **settings)
    words = name.strip("_").replace("_", "-")
    names = said.names or [f"--{words}/--no-{words}" if default is True else f"--{words}"]
    if kind is bool:
        settings["is_flag"] = True
    settings["show_default"] = default not in (None, "", False)
    return click.Option([*names, name], multiple=several, **settings)


def _completed(said: Argument, context: click.Context, of: click.Parameter, text: str) -> Sequence[Any]:
    """The values of a parameter that begin with a text."""
    from bench.cli.completion import OFFERED

    offers = said.completed or OFFERED.get(said.metavar or "")
    return offers(text) if offers else of.type.shell_complete(context, of, text)


def _type_of(kind: type, said: Argument) -> Any:
    """What click makes a value of."""
    if issubclass(kind, StrEnum):
        return _Names(kind)
    if kind in (int, float) and (said.min, said.max) != (None, None):
        limited: Any = click.IntRange if kind is int else click.FloatRange
        return limited(said.min, MOST_S if kind is float and said.max is None else said.max)
    return click.Path(path_type=Path) if issubclass(kind, Path) else kind


def _refuse_commas(option: str, text: str) -> None:
    """Refuses several values in one word, with the correct form; only the name of a file may contain a comma.

    Args:
        option: its name; empty for an argument.

    Raises:
        RequestError: if there are several.
    """
    if "," in text and not Path(text).exists():
        words = [f"{option} {part.strip()}".strip() for part in text.split(",") if part.strip()]
        raise RequestError(f"{text}: no commas here; write {' '.join(words)}")


def explain(error: click.ClickException) -> str:
    """A line that says what is wrong with a command, and which command shows its options."""
    context = getattr(error, "ctx", None)
    message = " ".join(error.format_message().split()).rstrip(".").removeprefix("Invalid value for ")
    see = f" (see `{context.command_path} --help`)" if context else ""
    return message[:1].lower() + message[1:] + see
