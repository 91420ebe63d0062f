"""Independent slow references for the tests."""
