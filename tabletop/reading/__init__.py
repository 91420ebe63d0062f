"""Reading what people write: JSON and TOML, every fault told at its place."""
