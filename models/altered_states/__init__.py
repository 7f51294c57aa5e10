"""Altered States."""
