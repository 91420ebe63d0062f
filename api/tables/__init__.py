"""Tables: photos, what was read, corrections by hand; kept as events."""
