"""Instances made to order."""
