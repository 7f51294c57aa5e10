"""What there is: puzzles, instances and backends, found by looking at folders; no solver is imported here.

A puzzle of the project has the folders models/NAME and instances/NAME; one from elsewhere has a single folder
with the files of both, as NAME/puzzle.py and NAME/instances/*.toml, and is imported as models.NAME too.
"""

from bench.catalogue.backends import (
    backend_names,
    driver,
    is_core,
    model_sha256,
    rules_sha256,
    says,
    solver_names,
    sources_beside,
    tables_in,
)
from bench.catalogue.errors import ROOT, PuzzleError, RequestError, unknown
from bench.catalogue.instances import (
    Instance,
    all_instances,
    families,
    find_instance,
    found_from,
    home_of,
    instance_paths,
    instances_called,
    load,
    puzzle_in,
    unchanged,
)
from bench.catalogue.puzzles import (
    INSTANCES,
    PUZZLES,
    adapters,
    blamed,
    call,
    check_name,
    elsewhere,
    find_puzzle,
    folder,
    forget_vanished,
    formulations,
    generator,
    ingredients,
    instances_folder,
    is_puzzle,
    puzzle_module,
    puzzle_names,
    random_instances,
    reported,
    rules,
    source_of,
)
