"""Campaigns of several hosts: what is pooled, what is compared, and what is said of it."""

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.image import imread
from rich.console import Console

from bench.analysis import findings, growth, report, scores, tables, terminal, trust
from bench.analysis.hosts import hosts
from bench.analysis.measurements import Measurement, Place, measurements
from bench.analysis.plots import drawing
from bench.analysis.plots.pictures import growth_pictures, pictures
from bench.catalogue import ROOT
from bench.instruments.regression import compare, gate
from bench.instruments.regression.gate import Exit
from bench.instruments.regression.significance import Drift
from bench.stats import ratio
from tests import synthetic
from tests.test_reading import reliability

SLOWER = {"fast": 1.0, "slow": 2.0}
BACKTRACK, CPSAT = 0.8, 1.0
"""How long these backends need on each problem, relative to each other."""


def mixed(repeats: int = 20, failing: float = 0) -> pd.DataFrame:
    """A campaign of two hosts, one twice as slow, on each of which every block has all its models."""
    return synthetic.on_hosts(synthetic.campaign(2, repeats, failing), SLOWER)


def unbalanced() -> pd.DataFrame:
    """The same, with most runs of the fastest backend on the slow host, and of the second on the fast one."""
    runs = mixed(repeats=40)
    late = runs["repeat"] > 12
    first = (runs["backend"] == "backtrack") & (runs["host"] == "fast")
    second = (runs["backend"] == "cpsat") & (runs["host"] == "slow")
    return runs[~(late & (first | second))]


def models(runs: pd.DataFrame) -> list[dict[str, Measurement]]:
    """For each problem the measurements of the best formulations by backend."""
    problems = scores.by_problem(scores.best_formulations(measurements(runs))).values()
    return [{each.label: each for each in problem} for problem in problems]


def test_ratios_are_those_within_hosts() -> None:
    """Pooled, the backend that ran more often on the slow host would seem to be the slower one."""
    truth = BACKTRACK / CPSAT
    pooled, paired = [], []
    runs = unbalanced()
    for problem in models(runs):
        compared = problem["backtrack"], problem["cpsat"]
        paired.append(scores.time_ratio(*compared))
        pooled.append(ratio(*(list(each.blocks.values()) for each in compared)))
    assert np.mean([each.low <= truth <= each.high for each in paired]) >= 0.85
    assert np.median([each.value for each in paired]) == pytest.approx(truth, rel=0.03)
    assert np.mean([each.low <= truth <= each.high for each in pooled]) <= 0.2
    assert np.median([each.value for each in pooled]) > 1.1
    found = [findings.winner(group)[0] for group in slowdowns(runs)]
    assert found.count("backtrack") >= 18 and set(found) <= {"backtrack", ""}


def slowdowns(runs: pd.DataFrame) -> list[list[scores.Slowdown]]:
    best = scores.best_formulations(measurements(runs))
    return list(scores.by_problem(scores.slowdowns(best)).values())


def test_pairs_of_backends_are_compared_within_hosts() -> None:
    pairs = scores.pairs(scores.best_formulations(measurements(unbalanced())))
    (pair,) = (
        each for each in pairs if (each.label, each.other, each.task) == ("cpsat", "backtrack", "first")
    )
    assert pair.problems == 10 and pair.losses >= 9 and pair.wins == 0
    assert pair.ratio == pytest.approx(CPSAT / BACKTRACK, rel=0.05) and pair.p_holm < 0.05


@settings(max_examples=15)
@given(st.dictionaries(st.integers(1, 12), st.floats(1e-3, 1e3), min_size=12, max_size=12))
def test_what_a_block_has_in_common_changes_no_ratio(factors: dict[int, float]) -> None:
    """However slow a host is, and whatever happened to it while a block was executed."""
    runs = ONE_PROBLEM.assign(host=ONE_PROBLEM["repeat"].map(lambda repeat: f"host{repeat % 3}"))
    changed = runs.assign(total_s=runs["total_s"] * runs["repeat"].map(factors))
    there, here = (list(measurements(rows)) for rows in (changed, runs))
    for one, two in zip(there, here, strict=True):
        ours, theirs = scores.time_ratio(one, there[0]), scores.time_ratio(two, here[0])
        assert [ours.value, ours.low, ours.high] == pytest.approx([theirs.value, theirs.low, theirs.high])


EVERY = synthetic.campaign(1, 12, failing=0)
ONE_PROBLEM = EVERY[(EVERY["puzzle"] == "bug_byte") & (EVERY["task"] == "first")]


