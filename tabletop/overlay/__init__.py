"""The hex overlay on a photographed table: where the board lies, what terrain its hexes have, who stands in them."""
