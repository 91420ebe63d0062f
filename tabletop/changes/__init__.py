"""What changed between two moments, and what a ruleset proposes in response."""
