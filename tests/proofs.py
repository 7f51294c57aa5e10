"""How long proofs take that a backend does not complete: `python -m tests.proofs` prints a row for each.

They are those of the samples whose `proved_by` does not name it: CPU time, building and grounding included.
"""

import tomllib
from multiprocessing import get_context
from statistics import median
from time import process_time

from bench import catalogue
from bench.instruments.generate.prover import answer
from bench.instruments.generate.worker import _BUDGETS
from models.shared.document import Document
from tests.samples import recipes


def cpu_s(backend: str, puzzle: str, table: dict[str, object], most: int) -> float:
    """CPU time of an answer in seconds, after what it imports."""
    driver = catalogue.driver(backend)
    driver.load(next(iter(driver.solvers())))
    catalogue.formulations(puzzle, backend)
    begin = process_time()
    answer(backend, _BUDGETS[backend], puzzle, table, most)
    return process_time() - begin


def main() -> None:
    """One proof at a time, each in a process of its own."""
    for backend in _BUDGETS:
        times = []
        for file, _ in recipes():
            table = tomllib.loads(file.read_text(encoding="utf-8"))
            expected = table.get("expected", {})
            if "proved_by" in expected and backend not in expected["proved_by"]:
                own = {key: value for key, value in table.items() if key not in Document.__dataclass_fields__}
                with get_context("spawn").Pool(1) as pool:
                    question = (backend, table["puzzle"], own, expected["solutions"] + 1)
                    times.append(pool.apply(cpu_s, question))
        print(
            f"{backend}: {median(times):.1f} s, {min(times):.1f} to {max(times):.1f} s ({len(times)} proofs)"
        )


if __name__ == "__main__":
    main()
