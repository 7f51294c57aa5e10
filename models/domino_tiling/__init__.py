"""Domino Tiling."""
