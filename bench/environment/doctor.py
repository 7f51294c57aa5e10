"""What makes timings unreliable on this machine, in plain words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from bench.environment.install import untested
from bench.environment.known_faults import known_fault
from bench.environment.machine import Conditions, Hardware
from bench.environment.reference_load import STEADY

SAMPLES = 50
"""How often the reference load is measured."""


@dataclass(frozen=True)
class Check:
    """What was checked and what was found; `advice` is empty if it is as it should be."""

    what: str
    found: str
    advice: str = ""


def check_machine(
    hardware: Hardware, conditions: Conditions, reference_load_s: Sequence[float], stolen_s: float
) -> list[Check]:
    """What to know before timings from this machine are believed.

    Args:
        reference_load_s: times of the reference load in seconds, measured one after the other now.
        stolen_s: seconds that a hypervisor took from the cores meanwhile.
    """
    return [
        check_cores(hardware),
        check_load(conditions),
        check_governor(conditions),
        check_turbo(conditions),
        check_virtualisation(hardware),
        check_swap(conditions),
        check_power(conditions),
        check_clock(hardware),
        check_steadiness(reference_load_s, stolen_s),
    ]


def check_solvers(installed: Iterable[tuple[str, str, str | None]]) -> list[Check]:
    """A check for each known fault of these releases (backend, solver, version), or one if there is none.

    And one for each release that is newer than what was tested.
    """
    affected: dict[str, list[str]] = {}
    for backend, solver, version in installed:
        if fault := known_fault(backend, solver, version):
            affected.setdefault(fault, []).append(f"{backend}:{solver}")
    checks = [Check("solver releases", ", ".join(solvers), fault) for fault, solvers in affected.items()]
    checks = checks or [Check("solver releases", "none with known wrong answers")]
    for newer, tested in untested():
        advice = f"Not tested, its answers may be wrong; the newest that was tested is {tested}."
        checks.append(Check("solver releases", newer, advice))
    return checks


def check_cores(hardware: Hardware) -> Check:
    """Are there cores for a run, for the harness, and for the rest of the system?"""
    usable = len(hardware.usable_cores)
    found = f"{usable} usable of {hardware.cores or '?'} cores, {hardware.threads or '?'} hardware threads"
    advice = ""
    if hardware.quota:
        found += f", a quota of {hardware.quota:g} cores"
        advice = "A control group throttles this process when the quota is used up: times then jump."
    if usable < 2:
        advice = "One core: the harness and the system run where the runs do, so runs cannot be pinned."
    return Check("cores", found, advice)


def check_load(conditions: Conditions) -> Check:
    """Is something else running?"""
    load = conditions.load
    if load is None:
        return Check("load", "not told by this system")
    advice = "Something else is running; stop it, or wait until the load is below 0.5." if load > 0.5 else ""
    return Check("load", f"{load:.2f} in the last minute", advice)


def check_governor(conditions: Conditions) -> Check:
    """Who sets the frequency?"""
    name = conditions.governor
    if name is None:
        return Check("frequency governor", "not told by this system", "The frequency cannot be controlled.")
    advice = "" if name == "performance" else "Frequency follows load; set it to `performance`."
    return Check("frequency governor", name, advice)


def check_turbo(conditions: Conditions) -> Check:
    """May the frequency rise for a while?"""
    if conditions.turbo is None:
        return Check("turbo", "not told by this system", "Frequency may change with heat and neighbours.")
    advice = "Frequency depends on heat and on the other cores; turn turbo off." if conditions.turbo else ""
    return Check("turbo", "on" if conditions.turbo else "off", advice)


def check_virtualisation(hardware: Hardware) -> Check:
    """Is the machine shared with others?"""
    if hardware.virtual is None:
        return Check("virtualisation", "none that shows")
    advice = (
        "Neighbours that cannot be seen share cores, caches and memory: compare within one campaign only."
    )
    return Check("virtualisation", hardware.virtual, advice)


def check_swap(conditions: Conditions) -> Check:
    """Can memory be swapped out?"""
    if conditions.swap_mb is None:
        return Check("swap", "not told by this system")
    if not conditions.swap_mb:
        return Check("swap", "none")
    used = f"{conditions.swapped_mb} of {conditions.swap_mb} MB used"
    slow = "Memory that was swapped out is slow to come back; turn swap off."
    return Check("swap", used, slow if conditions.swapped_mb else "")


def check_power(conditions: Conditions) -> Check:
    """Does a battery slow it down?"""
    if conditions.on_battery:
        return Check("power", "battery", "Processors slow down on battery; plug it in.")
    return Check("power", "mains" if conditions.on_battery is False else "no battery that shows")


def check_clock(hardware: Hardware) -> Check:
    """Is reading the clock fast, and its resolution fine?"""
    resolution_s = hardware.timer_resolution_s
    if resolution_s is None:
        return Check("clock", "not told by this system")
    found = f"{hardware.clock or hardware.timer}, resolution {resolution_s * 1e9:.0f} ns"
    bad = hardware.clock in ("hpet", "acpi_pm", "jiffies") or resolution_s > 1e-6
    return Check("clock", found, "Reading this clock is slow or coarse." if bad else "")


def check_steadiness(reference_load_s: Sequence[float], stolen_s: float) -> Check:
    """Does the same work need the same time?"""
    # numpy needs a tenth of a second to import, and every command would wait for it.
    from bench.stats import variation

    varies = variation(reference_load_s)
    times = f"{median(reference_load_s) * 1e3:.1f} ms in the median of {len(reference_load_s)}"
    found, advice = f"{times}, varies by {varies:.1%}", ""
    if stolen_s > 0:
        found += f"; a hypervisor took {stolen_s:.2f} s"
        advice = "Neighbours took time from the cores: look at the column `stolen_s`."
    if varies > STEADY:
        advice = f"It varies by more than {STEADY:.0%}: only large differences mean something now."
    return Check("reference load", found, advice)
