"""What is shown of a campaign: tables, plots, the page."""
