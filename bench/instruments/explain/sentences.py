"""What variants and roots say, in sentences: what was measured, and no cause that was not.

Each function has one kind of sentence, and says in its docstring when it is said. A figure that does not fit
an explanation gets a sentence of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.analysis.measurements import Measurement
from bench.analysis.scores import outcome, time_ratio
from bench.analysis.units import count, factor, listed, plural, seconds
from bench.analysis.variants import STEPS
from bench.contract import Status, Task
from bench.instruments.explain.mechanisms import BEFORE, Explained
from bench.instruments.explain.root import Root
from bench.report.findings import TOO_FEW_BUT_FAR, interval


@dataclass(frozen=True)
class Sentence:
    """A sentence; `contradicts` if figures do not fit the explanation that suggests itself."""

    text: str
    contradicts: bool = False


def sentences(models: Iterable[Explained]) -> list[Sentence]:
    """All that is to be said of the models of a problem, model by model."""
    return [sentence for model in models for say in _SAID for sentence in say(model)]


def _on_lazy_constraints(model: Explained) -> Iterator[Sentence]:
    """That relaxation, presolve and propagation are those of a model without its lazy constraints."""
    if model.default.figures.rounds is not None:
        rounds = plural(model.default.figures.rounds, "round")
        yield Sentence(
            f"{capitalised(model.system)} {model.where} has lazy constraints, which were added in {rounds}; "
            "what follows on relaxation, presolve and propagation is of the model without them."
        )


def _on_relaxation(model: Explained) -> Iterator[Sentence]:
    """What the linear relaxation of the model as built is; said if it was measured.

    A single point that is integral is the only solution, which the first linear program finds: no branching
    is needed, by definition. Of any other relaxation only the figures are said.
    """
    root, where = model.root("relaxation"), model.where
    if root.relaxation_feasible is None:
        return
    if root.relaxation_feasible == 0:
        yield Sentence(
            f"The linear relaxation of {where} is infeasible, which proves that there is no solution."
        )
        if model.found_a_solution:
            yield Sentence(f"Yet {model.system} found a solution of {where}.", contradicts=True)
    elif root.is_integral_point:
        yield Sentence(
            f"{model.system} needs no branching on {where}: its linear relaxation is a single point, which "
            "is integral."
        )
        if model.branched(model.default):
            needed = branches(model, model.default)
            yield Sentence(f"Yet {model.system} needed {needed} on {where}.", contradicts=True)
    elif root.single_point == 1:
        yield Sentence(
            f"The linear relaxation of {where} is a single point, which is fractional: there is no solution."
        )
    elif root.fractional_max == 0:
        others = "but it is no single point" if root.single_point == 0 else "whether it has others is open"
        yield Sentence(
            f"Every point found of the linear relaxation of {where} is integral, {others}"
            f"{_after_presolve(model)}."
        )
    elif root.fractional_max is not None:
        yield Sentence(
            f"With {where} {fractional(root)} of the linear relaxation are fractional"
            f"{_after_presolve(model)}."
        )


def _on_presolved_relaxation(model: Explained) -> Iterator[Sentence]:
    """That the relaxation of what presolve leaves is infeasible; a contradiction if there is a solution."""
    if model.root("presolved_relaxation").relaxation_feasible == 0:
        what = f"The linear relaxation of {model.where} is infeasible after presolve"
        yield Sentence(f"{what}, which proves that there is no solution.")
        if model.found_a_solution:
            yield Sentence(f"Yet {model.system} found a solution of {model.where}.", contradicts=True)


def _after_presolve(model: Explained) -> str:
    """What presolve leaves of the fractional variables, as the end of a sentence; empty if unknown."""
    root = model.root("presolved_relaxation")
    if root.presolved_variables == 0 or model.root().presolved_variables == 0:
        return "; presolve leaves no variables"
    if root.fractional_max is None or root.relaxation_feasible == 0:
        return ""
    if root.fractional_max == 0:
        point = ", a single point" if root.single_point == 1 else ""
        return f"; after presolve none of {presolved_size(root)} is{point}"
    return f"; after presolve {fractional(root, presolved=True)}"


def presolved_size(root: Root) -> str:
    """How many variables presolve leaves; empty if unknown."""
    return span(root.presolved_least, root.presolved_variables)


def fractional(root: Root, presolved: bool = False) -> str:
    """How many variables of a relaxation are fractional, of how many."""
    number = span(root.fractional_min or 0, root.fractional_max or 0)
    size = root.presolved_variables if presolved else root.variables
    if size is None:
        return f"{number} variables"
    return f"{number} of {presolved_size(root) if presolved else count(size)} variable{'s' * (size != 1)}"


def span(low: float | None, high: float | None) -> str:
    """A count, or from the least to the most of the runs; empty if unknown."""
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _on_presolve(model: Explained) -> Iterator[Sentence]:
    """That presolve leaves nothing, said if it does and the solver did not branch; of a solver with presolve.

    A contradiction if the solver does not branch without presolve, or with none of its mechanisms, either;
    not where a single integral point of the relaxation, or propagation at the root, explains it.
    """
    if not model.solved_by_presolve:
        return
    root = model.root("relaxation")
    # The sentence on a fractional relaxation ends with it.
    if root.relaxation_feasible is None or root.fractional_max == 0:
        yield Sentence(f"The presolve of {model.system} leaves no variables of {model.where}.")
    idle = [
        f"{words} ({branches(model, each)})"
        for words, each in (
            ("without presolve", model.without("presolve")),
            ("with none of its mechanisms", model.bare),
        )
        if each and model.branched(each) is False
    ]
    if idle and not (root.is_integral_point or model.removed.get("propagation") == 1):
        though = ", though its relaxation is fractional" if root.fractional_min else ""
        yield Sentence(
            f"Yet {model.system} does not branch on {model.where} {' or '.join(idle)} either{though}: "
            "presolve is not needed for that.",
            contradicts=True,
        )


def _on_root_node(model: Explained) -> Iterator[Sentence]:
    """Whether the root node solves an integer program that presolve does not; said if `root` was run.

    A contradiction if `root` gave up and the default reports no more nodes than the root, or the other way
    round.
    """
    root, where = model.others.get("root"), model.where
    if root is None or model.solved_by_presolve or model.default.task != Task.FIRST:
        return
    branched = model.branched(model.default)
    if some := _solved_with(root):
        yield Sentence(f"The root node of {model.system} solves {where} {some}.")
    elif root.conclusive:
        yield Sentence(f"{model.system} solves {where} at the root node.")
        if branched:
            yield Sentence(
                f"Yet not stopped there, it needed {branches(model, model.default)} on {where}.",
                contradicts=True,
            )
    elif root.status == Status.STOPPED:
        needed = f": it needs {branches(model, model.default)}" if branched else ""
        yield Sentence(f"The root node of {model.system} does not solve {where}{needed}.")
        if branched is False:
            yield Sentence(
                f"Yet {model.system} reported {branches(model, model.default)} on {where}, no more than the "
                "root.",
                contradicts=True,
            )


_BY = {"propagation": "by propagation at the root", "probing": "by probing", BEFORE: BEFORE}
"""What removes values, as sentences say it."""


def _on_propagation(model: Explained) -> Iterator[Sentence]:
    """Which share of values is removed before the search; said if it was measured.

    Of a search with steps of propagation each step has its own. A contradiction if probing decides
    everything, and without it the solver does not branch either.
    """
    known = {_BY[means]: share for means, share in model.removed.items() if means in _BY}
    if not known or model.steps:
        return
    where = model.where
    if next(iter(known.values())) == 1:
        yield Sentence(f"{capitalised(model.system)} decides every variable of {where} {next(iter(known))}.")
        return
    said = listed([f"{percentage(share)} {words}" for words, share in known.items()])
    yield Sentence(f"Of the values of {where} {model.system} removes {said}.")
    if known.get(_BY["probing"]) == 1 and model.branched(model.without("probing")) is False:
        yield Sentence(
            f"Yet {model.system} does not branch on {where} without probing either: probing is "
            "not needed for that.",
            contradicts=True,
        )


def _on_counted_probing(model: Explained) -> Iterator[Sentence]:
    """That branches without presolve are those of probing, which CP-SAT counts when it loads a model.

    Said if probing alone decides every variable with as many branches.
    """
    without = model.without("presolve")
    if without and _counts_probing(model, without):
        yield Sentence(
            f"Without presolve {model.system} counts {branches(model, without)} on {model.where}, which are "
            "all of probing: it decides every variable, and nothing is left to search."
        )


def _counts_probing(model: Explained, each: Measurement) -> bool:
    """Whether probing decides everything, and counts as many branches as a measurement with every seed."""
    probing = model.others.get("probing")
    if probing is None or model.removed.get("probing") != 1 or each.inconclusive:
        return False
    return bool(model.branched(each)) and each.branches_range == probing.branches_range


def _on_needless_branches(model: Explained) -> Iterator[Sentence]:
    """That a solver branches where propagation alone decides every variable, a contradiction.

    Of a search each step that decides every variable has its own. Branches that probing counts are none.
    """
    tried: dict[str, Measurement | None] = {}
    if model.steps:
        for name, each in model.steps.items():
            if model.root(name).removed == 1:
                tried[f"with {STEPS[name]}"] = each
    elif model.removed.get("propagation") == 1:
        tried = {"by default": model.default}
        tried |= {f"without {each.name}": each.without for each in model.mechanisms}
        tried["with none of its mechanisms"] = model.bare
    found = [
        f"{branches(model, each)} {words}"
        for words, each in tried.items()
        if each and model.branched(each) and not _counts_probing(model, each)
    ]
    if found:
        counted = f"Yet {model.system} counts {listed(found)} on {model.where}"
        yield Sentence(f"{counted}, though every variable is decided at the root.", contradicts=True)


def _on_steps(model: Explained) -> Iterator[Sentence]:
    """What more and more propagation removes and saves, said of a search that was run with such steps."""
    if not model.steps:
        return
    parts = []
    for name, each in model.steps.items():
        removed = model.root(name).removed
        share = [] if removed is None else [f"{percentage(removed)} of the values removed at the root"]
        parts.append(f"{STEPS[name]} ({', '.join([*share, effort(model, each)])})")
    what = f"{capitalised(model.system)} {model.where}, by what it propagates"
    yield Sentence(f"{what}: {'; '.join(parts)}.")


def _on_mechanisms(model: Explained) -> Iterator[Sentence]:
    """How the default compares with each mechanism turned off, and with all; said if any was.

    What is faster or slower is so by `scores.outcome`; the rest is unsolved by both, has no significant
    difference, or too few runs to have one. What is wrong or crashed is not compared.
    """
    variants = {f"without {each.name}": each.without for each in model.mechanisms if each.without}
    if model.bare:
        variants["with none of its mechanisms"] = model.bare
    yield from compared(model, variants, difference)


def _on_configurations(model: Explained) -> Iterator[Sentence]:
    """How the default compares with other configurations; said if any was run."""
    others = {f"with `{name}`": each for name, each in model.configurations.items()}
    yield from compared(model, others, difference=_time_and_factor)


def compared(
    model: Explained, variants: Mapping[str, Measurement], difference: Callable[[Explained, Measurement], str]
) -> Iterator[Sentence]:
    """The sentence that compares the default with variants, by what they are."""
    default = model.default
    if default.status.faulty or all(each.status.faulty for each in variants.values()):
        return
    groups: dict[str, list[str]] = {"faster": [], "slower": [], "": [], "unsolved": [], "few": []}
    for words, each in variants.items():
        if each.status.faulty:
            continue
        result = outcome(each, default)
        if result:
            kind = "faster" if result > 0 else "slower"
            groups[kind].append(f"{words} ({difference(model, each)})")
        elif not (each.solved or default.solved):
            groups["unsolved"].append(f"{words}{_in_part(each)}")
        elif time_ratio(each, default).known:
            groups[""].append(f"{words}{_in_part(each) or _other_branches(model, each)}")
        else:
            groups["few"].append(f"{words} ({effort(model, each)})")
    said = [f"{kind} {listed(groups[kind])}" for kind in ("faster", "slower") if groups[kind]]
    if groups[""]:
        said.append(f"no significant difference {listed(groups[''])}")
    if groups["unsolved"]:
        said.append(f"unsolved by both {listed(groups['unsolved'])}")
    if groups["few"]:
        said.append(f"too few runs to compare {listed(groups['few'])}")
    yield Sentence(
        f"{capitalised(model.system)} {model.where} ({effort(model, default)}): {'; '.join(said)}."
    )


def _on_alone(model: Explained) -> Iterator[Sentence]:
    """Which mechanism alone is as good as all together; said if with none of them the solver is slower."""
    if model.bare is None or model.bare.status.faulty or outcome(model.bare, model.default) >= 0:
        return
    enough = []
    for each in model.mechanisms:
        if each.alone and each.alone.solved and not each.alone.status.faulty:
            if outcome(each.alone, model.default) > 0:
                enough.append(f"{each.name} alone is even faster than all ({difference(model, each.alone)})")
            elif time_ratio(each.alone, model.default).known and not outcome(each.alone, model.default):
                enough.append(f"no significant difference between {each.name} alone and all")
    if enough:
        yield Sentence(f"{capitalised(model.system)} {model.where}: {'; '.join(enough)}.")


_SAID: Sequence[Callable[[Explained], Iterator[Sentence]]] = (
    _on_lazy_constraints, _on_relaxation, _on_presolved_relaxation, _on_presolve, _on_root_node,
    _on_propagation, _on_counted_probing, _on_steps, _on_needless_branches, _on_mechanisms,
    _on_alone, _on_configurations,
)  # fmt: skip
"""The kinds of sentences in their order."""


def difference(model: Explained, each: Measurement) -> str:
    """The time and the branches of a variant, and its time relative to the default, with the interval."""
    if not each.solved or not model.default.solved:
        return effort(model, each)
    ratio = time_ratio(each, model.default)
    certainty = interval(ratio) if ratio.known else TOO_FEW_BUT_FAR
    return f"{effort(model, each)}; {factor(ratio.value)} times as long, {certainty}"


def _time_and_factor(model: Explained, each: Measurement) -> str:
    """The time of a variant, and relative to the default, in short."""
    if not each.solved or not model.default.solved:
        return time(each)
    return f"{time(each)}, {factor(time_ratio(each, model.default).value)} times as long"


def _other_branches(model: Explained, each: Measurement) -> str:
    """The branches of a variant, in brackets, if they are others than those of the default; else empty."""
    said = branches(model, each)
    return f" ({said})" if said and said != branches(model, model.default) else ""


def _in_part(each: Measurement) -> str:
    """With how many seeds a measurement is solved, in brackets; empty if with all or with none."""
    some = _solved_with(each)
    return f" (solved {some})" if some else ""


def effort(model: Explained, each: Measurement) -> str:
    """The time of a measurement and its branches, or what became of it.

    Of a measurement that is not solved with every seed there are no branches: those of the seeds that are
    solved say nothing of the others.
    """
    return ", ".join(filter(None, (time(each), "" if each.inconclusive else branches(model, each))))


def is_solved(each: Measurement) -> bool:
    """Whether a measurement has a time: what is wrong or crashed has none."""
    return each.solved and not each.status.faulty


def time(each: Measurement) -> str:
    """The median time, or of what is not solved the limit or the status; with how many seeds it is solved."""
    if is_solved(each):
        said = seconds(each.time_s)
    else:
        timeout = each.status == Status.TIMEOUT
        said = f"more than {seconds(each.time_limit_s)}" if timeout else str(each.status)
    return ", solved ".join(filter(None, (said, _solved_with(each))))


def _solved_with(each: Measurement) -> str:
    """With how many of its seeds, or in how many of its runs, it is solved; empty if in all or none."""
    if not each.conclusive or not each.inconclusive:
        return ""
    share = f"{each.conclusive} of {each.runs}"
    return f"with {share} seeds" if each.seeds == each.runs else f"in {share} runs"


def branches(model: Explained, each: Measurement) -> str:
    """The branches of a measurement with their unit, with a range if runs differ; empty if not known."""
    if each.branches_range is None:
        return ""
    low, high = each.branches_range
    if low == high:
        return plural(high, model.unit)
    # From 0 to 1 nodes.
    return f"{span(low, high)} {plural(2, model.unit).removeprefix('2 ')}"


def percentage(share: float) -> str:
    """A share of the values; never rounded to all or to none."""
    if share in (0.0, 1.0):
        return "all" if share else "none"
    return f"{min(max(share, 0.01), 0.99):.0%}"


def capitalised(words: str) -> str:
    """The words as the beginning of a sentence; names keep their letters."""
    return "T" + words[1:] if words.startswith("the ") else words
