"""Whether puzzle.py keeps its promises: parse, check, answer, text, draw, size, REPORTED."""

import json
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from bench import catalogue
from bench.authoring.findings import RAISED, Findings
from bench.authoring.solutions import SHAPES, as_json, variations
from bench.catalogue import Instance, errors
from bench.catalogue.errors import RequestError
from models.shared.document import InstanceError, shorten
from models.shared.puzzle import Reported, Solution

PROMISED = ("check", "answer", "text", "draw", "size")
"""What the object that `parse` gives must have; see models/shared/puzzle.py."""

JUNK: tuple[Any, ...] = (None, True, -1, 10**9, 1.5, "", "?", "? ?\n?", [], ["?"], {}, {"?": "?"})
"""What stands in a malformed instance in place of a value."""

DAMAGED = 200
"""So many damaged solutions are handed to the checker."""


def load_instances(findings: Findings) -> list[Instance]:
    """The instances that can be loaded."""
    try:
        rules = catalogue.puzzle_module(findings.puzzle)
    except RequestError as error:
        findings.say(str(error))
        return []
    if not callable(getattr(rules, "parse", None)):
        findings.fault(findings.place("puzzle"), "it has no function `parse`; write parse(table)")
        return []
    folder = catalogue.instances_folder(findings.puzzle)
    paths = catalogue.instance_paths(findings.puzzle)
    if not paths:
        findings.fault(errors.shown(folder), "there is no instance; write one TOML file, such as small.toml")
    instances = []
    for path in paths.values():
        try:
            instances.append(catalogue.load(path))
            findings.checked["instance"] += 1
        except RequestError as error:
            findings.say(str(error))
    return sorted(instances, key=lambda instance: instance.puzzle.size)


def examine(findings: Findings, instance: Instance) -> bool:
    """Looks at an instance without a solution; whether it has all that a puzzle must have."""
    puzzle = instance.puzzle
    kind = type(puzzle).__name__
    lacking = [name for name in PROMISED if not hasattr(puzzle, name)]
    for name in lacking:
        findings.fault(
            findings.place("puzzle", kind),
            f"{kind} has no `{name}`; write it, as class Puzzle in models/shared/puzzle.py says",
        )
    if lacking:
        return False
    if type(puzzle.size) is not int or puzzle.size < 1:
        findings.fault(
            findings.place("puzzle", "size"),
            f"the size of {instance.name} is {puzzle.size!r}; write the number of unknowns, 1 or more",
        )
    show(findings, instance, None)
    for shape in SHAPES:
        if refused(findings, instance, shape) is False:
            place = findings.place("puzzle", "check")
            said = f"check accepts {json.dumps(shape)} as a solution of {instance.name}"
            findings.fault(place, f"{said}; refuse what has not the form of one", once="check of shapes")
    return True


def refused(findings: Findings, instance: Instance, solution: Solution) -> bool | None:
    """Whether the checker refuses a solution; None if it does not say so as it must."""
    broken = findings.call(f"check({shorten(solution)})", instance.puzzle.check, solution)
    if broken is RAISED:
        return None
    if not isinstance(broken, list) or not all(isinstance(rule, str) and rule.strip() for rule in broken):
        place = findings.place("puzzle", "check")
        findings.fault(
            place,
            f"check returns {shorten(broken)}, not a list of broken rules in words",
            once="check words",
        )
        return None
    return bool(broken)


def show(findings: Findings, instance: Instance, solution: Solution | None) -> str | None:
    """Looks at text and picture; gives the text."""
    # Only this command needs it, and it takes a while to import.
    from matplotlib.figure import Figure

    what = "a solution" if solution is not None else "no solution"
    axes = Figure().subplots()
    drawn = findings.call(f"draw with {what}", instance.puzzle.draw, axes, solution)
    # A text alone is a picture too, of which `has_data` knows nothing.
    if drawn is not RAISED and not (axes.has_data() or axes.texts):
        findings.fault(
            findings.place("puzzle", "draw"), f"draw with {what} draws nothing", once="draw nothing"
        )
    text = findings.call(f"text with {what}", instance.puzzle.text, solution)
    if text is RAISED:
        return None
    if not isinstance(text, str) or not text.strip():
        findings.fault(
            findings.place("puzzle", "text"),
            f"text with {what} returns {shorten(text)}, not what to print",
            once="text",
        )
        return None
    return text


