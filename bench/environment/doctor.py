"""What makes timings unreliable on this machine, in plain words."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from bench.contract import Backend
from bench.environment.machine import Machine
from bench.environment.reference_load import STEADY
from bench.environment.releases import known_fault, untested

SAMPLES = 50
"""How often the reference load is measured."""

Check = tuple[str, str, str]
"""What was checked, what was found, and advice, which is empty if it is as it should be."""


def check_machine(here: Machine, reference_load_s: Sequence[float], stolen_s: float) -> Iterator[Check]:
    """What to know before timings from this machine are believed; a hypervisor took `stolen_s` meanwhile."""
    # numpy needs a tenth of a second to import, and every command would wait for it.
    from bench.stats import variation

    untold = "not told by this system"
    usable, advice = len(here.usable_cores), ""
    found = f"{usable} usable of {here.cores or '?'} cores, {here.threads or '?'} hardware threads"
    if here.quota:
        found += f", a quota of {here.quota:g} cores"
        advice = "A control group throttles this process when the quota is used up: times then jump."
    if usable < 2:
        advice = "One core: the harness and the system run where the runs do, so runs cannot be pinned."
    yield "cores", found, advice

    advice = "Something else is running; stop it, or wait until the load is below 0.5."
    found = untold if here.load is None else f"{here.load:.2f} in the last minute"
    yield "load", found, advice if here.load and here.load > 0.5 else ""

    advice = "Frequency follows load; set it to `performance`."
    advice = {None: "The frequency cannot be controlled.", "performance": ""}.get(here.governor, advice)
    yield "frequency governor", here.governor or untold, advice

    found, advice = {
        None: (untold, "Frequency may change with heat and neighbours."),
        True: ("on", "Frequency depends on heat and on the other cores; turn turbo off."),
        False: ("off", ""),
    }[here.turbo]
    yield "turbo", found, advice

    advice = (
        "Neighbours that cannot be seen share cores, caches and memory: compare within one campaign only."
    )
    yield "virtualisation", here.virtual or "none that shows", advice if here.virtual else ""

    used = f"{here.swapped_mb} of {here.swap_mb} MB used" if here.swap_mb else "none"
    advice = "Memory that was swapped out is slow to come back; turn swap off."
    swaps = here.swap_mb and here.swapped_mb
    yield "swap", untold if here.swap_mb is None else used, advice if swaps else ""

    found = {None: "no battery that shows", True: "battery", False: "mains"}[here.on_battery]
    advice = "Processors slow down on battery; plug it in." if here.on_battery else ""
    yield "power", found, advice

    resolution_s, bad, found = here.timer_resolution_s, False, untold
    if resolution_s is not None:
        found = f"{here.clock or here.timer}, resolution {resolution_s * 1e9:.0f} ns"
        bad = here.clock in ("hpet", "acpi_pm", "jiffies") or resolution_s > 1e-6
    yield "clock", found, "Reading this clock is slow or coarse." if bad else ""

    varies, advice = variation(reference_load_s), ""
    found = f"{median(reference_load_s) * 1e3:.1f} ms in the median of {len(reference_load_s)}"
    found += f", varies by {varies:.1%}"
    if stolen_s > 0:
        found += f"; a hypervisor took {stolen_s:.2f} s"
        advice = "Neighbours took time from the cores: look at the column `stolen_s`."
    if varies > STEADY:
        advice = f"It varies by more than {STEADY:.0%}: only large differences mean something now."
    yield "reference load", found, advice


def check_solvers(backends: Iterable[Backend]) -> list[Check]:
    """The known faults of the solvers that are installed, and packages newer than was tested."""
    affected: dict[str, list[str]] = {}
    for backend in backends:
        for name, solver in backend.solvers.items():
            fault = known_fault(backend.name, name, solver.version)
            if fault and not (backend.missing or solver.variant):
                affected.setdefault(fault, []).append(f"{backend.name}:{name}")
    checks = [("solver releases", ", ".join(solvers), fault) for fault, solvers in affected.items()]
    checks = checks or [("solver releases", "none with known wrong answers on the models here", "")]
    for newer, tested in untested():
        advice = f"Not tested, its answers may be wrong; the newest that was tested is {tested}."
        checks.append(("solver releases", newer, advice))
    return checks
