"""Number Cross as an integer program without an objective: a unit of flow through each row's automaton.

A row's word has one symbol for each cell: a digit, or "." for a shaded cell. The words that satisfy the row's
clue and all rules within the row are the paths through a minimal layered automaton (row_automata.py) from its
start to its last node, where the jth arc of a path reads the symbol of the jth cell.

Only words are looked at that are made of the symbols that propagation between the rows leaves (narrowing.py).
It decides Number Cross 4, so that the solver has nothing to find there.

Let S(i) be the symbols that cell i has in some word of its row. The binary variable holds[i][s] is 1 if cell
i holds s; arc[e] is 1 if the row's path takes the arc e of its automaton.

`flow`:
    sum of arc[e] over the arcs that leave the start  = 1    for each row
    sum of arc[e] over the arcs that enter a node
      = sum of arc[e] over the arcs that leave it            for each other node but the last
    sum of holds[i][s] over s in S(i)  = 1                   for each cell i
    holds[i][s] = sum of arc[e], e reads s at cell i         for each cell i and s in S(i)
  and for each cell i and the cell k below it:
    holds[i]["."] + holds[k]["."] <= 1
    holds[i][s] + holds[k][s] <= 1                           for each digit s, if i and k lie in two regions
    holds[i][s] <= holds[k][s] + holds[k]["."]               for each digit s, if they lie in one region
    holds[k][s] <= holds[i][s] + holds[i]["."]               the same, upwards

`own_rules`: the same with all words that satisfy the row's own rules, so that the solver propagates.

The arcs are declared continuous: as each word has one path only, arc[e] is integer wherever holds is.

Constraints: linear
"""

import pulp

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import LayeredAutomaton
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, by_name, from_literals


def flow(puzzle: NumberCross) -> Model:
    """States that each row is a word by a unit of flow, which is a path, through its automaton."""
    return _flow(puzzle, narrowed_automata(puzzle))


def own_rules(puzzle: NumberCross) -> Model:
    """States it of all words that satisfy the row's own rules."""
    return _flow(puzzle, row_automata(puzzle))


def _flow(puzzle: NumberCross, automata: list[LayeredAutomaton]) -> Model:
    problem = pulp.LpProblem("number_cross")
    problem += 0
    holds: dict[Cell, dict[str, pulp.LpVariable]] = {}

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        entering: dict[int, list[pulp.LpVariable]] = {}
        for column in range(puzzle.width):
            arc = {
                e: problem.add_variable(f"a_{row}_{column}_{e.source}_{e.symbol}", 0, 1)
                for e in words.arcs_at(column)
            }
            leaving = grouped(arc, lambda e: e.source)
            for node, arcs in leaving.items():
                if node == words.start:
                    # One arc leaves the start.
                    problem += total(arcs) == 1
                else:
                    # As many arcs enter a node as leave it.
                    problem += total(arcs, minus=entering[node]) == 0
            entering = grouped(arc, lambda e: e.target)

            # Each cell holds one symbol.
            reading = grouped(arc, lambda e: e.symbol)
            holds[row, column] = {
                symbol: problem.add_variable(f"c_{row}_{column}_{symbol}", cat=pulp.LpBinary)
                for symbol in sorted(reading)
            }
            problem += total(holds[row, column].values()) == 1

            # A cell holds a symbol exactly if the path takes an arc that reads it there.
            for symbol, variable in holds[row, column].items():
                problem += total(reading[symbol], minus=[variable]) == 0

    for i, k, same_region in puzzle.vertical_neighbours():
        for one, other in ((holds[i], holds[k]), (holds[k], holds[i])):
            for symbol, variable in one.items():
                if symbol == SHADED or not same_region:
                    # No two shaded cells share an edge; neighbours in two regions hold different digits.
                    if symbol in other and one is holds[i]:
                        problem += total([variable, other[symbol]]) <= 1
                else:
                    # Neighbours in one region hold the same digit, unless one of them is shaded.
                    allowed = [other[s] for s in (symbol, SHADED) if s in other]
                    problem += total(allowed, minus=[variable]) >= 0

    return Model(
        problem,
        from_literals(puzzle, holds),
        decisions=[variable for symbols in holds.values() for variable in symbols.values()],
    )


FORMULATIONS = by_name(flow, own_rules)
