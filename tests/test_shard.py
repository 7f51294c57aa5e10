"""Shards of a campaign: together they are the whole of it, and none has what belongs to another."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.campaign.plan import Plan, Shard, folder_of
from bench.catalogue import Instance
from bench.catalogue.errors import RequestError
from bench.contract import Run, Task
from tests.test_scale import BASE

counts = st.integers(1, 9)


def instance(puzzle: str, name: str) -> Instance:
    """An instance of which only the names are known."""
    nothing = cast(Any, None)
    return Instance(name, Path(), name, puzzle, title="", source="", expected=nothing, puzzle=nothing)


@st.composite
def plans(draw: st.DrawFn) -> tuple[Plan, list[Task]]:
    """Plans of some instances of up to three puzzles, some of which some models lack."""
    names = draw(st.lists(st.tuples(st.sampled_from("pqr"), counts), min_size=1, max_size=9, unique=True))
    tasks = draw(st.sampled_from([[Task.FIRST], [Task.FIRST, Task.COUNT], [Task.COUNT, Task.FIRST]]))
    lacking = draw(st.sets(st.tuples(st.sampled_from("pqr"), st.sampled_from("ab"))))
    instances = {f"{puzzle}{number}": instance(puzzle, f"{puzzle}{number}") for puzzle, number in names}
    runs = [
        replace(
            BASE,
            puzzle=sha256[0],
            instance=sha256,
            instance_sha256=sha256,
            backend=backend,
            task=task,
            seed=seed,
        )
        for sha256 in instances
        for backend in "ab"
        if (sha256[0], backend) not in lacking
        for seed in (1, 2)
        for task in tasks
    ]
    return Plan(runs, instances, {}, []), tasks


def parts(plan: Plan, tasks: list[Task], of: int, climbing: bool) -> list[list[Run]]:
    return [list(Shard(number, of).part(plan, tasks, climbing).runs) for number in range(1, of + 1)]


@given(plans(), counts, st.booleans())
def test_the_shards_are_the_campaign(drawn: tuple[Plan, list[Task]], of: int, climbing: bool) -> None:
    """Each run is in one shard, in its order, with all that it is compared with or depends on."""
    plan, tasks = drawn
    shards = parts(plan, tasks, of, climbing)
    assert sorted(map(repr, plan.runs)) == sorted(repr(run) for runs in shards for run in runs)
    for runs in shards:
        assert runs == [run for run in plan.runs if run in runs]
    problems = [{(run.puzzle if climbing else run.instance, run.task) for run in runs} for runs in shards]
    assert sum(map(len, problems)) == len(set().union(*problems)), "a problem is in one shard only"


@given(plans(), counts, st.booleans())
def test_a_shard_does_not_depend_on_what_is_installed(
    drawn: tuple[Plan, list[Task]], of: int, climbing: bool
) -> None:
    """Without one of the backends it has the same runs of the others."""
    plan, tasks = drawn
    fewer = replace(plan, runs=[run for run in plan.runs if run.backend == "a"])
    for some, all_ in zip(parts(fewer, tasks, of, climbing), parts(plan, tasks, of, climbing), strict=True):
        assert some == [run for run in all_ if run.backend == "a"]


@given(plans(), counts)
def test_shards_have_equally_many_problems(drawn: tuple[Plan, list[Task]], of: int) -> None:
    """To within one, and of each task too, if every model exists."""
    plan, tasks = drawn
    everything = replace(
        plan,
        runs=[
            replace(BASE, instance=name, instance_sha256=name, task=task)
            for name in plan.instances
            for task in tasks
        ],
    )
    shards = parts(everything, tasks, of, climbing=False)
    for chosen in (tasks, tasks[:1], tasks[1:]):
        sizes = [sum(run.task in chosen for run in runs) for runs in shards]
        assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    "text", ["0/8", "9/8", "2-8", "x", "", "2/", "/8", "2/8/8", "-1/8", "1.5/8", "2/0", "٢/8"]
)
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match=r"write K/N with K from 1 to N, as in 2/8") as refused:
        Shard.parse(text)
    assert str(refused.value).startswith(f"--shard {text}:")


def test_a_shard_has_a_folder_of_its_own() -> None:
    shard = Shard.parse("2/8")
    assert str(shard) == "2/8"
    inner = folder_of(Path("mine"), shard)
    assert inner == Path("mine/shard-2-of-8")
    assert folder_of(inner, shard) == inner, "as the hint to resume names it"
    assert folder_of(inner, Shard(1, 8)) != inner


def test_a_folder_has_shards_or_a_whole_campaign(tmp_path: Path) -> None:
    shard, whole, parts = Shard(2, 8), tmp_path / "whole", tmp_path / "parts"
    inner = folder_of(parts, shard)
    for folder in (whole, inner):
        folder.mkdir(parents=True)
        (folder / "runs.csv").touch()
    assert folder_of(whole, None) == whole
    assert folder_of(parts, shard) == folder_of(inner, shard) == inner
    assert folder_of(parts, Shard(3, 8)).parent == parts
    with pytest.raises(RequestError, match=f"{whole}: it has a whole campaign; choose another folder"):
        folder_of(whole, shard)
    with pytest.raises(RequestError, match=f"{parts}: it has shards; choose another folder"):
        folder_of(parts, None)
