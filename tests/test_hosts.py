"""Campaigns of several hosts: what is pooled, what is compared, and what is said of it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.analysis import scores, tables, trust
from bench.analysis.compare import compare
from bench.analysis.measurements import Measurement, Place, measurements
from bench.instruments.regression import compare as campaigns
from bench.instruments.regression import gate
from bench.instruments.regression.gate import Exit
from bench.report import findings
from bench.report import page as report
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
        paired.append(compare(*compared).ratio)
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
        ours, theirs = compare(one, there[0]).ratio, compare(two, here[0]).ratio
        assert [ours.value, ours.low, ours.high] == pytest.approx([theirs.value, theirs.low, theirs.high])


EVERY = synthetic.campaign(1, 12, failing=0)
ONE_PROBLEM = EVERY[(EVERY["puzzle"] == "bug_byte") & (EVERY["task"] == "first")]


def test_times_are_of_all_hosts() -> None:
    runs = mixed(failing=0.1)
    by_model = dict(iter(runs.groupby(tables.MEASUREMENT)))
    for each in measurements(runs):
        rows = by_model[
            each.puzzle, each.instance, each.backend, each.solver, each.formulation, each.task,
                each.release, each.threads,
        ]  # fmt: skip
        assert each.runs == len(rows) and each.conclusive == (rows["status"] == "solved").sum()
        assert each.total_s == pytest.approx(rows["total_s"].median()) and each.hosts == set(SLOWER)
        assert set(each.blocks) == {
            Place(host, 0, seed, repeat)
            for host, seed, repeat in zip(rows["host"], rows["seed"], rows["repeat"], strict=True)
        }
    one, other, *_ = models(mixed())[0].values()
    assert compare(one, other).sizes == (20, 20)


def test_a_campaign_of_one_host_has_no_hosts() -> None:
    runs = synthetic.campaign(1, 3)
    assert {frozenset(each.hosts) for each in measurements(runs)} == {frozenset([""])}
    assert measurements(runs) == measurements(runs.assign(host=""))


def test_a_host_that_tried_nothing_is_none() -> None:
    """As the harness of a cluster, which records what is not available."""
    runs = synthetic.campaign(1, 2, failing=0)
    runs.loc[runs["backend"] == "csp", ["host", "status", "total_s"]] = ["harness", "unavailable", None]
    assert tables.hosts(runs) == ["host"] and not any(each.blocks for each in measurements(runs))


def test_shards_are_compared_as_a_campaign_of_one_host_is() -> None:
    """All runs of a problem are of one host, so they need no pairs, whatever the hosts of other problems."""
    runs = synthetic.campaign(1, 5, failing=0.1)
    sharded = runs.assign(host=runs["puzzle"], reference_s=runs["puzzle"].map(len) / 1000)
    for here, there in zip(slowdowns(runs), slowdowns(sharded), strict=True):
        assert findings.winner(here) == findings.winner(there)
        for one, two in zip(here, there, strict=True):
            assert one.ratio == pytest.approx(two.ratio, nan_ok=True)
            assert two.measurement.hosts == {two.measurement.puzzle}
    best = scores.best_formulations(measurements(sharded))
    assert scores.shared(best) == (best, 0)


def test_without_a_common_host_nothing_is_compared() -> None:
    """The one that ran elsewhere wins nothing, and has no part in scores."""
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
        assert away.measurement.model == "backtrack shaving" and away.measurement.hosts == {"laptop"}
    best = scores.best_formulations(measurements(runs))
    assert scores.shared(best) == ([], 10)
    assert {pair.problems for pair in scores.pairs(best) if "backtrack" in (pair.label, pair.other)} == {0}
    only = [
        [each for each in problem if each.label in ("cpsat", "backtrack")] for problem in by_problem(runs)
    ]
    assert "were measured on different hosts or in different sessions" in findings.on_times(only[0])
    assert not list(trust.hints(runs, only[0], report.Facts(), Path())), "more runs there would say nothing"


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
        found = compare(problem["backtrack"], problem["cpsat"])
        assert found.sizes[0] == 30 - 10 * again
        assert found.apart or found.log == pytest.approx(np.log(BACKTRACK / CPSAT), abs=0.15)
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
    assert not list(trust.on_sessions(read))
    (_,) = trust.on_sessions(read.assign(campaign="one"))  # It would be a session of this campaign.
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
    assert compare(one, other).sizes == (6, 6)
    logs = [np.log(one.blocks[block] / other.blocks[block]) for block in one.blocks]
    seeds = [block.seed for block in one.blocks]
    expected = pd.Series(logs).groupby(seeds).median().tolist()
    assert compare(one, other).log == pytest.approx(np.median(expected))


def test_a_failure_in_one_block_is_an_open_end() -> None:
    runs = ONE_PROBLEM.assign(host=ONE_PROBLEM["repeat"].map(lambda repeat: f"host{repeat % 2}"))
    lost = (runs["backend"] == "milp") & (runs["repeat"] <= 5)
    runs.loc[lost, ["status", "total_s"]] = ["timeout", None]
    found = {each.label: each for each in measurements(runs)}
    slower = compare(found["milp"], found["csp"]).ratio
    assert slower.value < 1 and slower.high == np.inf
    both = runs.assign(status=runs["status"].where(runs["repeat"] > 5, "timeout"))
    both.loc[both["status"] == "timeout", "total_s"] = None
    assert {each.inconclusive for each in measurements(both)} == {5}
    one, other, *_ = measurements(both)
    assert compare(one, other).ratio.high < np.inf, "both failed: a tie"


def test_the_summary_says_that_there_are_several_hosts() -> None:
    runs = mixed(repeats=4)
    said = reliability(runs)
    assert "Executed on 2 hosts; ratios are within blocks, medians over all hosts." in said
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


def test_the_page_has_the_hosts(tmp_path: Path) -> None:
    """Their loads, and the facts of each session."""
    runs = mixed(repeats=3)
    about = {name: {"cpu": f"of {name}", "cores": 4} for name in SLOWER}
    text = json.dumps({"sessions": [{"started_at": "2026-01-01T00:00:00+00:00", "hosts": about}]})
    (tmp_path / "machine.json").write_text(text)
    page = report.make_report(runs, measurements(runs), [], report.read_facts(tmp_path), tmp_path)
    section = page.partition('<details id="hosts"')[2].partition("</details>")[0]
    assert section.count("<tr>") == 3 and ">2.00</td>" in section and ">20.0</td>" in section
    assert "<summary>slow</summary>" in page and "<dd>of slow</dd>" in page
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
    first = page.partition('<p class="muted">Campaign ')[2].partition("</p>")[0]
    begins = "whole, merged from 2 campaigns, begun" if merged else "synthetic, begun"
    where = "One thread per run; 2 hosts of a cluster: processor." if cluster else "per run; processor."
    assert first.startswith(begins) and first.endswith(where)


def test_campaigns_of_several_hosts_are_compared_host_by_host() -> None:
    """More runs on the slow host make no ratio larger; what is slower on each host does."""
    base = mixed(repeats=12)
    new = synthetic.on_hosts(synthetic.campaign(2, 12, failing=0, seed=2), {"slow": 2.0, "fast": 1.0}, seed=3)
    new = new[(new["host"] == "slow") | (new["repeat"] <= 6)]
    slower = new.assign(total_s=new["total_s"].where(new["backend"] != "csp", 1.5 * new["total_s"]))
    changes = campaigns.compare(base, slower.assign(campaign="another")).changes
    for backend, middle in changes.groupby("backend")["ratio"].median().items():
        assert middle == pytest.approx(1.5 if backend == "csp" else 1, rel=0.05)
    fast = base["host"] == "fast"
    compared = campaigns.compare(base, base.assign(campaign="another"))
    for change in compared.changes.itertuples():
        assert change.ratio == pytest.approx(1)
        rows = base[
            fast & (base["instance"] == change.instance) & (base["formulation"] == change.formulation)
        ]
        rows = rows[(rows["backend"] == change.backend) & (rows["task"] == change.task)]
        assert change.total_s_base == pytest.approx(rows["total_s"].median()), "of the first host, not pooled"
    assert "on the same host (fast and slow)" in compared.how


def test_without_a_common_host_only_counters_are_compared() -> None:
    base = mixed(repeats=4)
    compared = campaigns.compare(base, base.assign(campaign="another", host="other", branches=9))
    assert compared.how.startswith("Several hosts, none of which both campaigns have: counters can be")
    assert compared.timed.empty and gate.code(gate.judge(compared)) == Exit.SLOWER