def examine_solution(findings: Findings, instance: Instance, solution: Solution, count: int | None) -> None:
    """Looks at an instance with a solution that passed the checker.

    Args:
        count: how many solutions the instance has, None if that is not known.
    """
    answer = findings.call("answer", instance.puzzle.answer, solution)
    if answer is not RAISED and type(answer) not in (int, str):
        place = findings.place("puzzle", "answer")
        findings.fault(place, f"answer returns {shorten(answer)}, no int or str", once="answer")
    empty, solved = show(findings, instance, None), show(findings, instance, solution)
    if empty is not None and solved is not None:
        findings.told.append(empty != solved)
    found = {as_json(solution)}
    for variation in variations(solution, DAMAGED):
        if refused(findings, instance, variation) is False:
            found.add(as_json(variation))
            if count is not None and len(found) > count:
                findings.fault(
                    findings.place("puzzle", "check"),
                    f"check accepts {shorten(variation, 200)} as a solution of {instance.name}, which has "
                    f"{count}: {shorten(solution, 200)}; refuse it, or mend the models that miss it",
                    once="check accepts",
                )
    findings.checked["damaged solution"] += DAMAGED


def examine_texts(findings: Findings) -> None:
    """Looks whether solutions change the text; one need not where everything is given."""
    if findings.told and not any(findings.told):
        place = findings.place("puzzle", "text")
        findings.fault(place, "text is the same with and without a solution; show what was found")


def examine_malformed(findings: Findings, instance: Instance) -> None:
    """Looks whether malformed tables are refused with InstanceError, and nothing else is raised."""
    parse = catalogue.puzzle_module(findings.puzzle).parse
    table = tomllib.loads(instance.path.read_text(encoding="utf-8"))
    place = findings.place("puzzle", "parse")
    taken: dict[str, set[type]] = defaultdict(set)
    for key, change, changed in malformed(table):
        try:
            parse(changed)
            taken[key].add(type(changed.get(key)))
            if change == "unknown":
                mend = "read the table with read_document and a schema made from Document"
                findings.fault(place, f"parse takes a table with the unknown key {key!r}; {mend}")
        except InstanceError as error:
            if not str(error) or "\n" in str(error):
                findings.fault(place, f"the InstanceError for {change} is not one line: {str(error)!r}")
        except (Exception, SystemExit) as error:
            at = errors.place(error, catalogue.folder(findings.puzzle)) or place
            findings.fault(
                at,
                f"parse raises {errors.words(error)} where {key} is {change}; raise InstanceError",
                once=f"{at} parse",
            )
        findings.checked["malformed table"] += 1
    for key in table:
        if taken[key] >= set(map(type, JUNK)):
            findings.fault(place, f"parse takes anything for {key}; give it a type in the schema")


def malformed(table: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Tables that differ from one in one key: the key, the change in words, the table."""
    yield "no_such_key", "unknown", table | {"no_such_key": 1}
    for key, value in table.items():
        yield key, "missing", {other: table[other] for other in table if other != key}
        for junk in JUNK:
            yield key, repr(junk), table | {key: junk}
        if isinstance(value, str) and value:
            for text in misspelt(value):
                yield key, repr(text), table | {key: text}
        if isinstance(value, list) and value:
            for junk in JUNK:
                yield key, f"{junk!r} in a list", table | {key: [junk, *value[1:]]}
        if isinstance(value, dict) and value:
            first = next(iter(value))
            for junk in JUNK:
                yield key, f"{junk!r} in a table", table | {key: value | {first: junk}}
                yield key, "a table with another key", table | {key: value | {"?": junk}}


def misspelt(text: str) -> Iterator[str]:
    """The text with its end cut off, doubled, and with another word in place of each of its first few."""
    yield from (text[:-2], text + "\n?", text * 2)
    for word in list(dict.fromkeys(text.split()))[:4]:
        yield from (text.replace(word, junk, 1) for junk in ("?", "0", "-1", "99", ""))


def examine_reported(findings: Findings, instances: Collection[str], formulations: Collection[str]) -> None:
    """Looks whether REPORTED names instances and formulations that there are."""
    place = findings.place("puzzle", "REPORTED")
    for entry in catalogue.reported(findings.puzzle):
        if not isinstance(entry, Reported):
            findings.fault(place, f"REPORTED has {shorten(entry)}, no Reported(...)")
            continue
        if entry.instance not in instances:
            findings.fault(place, f"REPORTED: {catalogue.unknown('instance', entry.instance, instances)}")
        if entry.formulation and entry.formulation not in formulations:
            said = catalogue.unknown("formulation", entry.formulation, formulations)
            findings.fault(place, f"REPORTED: {said}")
