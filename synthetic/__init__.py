"""Drawn tables: seeded test tables with exact truth, painted from code, for tests, benchmarks and training."""
