"""What goes over the wire: bodies of requests and answers, a file for each of `api.routes`.

Actions of players have their JSON from their declarations (`tabletop.game.actions`).
"""
