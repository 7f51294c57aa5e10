"""Slitherlink."""
