"""What the drivers read from the real solvers: a release that changes its log is noticed here."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench import catalogue
from bench.campaign.results import Row
from bench.campaign.selection import DEFAULT
from bench.catalogue import INSTANCES, ROOT
from bench.contract import Task
from bench.drivers._common import added
from tests.conftest import MADE, Lab, undisturbed

JUNE = ROOT / "instances/block_party/june_2022.toml"
OPEN = MADE / "june_2022_without_givens.toml"
CROSS = MADE / "number_cross_2x4.toml"
EXAMPLE = INSTANCES / "block_party" / "june_2022_example.toml"
HEXAGON = INSTANCES / "magic_hexagon" / "aristotle.toml"
GIVENS = INSTANCES / "magic_hexagon" / "family-givens" / "magic_hexagon_givens_30_1.toml"
DIE = INSTANCES / "die_agony" / "december_2022.toml"
BYTE = INSTANCES / "bug_byte" / "bug_byte.toml"
SMALL_BYTE = INSTANCES / "bug_byte" / "family-size" / "bug_byte_8_1.toml"


def solve_adds_up(row: Row) -> bool:
    return row.presolve_s + row.search_s == pytest.approx(row.solve_s, rel=0.1)


def total_adds_up(row: Row) -> bool:
    return row.build_s + (row.translate_s or 0) + row.solve_s == pytest.approx(row.total_s, rel=0.1, abs=0.02)


@pytest.mark.parametrize("formulation", ["windows", "textbook"])
def test_cpsat_tells_presolve_from_search(lab: Lab, formulation: str) -> None:
    row = undisturbed(lambda: lab.measure(OPEN, "cpsat", formulation, Task.COUNT), solve_adds_up)
    assert row.status == "solved"
    assert 0 < row.presolved_variables < row.variables
    assert 0 < row.presolved_constraints < row.constraints
    assert row.presolve_s > 0 and row.search_s > 0
    assert solve_adds_up(row)
    assert row.branches > 0 and row.propagations > 0 and row.work > 0
    assert row.translate_s is None and row.nonzeros is None


def test_highs_tells_presolve_from_search(lab: Lab) -> None:
    """The first solve ends in presolve; the later ones, with solutions cut off, have to search."""
    row = undisturbed(lambda: lab.measure(OPEN, "milp", "textbook", Task.COUNT), solve_adds_up)
    assert row.status == "solved"
    assert row.translate_s > 0 and row.presolve_s > 0 and row.search_s > 0
    assert solve_adds_up(row)
    assert row.branches > 0 and row.lp_iterations is not None
    assert row.constraints > row.variables > 0 and row.nonzeros > row.constraints


def test_the_sizes_in_the_log_of_highs_are_those_of_its_presolved_lp() -> None:
    """Asked of HiGHS itself, in a process of its own, for a model that presolve does not solve."""
    code = """
from pathlib import Path
from bench import catalogue
from bench.drivers import milp as driver
driver.load("highs")
from bench.drivers import _highs as milp
from bench.drivers._common import presolved_sizes
path = catalogue.find_instance("aristotle")
puzzle = catalogue.load(path).puzzle
problem = catalogue.formulations("magic_hexagon", "milp")["mirrored"](puzzle).problem
highs, _ = milp.translate(problem, {"threads": 1, "random_seed": 1})
log = []
milp.listen(highs, log.append)
highs.setOptionValue("mip_max_nodes", 0)
highs.run()
sizes = presolved_sizes("highs", "".join(log))
again, _ = milp.translate(problem, {"threads": 1, "random_seed": 1})
again.presolve()
lp = again.getPresolvedLp()
assert 0 < sizes["presolved_variables"] == lp.num_col_ < len(problem.variables()), (sizes, lp.num_col_)
assert 0 < sizes["presolved_constraints"] == lp.num_row_, (sizes, lp.num_row_)
assert 0 < sizes["presolved_nonzeros"] == len(lp.a_matrix_.value_), (sizes, len(lp.a_matrix_.value_))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr


