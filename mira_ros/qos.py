# SPDX-License-Identifier: Apache-2.0
"""The delivery contract of every topic and service (docs/architecture.md, "Delivery")."""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy


def _keep_last(
    depth: int,
    reliability: ReliabilityPolicy = ReliabilityPolicy.RELIABLE,
    durability: DurabilityPolicy = DurabilityPolicy.VOLATILE,
) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=reliability,
        durability=durability,
    )


# At the default depth of 10 a server loses calls as soon as more than ten are in flight.
SERVICE_QOS = _keep_last(100)

# At the default depth of 10 a burst of 30 utterances loses half of itself.
UTTERANCE_QOS = _keep_last(64)
REPLY_QOS = _keep_last(64)
EVENT_QOS = _keep_last(64)

# A late subscriber gets the state as it is now.
LATCHED_QOS = _keep_last(1, durability=DurabilityPolicy.TRANSIENT_LOCAL)

# A reliable subscription hears no best-effort publisher; this one hears both kinds.
LISTEN_QOS = _keep_last(64, reliability=ReliabilityPolicy.BEST_EFFORT)
