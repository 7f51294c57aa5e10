"""Hall of Mirrors."""
