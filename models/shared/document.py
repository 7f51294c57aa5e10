"""Instance files: the keys that all puzzles share, and errors that name the place."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from math import inf
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)


class InstanceError(ValueError):
    """An instance that cannot be used; the message names the field, the place in it and the remedy."""


@cache
def _types(schema: type) -> dict[str, Any]:
    """The type of each key."""
    return get_type_hints(schema, include_extras=True)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Strict:
    """A table of an instance file in which unknown keys and wrong types are errors; a frozen dataclass.

    A key's type is one of str, int, float, bool, a Literal, a list, a dict, another such class, or a union of
    them. In Annotated[int, within(1, 9)], the function raises ValueError, saying what a value should be.
    """

    def __init_subclass__(cls) -> None:  # noqa: D105
        dataclass(frozen=True, kw_only=True)(cls)
        # In advance, as a worker would do it in each run; not if it names what the module defines later.
        with suppress(NameError):
            _types(cls)  # type: ignore[arg-type]


def within(least: float, most: float = inf) -> Callable[[float], None]:
    """Refuses numbers outside of these limits."""

    def test(value: float) -> None:
        if not least <= value <= most:
            raise ValueError(f"should be {least}..{most}" if most < inf else f"should be {least} or more")

    return test


def line(most: int) -> Callable[[str], None]:
    """Refuses a text that cannot be shown on one line, is empty, or has more than `most` characters."""

    def test(text: str) -> None:
        if not text.isprintable():
            raise ValueError("has a character that cannot be shown on one line; remove it")
        if not 1 <= len(text) <= most:
            raise ValueError(f"should have 1..{most} characters")

    return test


class Expected(Strict):
    """The known result; `proved_by` has the backends that proved that of a generated instance.

    Of a puzzle with an objective `answer` is the value that is proven to be the best, and `best` the best
    value that is known, if that is not proven.
    """

    solutions: Annotated[int, within(0)] | None = None
    answer: int | str | None = None
    best: int | None = None
    proved_by: list[str] = field(default_factory=list)


class Document(Strict):
    """The keys of every instance file; each puzzle adds its own. The last three are for collections."""

    puzzle: str
    title: Annotated[str, line(200)]
    source: Annotated[str, line(500)]
    expected: Expected = Expected()
    collection: Annotated[str, line(200)] = ""
    license: Annotated[str, line(200)] = ""
    redistributable: bool = True


S = TypeVar("S", bound=Strict)

_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
"""What TOML calls otherwise, or not at all."""


def read_document(schema: type[S], table: Mapping[str, Any], place: str = "") -> S:
    """The table of a TOML file, validated by its schema.

    Args:
        place: of the table in the file, with a dot at its end; empty for the file itself.

    Raises:
        InstanceError: with the first key that is unknown, missing or of the wrong type.
    """
    types = _types(schema)  # type: ignore[arg-type]
    for key in table:
        if key not in types:
            raise InstanceError(f"{place}{key}: unknown key; known are {', '.join(types)}")
    for each in fields(schema):  # type: ignore[arg-type]  # Its subclasses are dataclasses.
        if each.name not in table and each.default is each.default_factory is MISSING:
            raise InstanceError(f"{place}{each.name}: this key is missing; add it")
    return schema(**{key: _read(types[key], value, f"{place}{key}") for key, value in table.items()})


def _read(kind: Any, value: Any, place: str) -> Any:
    """The value at a place, as it is or as instances of the schemas in its type."""
    origin, inner = _parts(kind)
    options = inner if origin in (Union, UnionType) else (kind,)
    mistake = None
    for option in options:
        toml = _toml(option)
        if toml is type(value) or toml is Any or (toml is float and type(value) is int):
            try:
                return _read_as(option, value, place)
            except InstanceError as error:
                mistake = error
    if mistake:
        raise mistake
    kinds = [toml for toml in map(_toml, options) if toml is not type(None)]
    words = " or ".join(_WORDS.get(toml, toml.__name__) for toml in kinds)
    # A mistake in the schema, not in the file.
    remedy = "; the schema says tuple, but TOML has none: write list" if tuple in kinds else ""
    raise InstanceError(f"{place}: should be {words}, not {shorten(value)}{remedy}")


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """The origin of a type, and its arguments."""
    return get_origin(kind), get_args(kind)


@cache
def _toml(kind: Any) -> Any:
    """The type of the values in a table that can be of this type."""
    if get_origin(kind) is Annotated:
        return _toml(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return type(get_args(kind)[0])
    return dict if isinstance(kind, type) and issubclass(kind, Strict) else get_origin(kind) or kind


def _read_as(kind: Any, value: Any, place: str) -> Any:
    """The same of a value that is of the right type itself; what is in it may be wrong."""
    origin, inner = _parts(kind)
    if origin is Annotated:
        value = _read(inner[0], value, place)
        try:
            for test in inner[1:]:
                test(value)
        except ValueError as error:
            raise InstanceError(f"{place}: {error}, not {shorten(value)}") from None
    elif origin is Literal and value not in inner:
        raise InstanceError(f"{place}: should be {' or '.join(map(repr, inner))}, not {shorten(value)}")
    elif origin is list:
        if inner[0] in (int, str) and {*map(type, value)} <= {inner[0]}:
            return value  # As most are; a place for each entry would take longer than the rest.
        return [_read(inner[0], entry, f"{place}, entry {number}") for number, entry in enumerate(value, 1)]
    elif origin is dict:
        return {key: _read(inner[1], entry, f"{place}.{key}") for key, entry in value.items()}
    elif isinstance(kind, type) and issubclass(kind, Strict):
        return read_document(kind, value, f"{place}.")
    return value


def shorten(value: object, limit: int = 60) -> str:
    """The value as Python writes it, cut to `limit` characters."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
