"""Identity: bases and units matched between two moments."""
