"""Hidato."""
