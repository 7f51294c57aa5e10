"""Inspects puzzle.py: parse, check, answer, text, draw, size, REPORTED."""

import json
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from bench import catalogue
from bench.authoring.inspection import RAISED, Inspection
from bench.authoring.solutions import SHAPES, as_json, damaged
from bench.catalogue import Instance, errors
from bench.catalogue.errors import RequestError
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Reported, Solution

REQUIRED = ("check", "answer", "text", "draw", "size")
"""What the object that `parse` returns must have; see models/shared/puzzle.py."""

JUNK: tuple[object, ...] = (None, True, -1, 10**9, 1.5, "", "?", "? ?\n?", [], ["?"], {}, {"?": "?"})
"""What replaces a value in a malformed instance."""

DAMAGED = 200
"""The number of damaged solutions that the checker is tried with."""


def load_instances(inspection: Inspection) -> list[Instance]:
    """The instances that can be loaded."""
    try:
        rules = catalogue.puzzle_module(inspection.puzzle)
    except RequestError as error:
        inspection.fault(str(error))
        return []
    if not callable(getattr(rules, "parse", None)):
        place = inspection.place("puzzle")
        inspection.fault(f"{place}: it has no function `parse`; write parse(table)")
        return []
    paths = catalogue.instance_paths(inspection.puzzle)
    if not paths:
        folder = errors.shown(catalogue.instances_folder(inspection.puzzle))
        inspection.fault(f"{folder}: there is no instance; write one TOML file, such as small.toml")
    instances = []
    for path in paths.values():
        try:
            instances.append(catalogue.load(path))
            inspection.checked["instance"] += 1
        except RequestError as error:
            inspection.fault(str(error))
    return sorted(instances, key=lambda instance: instance.puzzle.size)


def inspect_instance(inspection: Inspection, instance: Instance) -> bool:
    """Inspects an instance without a solution; returns whether it has all that a puzzle must have."""
    puzzle = instance.puzzle
    kind = type(puzzle).__name__
    lacking = [name for name in REQUIRED if not hasattr(puzzle, name)]
    for name in lacking:
        missing = f"{kind} has no `{name}`; write it, as class Puzzle in models/shared/puzzle.py says"
        inspection.puzzle_fault(kind, missing)
    if lacking:
        return False
    if type(puzzle.size) is not int or puzzle.size < 1:
        size = f"the size of {instance.name} is {puzzle.size!r}; write the number of unknowns, 1 or more"
        inspection.puzzle_fault("size", size)
    render(inspection, instance, None)
    for shape in SHAPES:
        if refuses(inspection, instance, shape) is False:
            accepted = f"check accepts {json.dumps(shape)} as a solution of {instance.name}"
            fix = "refuse what does not have the form of one"
            inspection.puzzle_fault("check", f"{accepted}; {fix}", once="check of shapes")
    return True


def refuses(inspection: Inspection, instance: Instance, solution: Solution) -> bool | None:
    """Whether the checker refuses a solution; None, and a fault, if it raises or returns anything else."""
    broken: object = inspection.call(f"check({shorten(solution)})", instance.puzzle.check, solution)
    if broken is RAISED:
        return None
    if not isinstance(broken, list) or not all(isinstance(rule, str) and rule.strip() for rule in broken):
        returned = f"check returns {shorten(broken)}, not a list of broken rules in words"
        inspection.puzzle_fault("check", returned, once="check words")
        return None
    return bool(broken)


def render(inspection: Inspection, instance: Instance, solution: Solution | None) -> str | None:
    """Inspects picture and text; returns the text, None if there is none."""
    # Only this command needs it, and its import is slow.
    from matplotlib.figure import Figure

    what = "a solution" if solution is not None else "no solution"
    axes = Figure().subplots()
    drawn = inspection.call(f"draw with {what}", instance.puzzle.draw, axes, solution)
    # Text alone is a picture too, but no data.
    if drawn is not RAISED and not (axes.has_data() or axes.texts):
        inspection.puzzle_fault("draw", f"draw with {what} draws nothing", once="draw nothing")
    text: object = inspection.call(f"text with {what}", instance.puzzle.text, solution)
    if text is RAISED:
        return None
    if not isinstance(text, str) or not text.strip():
        returned = f"text with {what} returns {shorten(text)}, not the text to print"
        inspection.puzzle_fault("text", returned, once="text")
        return None
    return text


