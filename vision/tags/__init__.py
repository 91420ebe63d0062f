"""Unit tags: read, and turned into the pose of their base."""
