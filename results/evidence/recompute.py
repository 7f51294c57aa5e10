"""Recomputes every table of docs/which.md: `python results/evidence/recompute.py`."""

import re
import sys
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

HERE, LOT = Path(__file__).resolve().parent, ["abc_end_view", "hidato", "tents", "yajilin"]
CP, MIP, HANDS, LIMIT = "cpsat", ["milp:highs", "milp:scip"], ["backtrack", "local", "native"], 20.0
APART = {
    "the integer program in place of the constraint program, by CP-SAT": ("milp:cpsat", CP),
    "HiGHS in place of CP-SAT, on the integer program": ("milp:highs", "milp:cpsat"),
    "HiGHS in place of CP-SAT, on the constraint program": ("cpsat:highs", CP),
    "linearization level 2": ("cpsat:lp2", CP),
}
RUN = ["task", "puzzle", "instance", "backend", "solver", "formulation", "threads"]


def f(log):
    if not np.isfinite(x := np.exp(log)):
        return "–"
    if x < 9.95:
        return f"{x:.1g}" if x < 0.0095 else f"{x:.2f}" if x < 1.995 else f"{x:.1f}"
    return f"{float(f'{x:.2g}'):,.0f}"


def span(log, half):
    return f(log) + (f" ({f(log - half)} to {f(log + half)})" if half > 0 else "")


def read(path):
    """Each model on each problem: the median of its times, inf if that is no solution or proof."""
    runs = pd.read_csv(path, low_memory=False).drop_duplicates([*RUN, "repeat"], keep="last")
    runs = runs[~runs["status"].isin(["unsupported", "unavailable"])].fillna(
        {"build_s": 0, "collection": "published"}
    )
    runs["source"] = runs["instance"].str.extract("_(proven|planted|infeasible)_")[0]
    runs["source"] = runs["source"].fillna(
        runs["collection"].where(runs["collection"] == "published", "collections")
    )
    alone = runs["solver"].isin(["cpsat", "clingo", "recursive", "python", "c"]) & (runs["backend"] != "milp")
    runs["label"] = runs["backend"] + (":" + runs["solver"]).where(~alone, "")
    several = runs["threads"].map("{} threads".format)
    tuned = (runs["formulation"] != "textbook") & ~runs["backend"].isin(HANDS)
    runs["change"] = several.where(runs["threads"] > 1, tuned.map({True: "a tuned model", False: ""}))
    done = runs["status"].isin(["solved", "infeasible", "optimal"]) & (runs["total_s"] <= LIMIT)
    runs["time"] = runs["total_s"].where(done, np.inf)
    runs["own"] = runs["time"] - runs["build_s"]
    runs["branches"] = runs["branches"].where(done)
    names = ["task", "puzzle", "instance", "label", "change", "source"]
    return runs.groupby(names)[["time", "own", "branches"]].median().reset_index()


def wide(models, value="time"):
    return models.pivot(index=["puzzle", "instance"], columns="label", values=value)


def ratios(one, other):
    """Logarithms of ratios of times where either solves; what is not solved counts as the limit."""
    pair = pd.concat([one, other], axis=1, keys=["one", "other"]).dropna()
    pair = pair[np.isfinite(pair).any(axis=1)].clip(upper=LIMIT)
    return np.log(pair["one"] / pair["other"])


def kinds(values):
    return values.groupby(level="puzzle").mean()


def both(logs, decided):
    here = decided[logs.index]
    return " / ".join(f(kinds(logs[part]).mean()) for part in (here, ~here))


def reach(logs, level=0.975):
    return stats.t.ppf(level, len(logs) - 1) * logs.std() / len(logs) ** 0.5 if len(logs) > 1 else np.nan


def summary(logs, decided):
    means = kinds(logs)
    return [f"{len(means)}", f"{len(logs)}", span(means.mean(), reach(means)), both(logs, decided)]


def predicted(groups, own=0.0):
    """The mean over kinds, half its interval, half that of a further kind: Hedges and Olkin's moments."""
    spread, t = groups["mean"].var(), stats.t.ppf(0.975, len(groups) - 1)
    between = max(0.0, spread - (groups["var"] / groups["size"]).fillna(0).mean())
    error = spread / len(groups)
    return groups["mean"].mean(), t * error**0.5, t * (between + error + own) ** 0.5


