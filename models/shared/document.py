"""Instance files: the keys that all puzzles share, and errors that name the place."""

import os
from collections.abc import Sequence
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import pydantic

# It would look for plugins in the metadata of every installed package.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")


class InstanceError(ValueError):
    """An instance that cannot be used; the message names the field, the place in it and the remedy."""


class Strict(pydantic.BaseModel):
    """A table of an instance file in which unknown keys and wrong types are errors."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True, frozen=True)


class Expected(Strict):
    """The known result of an exhaustive search."""

    solutions: int | None = pydantic.Field(default=None, ge=0)
    answer: int | str | None = None


def printable(text: str) -> str:
    """Returns the text.

    Raises:
        ValueError: if it cannot be shown on one line.
    """
    if not text.isprintable():
        raise ValueError("has a character that cannot be shown on one line; remove it")
    return text


Line = Annotated[str, pydantic.AfterValidator(printable)]


class Document(Strict):
    """The keys of every instance file; each puzzle adds its own."""

    puzzle: str
    title: Line = pydantic.Field(min_length=1, max_length=200)
    source: Line = pydantic.Field(min_length=1, max_length=500)
    expected: Expected = Expected()


D = TypeVar("D", bound=Document)


def read_document(schema: type[D], table: dict[str, Any]) -> D:
    """The table of a TOML file, validated by its schema.

    Raises:
        InstanceError: with the first key that is missing, unknown or of the wrong type.
    """
    try:
        return schema.model_validate(table)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = place_in(first["loc"]) or "the file"
        if first["type"] == "extra_forbidden":
            known = ", ".join(keys_at(schema, first["loc"][:-1]))
            raise InstanceError(f"{field}: unknown key; known are {known}") from None
        if first["type"] == "missing":
            raise InstanceError(f"{field}: this key is missing; add it") from None
        message = first["msg"][0].lower() + first["msg"][1:]
        # A mistake in the schema, not in the file.
        remedy = (
            "; the schema says tuple, but TOML has none: write list" if first["type"] == "tuple_type" else ""
        )
        raise InstanceError(f"{field}: {message}, not {shorten(first['input'])}{remedy}") from None


def place_in(path: Sequence[str | int]) -> str:
    """A place in a document in words, entries counted from 1: `expected.answer`, `less, entry 1`."""
    words = (f", entry {part + 1}" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(words).removeprefix(".")


def keys_at(kind: Any, path: Sequence[str | int]) -> list[str]:
    """The keys of the table at a place in a value of this type; empty if its keys are not fixed."""
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        if not path:
            return list(kind.model_fields)
        field = kind.model_fields.get(str(path[0]))
        return keys_at(field.annotation, path[1:]) if field else []
    within = path if get_origin(kind) in (Union, UnionType, Annotated) else path[1:]
    return [key for inner in get_args(kind) for key in keys_at(inner, within)]


def shorten(value: object, limit: int = 60) -> str:
    """The value as Python writes it, cut to `limit` characters."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
