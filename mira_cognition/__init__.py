# SPDX-License-Identifier: Apache-2.0
"""Bounded episodes from an utterance or a sensor event to one reply; node.py joins them to ROS."""
