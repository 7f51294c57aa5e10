"""Exported models, read by solvers alone and solved to the number of solutions that the instance has."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bench import catalogue
from bench.catalogue import ROOT
from bench.instruments.generate import exporter

MADE, FAMILIES = ROOT / "tests" / "instances", ROOT / "instances"
SMALL = {
    MADE / "infeasible.toml": 0,
    MADE / "row_column.toml": 2,
    MADE / "number_cross_2x4.toml": 18,
    MADE / "aristotle_half_given.toml": 1,
    FAMILIES / "bug_byte/family-size/bug_byte_6_1.toml": 1,
    FAMILIES / "choco_banana/family-size/choco_banana_4_1.toml": 1,
    FAMILIES / "cross_sums/family-size/cross_sums_3_1.toml": 1,
    MADE / "die_agony_2x2.toml": 2,
    FAMILIES / "hooks/family-size/hooks_4_1.toml": 1,
    FAMILIES / "knight_moves/family-size/knight_moves_4_1.toml": 1,
    FAMILIES / "sudoku/family-size/sudoku_4_1.toml": 1,
    FAMILIES / "twenty_four_seven/family-size/twenty_four_seven_1_1.toml": 1,
}
"""Of every puzzle one, and how many solutions it has."""

TOO_LARGE = (
    "choco_banana_4_1", "cross_sums_3_1", "die_agony_2x2", "hooks_4_1", "knight_moves_4_1",
    "twenty_four_seven_1_1",
)  # fmt: skip
"""CPMpy encodes these in DIMACS for longer than a test may last."""

WRITE = """
import json, sys
from pathlib import Path
from bench.contract import Unsupported
from bench.instruments.generate.exporter import write

to, refused = sys.argv[1], []
for file, request in json.load(sys.stdin):
    try:
        Path(file).write_text(write(*request))
    except Unsupported as reason:
        refused.append(Path(file).name + " " + str(reason))
print(json.dumps(refused))
"""

HEAD = """
import re, sys
from pathlib import Path

def counted(text):
    found = re.search(r"differ in one of these (\\d+) variables:\\n((?:\\S   .*\\n)+)", text)
    names = re.sub(r"(?m)^\\S ", "", found[2]).split()
    assert len(names) == int(found[1])
    return names

def count(text, models):
    stands_for = re.search(r"stands for (\\d+) of the puzzle", text)
    return models * int(stands_for[1] if stands_for else 1)
"""
"""What a stranger reads in the comment."""

HIGHS = (
    HEAD
    + """
import highspy

# Whatever the rows are called, and in whichever order.
def program(lp, names):
    columns, rows = list(lp.col_names_), [set() for _ in range(lp.num_row_)]
    starts, index, values = (list(getattr(lp.a_matrix_, name)) for name in ("start_", "index_", "value_"))
    assert lp.a_matrix_.format_ == highspy.MatrixFormat.kColwise
    for column, start, end in zip(columns, starts, starts[1:]):
        for at in range(start, end):
            rows[index[at]].add((column, values[at]))
    return (
        frozenset(zip(columns, lp.col_lower_, lp.col_upper_, map(str, lp.integrality_))),
        frozenset(zip(lp.row_lower_, lp.row_upper_, map(frozenset, rows))),
        tuple(names),
    )

solved = {}
for file in sys.argv[1:]:
    text = Path(file).read_text()
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(file) == highspy.HighsStatus.kOk, file
    lp, found = highs.getLp(), 0
    same = program(lp, counted(text))
    if same in solved:
        print(Path(file).name, count(text, solved[same]))
        continue
    columns = [list(lp.col_names_).index(name) for name in counted(text)]
    assert all(0 <= lp.col_lower_[i] <= lp.col_upper_[i] <= 1 for i in columns)
    while highs.run() == highspy.HighsStatus.kOk and highs.getModelStatus().name == "kOptimal":
        found += 1
        values = [round(highs.getSolution().col_value[i]) for i in columns]
        signs = [1.0 - 2 * value for value in values]
        highs.addRow(1.0 - sum(values), highspy.kHighsInf, len(columns), columns, signs)
    assert highs.getModelStatus().name == "kInfeasible"
    solved[same] = found
    print(Path(file).name, count(text, found))
