"""Recomputes every table of docs/which.md from runs.csv.gz: `python results/evidence/recompute.py [FOLDER]`."""

import re
import sys
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
PROBLEM = ["puzzle", "instance"]


def f(log):
    if not np.isfinite(log):
        return "–"
    x = np.exp(log)
    return (
        f"{x:.1g}"
        if x < 0.0095
        else f"{x:.2f}"
        if x < 1.995
        else f"{x:.1f}"
        if x < 9.95
        else f"{float(f'{x:.2g}'):,.0f}"
    )


def span(log, half):
    return f(log) + (f" ({f(log - half)} to {f(log + half)})" if half > 0 else "")


def read(path):
    """Each model on each problem: the median of its times, inf if that is no solution or proof."""
    runs = pd.read_csv(path, low_memory=False).drop_duplicates([*RUN, "repeat"], keep="last")
    runs = runs[~runs["status"].isin(["unsupported", "unavailable"])].fillna({"build_s": 0, "collection": ""})
    of_others = runs["collection"].map(lambda name: "collections" if name else "published")
    runs["source"] = runs["instance"].str.extract("_(proven|planted|infeasible)_")[0].fillna(of_others)
    alone = runs["solver"].isin(["cpsat", "clingo", "recursive", "python", "c"]) & (runs["backend"] != "milp")
    runs["label"] = runs["backend"] + (":" + runs["solver"]).where(~alone, "")
    done = runs["status"].isin(["solved", "infeasible", "optimal"]) & (runs["total_s"] <= LIMIT)
    runs["time"] = runs["total_s"].where(done, np.inf)
    runs["own"] = runs["time"] - runs["build_s"]
    runs["branches"] = runs["branches"].where(done)
    return runs.groupby([*RUN, "label", "source"])[["time", "own", "branches"]].median().reset_index()


def wide(models, value="time"):
    return models.pivot(index=PROBLEM, columns="label", values=value)


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


def predicted(groups):
    """The mean over kinds, half its interval and half the prediction of a further one, and its quantile of t."""
    means, own, k = groups["mean"], groups["var"] / groups["size"], len(groups)
    w = 1 / own
    q = (w * (means - (w * means).sum() / w.sum()) ** 2).sum()
    between = max(0.0, (q - (k - 1)) / (w.sum() - (w**2).sum() / w.sum()))
    w = 1 / (own + between)
    mean = (w * means).sum() / w.sum()
    error = (w * (means - mean) ** 2).sum() / ((k - 1) * w.sum())
    t = stats.t.ppf(0.975, [k - 1, k - 2])
    return mean, t[0] * error**0.5, t[1] * (between + error) ** 0.5, t[1]


def cp_or_mip(times, decided):
    """The logarithms of the ratios of the better MIP solver of each kind to CP-SAT, and the rows of kinds."""
    parts, rows = [], []
    for kind, some in times.groupby(level="puzzle"):
        mip = np.log(some[MIP].clip(upper=LIMIT)).mean().idxmin()
        logs = ratios(some[mip], some[CP])
        p = stats.ttest_1samp(logs, 0).pvalue if len(logs) > 1 else np.nan
        failed = " / ".join(f"{np.isinf(some[label]).sum()}" for label in (CP, mip))
        row = [kind.replace("_", " "), f"{len(some)}", f"{decided[kind].sum()}", f"`{mip}`"]
        row += [
            span(logs.mean(), reach(logs)),
            both(logs, decided),
            p,
            f(reach(logs) + reach(logs, 0.8)),
            failed,
        ]
        parts, rows = [*parts, logs], [*rows, row]
    corrected = 0.0
    for rank, row in enumerate(sorted(rows, key=lambda row: row[6])):
        corrected = max(corrected, min(1.0, row[6] * (len(rows) - rank)))
        row[4:7] = f"**{row[4]}**" if corrected <= 0.05 else row[4], row[5], f"{corrected:.2g}"
    return pd.concat(parts), rows


