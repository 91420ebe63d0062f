"""Pictures: the photo door, EXIF, the rectified map, rim paint, and the small nets."""
