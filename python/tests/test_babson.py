"""Tests of the package: `python -m unittest discover python/tests` with the package installed."""

import doctest
import gzip
import io
import json
import os
import pathlib
import pickle
import signal
import tempfile
import threading
import time
import unittest

import babson
import ctrl_c
from babson import spark

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HISTORIC = ROOT / "examples" / "historic.pgn"
FOOL = b'[White "Fool"]\n[WhiteElo "1200"]\n[Date "2020.02.03"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


def module(name):
    """Imports an optional package, or returns None."""
    try:
        return __import__(name)
    except ImportError:
        raise unittest.SkipTest(f"{name} is not installed") from None


class Queries(unittest.TestCase):
    def test_what_is_wrong_has_a_place(self):
        with self.assertRaises(babson.QueryError) as caught:
            babson.compile("btm  \n  maet")
        [error] = caught.exception.diagnostics
        self.assertEqual((error.line, error.column, error.start, error.end), (2, 3, 8, 12))
        self.assertEqual(error.edit, (8, 12, "mate"))
        self.assertIn("query:2:3: error[E0201]", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.query), (str(caught.exception), caught.exception.query))
        self.assertEqual(again.diagnostics, caught.exception.diagnostics)

    def test_what_is_wrong_in_a_value(self):
        with self.assertRaises(babson.QueryError) as caught:
            babson.compile("♔♜ mate", values={"x": "power Ä"})
        self.assertEqual({error.source for error in caught.exception.diagnostics}, {"value x"})
        with self.assertRaisesRegex(ValueError, "hide"):
            babson.compile("mate", values={"fen": "power A"})

    def test_queries_of_all_dialects(self):
        for text in ["mate", "cql() mate", "(match (position :mate))", "cql(variations) check"]:
            self.assertIn("babson.compile", repr(babson.compile(text)))
        with self.assertRaisesRegex(ValueError, "dialect"):
            babson.compile("mate", dialect="cql7")
        self.assertIsNone(babson.compile("mate").sequential)
        self.assertIn("persistent", babson.compile("persistent x+=1").sequential)

    def test_the_last_game_has_a_number_in_every_source_but_shards(self):
        last = babson.compile("gamenumber==lastgamenumber initial")
        self.assertTrue(last.counts_games)
        text = (FOOL + b"\n") * 3
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "g.pgn")
            path.write_bytes(text)
            for source in (text, path, io.BytesIO(text), [path]):
                self.assertEqual([game.number for game in babson.games(source, last)], [3])
            self.assertEqual(babson.count(io.BytesIO(text), last), (1, 1))
            report = babson.write(io.BytesIO(text), last, path.with_suffix(".csv"))
            self.assertEqual(report.matches, 1)
            # Games without a White tag do not count.
            with self.assertRaisesRegex(RuntimeError, "no game with a White tag"):
                babson.count(b"1. e4 *", last)
            # Its number would be that of the last game of the shard.
            with self.assertRaisesRegex(ValueError, "lastgamenumber"):
                babson.count(babson.shards(path, 2)[0], last)
        with self.assertRaisesRegex(ValueError, "lastgamenumber"):
            spark._Task("gamenumber==lastgamenumber", {})

    def test_a_query_is_checked_explained_and_laid_out(self):
        self.assertEqual(babson.check("mate"), [])
        [warning] = babson.check("--Nf3")
        self.assertEqual((warning.severity, warning.line), ("warning", 1))
        self.assertEqual([error.code for error in babson.check("maet", values={"x": "hceck"})], ["E0201"] * 2)
        for query in ("mate wtm", babson.compile("cql() mate wtm")):
            self.assertIn("Evaluation plan", babson.explain(query))
            self.assertIn("the side to move is mated", babson.explain(query))
        self.assertIn("In CQL 6.2 this query is", babson.explain("(match (position :wtm))"))
        with self.assertRaises(babson.QueryError):
            babson.explain("maet")
        with self.assertRaisesRegex(ValueError, "compile"):
            babson.explain(babson.compile("mate"), dialect="cql6")
        laid_out = babson.fmt("cql()  K attacks   q // why")
        self.assertEqual(babson.fmt(laid_out), laid_out)
        self.assertIn("why", laid_out)
        self.assertIn("♔", babson.fmt(laid_out, unicode=True))
        self.assertEqual(babson.fmt(babson.fmt(laid_out, unicode=True), unicode=False), laid_out)
        with self.assertRaises(babson.QueryError) as caught:
            babson.fmt("cql() ♔ maet")
        self.assertEqual(caught.exception.diagnostics[0].start, 8)
        with self.assertRaisesRegex(ValueError, "older dialect"):
            babson.fmt("(match (position :mate))")

    def test_a_path_is_a_file_with_the_query(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mate.cql")
            path.write_bytes(b"\xef\xbb\xbfcql() mate\r\n")
            self.assertEqual(babson.count(FOOL, path).games, 1)
            babson.report(FOOL, path, path.with_suffix(".html"))
            self.assertIn(str(path), path.with_suffix(".html").read_text())
            # The workers of a cluster may not have it.
            task = spark._Task(path, {"values": {"at": "ply"}})
            path.write_text("btm\nmaet")
            self.assertEqual(task.query().values, ["at"])
            with self.assertRaises(babson.QueryError) as caught:
                babson.games(FOOL, path)
            self.assertEqual(caught.exception.diagnostics[0].source, str(path))
            self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).query, "btm\nmaet")
            path.write_bytes(b'mate "\xe9"')
            with self.assertRaisesRegex(ValueError, "mate.cql is not UTF-8"):
                babson.count(FOOL, path)
            with self.assertRaises(FileNotFoundError):
                babson.compile(path.with_name("none.cql"))

    def test_a_text_is_compiled_with_values(self):
        values = {"at": "ply", "men": "#[Aa]"}
        self.assertEqual(babson.count(FOOL, "mate", values=values, by=["at"]), [{"at": 4, "games": 1, "positions": 1}])
        self.assertEqual(babson.search(FOOL, "mate", values=values, columns="men").columns, ["men"])
        [game] = babson.games(FOOL, "mate", values=values)
        self.assertEqual(game.values(), {"at": 4, "men": 32})
        self.assertEqual((game.values(0), game.values(-1)), (game.values(), game.values()))
        with self.assertRaises(IndexError):
            game.values(1)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "found.csv")
            babson.write(FOOL, "mate", path, values=values, columns=["men", "at"])
            self.assertEqual(path.read_text(), "men,at\n32,4\n")
        with self.assertRaisesRegex(ValueError, "values go with the text"):
            babson.count(FOOL, babson.compile("mate"), values=values)


