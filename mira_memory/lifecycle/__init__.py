# SPDX-License-Identifier: Apache-2.0
"""Corrections, time, trust, review and audit of memories (docs/lifecycle.md)."""
