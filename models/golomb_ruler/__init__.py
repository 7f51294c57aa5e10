"""Golomb ruler."""
