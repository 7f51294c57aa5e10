"""Nurikabe."""
