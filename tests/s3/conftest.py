"""What the tests share: an S3 server, a proxy before it that misbehaves on request, and a place of their own."""

import contextlib
import hashlib
import http.client
import itertools
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

BUCKET = "balance"


@dataclass
class Proxy:
    """Passes requests on to the server, and cuts connections where `manner` says so."""

    server: tuple[str, int]
    #: For a request (method, path without the bucket, headers): `pass`, `refuse` (cut before the server has heard of
    #: it), `deafen` (the server has done it and nobody is told), or `halve` (cut in the middle of the answer).
    manner: Callable[[str, str, dict[str, str]], str] = lambda method, path, headers: "pass"
    seen: list[tuple[str, str]] = field(default_factory=list)
    cut: int = 0

    def start(self) -> "Proxy":
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def _pass(self) -> None:
                path = self.path.removeprefix(f"/{BUCKET}/")
                proxy.seen.append((self.command, path))
                how = proxy.manner(self.command, path, {name.lower(): text for name, text in self.headers.items()})
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                if how == "refuse":
                    return self._cut()
                there = http.client.HTTPConnection(*proxy.server)
                # The host that was signed is the one that the client knows.
                there.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, text in self.headers.items():
                    if name.lower() not in ("connection", "transfer-encoding"):
                        there.putheader(name, text)
                there.endheaders(body)
                answer = there.getresponse()
                content = answer.read()
                there.close()
                if how == "deafen":
                    return self._cut()
                self.send_response_only(answer.status)
                length = answer.headers.get("content-length") if self.command == "HEAD" else str(len(content))
                for name, text in answer.headers.items():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, text)
                if answer.status != 204:
                    self.send_header("Content-Length", length or "0")
                self.end_headers()
                if how == "halve" and content:
                    self.wfile.write(content[: len(content) // 2])
                    return self._cut()
                if self.command != "HEAD":
                    self.wfile.write(content)

            def _cut(self) -> None:
                proxy.cut += 1
                self.close_connection = True
                with contextlib.suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _pass

            def log_message(self, *_: object) -> None:
                pass

            def handle(self) -> None:
                with contextlib.suppress(OSError):
                    super().handle()

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def end(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def every(self, nth: int, how: tuple[str, ...] = ("refuse", "deafen", "halve")) -> None:
        """Cuts every so manieth connection, in each way in turn."""
        count, ways, lock = itertools.count(1), itertools.cycle(how), threading.Lock()

        def manner(_method: str, _path: str, _headers: dict[str, str]) -> str:
            with lock:
                return next(ways) if next(count) % nth == 0 else "pass"

        self.manner = manner


@pytest.fixture(scope="session")
def evens() -> Path:
    """The program, built with `s3`."""
    found = shutil.which(os.environ.get("EVENS", "evens"))
    if found is None:
        pytest.skip("there is no evens: name it with EVENS")
    return Path(found).resolve()


@pytest.fixture(scope="session")
def server() -> Iterator[tuple[str, int]]:
    """An S3 server on loopback."""
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    yield moto.get_host_and_port()
    moto.stop()


class Desk:
    """A folder, a bucket and a way to it."""

    def __init__(self, folder: Path, evens: Path, proxy: Proxy) -> None:
        self.folder, self.evens, self.proxy = folder, evens, proxy
        self.key = folder.name
        host, port = proxy.server
        self.client = boto3.client(
            "s3",
            endpoint_url=f"http://{host}:{port}",
            region_name="us-east-1",
            aws_access_key_id="somebody",
            aws_secret_access_key="secret",
        )
        with contextlib.suppress(self.client.exceptions.BucketAlreadyOwnedByYou):
            self.client.create_bucket(Bucket=BUCKET)

    def at(self, name: str) -> str:
        """A location of this test's own."""
        return f"s3://{BUCKET}/{self.key}/{name}"

    def environment(self) -> dict[str, str]:
        aws = {
            "AWS_ENDPOINT_URL": self.proxy.url,
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }
        (self.folder / "tmp").mkdir(exist_ok=True)
        return {**os.environ, **aws, "NO_COLOR": "1", "EVENS_THREADS": "2", "TMPDIR": str(self.folder / "tmp")}

    def begin(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(self.evens), *words],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def kill_once_cut(self, child: "subprocess.Popen[str]") -> None:
        """Kills a command that the store refuses something, and lets everything pass again."""
        limit = time.monotonic() + 60
        while not self.proxy.cut:
            assert time.monotonic() < limit
            time.sleep(0.05)
        child.kill()
        child.communicate()
        self.proxy.manner = lambda *_: "pass"

    def clear_scratch(self) -> None:
        """Removes the folders of commands that were killed, which nobody else could."""
        for folder in (self.folder / "tmp").iterdir():
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()

    def run(self, *words: str, code: int = 0) -> tuple[str, str]:
        """What a command prints and says."""
        child = self.begin(*words)
        printed, said = child.communicate(timeout=300)
        assert child.returncode == code, said
        assert not list((self.folder / "tmp").iterdir()), "nothing stays in the folder for temporary files"
        return printed, said

    def there(self, name: str) -> dict[str, bytes]:
        """All objects below a location."""
        prefix = f"{self.key}/{name}/"
        listed = self.client.list_objects_v2(Bucket=BUCKET, Prefix=prefix).get("Contents", [])
        read = {}
        for entry in listed:
            body = self.client.get_object(Bucket=BUCKET, Key=entry["Key"])["Body"]
            read[entry["Key"].removeprefix(prefix)] = body.read()
        return read

    def here(self, name: str) -> dict[str, bytes]:
        """All files of a folder."""
        return {path.name: path.read_bytes() for path in (self.folder / name).iterdir() if path.is_file()}

    def same(self, name: str, folder: str) -> None:
        """Fails where a location does not hold the bytes of a folder, and nothing else."""
        there, here = self.there(name), self.here(folder)
        assert sorted(there) == sorted(here)
        for file, content in here.items():
            assert hashlib.sha256(there[file]).digest() == hashlib.sha256(content).digest(), file


@pytest.fixture
def desk(tmp_path: Path, evens: Path, server: tuple[str, int]) -> Iterator[Desk]:
    proxy = Proxy(server).start()
    yield Desk(tmp_path, evens, proxy)
    proxy.end()
