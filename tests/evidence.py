"""Draws the instances of results/evidence and executes its campaign, by the rules of its PROTOCOL.md.

`python -m tests.evidence draw CORPORA` generates what is missing and writes instances.csv; CORPORA is the
folder with the instances of others that are in no package. `tenth` executes a tenth of the campaign, `run`
what is not recorded of it, `again` once more what was disturbed, `cores` CP-SAT with two threads.
"""

import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice, zip_longest
from operator import itemgetter
from pathlib import Path
from time import monotonic

import pandas as pd

from bench import catalogue
from bench.campaign.collections import read_collection
from bench.catalogue import ROOT
from bench.environment.machine import usable_cores
from bench.execution.process import ProcessEnded
from bench.instruments.generate.instance_file import Generated, Order, Wanted, run_worker

SEED = 20261128

FOLDER = ROOT / "results" / "evidence"

LOT = ("abc_end_view", "hidato", "tents", "yajilin")
"""The kinds that were drawn by lot."""

SIZES = {
    "abc_end_view": (6, 8, 14),
    "block_party": (8, 16, 32),
    "bug_byte": (10, 20, 40),
    "car_sequencing": (20, 50, 100),
    "choco_banana": (6, 10, 14),
    "cross_sums": (6, 9, 12),
    "die_agony": (8, 16, 32),
    "hall_of_mirrors": (8, 10, 12),
    "hidato": (8, 10, 12),
    "hooks": (5, 7, 9),
    "knight_moves": (6, 9, 12),
    "magic_hexagon": (3, 4, 5),
    "market_split": (20, 30, 40),
    "nonogram": (15, 25, 40),
    "number_cross": (4, 6, 8),
    "nurikabe": (8, 12, 15),
    "perfect_squares": (10, 13, 16),
    "quasigroup_completion": (20, 30, 33),
    "shikaku": (15, 25, 40),
    "slitherlink": (8, 10, 14),
    "star_battle": (8, 10, 14),
    "sudoku": (9, 16, 25),
    "tents": (10, 20, 40),
    "twenty_four_seven": (1, 2, 4),
    "yajilin": (8, 10, 14),
}
"""The small, medium and large size of each kind that asks for a solution."""

STRATA = {
    "proven": (Wanted.ONE, 1.0, (2, 1, 0, 2, 1)),
    "planted": (Wanted.ANY, 0.7, (0, 1, 2)),
    "infeasible": (Wanted.NONE, 1.0, (1, 2)),
}
"""What is ordered of each, the hardness, and the sizes in the order in which they are made."""

OTHERS = {
    "bin_packing": ("bin_packing/gecode.jsonl",),
    "car_sequencing": ("car_sequencing/csplib.jsonl",),
    "market_split": ("market_split/minizinc.jsonl",),
    "nonogram": ("nonogram/jacop.jsonl",),
    "nurikabe": ("ppbench",),
    "perfect_squares": ("perfect_square/csplib.jsonl",),
    "quasigroup_completion": ("quasigroup_completion/gecode.jsonl",),
    "shikaku": ("ppbench",),
    "slitherlink": ("ppbench",),
    "sudoku": ("ppbench", "sudoku/gecode.jsonl"),
    "tents": ("sgt:tents:10x10#1-5", "sgt:tents:15x15#1-5", "sgt:tents:20x20#1-5"),
    "yajilin": ("ppbench",),
}
"""The collections of a kind."""

TIME_LIMIT_S = 1200.0
"""For an instance; one that is not made by then is named in the table, and missing."""

MOST_OTHERS, MOST_BEST = 5, 4
"""How many instances of others a kind has, and how many a kind with an objective has in all."""

TEXTBOOK = (
    "cpsat", "milp", "milp:scip", "milp:cpsat", "cpsat:highs", "cpsat:lp2", "asp", "cpmpy:choco",
    "cpmpy:minizinc/gecode", "csp",
)  # fmt: skip
"""The solvers with the model that one writes first; those of FIRST have the first of their formulations."""

FIRST = ("backtrack", "native", "cpsat", "milp", "local")

OPTIONS = ["--time-limit", "20", "--repeat", "3", "--budget", "2", "--no-plots", "--no-logs"]


