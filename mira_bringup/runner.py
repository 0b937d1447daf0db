# SPDX-License-Identifier: Apache-2.0
"""Start a profile's nodes and a console where `ros2 launch` is not installed."""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ament_index_python.packages import get_package_prefix

from mira_bringup.database_directory import DirectoryRefused, make_database_directory
from mira_bringup.params_file import checked_params_file, params_file_notices
from mira_bringup.plan import DEFAULT_NAMESPACE, LOG_LEVELS, Arguments, PlanRefused, plan
from mira_bringup.profile import ProfileRefused, load_profile
from mira_bringup.run import Run, say


def main(argv: Sequence[str] | None = None) -> int:
    """Run the robot until its console ends or a signal comes.

    Returns the console's exit code, or 1 if the profile or a node failed; argparse ends with 2.
    """
    options = _options(argv)
    prefix = Path(get_package_prefix("mira"))
    try:
        planned = plan(load_profile(options.profile), _arguments(options), install_prefix=prefix)
        notices = (*planned.notices, *params_file_notices(planned))
        make_database_directory(planned.database)
        logs = _log_directory()
    except (ProfileRefused, PlanRefused, DirectoryRefused) as refusal:
        say(str(refusal))
        return 1
    for notice in notices:
        say(notice)
    with tempfile.TemporaryDirectory(prefix="mira-") as parameters:
        run = Run(planned, prefix / "lib" / "mira", Path(parameters), logs)
        console = None if options.no_console else _console_arguments(options)
        return asyncio.run(run.until_ended(console))


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mira_bringup.runner", description=__doc__)
    parser.add_argument("--profile", type=Path, required=True, help="the robot's YAML profile")
    parser.add_argument("--script", metavar="FILE", help="console lines; -: standard input")
    parser.add_argument("--strict", action="store_true", help="end at the first failing line")
    parser.add_argument("--no-console", action="store_true", help="run until a signal comes")
    parser.add_argument("--namespace", default=DEFAULT_NAMESPACE, help="default: %(default)s")
    parser.add_argument("--params-file", default="", help="parameters that win over the profile")
    parser.add_argument("--log-level", default="info", help=", ".join(LOG_LEVELS))
    parser.add_argument("--use-sim-time", action="store_true", help="take ROS time from /clock")
    return parser.parse_args(argv)


def _arguments(options: argparse.Namespace) -> Arguments:
    return Arguments(
        namespace=options.namespace,
        params_file=checked_params_file(options.params_file),
        log_level=options.log_level,
        use_sim_time=options.use_sim_time,
    )


def _console_arguments(options: argparse.Namespace) -> list[str]:
    script = [] if options.script is None else ["--script", options.script]
    return script + (["--strict"] if options.strict else [])


def _log_directory() -> Path:
    """Make this run's own directory where ROS 2 keeps its logs."""
    home = os.environ.get("ROS_HOME") or "~/.ros"
    base = Path(os.path.expanduser(os.environ.get("ROS_LOG_DIR") or Path(home, "log")))
    directory = base / f"mira-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    try:
        directory.mkdir(parents=True)
    except OSError as error:
        raise DirectoryRefused(
            f"The log directory {directory} cannot be made ({error.strerror}); set ROS_LOG_DIR to "
            "a place that you may write to."
        ) from error
    return directory


if __name__ == "__main__":
    sys.exit(main())
