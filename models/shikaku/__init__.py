"""Shikaku."""
