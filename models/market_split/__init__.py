"""Market Split."""
