"""Tests of games and results in object storage, by a server on this machine (moto)."""

import contextlib
import gzip
import os
import pathlib
import pickle
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
from unittest import mock

import babson
import ctrl_c
import object_storage

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HISTORIC = (ROOT / "examples" / "historic.pgn").read_bytes()
CLOCKS = (ROOT / "examples" / "clocks.pgn").read_bytes()


def is_built_in():
    try:
        babson.count("s3:///", "true")
    except OSError as error:
        return "built without" not in str(error)


class ObjectStorage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not is_built_in():
            raise unittest.SkipTest("the package was built without object storage")
        if not object_storage.is_there():
            raise unittest.SkipTest("moto is not installed")
        cls.stack = contextlib.ExitStack()
        cls.addClassCleanup(cls.stack.close)
        cls.client = cls.stack.enter_context(object_storage.server())
        cls.client.create_bucket(Bucket="games")
        cls.put("all/a.pgn", HISTORIC)
        cls.put("all/b/c.pgn.gz", gzip.compress(CLOCKS))
        cls.put("all/notes.txt", b"no games")
        cls.put("empty.pgn", b"")
        cls.folder = pathlib.Path(cls.stack.enter_context(tempfile.TemporaryDirectory()))
        (cls.folder / "a.pgn").write_bytes(HISTORIC)
        (cls.folder / "c.pgn").write_bytes(CLOCKS)

    @classmethod
    def put(cls, name, data):
        cls.client.put_object(Bucket="games", Key=name, Body=data)

    def get(self, name):
        return self.client.get_object(Bucket="games", Key=name)["Body"].read()

    def names(self):
        found = self.client.list_objects_v2(Bucket="games").get("Contents", [])
        return [entry["Key"] for entry in found]

    def rows(self, games, query="check"):
        found = babson.games(games, query)
        rows = [(game.number, game.number_in_input, game.pgn) for game in found]
        return rows, found.report.games

    def check(self, address, *local):
        rows = self.rows(address)
        self.assertEqual(rows, self.rows([self.folder / name for name in local]))
        self.assertTrue(rows[0])

    def test_games_are_read(self):
        self.check("s3://games/all/a.pgn", "a.pgn")
        self.check(["s3://games/all/b/c.pgn.gz", "s3://games/all/a.pgn"], "c.pgn", "a.pgn")
        self.assertEqual(babson.count("s3://games/empty.pgn", "check").games, 0)

    def test_patterns_and_what_lies_below(self):
        self.check("s3://games/all/", "a.pgn", "c.pgn")
        self.check("s3://games/all/*.pgn", "a.pgn")
        for name in ["s3://games/none/", "s3://games/*.epd"]:
            with self.assertRaisesRegex(FileNotFoundError, "no name matches"):
                babson.count(name, "check")

    def test_pieces(self):
        address = "s3://games/all/a.pgn"
        shards = babson.shards(address, 5)
        self.assertGreater(len(shards), 3)
        shards = pickle.loads(pickle.dumps(shards))
        counts = [babson.count(shard, "check").games for shard in shards]
        self.assertEqual(sum(counts), babson.count(address, "check").games)
        self.put("changing.pgn", HISTORIC)
        [shard] = babson.shards("s3://games/changing.pgn", 1)
        self.put("changing.pgn", HISTORIC + HISTORIC)
        with self.assertRaisesRegex(OSError, "changed"):
            babson.count(shard, "check")

    def test_shards_and_archives(self):
        command = os.environ.get("CQL") or shutil.which("cql")
        if not command:
            raise unittest.SkipTest("there is no cql here")
        made = ["split a.pgn -o shards --games-per-shard 9", "index --self-contained a.pgn -o a.cqa"]
        for line, name in zip(made, ["shards", "a.cqa"]):
            subprocess.run([command, *line.split()], cwd=self.folder, check=True, capture_output=True)
            for path in (self.folder / name).iterdir():
                self.put(f"{name}/{path.name}", path.read_bytes())
        for manifest in ["s3://games/shards/manifest.json", "s3://games/shards/"]:
            shards = babson.shards(manifest, 1)
            self.assertEqual([shard.games for shard in shards], [9, 9, 9, 9, 4])
            self.assertEqual(babson.count(shards, "mate"), babson.count(HISTORIC, "mate"))
        (self.folder / "a.pgn").rename(self.folder / "moved.pgn")
        try:
            self.check("s3://games/a.cqa", "moved.pgn")
        finally:
            (self.folder / "moved.pgn").rename(self.folder / "a.pgn")

    def test_results_are_written(self):
        for name in ["found.pgn", "found.csv", "found.parquet"]:
            address, local = f"s3://games/out/{name}", self.folder / name
            babson.write(self.folder / "a.pgn", "check", address)
            babson.write(self.folder / "a.pgn", "check", local)
            self.assertEqual(self.get(f"out/{name}"), local.read_bytes())

    def test_nothing_is_left_of_what_failed(self):
        def fail(progress):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            babson.write_pgn(HISTORIC * 1500, "true", "s3://games/failed.pgn", progress=fail)
        self.assertNotIn("failed.pgn", self.names())
        self.assertNotIn("Uploads", self.client.list_multipart_uploads(Bucket="games"))

    def test_nobody_waits_for_who_does_not_answer(self):
        """Ctrl-C ends an upload, whatever the server does."""
        ctrl_c.heard(self)
        with socket.create_server(("127.0.0.1", 0)) as server:

            def interrupt():
                # The first request is for the bucket's location, or for the object.
                with server.accept()[0] as connection:
                    connection.recv(1)
                    os.kill(os.getpid(), signal.SIGINT)
                    ended.wait()

            ended = threading.Event()
            thread = threading.Thread(target=interrupt)
            thread.start()
            endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
            try:
                with mock.patch.dict(os.environ, AWS_ENDPOINT_URL=endpoint), self.assertRaises(KeyboardInterrupt):
                    babson.write_pgn(HISTORIC, "mate", "s3://elsewhere/a.pgn")
            finally:
                ended.set()
                thread.join()

    def test_messages(self):
        for name in ["s3://games/no.pgn", "s3://no-such-bucket/a.pgn"]:
            with self.assertRaisesRegex(FileNotFoundError, f"{name}: there is no such"):
                babson.count(name, "check")
        with self.assertRaisesRegex(OSError, "cannot write s3://no-such-bucket/a.pgn: .* no such object or bucket"):
            babson.write(self.folder / "a.pgn", "check", "s3://no-such-bucket/a.pgn")
        with self.assertRaisesRegex(OSError, "read-only"):
            babson.write(self.folder / "a.pgn", "check", f"{os.environ['AWS_ENDPOINT_URL']}/a.pgn")
        with self.assertRaisesRegex(ValueError, "built from local files"):
            babson.index("s3://games/all/a.pgn", self.folder / "a.cqa")


if __name__ == "__main__":
    unittest.main()
