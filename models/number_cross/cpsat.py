"""Number Cross for CP-SAT. Each row's words by its own rules form a layered automaton (rows.py).

Let S(i) be the symbols, digits or shaded, that cell i has in some word of its row.

Both formulations link neighbouring rows by literals c[i,s], cell i holds s; for i above k:
    not (c[i,s] and c[k,s])                                  if they lie in two regions, for each digit s
    c[i,s] => c[k,s] or c[k,shaded], and the reverse         if they lie in one region, for each digit s
    not (c[i,shaded] and c[k,shaded])

`flow`: literals a[e] for the arcs e of each row's automaton.
    exactly one arc leaves the start
    as many arcs enter a state as leave it                   for each other state but the last
    c[i,s] = sum of the arcs that read s at cell i
`automaton`: integers x[i] in S(i), and c[i,s] is x[i] = s.
    (x[i] for i in the row) is a word of the automaton       for each row, CP-SAT's own constraint
`table`: the same with
    (x[i] for i in the row) is one of the words              for each row, all words listed
"""

from ortools.sat.python import cp_model

from models.number_cross.puzzle import SHADED, NumberCross
from models.number_cross.rows import CODES, neighbours, row_automata
from models.shared.automaton import ACCEPT, Layered
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.model import Model, chosen

Literals = dict[Cell, dict[str, cp_model.IntVar]]


def flow(puzzle: NumberCross) -> Model:
    """A path through each row's automaton."""
    model = cp_model.CpModel()
    holds: Literals = {}
    for row, words in enumerate(row_automata(puzzle)):
        entering: dict[int, list[cp_model.IntVar]] = {}
        for column in range(puzzle.width):
            arc = {
                e: model.new_bool_var(f"row {row} column {column} from {e.source} by {e.symbol}")
                for e in words.arcs_at(column)
            }
            leaving = grouped(arc, lambda e: e.source)
            for node, arcs in leaving.items():
                if node == words.start:
                    # One arc leaves the start.
                    model.add_exactly_one(arcs)
                else:
                    # As many arcs enter a node as leave it.
                    model.add(sum(entering[node]) == sum(arcs))
            entering = grouped(arc, lambda e: e.target)

            # A cell holds a symbol exactly if the path takes an arc that reads it there.
            holds[row, column] = {}
            for symbol, arcs in sorted(grouped(arc, lambda e: e.symbol).items()):
                literal = arcs[0]
                if len(arcs) > 1:
                    literal = model.new_bool_var(f"row {row} column {column} is {symbol}")
                    model.add_exactly_one([~literal, *arcs])
                holds[row, column][symbol] = literal

            # Each cell holds one symbol.
            model.add_exactly_one(holds[row, column].values())
    _link(model, puzzle, holds)
    return _model(model, puzzle, holds)


def automaton(puzzle: NumberCross) -> Model:
    """CP-SAT's automaton constraint."""
    model, x, holds = _cells(puzzle, automata := row_automata(puzzle))
    for row, words in enumerate(automata):
        if words.start is None:
            continue
        arcs = [(e.source, CODES[e.symbol], e.target) for e in words.arcs()]
        model.add_automaton([x[row, column] for column in range(puzzle.width)], words.start, [ACCEPT], arcs)
    return _model(model, puzzle, holds)


def table(puzzle: NumberCross) -> Model:
    """CP-SAT's table constraint."""
    model, x, holds = _cells(puzzle, automata := row_automata(puzzle))
    for row, words in enumerate(automata):
        if words.start is None:
            continue
        tuples = [[CODES[symbol] for symbol in word] for word in words.words()]
        model.add_allowed_assignments([x[row, column] for column in range(puzzle.width)], tuples)
    return _model(model, puzzle, holds)


def _cells(
    puzzle: NumberCross, automata: list[Layered]
) -> tuple[cp_model.CpModel, dict[Cell, cp_model.IntVar], Literals]:
    """An integer a cell, its literals, and the links between rows."""
    model = cp_model.CpModel()
    x: dict[Cell, cp_model.IntVar] = {}
    holds: Literals = {}
    for row, words in enumerate(automata):
        if words.start is None:
            model.add_bool_or([])
        for column, symbols in enumerate(words.symbols()):
            cell = row, column
            # A variable needs a value, even in a row without words.
            symbols = symbols or {SHADED}
            x[cell] = model.new_int_var_from_domain(
                cp_model.Domain.from_values([CODES[symbol] for symbol in symbols]), f"x{cell}"
            )
            holds[cell] = {symbol: model.new_bool_var(f"{cell} is {symbol}") for symbol in sorted(symbols)}
            for symbol, literal in holds[cell].items():
                model.add(x[cell] == CODES[symbol]).only_enforce_if(literal)
                model.add(x[cell] != CODES[symbol]).only_enforce_if(~literal)
    _link(model, puzzle, holds)
    return model, x, holds


def _link(model: cp_model.CpModel, puzzle: NumberCross, holds: Literals) -> None:
    """What a cell says about the one below it."""
    for i, k, same_region in neighbours(puzzle):
        for upper, lower in ((holds[i], holds[k]), (holds[k], holds[i])):
            for symbol, literal in upper.items():
                if symbol == SHADED or not same_region:
                    if symbol in lower:
                        model.add_implication(literal, ~lower[symbol])
                else:
                    model.add_bool_or(~literal, *(lower[s] for s in (symbol, SHADED) if s in lower))


def _model(model: cp_model.CpModel, puzzle: NumberCross, holds: Literals) -> Model:
    return Model(
        model,
        lambda of: puzzle.solution(lambda i: chosen(holds[i], of)),
    )


FORMULATIONS = {"automaton": automaton, "flow": flow, "table": table}
