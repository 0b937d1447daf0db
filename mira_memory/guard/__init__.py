# SPDX-License-Identifier: Apache-2.0
"""Clause analysis behind the assertion guard: what governs a span, read from word lists."""
