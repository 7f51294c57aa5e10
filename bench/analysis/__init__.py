"""Analysis of a campaign: measurements, comparisons, scores, growth, trust, plots.

In all modules `runs` is the table of `tables.read_runs`, `measurements` are those of these runs, `best` is of
`scores.best_formulations`, `shared` of `scores.shared`, `climbs` of `growth.climbs`, a `problem` of
`scores.by_problem`.
"""
