"""The documentation site: pages generated from the code, and how the site is built."""
