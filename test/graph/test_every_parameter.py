# SPDX-License-Identifier: Apache-2.0
"""What `ros2 param describe` and `ros2 param dump` tell of every node."""

from probe import Probe
from rcl_interfaces.msg import ParameterDescriptor, ParameterType
from rcl_interfaces.srv import DescribeParameters, GetParameters, ListParameters
from rclpy.parameter import parameter_value_to_python
from robot_graph import RobotGraph, wait_until

KEY = "sk-the-secret-key"
OF_ROS = {"use_sim_time", "start_type_description_service"}
NUMBERS = {ParameterType.PARAMETER_INTEGER, ParameterType.PARAMETER_DOUBLE}


def parameters_of(probe: Probe, node: str) -> list[str]:
    listed = probe.call(ListParameters, f"{node}/list_parameters", within_s=20.0)
    return sorted(listed.result.names)


def values_of(probe: Probe, node: str, names: list[str]) -> dict[str, object]:
    values = probe.call(GetParameters, f"{node}/get_parameters", names=names).values
    return dict(zip(names, map(parameter_value_to_python, values), strict=True))


def test_every_parameter_describes_itself_and_none_holds_a_key(
    graph: RobotGraph, probe: Probe
) -> None:
    graph.environment["OPENAI_API_KEY"] = KEY
    graph.start_memory()
    graph.start_cognition(model="openai/local", api_base="http://127.0.0.1:9/v1")
    graph.start("speech_bridge")
    for node in ("memory", "cognition", "speech_bridge"):
        names = parameters_of(probe, node)
        own = [name for name in names if name not in OF_ROS]
        described = probe.call(
            DescribeParameters, f"{node}/describe_parameters", names=own
        ).descriptors
        values = values_of(probe, node, names)
        assert len(own) >= 6
        for descriptor in described:
            assert_useful(descriptor, values[descriptor.name])
        assert KEY not in str(values)
    wait_until(lambda: "mira.memory" in graph.logs(), "a log")
    assert KEY not in graph.logs()
    services = {name for name, _ in probe.node.get_topic_names_and_types()}
    assert not [name for name in services if name.endswith("/_service_event")]


def assert_useful(descriptor: ParameterDescriptor, value: object) -> None:
    name = descriptor.name
    assert descriptor.read_only, name
    assert len(descriptor.description) > 20, name
    assert descriptor.description.endswith("."), name
    if descriptor.type in NUMBERS:
        (bounds,) = (*descriptor.integer_range, *descriptor.floating_point_range)
        assert bounds.from_value <= float(str(value)) <= bounds.to_value, name