def test_highs_gives_each_solve_the_time_that_is_left() -> None:
    """Its own clock runs on over all solves of an object; a limit held against that would leave none."""
    code = """
from time import perf_counter
from bench import catalogue
from bench.contract import SolveRequest, Task, TimeLimit
from bench.drivers import milp as driver
driver.load("highs")
from bench.drivers import _highs as milp
puzzle = catalogue.load(catalogue.find_instance("aristotle")).puzzle
model = catalogue.formulations("magic_hexagon", "milp")["textbook"](puzzle)
highs, columns = milp.translate(model.problem, {"threads": 1, "random_seed": 1})
session = milp.Session(highs, columns, model, SolveRequest(Task.FIRST, 9, 1, 1, "highs"), 0)
searched = [0]
for seconds in (0.5, 0.3):
    session.until = perf_counter() + seconds
    try:
        session.solve()
    except TimeLimit:
        searched.append(session.iterations)
assert searched[0] < searched[1] < searched[2], searched
"""
    result = undisturbed(
        lambda: subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT),
        lambda result: "AssertionError" not in result.stderr,
    )
    assert result.returncode == 0, result.stderr


def test_rubins_sizes_are_those_of_the_post(lab: Lab) -> None:
    """1,100 binaries less those that the sizes of the blocks and the givens fix; presolve leaves nothing."""
    row = lab.measure(JUNE, "milp", "textbook", Task.FIRST)
    assert row.presolved_variables == row.presolved_constraints == row.branches == 0
    assert row.search_s is None


def test_csp_counts_its_search(lab: Lab) -> None:
    row = lab.measure(JUNE, "csp:smallest", "nearest", Task.COUNT)
    assert row.status == "solved"
    # A depth-first search that finds n solutions over v variables tries at least v values.
    assert row.branches >= row.variables == 100
    assert 0 < row.failures < row.branches
    assert row.presolved_variables == 100 - 18
    assert row.build_s > 0 and row.presolve_s > 0 and row.search_s > 0


def test_the_stock_solvers_agree(lab: Lab) -> None:
    example = ROOT / "instances/block_party/june_2022_example.toml"
    for solver in ("backtracking", "optimized", "recursive"):
        row = lab.measure(example, f"csp:{solver}", "nearest", Task.COUNT)
        assert (row.solver, row.status, row.solutions) == (solver, "solved", 1)
        assert row.branches > row.failures > 0


def test_a_local_search_cannot_count(lab: Lab) -> None:
    row = lab.measure(JUNE, "csp:minconflicts", "nearest", Task.COUNT)
    assert row.status == "unsupported"
    assert "cannot count" in row.error


def test_the_hand_search_tells_its_root_from_its_search(lab: Lab) -> None:
    row = lab.measure(JUNE, "backtrack", "propagation", Task.COUNT)
    assert row.variables == 100
    assert 0 < row.presolved_variables < 100
    assert 0 < row.failures < row.branches <= 150
    assert row.presolve_s + row.search_s == pytest.approx(row.solve_s)


def test_clingo_tells_grounding_from_solving(lab: Lab) -> None:
    row = lab.measure(HEXAGON, "asp", "order_encoding", Task.FIRST)
    assert row.status == "solved"
    assert row.translate_s > 0 and row.presolve_s > 0 and row.search_s > 0
    assert row.presolve_s + row.search_s == pytest.approx(row.solve_s)
    assert 0 < row.presolved_variables < row.variables and 0 < row.presolved_constraints < row.constraints
    assert row.branches > row.failures > row.restarts > 0


