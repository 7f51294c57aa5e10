"""Times as a person reads them."""

import pandas as pd


def seconds(value: float, _position: int = 0) -> str:
    """A time as a person reads it."""
    if value < 0.9995e-3:
        return f"{value * 1e6:.3g} µs"
    return f"{value * 1e3:.3g} ms" if value < 0.9995 else f"{value:.3g} s"


def milliseconds(value: float) -> str:
    """A time in milliseconds, or nothing if there is none."""
    return "" if pd.isna(value) else f"{value * 1e3:,.1f}"