class Arguments(unittest.TestCase):
    """A wrong argument is reported by name, with the expected values."""

    def refused(self, error, message, function, *arguments, **named):
        with self.subTest(function=function.__name__, **named):
            with self.assertRaisesRegex(error, message):
                function(*arguments, **named)

    def test_numbers(self):
        searches = [babson.search, babson.games, babson.count, babson.write, babson.write_pgn]
        for search in searches:
            out = [os.devnull] if search.__name__.startswith("write") else []
            for threads, error, message in [
                (-1, ValueError, "threads must be 0 or more, not -1"),
                (5000, ValueError, "threads must be 4096 at most, not 5000"),
                (2**80, ValueError, "threads must be 4096 at most"),
                (1.5, TypeError, "threads must be a whole number, not float"),
                ("2", TypeError, "threads must be a whole number, not str"),
            ]:
                self.refused(error, message, search, FOOL, "mate", *out, threads=threads)
            if search is babson.count:
                continue
            self.refused(ValueError, "limit must be 0 or more, not -3", search, FOOL, "mate", *out, limit=-3)
            self.refused(ValueError, "limit must be .* at most", search, FOOL, "mate", *out, limit=2**64)
            self.refused(TypeError, "limit must be a whole number, not bool", search, FOOL, "mate", *out, limit=True)
        self.refused(ValueError, "threads", babson.index, HISTORIC, "x.cqa", threads=-1)
        self.refused(ValueError, "n must be 1 or more, not 0", babson.shards, HISTORIC, 0)
        self.refused(TypeError, "n must be a whole number, not str", babson.shards, HISTORIC, "3")

    def test_no_game_is_an_empty_result(self):
        for query in ("mate", 'mate sort min "soon" ply'):
            games = babson.games(HISTORIC, query, limit=0)
            self.assertEqual(list(games), [])
            self.assertEqual((games.report.matches, games.report.positions), (0, 0))
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "none.csv")
                self.assertEqual(babson.write(HISTORIC, query, path, limit=0, columns="ply").matches, 0)
                self.assertEqual(path.read_text(), "ply\n")
            with self.assertRaises(FileNotFoundError):
                list(babson.games("no-such-file.pgn", query, limit=0))
        module("pyarrow")
        self.assertEqual(babson.search(HISTORIC, "mate", limit=0).to_arrow().num_rows, 0)

    def test_one_name_is_a_list_of_one(self):
        self.assertEqual(babson.search(FOOL, "mate", columns="white").columns, ["white"])
        self.assertEqual(babson.search(FOOL, "mate", columns=None).columns, babson.search(FOOL, "mate").columns)
        self.assertEqual(babson.count(FOOL, "mate", by="white"), babson.count(FOOL, "mate", by=("white",)))
        fen = "7k/8/8/8/8/8/8/K7 w - - 0 1"
        self.assertEqual(babson.diagram(fen, marks="a1"), babson.diagram(fen, marks=["a1"]))
        self.assertNotEqual(babson.diagram(fen, marks="a1"), babson.diagram(fen))

    def test_types(self):
        query = babson.compile("mate")
        fen = "7k/8/8/8/8/8/8/K7 w - - 0 1"
        for message, function, arguments, named in [
            ("columns must be a name or several, not int", babson.search, (FOOL, query), {"columns": ["white", 5]}),
            ("columns must be a name or several, not int", babson.search, (FOOL, query), {"columns": 5}),
            ("columns must be a name or several, not bytes", babson.write, (FOOL, query, "x.csv"), {"columns": b"ply"}),
            ("by must be a name or several, not float", babson.count, (FOOL, query), {"by": 0.5}),
            ("marks must be a name or several, not int", babson.diagram, (fen,), {"marks": [1]}),
            ("per must be str, not int", babson.search, (FOOL, query), {"per": 1}),
            ("per must be str, not NoneType", babson.write, (FOOL, query, "x.csv"), {"per": None}),
            (r"format must be str \| None, not int", babson.write, (FOOL, query, "x.csv"), {"format": 1}),
            ("force must be bool, not str", babson.write, (FOOL, query, "x.csv"), {"force": "yes"}),
            ("path must be text or a pathlib.Path, not bytes", babson.write, (FOOL, query, b"x.csv"), {}),
            ("query must be text or a pathlib.Path, not bytes", babson.count, (FOOL, b"mate"), {}),
            ("query must be text or a pathlib.Path, not NoneType", babson.games, (FOOL, None), {}),
            ("query must be text or a pathlib.Path, not Query", babson.compile, (query,), {}),
            (r"dialect must be str \| None, not int", babson.compile, ("mate",), {"dialect": 6}),
            (r"variations must be bool \| None, not str", babson.compile, ("mate",), {"variations": "no"}),
            ("values must be a dict .*, not list", babson.compile, ("mate",), {"values": [("at", "ply")]}),
            ("values must be a dict .*, not int", babson.search, (FOOL, "mate"), {"values": {"at": 1}}),
            ("values must be a dict .*, not NoneType", babson.games, (FOOL, "mate"), {"values": {None: "ply"}}),
            ("games must be a path, .*, not bytes", babson.count, ([FOOL], query), {}),
            ("games must be a path, .*, not NoneType", babson.search, (None, query), {}),
            ("games must be a path or several, not int", babson.shards, (7, 3), {}),
            ("keep_damaged must be bool, not int", babson.shards, (HISTORIC, 3), {"keep_damaged": 1}),
            ("archive must be text or a pathlib.Path, not int", babson.index, (HISTORIC, 1), {}),
            (r"self_contained must be bool \| None, not str", babson.index, (HISTORIC, "x.cqa"), {"self_contained": "y"}),
            ("progress must be a function, .*, not int", babson.count, (FOOL, query), {"progress": 5}),
            ("fen must be str, not bytes", babson.diagram, (fen.encode(),), {}),
            ("flip must be bool, not int", babson.diagram, (fen,), {"flip": 1}),
        ]:
            self.refused(TypeError, message, function, *arguments, **named)
        for empty in (babson.shards, babson.index):
            self.refused(ValueError, "no file is named", empty, [], "x.cqa" if empty is babson.index else 3)


