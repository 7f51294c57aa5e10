"""Which times are longer by more than noise explains, in the pairs of an interleaved campaign.

Each measurement is judged, and so are all measurements of a puzzle by a backend together, since a slowdown
usually hits them all. docs/regressions.md has the error rates.
"""

from collections.abc import Sequence
from itertools import chain, count

import numpy as np
import pandas as pd

from bench.analysis.tables import grouped
from bench.stats import Floats, holm, paired_ratio, signed_rank

_ALPHA = 0.02
"""The probability that a gate may call something slower although nothing is, over all that it judges."""


def slower_in_pairs(timed: pd.DataFrame, threshold: float, rounds: int) -> pd.DataFrame:
    """The groups whose paired ratios exceed 1 by Wilcoxon's test with Holm's correction, and the threshold.

    If some measurements have more pairs than the rounds, they got them for looking slow (`suspects`): then
    only groups of these are judged, by the additional pairs alone. Returns them with ratio and evidence.
    """
    logs = (timed["logs_new"] - timed["logs_base"]).tolist()
    later = [repeats > rounds for repeats in timed["repeats"]]
    if rounds and any(chosen.any() for chosen in later):
        logs = [pairs[chosen] for pairs, chosen in zip(logs, later, strict=True)]
    tests = _test_pairs(timed, logs)
    tests["p"] = holm(tests["p"])
    slow = tests[tests["p"] < _ALPHA]
    evidence = [
        f"{len(each.pairs)} pairs, p = {each.p:.2g} (of {len(tests)} tests)" for each in slow.itertuples()
    ]
    found = slow.assign(ratio=[paired_ratio(pairs).value for pairs in slow["pairs"]], evidence=evidence)
    return found[found["ratio"] > threshold]


def suspects(timed: pd.DataFrame) -> list[int]:
    """The positions of those that get more pairs: all members of every group that is slower with p < 0.1."""
    tests = _test_pairs(timed, (timed["logs_new"] - timed["logs_base"]).tolist())
    return sorted({*chain(*tests.loc[tests["p"] < 0.1, "members"])})


def needing_more(counted: pd.DataFrame) -> pd.DataFrame:
    """Those that seem to need more instructions, which are counted again."""
    return counted[counted["least_ratio"] > 1.002]


def _test_pairs(timed: pd.DataFrame, logs: Sequence[Floats]) -> pd.DataFrame:
    """Tests whether ratios are above 1 (Wilcoxon): of each measurement, and of all of a puzzle by a backend.

    Of each group whose members all have pairs, its `name`, `members` (positions in the table), `pairs`, `p`.
    """
    backends = (timed["puzzle"] + " " + timed["label"]).tolist()
    by_backend = grouped(range(len(timed)), backends.__getitem__)
    groups = [(name, [place]) for place, name in enumerate(timed["name"])]
    groups += [(name, members) for name, members in by_backend.items() if len(members) > 1]
    tests = []
    for name, members in groups:
        if all(len(logs[each]) for each in members):
            pairs = np.concatenate([logs[each] for each in members])
            p, sign = signed_rank(pairs.tolist())
            # Half of a two-sided p; that of the other side is larger than any that counts.
            tests.append((name, members, pairs, p / 2 if sign > 0 else 1.0))
    return pd.DataFrame(tests, columns=["name", "members", "pairs", "p"]).astype({"p": float})


def too_few(sizes: Sequence[int], pairs: int, confirm: int) -> str:
    """A line if so few pairs can find nothing slower, whatever they show; else empty.

    `sizes` says how many measurements each puzzle has by each backend.
    """
    # Of n pairs p is at least 2 ** -n, and Holm's correction multiplies the least by the number of tests.
    tests = 1 if confirm else sum(sizes) + sum(size > 1 for size in sizes)
    deciding, most = confirm or pairs, max(sizes)
    together = (most + 1 if confirm else tests) * 0.5 ** (deciding * most)
    if min(tests * 0.5**deciding, together) < _ALPHA:
        return ""
    needed = next(number for number in count(1) if tests * 0.5**number < _ALPHA)
    option = "--confirm" if confirm else "--pairs"
    cannot = f"so few pairs cannot show that anything is slower (p below {_ALPHA:g})"
    return f"{option} {deciding}: {cannot}; use {option} {needed}"