def test_clingo_refuses_integer_variables_and_names_what_has_them(lab: Lab) -> None:
    row = lab.measure(BYTE, "asp", "integers", Task.COUNT)
    assert row.status == "unsupported" and "needs asp:clingcon" in row.error


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("a(1) :- b.\n:- a(X, not Y.", r"asp\.lp:2:9-12: error: syntax error, unexpected not"),
        ("a(X) :- X = 1..2, not Y = X.", r"asp\.lp:1:1-29: error: unsafe variables in: .*"),
        ("a :- cgae(1).", r"asp\.lp:1:6-13: atom does not occur in any rule head: cgae\(1\); misspelt\?.*"),
        ("#show b/0.\na.", r"asp\.lp:1:1-11: no atoms over signature occur in program: b/0; misspelt\?.*"),
        ("a :- b.\n#defined b/0.\n#program other.\nc :- d.\n", r"no fault"),
        ("a(X) :- X = 7 / 0.", r"asp\.lp:1:13-18: operation undefined: .*"),
    ],
)
def test_a_program_that_clingo_refuses_is_refused_with_its_line(
    tmp_path: Path, rules: str, says: str
) -> None:
    """In a process of its own; an undefined operation would drop a rule, and with it a constraint."""
    (tmp_path / "asp.lp").write_text(rules)
    code = """
import sys
from pathlib import Path
from bench.contract import ModelError, SolveRequest, Task
from bench.drivers import asp
from models.shared.asp import LogicProgram
try:
    asp.grounded(LogicProgram(Path(sys.argv[1]), []), SolveRequest(Task.FIRST, 9, 1, 1, "clingo"))
    print("no fault")
except ModelError as error:
    print(error)
"""
    command = [sys.executable, "-c", code, str(tmp_path / "asp.lp")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(f".*{says}\n", said), said


COUNTERS = ("branches", "failures", "propagations", "lp_iterations", "work", "solution")


@pytest.mark.parametrize(
    ("path", "backend", "formulation", "task"),
    [
        (OPEN, "cpsat", "textbook", Task.COUNT),
        (CROSS, "milp", "textbook", Task.COUNT),
        (HEXAGON, "asp", "order_encoding", Task.FIRST),
        (GIVENS, "csp", "textbook", Task.FIRST),
        (EXAMPLE, "csp:backtracking", "nearest", Task.FIRST),
        (HEXAGON, "backtrack", "propagation", Task.FIRST),
        (DIE, "backtrack", "roll", Task.FIRST),
        (BYTE, "backtrack", "propagation", Task.FIRST),
        (OPEN, "backtrack", "shaving", Task.FIRST),
    ],
    ids=lambda value: getattr(value, "stem", value),
)
def test_a_seed_fixes_the_search_and_other_seeds_vary_it(
    lab: Lab, path: Path, backend: str, formulation: str, task: Task
) -> None:
    """Same seed, same version: same search. Over some seeds it is not always the same."""
    rows = [lab.measure(path, backend, formulation, task, seed=seed) for seed in (2, 2, 3, 4)]
    assert {row.status for row in rows} == {"solved"}
    first, again, *others = [[getattr(row, name) for name in COUNTERS] for row in rows]
    assert first == again
    assert any(other != first for other in others)


@pytest.mark.parametrize("backend", ["asp", "csp", "backtrack"])
@pytest.mark.parametrize(
    "path", [MADE / "die_agony_2x2.toml", SMALL_BYTE, EXAMPLE], ids=lambda path: path.stem
)
def test_a_permutation_changes_no_count(lab: Lab, path: Path, backend: str) -> None:
    instance = catalogue.load(path)
    formulation = lab.backends[backend].formulations[instance.puzzle_name][0]
    as_written, row = (lab.measure(path, backend, formulation, Task.COUNT, seed=seed) for seed in (1, 2))
    assert (row.status, row.solutions) == ("solved", as_written.solutions)
    assert instance.expected.solutions in (None, row.solutions)


@pytest.mark.parametrize("backend", ["cpsat", "milp", "asp", "csp", "backtrack"])
def test_times_add_up(lab: Lab, backend: str) -> None:
    path = EXAMPLE if backend == "csp" else JUNE
    row = undisturbed(lambda: lab.measure(path, backend, DEFAULT, Task.FIRST), total_adds_up)
    assert total_adds_up(row)
    assert row.overhead_s > 0 and row.cpu_s > 0
    assert row.peak_mb >= row.base_mb * 0.5 > 0


def test_counters_are_summed() -> None:
    """A figure that a later solve lacks stays as it was."""
    first, second = {"branches": 3, "failures": 1}, {"branches": 5.0, "failures": None, "restarts": 0}
    assert added(first, second) == {"branches": 8, "failures": 1, "restarts": 0}
