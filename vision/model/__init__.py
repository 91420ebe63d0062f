"""The expected and the observed contents of a table, and the errors of photos."""
