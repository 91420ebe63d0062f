"""Photos: uploads decoded in a sandbox, jobs, stored pictures, cameras."""
