"""The releases that the package index has, and an environment for each, made by uv: for `--release`."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.catalogue.errors import RequestError
from bench.environment.files import cache_folder
from bench.environment.releases import FAULTS, bounds, installed, numbers, pip_line

_SERVER = ("packaging", "psutil")
"""What the servers of backends import, beside numpy, solvers and what these are modelled with."""

_PYTHON = "Python {}.{}".format(*sys.version_info)

NEW = "new"
"""Where --release takes a release: all that are newer than what is installed."""


@dataclass(frozen=True)
class _Release:
    """A release of a package; `uploaded` says when its wheel was, None if the index does not."""

    package: str
    version: str
    uploaded: datetime | None = None

    def __str__(self) -> str:
        """The text that --release takes, and rows have."""
        return f"{self.package}=={self.version}"


def find_release(text: str) -> _Release:
    """The newest release with a wheel for this Python that a text as `ortools==9.12` means.

    Raises RequestError if there is none.
    """
    found = re.fullmatch(r"([\w.-]+?)==(\d[\w.]*)", text)
    if not found:
        raise RequestError(f"--release {text}: write a package and a release, as in ortools==9.12")
    # Nothing may stand behind the number of a later version of the same release.
    if release := _newest(f"{text}.*" if re.fullmatch(r"[\d.]+", found[2]) else text):
        return release
    there = ", ".join(each.version for each in minor_releases(found[1])) or "none"
    raise RequestError(f"--release {text}: the index has no wheel of it for {_PYTHON} here; it has {there}")


def minor_releases(package: str) -> list[_Release]:
    """The newest release of each minor one that has a wheel for this Python, the oldest first.

    Raises RequestError if there is none.
    """
    if not re.fullmatch(r"[\w.-]+", package):
        raise RequestError(f"--releases {package}: write the name of a package, as ortools")
    found: list[_Release] = []
    while release := _newest(f"{package}<{'.'.join(found[-1].version.split('.')[:2])}" if found else package):
        found.append(release)
    if not found:
        raise RequestError(f"--releases {package}: the index has no release of it with a wheel for {_PYTHON}")
    return found[::-1]


def new_releases() -> list[str]:
    """Of each package of a solver the release here and the newest in the index, where that is newer.

    Releases that are known to be wrong are not looked at again.
    """
    found = []
    for package, here in ((name, version) for name in bounds() if (version := installed(name))):
        newest = _newest(package)
        known = newest and any(each.package == newest.package and each.has(newest.version) for each in FAULTS)
        if newest and not known and numbers(newest.version) > numbers(here):
            found += [f"{newest.package}=={here}", str(newest)]
    return found


def releases_between(package: str, first: str, last: str) -> list[_Release]:
    """All releases from one to another that have a wheel for this Python, the oldest first.

    Raises RequestError if one of the two does not exist, or the last is not the later one.
    """
    from_version = find_release(f"{package}=={first}").version
    found = [find_release(f"{package}=={last}")]
    if numbers(found[0].version) <= numbers(from_version):
        raise RequestError(f"{found[0]} is not later than {from_version}; exchange --from and --to")
    while release := _newest(f"{package}>={from_version},<{found[-1].version}"):
        found.append(release)
    return found[::-1]


def _newest(wanted: str) -> _Release | None:
    """The newest release that fits; None if there is none with a wheel for this Python."""
    words = ("--quiet", "--no-deps", "--only-binary", ":all:", "--prerelease", "disallow")
    form = ("--python-version", _PYTHON.split()[1], "--format", "pylock.toml", "-")
    try:
        said = _uv("pip", "compile", *words, *form, text=wanted)
    except _NoSolution:
        return None
    package = tomllib.loads(said)["packages"][0]
    dates = [wheel["upload-time"] for wheel in package["wheels"] if "upload-time" in wheel]
    return _Release(canonical(package["name"]), package["version"], min(dates, default=None))


class _NoSolution(Exception):
    """Nothing in the index fits."""


def _uv(*words: str, text: str = "") -> str:
    """What uv prints, offline if the index cannot be reached; raises RequestError if uv fails."""
    uv = shutil.which("uv", path=Path(sys.executable).parent) or shutil.which("uv")
    if not uv:
        raise RequestError(f"releases are installed by uv: {pip_line('releases')}")
    command = [uv, "--no-progress", "--color", "never", *words]
    said = []
    for again in ([], ["--offline"]):
        done = subprocess.run([*command, *again], input=text, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
        said.append(" ".join(re.sub(r"[^\x20-\x7e]", " ", done.stderr).split()))
        # Offline, its cache may lack what the index has.
        if "No solution found" in said[0]:
            raise _NoSolution(said[0])
    raise RequestError(f"`uv {' '.join(words[:2])} ...` failed: {said[0]}")


def python_of(release: str) -> Path:
    """The Python of the environment of a release as `ortools==9.12.4544`, which need not have been made."""
    version = "{}.{}.{}".format(*sys.version_info)
    return cache_folder("releases") / f"{release}-python-{version}" / "bin" / "python"


def make_environment(release: str, others: Iterable[str]) -> None:
    """Makes the environment of a release, if it is not there, with other packages as they are installed here.

    What the release itself needs is of its time: of the newest numpy or protobuf its authors knew nothing.
    Raises RequestError if it cannot be made.
    """
    folder, python = python_of(release).parents[1], str(python_of(release))
    package = release.partition("==")[0]
    others = sorted(name for name in others if canonical(name) != package)
    beside = [f"{name}=={version}" if (version := installed(name)) else name for name in (*_SERVER, *others)]
    install = ("pip", "install", "--quiet", "--only-binary", ":all:", "--python")
    try:
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            # Under another name until it is whole, as it may be interrupted, or be made twice at once.
            with TemporaryDirectory(prefix=".", dir=folder.parent, ignore_cleanup_errors=True) as draft:
                _uv("venv", "--quiet", "--clear", "--relocatable", "--python", sys.executable, draft)
                found = _newest(release)
                until = found and found.uploaded and (found.uploaded + timedelta(days=1)).date().isoformat()
                # Environments had setuptools once, and old packages import it without saying so.
                wanted = (*(("--exclude-newer", until) if until else ()), release, "setuptools", "numpy")
                _uv(*install, draft, *wanted)
                with suppress(OSError):
                    Path(draft).rename(folder)
        # CPMpy would bring OR-Tools, and with it another numpy.
        _uv(*install, python, "--no-deps", *beside)
    except (_NoSolution, RequestError) as error:
        raise RequestError(f"--release {release}: its environment cannot be made: {error}") from None


def packages_in(release: str) -> list[str]:
    """What the environment of a release has, as `numpy==1.26.4`; nothing if it could not be made."""
    if not python_of(release).exists():
        return []
    return _uv("pip", "freeze", "--quiet", "--python", str(python_of(release))).split()


def canonical(package: str) -> str:
    """The name of a package as an index has it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def by_version(release: str) -> tuple[str, tuple[int, ...]]:
    """Where a release stands among others: by its package, then by its version."""
    package, _, version = release.partition("==")
    return package, numbers(version)
