"""Schemas: bodies of requests and answers, a file for each of `api.routes`.

The JSON of players' actions follows from their declarations (`tabletop.game.actions`).
"""
