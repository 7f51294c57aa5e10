"""Shows a fault of clingo without other programs: exits with 1 if it shows, with 0 if not."""

from collections.abc import Sequence

import clingo

from bench.instruments.fuzz.showing import Said, Target, main


def solve(target: Target, seed: int, presolve: bool, only: Sequence[str] = ()) -> Said:
    """What clingo says of the answer sets in which these atoms hold."""
    options = [f"--models={0 if target.count else 1}", "--project=show", f"--seed={seed}"]
    options.append(f"--parallel-mode={target.threads}")
    if not presolve:
        options += ["--eq=0", "--sat-prepro=no"]
    control = clingo.Control(options, lambda code, message: None)
    control.load(target.model)
    control.add("base", [], "".join(f":- not {atom}." for atom in only))
    control.ground()
    with control.solve(yield_=True) as search:
        found = [sorted(map(str, answer_set.symbols(shown=True))) for answer_set in search]
        result = search.get()
    complete = result.exhausted or bool(found and not target.count)
    return f"{result}, {len(found)} answer set(s)", complete, found


def holds(target: Target, atoms: Sequence[str], _tolerance: float = 0) -> bool:
    """Whether there is an answer set with exactly these atoms."""
    return atoms in solve(target, target.seed, False, atoms)[2]


if __name__ == "__main__":
    main(solve, holds)
