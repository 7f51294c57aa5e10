"""The command `doctor`."""

from rich.markup import escape
from rich.table import Table

from bench.cli.console import answers
from bench.cli.listing import offered_backends, solver_table, versions
from bench.environment import doctor, machine, processes
from bench.execution.pool import server_pools, warn_if_not_pinned


def doctor_() -> None:
    """Show what makes timings unreliable on this machine, and which solvers are missing."""
    hardware, conditions = machine.hardware(), machine.conditions()
    with server_pools(1) as (pool,):
        warn_if_not_pinned(pool)
        stolen_before = processes.stolen_s(pool.cores)
        reference_load_s = [pool.measure_reference_load() for _ in range(doctor.SAMPLES)]
        stolen_s = processes.since(stolen_before, processes.stolen_s(pool.cores)) or 0.0
    backends = offered_backends()
    checks = [
        *doctor.check_machine(hardware, conditions, reference_load_s, stolen_s),
        *doctor.check_solvers(versions(backends)),
    ]
    table = Table("what", "found", "effect on timings", title=machine.cpu(), title_justify="left")
    for check in checks:
        mark = f"[yellow]{escape(check.advice)}[/]" if check.advice else "[green]fine[/]"
        table.add_row(check.what, escape(check.found), mark)
    answers.print(table)
    answers.print(solver_table(backends))
