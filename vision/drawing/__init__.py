"""Drawing: observations, overlays and trust pictures over photos, maps and SVG."""
