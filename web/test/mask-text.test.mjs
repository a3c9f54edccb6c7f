// The text of a query as mask and drawing: tests without a browser.

import assert from "node:assert";
import { test } from "node:test";
import { buildSync } from "esbuild";

const contents = 'export { partsOf, textOf, impossible, isAboutGames } from "./src/mask-text.ts"';
const resolveDir = new URL("..", import.meta.url).pathname;
const built = buildSync({ stdin: { contents, resolveDir }, bundle: true, write: false, format: "esm" });
const { partsOf, textOf, impossible, isAboutGames } = await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0].text)}`);

test("a query that the mask and the board can show is read and written again", () => {
  const texts = [
    'cql()\nplayer white "Morphy"\nyear <= 1860\nelo white >= 2500\nelo black >= 2500\n"B20" <= openingcode <= "B99"\nQ q\nresult 1-0 or result 0-1\ntheme("fork") or theme("skewer")\n',
    "cql()\nopeningcode \"C4\"\nmovenumber >= 10\npower A - power a >= -3\n#[Aa] <= 12\nendgame \"rook\"\n[Qq] == 0\n",
    "// A comment.\ncql(variations)\nwtm\nRd8\nAe4\n_f6\n[QR]a-c1-2\nnot [RB][d4,e5]\n",
    "cql()\nflipcolor shifthorizontal {\n  btm\n  Rd8\n  ke-g8\n  Rd8 -> ke-g8\n  e2--e4\n}\n",
    'cql()\nsort "likeness" likeness("7k/8/8/8/8/8/8/K7")\n',
    'cql()\nsort "likeness" flipcolor flipvertical likeness("7k/8/8/8/8/8/8/K7")\n',
    'cql()\nwtm\nqe-g8\nsort "likeness" likeness("7k/8/8/8/8/8/8/K7")\n',
    'cql()\nplayer "Morphy"\nsort "likeness" flipcolor {\n  wtm\n  qe-g8\n  likeness("7k/8/8/8/8/8/8/K7")\n}\n',
    'cql()\n"morphy" in (lowercase player)\n"new york" in lowercase event\n',
    'cql()\n"morphy" in (lowercase player black)\n"B20" <= openingcode <= "B99"\n',
    'cql()\n"morphy" in lowercase player black\nyear >= 2000\nopeningcode "B90"\n',
    'cql()\n("A\\" + \\" + "b") in (player)\n"B20" <= openingcode <= "B99"\n',
    'cql()\n("Deep\\" + \\" + " (Blue)") in player\n("\\" + \\" + "x\\\\\\" + \\" + "") in lowercase event\n',
    'cql()\nplayer black "A\\\\b"\n',
    "cql()\ntrue\n",
  ];
  for (const text of texts) {
    const parts = partsOf(text);
    assert.equal(parts.rest, "", text);
    assert.equal(textOf(parts), text);
  }
});

test("a name with a quote or a backslash is written as it stands in tags", () => {
  const { header, mask, drawing } = partsOf("cql()");
  const check = (name, value, line) => {
    const text = textOf({ header, mask: { ...mask, [name]: value }, drawing, rest: "" });
    assert.equal(text, `cql()\n${line}\n`);
    assert.equal(partsOf(text).mask[name], value);
  };
  check("player", 'Johann "Hans" Berger', '("Johann \\" + \\" + "Hans\\" + \\" + " Berger") in player');
  check("white", '"hans"', '("\\" + \\" + "hans\\" + \\" + "") in lowercase player white');
  check("event", "A\\b", 'event "A\\\\b"');
  // Other signs than those of tags were written by a user.
  assert.equal(partsOf('cql()\nplayer "A\\b"').rest, 'player "A\\b"');
});

test("queries about games are told from those about positions", () => {
  const check = (text, expected) => assert.equal(isAboutGames(partsOf(text)), expected, text);
  for (const text of ["cql()\ntrue\n", "", 'player "Morphy"', 'cql()\n"morphy" in lowercase player\nyear <= 1860\nresult 1-0\nopeningcode "C4"\n']) check(text, true);
  for (const text of ["cql()\nmate", "cql()\nmovenumber >= 10\n", "cql()\nQ q\n", 'cql()\ntheme("fork")\n', "cql()\nRd8\n", "cql(variations)\ntrue\n", 'player "Morphy" initial']) check(text, false);
});

test("what they cannot show stays as it is, and means the same", () => {
  const check = (body, expected) => assert.equal(partsOf(`cql()\n${body}`).rest, expected, body);
  // Lines after one that is not understood may belong to it.
  check("sort \"x\"\nyear >= 2000", 'sort "x"\nyear >= 2000');
  check("year >= 2000\nsort \"x\"\nelo", 'sort "x"\nelo');
  // A line that the next one continues is not understood alone.
  check("btm\nyear >= 2000\nor mate", "year >= 2000\nor mate");
  check("Rd8\n-> k", "Rd8\n-> k");
  check("wtm // who", "wtm // who");
  // Such a text is in no lowercase name, and this one is only in names with small letters.
  check('player "carlsen"', 'player "carlsen"');
  check('"Morphy" in lowercase player', '"Morphy" in lowercase player');
  check("year >= 2000 or mate", "year >= 2000 or mate");
  check("result 1-0 or mate", "result 1-0 or mate");
  check('theme("fork") or mate', 'theme("fork") or mate');
  check('player "a\\"b"', 'player "a\\"b"');
  // Twice the same field.
  check('player "A"\nplayer "B"', 'player "B"');
  check("flipcolor {\n  Rd8\n  mate\n}", "flipcolor {\n  Rd8\n  mate\n}");
  check("flipcolor { Rd8 mate }", "flipcolor { Rd8 mate }");
  check("flipcolor { not Rd8 Ke1 }", "flipcolor { not Rd8 Ke1 }");
  check("flipcolor { Rd8 } Ke1", "flipcolor { Rd8 } Ke1");
  // An arrow has squares.
  check("A -> q", "A -> q");
  check("Rd8\nd8 -> e8\nRd8 -> e8", "d8 -> e8\nRd8 -> e8");
  check("Qe4\nN--f3", "N--f3");
  check("K[x][qrbn]", "K[x][qrbn]");
  check("flipcolor {\n  q[x]Pb2\n  Ra1\n}", "flipcolor {\n  q[x]Pb2\n  Ra1\n}");
  check("{ wtm\n}", "{ wtm\n}");
  // A likeness whose images are not those of the other conditions.
  const likeness = 'likeness("7k/8/8/8/8/8/8/K7")';
  for (const text of [`qe-g8\nsort "likeness" flipcolor ${likeness}`, `flipcolor {\n  qe-g8\n}\nsort "likeness" ${likeness}`]) {
    assert.match(partsOf(`cql()\n${text}`).rest, /^sort/);
    assert.equal(textOf(partsOf(`cql()\n${text}`)), `cql()\n${text}\n`);
  }
  for (const inside of [`${likeness}\n  wtm`, "wtm", `sort "likeness" ${likeness}`]) check(`sort "likeness" flipcolor {\n  ${inside}\n}`, `sort "likeness" flipcolor {\n  ${inside}\n}`);
  check(`flipcolor {\n  sort "likeness" ${likeness}\n}`, `flipcolor {\n  sort "likeness" ${likeness}\n}`);
  check("power A - power a >= 99999999", "power A - power a >= 99999999");
  assert.equal(partsOf("(match (position :wtm))").rest, "(match (position :wtm))");
  for (const text of ["", "{", "}", "cql(", "cql()\n\"", "cql()\nflipcolor {", "cql()\nRz9\n[]e4\nee4--"]) textOf(partsOf(text));
});

test("pieces on one line are drawn", () => {
  for (const [line, written] of [["Kg5 Pg4 kg7", "Kg5\nPg4\nkg7"], ["btm Kg5  [RB]a-c1", "btm\nKg5\n[RB]a-c1"]]) {
    const parts = partsOf(`cql()\n${line}\nyear >= 2000`);
    assert.equal(parts.rest, "", line);
    assert.equal(textOf(parts), `cql()\nyear >= 2000\n${written}\n`);
  }
  for (const line of ["Ke6 & Pe5", "not Ke6 Pe5", "Ke6 mate", "Ke6 -> Pe5 Ra1", "wtm btm", "Ke6 Pe5 // who", "Ke6 Pe5\n-> k"]) assert.equal(partsOf(`cql()\n${line}`).rest, line);
});

test("a transform on one line is drawn", () => {
  for (const line of ["flipcolor { wtm Rd8 kg8 }", "flipcolor {wtm Rd8 kg8}", "flipcolor{ wtm Rd8 kg8 }"]) {
    const parts = partsOf(`cql()\n${line}`);
    assert.equal(parts.rest, "", line);
    assert.deepEqual(parts.drawing.transforms, ["flipcolor"]);
    assert.equal(textOf(parts), "cql()\nflipcolor {\n  wtm\n  Rd8\n  kg8\n}\n");
  }
  assert.equal(textOf(partsOf("cql()\nflipcolor { Rd8 -> k }\nmate")), "cql()\nflipcolor { Rd8 -> k }\nmate\n");
  assert.equal(textOf(partsOf("cql()\nflipcolor { not Rd8 }")), "cql()\nflipcolor {\n  not Rd8\n}\n");
});

test("values cannot leave their quotes", () => {
  const parts = partsOf("cql()");
  parts.mask = { player: 'a" or mate or player "', opening: "x\\", event: "a\nmate" };
  assert.equal(textOf(parts), 'cql()\n("a\\" + \\" + " or mate or player \\" + \\" + "") in (lowercase player)\n"amate" in lowercase event\nopening "x"\n');
  // A query without conditions is no query.
  assert.equal(textOf(partsOf("cql()")), "cql()\ntrue\n");
  assert.equal(partsOf("cql()\ntrue").rest, "");
  assert.equal(textOf(partsOf('cql()\nplayer "X"\ntrue\n')), 'cql()\nplayer "X"\n');
});

test("positions that no game has are named", () => {
  const check = (body, expected) => assert.match(impossible(partsOf(`cql()\n${body}`).drawing) ?? "", expected, body);
  check("Ke1\nKe8", /^Two white kings \(e1, e8\)/);
  check("Pe8", /^A pawn on e8/);
  check("Ke1\nke2", /touch/);
  check("Ke1 Ke8", /^Two white kings \(e1, e8\)/);
  check("Ke-f1\nKe8", /^$/);
  check("[KQ]e1\nKe8", /^$/);
  check("not Ke1\nKe8", /^$/);
});
