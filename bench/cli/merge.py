"""The command that puts campaigns together: `merge`."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from bench.analysis.units import listed, plural
from bench.campaign.merge import merge as merge_campaigns
from bench.campaign.plan import SHARDS, Shard, refuse_other
from bench.catalogue.errors import RequestError
from bench.cli.command import Argument, Option
from bench.cli.console import answers, console, existing, move_damaged
from bench.cli.options import SkipDamaged
from bench.cli.run import finish, summarise


def merge(
    folder: Annotated[
        list[Path],
        Argument(
            metavar="FOLDER...", help="Folders of campaigns; one that has shards stands for all of them."
        ),
    ],
    *,
    out: Annotated[
        Path,
        Option(
            metavar="FOLDER",
            help="The folder to record in; if it has a merged campaign already, what is new is added.",
        ),
    ],
    plots: Annotated[bool, Option(help="Draw plots and write the report at the end.")] = True,
    skip_damaged: SkipDamaged = False,
) -> None:
    """Put shards, or campaigns of several machines, together into one campaign."""
    refuse_other(out)
    folders = [each for path in folder for each in campaigns_of(path)]
    if skip_damaged:
        for each in (*folders, out):
            move_damaged(each / "runs.csv")
    merged = merge_campaigns(folders, out)
    console.out(f"{plural(merged.runs, 'run')}, {merged.new:,} of them new")
    if merged.missing:
        answers.print(on_missing(merged.missing), soft_wrap=True)
    finish(out, plots, partial(summarise, climb=merged.climb), failed=bool(merged.missing))


def campaigns_of(path: Path) -> list[Path]:
    """The folders of the shards that a folder has; if it has none, that of the campaign itself.

    Raises:
        RequestError: if there is no campaign, or if a shard is a link, which may lead anywhere.
    """
    shards = sorted(path.glob(SHARDS))
    if links := [shard for shard in shards if shard.is_symlink()]:
        raise RequestError(f"{links[0]}: this is a link; name the folders that are meant")
    return shards or [path.parent if existing(path).is_file() else path]


def on_missing(shards: Sequence[Shard]) -> str:
    """Says in a line which shards are missing."""
    numbers, of = listed([str(shard.number) for shard in shards]), shards[0].of
    said = f"shard {numbers} of {of} is" if len(shards) == 1 else f"shards {numbers} of {of} are"
    return f"{said} not among them; when they are complete, merge again with the same --out"
