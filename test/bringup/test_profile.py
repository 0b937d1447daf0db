# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from pathlib import Path

import pytest

from mira_bringup.profile import Profile, ProfileRefused, load_profile

CHECKOUT = Path(__file__).parents[2]
EVERYTHING = """
robot: {name: "007"}
memory:
  enabled: true
  database_path: memory.sqlite3
  schema_version: 1
  turn_ttl_s: 60
  assertion_guard: false
  assertion_guard_languages: [de]
  admin_services: false
  speakers: [console]
cognition:
  model: ollama/qwen3
  api_base: http://localhost:11434
  temperature: 0
  max_tokens: 256
  request_timeout_s: 10
  fallback: offline
  deadline_s: 15
  acquisitions: 1
  model_requests: 3
  queue_size: 4
  working_memory_size: 2
  memory_timeout_s: 1.5
  claim_guard_languages: [en]
sensors:
  - name: battery
    topic: /battery_state
    type: sensor_msgs/msg/BatteryState
    fields: [percentage]
    max_age_s: 5
    attention: {field: percentage, below: 0.2, cooldown_s: 300}
"""


def test_every_key_of_the_contract_is_taken(read: Callable[[str], Profile]) -> None:
    profile = read(EVERYTHING)
    assert profile.robot.name == "007"
    assert profile.memory.on
    assert profile.memory.speakers == ("console",)
    assert profile.cognition.memory_timeout_s == 1.5
    assert profile.sensors[0].attention is not None
    assert profile.sensors[0].attention.below == 0.2


@pytest.mark.parametrize("text", ["", "---\n", "# nothing yet\n", "robot: {}\n"])
def test_an_empty_profile_is_a_robot_without_memory(
    read: Callable[[str], Profile], text: str
) -> None:
    assert not read(text).memory.on


@pytest.mark.parametrize(
    ("memory", "on"),
    [
        ("{enabled: true, database_path: m.sqlite3}", True),
        ("{enabled: false, database_path: m.sqlite3}", False),
        ("{database_path: m.sqlite3}", False),
        ("{enabled: true}", False),
        ("{enabled: true, database_path: ' '}", False),
    ],
)
def test_memory_is_on_only_where_enabled_and_given_a_file(
    read: Callable[[str], Profile], memory: str, on: bool
) -> None:
    assert read(f"memory: {memory}").memory.on is on


