"""Ctrl-C in tests."""

import signal
import unittest


def heard(test: unittest.TestCase) -> None:
    """Has the interpreter hear Ctrl-C during a test: who is started in the background, as by a
    script, may have been told to take no notice of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    test.addCleanup(signal.signal, signal.SIGINT, before)
