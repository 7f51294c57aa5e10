"""Number Cross: shade cells and fill the rest with numbers that satisfy the clues of their rows."""
