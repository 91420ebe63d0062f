"""The application: its assembly, its document, its page, its problem answers."""