"""
)

CPSAT = (
    HEAD
    + """
from ortools.sat.python import cp_model

for file in sys.argv[1:]:
    text, model, solver, found = Path(file).read_text(), cp_model.CpModel(), cp_model.CpSolver(), set()
    assert model.proto.parse_text_format(text)
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    numbers = list(map(int, counted(text)))
    class Found(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self):
            found.add(tuple(self.response_proto.solution[i] for i in numbers))
    assert solver.solve(model, Found()) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    print(Path(file).name, count(text, len(found)))
"""
)

BOOLEANS = (
    HEAD
    + """
from ortools.sat.python import cp_model

for file in sys.argv[1:]:
    text, model, solver, found = Path(file).read_text(), cp_model.CpModel(), cp_model.CpSolver(), 0
    variables = {}
    def literal(word):
        name = word.lstrip("-~")
        variable = variables.setdefault(name, model.new_bool_var(name))
        return variable if name == word else ~variable
    for line in text.splitlines():
        if file.endswith(".cnf") and line[0] not in "cp":
            model.add_bool_or(map(literal, line.split()[:-1]))
        elif file.endswith(".opb") and line[0] != "*":
            *terms, relation, bound = line.rstrip(";").split()
            total = sum(int(n) * literal(name) for n, name in zip(terms[::2], terms[1::2], strict=True))
            model.add(total >= int(bound) if relation == ">=" else total == int(bound))
    names = counted(text)
    solver.parameters.num_workers = 1
    while solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found += 1
        values = [(literal(name), solver.value(literal(name))) for name in names]
        model.add_bool_or(~each if value else each for each, value in values)
    assert solver.solve(model) == cp_model.INFEASIBLE
    print(Path(file).name, count(text, found))
"""
)

CLINGO = (
    HEAD
    + """
import clingo

for file in sys.argv[1:]:
    text, control = Path(file).read_text(), clingo.Control(["0", "--project"])
    control.load(file)
    control.ground()
    print(Path(file).name, count(text, sum(1 for _ in control.solve(yield_=True))))
"""
)


def python(code: str, *arguments: Any, told: str = "") -> str:
    """What a Python program prints."""
    said = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        input=told, capture_output=True, text=True, cwd=ROOT, timeout=600,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    return said.stdout


def write(folder: Path, backend: str, to: str, paths: Iterable[Path], formulation: str = "") -> list[str]:
    """Writes a file `INSTANCE.FORMAT` for each instance, all in one process; returns why some are refused."""
    wanted = [
        (str(folder / f"{path.stem}.{to}"), (str(path), backend, "", formulation, to)) for path in paths
    ]
    return list(map(str, json.loads(python(WRITE, to, told=json.dumps(wanted)))))


def counts(reader: str, folder: Path) -> dict[str, int]:
    """How many solutions a reader counts, by file; HiGHS 1.16 says its name besides."""
    lines = map(str.split, python(reader, *sorted(folder.iterdir())).splitlines())
    return {line[0]: int(line[1]) for line in lines if len(line) == 2}


def expected(paths: Mapping[Path, int], *formats: str) -> dict[str, int]:
    """How many solutions there are, by file."""
    return {f"{path.stem}.{to}": solutions for path, solutions in paths.items() for to in formats}


def test_an_integer_program_has_as_many_solutions(tmp_path: Path) -> None:
    """In both formats, read in one process: of files with the same program one is solved."""
    for to in ("mps", "lp"):
        assert write(tmp_path, "milp", to, SMALL) == []
    assert counts(HIGHS, tmp_path) == expected(SMALL, "mps", "lp")


def test_a_model_of_cp_sat_has_as_many_solutions(tmp_path: Path) -> None:
    """Aristotle's hexagon too, of whose 12 symmetric solutions the model has one."""
    paths = {**SMALL, catalogue.find_instance("aristotle"): 12}
    assert write(tmp_path, "cpsat", "pb.txt", paths) == []
    assert counts(CPSAT, tmp_path) == expected(paths, "pb.txt")


