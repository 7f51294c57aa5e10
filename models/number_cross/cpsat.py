"""Number Cross for CP-SAT: each row is a word of its automaton, and each cell agrees with the one below it.

Some cells are shaded, no two of which share an edge; the others hold digits. Unshaded cells that share an
edge hold the same digit exactly if they lie in one region. The digits between shaded cells of a row are
numbers of two digits or more that satisfy the row's clue, such as "square" or "multiple of 37".

A word has one symbol for each cell of its row: a digit, or "." for a shaded cell. The words that satisfy the
row's clue and all rules within the row are the paths through a minimal layered automaton (row_automata.py)
from its start to its last node, where the jth arc of a path reads the symbol of the jth cell.

Let S(i) be the symbols that cell i has in some word of its row. All formulations have literals holds[i][s],
cell i holds s, for s in S(i). For each cell i and the cell k below it (`not` is stated from both cells):
    not (holds[i]["."] and holds[k]["."])
    not (holds[i][s] and holds[k][s])                        for each digit s, if i and k lie in two regions
    holds[i][s] => holds[k][s] or holds[k]["."]              for each digit s, if they lie in one region
    holds[k][s] => holds[i][s] or holds[i]["."]              the same, upwards

`automaton`: integers x[i] in S(i), symbols written as integers (CODES), and holds[i][s] <=> x[i] = s.
    (x[i] for i in the row) is a word of the automaton       for each row
`flow`: literals arc[e] for the arcs e of each row's automaton, true if the row's path takes e.
    one arc leaves the start                                 for each row
    as many arcs enter a node as leave it                    for each other node but the last
    holds[i][s] = sum of arc[e], e reads s at cell i         for each cell i and s in S(i)
    exactly one s in S(i) with holds[i][s]                   for each cell i
`table`: x[i] and holds[i][s] as in `automaton`.
    (x[i] for i in the row) is one of the words              for each row, all words listed
`narrowed`: `automaton`, with those words alone that are made of the symbols which propagation between the
  rows leaves (narrowing.py). It decides Number Cross 4, so that the solver has nothing to find there.

Constraints: clauses in all; automaton (also called regular) in `narrowed` and `automaton`; exactly-one,
linear in `flow`; table in `table`
"""

from ortools.sat.python import cp_model

from models.number_cross.narrowing import narrowed_automata
from models.number_cross.puzzle import CODES, SHADED, NumberCross
from models.number_cross.row_automata import row_automata
from models.shared.automaton import ACCEPT, LayeredAutomaton
from models.shared.flow import grouped
from models.shared.grid import Cell
from models.shared.model import Model, by_name, from_literals

Integers = dict[Cell, cp_model.IntVar]
Literals = dict[Cell, dict[str, cp_model.IntVar]]


def narrowed(puzzle: NumberCross) -> Model:
    """States that each row is a word, of those that the rows around it leave."""
    return _automaton(puzzle, narrowed_automata(puzzle))


def automaton(puzzle: NumberCross) -> Model:
    """States that each row is a word by CP-SAT's automaton constraint."""
    return _automaton(puzzle, row_automata(puzzle))


def _automaton(puzzle: NumberCross, automata: list[LayeredAutomaton]) -> Model:
    model, x, holds = _cells(puzzle, automata)

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        if words.start is not None:
            arcs = [(e.source, CODES[e.symbol], e.target) for e in words.arcs()]
            model.add_automaton(
                [x[row, column] for column in range(puzzle.width)], words.start, [ACCEPT], arcs
            )

    return Model(model, from_literals(puzzle, holds))


def flow(puzzle: NumberCross) -> Model:
    """States that each row is a word by a unit of flow, which is a path, through its automaton."""
    model = cp_model.CpModel()
    holds: Literals = {}

    # Each row is a word of its automaton.
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
                literal = arcs[0]  # stands for the symbol itself where no other arc reads it
                if len(arcs) > 1:
                    literal = model.new_bool_var(f"row {row} column {column} is {symbol}")
                    model.add_exactly_one([~literal, *arcs])  # literal = sum of its arcs
                holds[row, column][symbol] = literal

            # Each cell holds one symbol.
            model.add_exactly_one(holds[row, column].values())

    _link_rows(model, puzzle, holds)
    return Model(model, from_literals(puzzle, holds))


def table(puzzle: NumberCross) -> Model:
    """States that each row is a word by CP-SAT's table constraint."""
    model, x, holds = _cells(puzzle, automata := row_automata(puzzle))

    # Each row is a word of its automaton.
    for row, words in enumerate(automata):
        if words.start is not None:
            tuples = [[CODES[symbol] for symbol in word] for word in words.words()]
            model.add_allowed_assignments([x[row, column] for column in range(puzzle.width)], tuples)

    return Model(model, from_literals(puzzle, holds))


def _cells(
    puzzle: NumberCross, automata: list[LayeredAutomaton]
) -> tuple[cp_model.CpModel, Integers, Literals]:
    """Returns a model with an integer and literals for each cell, and what links the rows."""
    model = cp_model.CpModel()
    x: Integers = {}
    holds: Literals = {}
    for row, words in enumerate(automata):
        if words.start is None:
            # A row without words: there is no solution.
            model.add_bool_or([])
        for column, symbols in enumerate(words.symbols()):
            cell = row, column
            # A variable needs a value, even in a row without words.
            symbols = symbols or {SHADED}
            x[cell] = model.new_int_var_from_domain(
                cp_model.Domain.from_values([CODES[symbol] for symbol in symbols]), f"x{cell}"
            )
            holds[cell] = {symbol: model.new_bool_var(f"{cell} is {symbol}") for symbol in sorted(symbols)}

            # A literal is true exactly if its cell has the value.
            for symbol, literal in holds[cell].items():
                model.add(x[cell] == CODES[symbol]).only_enforce_if(literal)
                model.add(x[cell] != CODES[symbol]).only_enforce_if(~literal)

    _link_rows(model, puzzle, holds)
    return model, x, holds


def _link_rows(model: cp_model.CpModel, puzzle: NumberCross, holds: Literals) -> None:
    """Adds what each cell says about the cell below it."""
    for i, k, same_region in puzzle.vertical_neighbours():
        for one, other in ((holds[i], holds[k]), (holds[k], holds[i])):
            for symbol, literal in one.items():
                if symbol == SHADED or not same_region:
                    # No two shaded cells share an edge; neighbours in two regions hold different digits.
                    if symbol in other:
                        model.add_implication(literal, ~other[symbol])
                else:
                    # Neighbours in one region hold the same digit, unless one of them is shaded.
                    model.add_bool_or(~literal, *(other[s] for s in (symbol, SHADED) if s in other))


FORMULATIONS = by_name(narrowed, automaton, flow, table)