def of_others(kind: str, corpora: Path, number: int) -> list[tuple[str, str]]:
    """The name and the source of so many instances of others, in turn from each source and order of size.

    The source is a collection, or empty. Of a kind with an objective its own family is a source, too.
    """
    own = [catalogue.load(path) for path in catalogue.instance_paths(kind).values()]
    found = [("", one) for one in own if one.source != "made for this project"]
    if kind not in SIZES:
        files = chain.from_iterable(family.values() for family in catalogue.families(kind).values())
        found += [("family", catalogue.load(path)) for path in files]
    for name in OTHERS.get(kind, ()):
        collection = str(corpora / name) if name.endswith(".jsonl") else name
        those = read_collection(collection).instances
        found += [(collection, one) for one in those if one.puzzle_name == kind]
    rng = random.Random(f"{SEED} {kind}")
    strata: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for source, one in sorted(found, key=lambda each: (each[0], each[1].name)):
        strata[source, one.puzzle.size.bit_length()].append((one.name, source.replace("family", "")))
    for stratum in strata.values():
        rng.shuffle(stratum)
    order = [*strata.values()]
    rng.shuffle(order)
    return [*islice((one for one in chain.from_iterable(zip_longest(*order)) if one), number)]


def orders(kind: str, missing: int) -> Iterator[tuple[Path, Order]]:
    """What is to be generated of a kind, `missing` of them proven."""
    rules = ("signed_sum", "sum") if kind == "cross_sums" else ("",)  # They take turns.
    for stratum, (wanted, hardness, sizes) in STRATA.items():
        for number, at in enumerate(sizes[: missing if stratum == "proven" else None]):
            size, seed = SIZES[kind][at], 11 + number
            file = catalogue.INSTANCES / kind / f"family-{stratum}" / f"{kind}_{stratum}_{size}_{seed}.toml"
            yield file, Order(kind, size, seed, hardness, wanted, rules[number % len(rules)])


def _make(file: Path, order: Order) -> None:
    """Generates an instance and writes it, if it is not there and is made in time."""
    if file.exists():
        return
    begin = monotonic()
    try:
        made = run_worker(order, TIME_LIMIT_S)
    except ProcessEnded as error:
        made = Generated(error=str(error))
    if made.text and not made.error:
        file.parent.mkdir(exist_ok=True)
        file.write_text(made.text, encoding="utf-8")
    print(f"{file.stem}: {monotonic() - begin:.0f} s {made.error}", flush=True)


def draw(corpora: Path) -> None:
    """Writes instances.csv; generates what is not there, as many at a time as there are cores."""
    rows: list[tuple[str, str, str]] = []
    generated: list[tuple[str, Path, Order]] = []
    for kind in catalogue.puzzle_names():
        chosen = of_others(kind, corpora, MOST_OTHERS if kind in SIZES else MOST_BEST)
        rows += [(kind, *one) for one in chosen]
        if kind in SIZES:
            generated += [(kind, *each) for each in orders(kind, MOST_OTHERS - len(chosen))]
    with ThreadPoolExecutor(len(usable_cores())) as threads:
        list(threads.map(lambda each: _make(*each[1:]), generated))
    rows += [(kind, file.stem, "") for kind, file, _ in generated if file.exists()]
    table = pd.DataFrame(sorted(rows, key=itemgetter(0)), columns=["puzzle", "instance", "collection"])
    table.to_csv(FOLDER / "instances.csv", index=False, lineterminator="\n")


def run(mode: str) -> None:
    """Executes the campaign, source by source; of a tenth one instance of each kind."""
    table = pd.read_csv(FOLDER / "instances.csv", keep_default_na=False)
    models = [("textbook", TEXTBOOK), ("default", FIRST)]
    options = [*OPTIONS, *(["--redo", "disturbed"] if mode == "again" else ["--keep"])]
    if mode == "cores":
        models, options = [("textbook", ("cpsat",))], [*options, "--threads", "2"]
    if mode == "tenth":
        kinds = [rows for _, rows in table.groupby("puzzle")]
        table = pd.concat(rows.iloc[[3 * number % len(rows)]] for number, rows in enumerate(kinds))
    tasks = table["puzzle"].map(lambda kind: "first" if kind in SIZES else "best")
    for (task, collection), those in table.groupby([tasks, "collection"]):
        what = [*those["instance"], *(["--collection", collection] if collection else [])]
        for formulation, backends in models:
            of_task = [name for name in backends if name != "local" or task == "best"]
            words = [*what, "--task", task, "--formulation", formulation, *options]
            words += [word for backend in of_task for word in ("--backend", backend)]
            command = [sys.executable, "-m", "bench", "run", *words, "--out", "results/evidence"]
            subprocess.run(command, check=False, cwd=ROOT)


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        draw(Path(sys.argv[2]))
    else:
        run(sys.argv[1])
