"""Star Battle."""