def test_times_are_those_of_one_kind_of_host() -> None:
    """Status and numbers of runs are of all; by_kind has the times of each."""
    runs = mixed(failing=0.1)
    by_model = dict(iter(runs.groupby(tables.MEASUREMENT)))
    for each in measurements(runs):
        rows = by_model[
            each.puzzle, each.instance, each.backend, each.solver, each.formulation, each.task, each.threads
        ]  # fmt: skip
        assert each.runs == len(rows) and each.conclusive == (rows["status"] == "solved").sum()
        assert set(each.blocks) == {
            Place(host, 0, seed, repeat)
            for host, seed, repeat in zip(rows["host"], rows["seed"], rows["repeat"], strict=True)
        }
        assert {part.host for part in each.by_kind} == set(SLOWER) and each.host in SLOWER and not each.away
        for part in each.by_kind:
            there = rows[rows["host"] == part.host]
            assert part.total_s == pytest.approx(there["total_s"].median()) and part.runs == len(there)
            assert part.figures.search_s == pytest.approx(there["search_s"].median())
            if part.host == each.host:
                assert (each.total, each.times, each.shares) == (part.total, part.times, part.shares)
                assert each.par2_s == part.par2_s and each.elsewhere == len(rows) - len(there)


def test_alike_hosts_are_pooled() -> None:
    """Their medians; ratios are still within blocks."""
    runs = synthetic.on_hosts(synthetic.campaign(1, 10, failing=0), {"a": 1.0, "b": 1.02})
    for each in measurements(runs):
        assert (each.host, each.elsewhere, each.by_kind) == ("", 0, (each,)) and len(each.times) == 10
        assert {block.host for block in each.blocks} == {"a", "b"}
    one, other, *_ = models(runs)[0].values()
    assert findings.runs(one, other) == "10 pairs of runs"
    said = reliability(runs)
    assert "The runs come from 2 hosts that are alike (processor, reference load 10.0 to 10.2 ms)" in said


def test_a_campaign_of_one_host_has_no_hosts() -> None:
    runs = synthetic.campaign(1, 3)
    for each in measurements(runs):
        assert (each.host, each.away, each.elsewhere, each.blocks, each.parts) == ("", False, 0, {}, ())
    assert measurements(runs) == measurements(runs.assign(host=""))


@pytest.mark.parametrize(
    ("loads", "kinds"),
    [
        ({"a": 1.0, "b": 1.04, "c": 1.08}, ["a and 1 alike", "a and 1 alike", "c"]),
        ({"b.x.org": 1.0, "a.x.org": 1.01}, ["a and 1 alike", "a and 1 alike"]),
        ({"a.x.org": 1.0, "a.y.org": 2.0}, ["a.x.org", "a.y.org"]),
        ({"a": 1.0, "amd": 1.0}, ["a", "amd"]),
        ({"a": 1.0, "b": None, "c": None}, ["a", "b", "c"]),
    ],
)
def test_which_hosts_are_alike(loads: dict[str, float | None], kinds: list[str]) -> None:
    """All of a kind are within 5% of each other, and have the same processor and a reference load."""
    runs = pd.concat(
        EVERY.assign(host=name, cpu="amd" if name == "amd" else "intel", reference_s=load)
        for name, load in loads.items()
    )
    found = hosts(runs)
    assert [host.kind for host in found] == kinds
    assert [host.relative for host in found] == list(loads.values())
    assert all(host.runs == len(EVERY) for host in found)


def test_a_host_that_tried_nothing_is_none() -> None:
    """As the harness of a cluster, which records what is not available."""
    runs = synthetic.campaign(1, 2, failing=0)
    runs.loc[runs["backend"] == "csp", ["host", "status", "total_s"]] = ["harness", "unavailable", None]
    assert [host.name for host in hosts(runs)] == ["host"]
    assert {each.host for each in measurements(runs)} == {""}


def test_shards_are_compared_as_a_campaign_of_one_host_is() -> None:
    """All runs of a problem are of one host, so they need no pairs, whatever the hosts of other problems."""
    runs = synthetic.campaign(1, 5, failing=0.1)
    sharded = runs.assign(host=runs["puzzle"], reference_s=runs["puzzle"].map(len) / 1000)
    for here, there in zip(slowdowns(runs), slowdowns(sharded), strict=True):
        assert findings.winner(here) == findings.winner(there)
        for one, two in zip(here, there, strict=True):
            assert vars(one.ratio) == pytest.approx(vars(two.ratio), nan_ok=True)
            assert two.measurement.host == two.measurement.puzzle and not two.measurement.away
    best = scores.best_formulations(measurements(sharded))
    assert scores.shared(best) == (best, 0)


