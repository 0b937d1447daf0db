# SPDX-License-Identifier: Apache-2.0
"""What the ROS nodes share: service quality, signals, parameters, bounded calls."""
