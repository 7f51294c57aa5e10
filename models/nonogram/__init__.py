"""Nonogram."""
