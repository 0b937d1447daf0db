# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from xml.etree import ElementTree

from setuptools import setup

HERE = Path(__file__).resolve().parent
MODULES = ["mira_ros", "mira_memory", "mira_cognition", "mira_operator", "mira_bringup"]


def requirements() -> list[str]:
    lines = (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


setup(
    name="mira",
    version=ElementTree.parse(HERE / "package.xml").findtext("version"),
    description="A robot that remembers what it was told, in words it can show",
    license="Apache-2.0",
    python_requires=">=3.11,<3.14",
    packages=[
        ".".join(path.parent.relative_to(HERE).parts)
        for module in MODULES
        for path in sorted((HERE / module).rglob("__init__.py"))
    ],
    package_data={module: ["py.typed", "**/*.yaml", "**/*.txt"] for module in MODULES},
    install_requires=requirements(),
)
