"""The package answers the cases that all front ends answer (`crates/search/tests/doors.json`)."""

import json
import pathlib
import tempfile
import unittest

import babson

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = json.loads((ROOT / "crates/search/tests/doors.json").read_text(encoding="utf-8"))


def report_of(search):
    """Returns the report of a search, and the numbers of its games in order."""
    numbers = [game.number for game in search]
    return search.report, numbers


class Doors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "g.pgn"
        self.file.write_text("".join(text * n for n, text in CASES["games"]), encoding="utf-8")

    def written(self, query, limit, threads):
        """Writes a table, and returns the report and the numbers of the games."""
        out = self.folder / "o.jsonl"
        report = babson.write(
            self.file, query, out, per="game", limit=limit, threads=threads, force=True
        )
        return report, [json.loads(line)["game"] for line in out.read_text().splitlines()]

    def test_the_package_answers_as_every_front_end(self):
        n_answers = 0
        for case in CASES["cases"]:
            query, limit = case["query"], case.get("limit")
            # The package has no limit on steps.
            if "steps" in case:
                continue
            for threads in (1, 2, 7):
                with self.subTest(case=case["name"], threads=threads):
                    games = lambda: report_of(
                        babson.games(self.file, query, limit=limit, threads=threads)
                    )
                    for search in (games, lambda: self.written(query, limit, threads)):
                        n_answers += 1
                        if "error" in case:
                            with self.assertRaisesRegex(RuntimeError, case["error"]):
                                search()
                            continue
                        report, numbers = search()
                        self.assertEqual(numbers, case["matches"])
                        self.assertEqual(report.games, case["games"])
                        faults = sorted({fault.game for fault in report.faults})
                        self.assertEqual(faults, case["faults"])
        self.assertEqual(n_answers, 48)


if __name__ == "__main__":
    unittest.main()
