"""How many of the first cars can have an option, by its windows and by how many cars have it in all."""

from models.car_sequencing.puzzle import CarSequencing


def bounds(puzzle: CarSequencing, option: int) -> list[tuple[int, int]]:
    """The least and the most cars with an option among the first i cars, for each i from 0 to n.

    Of any m consecutive cars, as many as fit into m // window whole windows and the rest can have it. So the
    first i have no more, nor those behind them, which leaves the least number (Dincbas et al., 1988). Where
    there is no order at all, a least number may be larger than the most.
    """
    p, q, n = puzzle.max_in_window[option], puzzle.window[option], puzzle.size
    demand = sum(puzzle.demand[c] for c in puzzle.having(option))
    fit = [m if q > n else m // q * p + min(m % q, p) for m in range(n + 1)]
    return [(max(0, demand - fit[n - i]), min(demand, fit[i])) for i in range(n + 1)]


def transitions(most: int, window: int) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The automaton of words with at most `most` 1s in any `window` symbols, and its states.

    Its steps are a state, 0 or 1, and the state after that. A state, of which 0 is the first, has the last
    symbols, one less than the window, as its bits.
    """
    steps, states, known = [], [0], {0}
    for state in states:
        for word in (state << 1, state << 1 | 1):
            if word.bit_count() <= most:
                after = word & ~(1 << window - 1)
                steps.append((state, word & 1, after))
                if after not in known:
                    known.add(after)
                    states.append(after)
    return steps, states
