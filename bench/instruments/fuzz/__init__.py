"""Looks for wrong answers of solvers, on instances that nobody wrote."""
