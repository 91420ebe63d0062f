"""What all routes share: the server's services, and the seat that a request comes from."""
