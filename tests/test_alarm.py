"""The time limit of code in Python: raised until the block ends, and not after it."""

import sys
from contextlib import suppress
from time import perf_counter, sleep
from typing import Any

import pytest

from bench.alarm import AGAIN_S, alarm
from bench.contract import TimeLimit
from tests.conftest import undisturbed


class Slow:
    """Its finalizer lasts until after the limit of the test, and what is raised there is ignored."""

    def __del__(self) -> None:
        wait(0.1)


def wait(seconds: float) -> None:
    started = perf_counter()
    while perf_counter() - started < seconds:
        pass


def test_it_is_raised_again_where_python_has_ignored_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def what_is_ignored() -> list[Any]:
        ignored: list[Any] = []
        monkeypatch.setattr(sys, "unraisablehook", lambda each: ignored.append(each.exc_type))
        with pytest.raises(TimeLimit), alarm(0.05):
            Slow()
            wait(10)
        return ignored

    # The limit may come before the finalizer.
    assert undisturbed(what_is_ignored, bool) == [TimeLimit]


@pytest.mark.parametrize("seconds", [0.01, 10.0], ids=["late", "in_time"])
def test_it_is_not_raised_after_the_block(seconds: float) -> None:
    with suppress(TimeLimit), alarm(seconds):
        sleep(0.05)
    sleep(2 * AGAIN_S)


def test_an_alarm_around_another_rings_after_it() -> None:
    rung = []
    with suppress(TimeLimit), alarm(0.05):
        with suppress(TimeLimit), alarm(0.2):
            wait(10)
        rung.append("inner")
        wait(10)
    assert rung == ["inner"]
