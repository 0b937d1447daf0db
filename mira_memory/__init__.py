# SPDX-License-Identifier: Apache-2.0
"""Persistent memory: text, store, grounding, admission, recall; node.py serves it."""
