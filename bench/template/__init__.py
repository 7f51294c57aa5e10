"""Latin sums, the example that `new` copies: change it step by step into a puzzle of your own."""
