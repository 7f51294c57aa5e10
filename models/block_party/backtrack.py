"""Block Party by search: propagate, branch on the smallest domain, back up.

    domains     cell -> the values that it can still hold
    ring        (cell, K) -> the cells at distance K, one of which must hold K if the cell does
    closer      (cell, K) -> the cells nearer than K, none of which may hold K if the cell does

Propagation takes values away until nothing follows any more:
- a cell with one value left takes that value from its region and from the cells that are closer;
- a region with one cell left for a value gives it that value;
- a value goes when its ring has no cell left for it; a cell that holds K with one cell left in its
  ring gives that cell K.

`propagation` does this at every node. `shaving` also assigns each value of each cell on trial, and takes
away those that propagation refutes, until none is left (singleton consistency): more work a node, and
without givens the difference between seconds and hours. A trial is not counted as a branch.
"""

from collections.abc import Callable, Iterator
from itertools import islice

from models.block_party import nearest
from models.block_party.puzzle import BlockParty
from models.shared.grid import Cell
from models.shared.model import Tally
from models.shared.puzzle import Solution

Domains = dict[Cell, frozenset[int]]


class Rules:
    """The sets of cells that the rules speak of, and the two moves that propagate them."""

    def __init__(self, puzzle: BlockParty, tally: Tally):
        self.tally = tally
        self.region = {cell: region for region in puzzle.regions for cell in region}
        self.ring = nearest.rings(puzzle.distance, puzzle.domains)
        self.closer = nearest.closer(puzzle.distance, puzzle.domains)

    def assign(self, domains: Domains, cell: Cell, value: int) -> bool:
        """Leaves the cell only this value; False if that breaks a rule."""
        return value in domains[cell] and all(
            self.remove(domains, cell, other) for other in domains[cell] if other != value
        )

    def remove(self, domains: Domains, cell: Cell, value: int) -> bool:
        """Takes a value from a cell, and all that follows from it; False if that breaks a rule."""
        if value not in domains[cell]:
            return True
        domains[cell] -= {value}
        self.tally.propagations += 1
        if not domains[cell]:
            return False
        if len(domains[cell]) == 1 and not self.decided(domains, cell):
            return False
        places = [i for i in self.region[cell] if value in domains[i]]
        if not places or (len(places) == 1 and not self.assign(domains, places[0], value)):
            return False
        return all(self.supported(domains, i, value) for i in self.ring[cell, value])

    def decided(self, domains: Domains, cell: Cell) -> bool:
        """What follows from a cell that has one value left."""
        (value,) = domains[cell]
        return (
            all(self.remove(domains, i, value) for i in self.region[cell] if i != cell)
            and all(self.remove(domains, i, value) for i in self.closer[cell, value])
            and self.supported(domains, cell, value)
        )

    def supported(self, domains: Domains, cell: Cell, value: int) -> bool:
        """What follows from the cells left in the ring of a cell and a value."""
        if value not in domains[cell]:
            return True
        support = list(islice((i for i in self.ring[cell, value] if value in domains[i]), 2))
        if not support:
            return self.remove(domains, cell, value)
        if len(support) == 1 and len(domains[cell]) == 1:
            return self.assign(domains, support[0], value)
        return True

    def root(self, domains: Domains) -> bool:
        """Propagates the rules over the domains as the instance gives them."""
        regions = set(self.region.values())
        return (
            all(self.supported(domains, i, value) for i, value in self.ring)
            and all(self.decided(domains, i) for i in domains if len(domains[i]) == 1)
            and all(
                any(value in domains[i] for i in region)
                for region in regions
                for value in range(1, len(region) + 1)
            )
        )

    def shave(self, domains: Domains) -> bool:
        """Takes away every value whose assignment propagation refutes; False if that breaks a rule."""
        changed = True
        while changed:
            changed = False
            for cell in domains:
                for value in sorted(domains[cell], reverse=True):
                    if len(domains[cell]) > 1 and not self.assign(domains.copy(), cell, value):
                        changed = True
                        if not self.remove(domains, cell, value):
                            return False
        return True


def propagation(puzzle: BlockParty, tally: Tally) -> Iterator[Solution]:
    """Every solution, by depth-first search with propagation at each node."""
    rules = Rules(puzzle, tally)
    return search(puzzle, rules, rules.assign, rules.root)


def shaving(puzzle: BlockParty, tally: Tally) -> Iterator[Solution]:
    """Every solution, by depth-first search with propagation and trial assignments at each node."""
    rules = Rules(puzzle, tally)
    return search(
        puzzle,
        rules,
        lambda domains, cell, value: rules.assign(domains, cell, value) and rules.shave(domains),
        lambda domains: rules.root(domains) and rules.shave(domains),
    )


def search(
    puzzle: BlockParty,
    rules: Rules,
    assign: Callable[[Domains, Cell, int], bool],
    root: Callable[[Domains], bool],
) -> Iterator[Solution]:
    """Every solution, by depth-first search that branches on the smallest domain."""
    domains: Domains = {
        cell: frozenset(values) for cell, values in rules.tally.shuffled(puzzle.domains.items())
    }
    consistent = root(domains)
    rules.tally.root(variables=len(domains), undecided=sum(len(values) > 1 for values in domains.values()))

    def branch(domains: Domains) -> Iterator[Solution]:
        undecided = [cell for cell in domains if len(domains[cell]) > 1]
        if not undecided:
            yield puzzle.rows(lambda cell: min(domains[cell]))
            return
        cell = min(undecided, key=lambda i: len(domains[i]))
        for value in sorted(domains[cell]):
            rules.tally.branches += 1
            child = domains.copy()
            if assign(child, cell, value):
                yield from branch(child)
            else:
                rules.tally.failures += 1

    if consistent:
        yield from branch(domains)


FORMULATIONS = {"shaving": shaving, "propagation": propagation}
