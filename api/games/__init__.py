"""Games on the server: commands, the event stream, notifications between processes."""
