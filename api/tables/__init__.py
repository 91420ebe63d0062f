"""Tables: photos, their readings, manual corrections; stored as events."""
