"""Analysis of a campaign: measurements, scores, findings, pictures, the report."""
