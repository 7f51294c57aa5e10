"""What is read out of runs.csv: tables and plots."""
