"""Live mode: frames from a camera, stream, video or folder, and when a table has changed."""