def test_without_a_common_host_nothing_is_compared() -> None:
    """The one that ran elsewhere is named with its host; it wins nothing, and has no part in scores."""
    runs = synthetic.campaign(1, 6, failing=0)
    elsewhere = runs["backend"] == "backtrack"
    runs.loc[elsewhere, "host"] = "laptop"
    runs.loc[elsewhere, ["total_s", "reference_s"]] /= 5
    for problem in slowdowns(runs):
        label, why = findings.winner(problem)
        assert (
            label == ""
            and why == "cpsat and backtrack were measured on different hosts or in different sessions"
        )
        (away,) = (each for each in problem if each.apart)
        assert away.measurement.away and away.measurement.model == "backtrack shaving on laptop"
        assert {each.measurement.host for each in problem if not each.apart} == {"host"}
    best = scores.best_formulations(measurements(runs))
    assert scores.shared(best) == ([], 10)
    assert {pair.problems for pair in scores.pairs(best) if "backtrack" in (pair.label, pair.other)} == {0}
    said = [findings.on_times(problem) for problem in scores.by_problem(best).values()]
    assert all(
        "cpsat was " in line and "backtrack ran on other hosts, or in other sessions, and is" in line
        for line in said
    )
    only = [
        [each for each in problem if each.label in ("cpsat", "backtrack")] for problem in by_problem(runs)
    ]
    line = findings.on_times(only[0])
    assert (
        "inconclusive, as they were measured on different hosts or in different sessions: cpsat " in line
        and " on laptop" in line
    )
    assert findings.too_few(runs, only[0]) == (0, ""), "more runs there would say nothing"


@pytest.mark.parametrize("again", [1, 2, 3])
def test_what_was_added_later_is_no_part_of_earlier_blocks(again: int, tmp_path: Path) -> None:
    """A backend of which `again` in 3 runs are of a later session, when the machines were 5 times as slow."""
    runs = mixed(repeats=30)
    late = (runs["backend"] == "backtrack") & (runs["repeat"] % 3 < again)
    times = ["total_s", "build_s", "presolve_s", "search_s"]
    runs.loc[late, "started_at"] = "2026-02-01T00:00:00.000+00:00"
    runs.loc[late, times] *= 5
    synthetic.write(tmp_path, runs)
    starts = [{"started_at": f"2026-0{month}-01T00:00:00+00:00"} for month in (1, 2)]
    (tmp_path / "machine.json").write_text(json.dumps({"sessions": starts}))
    read = tables.read_runs(tmp_path)
    assert (read["session"] == late.astype(int).to_numpy()).all()
    for problem in models(read):
        pairs = scores.block_ratios(problem["backtrack"], problem["cpsat"])
        assert pairs is not None and len(pairs) == 30 - 10 * again
        assert not pairs or np.median(pairs) == pytest.approx(np.log(BACKTRACK / CPSAT), abs=0.15)
    said = reliability(read, tmp_path)
    assert "backtrack shaving was measured in a different session from the other models" in said
    assert "only their runs of the same session are compared; --redo all measures" in said
    assert "any change of the machine" not in said


def test_shards_that_ran_at_the_same_time_are_not_taken_for_sessions(tmp_path: Path) -> None:
    """When the second shard began, the first one was half way through a block."""
    runs = synthetic.campaign(1, 1, failing=0)
    late = runs["backend"] == "backtrack"
    runs["started_at"] = late.map(lambda late: f"2026-01-01T00:0{late:d}:30.000+00:00")
    runs["campaign"] = runs["puzzle"].map(lambda puzzle: "one" if puzzle < "c" else "two")
    runs.loc[runs["campaign"] == "two", "started_at"] = "2026-01-01T00:02:00.000+00:00"
    synthetic.write(tmp_path, runs)
    starts = [{"started_at": f"2026-01-01T00:0{minute}:00+00:00"} for minute in (0, 1)]
    (tmp_path / "machine.json").write_text(json.dumps({"sessions": starts, "merged": ["one", "two"]}))
    read = tables.read_runs(tmp_path)
    assert trust.on_sessions(read) == []
    assert len(trust.on_sessions(read.assign(campaign="one"))) == 1, "it would be a session of this campaign"
    later = read.assign(campaign=read["campaign"].where(read["backend"] != "csp", "three"))
    (remark,) = trust.on_sessions(later)
    assert remark.text.startswith("csp nearest was measured in a different session"), "of another campaign"


