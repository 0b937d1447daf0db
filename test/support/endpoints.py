# SPDX-License-Identifier: Apache-2.0
"""What a node does on the graph, and what the access control policy lets it do."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from rclpy.node import Node

POLICY = Path(__file__).parents[2] / "config" / "sros2" / "policy.xml"
NAMESPACE = "/mira"


@dataclass(frozen=True)
class Endpoints:
    """Full names of topics and services, by what is done with them."""

    publish: frozenset[str]
    subscribe: frozenset[str]
    reply: frozenset[str]
    request: frozenset[str]


def used(node: Node, name: str, namespace: str = NAMESPACE) -> Endpoints:
    """Return what `node` sees that the node called `name` does now."""

    def names(kind: str) -> frozenset[str]:
        listed = getattr(node, f"get_{kind}_names_and_types_by_node")(name, namespace)
        return frozenset(listed_name for listed_name, _ in listed)

    return Endpoints(names("publisher"), names("subscriber"), names("service"), names("client"))


def granted() -> dict[str, Endpoints]:
    """Return what the policy allows, by the path of the enclave."""
    enclaves = ElementTree.parse(POLICY).getroot().iterfind("enclaves/enclave")
    return {enclave.attrib["path"]: _allowed(enclave) for enclave in enclaves}


def _allowed(enclave: ElementTree.Element) -> Endpoints:
    def names(kind: str) -> frozenset[str]:
        return frozenset(
            name
            for profile in enclave.iterfind("profiles/profile")
            for rule in profile
            if rule.get(kind) == "ALLOW"
            for name in _resolved(profile, rule)
        )

    return Endpoints(names("publish"), names("subscribe"), names("reply"), names("request"))


def _resolved(profile: ElementTree.Element, rule: ElementTree.Element) -> Iterator[str]:
    """Resolve names as SROS 2 does: absolute, private, or in the profile's namespace."""
    namespace, node = profile.attrib["ns"], profile.attrib["node"]
    for name in (str(item.text) for item in rule):
        if name.startswith("/"):
            yield name
        elif name.startswith("~"):
            yield f"{namespace}/{node}{name[1:]}"
        else:
            yield f"{namespace}/{name}"