class Collections(unittest.TestCase):
    def test_the_same_is_counted_whatever_the_source(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "g.pgn")
            path.write_bytes(HISTORIC.read_bytes() + FOOL * 2000)
            shards = babson.shards(path, 3)
            sources = {
                "file": path, "bytes": path.read_bytes(), "shards": shards,
                "shards in another order": shards[::-1],
            }
            counts = [babson.stats(path), babson.tree(path, "1.f3", depth=2), babson.duplicates(path)]
            self.assertEqual((counts[0]["games"], counts[0]["files"]), (2040, 1))
            self.assertEqual(counts[0]["players"][0], {"name": "Fool", "count": 2000})
            self.assertEqual(counts[0]["openings"], babson.stats(path, top=9)["openings"])
            [move] = counts[1]["moves"]
            self.assertEqual((move["move"], move["games"], move["black"]), ("e5", 2000, 2000))
            self.assertEqual(move["moves"][0]["move"], "g4")
            self.assertEqual((counts[2]["games"], counts[2]["equal"]), (2040, 1999))
            first = {"input": str(path), "game": 41}
            self.assertEqual([row["of"] for row in counts[2]["duplicates"]], [first] * 1999)
            self.assertEqual(counts[2]["duplicates"][-1]["game"], 2040)

            def numbers(told):
                told.pop("example", None)
                for move in told.get("moves", []):
                    numbers(move)
                for row in told.get("duplicates", []):
                    row["input"] = row["of"]["input"] = ""
                told.get("duplicates", []).sort(key=lambda row: row["game"])
                return told

            expected = [numbers(told) for told in counts]

            def told_of(source):
                told = [babson.stats(source), babson.tree(source, "1.f3", depth=2)]
                return [numbers(one) for one in (*told, babson.duplicates(source))]

            for name, source in sources.items():
                self.assertEqual(told_of(source), expected, name)
            for number, count in enumerate([babson.stats, babson.duplicates]):
                reader = io.BytesIO(path.read_bytes())
                self.assertEqual(numbers(count(reader)), expected[2 * number])
            babson.index(path, path.with_suffix(".cqa"))
            self.assertEqual(told_of(path.with_suffix(".cqa")), expected)
            told = told_of(babson.shards(path, 3))
            # The share of a part in the bytes is rounded.
            self.assertAlmostEqual(told[0].pop("bytes"), expected[0].pop("bytes"), delta=3)
            self.assertEqual(told, expected)

    def test_games_that_are_kept(self):
        games = b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. e4 *\n\n"
        self.assertEqual(babson.duplicates(games)["equal"], 0)
        found = babson.duplicates(games, moves_only=True, keep="first")
        self.assertEqual([row["white"] for row in found["duplicates"]], ["B"])
        games = b"1. e4 (1. d4) *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n"
        tree = babson.tree(games, variations=True)
        self.assertEqual([move["move"] for move in tree["moves"]], ["d4", "e4"])
        self.assertEqual((tree["games"], tree["other_rules"], tree["unreadable"]), (1, 1, 0))
        self.assertEqual(babson.tree(games, min_games=2)["moves"], [])

    def test_dedup_is_the_name_of_the_command(self):
        self.assertIs(babson.dedup, babson.duplicates)

    def test_each_pass_has_a_progress_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "g.pgn")
            games = (FOOL.replace(b"Fool", b"Fool %d" % (n % 199_000)) + b"\n" for n in range(200_000))
            path.write_bytes(b"".join(games))
            # The second pass begins again. It may be over between two looks: then another run shows it.
            for _ in range(5):
                told = []
                babson.duplicates(path, threads=1, progress=told.append)
                fractions = [news.fraction for news in told]
                self.assertEqual(fractions[-1], 1)
                self.assertLess(min(fractions), 1)
                begins_again = any(b < a for a, b in zip(fractions, fractions[1:]))
                if begins_again or fractions.count(1) > 1:
                    return
        self.fail(fractions)

    def test_the_doctor_finds_and_repairs(self):
        broken = FOOL + b'\n[White "x"]\n\n1. e4 e5 2. Ke3 d6 *\n'
        found = babson.doctor(broken)
        self.assertEqual((found["games"], found["faulty_games"], found["repaired"]), (2, 1, None))
        [remark] = found["remarks"]
        self.assertEqual((remark["game"], remark["line"]), (2, 9))
        self.assertNotIn("remarks", babson.doctor(broken, summary=True))
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            games, new = folder / "g.pgn", folder / "new.pgn"
            games.write_bytes(broken)
            os.link(games, folder / "hard.pgn")
            found = babson.doctor(games, new)
            self.assertEqual(found["repaired"], str(new))
            self.assertTrue(new.read_bytes().startswith(FOOL))
            self.assertEqual(babson.doctor(new)["faulty_games"], 0)
            # An input is never replaced, another file only with `force`.
            (folder / "notes.pgn").write_text("my notes\n")
            for name, force in [("g.pgn", True), ("hard.pgn", True), ("notes.pgn", False)]:
                with self.assertRaises(FileExistsError):
                    babson.doctor(games, folder / name, force=force)
            self.assertEqual((folder / "notes.pgn").read_text(), "my notes\n")
            self.assertEqual(games.read_bytes(), broken)
            babson.doctor(games, folder / "notes.pgn", force=True)
            self.assertEqual((folder / "notes.pgn").read_bytes(), new.read_bytes())
            # A new file that lacks a whole input is not written.
            (folder / "bad.pgn.gz").write_bytes(b"\x1f\x8bnothing")
            both = [games, folder / "bad.pgn.gz"]
            with self.assertRaisesRegex(OSError, "bad.pgn.gz"):
                babson.doctor(both, folder / "other.pgn")
            self.assertFalse((folder / "other.pgn").exists())
            with self.assertRaisesRegex(OSError, "bad.pgn.gz") as caught:
                babson.doctor(both)
            self.assertEqual(caught.exception.report["games"], 2)
            with self.assertRaisesRegex(ValueError, "shards"):
                babson.doctor(babson.shards(games, 2))

    def test_all_games_are_exported(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            text = FOOL + b'\n[White "x"]\n[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 1"]\n\n*\n'
            (folder / "g.pgn").write_bytes(text)
            report = babson.export(folder / "g.pgn", folder / "g.jsonl")
            self.assertEqual((report.games, report.matches), (2, 2))
            rows = [json.loads(line) for line in (folder / "g.jsonl").read_text().splitlines()]
            self.assertEqual([row["moves"] for row in rows], [["f3", "e5", "g4", "Qh4#"], []])
            self.assertEqual([row["FEN"] for row in rows], [None, "4k3/8/8/8/8/8/8/4K3 b - - 0 1"])
            babson.index(folder / "g.pgn", folder / "g.cqa")
            babson.export(folder / "g.cqa", folder / "h.jsonl")
            again = [json.loads(line) for line in (folder / "h.jsonl").read_text().splitlines()]
            self.assertEqual(again, rows)
            babson.export(folder / "g.pgn", folder / "g.csv", columns=["white", "moves_uci"])
            self.assertEqual(
                (folder / "g.csv").read_text(), "white,moves_uci\nFool,f2f3; e7e5; g2g4; d8h4\nx,\"\"\n"
            )
            with self.assertRaises(FileExistsError):
                babson.export(folder / "g.pgn", folder / "g.pgn", format="csv", force=True)

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(ValueError, "'e5' is not possible here"):
            babson.tree(FOOL, "1.e5")
        with self.assertRaisesRegex(ValueError, "depth must be 12 at most"):
            babson.tree(FOOL, depth=13)
        with self.assertRaisesRegex(ValueError, "keep must be 'best' or 'first', not \"last\""):
            babson.duplicates(FOOL, keep="last")
        with self.assertRaisesRegex(TypeError, "position must be str, not int"):
            babson.tree(FOOL, 4)
        with self.assertRaises(FileNotFoundError):
            babson.stats("none.pgn")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "cut.pgn.gz")
            path.write_bytes(gzip.compress(FOOL * 3000)[:-40])
            counts = [babson.stats, babson.tree, babson.duplicates]
            for count in counts:
                with self.assertRaisesRegex(OSError, "cut.pgn.gz: ") as caught:
                    count([path, HISTORIC])
                self.assertGreater(caught.exception.report["games"], 40, count)
        told = []
        babson.stats(FOOL * 100, progress=told.append)
        self.assertEqual(told[-1].games, 100)


