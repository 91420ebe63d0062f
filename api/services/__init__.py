"""Shared by all routes: the server's services, and the seat of a request."""
