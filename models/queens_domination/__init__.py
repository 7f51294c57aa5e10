"""Queens Domination."""
