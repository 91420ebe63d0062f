"""The addresses under /api: parse, call one function, shape the answer."""
