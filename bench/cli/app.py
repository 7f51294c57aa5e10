"""The command line, `python -m bench` or `puzzle-bench`; docs/commands.md has the exit codes."""

import io
import os
import re
import signal
import sys
import traceback
from importlib import import_module

import click

from bench import catalogue
from bench.catalogue.errors import PROGRAM, ROOT, RequestError, invoked, one_line
from bench.catalogue.programs import forget_malformed
from bench.cli.command import VERBOSITY, command, explain
from bench.cli.console import complain, console, fail

_INTERRUPTED = 130
"""The exit code after Ctrl-C, which click returns, too; commands that have more to say exit by themselves."""

COMMANDS = {
    "run": "cli.run.run",
    "scale": "cli.run.scale",
    "explain": "instruments.explain.command.explain",
    "list": "cli.listing.list_",
    "solve": "cli.solve.solve",
    "watch": "instruments.watch.command.watch",
    "check": "cli.solve.check",
    "fuzz": "instruments.fuzz.command.fuzz",
    "export": "instruments.generate.command.export",
    "generate": "instruments.generate.command.generate_",
    "doctor": "cli.listing.doctor_",
    "merge": "cli.run.merge",
    "plot": "cli.results.plot",
    "report": "cli.results.report",
    "which": "instruments.which.command.which",
    "compare": "instruments.regression.command.compare",
    "gate": "instruments.regression.command.gate",
    "ab": "instruments.regression.command.ab",
    "history": "instruments.regression.command.history",
    "bisect": "instruments.regression.command.bisect",
    "new": "instruments.validate.command.new",
    "validate": "instruments.validate.command.validate",
}
"""The module and the function of each command; a module is imported when its command is called."""


class _Program(click.Group):
    """All commands, in the order of the table."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports the module of a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].rpartition(".")
        return command(getattr(import_module(f"bench.{module}"), function), cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary(place)) for name, place in COMMANDS.items()])


def summary(place: str) -> str:
    """What a command does, as its docstring says, read without an import: all modules need half a second."""
    module, _, function = place.rpartition(".")
    source = (ROOT / "bench" / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
    docstring = re.search(rf'^def {function}\(.*?^    """(.*?)(\n\n|""")', source, re.MULTILINE | re.DOTALL)
    return docstring[1] if docstring else ""


def main() -> None:
    """Runs the command line; a request that cannot be carried out gets one line and exit code 2."""
    # Pictures have lines that not every terminal can show, and puzzles have any letters.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    # As Ctrl-C does, SIGTERM ends the workers too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    asks_for_completions = f"_{PROGRAM}_COMPLETE".replace("-", "_").upper()
    try:
        code = program.main(prog_name=invoked(), complete_var=asks_for_completions, standalone_mode=False)
    except RequestError as error:
        fail(str(error))
    except click.ClickException as error:
        fail(explain(error))
    except (KeyboardInterrupt, click.Abort):
        code = _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except Exception as error:
        if console.verbose:
            traceback.print_exc()
        if isinstance(error, OSError):
            fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        hint = "" if console.verbose else "; run with -v for the traceback"
        # EX_SOFTWARE; 1 would look like a result.
        fail(f"internal error: {one_line(f'{type(error).__name__}: {error}')}{hint}", 70)
    if code == _INTERRUPTED:
        complain("interrupted")
    sys.exit(code if isinstance(code, int) else 0)


# Of these commands only the names count: what is looked up has a module to import.
@click.group(
    cls=_Program,
    commands=[click.Command(name) for name in COMMANDS],
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[*VERBOSITY],
)
@click.version_option(package_name=PROGRAM, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Puzzles, modelled several times and measured in one way."""
    for line in (*catalogue.forget_vanished(), *forget_malformed()):
        complain(line)
    if context.invoked_subcommand is None:
        print(context.get_help())
        context.exit(2)
