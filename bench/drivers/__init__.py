"""One driver a backend: solves a built model and reads the statistics of its solver."""
