# SPDX-License-Identifier: Apache-2.0
"""Where the operator's words come in: the console and the speech bridge."""
