# SPDX-License-Identifier: Apache-2.0
"""Draw the picture of docs/performance.md.

    ./dev bench performance --only

Needs what benchmarks/requirements.txt lists.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks._findings import Section

MET, MISSED, PLAIN, AIM = "#2a7f62", "#c44536", "#8aa1b1", "#333333"


def draw(sections: Sequence[Section], path: Path) -> None:
    """Write a PNG: the service calls in empty calls, and the peers."""
    # Here, so that everything else about the figures needs no matplotlib.
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    named = {section.name: section for section in sections}
    figure, (calls, others) = pyplot.subplots(1, 2, figsize=(12, 5.5), layout="constrained")
    if "service" in named:
        _draw_calls(calls, named["service"])
    if "peers" in named:
        _draw_peers(others, named["peers"])
    figure.savefig(path, dpi=110, metadata={"Software": None})
    pyplot.close(figure)


def _draw_calls(axes: Any, section: Section) -> None:
    shown = [f for f in section.figures if f.name.endswith(", to empty")][::-1]
    for place, figure in enumerate(shown):
        color = PLAIN if figure.aim is None else MET if figure.met() else MISSED
        axes.barh(place, figure.value, color=color)
        if figure.aim is not None:
            axes.plot([figure.aim] * 2, [place - 0.4, place + 0.4], color=AIM, linewidth=2)
    axes.set_yticks(range(len(shown)), [f.name.removesuffix(", to empty") for f in shown])
    axes.axvline(1.0, color=AIM, linestyle=":", linewidth=1)
    axes.set_xlabel("time of an empty service call (median; strokes are the aims)")
    axes.set_title("A call of the memory, in empty calls")


def _draw_peers(axes: Any, section: Section) -> None:
    rows = [row for row in section.rows if _number(row[1]) and _number(row[2])][::-1]
    places = range(len(rows))
    for offset, column, label, color in ((0.2, 1, "write", PLAIN), (-0.2, 2, "look-up", MET)):
        axes.barh(
            [place + offset for place in places],
            [_number(row[column]) for row in rows],
            height=0.4,
            color=color,
            label=label,
        )
    axes.set_yticks(places, [f"{row[0]}\n{row[3]} of the names right" for row in rows])
    axes.set_xscale("log")
    axes.set_xlabel("µs at the median (logarithmic)")
    axes.set_title("Ten thousand facts, a thousand exact look-ups")
    axes.legend()


def _number(text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.0
