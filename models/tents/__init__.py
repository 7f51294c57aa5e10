"""Tents."""
