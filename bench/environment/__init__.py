"""What the machine and its operating system offer, and how reliable timings on them are."""
