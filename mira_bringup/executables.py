# SPDX-License-Identifier: Apache-2.0
"""What `ros2 run` starts: each is ready for a signal before its slow imports (setup.cfg)."""

import importlib
import signal

from mira_ros.stop import hold_stop_signals


def memory_node() -> int:
    """Run the node `memory` and return its exit code."""
    return _node("mira_memory.node")


def cognition_node() -> int:
    """Run the node `cognition` and return its exit code."""
    return _node("mira_cognition.node")


def speech_bridge() -> int:
    """Run the node `speech_bridge` and return its exit code."""
    return _node("mira_operator.speech_bridge")


def console() -> int:
    """Run the operator's terminal and return its exit code."""
    try:
        main = importlib.import_module("mira_operator.console").main
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return int(main())


def migrate() -> int:
    """Upgrade a memory file and return the exit code."""
    return int(importlib.import_module("mira_memory.lifecycle.migration").main())


def _node(module: str) -> int:
    # Else a Ctrl-C ends the import with a traceback, wherever it happens to be.
    hold_stop_signals()
    return int(importlib.import_module(module).main())
