"""The application: how it is put together, its document, its page, its problem answers."""
