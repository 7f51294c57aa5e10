"""Peaceable Queens."""
