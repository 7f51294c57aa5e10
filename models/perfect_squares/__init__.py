"""Perfect squares."""
