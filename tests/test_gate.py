"""What `compare` sees, and what `gate` fails for: each kind of change, and nothing where there is none."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.instruments.regression import compare, gate
from bench.instruments.regression.gate import Exit
from bench.instruments.regression.report import changes_table, comment
from tests import rates, synthetic

NOISE_FREE = synthetic.campaign(instances=2, repeats=4, failing=0).assign(
    total_s=lambda runs: runs.groupby(["instance", "backend", "formulation", "task"])["total_s"].transform(
        "median"
    )
)
ONE = (
    (NOISE_FREE["instance"] == "bug_byte_000")
    & (NOISE_FREE["backend"] == "csp")
    & (NOISE_FREE["task"] == "count")
)
"""The runs of one measurement."""


def changed(where: "pd.Series[bool]" = ONE, **columns: Any) -> pd.DataFrame:
    """The campaign with other values in some runs, as another campaign."""
    runs = NOISE_FREE.assign(campaign="another")
    for column, value in columns.items():
        runs.loc[where, column] = value
    return runs


def judged(new: pd.DataFrame, base: pd.DataFrame = NOISE_FREE, **options: Any) -> tuple[Exit, str]:
    """The exit code of the gate, and its lines, but that times are not judged."""
    found = gate.judge(compare.compare(base, new), **options)
    told = [finding for finding in found if finding.what != "times"]
    return gate.code(found), "\n".join(f"{finding.what}: {finding.text}" for finding in told)


def test_the_same_again_passes() -> None:
    assert judged(changed()) == (Exit.PASS, "")
    assert judged(NOISE_FREE) == (Exit.PASS, "")


@pytest.mark.parametrize(
    ("columns", "code", "said"),
    [
        ({"branches": 8}, Exit.SLOWER, "branches 7 to 8 (+14.3%)"),
        ({"presolved_variables": 30}, Exit.SLOWER, "presolved_variables 20 to 30 (+50.0%)"),
        ({"branches": 6}, Exit.PASS, ""),
        ({"status": "timeout", "error": "too long", "total_s": None}, Exit.WRONG, "lost: bug_byte_000 csp"),
        ({"status": "unavailable", "error": "none", "total_s": None}, Exit.WRONG, "unavailable in 4 of 4"),
        ({"status": "wrong", "error": "cell 3 is empty"}, Exit.WRONG, "wrong: bug_byte_000 csp"),
        ({"answer": "43"}, Exit.WRONG, "answer 42; new: 1 solution, answer 43"),
        ({"solutions": 2}, Exit.WRONG, "base: 1 solution, answer 42; new: 2 solutions"),
        ({"instance_sha256": "another"}, Exit.PASS, "the file is another one"),
    ],
)  # fmt: skip
def test_each_change_has_its_exit_code_and_a_line(columns: dict[str, Any], code: Exit, said: str) -> None:
    found = judged(changed(**columns))
    assert found[0] == code and said in found[1]
    assert bool(found[1]) == bool(said)


def test_a_run_that_fails_now_and_then_is_partly_lost() -> None:
    once = ONE & (NOISE_FREE["repeat"] == 2)
    assert judged(changed(once, status="timeout", total_s=None))[0] == Exit.WRONG
    both = changed(once, status="timeout", total_s=None)
    assert judged(both, both.assign(campaign="first"))[0] == Exit.PASS, "it did so before"
    assert judged(NOISE_FREE, both)[0] == Exit.PASS, "what is solved now is no regression"


def test_campaigns_without_anything_in_common_measure_nothing() -> None:
    other = changed(NOISE_FREE["branches"] > 0, instance="another")
    assert judged(other)[0] == Exit.NOTHING
    code, said = judged(changed(NOISE_FREE["branches"] > 0, instance_sha256="another"))
    assert code == Exit.NOTHING and "new tried nothing that base solved with the same instance file" in said
    assert judged(other.assign(status="wrong", error="cell 3 is empty"))[0] == Exit.WRONG


def test_only_times_of_pairs_are_judged() -> None:
    """Of two campaigns a line says that they are not; the halves of one campaign are pairs."""
    slow = changed((NOISE_FREE["puzzle"] == "bug_byte") & (NOISE_FREE["backend"] == "csp"), total_s=9.0)
    (line,) = gate.judge(compare.compare(NOISE_FREE, slow))
    assert line.exit == Exit.PASS and "times" in line.what and "`ab` judges times" in line.text
    (line,) = gate.judge(compare.compare(NOISE_FREE, slow.assign(campaign=NOISE_FREE["campaign"])))
    assert line.exit == Exit.SLOWER and line.text.startswith("bug_byte csp: ")


def test_a_smaller_limit_is_no_loss() -> None:
    assert judged(changed(status="timeout", total_s=None, time_limit_s=1.0))[0] == Exit.PASS


def test_what_is_stopped_near_its_limit_is_named_and_no_loss() -> None:
    """Its time decides, which varies by more than that on a busy machine."""
    for longest_s, code, what in ((21.0, Exit.PASS, "at its limit"), (19.0, Exit.WRONG, "lost")):
        base = changed(total_s=longest_s).assign(campaign="first")
        found, said = judged(changed(status="timeout", total_s=None), base)
        assert found == code and said.startswith(f"{what}: bug_byte_000 csp"), said
    crashed = changed(status="crashed", total_s=None, error="a fault")
    assert judged(crashed, changed(total_s=31.0).assign(campaign="first"))[0] == Exit.WRONG


def test_what_is_not_tried_is_lost_unless_that_is_meant() -> None:
    rest = NOISE_FREE[~ONE].assign(campaign="another")
    assert judged(rest) == (
        Exit.WRONG,
        "gone: 1 measurement of bug_byte: bug_byte_000 csp nearest count: base solved it, new did not try",
    )
    assert judged(rest, partial=True) == (Exit.PASS, "")
    assert judged(NOISE_FREE, rest)[0] == Exit.PASS, "more is measured than before"


def test_what_only_one_campaign_measured_is_one_line(command: Any, tmp_path: Path) -> None:
    few = NOISE_FREE[NOISE_FREE["puzzle"] != "bug_byte"].assign(campaign="another")
    whole, part = write(tmp_path / "whole", NOISE_FREE), write(tmp_path / "part", few)
    left = len(NOISE_FREE[NOISE_FREE["puzzle"] == "bug_byte"]) // 4
    said = f"{left} measurements of bug_byte: bug_byte_00"
    gate_said = command("gate", whole, part)
    first, times, last = gate_said.stdout.splitlines()
    assert times.startswith("times: not judged")
    assert gate_said.returncode == Exit.WRONG and first.startswith(f"gone: {said}")
    assert last.startswith(f"fail: wrong or lost results: {left} of 100 measurements; if NEW")
    page = tmp_path / "page.md"
    for base, new, side in ((whole, part, "BASE"), (part, whole, "NEW")):
        shown = command("compare", base, new, "--markdown", page).stdout
        assert f"only in {side}: {said}" in shown and shown.count("bug_byte_0") == 2
    assert page.read_text().count("only in NEW: ") == 1


def test_answers_may_differ_where_there_are_several_solutions() -> None:
    here = NOISE_FREE["instance"] == "bug_byte_000"
    several = NOISE_FREE.assign(solutions=np.where(here & (NOISE_FREE["task"] == "count"), 5, 1))
    other = several.assign(campaign="another", answer=np.where(here, "43", "42"))
    assert judged(other, several) == (Exit.PASS, "")


def test_the_version_of_the_solver_is_named() -> None:
    """And counters are judged on another machine too."""
    code, said = judged(changed(branches=9).assign(solver_version="2.0", host="elsewhere"))
    assert code == Exit.SLOWER and "the likely cause: csp 1.0 became 2.0" in said


@given(st.integers(1, 10**9), st.sampled_from([math.floor, math.ceil, round]))
def test_five_per_cent_more_branches_is_always_found(branches: int, rounding: Any) -> None:
    """However it is rounded, if it is more at all; and half of that never is."""

    def exceeds(more: int) -> bool:
        return gate.exceeds(float(branches), more / branches, 1.05)

    assert exceeds(rounding(branches * 1.05)) == (rounding(branches * 1.05) > branches)
    assert not exceeds(branches + math.floor(branches * 0.025)) or branches < 80


def test_counters_of_a_solver_that_varies_count_for_what_all_repeats_bear_out() -> None:
    varies = changed(branches=[100, 110, 120, 130])
    assert judged(varies.assign(campaign="third"), varies)[0] == Exit.PASS
    assert judged(changed(branches=[131, 150, 160, 170]), varies)[0] == Exit.PASS
    assert judged(changed(branches=[137, 150, 160, 170]), varies)[0] == Exit.SLOWER


TRIALS = 60
"""So many whole gates show each rate; the seeds are fixed, so a test passes always or never."""


def test_ab_on_simulated_noise() -> None:
    """Times vary by 20%, and some are far off."""
    draw = rates.noise(0.2)
    assert rates.interleaved(rates.SIMULATED, draw, TRIALS, by=None) <= 0.05
    assert rates.interleaved(rates.SIMULATED, draw, TRIALS, by=1.2) >= 0.95


def test_ab_on_recorded_noise() -> None:
    models, draw = rates.recorded_pairs()
    assert rates.interleaved(models, draw, TRIALS, by=None) <= 0.05
    assert rates.interleaved(models, draw, TRIALS, by=1.2) >= 0.95


def write(folder: Path, runs: pd.DataFrame) -> Path:
    synthetic.write(folder, runs)
    return folder


def test_the_commands(command: Any, tmp_path: Path) -> None:
    base, same = write(tmp_path / "base", NOISE_FREE), write(tmp_path / "same", changed())
    more, lost = (
        write(tmp_path / "more", changed(branches=9)),
        write(tmp_path / "lost", changed(status="timeout")),
    )
    gone = write(tmp_path / "gone", NOISE_FREE[~ONE].assign(campaign="another"))
    empty = write(tmp_path / "empty", NOISE_FREE[:0])
    for new, code, last in (
        (same, 0, "pass: nothing regressed in 100 measurements"),
        (more / "runs.csv", 1, "fail: slower or more search, of 100 measurements"),
        (lost, 3, "fail: wrong or lost results: 1 of 100 measurements"),
        (
            gone,
            3,
            "fail: wrong or lost results: 1 of 100 measurements; if NEW measured only a part, add --partial",
        ),
        (empty, 4, f"nothing measured: {empty}/runs.csv: no run is recorded yet"),
    ):
        result = command("gate", base, new)
        assert result.returncode == code and last in result.stdout.splitlines(), result

    files = [tmp_path / name for name in ("all.csv", "all.md", "all.png")]
    result = command("compare", base, more, "--csv", files[0], "--markdown", files[1], "--plot", files[2])
    assert result.returncode == 0 and "branches 7 to 9 (+28.6%)" in result.stdout
    table = pd.read_csv(files[0])
    assert len(table) == 100 and set(table["branches_ratio"]) == {1.0, 9 / 7}
    assert "| branches 7 to 9 (+28.6%) |" in files[1].read_text()
    assert files[2].read_bytes().startswith(b"\x89PNG")
    refused = command("compare", base, more, "--plot", tmp_path / "picture.docx")
    assert refused.returncode == 2 and "docx" in refused.stderr


def test_a_comment_shows_hostile_names_as_they_are() -> None:
    name = "<img src=x>|`**@everyone**`"
    new = NOISE_FREE.assign(campaign="another", formulation=name)
    text = comment(compare.compare(NOISE_FREE.assign(formulation=name), new), None)
    assert "<img" not in text and "@" not in text
    lines = [line for line in text.splitlines() if line.startswith("| bug")]
    assert {line.replace("\\|", "").count("|") for line in lines} == {7}


def test_another_instance_file_is_not_compared() -> None:
    """A changed model is; of another instance with the same name no time or count stands beside base's."""
    compared = compare.compare(NOISE_FREE, changed(instance_sha256="another", total_s=9.0))
    said = changes_table("", compared.changes[compared.changes["change"] != ""]).rows
    assert len(said) == 2 and all("another instance file, not compared" in words[-1] for words in said)
    assert {words[3] for words in said} == {""}, "no ratio"
    model = compare.compare(NOISE_FREE, changed(model_sha256="another", total_s=9.0)).changes
    assert sum(model["ratio"] > 2) == 1 and set(model["change"]) == {""}
