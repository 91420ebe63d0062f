"""The page's patience: what it takes back by itself after some seconds stays, however slow the machine is."""

from __future__ import annotations

PATIENT = """(() => {
    const soon = window.setTimeout.bind(window);
    window.setTimeout = (act, wait = 0, ...more) => (wait < 4000 ? soon(act, wait, ...more) : 0);
})()"""
"""A script for a browser's context: notices do not fade, and a button that asks first waits for its second tap."""