class Searches(unittest.TestCase):
    def test_types_of_columns(self):
        pa = module("pyarrow")
        query = babson.compile("mate", values={"down": "power a - power A", "here": "K"})
        columns = ["white", "date", "white_elo", "ply", "san", "fen", "tags", "comments", "down", "here"]
        table = pa.table(babson.search(FOOL, query, columns=columns))
        types = {field.name: str(field.type) for field in table.schema}
        self.assertEqual(types["date"], "date32[day]")
        self.assertEqual(types["white_elo"], "int64")
        self.assertEqual(types["comments"], "list<item: string>")
        [row] = table.to_pylist()
        self.assertEqual((row["white"], row["ply"], row["san"], row["down"], row["here"]), ("Fool", 4, "Qh4#", 0, ["e1"]))
        self.assertEqual(str(row["date"]), "2020-02-03")
        self.assertEqual(dict(row["tags"])["White"], "Fool")

    def test_sources(self):
        expected = babson.count(HISTORIC, "check")
        self.assertGreater(expected.games, 5)
        text = HISTORIC.read_bytes()
        import gzip

        for source in [str(HISTORIC), [HISTORIC], text, bytearray(text), io.BytesIO(text), io.StringIO(text.decode()), gzip.compress(text), io.BytesIO(gzip.compress(text))]:
            self.assertEqual(babson.count(source, "check"), expected, type(source))
        for threads in (1, 3):
            self.assertEqual(babson.count(HISTORIC, "check", threads=threads), expected)
        with self.assertRaises(FileNotFoundError):
            babson.count("no-such-file.pgn", "check")
        with self.assertRaisesRegex(TypeError, "path"):
            babson.count(7, "check")
        with self.assertRaises(ValueError):
            babson.count([], "check")

    def test_a_reader_is_read_once(self):
        pa = module("pyarrow")
        found = babson.search(io.BytesIO(FOOL), "mate")
        self.assertEqual(pa.table(found).num_rows, 1)
        with self.assertRaisesRegex(RuntimeError, "has been read"):
            pa.table(found)
        found = babson.search(FOOL, "mate")
        self.assertEqual(pa.table(found).num_rows, pa.table(found).num_rows)
        self.assertEqual((found.report.games, found.report.matches), (1, 1))

    def test_a_reader_that_fails(self):
        class Broken:
            def read(self, size):
                raise OSError("the line is down")

        with self.assertRaisesRegex(OSError, "the line is down"):
            babson.count(Broken(), "check")

    def test_frames_agree(self):
        polars, duckdb = module("polars"), module("duckdb")
        found = babson.search(HISTORIC, "check", columns=["game", "ply", "result"])
        rows = found.to_arrow().to_pylist()
        self.assertEqual(polars.DataFrame(found).to_dicts(), rows)
        counted = duckdb.sql("select result, count(*) from found group by 1 order by 1").fetchall()
        by = babson.count(HISTORIC, "check", by="result")
        self.assertEqual(sorted((row["result"], row["positions"]) for row in by), counted)

    def test_games_are_closed(self):
        with babson.games(FOOL * 10_000, "mate", threads=1) as found:
            self.assertEqual(next(found).number, 1)
            self.assertIn("FoundGames", repr(found))
        self.assertEqual(list(found), [])
        found.close()

    def test_keys_of_positions(self):
        keys = babson.count(FOOL * 2, "ply==4", by=["zobrist", "san"])
        self.assertEqual([(len(row["zobrist"]), row["games"]) for row in keys], [(16, 2)])

    def test_a_lazy_scan(self):
        polars = module("polars")
        module("pyarrow")
        text = FOOL * 20_000
        lazy = babson.scan(text, "mate", columns=["game", "white", "ply", "date", "tags"], values={"m": "power A"})
        self.assertEqual(lazy.collect_schema().names(), ["game", "white", "ply", "date", "tags"])
        whole = babson.search(text, "mate", columns=["game", "white", "ply", "date", "tags"]).to_polars()
        self.assertTrue(lazy.collect().equals(whole))
        self.assertEqual(lazy.select(polars.len()).collect().item(), 20_000)
        game = polars.col("game")
        self.assertEqual(lazy.filter(game > 19_998).select("white").collect().rows(), [("Fool",)] * 2)
        self.assertEqual(lazy.filter(game > 10).head(2).select("game").collect().rows(), [(11,), (12,)])
        with self.assertRaises(babson.QueryError):
            babson.scan(text, "maet")
        with self.assertRaises(ValueError):
            babson.scan(text, "mate", columns="nothing")

    def test_a_lazy_scan_computes_what_is_needed(self):
        polars = module("polars")
        module("pyarrow")
        asked = []

        def searched(*arguments, **options):
            asked.append((options["columns"], options.get("limit")))
            return real(*arguments, **options)

        real = babson.search
        babson.search = searched
        try:
            lazy = babson.scan(FOOL * 10, "mate", per="game", columns=["game", "white", "moves"])
            lazy.select("white").head(3).collect()
            lazy.filter(polars.col("game") == 2).select("white").collect()
        finally:
            babson.search = real
        self.assertEqual(asked[1], (["white"], 3))
        self.assertEqual(sorted(asked[2][0]), ["game", "white"])

    def test_limits_and_sorts(self):
        games = list(babson.games(HISTORIC, "check", limit=3))
        self.assertEqual(len(games), 3)
        plies = [game.positions[0].ply for game in babson.games(HISTORIC, 'mate sort min "soon" ply')]
        self.assertEqual(plies, sorted(plies))
        table = babson.search(HISTORIC, 'mate sort min "soon" ply', limit=2, columns=["ply"]).to_arrow()
        self.assertEqual([row["ply"] for row in table.to_pylist()], plies[:2])

    def test_wrong_columns(self):
        with self.assertRaisesRegex(ValueError, "fen"):
            babson.search(FOOL, "mate", columns=["fenn"])
        with self.assertRaisesRegex(ValueError, "per"):
            babson.search(FOOL, "mate", per="move")

    def test_faults_are_told(self):
        games = babson.games(FOOL + b'[White "x"]\n\n1. e4 e5 2. Ke4 *\n', "mate")
        self.assertEqual(len(list(games)), 1)
        self.assertEqual([fault.game for fault in games.report.faults], [2])


