"""What a campaign says: tables, scores, findings, pictures, the report."""
