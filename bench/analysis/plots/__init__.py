"""The pictures of a campaign."""