#: A game with an impossible move, a sound one, one of another variant, and one with an open comment.
BROKEN = (
    b'[White "x"]\n\n1. e4 e5 2. Ke4 *\n\n[White "y"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'
    b'[White "r"]\n[Variant "Mine"]\n\n1. e4 *\n\n[Event "z"]\n[White "z"]\n\n1. e4 {open\n'
)


def fails(*_):
    """Raises an error in another process, which must be able to pickle it."""
    babson.compile("maet")


def reports(path):
    return babson.count(path, "mate").report


class Faults(unittest.TestCase):
    """All functions report the same damage in the same way."""

    def doors(self, source):
        """Returns the report and the error of each function."""

        def searched():
            found = babson.search(source(), "mate")
            found.to_arrow()
            return found.report

        def rows():
            found = babson.search(source(), "mate", per="game")
            for _ in found.to_batches():
                pass
            return found.report

        def games():
            found = babson.games(source(), "mate")
            list(found)
            return found.report

        def written():
            with tempfile.TemporaryDirectory() as folder:
                return babson.write(source(), "mate", pathlib.Path(folder, "out.csv"))

        doors = {
            "games": games,
            "count": lambda: babson.count(source(), "mate").report,
            "count by": lambda: babson.count(source(), "mate", by="white").report,
            "write": written,
        }
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return doors
        return doors | {"search": searched, "batches": rows}

    def test_all_doors_tell_the_same_faults(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "g.pgn")
            path.write_bytes(BROKEN)
            old = pathlib.Path(folder, "old")
            old.mkdir()
            (old / "g.pgn").write_bytes(FOOL)
            babson.index(old / "g.pgn", old / "g.cqa")
            (old / "g.pgn").write_bytes(BROKEN)
            sources = {
                "file": lambda: path,
                "bytes": lambda: BROKEN,
                "reader": lambda: io.BytesIO(BROKEN),
                "shards": lambda: babson.shards(path, 2),
                "archive in the way": lambda: old / "g.pgn",
            }
            expected = None
            for name, source in sources.items():
                for door, report in self.doors(source).items():
                    told = report()
                    faults = [(fault.game, fault.line, fault.message) for fault in told.faults if fault.game]
                    sums = (told.games, told.matches, told.positions, told.n_faults, faults)
                    expected = expected or sums
                    self.assertEqual(sums, expected, (name, door))
            self.assertEqual(expected[:4], (4, 1, 1, 3))

    def test_what_is_cut_is_an_error_of_all_doors(self):
        import gzip

        cut = gzip.compress(BROKEN + FOOL * 5)[:-20]
        for door, report in self.doors(lambda: cut).items():
            with self.assertRaisesRegex(OSError, "cut off", msg=door) as caught:
                report()
            if door in ("count", "count by", "write"):
                last = caught.exception.report.faults[-1]
                self.assertEqual((last.game, last.searched), (0, False), door)
                again = pickle.loads(pickle.dumps(caught.exception))
                self.assertEqual(again.report, caught.exception.report)

    def test_errors_and_reports_can_be_pickled(self):
        import concurrent.futures
        import copy
        import multiprocessing

        counted = babson.count(BROKEN, "mate")
        groups = babson.count(BROKEN, "mate", by="white")
        [game] = babson.games(BROKEN, "mate")
        for value in [counted, groups, counted.report, *counted.report.faults, game.positions[0]]:
            for again in [pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)]:
                self.assertEqual(again, value)
                self.assertEqual(repr(again), repr(value))
                self.assertEqual(type(again), type(value))
        self.assertEqual(pickle.loads(pickle.dumps(groups)).report, groups.report)
        self.assertNotEqual(counted.report, babson.count(FOOL, "mate").report)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "g.pgn")
            path.write_bytes(BROKEN)
            spawn = multiprocessing.get_context("spawn")
            with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
                self.assertEqual(pool.submit(reports, path).result().n_faults, 3)
                with self.assertRaises(babson.QueryError) as caught:
                    pool.submit(fails).result()
                self.assertEqual([error.code for error in caught.exception.diagnostics], ["E0201"])


