"""Checks the certificates for TLS that the user's Dask configuration names."""

from pathlib import Path

import dask.config
from distributed import Security

from bench.catalogue.errors import RequestError


def check_certificates(where: str, *roles: str) -> None:
    """Raises RequestError if a certificate that one of the roles needs is not named, or not there."""
    for role in roles:
        tls = Security().get_tls_config_for_role(role)
        if not (tls["ca_file"] and tls["cert"]):
            names = f"distributed.comm.tls.ca-file, {role}.cert and {role}.key"
            file = Path(dask.config.PATH) / "distributed.yaml"
            raise RequestError(f"--cluster {where}: TLS needs certificates: name them in {file} ({names})")
        for file in (tls["ca_file"], tls["cert"], tls["key"]):
            # A text of several lines is the certificate itself.
            if file and "\n" not in file and not Path(file).is_file():
                raise RequestError(
                    f"--cluster {where}: distributed.comm.tls names {file}, which is not there"
                )
