"""The puzzles: one folder each, the rules in puzzle.py and one file of models for each backend."""
