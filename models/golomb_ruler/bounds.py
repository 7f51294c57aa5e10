"""Bounds of the distances of a shortest ruler."""

from collections.abc import Set
from itertools import accumulate, count, islice

from models.golomb_ruler.puzzle import GolombRuler


def greedy_ruler(size: int, forbidden: Set[int]) -> list[int]:
    """Returns the ruler of which each mark, from 0, is the least that the marks before it allow."""
    marks, used = [0], {0, *forbidden}
    places = count(1)
    while len(marks) < size:
        place = next(places)
        distances = {place - mark for mark in marks}
        if not distances & used:
            marks.append(place)
            used |= distances
    return marks


def least(puzzle: GolombRuler) -> list[int]:
    """Returns for 0, 1, ... gaps between neighbouring marks what they span at least: all are different."""
    allowed = (distance for distance in count(1) if distance not in puzzle.forbidden)
    return [0, *accumulate(islice(allowed, puzzle.size - 1))]
