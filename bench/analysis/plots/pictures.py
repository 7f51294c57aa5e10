"""Which pictures a campaign has, each with its name and the call that draws it."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from bench import catalogue
from bench.analysis import compare, growth, scores
from bench.analysis.measurements import Measurement, one_release, without_variants
from bench.analysis.plots.across import draw_cactus, draw_pairs, draw_profile, draw_slowdowns, draw_targets
from bench.analysis.plots.comparison import draw_comparison, draw_times, draw_trajectories
from bench.analysis.plots.drawing import Picture
from bench.analysis.plots.growth import draw_frontier, draw_givens, draw_growth
from bench.analysis.plots.releases import draw_releases
from bench.analysis.releases import histories
from bench.analysis.tables import grouped
from bench.analysis.trajectories import with_solution
from bench.analysis.units import shortened
from bench.catalogue.errors import RequestError, command_line
from models.shared.puzzle import Solution


def pictures(
    runs: pd.DataFrame, measured: Sequence[Measurement], files: Sequence[Path] = ()
) -> Iterator[Picture]:
    """Every picture: releases, pairs, ratios, cactus, profile, targets, times-PUZZLE, comparison-, objective-
    and solution-PUZZLE-NAME.

    Of families frontier and growth- or givens-PUZZLE-FAMILY-TASK. None shows variants. `files` are instances
    that are not among the project's, whose solutions are drawn too.
    """
    measured = without_variants(measured)
    best = scores.best_formulations(measured)
    shared, _ = scores.shared(best)
    if changed := histories(measured):
        yield Picture("releases", partial(draw_releases, changed))
    if compare.textbook_pairs(measured):
        yield Picture("pairs", partial(draw_pairs, measured))
    yield Picture("ratios", partial(draw_slowdowns, scores.slowdowns(best)))
    if shared:
        yield Picture("cactus", partial(draw_cactus, shared))
        yield Picture("profile", partial(draw_profile, shared))
    optimised = [each for each in best if each.typical and each.status.tried]
    if optimised:
        yield Picture("targets", partial(draw_targets, optimised))
    if climbs := growth.climbs(measured):
        yield Picture("frontier", partial(draw_frontier, climbs))
        for family, of_family in grouped(climbs, lambda each: each.family).items():
            yield Picture(f"growth-{'-'.join(family)}", partial(draw_growth, family, of_family))
    for family, points in growth.givens(measured).items():
        yield Picture(f"givens-{'-'.join(family)}", partial(draw_givens, family, points))
    for puzzle, of_puzzle in grouped(measured, lambda each: each.puzzle).items():
        yield Picture(f"times-{puzzle}", partial(draw_times, of_puzzle, compare.reported(puzzle), puzzle))
    for puzzle, instance in compare.compared_instances(measured):
        task = compare.compared_task(measured, puzzle, instance)
        compared = compare.compared_models(one_release(measured), puzzle, instance)
        draw = partial(draw_comparison, compare.pictured_models(compared), puzzle, instance, task)
        yield Picture(f"comparison-{puzzle}-{instance}", draw)
        problem = [each for each in optimised if each.problem[:2] == (puzzle, instance)]
        if any(each.typical and each.typical.steps for each in problem):
            yield Picture(f"objective-{puzzle}-{instance}", partial(draw_trajectories, problem))
    hidden = compare.by_size(measured).keys() - set(compare.compared_instances(measured))
    shown = [problem not in hidden for problem in zip(runs["puzzle"], runs["instance"], strict=True)]
    yield from _solution_pictures(runs[shown], files)


def _solution_pictures(runs: pd.DataFrame, files: Sequence[Path]) -> Iterator[Picture]:
    """A picture of each solved instance whose file is at hand unchanged, with one solution."""
    measured = ["puzzle", "instance", "instance_sha256"]
    solved = with_solution(runs)
    first = solved.drop_duplicates(measured).sort_values(measured)[[*measured, "solution", "answer"]]
    for puzzle, name, sha256, solution, answer in first.itertuples(index=False, name=None):
        paths = catalogue.instance_paths(puzzle).values() if catalogue.is_puzzle(puzzle) else ()
        for path in (path for path in (*paths, *files) if path.stem == name):
            with suppress(RequestError, ValueError):
                instance = catalogue.load(path, adds=False)
                if instance.sha256 == sha256:
                    call = partial(_draw_solution, path, json.loads(solution), answer)
                    yield Picture(f"solution-{instance.puzzle_name}-{name}", call, instance.puzzle_name)
                    break


def unreadable(runs: pd.DataFrame, folder: Path) -> list[str]:
    """Why solutions cannot be drawn: a line for each broken puzzle or instance, one for unknown puzzles.

    Code of the latter is executed only on request, as results come from anybody.
    """
    found = set()
    if unknown := sorted(name for name in set(runs["puzzle"]) if not catalogue.is_puzzle(name)):
        found.add(
            f"{shortened(unknown)}: no rules, no pictures of solutions, as code from elsewhere is executed "
            "only if you name its folder: " + command_line("report", folder, "--puzzle", f"PATH/{unknown[0]}")
        )
    for puzzle, names in runs.groupby("puzzle")["instance"]:
        paths = catalogue.instance_paths(str(puzzle)) if puzzle not in unknown else {}
        for name in set(names) & set(paths):
            try:
                catalogue.load(paths[name], adds=False)
            except RequestError as error:
                found.add(str(error))
    return sorted(found)


def _draw_solution(path: Path, solution: Solution, answer: str) -> Figure:
    """Draws a solved instance with its answer, from its file, as puzzles may not be sent between processes.

    Raises PuzzleError if the puzzle's own code fails.
    """
    instance = catalogue.load(path, adds=False)
    figure = Figure(figsize=(6, 6.3), layout="constrained")
    axes = figure.subplots()
    catalogue.call(instance.puzzle_name, "draw", lambda: instance.puzzle.draw(axes, solution))
    axes.set_title(f"{instance.title}\nanswer {answer}", fontsize=11)
    return figure
