"""Pictures as the stages of `vision` need them: opened, upright, as maps from above; rim paint and the small nets.

Uploads to the server are in `api.photos`.
"""
