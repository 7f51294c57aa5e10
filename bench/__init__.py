"""The harness: plans runs, makes them in worker processes, checks, records and draws them."""