def further(logs, decided):
    lot, here = logs.index.isin(LOT, level="puzzle"), decided[logs.index]
    for name, some in {"chosen by hand": ~lot, "drawn by lot": lot, "all": lot | ~lot}.items():
        for stratum, part in {"all": some, "decided": some & here, "searched": some & ~here}.items():
            groups = logs[part].groupby(level="puzzle").agg(["mean", "var", "size"]).query("var > 0")
            if len(groups) > 3:
                mean, half, width, _ = predicted(groups)
                others = {kind: predicted(groups.drop(kind)) for kind in groups.index}
                gaps = {kind: row["mean"] - others[kind][0] for kind, row in groups.iterrows()}
                own = groups["var"] / groups["size"]
                inside = sum(
                    gap**2 <= others[a][2] ** 2 + others[a][3] ** 2 * own[a] for a, gap in gaps.items()
                )
                row = [
                    name,
                    stratum,
                    f"{len(groups)}",
                    span(mean, half),
                    f"{f(mean - width)} to {f(mean + width)}",
                ]
                yield [*row, f"{inside} of {len(groups)}"]


def solvers(times, own, slow, decided):
    for label in slow:
        tried, row = times[label].dropna(), [f"`{label}`", f"{times[label].dropna().index.unique(0).size}"]
        for part in (tried[decided[tried.index]], tried[~decided[tried.index]]):
            row.append(" ".join(f"{kinds(part <= end).mean():.0%}" for end in (0.1, 1, LIMIT)))
            row.append(f"{kinds(part.where(part <= LIMIT, 2 * LIMIT)).mean():.2f}")
        pairs = slow[label].dropna(), ratios(times[label], times[CP]), ratios(own[label], own[CP])
        yield [*row, *(both(logs, decided) for logs in pairs)]


def choices(slow, made_of, decided):
    means = slow.dropna(axis=1).groupby(level="puzzle").mean()
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


def tables(task, one, several):
    plain = one[(one["formulation"] == "textbook") | one["backend"].isin(HANDS)]
    times, own, branches = (wide(plain, value) for value in ("time", "own", "branches"))
    decided = (times[[CP, *MIP]].max(axis=1) <= 1) & (branches[[CP, *MIP]].fillna(0) <= [0, 1, 1]).all(axis=1)
    real = [name for name in times if name not in {*HANDS, "milp:cpsat", "cpsat:highs", "cpsat:lp2"}]
    least = times[real].min(axis=1)
    slow = np.log(times.clip(upper=LIMIT).div(least, axis=0))[np.isfinite(least)]
    logs, rows = cp_or_mip(times, decided)
    for kind, some in slow.groupby(level="puzzle"):
        cells = [both(some[name].dropna(), decided) for name in slow]
        rows.append([kind.replace("_", " "), *("–" if cell == "– / –" else cell for cell in cells)])
    changed = {name: ratios(times[a], times[b]) for name, (a, b) in APART.items() if {a, b} <= {*times}}
    tuned = one[(one["formulation"] != "textbook") & one["label"].isin([CP, *MIP])]
    changed |= {
        f"a tuned model, for `{a}`": ratios(wide(some)[a], times[a]) for a, some in tuned.groupby("label")
    }
    changed |= {
        f"{n} threads, for `{a}`": ratios(wide(some)[a], times[a])
        for (n, a), some in several.groupby(["threads", "label"])
    }
    sources = plain.groupby(PROBLEM)["source"].first()[logs.index]
    changed |= {f"MIP / CP-SAT, {name}": logs[sources == name] for name in sorted(set(sources))}
    rows += [[name, *summary(some, decided)] for name, some in changed.items()]
    if task == "first":
        puzzles = {
            kind: (HERE.parents[1] / "models" / kind / "puzzle.py").read_text() for kind in set(one["puzzle"])
        }
        made_of = {
            a: {*re.findall(r"Ingredient\.(\w+)", text)} or {"none of these"} for a, text in puzzles.items()
        }
        for name in sorted(set.union(*made_of.values())):
            those = [kind for kind, words in made_of.items() if name in words]
            lost = kinds(slow[slow.index.isin(those, level="puzzle")][real]).mean()
            row = [name.lower(), *summary(logs[logs.index.isin(those, level="puzzle")], decided)]
            rows.append([*row, f"`{lost.idxmin()}`", f(lost.min()), f(lost[CP])])
        rows += [
            *further(logs, decided),
            *solvers(times, own, slow, decided),
            *choices(slow[real], made_of, decided),
        ]
    return rows


models = read(Path(sys.argv[1] if len(sys.argv) > 1 else HERE) / "runs.csv.gz")
for task, of_task in models.groupby("task"):
    alone = of_task["threads"] == 1
    print(
        f"{task}\n",
        *("| " + " | ".join(row) + " |" for row in tables(task, of_task[alone], of_task[~alone])),
        sep="\n",
    )
