"""An object storage server with the S3 protocol for tests: moto, if it is installed."""

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


PORT = _free_port()

#: Environment of the clients; :func:`server` adds the address.
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_REGION": "us-east-1",
}


def is_there():
    return all(importlib.util.find_spec(name) for name in ("boto3", "moto", "flask"))


def url(host):
    return f"http://{host}:{PORT}"


@contextlib.contextmanager
def server(host="127.0.0.1"):
    """Starts the server, and yields a client of boto3."""
    import boto3

    endpoint = url(host)
    log = tempfile.TemporaryFile()
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", host, "-p", str(PORT)], stdout=log, stderr=log
    )
    before = dict(os.environ)
    os.environ.update(ENVIRONMENT, AWS_ENDPOINT_URL=endpoint)
    try:
        for _ in range(1200):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{endpoint}/moto-api/", timeout=10).close()
                break
            if process.poll() is not None:
                log.seek(0)
                raise RuntimeError(f"the server does not start: {log.read().decode()}")
            time.sleep(0.1)
        yield boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
    finally:
        process.kill()
        process.wait()
        log.close()
        os.environ.clear()
        os.environ.update(before)