def by_problem(runs: pd.DataFrame) -> list[list[Measurement]]:
    return list(scores.by_problem(scores.best_formulations(measurements(runs))).values())


def test_several_seeds_are_the_sample_of_several_hosts_too() -> None:
    runs = ONE_PROBLEM.assign(
        seed=1 + ONE_PROBLEM["repeat"] % 6, host=ONE_PROBLEM["repeat"].map(lambda n: f"h{n % 4}")
    )
    one, other, *_ = measurements(runs)
    assert scores.sample_sizes(one, other) == (6, 6) and findings.runs(one, other) == "6 seeds each"
    logs = [np.log(one.blocks[block] / other.blocks[block]) for block in one.blocks]
    seeds = [block.seed for block in one.blocks]
    expected = pd.Series(logs).groupby(seeds).median().tolist()
    found = scores.block_ratios(one, other)
    assert found is not None and sorted(found) == pytest.approx(sorted(expected))


def test_a_failure_in_one_block_is_an_open_end() -> None:
    runs = ONE_PROBLEM.assign(host=ONE_PROBLEM["repeat"].map(lambda repeat: f"host{repeat % 2}"))
    lost = (runs["backend"] == "milp") & (runs["repeat"] <= 5)
    runs.loc[lost, ["status", "total_s"]] = ["timeout", None]
    found = {each.label: each for each in measurements(runs)}
    slower = scores.time_ratio(found["milp"], found["csp"])
    assert slower.value < 1 and slower.high == np.inf
    both = runs.assign(status=runs["status"].where(runs["repeat"] > 5, "timeout"))
    both.loc[both["status"] == "timeout", "total_s"] = None
    assert {each.inconclusive for each in measurements(both)} == {5}
    one, other, *_ = measurements(both)
    assert (scores.block_ratios(one, other) or []).count(0.0) == 5, "both failed: a tie"


def printed(show: Any, *arguments: Any) -> str:
    console = Console(record=True, width=150, file=io.StringIO())
    show(console, *arguments)
    return " ".join(console.export_text().split())


def test_the_summary_says_how_the_hosts_differ() -> None:
    runs = mixed(repeats=4)
    said = reliability(runs)
    assert (
        "The runs come from 2 hosts of 2 kinds, the slowest 2.0 times as slow as the fastest: fast "
        "(processor, reference load 10.0 ms) and slow (processor, reference load 20.0 ms). Ratios are of runs"
    ) in said
    assert "measured once on each host" in said and "times are pooled" not in said
    drifts = (
        runs["reference_s"]
        .where(runs["repeat"] > 2, runs["reference_s"] * 1.5)
        .where(runs["host"] == "slow", 0.01)
    )
    said = reliability(runs.assign(reference_s=drifts))
    assert "varied most on slow, by " in said and "slow is not steady" in said
    processors = runs.assign(cpu=runs["host"])
    assert "times are pooled" not in reliability(processors)
    processors.loc[processors["repeat"] == 1, "cpu"] = "another"
    assert "The runs come from 2 processors, and their times are pooled" in reliability(processors)


def test_growth_is_shown_for_each_kind_of_host() -> None:
    """No line, rate or largest size is of hosts that differ."""
    runs = tables.read_runs(ROOT / "results" / "scale")
    runs = runs[runs["puzzle"] == "bug_byte"].assign(host="fast", cpu="processor", reference_s=0.01)
    slow = runs.assign(host="slow", total_s=2 * runs["total_s"], reference_s=0.02, repeat=2)
    alone = growth.steps(measurements(runs))
    both = growth.steps(measurements(pd.concat([runs, slow], ignore_index=True)))
    assert len(both) == 2 * len(alone)
    for host, factor in SLOWER.items():
        for one, two in zip(alone, (step for step in both if step.host == host), strict=True):
            assert (one.label, one.size, one.solved) == (two.label, two.size, two.solved)
            if one.total_s and two.total_s:
                assert two.total_s == pytest.approx([factor * time_s for time_s in one.total_s])
    reached = growth.frontier(both)
    assert {each.host for each in reached} == set(SLOWER) and len(reached) == 2 * len(growth.frontier(alone))
    assert "cpsat half_reified on slow" in printed(terminal.print_frontier, reached)
    few = pd.concat([runs, slow], ignore_index=True).query("backend in ('cpsat', 'backtrack')")
    texts = drawn(growth_pictures(measurements(few)))
    assert all("backtrack" in text and " on slow" in text for text in texts.values()) and len(texts) == 2


