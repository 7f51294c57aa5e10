"""A campaign: which runs, in which order, what became of each, and their record."""
