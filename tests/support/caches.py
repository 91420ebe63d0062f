"""What functions of some modules remember, forgotten."""

import sys
from functools import _lru_cache_wrapper


def clear_caches(*prefixes: str) -> None:
    """Clear the caches of all loaded modules whose names begin with one of these."""
    for name, module in list(sys.modules.items()):
        if name.startswith(prefixes):
            for value in vars(module).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
