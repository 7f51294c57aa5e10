"""Quasigroup completion."""
