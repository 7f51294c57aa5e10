"""Latin sums."""
