// The text of a query as mask and drawing: tests without a browser.

import assert from "node:assert";
import { test } from "node:test";
import { source } from "./source.mjs";

const { asksNothing, partsOf, textOf, impossible, isAboutGames, queryName, ratingsOf, maskOfRatings } = await source("src/mask-text.ts");

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
    'cql()\nmovenumber >= 10\nbtm fen "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR" // 1.e4\nresult 1-0\n',
    'cql()\nplayer "Morphy"\nwtm fen "8/8/8/8/8/8/8/8"\n',
    'cql()\ninitialposition:find {wtm fen "8/8/8/8/8/8/8/8"} // 1.e4\ntheme("fork")\n',
    'cql()\ninitialposition:find {wtm fen "8/8/8/8/8/8/8/8"}\nKg1\n',
    "cql()\ntrue\n",
  ];
  for (const text of texts) {
    const parts = partsOf(text);
    assert.equal(parts.rest, "", text);
    assert.equal(textOf(parts), text);
  }
});

test("the moves of an opening are a condition on the game, unless a text says that others hold at their position", () => {
  const fen = 'btm fen "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"';
  const game = `initialposition:find {${fen}} // 1.e4`;
  // Alone, the position is what matches, so that games open at it.
  const only = partsOf(`cql()\n${fen} // 1.e4\nresult 1-0\n`);
  assert.deepEqual(only.mask, { position: fen, moves: "1.e4", results: "1-0" });
  assert.equal(textOf({ ...only, mask: { ...only.mask, themes: "fork" } }), `cql()\n${game}\nresult 1-0\ntheme("fork")\n`);
  assert.equal(textOf({ ...only, mask: { ...only.mask, ending: "rook" } }), `cql()\nendgame "rook"\n${game}\nresult 1-0\n`);
  assert.equal(textOf({ ...only, rest: "mate" }), `cql()\n${game}\nresult 1-0\nmate\n`);
  const both = partsOf(`cql()\n${game}\ntheme("fork")\n`);
  assert.deepEqual(both.mask, { position: fen, moves: "1.e4", themes: "fork" });
  assert.equal(textOf({ ...both, mask: { position: fen, moves: "1.e4" } }), `cql()\n${fen} // 1.e4\n`);
  // A text that has both at one position keeps its meaning.
  const here = partsOf(`cql()\n${fen} // 1.e4\ntheme("fork")\n`);
  assert.equal(here.mask.moves, "1.e4");
  assert.equal(textOf({ ...here, mask: { ...here.mask, results: "1-0" } }), `cql()\n${fen} // 1.e4\nresult 1-0\ntheme("fork")\n`);
  for (const line of [`initialposition:find {${fen}`, `${fen}}`]) assert.equal(partsOf(`cql()\n${line}`).rest, line);
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

test("what the mask shows is what the text says, after any order of choices", () => {
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const one = (list) => list[random(list.length)];
  const numbers = ["", "0", "7", "1850", "2700", "9999"];
  let ratings = { who: "both", from: "", to: "" };
  let parts = partsOf("cql()");
  const set = (values) => {
    const mask = Object.fromEntries(Object.entries({ ...parts.mask, ...values }).filter(([, value]) => value !== ""));
    const text = textOf({ ...parts, mask });
    parts = partsOf(text);
    assert.deepEqual(parts.mask, mask, text);
    assert.equal(parts.rest, "", text);
    assert.equal(textOf(parts), text);
  };
  const rate = (change) => {
    ratings = { ...ratings, ...change };
    set(maskOfRatings(ratings));
    assert.deepEqual(ratingsOf(parts.mask, ratings.who), ratings);
  };
  const choices = [
    () => rate({ from: one(numbers) }), () => rate({ to: one(numbers) }), () => rate({ who: one(["both", "one"]) }),
    () => set({ player: "", white: "", black: "", [one(["player", "white", "black"])]: one(["", "Morphy", "morphy", 'A "B"', "A\\b"]) }),
    () => set({ [one(["yearFrom", "yearTo", "moveFrom", "moveTo"])]: one(numbers) }),
    () => set({ opening: "", code: "", position: "", moves: "", ...one([{}, { opening: "Najdorf" }, { code: "B90" }, { code: "B20-B99" }, { position: 'wtm fen "8/8"', moves: "1.e4" }]) }),
    () => set({ leadFrom: one(["", "-14", "0", "15"]), leadTo: one(["", "-15", "14"]), menFrom: one(["", "3", "32"]), menTo: one(["", "2", "31"]) }),
    () => set({ queens: one(["", "on", "off"]), ending: one(["", "rook"]), event: one(["", "Paris", "paris"]) }),
    () => set({ results: one(["", "1-0", "1-0 0-1", "*"]), themes: one(["", "fork", "fork skewer"]) }),
  ];
  for (let i = 0; i < 3000; i++) one(choices)();
});

test("conditions that a field cannot show stay in the text", () => {
  const both = "elo white >= 2800\nelo black >= 2800";
  for (const [body, rest] of [
    [`elo >= 2700\n${both}`, both], [`${both}\nelo >= 2700`, "elo >= 2700"], [`elo >= 2700\nelo white <= 2800\nelo black <= 2800`, "elo white <= 2800\nelo black <= 2800"],
    ["elo white >= 2800", "elo white >= 2800"], ["elo white >= 2800\nelo black >= 2700", "elo white >= 2800\nelo black >= 2700"], [`${both}\nor mate`, `${both}\nor mate`],
    ['player "A"\nplayer white "B"', 'player white "B"'], ["elo >= 12345", "elo >= 12345"], ["power A - power a >= -15", "power A - power a >= -15"], ["#[Aa] >= 40", "#[Aa] >= 40"],
  ]) {
    assert.equal(partsOf(`cql()\n${body}`).rest, rest, body);
    assert.equal(textOf(partsOf(`cql()\n${body}`)), `cql()\n${body}\n`);
  }
});

test("queries about games are told from those about positions", () => {
  const check = (text, expected) => assert.equal(isAboutGames(partsOf(text)), expected, text);
  for (const text of ["cql()\ntrue\n", "", 'player "Morphy"', 'cql()\n"morphy" in lowercase player\nyear <= 1860\nresult 1-0\nopeningcode "C4"\n']) check(text, true);
  for (const text of ["cql()\nmate", "cql()\nmovenumber >= 10\n", "cql()\nQ q\n", 'cql()\ntheme("fork")\n', 'cql()\nbtm fen "8/8"\n', "cql()\nRd8\n", "cql(variations)\ntrue\n", 'player "Morphy" initial']) check(text, false);
});

test("what they cannot show stays as it is, and means the same", () => {
  const check = (body, expected) => assert.equal(partsOf(`cql()\n${body}`).rest, expected, body);
  // The mask has one field for openings.
  check('opening "Najdorf"\nopeningcode "B90"', 'openingcode "B90"');
  check('openingcode "B90"\nwtm fen "8/8"', 'wtm fen "8/8"');
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

test("a query that asks nothing has a header and comments only", () => {
  for (const text of ["cql()", "cql()\n", "// A title.\ncql(variations) // more", "/* A */ /* B */"]) assert.ok(asksNothing(text), text);
  for (const text of ["", " \n", "cql()\ntrue\n", "mate", "cql(", "cql() /* mate", "// A\nmate"]) assert.ok(!asksNothing(text), text);
});

test("many comments before a query are read at once", () => {
  const comments = "/*a*/".repeat(40);
  const began = performance.now();
  assert.equal(partsOf(`${comments}mate`).rest, `${comments}mate`);
  assert.equal(partsOf(`${comments}cql()\nmate`).rest, "mate");
  assert.ok(performance.now() - began < 1000);
});

test("values cannot leave their quotes", () => {
  const parts = partsOf("cql()");
  parts.mask = { player: 'a" or mate or player "', opening: "x\\", event: "a\nmate" };
  assert.equal(textOf(parts), 'cql()\n("a\\" + \\" + " or mate or player \\" + \\" + "") in (lowercase player)\n"amate" in lowercase event\nopening "x"\n');
  // A regular expression is one, and a name with a sign of one is none.
  for (const [player, line] of [["Kelly.*", 'player ~~ "Kelly.*"'], ["kelly.*", '(lowercase player) ~~ "kelly.*"'], ["[KC]elly", 'player ~~ "[KC]elly"'], ["Kelly?", '"Kelly?" in player'], ["J. Kelly", 'player "J. Kelly"']]) {
    const written = textOf({ ...partsOf("cql()"), mask: { player } });
    assert.equal(written, `cql()\n${line}\n`);
    assert.deepEqual(partsOf(written).mask, { player });
  }
  // A query without conditions is no query.
  assert.equal(textOf(partsOf("cql()")), "cql()\ntrue\n");
  assert.equal(partsOf("cql()\ntrue").rest, "");
  assert.equal(textOf(partsOf('cql()\nplayer "X"\ntrue\n')), 'cql()\nplayer "X"\n');
});

test("positions that no game has are named", () => {
  const check = (body, expected) => assert.match(impossible(partsOf(`cql()\n${body}`).drawing) ?? "", expected, body);
  check("Ke1\nKe8", /^Two white kings \(e1, e8\)/);
  check("Pe8", /^A pawn on e8/);
  check("[Pp]a-c1", /^A pawn on a-c1/);
  check("Pa-c1-2\n[PQ]a8\nnot Pa-h8", /^$/);
  check("Ke1\nke2", /touch/);
  check("Ke1 Ke8", /^Two white kings \(e1, e8\)/);
  check("Ke-f1\nKe8", /^$/);
  check("[KQ]e1\nKe8", /^$/);
  check("wtm Ke1 ke8 Nf6", /^White is to move, and the black king is in check from f6/);
  check("btm Ke1 ke8 Nf6", /^$/);
  check("Ke1 ke8 Nf6", /^$/);
  check("btm Ke1 ke8 pd2", /^Black is to move, and the white king is in check from d2/);
  check("wtm Ke1 ke8 Pd7", /^White is to move/);
  check("wtm Ke1 ke8 Pe7", /^$/);
  check("wtm Ke1 ke8 Pd8 Rd8", /pawn on d8/);
  check("wtm Ke1 ke8 Rf8", /check from f8/);
  check("wtm Ke1 ke8 Bf8", /^$/);
  // Something may stand between, until it is drawn that nothing does.
  check("wtm Ke1 ke8 Rh8", /^$/);
  check("wtm Ke1 ke8 Rh8\n_f8\n_g8", /check from h8/);
  check("Ke1 ke8 Nf6 nf3", /^Both kings are in check \(from f3 and f6\)/);
  const eight = "Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2";
  check(`${eight} Qa1 Qb1`, /^With 8 white pawns, one further piece cannot/);
  check(`${eight} Qa1 Ra3 Rb3 Ba4 Bb4 Na5 Nb5 Ke1`, /^$/);
  check("pa7 pb7 pc7 pd7 pe7 pf7 ra1 ra2 ra3 ra4 ra5", /^With 6 black pawns, 3 further pieces cannot/);
  check([..."abcdefgh"].flatMap((file) => [3, 4].map((rank) => `P${file}${rank}`)).join(" "), /eight white pawns/);
  check([..."abcdefgh"].flatMap((file) => [3, 4, 5].map((rank) => `Q${file}${rank}`)).join(" "), /^More than 16 white men/);
  check("not Ke1\nKe8", /^$/);
});

test("a query is called after its comment, its themes and its mask, or its first words", () => {
  for (const [query, expected] of [
    ["// Mate by the side that has less.\n// More.\ncql()\nmate", "Mate by the side that has less"],
    ["cql()\n/* A title. */ mate", "A title"],
    ["cql()\n//\nmate", "mate"],
    ["cql() mate // not a title", "mate"],
    ['cql() mate // like theme("fork")', "mate"],
    ['cql() comment("see // here") mate /* and more */', 'comment("see // here") mate'],
    ['cql()\nimport "themes" rookendgame()', "rookendgame"],
    ['cql()\nplayer "Morphy"\nyear >= 1850\nyear <= 1860\ntheme("fork") or theme("pin")', "Morphy, 1850–1860, fork, pin"],
    ["cql()\ntrue", "All games"],
    ["", "All games"],
    ["cql()\nwtm\nKg1", "wtm Kg1"],
    ["cql(quiet) flipcolor { btm Rd8 attacks ke-g8 not mate }", "flipcolor { btm Rd8 attacks ke-g8 not"],
    ["x".repeat(99), "x".repeat(40)],
  ]) assert.equal(queryName(query), expected, query);
});