def test_a_size_is_solved_or_not_whatever_the_hosts() -> None:
    """One of three runs is solved: on two kinds of host the model reaches no further than on one."""
    runs = tables.read_runs(ROOT / "results" / "scale")
    runs = runs[(runs["puzzle"] == "bug_byte") & (runs["backend"] == "backtrack")]
    runs = runs[runs["formulation"] == "propagation"]
    runs = pd.concat([runs.assign(repeat=repeat) for repeat in (1, 2, 3)], ignore_index=True)
    runs = runs.assign(host="fast", cpu="processor", reference_s=0.01)
    large = runs["size"] > runs["size"].median()
    runs.loc[large & (runs["repeat"] > 1), ["status", "total_s"]] = ["timeout", None]
    spread = runs.copy()
    spread.loc[runs["repeat"] > 1, ["host", "reference_s"]] = ["slow", 0.02]
    alone = growth.steps(measurements(runs))
    both = growth.steps(measurements(spread))
    for host in SLOWER:
        there = [step for step in both if step.host == host]
        for one, two in zip(alone, there, strict=True):
            assert (one.size, one.tried, one.solved, one.status) == (
                two.size,
                two.tried,
                two.solved,
                two.status,
            )
    (reached,) = growth.frontier(alone)
    assert reached.size and reached.size < reached.largest and len(growth.frontier(both)) == 2
    assert {(each.size, each.failed) for each in growth.frontier(both)} == {(reached.size, reached.failed)}
    # The slow kind has no run of the largest size that is solved.
    gone = spread[(spread["host"] == "fast") | (spread["size"] != reached.size)]
    fast, slow = growth.frontier(growth.steps(measurements(gone)))
    assert (fast.size, slow.size) == (reached.size, reached.size) and fast.total_s and slow.total_s is None
    texts = drawn(picture for picture in growth_pictures(measurements(gone)) if picture.name == "frontier")
    assert f"{reached.size:.0f} in " in texts["frontier"] and ">none<" not in texts["frontier"]


def test_givens_are_solved_or_not_whatever_the_hosts() -> None:
    runs = tables.read_runs(ROOT / "results" / "givens")
    runs = runs[runs["backend"] == "cpsat"].drop_duplicates(["puzzle", "instance", "formulation", "task"])
    runs = pd.concat([runs.assign(repeat=repeat) for repeat in (1, 2, 3)], ignore_index=True)
    runs.loc[runs["repeat"] > 1, ["status", "total_s"]] = ["timeout", None]
    spread = runs.assign(host=runs["repeat"].gt(1).map({False: "fast", True: "slow"}))
    spread["reference_s"] = spread["host"].map({"fast": 0.01, "slow": 0.02})
    for points in (growth.givens(measurements(runs)), growth.givens(measurements(spread))):
        assert points and all(each.inconclusive >= 2 and not each.solved for each in points)


def drawn(wanted: Iterable[drawing.Picture]) -> dict[str, str]:
    """The pictures as SVG by name, of which none is cut off at its edge."""
    found = drawing.draw_all(list(wanted), png=True)
    for picture in found:
        pixels = imread(io.BytesIO(picture.png))[..., :3].mean(axis=2)
        edges = [pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]
        assert min(edge.min() for edge in edges) > 0.9, picture.name
    return {picture.name: picture.svg for picture in found}


def test_pictures_name_hosts() -> None:
    """Where the times of a problem, or of one of its backends, are of another kind of host."""
    slower = {"node-with-a-long-name-01": 1.0, "node-02": 2.0}
    runs = synthetic.on_hosts(synthetic.campaign(1, 4, failing=0), slower)
    runs = runs[runs["task"] == "first"]
    runs.loc[(runs["backend"] == "backtrack") & (runs["puzzle"] == "bug_byte"), "host"] = "laptop"
    names = ["overview", "ratios", "times-bug_byte", "comparison-die_agony-die_agony_000"]
    texts = drawn(picture for picture in pictures(runs, measurements(runs)) if picture.name in names)
    assert "on laptop" in texts["overview"] and "Times without a host: on node-" in texts["overview"]
    assert "not compared" in texts["ratios"] and "backtrack shaving on laptop" in texts["times-bug_byte"]
    assert "on node-" in texts["comparison-die_agony-die_agony_000"]