class Archives(unittest.TestCase):
    def test_archives_are_searched_by_their_columns(self):
        quiet = b'[White "Quiet"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n'
        text = (FOOL + b"\n") * 5 + quiet + FOOL
        with tempfile.TemporaryDirectory() as folder:
            games, archive = pathlib.Path(folder, "games.pgn"), pathlib.Path(folder, "games.cqa")
            games.write_bytes(text)

            def found(source):
                out = pathlib.Path(folder, "out.csv")
                babson.write(source, "mate", out, columns=["game", "white", "ply", "offset"])
                numbers = [(game.number, game.pgn) for game in babson.games(source, "mate", limit=6)]
                return out.read_bytes(), numbers, list(babson.count(source, "mate", by="white"))

            expected = found(games)
            self.assertEqual([number for number, _ in expected[1]], [1, 2, 3, 4, 5, 7])
            self.assertEqual(babson.index(games, archive), 7)
            self.assertEqual(found(games), expected)
            # A game without text comes from the columns.
            before = games.stat()
            games.write_bytes(text.replace(quiet, b" " * len(quiet)))
            os.utime(games, ns=(before.st_atime_ns, before.st_mtime_ns))
            self.assertEqual(found(games), expected)
            self.assertEqual(found([archive])[2], expected[2])

            games.write_bytes(text + b"\n" + FOOL)
            report = babson.write(games, "mate", pathlib.Path(folder, "out.pgn"))
            self.assertEqual((report.games, report.matches), (8, 7))
            [fault] = report.faults
            self.assertEqual((fault.input, fault.game, fault.searched), (str(archive), 0, True))
            # The archive is reported, and the counts are those of the text.
            self.assertEqual(report.n_faults, 0)
            self.assertIn("have changed; searching the text instead", str(fault))
            (archive / "manifest.json").write_text("{")
            with self.assertRaisesRegex(OSError, "games.cqa"):
                babson.count(archive, "mate")

    def test_an_archive_keeps_its_text_until_that_is_not_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            games, archive = pathlib.Path(folder, "games.pgn"), pathlib.Path(folder, "games.cqa")

            def has_text():
                return any(archive.glob("*.zst"))

            games.write_bytes(FOOL)
            babson.index(games, archive)
            self.assertFalse(has_text())
            babson.index(games, archive, self_contained=True)
            self.assertTrue(has_text())
            games.write_bytes(FOOL + b"\n" + FOOL)
            self.assertEqual(babson.index(games, archive), 2)
            self.assertTrue(has_text())
            babson.index(games, archive, self_contained=False)
            self.assertFalse(has_text())
            babson.index(games, archive, self_contained=True)
            games.unlink()
            with self.assertRaisesRegex(OSError, "it keeps the text of"):
                babson.index(archive, archive, self_contained=False)
            self.assertTrue(has_text())

    def test_an_archive_keeps_themes_until_they_are_not_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            games, archive = pathlib.Path(folder, "games.pgn"), pathlib.Path(folder, "games.cqa")
            games.write_bytes(HISTORIC.read_bytes())

            def kept():
                file = archive / "themes.json"
                return len(json.loads(file.read_text())["themes"]) if file.exists() else 0

            expected = babson.count(games, 'theme("fork")')
            for themes, n in [
                (None, 0), ("fork", 1), (["skewer", "fork"], 2), (None, 2), (True, None), (False, 0)
            ]:
                babson.index(games, archive, themes=themes)
                self.assertEqual(kept(), 75 if n is None else n, themes)
                self.assertEqual(babson.count(games, 'theme("fork")'), expected)
            with self.assertRaisesRegex(ValueError, "no theme 'forks'; did you mean fork?"):
                babson.index(games, archive, themes=["skewer", "forks"])
            with self.assertRaisesRegex(ValueError, "themes must name a theme"):
                babson.index(games, archive, themes=[])
            with self.assertRaisesRegex(TypeError, "themes must be a name or several, not int"):
                babson.index(games, archive, themes=4)