def cp_or_mip(task, times, decided, proved):
    """The logarithms of the ratios of the better MIP solver of each kind to CP-SAT, and rows."""
    parts, rows = {}, []
    for kind, some in times.groupby(level="puzzle"):
        mip = np.log(some[MIP].clip(upper=LIMIT)).mean().idxmin()
        logs, (cp_failed, mip_failed) = ratios(some[mip], some[CP]), np.isinf(some[[CP, mip]]).sum()
        p = stats.ttest_1samp(logs, 0).pvalue if len(logs) > 1 else 1.0
        bound = ["", "≥ ", "≤ ", "about "][2 * (cp_failed > 0) + (mip_failed > 0)]
        row = [kind.replace("_", " "), f"{len(some)}", f"{decided[kind].sum()}", f"`{mip}`"]
        row += [bound + span(logs.mean(), reach(logs)), both(logs, decided)]
        row += [f(reach(logs) + reach(logs, 0.8)), f"{cp_failed} / {mip_failed}"]
        parts[kind], mean = logs, logs.mean()
        rows.append([kind, mean, min(1.0, p * (1 if mean > 0 else len(MIP))), row])
    worst, fast = 0.0, {"CP-SAT is faster": [], "MIP is faster": [], "not decided": []}
    for rank, (kind, mean, p, row) in enumerate(sorted(rows, key=lambda row: row[2])):
        worst = max(worst, min(1.0, p * (len(rows) - rank)))
        if task == "first":
            row[4:6] = f"**{row[4]}**" if worst <= 0.05 else row[4], row[5], f"{worst:.2g}"
        unproved = parts[kind][~proved[parts[kind].index]].mean() > 0
        known = worst <= 0.05 and (mean < 0 or unproved)
        fast[[*fast][int(mean < 0) if known else 2]].append((mean, kind))
    fast = {"best solution": [*chain(*fast.values())]} if task == "best" else fast
    return pd.concat(parts.values()), [row for *_, row in rows], fast


def answer(fast, slow, real):
    quickest = kinds(slow[real]).idxmin(axis=1).to_dict()
    for words, some in fast.items():
        some = sorted(some, key=lambda one: np.nan_to_num(-one[0], nan=np.inf))
        known = [f(mean) for mean, _ in some if np.isfinite(mean)]
        ends = " to ".join(dict.fromkeys(known[-1:] + known[:1])) or "–"
        also = {label: [kind for _, kind in some if quickest.get(kind) == label] for label in real}
        also = [f"`{a}`: {', '.join(b)}" for a, b in also.items() if b and a not in [CP, *MIP]]
        texts = [", ".join(kind + "*" * (kind in LOT) for _, kind in some) or "–", "; ".join(also) or "–"]
        yield [words, f"{len(some)}", ends, *(text.replace("_", " ") for text in texts)]


def further(logs, decided):
    lot, here = logs.index.isin(LOT, level="puzzle"), decided[logs.index]
    others = logs[~lot].groupby(level="puzzle").agg(["mean", "var", "size"])
    for name, some in {"chosen by hand": ~lot, "drawn by lot": lot, "all": lot | ~lot}.items():
        for stratum, part in {"all": some, "decided": some & here, "searched": some & ~here}.items():
            groups = logs[part].groupby(level="puzzle").agg(["mean", "var", "size"])
            if len(groups) > 2:
                (mean, half, width), held = predicted(groups), 0
                for kind, (own_mean, var, size) in groups.iterrows():
                    center, _, far = predicted(others.drop(kind, errors="ignore"), np.nan_to_num(var / size))
                    held += abs(own_mean - center) <= far
                checked = f"{held} of {len(groups)}" if stratum == "all" and name != "all" else "–"
                ends = f"{f(mean - width)} to {f(mean + width)}"
                yield [name, stratum, f"{len(groups)}", span(mean, half), ends, checked]


