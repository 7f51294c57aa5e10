"""What is built around the core and imports it; the core never imports an instrument."""
