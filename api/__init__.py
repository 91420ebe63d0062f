"""FastAPI app and the phone page."""
