"""(being written)"""

from pathlib import Path

from bench.execution.pool import ServerPool
from bench.fuzzing.finding import Finding
from bench.generation.instance_file import as_toml


def write_evidence(finding: Finding, folder: Path, servers: ServerPool) -> None:
    """Writes the instance."""
    (folder / "instance.toml").write_text(as_toml(finding.table))
