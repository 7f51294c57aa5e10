"""What all commands share: -q and -v, and one-line messages for commands that cannot be understood."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from itertools import product, starmap
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import click

from bench import catalogue
from bench.catalogue.errors import RequestError
from bench.cli.console import console
from bench.contract import MOST_S


@dataclass(frozen=True)
class Argument:
    """What a command says of a parameter, in Annotated; its type and its default say the rest.

    Attributes:
        metavar: by default N for a whole number, and SECONDS for one with a point; `offered` says by it
            what the tab key offers.
        min, max: the limits of a number; one with a point is at most MOST_S.
    """

    help: str = ""
    metavar: str | None = None
    min: float | None = None
    max: float | None = None


@dataclass(frozen=True)
class Option(Argument):
    """The same of an option; a truth value that is True by default can be turned off, with --no-NAME."""

    names: Sequence[str] = ()  # Such as "--json"; by default that of the parameter.


class _Names(click.Choice[StrEnum]):
    """The values of an enumeration; click itself would offer the names of its members."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(choice)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> StrEnum:
        if param and param.multiple:
            _refuse_commas(param.opts[0], value)
        return super().convert(value, param, ctx)


def command(function: Callable[..., None], name: str) -> click.Command:
    """Makes a command of a function.

    A parameter whose type is a dataclass stands for the options that are its fields. Every command also has
    -q and -v, and refuses commas in lists.
    """
    groups: dict[str, Any] = {}
    parameters: list[click.Parameter] = []
    for each in inspect.signature(function, eval_str=True).parameters.values():
        kind = each.annotation
        if isinstance(kind, type) and is_dataclass(kind):
            groups[each.name] = kind
            types = get_type_hints(kind, include_extras=True)
            parameters += [_parameter(one.name, types[one.name], one.default) for one in fields(kind)]
        else:
            parameters.append(_parameter(each.name, kind, each.default))

    def called(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in fields(group)})
        function(**values)

    return click.Command(
        name, callback=called, params=[*parameters, *VERBOSITY], help=inspect.getdoc(function)
    )


def _parameter(name: str, annotated: object, default: object) -> click.Parameter:
    """Returns the parameter of a command for that of a function."""
    kind, said = get_args(annotated)
    if get_origin(kind) is UnionType:
        kind = get_args(kind)[0]  # The other one is None.
    if several := get_origin(kind) is list:
        (kind,) = get_args(kind)
    made: Any = kind
    if issubclass(kind, StrEnum):
        made = _Names(kind)
    elif kind is int and (said.min, said.max) != (None, None):
        made = click.IntRange(said.min, said.max)
    elif kind is float and (said.min, said.max) != (None, None):
        made = click.FloatRange(said.min, MOST_S if said.max is None else said.max)
    elif issubclass(kind, Path):
        made = click.Path(path_type=Path)
    metavar = said.metavar or {int: "N", float: "SECONDS"}.get(kind)
    settings: dict[str, Any] = {"type": made, "metavar": metavar, "help": said.help, "callback": _checked}
    if default is inspect.Parameter.empty:
        settings["required"] = True
    else:
        settings["default"] = default.value if isinstance(default, StrEnum) else default
    if metavar and kind is str:
        settings["shell_complete"] = lambda _, __, text: offered(metavar, text)
    if not isinstance(said, Option):
        if not settings.get("required"):
            settings["metavar"] = f"[{metavar}{'...' * several}]"
        return click.Argument([name], nargs=-1 if several else 1, **settings)
    words = name.strip("_").replace("_", "-")
    names = said.names or [f"--{words}/--no-{words}" if default is True else f"--{words}"]
    if kind is bool:
        settings["is_flag"] = True
    settings["show_default"] = default not in (None, "", False)
    return click.Option([*names, name], multiple=several, **settings)


def _set_verbosity(_: click.Context, option: click.Parameter, value: bool) -> None:
    if value and option.name:
        setattr(console, option.name, True)


VERBOSITY = [
    click.Option(names, is_flag=True, expose_value=False, callback=_set_verbosity, help=help_text)
    for names, help_text in (
        (["--quiet", "-q"], "Show only errors, and the final line or solution."),
        (["--verbose", "-v"], "Show tracebacks of unexpected errors and of runs that crash."),
    )
]
"""The options of every command, which may also stand before its name."""


def offered(metavar: str | None, incomplete: str) -> list[str]:
    """What the tab key offers for a parameter, by its metavar: names found without importing a solver."""
    from bench.campaign.selection import ALL, DEFAULT

    puzzles, backends = catalogue.puzzle_names(), catalogue.backend_names()
    instances = [name for puzzle in puzzles for name in catalogue.instance_paths(puzzle)]
    names: Iterable[str] = ()
    match metavar:
        case "PUZZLE":
            names = puzzles
        case "FAMILY":
            names = (name for puzzle in puzzles for name in catalogue.families(puzzle))
        case "FORMULATION":
            files = filter(Path.is_file, starmap(catalogue.source_of, product(puzzles, backends)))
            written = (name for file in files for name in catalogue.tables_in(file, "FORMULATIONS"))
            names = ALL, DEFAULT, *written
        case "FORMAT":
            drivers = (catalogue.ROOT / "bench" / "drivers" / f"{name}.py" for name in backends)
            names = (name for file in drivers for name in catalogue.tables_in(file, "FORMATS"))
        case "BACKEND[:SOLVER]" if ":" in incomplete:
            for name in backends:
                solvers = (*catalogue.solver_names(name), *catalogue.solver_names(name, variants=True))
                names = [*names, *(f"{name}:{solver}" for solver in solvers)]
        case "BACKEND[:SOLVER]":
            names = backends
        case "INSTANCE" | "WHAT":
            names = [*instances, *(puzzles if metavar == "WHAT" else ())]
            if not any(name.startswith(incomplete) for name in names):
                # Those of families are many.
                names = (key.split("/")[1] for key in catalogue.all_instances())
    return sorted({name for name in names if name.startswith(incomplete)})


def _checked(_: click.Context, of: click.Parameter, value: Any) -> Any:
    """The value of a parameter: of several a list, or None; raises RequestError for NaN and for commas."""
    option = of.opts[0] if isinstance(of, click.Option) else ""
    if value != value:
        raise RequestError(f"{option}: {value} is not a number")
    if not isinstance(value, tuple):
        return value
    for text in value:
        if isinstance(text, str):
            _refuse_commas(option, text)
    return [*value] or None


def _refuse_commas(option: str, text: str) -> None:
    """Raises RequestError for several values in one word, unless it names a file."""
    if "," in text and not Path(text).exists():
        words = [f"{option} {part.strip()}".strip() for part in text.split(",") if part.strip()]
        raise RequestError(f"{text}: no commas here; write {' '.join(words)}")


def explain(error: click.ClickException) -> str:
    """A line that says what is wrong with a command, and which command shows its options."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchCommand | click.NoSuchOption) and error.possibilities:
        message = f"{error.message.rstrip('.')}; did you mean {' or '.join(error.possibilities)}?"
    else:
        message = " ".join(error.format_message().split()).rstrip(".").removeprefix("Invalid value for ")
    see = f" (see `{context.command_path} --help`)" if context else ""
    return message[:1].lower() + message[1:] + see
