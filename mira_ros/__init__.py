# SPDX-License-Identifier: Apache-2.0
"""The ROS 2 shell that the package's nodes share: delivery, start, end, parameters, calls."""