def test_a_linear_model_of_cp_sat_is_an_integer_program(tmp_path: Path) -> None:
    """And what is not linear is refused with the first constraint, or domain, that is not."""
    refused = write(tmp_path, "cpsat", "mps", SMALL)
    reasons = {line.partition(".mps ")[0]: line.partition(".mps ")[2] for line in refused}
    assert "constraint 0 is all_diff" in reasons["bug_byte_6_1"]
    assert "variable x(0, 0) has the domain [6, 6, 9, 10]" in reasons["number_cross_2x4"]
    assert "enforcement_literal" in reasons["twenty_four_seven_1_1"]
    left = {path: solutions for path, solutions in SMALL.items() if path.stem not in reasons}
    assert len(left) == 5
    assert counts(HIGHS, tmp_path) == expected(left, "mps")


def test_an_answer_set_program_has_as_many_answer_sets(tmp_path: Path) -> None:
    assert write(tmp_path, "asp", "lp", SMALL) == []
    assert counts(CLINGO, tmp_path) == expected(SMALL, "lp")


@pytest.mark.extra
@pytest.mark.parametrize("to", ["cnf", "opb"])
def test_a_model_of_cpmpy_has_as_many_solutions(tmp_path: Path, to: str) -> None:
    """Integers become several Booleans."""
    pytest.importorskip("pindakaas")
    # The last takes too long to count in the other format, too.
    too_large = TOO_LARGE[-1:] if to == "opb" else TOO_LARGE
    paths = {path: n for path, n in SMALL.items() if path.stem not in too_large}
    assert write(tmp_path, "cpmpy", to, paths) == []
    assert counts(BOOLEANS, tmp_path) == expected(paths, to)


def test_the_command_writes_a_file_or_says_what_there_is(command: Any, tmp_path: Path) -> None:
    """By default in the first format of the backend, and the first formulation; a solver changes nothing."""
    written = command("export", "june_2022_example", "--backend", "milp:cbc", "--out", "a.mps")
    assert (written.returncode, written.stderr) == (0, "")
    text = (tmp_path / "a.mps").read_text()
    assert text.startswith("* Instance june_2022_example of the puzzle block_party")
    assert "* Model: formulation narrowed of the backend milp, in MPS" in text and text.endswith("ENDATA\n")
    for words, line in (
        ("june_2022_example --backend milp --out a.mps", "a.mps: this file exists already"),
        (
            "june_2022_example --backend milp --format pb.txt",
            "milp does not write 'pb.txt'; it writes mps, lp",
        ),
        ("june_2022_example --backend csp", "csp writes no model files; these do: asp, cpmpy, cpsat, milp"),
        ("june_2022_example --backend milp:hihgs", "unknown solver of milp 'hihgs'; did you mean highs?"),
        ("bug_byte --backend cpsat --format mps", "cpsat: unsupported: the model is not linear: constraint"),
        ("bug_byte_20_1 --backend cpsat", "cpsat: unsupported: the model has lazy"),
        ("bug_byte_20_1 --backend milp", "milp: unsupported: the model has lazy"),
    ):
        refused = command("export", *words.split())
        assert (refused.returncode, refused.stdout) == (2, ""), words
        assert line in refused.stderr and refused.stderr.count("\n") == 1, refused.stderr


def test_the_head_names_no_release_where_the_project_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A clone on PYTHONPATH alone has no metadata."""
    monkeypatch.setattr(exporter, "installed", lambda name: None)
    text = exporter.write(str(MADE / "row_column.toml"), "asp", "", "", "lp")
    assert re.search(
        "^% Model: formulation .* of the backend asp, in .*, by puzzle-bench$", text, re.MULTILINE
    )
