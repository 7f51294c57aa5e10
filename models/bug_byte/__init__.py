"""Bug Byte: label the edges of a graph so that nodes and paths have given sums."""
