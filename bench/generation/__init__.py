"""Generates instances to order."""
