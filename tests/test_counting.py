"""Instructions: counted under valgrind, compared by `ab` and `gate`, drawn by `history`."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from bench.instruments.regression import compare, gate
from tests import rates, synthetic
from tests.conftest import valgrind

QUICK = ("--instance", "june_2022_example", "--task", "first", "--formulation", "default")


@valgrind
@pytest.mark.extra
def test_repeats_agree(command: Any, tmp_path: Path) -> None:
    """In Python, in the library of a solver, and in a program, which a run starts."""
    backends = ("--backend", "backtrack", "--backend", "cpsat", "--backend", "native")
    out = ("--no-plots", "--out", tmp_path)
    assert command("run", *QUICK, *backends, "--repeat", 1, *out).returncode == 0
    result = command("run", *QUICK, *backends, "--instructions", "--repeat", 3, *out)
    assert result.returncode == 0 and "run again: 3 without instructions" in result.stdout, result
    rows = pd.read_csv(tmp_path / "runs.csv")[3:]
    for backend, runs in rows.groupby("backend"):
        building, whole = runs["build_instructions"], runs["instructions"]
        assert building.min() > 1e6 and (whole - building).min() > 1e6, backend
        # Most differ by less than a tenth of that.
        assert whole.max() < 1.01 * whole.min(), backend


def test_ab_on_recorded_instructions() -> None:
    """docs/regressions.md has more trials: no alarm without a change, and 1% of a measurement is found."""
    assert rates.counted(5, None) == 0
    assert rates.counted(5, 1.01) == 1


def counted(commit: str, **millions: float) -> pd.DataFrame:
    """A campaign of a commit with these instructions of two puzzles."""
    runs = synthetic.campaign(1, 1, failing=0)
    runs = runs[runs["puzzle"].isin(millions) & (runs["backend"] == "csp")]
    whole = 1e6 * runs["puzzle"].map(millions)
    started_at = f"2026-01-{commit}T00:00:00.000+00:00"
    runs = runs.assign(commit=commit, started_at=started_at, instructions=whole, build_instructions=1e6)
    return runs.assign(solver_version=commit)


def test_gate_judges_instructions_where_both_counted_them() -> None:
    base, new = counted("01", bug_byte=100, die_agony=10), counted("02", bug_byte=100.2, die_agony=10.1)
    found = gate.judge(compare.compare(base, new))
    assert {line.what for line in found if line.exit} == {"more instructions"}
    assert all(line.text.startswith("die_agony_000 csp ") for line in found if line.exit)
    what = "10.0 to 10.1 million (+1.0%: building +0.0%, solving +1.1%); the likely cause: csp 01 became 02"
    assert found[0].text.endswith(what)
    assert not any(line.exit for line in gate.judge(compare.compare(new, base)))


def test_history_compares_what_commits_have_in_common(command: Any, tmp_path: Path) -> None:
    """A puzzle that is added, or not measured, changes nothing."""
    commits = {"01": {"bug_byte": 100}, "02": {"bug_byte": 110, "die_agony": 10}, "03": {"die_agony": 9}}
    for name, millions in commits.items():
        synthetic.write(tmp_path / name, counted(name, **millions))
    result = command("history", tmp_path, "--plot", tmp_path / "history.svg")
    assert result.returncode == 0, result
    table = [line.split() for line in result.stdout.splitlines()]
    assert ["bug_byte", "csp", "+0.00%", "+10.00%"] in table
    assert ["die_agony", "csp", "18.0", "-10.00%"] in table
    assert "compared with 01" in (tmp_path / "history.svg").read_text()
    result = command("history", tmp_path / "01")
    assert result.returncode == 2 and "it has no two commits with instructions" in result.stderr
