"""Choco Banana."""
