"""ABC End View."""
