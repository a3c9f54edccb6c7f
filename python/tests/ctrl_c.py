"""Ctrl-C in tests."""

import signal
import unittest


def heard(test: unittest.TestCase) -> None:
    """Makes the interpreter handle Ctrl-C during a test. A process that a script starts in the
    background may have been told to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    test.addCleanup(signal.signal, signal.SIGINT, before)