def test_the_page_has_the_hosts(tmp_path: Path) -> None:
    """Their loads, the medians on each, the host of each problem, and the facts of each session."""
    runs = mixed(repeats=3)
    measured = measurements(runs)
    about = {name: {"cpu": f"of {name}", "cores": 4} for name in SLOWER}
    text = json.dumps({"sessions": [{"started_at": "2026-01-01T00:00:00+00:00", "hosts": about}]})
    (tmp_path / "machine.json").write_text(text)
    page = report.make_report(runs, measured, [], report.read_facts(tmp_path), tmp_path)
    section = page.partition('<section id="hosts">')[2].partition("</section>")[0]
    assert section.count("<tr>") == 3 and ">2.00</td>" in section and ">20.0</td>" in section
    assert "differ by at most 5%" in section
    rows = (
        page.partition('<section id="measurements">')[2].partition("</section>")[0].count("<tr data-puzzle")
    )
    assert rows == sum(len(each.by_kind) for each in measured) > len(measured)
    assert "<summary>slow</summary>" in page and "<dd>of slow</dd>" in page
    alike = runs.assign(reference_s=0.01)
    assert 'id="hosts"' in report.make_report(alike, measurements(alike), [], report.Facts(), tmp_path)
    one = runs.assign(host="fast")
    assert 'id="hosts"' not in report.make_report(one, measurements(one), [], report.Facts(), tmp_path)


@pytest.mark.parametrize("cluster", [None, "slurm"])
@pytest.mark.parametrize("merged", [[], ["one", "two"]])
def test_the_page_begins_with_where_its_runs_come_from(
    merged: list[str], cluster: str | None, tmp_path: Path
) -> None:
    runs = mixed(repeats=3)
    session = {"started_at": "2026-01-01T00:00:00+00:00", "request": {"cluster": cluster}}
    text = json.dumps({"campaign": "whole", "sessions": [session], "merged": merged})
    (tmp_path / "machine.json").write_text(text)
    page = report.make_report(runs, measurements(runs), [], report.read_facts(tmp_path), tmp_path)
    first = page.partition("<p>Campaign ")[2].partition("</p>")[0]
    begins = "whole, merged from 2 campaigns, begun" if merged else "synthetic, begun"
    where = "One thread per run; 2 hosts of a cluster: processor." if cluster else "per run; processor."
    assert first.startswith(begins) and first.endswith(where)


def gated(base: pd.DataFrame, new: pd.DataFrame) -> tuple[Exit, str]:
    compared = compare.compare(base, new.assign(campaign="another"))
    found = gate.judge(compared, Drift(0.02, 0.01, 6))
    return gate.code(found), "\n".join(f"{finding.what}: {finding.text}" for finding in found)


def test_campaigns_of_several_hosts_are_compared_host_by_host() -> None:
    """More runs on the slow host are no regression; what is slower on each host is."""
    base = mixed(repeats=12)
    new = synthetic.on_hosts(synthetic.campaign(2, 12, failing=0, seed=2), {"slow": 2.0, "fast": 1.0}, seed=3)
    new = new[(new["host"] == "slow") | (new["repeat"] <= 6)]
    code, said = gated(base, new)
    assert code == Exit.PASS and said.count("\n") == 0
    assert said.startswith(
        "times: Several hosts: each time is compared with those on the same host (fast and slow)"
    )
    slower = new.assign(total_s=new["total_s"].where(new["backend"] != "csp", 1.5 * new["total_s"]))
    code, said = gated(base, slower)
    assert code == Exit.SLOWER and "slower: bug_byte csp: 1.4" in said and "milp" not in said
    fast = base["host"] == "fast"
    compared = compare.compare(base, base.assign(campaign="another"))
    for change in compared.changes:
        assert change.times and change.ratio.value == pytest.approx(1)
        rows = base[
            fast & (base["instance"] == change.instance) & (base["formulation"] == change.formulation)
        ]
        rows = rows[(rows["backend"] == change.backend) & (rows["task"] == change.task)]
        assert change.times.base_s == pytest.approx(rows["total_s"].median()), "of the first host, not pooled"
    assert "on the same host (fast and slow)" in compared.how


def test_without_a_common_host_only_counters_are_judged() -> None:
    base = mixed(repeats=4)
    code, said = gated(base, base.assign(host="other", total_s=9 * base["total_s"]))
    assert (code, said) == (
        Exit.PASS,
        "times: Several hosts, none of which both campaigns have: counters can be compared, times cannot.",
    )
    assert gated(base, base.assign(host="other", branches=9))[0] == Exit.SLOWER
