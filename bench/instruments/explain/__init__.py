"""Why: what each mechanism of a solver contributes, and what relaxation and propagation alone achieve."""
