"""Uploaded photos: decoded in a sandbox, queued as jobs, kept; cameras. `vision` reads what they show."""
