"""Number Cross as an integer program without an objective: one network flow a row.

Each row's words by its own rules form a layered automaton (rows.py). Let S(i) be the symbols, digits or
shaded, that cell i has in some word of its row. The binary variable a[e] is 1 if the row's path takes arc e,
c[i,s] is 1 if cell i holds s.

`flow`:
    sum of a[e] over the arcs e that leave the start  = 1    for each row
    sum of a[e] that enter a state  = sum of those that leave it
    c[i,s] = sum of the arcs that read s at cell i           for each cell and s in S(i)
  and for each cell i above k:
    c[i,s] + c[k,s] <= 1                                     if they lie in two regions, for each digit s
    c[i,s] <= c[k,s] + c[k,shaded], and the reverse          if they lie in one region, for each digit s
    c[i,shaded] + c[k,shaded] <= 1

The arcs are declared continuous: the flow through a layered graph is integer wherever the c are.
"""

import pulp

from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.rows import neighbours, row_automata
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.milp import total
from models.shared.model import Model, chosen

Holds = dict[Cell, dict[str, pulp.LpVariable]]


def flow(puzzle: NumberCross) -> Model:
    """A path through each row's automaton."""
    problem = pulp.LpProblem("number_cross")
    problem += 0
    holds: Holds = {}
    for row, words in enumerate(row_automata(puzzle)):
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

    for i, k, same_region in neighbours(puzzle):
        for upper, lower in ((holds[i], holds[k]), (holds[k], holds[i])):
            for symbol, variable in upper.items():
                if symbol == SHADED or not same_region:
                    if symbol in lower and upper is holds[i]:
                        problem += total([variable, lower[symbol]]) <= 1
                else:
                    allowed = [lower[s] for s in (symbol, SHADED) if s in lower]
                    problem += total(allowed, minus=[variable]) >= 0

    return Model(
        problem,
        lambda of: puzzle.solution(lambda i: chosen(holds[i], of)),
        decisions=[variable for cell in holds.values() for variable in cell.values()],
    )


FORMULATIONS = {"flow": flow}
