"""What samples of instances say of each kind of puzzle, and of kinds of puzzles."""
