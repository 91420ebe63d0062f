"""The table: its file, the scene, marker dictionaries."""
