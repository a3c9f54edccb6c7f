"""Tests of pieces of games, archives, progress and SQL."""

import datetime
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import babson
import sql_page
from babson import _progress, spark

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HISTORIC = ROOT / "examples" / "historic.pgn"
BROKEN = b'[White "x"]\n\n1. e4 e5 2. Ke4 *\n\n[White "y"]\n\n1. f3 e5 2. g4 Qh4# 0-1'


class Shards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def rows(self, games):
        found = babson.search(games, "check", columns=["input", "game", "game_in_input", "offset", "ply"])
        rows = found.to_arrow().to_pylist()
        return rows, [(fault.game, fault.line) for fault in found.report.faults]

    def check(self, games, n):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("pyarrow is not installed") from None
        shards = babson.shards(games, n)
        whole, faults = self.rows(games)
        parts = [self.rows(pickle.loads(pickle.dumps(shard))) for shard in shards]
        self.assertEqual([row for rows, _ in parts for row in rows], whole)
        self.assertEqual([fault for _, faults in parts for fault in faults], faults)
        self.assertEqual(self.rows(shards), (whole, faults))
        self.assertEqual([shard.index for shard in shards], list(range(len(shards))))
        found = babson.games(games, "mate")
        list(found)
        self.assertEqual(sum(shard.games for shard in shards), found.report.games)
        return shards

    def test_pieces_are_the_whole(self):
        (self.path / "a.pgn").write_bytes(HISTORIC.read_bytes())
        (self.path / "b.pgn").write_bytes(BROKEN)
        self.assertGreater(len(self.check(self.path / "a.pgn", 7)), 5)
        self.assertEqual(len(self.check(self.path / "a.pgn", 1)), 1)
        self.check([self.path / "b.pgn", self.path / "a.pgn"], 3)
        self.check(str(self.path), 1000)

    def test_packed_files_stay_whole(self):
        import gzip

        (self.path / "a.pgn.gz").write_bytes(gzip.compress(HISTORIC.read_bytes()))
        (self.path / "b.pgn").write_bytes(HISTORIC.read_bytes())
        shards = self.check(self.path, 4)
        self.assertIsNone(shards[0].end)
        self.assertEqual(shards[0].games, 40)

    def test_what_was_changed_is_refused(self):
        (self.path / "a.pgn").write_bytes(HISTORIC.read_bytes())
        shard = babson.shards(self.path / "a.pgn", 2)[1]
        with open(self.path / "a.pgn", "ab") as file:
            file.write(BROKEN)
        with self.assertRaisesRegex(OSError, "changed"):
            babson.count(shard, "mate")
        (self.path / "a.pgn").unlink()
        with self.assertRaises(FileNotFoundError):
            babson.count(shard, "mate")

    def test_archives_are_cut_by_their_games(self):
        games, archive = self.path / "a.pgn", self.path / "a.cqa"
        games.write_bytes(HISTORIC.read_bytes() * 60 + BROKEN)
        (self.path / "b.pgn").write_bytes(BROKEN * 2)
        babson.index(games, archive)
        for source in (archive, games, [archive, self.path / "b.pgn"], [self.path / "b.pgn", games]):
            shards = self.check(source, 3)
            self.assertGreaterEqual(sum(shard.archive is not None for shard in shards), 3)
        self.assertEqual(len(self.check(archive, 1)), 1)
        # Blocks of 1,024 games are not cut.
        shards = self.check(archive, 1000)
        self.assertEqual([shard.games for shard in shards], [1024, 1024, 354])
        written = b""
        for shard in shards:
            babson.write_pgn(shard, "mate", self.path / "part.pgn.out")
            written += (self.path / "part.pgn.out").read_bytes()
        babson.write_pgn(archive, "mate", self.path / "all.pgn.out")
        self.assertEqual(written, (self.path / "all.pgn.out").read_bytes())

    def test_archives_are_searched_by_their_columns(self):
        archive = self.path / "a.cqa"
        (self.path / "a.pgn").write_bytes(HISTORIC.read_bytes() * 60)
        babson.index(self.path / "a.pgn", archive)
        second = babson.shards(archive, 2)[1]
        [segment] = archive.glob("*.arrow")
        columns = bytearray(segment.read_bytes())
        columns[len(columns) // 2 :: 50] = bytes(len(columns[len(columns) // 2 :: 50]))
        segment.write_bytes(columns)
        with self.assertRaisesRegex(OSError, "damaged"):
            babson.count(second, "mate")

    def test_a_changed_archive_is_refused(self):
        games, archive = self.path / "a.pgn", self.path / "a.cqa"
        games.write_bytes(HISTORIC.read_bytes())
        babson.index(games, archive)
        [shard] = babson.shards(archive, 2)
        self.assertEqual(babson.count(shard, "mate"), babson.count(games, "mate"))
        with open(games, "ab") as file:
            file.write(BROKEN)
        with self.assertRaisesRegex(OSError, "changed since it was cut"):
            babson.count(shard, "mate")
        babson.index(games, archive)
        with self.assertRaisesRegex(OSError, "changed since it was cut"):
            babson.count(shard, "mate")
        for file in archive.iterdir():
            file.unlink()
        with self.assertRaises(FileNotFoundError):
            babson.count(shard, "mate")

    def test_pieces_of_archives_have_no_memory(self):
        (self.path / "a.pgn").write_bytes(HISTORIC.read_bytes() * 60)
        babson.index(self.path / "a.pgn", self.path / "a.cqa")
        shards = babson.shards(self.path / "a.cqa", 2)
        with self.assertRaisesRegex(OSError, "search the archive itself"):
            babson.count(shards, "persistent x += 1 mate")

    def test_wrong_sources(self):
        with self.assertRaises(FileNotFoundError):
            babson.shards("no-such-file.pgn", 2)
        with self.assertRaises(ValueError):
            babson.shards(HISTORIC, 0)
        (self.path / "manifest.json").write_text("{}")
        with self.assertRaisesRegex(OSError, "not a manifest of shards"):
            babson.shards(self.path, 2)
        (self.path / "p.fen").write_text("7k/8/8/8/8/8/8/K7 w - - 0 1\n")
        with self.assertRaisesRegex(OSError, "not PGN"):
            babson.shards(self.path / "p.fen", 2)

    def test_manifests(self):
        cql = os.environ.get("CQL")
        if not cql:
            raise unittest.SkipTest("CQL does not say where the command is")
        target = self.path / "shards"
        (self.path / "a.pgn").write_bytes(HISTORIC.read_bytes())
        split = [cql, "split", self.path / "a.pgn", "-o", target, "--games-per-shard", "9"]
        subprocess.run(split, check=True, capture_output=True)
        for manifest in (target, target / "manifest.json"):
            shards = babson.shards(manifest, 1)
            self.assertEqual([shard.games for shard in shards], [9, 9, 9, 9, 4])
            self.assertEqual(self.rows(shards), self.rows(self.path / "a.pgn"))
        (target / "00002.pgn.zst").write_bytes(b"")
        with self.assertRaisesRegex(OSError, "changed"):
            babson.count(shards, "mate")


class Archives(unittest.TestCase):
    def test_archives_are_made_and_brought_up_to_date(self):
        with tempfile.TemporaryDirectory() as folder:
            games, archive = pathlib.Path(folder, "a.pgn"), pathlib.Path(folder, "a.cqa")
            games.write_bytes(HISTORIC.read_bytes())
            self.assertEqual(babson.index(games, archive), 40)
            self.assertEqual(babson.index(games, archive), 40)
            with open(games, "ab") as file:
                file.write(b"\n\n" + BROKEN)
            self.assertEqual(babson.index(games, archive), 42)
            self.assertEqual(babson.count(archive, "mate"), babson.count(games, "mate"))
            with self.assertRaisesRegex(ValueError, "cqa"):
                babson.index(games, "x.arrow")
            with self.assertRaises(FileNotFoundError):
                babson.index("no-such-file.pgn", archive)


class Rows(unittest.TestCase):
    """Games in the rows of a DataFrame, without the DataFrame."""

    def texts(self, **columns):
        try:
            import pyarrow
        except ImportError:
            raise unittest.SkipTest("pyarrow is not installed") from None
        batch = pyarrow.RecordBatch.from_pydict(columns)
        return spark._texts(batch, *spark._game_columns(list(columns)))

    def test_tags_are_columns_that_begin_with_a_capital_letter(self):
        texts = self.texts(
            id=[7, 8],
            White=['a "b" \\ c', None],
            Date=[datetime.date(1901, 2, 3), None],
            WhiteElo=[2000, None],
            Result=["0-1", "?"],
            movetext=["1. f3 e5 2. g4 Qh4#", "1. e4 1-0"],
        )
        head = '[White "a \\"b\\" \\\\ c"]\n[Date "1901.02.03"]\n[WhiteElo "2000"]\n[Result "0-1"]\n'
        self.assertEqual(texts[0], f"{head}\n1. f3 e5 2. g4 Qh4# 0-1\n")
        self.assertEqual(texts[1], '[Result "?"]\n\n1. e4 1-0\n')
        self.assertEqual(self.texts(pgn=["1. e4 *", None], White=["x", "y"]), ["1. e4 *", ""])
        with self.assertRaisesRegex(ValueError, "movetext"):
            self.texts(moves=["1. e4 *"])

    def test_nothing_of_a_row_is_read_as_part_of_another(self):
        mate = '[White "x"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
        rows = ["1. e4 {", mate, "", mate + mate, '[Event "']
        texts = babson._babson.Source.texts(rows)
        found = babson.games(texts, "mate")
        self.assertEqual([game.input for game in found], ["1", "3", "3"])
        self.assertEqual({fault.input for fault in found.report.faults}, {"0", "4"})


class Cluster:
    """A session of Spark that has its workers do everything at once, in this process."""

    def range(self, start, end, step, partitions):
        import pyarrow

        numbers = [pyarrow.array([place], pyarrow.int64()) for place in range(start, end, step)]
        self.batches = [pyarrow.RecordBatch.from_arrays([number], names=["id"]) for number in numbers]
        return self

    def mapInArrow(self, search, schema):
        self.rows = [row for batch in self.batches for row in Cluster.work(search, batch)]
        return self

    @staticmethod
    def work(search, batch):
        return [row for found in search(iter([batch])) for row in found.to_pylist()]

    def groupBy(self, *keys):
        return self

    def agg(self, *sums):
        return self.rows


class DamagedShards(unittest.TestCase):
    """A shard that cannot be read to its end is named, can be passed over, and is told."""

    #: A faulty game and one with a mate.
    GAMES = BROKEN + b"\n\n"

    def setUp(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("pyarrow is not installed") from None
        import gzip

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name)
        (path / "a.pgn").write_bytes(self.GAMES)
        # The file ends within its sixth game.
        (path / "b.pgn.gz").write_bytes(gzip.compress(self.GAMES * 5, 0)[: len(self.GAMES) * 3])
        (path / "c.pgn").write_bytes(self.GAMES)
        self.path = path
        self.shards = babson.shards(path, 3, keep_damaged=True)
        self.assertEqual([pathlib.Path(shard.path).name for shard in self.shards], ["a.pgn", "b.pgn.gz", "c.pgn"])
        (path / "c.pgn").unlink()

    def test_pieces_of_damaged_files_have_the_games_of_the_whole(self):
        (self.path / "c.pgn").write_bytes(self.GAMES)
        (self.path / "d.pgn.zst").write_bytes(b"\x28\xb5\x2f\xfd and no more")
        with self.assertRaisesRegex(OSError, "b.pgn.gz.*cut off"):
            babson.shards(self.path, 3)
        shards = babson.shards(self.path, 3, keep_damaged=True)
        self.assertEqual([shard.games for shard in shards[1:]], [5, 2, 0])
        whole = babson.games(self.path, "mate")
        found, parts = [], []
        with self.assertRaisesRegex(OSError, "b.pgn.gz"):
            found.extend(game.number for game in whole)
        for shard in shards:
            try:
                for game in babson.games(shard, "mate"):
                    parts.append(game.number)
            except OSError:
                self.assertIn(shard.index, (1, 3))
        self.assertEqual(parts, [2, 4, 6, 9])
        rows = spark.faults(Cluster(), self.path, "mate", pieces=3).rows
        self.assertEqual([row["shard"] for row in rows if row["game"] == 0], [1, 3])

    def test_a_damaged_shard_is_named(self):
        modules = {"pyspark": mock.Mock(), "pyspark.sql": mock.Mock()}
        with mock.patch.dict(sys.modules, modules):
            for door in (spark.search, spark.count):
                for place, what in [(1, "cut off"), (2, "No such file")]:
                    with self.assertRaisesRegex(OSError, rf"shard {place}, .*{what}"):
                        door(Cluster(), self.shards[place : place + 1], "mate")

    def test_a_damaged_shard_can_be_passed_over(self):
        found = spark.search(Cluster(), self.shards, "mate", columns=["input"], skip_damaged=True)
        names = [pathlib.Path(row["input"]).name for row in found.rows]
        self.assertEqual(names, ["a.pgn", *["b.pgn.gz"] * 2])
        modules = {"pyspark": mock.Mock(), "pyspark.sql": mock.Mock()}
        with mock.patch.dict(sys.modules, modules):
            rows = spark.count(Cluster(), self.shards, "mate", skip_damaged=True)
            self.assertEqual([row["games"] for row in rows], [1, 2, 0][: len(rows)])
            rows = spark.count(Cluster(), self.shards, "mate", by="white", skip_damaged=True)
            self.assertEqual([(row["white"], row["games"]) for row in rows], [("y", 1), ("y", 2)])

    def test_a_damaged_shard_is_told(self):
        rows = spark.faults(Cluster(), self.shards, "mate").rows
        told = [(row["shard"], row["message"]) for row in rows if row["game"] == 0]
        self.assertEqual([shard for shard, _ in told], [1, 2])
        self.assertIn("cut off", told[0][1])
        self.assertIn("No such file", told[1][1])
        # Faults of single games are listed, too.
        self.assertIn(0, [row["shard"] for row in rows])
        rows = spark.report(Cluster(), self.shards, "mate").rows
        self.assertEqual([row["matches"] for row in rows], [1, 2, 0])
        self.assertEqual(rows[2]["faults"], 1)


class DataSource(unittest.TestCase):
    """The data source of Spark 4, without a session."""

    def setUp(self):
        try:
            from pyspark.sql import types
            from babson import _spark_source
        except ImportError:
            raise unittest.SkipTest("there is no Spark 4") from None
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "g.pgn")
        self.path.write_bytes((BROKEN + b"\n\n") * 20)
        self.types, self.source = types, _spark_source.CqlDataSource

    def rows(self, kinds, **options):
        """Reads the columns as a session would, with pickled parts."""
        fields = [self.types.StructField(name, kind) for name, kind in kinds.items()]
        source = self.source({"query": "mate", "path": str(self.path), "pieces": "3", **options})
        reader = pickle.loads(pickle.dumps(source.reader(self.types.StructType(fields))))
        parts = pickle.loads(pickle.dumps(reader.partitions()))
        return len(parts), [row for part in parts for batch in reader.read(part) for row in batch.to_pylist()]

    def test_the_rows_are_those_of_a_search(self):
        text = self.types.StringType()
        kinds = {"ply": self.types.LongType(), "tags": self.types.MapType(text, text)}
        n_parts, rows = self.rows(kinds)
        self.assertEqual(n_parts, 3)
        expected = babson.search(self.path, "mate", columns=["ply", "tags"]).to_arrow().to_pylist()
        self.assertEqual(rows, expected)
        self.assertEqual(len(rows), 20)
        _, rows = self.rows({"m": self.types.LongType()}, per="game", values='{"m": "power A"}')
        self.assertEqual(len(rows), 20)

    def test_the_schema_is_that_of_the_columns(self):
        described = lambda **options: self.source(options).schema()
        self.assertEqual(described(query="mate", columns="white, ply"), "`white` string, `ply` bigint")
        self.assertIn("`fen` string", described(query="mate"))

    def test_wrong_options_are_refused(self):
        longs = {"ply": self.types.LongType()}
        with self.assertRaises(babson.QueryError):
            self.rows(longs, query="maet")
        with self.assertRaisesRegex(ValueError, "no option colums"):
            self.rows(longs, colums="ply")
        with self.assertRaisesRegex(ValueError, "ply is a bigint, not a int"):
            self.rows({"ply": self.types.IntegerType()})
        with self.assertRaisesRegex(ValueError, "the query is missing"):
            self.source({"path": "g.pgn"}).schema()
        with self.assertRaisesRegex(ValueError, "no file is named"):
            self.source({"query": "mate"})._paths()

    def test_a_damaged_shard_is_named_or_passed_over(self):
        import gzip

        whole = gzip.compress((BROKEN + b"\n\n") * 20, 0)
        self.path = self.path.with_suffix(".pgn.gz")
        self.path.write_bytes(whole[: len(whole) // 2])
        longs = {"ply": self.types.LongType()}
        with self.assertRaisesRegex(OSError, "shard 0, .*cut off"):
            self.rows(longs)
        _, rows = self.rows(longs, skip_damaged="true")
        self.assertGreater(len(rows), 5)

    def test_an_older_spark_is_told_what_to_use(self):
        from babson import spark as cluster

        with mock.patch.dict(sys.modules, {"pyspark.sql.datasource": None}):
            sys.modules.pop("babson._spark_source")
            with self.assertRaisesRegex(RuntimeError, "babson.spark.search"):
                cluster.register(mock.Mock())


class Progress(unittest.TestCase):
    def test_who_wants_to_know_is_told(self):
        seen = []
        babson.count(HISTORIC, "check", progress=seen.append)
        self.assertEqual((seen[-1].games, seen[-1].fraction), (40, 1.0))
        self.assertEqual(seen[-1].matches, babson.count(HISTORIC, "check").games)
        self.assertIn("40 games", str(seen[-1]))
        self.assertIn("<progress", seen[-1]._repr_html_())

    def test_who_fails_ends_the_search(self):
        def fail(progress):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            babson.count(HISTORIC, "check", progress=fail)

    def test_notebooks_of_every_kind_are_known(self):
        class ZMQInteractiveShell:
            pass

        class Shell(ZMQInteractiveShell):
            """That of Colab is derived, too."""

        class TerminalInteractiveShell:
            pass

        for shell, expected in [(Shell(), True), (ZMQInteractiveShell(), True), (TerminalInteractiveShell(), False)]:
            module = mock.Mock(get_ipython=lambda shell=shell: shell)
            with mock.patch.dict(sys.modules, {"IPython": module}):
                self.assertEqual(_progress.in_notebook(), expected, shell)

    def test_notebooks_have_a_line(self):
        self.assertIsNone(_progress.teller(None))
        with mock.patch.object(_progress, "in_notebook", lambda: True):
            self.assertIsInstance(_progress.teller(None), _progress.Line)
            self.assertIsNone(_progress.teller(False))
        display = mock.Mock()
        line = _progress.Line()
        line.begin -= 1
        modules = {"IPython": mock.Mock(), "IPython.display": display}
        with mock.patch.object(_progress, "in_notebook", lambda: True), mock.patch.dict(sys.modules, modules):
            line(1, 0, None)
            line(2, 1, 0.5)
        display.display.assert_called_once()
        display.display.return_value.update.assert_called_once_with(_progress.Progress(2, 1, 0.5))


class Sql(unittest.TestCase):
    """The page about SQL: its tables are made, and each of its questions has an answer."""

    def test_questions_have_answers(self):
        try:
            import duckdb
        except ImportError:
            raise unittest.SkipTest("duckdb is not installed") from None
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                sql_page.write_tables()
                self.assertEqual(len(sql_page.QUESTIONS), 10)
                for question in sql_page.QUESTIONS:
                    self.assertTrue(duckdb.sql(question).fetchall(), question)
                self.polars(folder)
            finally:
                os.chdir(here)

    def polars(self, folder):
        try:
            import polars
        except ImportError:
            return
        games = polars.SQLContext(games=polars.scan_parquet("games.parquet"))
        [row] = games.execute("select count(*) as n from games where eco is not null").collect().rows()
        self.assertGreater(row[0], 0)


if __name__ == "__main__":
    unittest.main()
