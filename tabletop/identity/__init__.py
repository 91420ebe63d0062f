"""Who is who: bases and units matched between two moments."""