def solvers(times, own, slow, decided):
    for label in slow:
        tried, row = times[label].dropna(), [f"`{label}`", f"{times[label].dropna().index.unique(0).size}"]
        for part in (tried[decided[tried.index]], tried[~decided[tried.index]]):
            row.append(" ".join(f"{kinds(part <= end).mean():.0%}" for end in (0.1, 1, LIMIT)))
            row.append(f"{kinds(part.where(part <= LIMIT, 2 * LIMIT)).mean():.2f}")
        pairs = slow[label].dropna(), ratios(times[label], times[CP]), ratios(own[label], own[CP])
        yield [*row, *(both(logs, decided) for logs in pairs)]


def choices(slow, made_of, decided):
    means = kinds(slow).dropna(axis=1)
    rest = {a: means.drop(a) for a in means.index}
    near = {a: some[[bool(made_of[a] & made_of[b]) for b in some.index]] for a, some in rest.items()}
    ways = {f"`{label}` for all": [label] * len(means) for label in means}
    ways["the best of all other kinds"] = [some.mean().idxmin() for some in rest.values()]
    alike = [(near[a] if len(near[a]) else rest[a]).mean().idxmin() for a in rest]
    ways["the best of other kinds with an ingredient in common"] = alike
    ways["the best of the kind"] = means.idxmin(axis=1)
    for name, chosen in ways.items():
        lost = pd.concat(slow.loc[[kind], label] for kind, label in zip(rest, chosen, strict=True))
        yield [name, f(kinds(lost).mean()), both(lost, decided)]


def tables(task, models):
    plain, changed = models[models["change"] == ""], models[models["change"] != ""]
    times, own, branches = (wide(plain, value) for value in ("time", "own", "branches"))
    decided = (times[[CP, *MIP]].max(axis=1) <= 1) & (branches[[CP, *MIP]] <= [0, 1, 1]).all(axis=1)
    real = [name for name in times if name not in {*HANDS, *(a for a, _ in APART.values())} or name in MIP]
    least = times[real].min(axis=1).replace(np.inf, np.nan)
    slow = np.log(times.clip(upper=LIMIT).div(least, axis=0))[least.notna()]
    sources = plain.groupby(["puzzle", "instance"])["source"].first()
    proved = sources.isin(["proven", "infeasible"])
    logs, rows, fast = cp_or_mip(task, times, decided, proved)
    rows += answer(fast, slow, real)
    for kind, some in slow.groupby(level="puzzle"):
        cells = [both(some[name].dropna(), decided) for name in slow]
        rows.append([kind.replace("_", " "), *(cell.replace("– / –", "–") for cell in cells)])
    effects = {name: ratios(times[a], times[b]) for name, (a, b) in APART.items() if {a, b} <= {*times}}
    for (words, a), some in changed[changed["label"].isin([CP, *MIP])].groupby(["change", "label"]):
        effects[f"{words}, for `{a}`"] = ratios(wide(some)[a], times[a])
    if task == "first":
        ratio, sources = "MIP time ÷ CP-SAT time", sources[logs.index]
        effects |= {f"{ratio}, {name}": logs[sources == name] for name in sorted(set(sources))}
        effects[f"{ratio}, not selected by a proof"] = logs[~proved[logs.index]]
    rows += [[name, *summary(some, decided)] for name, some in effects.items()]
    if task == "first":
        rows += [*further(logs, decided), *solvers(times, own, slow, decided)]
        folder, made_of = HERE.parents[1] / "models", {}
        for kind in times.index.unique(0):
            words = re.findall(r"Ingredient\.(\w+)", (folder / kind / "puzzle.py").read_text())
            made_of[kind] = {*words} or {"none of these"}
        for name in sorted(set.union(*made_of.values())):
            those = [kind for kind in made_of if name in made_of[kind]]
            lost = kinds(slow[slow.index.isin(those, level=0)][real]).mean()
            if lost.isna().all():
                continue
            losses = [f"`{lost.idxmin()}`", f(lost.min()), f(lost[CP])]
            rows.append([name.lower(), *summary(logs[logs.index.isin(those, level=0)], decided), *losses])
        rows += choices(slow[real], made_of, decided)
    return rows


for task, models in read(Path(sys.argv[1] if len(sys.argv) > 1 else HERE) / "runs.csv.gz").groupby("task"):
    rows = ("| " + " | ".join(row) + " |" for row in tables(task, models))
    print(f"{task}\n", *rows, sep="\n")
