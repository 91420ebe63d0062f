"""The documentation site: what is made of the code, and how all of it is put together."""
