"""What makes timings unreliable on this machine, in plain words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.environment.known_faults import known_fault
from bench.environment.reference_load import STEADY

SAMPLES = 50
"""How often the reference load is measured."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `advice` is empty if it is as it should be."""

    what: str
    found: str
    advice: str = ""


def examine(facts: Mapping[str, Any], sentinel: Sequence[float], stolen_s: float) -> list[Finding]:
    """What to know before timings from this machine are believed.

    Args:
        facts: of `machine.hardware` and `machine.state`.
        sentinel: times of the reference load, in seconds, measured one after the other now.
        stolen_s: what a hypervisor took from the cores meanwhile.
    """
    return [
        cores(facts),
        load(facts),
        governor(facts),
        turbo(facts),
        virtual(facts),
        memory(facts),
        power(facts),
        clock(facts),
        steady(sentinel, stolen_s),
    ]


def releases(installed: Iterable[tuple[str, str, str | None]]) -> list[Finding]:
    """Which solver releases are known to give wrong answers; one finding if there are none.

    Args:
        installed: backend, solver and version of each.
    """
    affected: dict[str, list[str]] = {}
    for backend, solver, version in installed:
        if fault := known_fault(backend, solver, version):
            affected.setdefault(fault, []).append(f"{backend}:{solver}")
    return [Finding("solver releases", ", ".join(solvers), fault) for fault, solvers in affected.items()] or [
        Finding("solver releases", "none with known wrong answers")
    ]


def cores(facts: Mapping[str, Any]) -> Finding:
    """Are there cores for a run, for the harness, and for the rest of the system?"""
    usable = len(facts["usable_cores"])
    found = f"{usable} usable of {facts['cores'] or '?'} cores, {facts['threads'] or '?'} hardware threads"
    if facts["quota"]:
        found += f", a quota of {facts['quota']:g} cores"
    if usable < 2:
        advice = "One core: the harness and the system run where the runs do, so runs cannot be pinned."
    elif facts["quota"]:
        advice = "A control group throttles this process when the quota is used up: times then jump."
    else:
        advice = ""
    return Finding("cores", found, advice)


def load(facts: Mapping[str, Any]) -> Finding:
    """Is something else running?"""
    if facts["load"] is None:
        return Finding("load", "not told by this system")
    busy = facts["load"] > 0.5
    advice = "Something else is running; stop it, or wait until the load is below 0.5." if busy else ""
    return Finding("load", f"{facts['load']:.2f} in the last minute", advice)


def governor(facts: Mapping[str, Any]) -> Finding:
    """Who sets the frequency?"""
    name = facts["governor"]
    if name is None:
        return Finding("frequency governor", "not told by this system", "The frequency cannot be controlled.")
    advice = "" if name == "performance" else "Frequency follows load; set it to `performance`."
    return Finding("frequency governor", name, advice)


def turbo(facts: Mapping[str, Any]) -> Finding:
    """May the frequency rise for a while?"""
    if facts["turbo"] is None:
        return Finding("turbo", "not told by this system", "Frequency may change with heat and neighbours.")
    advice = "Frequency depends on heat and on the other cores; turn turbo off." if facts["turbo"] else ""
    return Finding("turbo", "on" if facts["turbo"] else "off", advice)


def virtual(facts: Mapping[str, Any]) -> Finding:
    """Is the machine shared with others?"""
    kind = facts["virtual"]
    if kind is None:
        return Finding("virtualisation", "none that shows")
    advice = (
        "Neighbours that cannot be seen share cores, caches and memory: compare within one campaign only."
    )
    return Finding("virtualisation", kind, advice)


def memory(facts: Mapping[str, Any]) -> Finding:
    """Can memory be swapped out?"""
    if facts["swap_mb"] is None:
        return Finding("swap", "not told by this system")
    if not facts["swap_mb"]:
        return Finding("swap", "none")
    used = f"{facts['swapped_mb']} of {facts['swap_mb']} MB used"
    advice = "Memory that was swapped out is slow to come back; turn swap off." if facts["swapped_mb"] else ""
    return Finding("swap", used, advice)


def power(facts: Mapping[str, Any]) -> Finding:
    """Does a battery slow it down?"""
    if facts["on_battery"]:
        return Finding("power", "battery", "Processors slow down on battery; plug it in.")
    return Finding("power", "mains" if facts["on_battery"] is False else "no battery that shows")


def clock(facts: Mapping[str, Any]) -> Finding:
    """Is reading the clock cheap and fine?"""
    if facts["timer_resolution_s"] is None:
        return Finding("clock", "not told by this system")
    found = f"{facts['clock'] or facts['timer']}, resolution {facts['timer_resolution_s'] * 1e9:.0f} ns"
    slow = facts["clock"] in ("hpet", "acpi_pm", "jiffies")
    coarse = facts["timer_resolution_s"] > 1e-6
    return Finding("clock", found, "Reading this clock is slow or coarse." if slow or coarse else "")


def steady(sentinel: Sequence[float], stolen_s: float) -> Finding:
    """Does the same work take the same time?"""
    # numpy takes a tenth of a second to import, and every command would wait for it.
    from bench.stats import variation

    varies = variation(sentinel)
    found = f"{median(sentinel) * 1e3:.1f} ms in the median of {len(sentinel)}, varies by {varies:.1%}"
    if stolen_s > 0:
        found += f"; a hypervisor took {stolen_s:.2f} s"
    advice = ""
    if varies > STEADY:
        advice = f"It varies by more than {STEADY:.0%}: only large differences mean something now."
    elif stolen_s > 0:
        advice = "Neighbours took time from the cores: look at the column `stolen_s`."
    return Finding("reference load", found, advice)
