"""What a run is worth: its solutions checked against the rules, its claims against what is known."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from signal import Signals
from typing import Any

from bench.catalogue import Instance
from bench.run import Run
from models.shared.puzzle import Solution

DONE = ("solved", "infeasible")
"""The statuses of a run that did what it was asked to do."""


@dataclass(frozen=True)
class Verdict:
    """The status of a run, and what was found; `error` says what is wrong, on one line."""

    status: str
    error: str = ""
    solutions: int | None = None
    answer: int | str | None = None
    solution: Solution = None


def judge(instance: Instance, run: Run, response: Mapping[str, Any]) -> Verdict:
    """Checks what a worker handed back.

    `solved` means that every solution passed the checker and that nothing contradicts `[expected]`.
    """
    figures = response["figures"]
    if response.get("killed") == "memory":
        return Verdict("memout", f"it used more than {run.memory_limit_mb} MB")
    if response.get("killed") == "time":
        return Verdict("timeout", "killed: it did not stop at its time limit")
    if "status" not in figures:
        return no_result(response)
    if "error" in figures:
        return Verdict(figures["status"], one_line(str(figures["error"])))
    if reason := malformed(figures):
        return Verdict("crashed", f"the driver of {run.backend} hands back {one_line(reason)}")
    found, claimed = figures["found"], figures["solutions"]
    answers: list[int | str] = []
    for number, solution in enumerate(found, 1):
        broken, answer = inspect(instance, solution)
        if broken:
            error = one_line(f"solution {number} of {len(found)}: {broken}")
            return Verdict("wrong", error, claimed, None, solution)
        answers.append(answer)
    verdict = Verdict(
        figures["status"], "", claimed, answers[0] if answers else None, found[0] if found else None
    )
    if contradiction := contradicts_expected(instance, run, verdict, answers):
        return Verdict("wrong", contradiction, claimed, verdict.answer, verdict.solution)
    return verdict


def no_result(response: Mapping[str, Any]) -> Verdict:
    """The verdict on a worker that died."""
    words = response["tail"].strip().splitlines()
    if any("bad_alloc" in line for line in words):
        return Verdict("memout", "std::bad_alloc: the system gave it no more memory")
    if response["signal"]:
        how = f"ended by {Signals(response['signal']).name}"
    else:
        how = f"ended with exit code {response['exit']} and without a result"
    return Verdict("crashed", one_line(f"{how}: {words[-1]}" if words else how))


def is_figure(value: Any) -> bool:
    """Whether a value can stand in runs.csv as a number."""
    return type(value) in (int, float) and 0 <= value < 1e300


def malformed(figures: Mapping[str, Any]) -> str | None:
    """What a driver handed back that is not of the form of `execute`, if anything."""
    if figures["status"] not in (*DONE, "timeout"):
        return f"the status {figures['status']!r}"
    if not isinstance(figures.get("found"), list) or not isinstance(figures.get("solutions"), int):
        return "no list of solutions with their number"
    for name, value in figures.items():
        if name not in ("status", "found", "waited_s") and value is not None and not is_figure(value):
            return f"{name} = {value!r}, not a number"
    return None


def inspect(instance: Instance, solution: Solution) -> tuple[str | None, Any]:
    """The first rule that a solution breaks, or its answer; one that cannot even be read breaks a rule."""
    try:
        broken = instance.puzzle.check(solution)
        return (broken[0], None) if broken else (None, instance.puzzle.answer(solution))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return f"the solution is not of the form that the checker reads ({reason})", None


def contradicts_expected(
    instance: Instance, run: Run, verdict: Verdict, answers: Iterable[int | str]
) -> str | None:
    """How the result contradicts the `[expected]` table, if it does.

    The expected answer must be that of some solution: of the one found if it is the only one.
    """
    expected = instance.expected
    exhausted = run.task == "count" and verdict.status in DONE
    if expected.solutions is not None:
        if exhausted and verdict.solutions != expected.solutions:
            return f"{verdict.solutions} solutions, but {expected.solutions} are expected"
        if verdict.solutions and not expected.solutions:
            return "a solution, but none is expected"
        if verdict.status == "infeasible" and expected.solutions:
            return f"no solution, but {expected.solutions} are expected"
    only_one = expected.solutions == 1 and verdict.solutions
    if expected.answer is not None and (only_one or (exhausted and verdict.solutions)):
        texts = sorted({str(answer) for answer in answers})
        if str(expected.answer) not in texts:
            return one_line(f"the answer is {' or '.join(texts)}, but {expected.answer} is expected")
    return None


def contradicts_others(row: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> str | None:
    """How a recorded result contradicts an earlier one of the same instance, if it does."""
    for other in others:
        if other["instance_sha256"] != row["instance_sha256"]:
            continue
        if {row["status"], other["status"]} - set(DONE):
            continue
        by = f"{other['backend']}:{other['solver']} {other['formulation']}"
        if row["status"] != other["status"]:
            return f"{row['status']}, but {by} says {other['status']}"
        counted = row["task"] == other["task"] == "count"
        if counted and str(row["solutions"]) != str(other["solutions"]):
            return f"{row['solutions']} solutions, but {by} counts {other['solutions']}"
        unique = any(one["task"] == "count" and str(one["solutions"]) == "1" for one in (row, other))
        if unique and str(row["answer"]) != str(other["answer"]):
            return f"the answer is {row['answer']}, but {by} says {other['answer']}, as the only one"
    return None


def one_line(text: str, limit: int = 300) -> str:
    """The text without line breaks and not longer than `limit` characters."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return flat if len(flat) <= limit else flat[: limit - 3] + "..."