def test_a_relative_database_path_starts_at_the_profile(
    read: Callable[[str], Profile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    profile = read("memory: {enabled: true, database_path: ../data/m.sqlite3}")
    assert profile.memory.database_path == str(tmp_path / "data" / "m.sqlite3")


def test_an_absolute_database_path_stays_and_a_tilde_is_home(
    read: Callable[[str], Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    absolute = read("memory: {database_path: /var/lib/mira/m.sqlite3}")
    assert absolute.memory.database_path == "/var/lib/mira/m.sqlite3"
    assert read("memory: {database_path: ~/m.sqlite3}").memory.database_path == (
        "/home/anna/m.sqlite3"
    )


def test_the_tilde_of_an_unknown_user_stays(
    read: Callable[[str], Profile], tmp_path: Path
) -> None:
    profile = read("memory: {database_path: ~no-such-user/m.sqlite3}")
    assert profile.memory.database_path == str(tmp_path / "robot" / "~no-such-user" / "m.sqlite3")


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "robot:\n  name: Mira\nmemory:\n  databse_path: x\n",
            4,
            "memory.databse_path is not a key of the profile; did you mean database_path? "
            "Known here: enabled, database_path,",
        ),
        ("robot: {name: Mira}\nmemroy: {}\n", 2, "memroy is not a key of the profile; did you"),
        ("robot:\n  name: 007\n", 2, "robot.name must be text; put its value in quotes."),
        ("robot:\n  name: yes\n", 2, "robot.name must be text; put its value in quotes."),
        ("robot:\n  name: you\n", 2, "robot.name: must be a proper name,"),
        ("robot:\n  name: ''\n", 2, "robot.name: The name is empty;"),
        ("memory:\n  enabled: maybe\n", 2, "memory.enabled must be true or false."),
        ("memory:\n\n  schema_version: 9\n", 3, "memory.schema_version: is 9, which this mira"),
        ("memory:\n  turn_ttl_s: -1\n", 2, "memory.turn_ttl_s must be greater than or"),
        ("memory:\n  assertion_guard_languages: []\n", 2, "must not be empty."),
        ("memory:\n  assertion_guard_languages:\n    - en\n    - xx\n", 4, "must be 'en', 'de',"),
        ("memory: on\n", 1, "memory must be a section of keys with values."),
        ("cognition:\n  acquisitions: true\n", 2, "cognition.acquisitions must be a whole number"),
        ("cognition:\n  temperature: .nan\n", 2, "cognition.temperature must be a finite number"),
        ("cognition:\n  fallback: other\n", 2, "cognition.fallback must be 'none' or 'offline'."),
        (
            "cognition:\n  api_base: http://host/v1?key=sk-1\n",
            2,
            "cognition.api_base: may hold a user, password or key; give it without,",
        ),
        ("cognition:\n  secret: sk-1\n", 2, "cognition.secret is not a key of the profile. Known"),
        ("sensors:\n  - name: battery\n", 2, "sensors[0].topic is missing; add it."),
        ("sensors: battery\n", 1, "sensors must be a list, such as [a, b]."),
        ("robot: {}\nrobot: {}\n", 2, "the profile repeats robot, first given in line 1;"),
        ("robot: {}\nyes: 1\n", 2, "the profile has a key that is not text; put it in quotes."),
        ("robot: {\n  name: [\n", 3, "the profile is not valid YAML:"),
        ("robot: {}\n# bell \x07\n", 2, "the profile is not valid YAML: special characters"),
        ("--- {}\n--- {}\n", 2, "the profile is not valid YAML: but found another document."),
        ("robot: !!python/name:os.system\n", 1, "the profile is not valid YAML: could not"),
        ("- robot\n", 1, "the profile must be a mapping with the sections robot, memory,"),
    ],
)
def test_a_fault_names_file_line_and_key_with_the_remedy(
    write: Callable[[str], Path], text: str, line: int, sentence: str
) -> None:
    path = write(text)
    with pytest.raises(ProfileRefused) as refused:
        load_profile(path)
    said = str(refused.value)
    assert said.startswith(f"{path}:{line}: ")
    assert sentence in said
    assert "\n" not in said


def test_the_first_of_several_faults_is_told_with_their_number(
    write: Callable[[str], Path],
) -> None:
    path = write("cognition:\n  queue_size: 0\nrobot:\n  nam: Mira\nmemory:\n  enabled: 1\n")
    with pytest.raises(ProfileRefused, match=r":2: cognition.queue_size .* \(2 more after this"):
        load_profile(path)


def test_two_sensors_of_one_name_are_refused(write: Callable[[str], Path]) -> None:
    sensor = "{name: battery, topic: /b, type: sensor_msgs/msg/BatteryState, fields: [voltage]}"
    other = sensor.replace("battery", "dock")
    assert len(load_profile(write(f"sensors: [{sensor}, {other}]")).sensors) == 2
    with pytest.raises(ProfileRefused, match="2 sensors named battery; give each its own name"):
        load_profile(write(f"sensors: [{sensor}, {sensor}]"))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: None, r"cannot be read \(no such file or directory\); name a YAML file"),
        (lambda path: path.mkdir(), r"cannot be read \(is a directory\); name a YAML file"),
        (lambda path: path.write_bytes(b"robot: \xff"), "is not UTF-8; save it as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, make: Callable[[Path], None], sentence: str
) -> None:
    path = tmp_path / "profile.yaml"
    make(path)
    with pytest.raises(ProfileRefused, match=sentence) as refused:
        load_profile(path)
    assert str(path) in str(refused.value)


def test_only_the_demo_of_the_checkout_has_memory_on() -> None:
    assert not load_profile(CHECKOUT / "config" / "sample.yaml").memory.on
    demo = load_profile(CHECKOUT / "config" / "demo.yaml").memory
    assert demo.on
    assert demo.database_path == str(CHECKOUT / "data" / "mira-memory.sqlite3")
