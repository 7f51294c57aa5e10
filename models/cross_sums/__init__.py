"""Cross Sums."""
