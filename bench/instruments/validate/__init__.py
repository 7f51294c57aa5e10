"""What `validate` looks at in a puzzle: its rules, its models, its generator."""