class Puzzles(unittest.TestCase):
    HEAD = "PuzzleId,FEN,Moves,Themes"
    PUZZLE = "1,q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1,h2h1n d5c7 e8d7 c7a8,fork"

    def test_puzzles_get_the_names_of_their_themes(self):
        self.assertEqual(babson.themes()["doublecheck"], "check by two pieces")
        self.assertNotIn("decoy", babson.themes())
        with tempfile.TemporaryDirectory() as folder:
            puzzles, tagged = pathlib.Path(folder, "p.csv"), pathlib.Path(folder, "t.csv")
            puzzles.write_text(f"{self.HEAD}\n{self.PUZZLE}\n")
            report = babson.tag_puzzles(puzzles, tagged)
            self.assertEqual((report.games, report.n_faults), (1, 0))
            [head, line] = tagged.read_text().splitlines()
            self.assertEqual(head, f"{self.HEAD},CqlThemes")
            self.assertTrue(line.startswith(f"{self.PUZZLE},"))
            self.assertIn("fork", line.rsplit(",", 1)[1].split())
            queries = {"knight": "N attacks q", "never": "mate", "queen": babson.compile("Q")}
            babson.tag_puzzles([puzzles], tagged, queries)
            self.assertEqual(tagged.read_text(), f"{self.HEAD},CqlThemes\n{self.PUZZLE},knight\n")

    def test_what_is_no_table_of_puzzles_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            puzzles, tagged = pathlib.Path(folder, "p.csv"), pathlib.Path(folder, "t.csv")
            puzzles.write_text(f"{self.HEAD}\n{self.PUZZLE}\n")
            with self.assertRaisesRegex(ValueError, "historic.pgn is not a table of Lichess puzzles"):
                babson.tag_puzzles(HISTORIC, tagged, {"mate": "mate"})
            with self.assertRaisesRegex(ValueError, "at most 128 queries, not 129"):
                babson.tag_puzzles(puzzles, tagged, {f"q{n}": "mate" for n in range(129)})
            with self.assertRaisesRegex(ValueError, "queries must name a query"):
                babson.tag_puzzles(puzzles, tagged, {})
            with self.assertRaises(babson.QueryError):
                babson.tag_puzzles(puzzles, tagged, {"mate": "maet"})
            self.assertFalse(tagged.exists())
            tagged.write_text("my notes")
            for target in (puzzles, tagged):
                before = target.read_text()
                with self.assertRaises(FileExistsError):
                    babson.tag_puzzles(puzzles, target, {"mate": "mate"})
                self.assertEqual(target.read_text(), before)


