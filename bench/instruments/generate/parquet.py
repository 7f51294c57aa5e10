"""A campaign as one Parquet file that says what its columns mean."""

import re
from pathlib import Path

import pandas as pd

from bench.campaign.results import KINDS
from bench.catalogue.errors import ROOT, RequestError
from bench.environment.releases import how_to_install

_COLUMNS = ROOT / "docs" / "columns.md"

_UNITS = {"s": "s", "mb": "10^6 bytes"}
"""The units of columns by the ends of their names."""


def write(runs: pd.DataFrame, machine: Path, file: Path) -> None:
    """Writes the runs of a campaign, as `read_runs` has them; the metadata of each column describe it.

    Those of the file have docs/columns.md, and machine.json if there is one. Without pyarrow it raises
    RequestError.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RequestError(f"--parquet needs pyarrow: {how_to_install('pip install pyarrow')}") from None
    meaning, columns = descriptions(), []
    for name in runs:
        kind = pyarrow.string() if runs[name].dtype == "str" else pyarrow.float64()
        # From 2^53 on, whole numbers lose digits where others in the column are unknown.
        if KINDS.get(name, int) in (int, int | None) and not runs[name].abs().max() >= 2**53:
            kind = pyarrow.int64()
        unit = _UNITS.get(name.rpartition("_")[2])
        about = {"description": meaning[name]} | ({"unit": unit} if unit else {})
        columns.append(pyarrow.field(name, kind, metadata=about))
    texts = {path.name: path.read_text(encoding="utf-8") for path in (_COLUMNS, machine) if path.exists()}
    schema = pyarrow.schema(columns, metadata={"description": "Runs of puzzle-bench, one a row"} | texts)
    parquet.write_table(pyarrow.Table.from_pandas(runs, schema, preserve_index=False), file)


def descriptions() -> dict[str, str]:
    """What the tables of docs/columns.md say of each column, without their links."""
    found = {"session": "the session in machine.json that executed the run, counted from 0"}
    heads: list[str] = []
    for line in _COLUMNS.read_text(encoding="utf-8").splitlines():
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line)
        first, *cells = (cell.strip() for cell in plain.strip("|").split("|"))
        if first == "column" or not cells:
            heads = cells
        elif heads:
            told = [f"{head}: {cell}" for head, cell in zip(heads, cells, strict=True) if cell]
            said = "; ".join(told) if len(heads) > 1 else cells[0]
            for name in (names := first.split(", ")):
                found[name] = said if len(names) == 1 else f"{first}: {said}"
    return found
