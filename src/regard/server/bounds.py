"""Limits that schemas tell and workers check; what the service is told when it starts may be less."""

MOST_ROWS = 64
"""Of a check: each of its sections reads every row several times."""
MOST_INPUTS = 1024
MOST_CHARACTERS = 1_000_000
"""Of a text."""
MOST_ROW_CHARACTERS = 1_000
MOST_TOKENS = 100_000
"""Of ids that are decoded, and ids themselves are below 2²⁴."""
MOST_ID = 2**24
MOST_BEST = 256
MOST_STEPS = 1_000
"""Of integrated gradients."""