class Files(unittest.TestCase):
    def test_files_are_whole_or_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            report = babson.write_pgn(HISTORIC, "mate", folder / "out.pgn")
            again = babson.count(folder / "out.pgn", "mate")
            self.assertEqual((report.matches, report.positions), (again.games, again.positions))
            babson.report(HISTORIC, "mate", folder / "out.html")
            self.assertIn("<html", (folder / "out.html").read_text())
            with self.assertRaisesRegex(ValueError, "format"):
                babson.write(HISTORIC, "mate", folder / "out.xyz")
            with self.assertRaises(FileNotFoundError):
                babson.write("missing.pgn", "mate", folder / "other.csv")
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["out.html", "out.pgn"])

    def test_what_is_read_is_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            games = folder / "games.pgn"
            games.write_bytes(FOOL)
            os.link(games, folder / "hard.pgn")
            (folder / "sub").mkdir()
            os.link(games, folder / "sub" / "found.pgn")

            def refused(source, name, **options):
                before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                with self.assertRaises(FileExistsError):
                    babson.write(source, "mate", folder / name, **options)
                after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                self.assertEqual(before, after)

            for source in (games, [games], folder / "sub", babson.shards(games, 2)):
                for name in ("games.pgn", "hard.pgn"):
                    refused(source, name)
            for name in ("games.pgn", "hard.pgn"):
                refused(games, name, force=True, format="csv")
                with open(games, "rb") as opened:
                    refused(opened, name, force=True)
            # A file that is no result, by the rule of the command.
            (folder / "notes.csv").write_text("my notes\n")
            refused(games, "notes.csv")
            babson.write(games, "mate", folder / "notes.csv", force=True)
            # Now it is an earlier result, which a search of its directory skips.
            babson.write(games, "mate", folder / "notes.csv")
            for _ in range(2):
                report = babson.write_pgn(folder / "sub", "mate", folder / "sub" / "out.pgn")
                self.assertEqual(report.games, 1)
            self.assertEqual(games.read_bytes(), FOOL)

    @unittest.skipIf(os.name == "nt", "there are no modes")
    def test_files_have_the_mode_of_the_user(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            mask = os.umask(0o027)
            try:
                babson.write(FOOL, "mate", folder / "new.csv")
                (folder / "old.csv").touch(0o604)
                babson.write(FOOL, "mate", folder / "old.csv")
            finally:
                os.umask(mask)
            modes = [(folder / name).stat().st_mode & 0o777 for name in ("new.csv", "old.csv")]
            self.assertEqual(modes, [0o640, 0o600])

    def test_boards(self):
        [game] = babson.games(FOOL, "mate")
        self.assertIn("Fool", repr(game))
        self.assertTrue(game._repr_html_().count("<img") == 1)
        module("chess")
        self.assertTrue(game.board().is_checkmate())
        self.assertEqual(game.board(1).ply(), 1)
        with self.assertRaises(IndexError):
            game.board(9)

    def test_notebooks_show_boards(self):
        module("pyarrow")
        html = babson.search(FOOL, "mate", columns=["white", "fen"])._repr_html_()
        self.assertIn("<th>fen</th>", html)
        self.assertIn("data:image/svg+xml", html)


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_search(self):
        class Endless:
            def read(self, size):
                time.sleep(0.01)
                return FOOL * 100

        ctrl_c.heard(self)
        threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
        with self.assertRaises(KeyboardInterrupt):
            babson.count(Endless(), "mate")


class Examples(unittest.TestCase):
    def test_examples_of_the_documentation(self):
        failed, tried = doctest.testmod(babson, extraglobs={"babson": babson})
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 5)


if __name__ == "__main__":
    unittest.main()
