"""``python -m tabletop``: the command line."""

from tabletop.cli import main

if __name__ == "__main__":
    main()
