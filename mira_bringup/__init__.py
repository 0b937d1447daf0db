# SPDX-License-Identifier: Apache-2.0
"""From a profile to running nodes: which nodes, with which parameters."""
