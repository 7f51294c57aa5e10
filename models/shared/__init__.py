"""What several puzzles or models need, once."""
