"""Executes runs in processes of their own, under limits."""
