"""Twenty Four Seven."""
