"""Magic hexagon: numbers in a hexagon with the same sum along every line."""
