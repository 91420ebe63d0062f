"""Processes that read photos, and the delivery of jobs to them."""
