"""The command line: one file a group of commands."""

import gc

# What is imported stays: to look through it again and again takes a tenth of the time until a command begins.
gc.set_threshold(50_000)
