"""Two campaigns, or two revisions, against each other: what became wrong, slower, or searches more."""
