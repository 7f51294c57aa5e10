"""Block Party: regions hold 1..k, and the nearest other K lies at distance exactly K."""