def inspect_solution(
    inspection: Inspection, instance: Instance, solution: Solution, count: int | None
) -> None:
    """Inspects an instance with a solution that passed the checker; `count` is how many it has, if known."""
    answer = inspection.call("answer", instance.puzzle.answer, solution)
    if answer is not RAISED and not (type(answer) in (int, str) and f"{answer}".isprintable()):
        returned = f"answer returns {shorten(answer)}, no int or printable str"
        inspection.puzzle_fault("answer", returned, once="answer")
    empty, solved = render(inspection, instance, None), render(inspection, instance, solution)
    if empty is not None and solved is not None:
        inspection.solution_shown.append(empty != solved)
    found = {as_json(solution)}
    for variant in damaged(solution, DAMAGED):
        if refuses(inspection, instance, variant) is False:
            found.add(as_json(variant))
            if count is not None and len(found) > count:
                accepted = f"check accepts {shorten(variant, 200)} as a solution of {instance.name}"
                has = f"which has {count}: {shorten(solution, 200)}"
                fix = "refuse it, or fix the models that miss it"
                inspection.puzzle_fault("check", f"{accepted}, {has}; {fix}", once="check accepts")
    inspection.checked["damaged solution"] += DAMAGED


def inspect_texts(inspection: Inspection) -> None:
    """Checks that a solution changes the text of some instance; not of all: everything may be given."""
    if inspection.solution_shown and not any(inspection.solution_shown):
        same = "text is the same with and without a solution; show what was found"
        inspection.puzzle_fault("text", same)


@dataclass(frozen=True)
class Malformed:
    """The table of an instance with one key changed, and the change in words."""

    key: str
    change: str
    table: Mapping[str, object]


def inspect_parsing(inspection: Inspection, instance: Instance) -> None:
    """Checks that malformed tables raise InstanceError, and nothing else."""
    parse = catalogue.puzzle_module(inspection.puzzle).parse
    table = tomllib.loads(instance.path.read_text(encoding="utf-8"))
    place = inspection.place("puzzle", "parse")
    accepted: dict[str, set[type]] = defaultdict(set)
    for each in malformed(table):
        key = each.key
        try:
            parse(each.table)
            accepted[key].add(type(each.table.get(key)))
            if each.change == "unknown":
                fix = "read the table with read_document and a schema made from Document"
                inspection.fault(f"{place}: parse accepts a table with the unknown key {key!r}; {fix}")
        except InstanceError as error:
            if not str(error) or "\n" in str(error):
                lines = f"the InstanceError for {each.change} is not one line: {str(error)!r}"
                inspection.fault(f"{place}: {lines}")
        except (Exception, SystemExit) as error:
            at = errors.place(error, catalogue.folder(inspection.puzzle)) or place
            raised = f"parse raises {errors.words(error)} where {key} is {each.change}"
            inspection.fault(f"{at}: {raised}; raise InstanceError", once=f"{at} parse")
        inspection.checked["malformed table"] += 1
    for key in table:
        if accepted[key] >= set(map(type, JUNK)):
            inspection.fault(f"{place}: parse accepts anything for {key}; give it a type in the schema")


def malformed(table: dict[str, object]) -> Iterator[Malformed]:
    """The tables that differ from one in one key."""
    yield Malformed("no_such_key", "unknown", table | {"no_such_key": 1})
    for key, value in table.items():
        yield Malformed(key, "missing", {other: table[other] for other in table if other != key})
        for junk in JUNK:
            yield Malformed(key, repr(junk), table | {key: junk})
        if isinstance(value, str) and value:
            for text in misspelt(value):
                yield Malformed(key, repr(text), table | {key: text})
        if isinstance(value, list) and value:
            for junk in JUNK:
                yield Malformed(key, f"{junk!r} in a list", table | {key: [junk, *value[1:]]})
        if isinstance(value, dict) and value:
            first = next(iter(value))
            for junk in JUNK:
                yield Malformed(key, f"{junk!r} in a table", table | {key: value | {first: junk}})
                yield Malformed(key, "a table with another key", table | {key: value | {"?": junk}})


def misspelt(text: str) -> Iterator[str]:
    """The text cut short, with a line more, doubled, and with each of its first words replaced."""
    yield from (text[:-2], text + "\n?", text * 2)
    for word in list(dict.fromkeys(text.split()))[:4]:
        yield from (text.replace(word, junk, 1) for junk in ("?", "0", "-1", "99", ""))


def inspect_reported(
    inspection: Inspection, instances: Collection[str], formulations: Collection[str]
) -> None:
    """Checks that the instances and formulations that REPORTED names exist."""
    for entry in catalogue.reported(inspection.puzzle):
        if not isinstance(entry, Reported):
            inspection.puzzle_fault("REPORTED", f"REPORTED has {shorten(entry)}, not a Reported(...)")
            continue
        if entry.instance not in instances:
            unknown = catalogue.unknown("instance", entry.instance, instances)
            inspection.puzzle_fault("REPORTED", f"REPORTED: {unknown}")
        if entry.formulation and entry.formulation not in formulations:
            unknown = catalogue.unknown("formulation", entry.formulation, formulations)
            inspection.puzzle_fault("REPORTED", f"REPORTED: {unknown}")
