"""What was measured, in words; and what contradicts the explanation that suggests itself, in sentences."""

from collections.abc import Iterator

from bench.analysis.measurements import Measurement
from bench.analysis.tables import BARE, STEPS
from bench.analysis.units import count, listed, plural, seconds
from bench.contract import Status, Task
from bench.instruments.explain.mechanisms import Explained


def remarks(model: Explained) -> Iterator[str]:
    """What one has to know to read the figures of a model."""
    if model.default.figures.rounds is not None:
        rounds = plural(model.default.figures.rounds, "round")
        yield f"relaxation, presolve and propagation are without lazy constraints, added in {rounds}"
    without = model.without("presolve")
    if without and _counts_probing(model, without):
        counted = branches(model, without)
        yield f"the {counted} without presolve are all of probing, which decides every variable"


def _counts_probing(model: Explained, each: Measurement) -> bool:
    """Whether probing decides everything, and counts as many branches as a measurement with every seed."""
    # CP-SAT without presolve probes when it loads a model.
    probing = model.variants.get("probing")
    if probing is None or model.removed.get("probing") != 1 or each.inconclusive:
        return False
    return bool(model.branched(each)) and each.branches_range == probing.branches_range


def contradictions(model: Explained) -> list[str]:
    """Where figures of a model do not fit the explanation that suggests itself."""
    return [*_of_relaxation(model), *_of_mechanisms(model), *_of_root_node(model), *_of_root(model)]


def _of_relaxation(model: Explained) -> Iterator[str]:
    """An infeasible relaxation has no solution; one that is a single integral point needs no branching."""
    solved = model.default.conclusive and model.default.figures.solutions
    for solver, when in (("relaxation", ""), ("presolved_relaxation", " after presolve")):
        if model.root(solver).relaxation_feasible == 0 and solved:
            yield f"its linear relaxation is infeasible{when}, yet a solution was found"
    if model.root("relaxation").is_integral_point and model.branched(model.default):
        needed = branches(model, model.default)
        yield f"its linear relaxation is a single point, which is integral, yet it needed {needed}"


def _of_mechanisms(model: Explained) -> Iterator[str]:
    """Presolve or probing decides everything, and without it the solver does not branch either."""
    # That is no contradiction where a single integral point, or propagation, explains it.
    root, propagated = model.root("relaxation"), model.removed.get("propagation")
    if model.solved_by_presolve and not root.is_integral_point and propagated != 1:
        tried = {"without presolve": model.without("presolve"), "with no mechanism": model.variants.get(BARE)}
        idle = [
            f"{words} ({branches(model, each)})"
            for words, each in tried.items()
            if each and model.branched(each) is False
        ]
        if idle:
            though = ", though its relaxation is fractional" if root.fractional_min else ""
            yield f"presolve leaves nothing, yet it does not branch {' or '.join(idle)} either{though}"
    probed = model.removed.get("probing") == 1 and propagated != 1
    if probed and model.branched(model.without("probing")) is False:
        yield "probing decides every variable, yet it does not branch without probing either"


def _of_root_node(model: Explained) -> Iterator[str]:
    """An integer program is solved at the root node if and only if the default needs no other."""
    root, branched = model.variants.get("root"), model.branched(model.default)
    if root is None or model.solved_by_presolve or model.default.task != Task.FIRST:
        return
    needed = branches(model, model.default)
    if root.conclusive and not root.inconclusive and branched:
        yield f"the root node solves it, yet not stopped there it needed {needed}"
    elif not root.conclusive and root.status == Status.STOPPED and branched is False:
        yield f"the root node does not solve it, yet it needed {needed}, no more than the root"


def _of_root(model: Explained) -> Iterator[str]:
    """Where propagation decides every variable there are no branches, but for those that probing counts."""
    tried: dict[str, Measurement | None] = {}
    if model.backend == "backtrack":
        decided = (name for name in STEPS if model.root(name).removed == 1)
        tried = {f"with {STEPS[name]}": model.variants.get(name) for name in decided}
    elif model.removed.get("propagation") == 1:
        tried = {"by default": model.default}
        tried |= {f"without {name}": each for _, name, each in model.compared("without")}
        tried["with no mechanism"] = model.variants.get(BARE)
    found = [
        f"{branches(model, each)} {words}"
        for words, each in tried.items()
        if each and model.branched(each) and not _counts_probing(model, each)
    ]
    if found:
        yield f"every variable is decided at the root, yet it counts {listed(found)}"


def effort(model: Explained, each: Measurement) -> str:
    """The time of a measurement and its branches; with some seeds unsolved, how many are solved instead."""
    if not each.inconclusive:
        return ", ".join(filter(None, (time(each), branches(model, each))))
    if not each.conclusive:
        return time(each)
    share = f"{each.conclusive} of {each.runs}"
    return f"{time(each)}, solved {f'with {share} seeds' if each.seeds == each.runs else f'in {share} runs'}"


def is_solved(each: Measurement) -> bool:
    """Whether a measurement has a time: what is wrong or crashed has none."""
    return each.solved and not each.status.faulty


def time(each: Measurement) -> str:
    """The median time; of what is not solved the limit, or what became of it."""
    if is_solved(each):
        return seconds(each.time_s)
    return f"> {seconds(each.time_limit_s)}" if each.status == Status.TIMEOUT else str(each.status)


def branches(model: Explained, each: Measurement) -> str:
    """The branches of a measurement, of an integer program its nodes, with a range if runs differ."""
    if each.branches_range is None:
        return ""
    said = span(*each.branches_range)
    words = ("node", "nodes") if model.backend == "milp" else ("branch", "branches")
    return f"{said} {words[said != '1']}"


def span(low: float | None, high: float | None) -> str:
    """A count, or from the least to the most of the runs; empty if unknown."""
    return count(low) if low == high else f"{count(low)} to {count(high)}"
