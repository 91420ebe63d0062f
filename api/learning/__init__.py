"""Which photos of games are settled, so that they are learnt from."""
