# SPDX-License-Identifier: Apache-2.0
"""Name a fault without its text, which may quote what somebody said."""

import traceback


def fault_place(fault: BaseException) -> str:
    """Return "TypeError at store.py:120", the kind and the innermost place of an exception."""
    frames = traceback.extract_tb(fault.__traceback__)
    if not frames:
        return type(fault).__name__
    return (
        f"{type(fault).__name__} at {frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}"
    )
