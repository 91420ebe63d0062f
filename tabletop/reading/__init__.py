"""Reading JSON and TOML from people, with the place of every fault."""
