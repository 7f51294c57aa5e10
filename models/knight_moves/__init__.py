"""Knight Moves."""
