"""Uploaded photos: decoded in a sandbox, queued as jobs, stored; cameras. `vision` reads their contents."""
