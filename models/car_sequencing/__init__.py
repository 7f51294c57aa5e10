"""Bin packing."""
