"""Terrain: what the ground net reads, made into outlines, ribbons and hills; players' taps."""
