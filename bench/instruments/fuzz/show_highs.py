"""Shows a fault of HiGHS without other programs: exits with 1 if it shows, with 0 if not."""

from pathlib import Path

import highspy
import numpy as np

from bench.instruments.fuzz.check_witness import read_mps, satisfies
from bench.instruments.fuzz.showing import Said, Target, main


def solve(target: Target, seed: int, presolve: bool) -> Said:
    """What HiGHS says of the model."""
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("random_seed", seed)
    highs.setOptionValue("threads", target.threads)
    highs.setOptionValue("time_limit", target.time_s)
    if not presolve:
        highs.setOptionValue("presolve", "off")
    highs.readModel(target.model)
    if target.base_rows is not None:
        # As it happened: the rows after these were added one at a time, after a solve each.
        program = read_mps(Path(target.model).read_text())
        later = list(program.rows)[target.base_rows :]
        column = {name: index for index, name in enumerate(highs.getLp().col_names_)}
        last = target.base_rows + len(later)
        highs.deleteRows(len(later), np.arange(target.base_rows, last, dtype=np.int32))
        for row in later:
            highs.run()
            terms = program.coefficients[row]
            places = np.array([column[name] for name in terms], dtype=np.int32)
            values = np.array([float(value) for value in terms.values()])
            least = float(program.rows[row][0] or 0)
            highs.addRow(least, highspy.kHighsInf, len(terms), places, values)
    highs.run()
    said = highs.modelStatusToString(highs.getModelStatus())
    if said != "Optimal":
        return said, said == "Infeasible", []
    return said, True, [dict(zip(highs.getLp().col_names_, highs.getSolution().col_value, strict=True))]


if __name__ == "__main__":
    main(solve, satisfies)
