//! Mistakes that beginners make, and the messages that explain them.

use std::fs;
use std::process::{Command, Output, Stdio};

use syntax::diagnostic::table;

/// Runs the program with these arguments, in a directory with the query.
fn run(query: &str, arguments: &[&str]) -> Output {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("q.cql"), query).expect("written");
    Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .current_dir(place.path())
        .stdin(Stdio::null())
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR")
        .output()
        .expect("the program runs")
}

/// Returns the diagnostics of a query as JSON.
fn diagnostics(query: &str) -> Vec<serde_json::Value> {
    let ran = run(query, &["check", "q.cql", "--message-format", "json"]);
    String::from_utf8_lossy(&ran.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object on each line"))
        .collect()
}

/// A query with a mistake, the code and location of its first error, a part of the help, and the
/// query after applying the proposed edit, if there is one.
type Mistake<'a> = (&'a str, &'a str, &'a str, &'a str, Option<&'a str>);

const MISTAKES: &[Mistake] = &[
    ("cql() check or castling", "E0201", "1:16", "`castle`", Some("cql() check or castle")),
    ("cql() stalemate or checkmate", "E0201", "1:20", "`mate`", Some("cql() stalemate or mate")),
    ("cql() wtm or whitetomove", "E0201", "1:14", "`wtm`", Some("cql() wtm or wtm")),
    (
        "cql() currentmove Nf3",
        "E0108",
        "1:19",
        "where it goes stands after the sign",
        Some("cql() currentmove N--f3"),
    ),
    (
        "cql() previous e4",
        "E0108",
        "1:16",
        "where it goes stands after the sign",
        Some("cql() previous P--e4"),
    ),
    ("mate", "E0501", "1:1", "begin the query with `cql()`", Some("cql() mate")),
    ("CQL() mate", "E0501", "1:1", "small letters", Some("cql() mate")),
    ("cql mate", "E0501", "1:5", "`cql()`", Some("cql () mate")),
    ("cql(silence) mate", "E0502", "1:5", "did you mean `silent`?", Some("cql(silent) mate")),
    ("cql(player \"Tal\") mate", "E0502", "1:5", "after the header", None),
    ("cql() stalmate", "E0201", "1:7", "did you mean `stalemate`?", Some("cql() stalemate")),
    ("cql() Check", "E0201", "1:7", "did you mean `check`?", Some("cql() check")),
    ("cql() black wins", "E0201", "1:13", "result 0-1", Some("cql() result 0-1")),
    ("cql() wins white", "E0201", "1:7", "result 1-0", Some("cql() result 1-0")),
    ("cql() mate White Wins", "E0201", "1:12", "result 1-0", Some("cql() mate result 1-0")),
    ("cql() castle short", "E0201", "1:14", "`o-o`", Some("cql() o-o")),
    ("cql() queenside castling", "E0201", "1:7", "`o-o-o`", Some("cql() o-o-o")),
    ("cql() rook endgame", "E0201", "1:7", "`endgame", Some("cql() endgame \"rook\"")),
    (
        "cql() opposite bishops",
        "E0201",
        "1:7",
        "`endgame \"opposite-bishops\"`",
        Some("cql() endgame \"opposite-bishops\""),
    ),
    ("cql() opposite colored bishops", "E0201", "1:7", "Opposite-colored bishops", None),
    ("cql() R vs r", "E0201", "1:9", "both sides", None),
    ("cql() _d4,e4", "E0101", "1:10", "each to be empty", Some("cql() _d4 _e4")),
    ("cql() d4 == empty", "E0201", "1:13", "`_d4`", Some("cql() _d4")),
    ("cql() d4 is empty", "E0201", "1:10", "`_d4`", Some("cql() _d4")),
    ("cql() d4 is not empty", "E0201", "1:10", "`[Aa]d4`", Some("cql() [Aa]d4")),
    ("cql() d4 = _", "E0102", "1:10", "`_d4`", Some("cql() _d4")),
    (
        "cql() tag \"TimeControl\" < 500",
        "E0304",
        "1:7",
        "at the beginning of a tag",
        Some("cql() int (tag \"TimeControl\" ~~ \"^[0-9]+(?![0-9/])\") < 500"),
    ),
    ("cql() tablebase == \"win\"", "E0304", "1:7", "2 for a win", Some("cql() tablebase == 2")),
    ("cql() QQ v QRR", "E0201", "1:7", "both sides", Some("cql() material \"QQ:QRR\"")),
    ("cql() QQ:QRR", "E0201", "1:7", "both sides", Some("cql() material \"QQ:QRR\"")),
    ("cql() QQvQRR", "E0201", "1:7", "both sides", Some("cql() material \"QQ:QRR\"")),
    ("cql() KRPP KR", "E0201", "1:7", "both sides", Some("cql() material \"KRPPKR\"")),
    ("cql() krppvkr", "E0201", "1:7", "both sides", Some("cql() material \"KRPPKR\"")),
    ("cql() material \"RPP:R\"", "E0113", "1:18", "KRPPKR", Some("cql() material \"KRPPKR\"")),
    ("cql() material \"KRPPvsKR\"", "E0113", "1:22", "KRPPKR", Some("cql() material \"KRPPKR\"")),
    ("cql() P==4 && p==4", "E0102", "1:12", "`and`", Some("cql() P==4 and p==4")),
    ("cql() syzygy == 2", "E0201", "1:7", "`tablebase`", Some("cql() tablebase == 2")),
    ("cql() dtm == 2", "E0201", "1:7", "`dtz`", None),
    (
        "cql() timecontrol == \"300+0\"",
        "E0201",
        "1:7",
        "what is meant is `tag",
        Some("cql() tag \"TimeControl\" == \"300+0\""),
    ),
    ("cql() balance == 2", "E0201", "1:7", "`power A", None),
    ("cql() pieces == 10", "E0201", "1:7", "`[Aa]`", None),
    ("cql() captured Ra1", "E0201", "1:7", "`[x]Ra1`", None),
    ("cql() _d9", "E0201", "1:7", "no such square", None),
    (
        "cql() opening Najdorf",
        "E0201",
        "1:15",
        "opening \"Najdorf\"",
        Some("cql() opening \"Najdorf\""),
    ),
    (
        "cql() Sicilian Najdorf",
        "E0201",
        "1:7",
        "Najdorf Variation",
        Some("cql() opening \"Sicilian Defense: Najdorf Variation\""),
    ),
    (
        "cql() opening \"Sicilian Najdorf\"",
        "E0207",
        "1:7",
        "Najdorf Variation",
        Some("cql() opening \"Sicilian Defense: Najdorf Variation\""),
    ),
    ("cql() skewr", "E0201", "1:7", "did you mean `skewer`?", None),
    (
        "cql() elo difference > 200",
        "E0201",
        "1:11",
        "the difference of the ratings",
        Some("cql() abs (elo white - elo black) > 200"),
    ),
    (
        "cql() averageelo >= 2700",
        "E0201",
        "1:7",
        "twice their average",
        Some("cql() elo white + elo black >= 5400"),
    ),
    ("cql() flag", "E0201", "1:7", "Lost on time", None),
    ("cql() resignation", "E0201", "1:7", "without mate", None),
    ("cql() KRPPKR", "E0201", "1:7", "the pieces of both sides", Some("cql() material \"KRPPKR\"")),
    (
        "cql() KQRBNPKQ",
        "E0201",
        "1:7",
        "the pieces of both sides",
        Some("cql() material \"KQRBNPKQ\""),
    ),
    ("cql() WhiteElo > 2700", "E0201", "1:7", "`elo white`", Some("cql() elo white > 2700")),
    (
        "cql() Termination == \"x\"",
        "E0201",
        "1:7",
        "tag \"Termination\"",
        Some("cql() tag \"Termination\" == \"x\""),
    ),
    ("cql() N--F3", "E0201", "1:10", "small letters", Some("cql() N--f3")),
    ("cql() mate in 2", "E0102", "1:12", "evalmate", Some("cql() path --{3} mate")),
    ("cql() whte to move", "E0201", "1:7", "`wtm`", Some("cql() wtm")),
    ("cql() passed pawns K", "E0201", "1:7", "one word", Some("cql() passedpawns K")),
    (
        "cql() year > 1900 and < 1950",
        "E0101",
        "1:23",
        "two sides",
        Some("cql() year > 1900 and year < 1950"),
    ),
    (
        "cql() elo white > 2700 or == 0",
        "E0101",
        "1:27",
        "two sides",
        Some("cql() elo white > 2700 or elo white == 0"),
    ),
    (
        "cql() player white Kasparov or Karpov",
        "E0201",
        "1:20",
        "double quotes",
        Some("cql() player white \"Kasparov\" or player white \"Karpov\""),
    ),
    (
        "cql() player white \"Kasparov\" or Karpov",
        "E0201",
        "1:34",
        "each has its filter",
        Some("cql() player white \"Kasparov\" or player white \"Karpov\""),
    ),
    ("cql() P[e4-e5]", "E0201", "1:7", "`Pe4-5`", Some("cql() Pe4-5")),
    ("cql() check [e3g3]", "E0102", "1:13", "`[e3,g3]`", None),
    ("cql() R[e3g3,a1]", "E0201", "1:7", "`R[e3,g3,a1]`", Some("cql() R[e3,g3,a1]")),
    ("cql() e8=♕", "E0102", "1:9", "promotion", Some("cql() P--e8=Q")),
    ("cql() currentmove o-o", "E0108", "1:19", "`--(o-o)`", Some("cql() currentmove --(o-o)")),
    ("cql() currentmove N", "E0108", "1:19", "before the sign", Some("cql() currentmove N--")),
    ("cql() find all 3 5 quiet check", "E0111", "1:16", "`find all F` is `find 1 100000 F`", None),
    ("cql() path piecepath quiet --", "E0111", "1:12", "`path focus S piecepath …`", None),
    ("cql() move legal promote Q", "E0111", "1:18", "", None),
    ("cql() path R-- -> k--", "E0102", "1:16", "without arrows", Some("cql() path R-- k--")),
    (
        "cql() R-- → k--e5 check",
        "E0102",
        "1:11",
        "the parts of a `path`",
        Some("cql() path R-- k--e5 check"),
    ),
    ("cql() path --d4 -> --e5", "E0302", "1:20", "without arrows", Some("cql() path --d4 --e5")),
    (
        "cql() path R--d4 -> k--e5",
        "E0109",
        "1:22",
        "without arrows",
        Some("cql() path R--d4 k--e5"),
    ),
    ("cql() K≽Q", "E0304", "1:7", "`#K >= #Q`", Some("cql() #K >= #Q")),
    ("cql() 1[<=]A", "E0304", "1:7", "write `<=` here", None),
    ("cql() check checkmate", "E0201", "1:13", "mate is `mate`", Some("cql() check mate")),
    ("cql() castling", "E0201", "1:7", "`castle`", Some("cql() castle")),
    ("cql() queen attacks k", "E0201", "1:7", "`Q` (White)", None),
    ("cql() Qe9", "E0201", "1:7", "no such square", None),
    ("cql() Nf3xe5", "E0114", "1:7", "written `Nf3[x]e5`", Some("cql() Nf3[x]e5")),
    ("cql() Q x k", "E0201", "1:9", "written `Q[x]k`", Some("cql() Q[x]k")),
    ("cql() O-O-O", "E0201", "1:7", "small letters", Some("cql() o-o-o")),
    ("cql() O-O-O g4", "E0201", "1:7", "path Ke1--c1", None),
    ("cql() check movenum", "E0201", "1:13", "write `movenumber`", None),
    ("cql() check empty d4", "E0201", "1:13", "empty squares", Some("cql() check _d4")),
    ("cql() rating >= 2600", "E0201", "1:7", "`elo white`", Some("cql() elo >= 2600")),
    ("cql() knight on d5", "E0201", "1:7", "`[Nn]d5`", Some("cql() [Nn]d5")),
    // Words of CQL 5 make no query of a sentence.
    ("cql() what is foobar", "E0115", "1:7", "`cql cookbook` lists", None),
    ("cql() Gabel", "E0201", "1:7", "`cql help Gabel` finds", None),
    ("cql() foobar", "E0201", "1:7", "must be assigned before", None),
    ("cql() Spieß", "E0004", "1:11", "`cql help Spieß` finds", None),
    ("cql() white has a rook on e1", "E0115", "1:7", "these words mean", Some("cql() Re1")),
    ("cql() black queen on the board", "E0115", "1:7", "`cql help black queen board`", None),
    ("cql() {\"white\":null}", "E0115", "1:7", "`null` is not understood", None),
    ("cql() Mate", "E0201", "1:7", "mean `mate`", Some("cql() mate")),
    ("cql() Wtm", "E0201", "1:7", "mean `wtm`", Some("cql() wtm")),
    (
        "cql() Nbd2",
        "E0114",
        "1:7",
        "written `Nb1-8--d2`, by Black `nb1-8--d2`",
        Some("cql() Nb1-8--d2"),
    ),
    ("cql() exd5", "E0114", "1:7", "`pe6[x]d5`", Some("cql() Pe4[x]d5")),
    ("cql() e2e4", "E0114", "1:7", "`Pe2--e4`", Some("cql() Pe2--e4")),
    ("cql() Sf3", "E0114", "1:7", "`N--f3`", Some("cql() N--f3")),
    ("cql() --Dxe4", "E0114", "1:9", "`Q[x]e4`", Some("cql() Q[x]e4")),
    ("cql() Nxe5+", "E0114", "1:7", "`N[x]e5(check)`", Some("cql() N[x]e5(check)")),
    ("cql() Qxf7# wtm", "E0114", "1:7", "`q[x]f7(mate)`", Some("cql() Q[x]f7(mate) wtm")),
    ("cql() Nf3#", "E0101", "1:11", "`n--f3(mate)`", Some("cql() N--f3(mate)")),
    ("cql() Nf3+ wtm", "E0102", "1:10", "`n--f3(check)`", Some("cql() N--f3(check) wtm")),
    ("cql() e8=Q#", "E0102", "1:9", "`P--e8=Q(mate)`", Some("cql() P--e8=Q(mate)")),
    ("cql() Q--f7+ wtm", "E0102", "1:12", "`--(check)`", Some("cql() Q--f7(check) wtm")),
    ("cql() path Q[x]f7#", "E0101", "1:19", "`--(mate)`", Some("cql() path Q[x]f7(mate)")),
    (
        "cql() path P--e8=Q# wtm",
        "E0301",
        "1:21",
        "`--(mate)`",
        Some("cql() path P--e8=Q(mate) wtm"),
    ),
    (
        "cql() 1.Qh5+ Ke7 2.Qe5#",
        "E0114",
        "1:7",
        "`path Q--h5(check) k--e7 Q--e5(mate)`",
        Some("cql() path Q--h5(check) k--e7 Q--e5(mate)"),
    ),
    (
        "cql() currentmove Nf3+",
        "E0108",
        "1:19",
        "`N--f3(check)`",
        Some("cql() currentmove N--f3(check)"),
    ),
    ("cql() wtm!", "E0003", "1:10", "annotators", Some("cql() wtm")),
    (
        "cql() path 1.e4 e5 2.Nf3+ check",
        "E0114",
        "1:12",
        "`path movenumber == 1 P--e4 p--e5 N--f3(check)`",
        Some("cql() path movenumber == 1 P--e4 p--e5 N--f3(check) check"),
    ),
    (
        "cql() path (1. e4 e5)",
        "E0114",
        "1:13",
        "`path",
        Some("cql() path (movenumber == 1 P--e4 p--e5)"),
    ),
    ("cql() Round == \"1\"", "E0201", "1:7", "no filter reads the round", None),
    ("cql() checks", "E0201", "1:7", "`A -> k`", None),
    ("cql() material > 3", "E0113", "1:16", "`power A - power a`", None),
    ("cql() D--h5", "E0201", "1:7", "`Q`", Some("cql() Q--h5")),
    ("cql() --e4 T[x]f7", "E0201", "1:12", "`R`", Some("cql() --e4 R[x]f7")),
    ("cql() S == 2", "E0201", "1:7", "`N`", None),
    ("cql() passed pawn", "E0201", "1:7", "one word", Some("cql() passedpawns")),
    ("cql() b => 2", "E0102", "1:9", "`>=`", Some("cql() b >= 2")),
    ("cql() Kg1,h1", "E0101", "1:10", "`K[g1,h1]`", Some("cql() K[g1,h1]")),
    ("cql() K{g1, h1}", "E0101", "1:11", "`[g1,h1]`", Some("cql() K[g1,h1]")),
    ("cql() R(a1, b1)", "E0105", "1:11", "`[a1,b1]`", Some("cql() R[a1,b1]")),
    ("cql() {Q,R} -> k", "E0101", "1:9", "the set of these", Some("cql() [QR] -> k")),
    ("cql() [Q, R] -> k", "E0101", "1:7", "touch each other", Some("cql() [QR] -> k")),
    ("cql() [Pp]a-d", "E0101", "1:7", "files need ranks", Some("cql() [Pp]a-d1-8")),
    ("cql() Pa-d >= 2", "E0201", "1:7", "files need ranks", Some("cql() Pa-d1-8 >= 2")),
    ("cql() check Pa", "E0201", "1:13", "files need ranks", Some("cql() check Pa1-8")),
    ("cql() K3-5", "E0201", "1:7", "ranks need files", Some("cql() Ka-h3-5")),
    ("cql() not [Q,R]", "E0101", "1:11", "touch each other", Some("cql() not [QR]")),
    ("cql() a -> [K, R]", "E0101", "1:12", "touch each other", Some("cql() a -> [KR]")),
    ("cql() Q, R", "E0101", "1:8", "`[QR]` for any of them", None),
    ("cql() Qd4,Re5", "E0101", "1:10", "`Qd4 | Re5` for any of them", None),
    ("cql() wtm, check", "E0101", "1:10", "not commas", Some("cql() wtm check")),
    ("cql() P[e4 d4]", "E0201", "1:7", "`P[e4,d4]`", Some("cql() P[e4,d4]")),
    ("cql() Q[X]r", "E0201", "1:7", "small x", Some("cql() Q[x]r")),
    ("cql() Q [X] r", "E0102", "1:9", "without blanks", Some("cql() Q[x]r")),
    (
        "cql() function f(x y) {x y} f(Q, R)",
        "E0101",
        "1:32",
        "not commas",
        Some("cql() function f(x y) {x y} f(Q R)"),
    ),
    ("cql() f(Q R)", "E0201", "1:7", "`function f(x) {…}`", None),
    ("cql() wtm or Black", "E0201", "1:14", "`btm` is Black to move", None),
    (
        "cql() player White \"Tal\"",
        "E0201",
        "1:14",
        "`player white",
        Some("cql() player white \"Tal\""),
    ),
    (
        "cql() gamenumber 5 12 check",
        "E0410",
        "1:18",
        "`5 <= gamenumber <= 12`",
        Some("cql() 5 <= gamenumber <= 12 check"),
    ),
    ("cql() ply 10 mate", "E0410", "1:11", "by a sign", Some("cql() ply == 10 mate")),
    ("cql() ply 12 5", "E0410", "1:11", "between its ends", None),
    ("cql() ply 1 2 3", "E0410", "1:11", "between its ends", None),
    ("cql() e8=Q", "E0102", "1:9", "`P--e8=Q`", Some("cql() P--e8=Q")),
    (
        "cql() 1.e4 e5 2.Nf3 check",
        "E0114",
        "1:7",
        "`path P--e4 p--e5 N--f3` these moves anywhere",
        Some("cql() san \"1.e4 e5 2.Nf3\" check"),
    ),
    (
        "cql() path --{3-5} check",
        "E0108",
        "1:15",
        "write `--{3,5}`",
        Some("cql() path --{3,5} check"),
    ),
    ("cql() fork", "E0201", "1:7", "\"Knight fork\" in the cookbook", None),
    ("cql() zugzwang", "E0201", "1:7", "`cql cookbook a zugzwang to look at`", None),
    (
        "cql() threefold",
        "E0201",
        "1:7",
        "`repetition` is how often",
        Some("cql() {repetition >= 2}"),
    ),
    // No similar name gives a query without errors.
    ("cql() positon", "E0201", "1:7", "assigned before", None),
    ("cql() x == 3", "E0201", "1:7", "assigned before", None),
    ("cql() event Tata", "E0201", "1:13", "in double quotes", Some("cql() event \"Tata\"")),
    ("cql() wtm = true", "E0102", "1:11", "stands by itself: `wtm`", Some("cql() wtm")),
    ("cql() wtm == false", "E0102", "1:11", "itself: `not wtm`", Some("cql() not wtm")),
    ("cql() check && mate", "E0102", "1:13", "combined by `and`", Some("cql() check and mate")),
    ("cql() check|mate", "E0102", "1:12", "combined by `or`", Some("cql() check or mate")),
    ("cql() check || mate", "E0102", "1:13", "combined by `or`", Some("cql() check or mate")),
    ("cql() R && k", "E0101", "1:10", "combined by `and`", Some("cql() R and k")),
    (
        "cql() player = \"Carlsen\"",
        "E0102",
        "1:14",
        "`player \"Carlsen\"` looks for a part",
        Some("cql() player \"Carlsen\""),
    ),
    ("cql() #R = 3", "E0102", "1:10", "`==` compares", Some("cql() #R == 3")),
    ("cql() Re4 = Ra4", "E0102", "1:11", "`==` compares", Some("cql() Re4 == Ra4")),
    ("cql() #R => 3", "E0102", "1:10", "write `>=`", Some("cql() #R >= 3")),
    ("cql() #R <> 3", "E0101", "1:11", "write `!=`", Some("cql() #R != 3")),
    ("cql() piece = \"K\"", "E0103", "1:13", "a designator such as `K`", None),
    ("cql() piece k in K check", "E0202", "1:13", "`piece $k`", Some("cql() piece $k in K check")),
    ("cql() sort \"x\"", "E0101", "1:15", "`sort \"material\" power A`", None),
    ("cql() count(R) > 1", "E0101", "1:7", "`#S`", Some("cql() #(R) > 1")),
    ("cql() attacks(Q k)", "E0101", "1:7", "write `Q attacks k`", Some("cql() Q attacks k")),
    ("cql() ray(up R, k)", "E0101", "1:15", "not commas", Some("cql() ray(up R k)")),
    ("cql() Q-->k", "E0101", "1:8", "`L--R`", Some("cql() Q--k")),
    ("cql() e4-e5", "E0301", "1:9", "`Pe4--e5`", Some("cql() Pe4--e5")),
    ("cql() if check then", "E0101", "1:20", "write `if C then F`", None),
    ("cql() not", "E0101", "1:10", "write `not F`", None),
    ("cql() flip", "E0101", "1:11", "`flip {F G}`", None),
    ("cql() while check mate", "E0103", "1:13", "write `while (C) F`", None),
    ("cql() result 1/2", "E0103", "1:14", "`result 1/2-1/2`", Some("cql() result 1/2-1/2")),
    ("cql() result = \"1-0\"", "E0103", "1:14", "`result 1-0`", Some("cql() result 1-0")),
    ("cql() result draw", "E0103", "1:14", "`result 1/2-1/2`", Some("cql() result 1/2-1/2")),
    (
        "cql() tag Annotator",
        "E0103",
        "1:11",
        "`tag \"Annotator\"`",
        Some("cql() tag \"Annotator\""),
    ),
    ("cql() elo > \"2500\"", "E0304", "1:7", "without quotes", Some("cql() elo > 2500")),
    ("cql() date > 2000", "E0304", "1:7", "`year` is a number", Some("cql() year > 2000")),
    ("cql() type K == \"K\"", "E0304", "1:7", "`typename S`", None),
    ("cql() power A - a > 3", "E0302", "1:17", "`power a`", Some("cql() power A - power a > 3")),
    ("cql() x = 3 x = \"a\"", "E0303", "1:13", "another name", None),
    ("cql() not (check wtm)", "E0105", "1:18", "braces", None),
    ("cql() between(R) & k", "E0106", "1:7", "`between(S T)`", None),
    ("cql() {check wtm", "E0017", "1:7", "write `}`", Some("cql() {check wtm}")),
    ("cql() {check wtm // or", "E0017", "1:7", "write `}`", Some("cql() {check wtm} // or")),
    ("cql() check wtm)", "E0017", "1:16", "remove this `)`", Some("cql() check wtm")),
    ("cql() {(check }", "E0017", "1:15", "write `)`", Some("cql() {(check) }")),
    // Nothing shows where the header ends.
    ("cql(quiet wtm", "E0017", "1:4", "write `)`", None),
    ("cql() {", "E0017", "1:7", "write `}`", None),
    ("cql() !check", "E0003", "1:7", "the word `not`", Some("cql() not check")),
    ("cql() R@e4", "E0003", "1:8", "`Re4`", None),
    (
        "cql() comment(“hello”) mate",
        "E0004",
        "1:15",
        "straight double quotes",
        Some("cql() comment(\"hello\") mate"),
    ),
    ("cql() player 'Tal'", "E0004", "1:14", "straight double quotes", Some("cql() player \"Tal\"")),
    ("cql() player \"Tal”", "E0008", "1:14", "straight double quote", Some("cql() player \"Tal\"")),
    ("cql() path — check", "E0004", "1:12", "write `--` for a move", Some("cql() path -- check")),
    ("cql() #R ⩾ 3", "E0004", "1:10", "write `≥`", Some("cql() #R ≥ 3")),
    ("cql() hhdb cookd", "E0206", "1:12", "did you mean `cooked`?", Some("cql() hhdb cooked")),
    (
        "cql() square p in R {p->k}",
        "E0202",
        "1:14",
        "`square $p`",
        Some("cql() square $p in R {$p->k}"),
    ),
    (
        "cql() square n in {R r} {n->k n->q}",
        "E0202",
        "1:14",
        "`square $n`",
        Some("cql() square $n in {R r} {$n->k $n->q}"),
    ),
    ("cql() piece b in Q b attacks k", "E0202", "1:13", "where the name is used", None),
    ("cql() piece k in K {k attacks q} k", "E0202", "1:13", "where the name is used", None),
    (
        "cql() function f(p){p->k} f(R)",
        "E0202",
        "1:18",
        "`$p`",
        Some("cql() function f($p){$p->k} f(R)"),
    ),
    (
        "cql() echo (source arget) {source:wtm target:btm}",
        "E0201",
        "1:39",
        "where `arget` is declared",
        Some("cql() echo (source target) {source:wtm target:btm}"),
    ),
    (
        "cql() limt = 3 ply > limit",
        "E0201",
        "1:22",
        "where `limt` is declared",
        Some("cql() limit = 3 ply > limit"),
    ),
    ("cql() 20 < ply and < 30", "E0101", "1:20", "`20 < ply < …`", Some("cql() 20 < ply < 30")),
    ("cql() 20 < ply or < 30", "E0101", "1:19", "two sides", Some("cql() 20 < ply or ply < 30")),
    (
        "cql() power A > 3 and < 9",
        "E0101",
        "1:23",
        "two sides",
        Some("cql() power A > 3 and power A < 9"),
    ),
    ("cql() child1:check", "E0201", "1:7", "`child(1)`", Some("cql() child(1):check")),
    ("cql() up1 R", "E0201", "1:7", "`up 1`", Some("cql() up 1 R")),
    ("cql() powerA > 3", "E0201", "1:7", "`power A`", Some("cql() power A > 3")),
    ("cql() ply10 > 3", "E0201", "1:7", "apart from the word `ply`", None),
    (
        "cql() Bxh7+ Kxh7 Ng5+",
        "E0114",
        "1:7",
        "a `path`",
        Some("cql() path B[x]h7(check) k[x]h7 N--g5(check)"),
    ),
    ("cql() Nxe5 dxe5", "E0114", "1:7", "a `path`", Some("cql() path N[x]e5 pd6[x]e5")),
    (
        "cql() Bxh7+ Kxh7 Ng5+",
        "E0114",
        "1:7",
        "or `path san \"Bxh7+ Kxh7 Ng5+\"`",
        Some("cql() path B[x]h7(check) k[x]h7 N--g5(check)"),
    ),
    ("cql() path san \"e4 Sf6\"", "E0113", "1:20", "English letters", None),
    (
        "cql() Qh5+ Ke7 Qxe5#",
        "E0114",
        "1:7",
        "a `path`",
        Some("cql() path Q--h5(check) k--e7 Q[x]e5(mate)"),
    ),
    (
        "cql() exd5 exd5 or check",
        "E0114",
        "1:7",
        "a `path`",
        Some("cql() {path Pe4[x]d5 pe6[x]d5} or check"),
    ),
    ("cql() path -- Nxe5 O-O", "E0114", "1:15", "a `path`", Some("cql() path -- N[x]e5 k--(o-o)")),
    ("cql() Qd4 Nxe5 dxe5", "E0114", "1:7", "a `path`", None),
    (
        "cql() 1. Nf3 Nf6 2. c4 g6 3. O-O",
        "E0114",
        "1:7",
        "`path N--f3 n--f6 P--c4 p--g6 K--(o-o)` these moves anywhere",
        Some("cql() san \"1.Nf3 Nf6 2.c4 g6 3.O-O\""),
    ),
    (
        "cql() 1. f4 e6 2. g4 Qh4 mate",
        "E0114",
        "1:7",
        "`path P--f4 p--e6 P--g4 q--h4(mate)` these moves anywhere",
        Some("cql() san \"1.f4 e6 2.g4 Qh4#\""),
    ),
    ("cql() Qxf7 mate", "E0114", "1:7", "`Q[x]f7(mate)`", Some("cql() Q[x]f7(mate)")),
    ("cql() Qxf7 mate or check", "E0114", "1:7", "`Q[x]f7`", Some("cql() Q[x]f7 mate or check")),
    ("cql() Qxf7? wtm", "E0114", "1:7", "`Q[x]f7`", Some("cql() Q[x]f7 wtm")),
    ("cql() wtm?!", "E0003", "1:10", "annotators", Some("cql() wtm")),
    ("cql() Q--f7, mate", "E0101", "1:12", "`--(mate)`", Some("cql() Q--f7(mate)")),
    ("cql() Q:f7", "E0102", "1:8", "`Q[x]f7`", Some("cql() Q[x]f7")),
    ("cql() e4:d5", "E0102", "1:9", "`e4[x]d5`", Some("cql() e4[x]d5")),
    ("cql() N:e5+ wtm", "E0102", "1:8", "`N[x]e5(check)`", Some("cql() N[x]e5(check) wtm")),
    ("cql() K=g1", "E0102", "1:8", "without a sign", Some("cql() Kg1")),
    ("cql() PxP", "E0201", "1:7", "`P[x]p`", Some("cql() P[x]p")),
    ("cql() BxN", "E0201", "1:7", "`B[x]n`", Some("cql() B[x]n")),
    ("cql() Q x R", "E0201", "1:9", "`Q[x]r`", Some("cql() Q[x]r")),
    ("cql() white mates", "E0201", "1:13", "`btm mate`", Some("cql() {btm mate}")),
    ("cql() P nor p", "E0201", "1:9", "`not F not G`", None),
    ("cql() nto mate", "E0201", "1:7", "mean `not`", Some("cql() not mate")),
    ("cql() filp Pe4", "E0201", "1:7", "mean `flip`", Some("cql() flip Pe4")),
    ("cql() side", "E0201", "1:7", "mean `site`", None),
    ("cql() near K", "E0201", "1:7", "mean `year`", None),
    ("cql() dame", "E0201", "1:7", "queens are", None),
    ("cql() pion", "E0201", "1:7", "pawns are", None),
    ("cql() moved Q", "E0201", "1:7", "`previous Q--`", None),
    ("cql() never moved K", "E0201", "1:7", "`not find <-- previous K--`", None),
    ("cql() never check", "E0201", "1:7", "`not find <-- F`", None),
    ("cql() two R", "E0201", "1:7", "`R >= 2`", None),
    ("cql() more than 2 P", "E0201", "1:7", "`P > 2`", Some("cql() P > 2")),
    ("cql() at least two white rooks", "E0201", "1:7", "`R >= 2`", Some("cql() R >= 2")),
    ("cql() number of R > 2", "E0201", "1:7", "`#R`", Some("cql() #R > 2")),
    ("cql() no queens", "E0201", "1:7", "`not [Qq]`", Some("cql() not [Qq]")),
    ("cql() without Q", "E0201", "1:7", "`not Q`", Some("cql() not Q")),
    ("cql() no check", "E0201", "1:7", "`not`", Some("cql() not check")),
    ("cql() in check", "E0101", "1:7", "`check`", Some("cql() check")),
    ("cql() not in check", "E0101", "1:11", "`check`", Some("cql() not check")),
    ("cql() black in check", "E0102", "1:13", "`btm check`", Some("cql() {btm check}")),
    ("cql() lastmove Q--f7", "E0201", "1:7", "`previous`", Some("cql() previous Q--f7")),
    (
        "cql() player white contains \"Morphy\"",
        "E0201",
        "1:20",
        "after the word",
        Some("cql() player white \"Morphy\""),
    ),
    (
        "cql() player is \"Anand\"",
        "E0201",
        "1:14",
        "after the word",
        Some("cql() player \"Anand\""),
    ),
    ("cql() elo above 2700", "E0201", "1:11", "`elo > 2700`", Some("cql() elo > 2700")),
    ("cql() winner \"Tal\"", "E0201", "1:7", "result 1-0", None),
    ("cql() Pe4 && pe5", "E0101", "1:12", "combined by `and`", Some("cql() Pe4 and pe5")),
    ("cql() P - p >= 2", "E0301", "1:9", "`#P - #p`", Some("cql() #P - #p >= 2")),
    // The message explains the subtraction; the query is not taken for CQL 5.
    ("cql(matchcount 1 -1) true", "E0503", "1:16", "this is a subtraction", None),
    // Values, lists and words as in other languages and in books.
    ("cql() cql() mate", "E0101", "1:7", "stands once", Some("cql() mate")),
    ("cql() currentmove \"e4\"", "E0108", "1:19", "`P--e4`", Some("cql() currentmove P--e4")),
    (
        "cql() player \"X\" and year = 2010",
        "E0102",
        "1:27",
        "`year == 2010`",
        Some("cql() player \"X\" and year == 2010"),
    ),
    (
        "cql() mate and elo white = 2700",
        "E0102",
        "1:26",
        "`elo white == 2700`",
        Some("cql() mate and elo white == 2700"),
    ),
    (
        "cql() mate and player white = \"Tal\"",
        "E0102",
        "1:29",
        "`player white \"Tal\"`",
        Some("cql() mate and player white \"Tal\""),
    ),
    (
        "cql() eco in (\"B90\",\"B91\")",
        "E0105",
        "1:20",
        "by itself",
        Some("cql() {eco \"B90\" or eco \"B91\"}"),
    ),
    (
        "cql() player white in (\"Tal\", \"Fine\") mate",
        "E0105",
        "1:29",
        "by itself",
        Some("cql() {player white \"Tal\" or player white \"Fine\"} mate"),
    ),
    ("cql() motif(fork)", "E0201", "1:7", "a theme", Some("cql() theme(\"fork\")")),
    ("cql() mate or motif \"pin\"", "E0201", "1:15", "", None),
    (
        "cql() moves between 20 and 30",
        "E0201",
        "1:7",
        "length of a game",
        Some("cql() terminal 20 <= (ply + 1) / 2 <= 30"),
    ),
    ("cql() 50 moves", "E0201", "1:10", "`halfmoveclock >= 100`", None),
    ("cql() tablebase win", "E0201", "1:17", "2 for a win", Some("cql() tablebase == 2")),
    ("cql() tablebase == loss", "E0201", "1:20", "-2 for a", Some("cql() tablebase == -2")),
    ("cql() !!", "E0003", "1:7", "`originalcomment \"!!\"`", Some("cql() nag == 3")),
    ("cql() nag == !?", "E0003", "1:14", "`nag == 5`", Some("cql() nag == 5")),
    ("cql() hanging piece", "E0103", "1:15", "theme", Some("cql() theme(\"hangingpiece\")")),
    ("cql() piece sacrifice", "E0103", "1:7", "theme", Some("cql() theme(\"sacrifice\")")),
    ("cql() B90", "E0201", "1:7", "`eco \"B90\"`", Some("cql() eco \"B90\"")),
    ("cql() B90-B99", "E0201", "1:7", "codes", Some("cql() (\"B90\" <= eco <= \"B99\")")),
    (
        "cql() avg elo > 2600",
        "E0201",
        "1:7",
        "twice their average",
        Some("cql() elo white + elo black > 5200"),
    ),
    ("cql() mate --limit 3", "E0201", "1:14", "`--limit 3`", None),
    ("cql() mate limit 10", "E0201", "1:12", "`--limit 10`", None),
    ("cql() mate piecesAt(d4)", "E0201", "1:12", "`[Aa]d4`", None),
    ("cql() шах", "E0004", "1:7", "English", None),
    ("```\ncql() mate", "E0003", "1:1", "Markdown", Some("\ncql() mate")),
    // One edit does all that is to be done.
    ("cql() pawn mate", "E0201", "1:7", "one of this piece", Some("cql() mate currentmove [Pp]--")),
    ("cql() white queen checks", "E0201", "1:13", "", Some("cql() check currentmove Q--")),
    (
        "cql() bishop mate or wtm",
        "E0201",
        "1:7",
        "",
        Some("cql() {mate currentmove [Bb]--} or wtm"),
    ),
    ("cql() mate wtn", "E0201", "1:12", "`wtm`", Some("cql() mate wtm")),
    ("cql() white = 'Tal'", "E0102", "1:13", "player", Some("cql() player white \"Tal\"")),
    (
        "cql() white == 'Tal' and check",
        "E0304",
        "1:7",
        "player",
        Some("cql() player white \"Tal\" and check"),
    ),
    ("cql() white_name = 'Tal'", "E0004", "1:20", "player", Some("cql() player white \"Tal\"")),
    ("cql() Date = 2019.05.03", "E0018", "1:14", "date", Some("cql() date \"2019.05.03\"")),
    ("cql() player = 'Tal'", "E0102", "1:14", "`player \"Tal\"`", Some("cql() player \"Tal\"")),
    ("cql() date = 2019.05.03", "E0102", "1:12", "date", Some("cql() date \"2019.05.03\"")),
    // The help knows all of these words.
    (
        "cql() Magnus Carlsen",
        "E0115",
        "1:7",
        "`cql help Magnus Carlsen`",
        Some("cql() initial player ~~ \"Carlsen, M|Magnus,? Carlsen\""),
    ),
    (
        "cql() Carlsen|Anand",
        "E0115",
        "1:7",
        "`cql help 'Carlsen|Anand'`",
        Some("cql() initial player \"Carlsen\" player \"Anand\""),
    ),
    ("cql() blunder", "E0201", "1:7", "`cql help blunder`", None),
    ("cql() x-ray", "E0115", "1:7", "`cql help x-ray`", None),
    (
        "cql() mate before move 20",
        "E0115",
        "1:7",
        "`cql help mate before move 20`",
        Some("cql() mate (ply + 1) / 2 < 20"),
    ),
    (
        "cql() opposite-coloured bishops",
        "E0115",
        "1:7",
        "`cql help opposite-coloured bishops`",
        None,
    ),
    ("cql() connected passed pawns", "E0115", "1:7", "`cql help connected passed pawns`", None),
    (
        "cql() games shorter than 20 moves",
        "E0115",
        "1:7",
        "`cql help games shorter than 20 moves`",
        Some("cql() terminal (ply + 1) / 2 < 20"),
    ),
    ("cql() finale de tours", "E0115", "1:7", "`cql help finale de tours`", None),
];

#[test]
fn mistakes_lead_to_their_mend() {
    let mut bad = Vec::new();
    for &(query, code, place, help, mended) in MISTAKES {
        let query = format!("{query}\n");
        let found = diagnostics(&query);
        let errors = || found.iter().filter(|d| d["severity"] == "error");
        let Some(first) = errors().next() else {
            bad.push(format!("{query}   no error"));
            continue;
        };
        let shown = format!(
            "{} {}:{} {} [{}]",
            first["code"], first["line"], first["column"], first["message"], first["help"]
        );
        if first["code"] != code
            || format!("{}:{}", first["line"], first["column"]) != place
            || !first["help"].as_str().unwrap_or_default().contains(help)
            || errors().count() != 1
        {
            bad.push(format!("{query}   {} errors, {shown}", errors().count()));
            continue;
        }
        let edit = &first["edit"];
        let Some(mended) = mended else {
            if !edit.is_null() {
                bad.push(format!("{query}   has an edit: {edit}"));
            }
            continue;
        };
        let offset = |name: &str| edit[name].as_u64().unwrap_or_default() as usize;
        let mut text = query.clone();
        text.replace_range(
            offset("byte_start")..offset("byte_end"),
            edit["text"].as_str().unwrap_or("(no edit)"),
        );
        if text.trim_end() != mended {
            bad.push(format!("{query}   becomes {text}   not {mended}"));
        } else if diagnostics(&text).iter().any(|d| d["severity"] == "error") {
            bad.push(format!("{query}   is still wrong as {text}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let check = |query: &str, expected: &str| {
        let ran = run(query, &["check", "q.cql"]);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), expected, "{query}");
        assert_eq!(ran.status.code(), Some(1), "{query}");
    };
    check(
        "cql()\nstalmate and wtm\n",
        "\
error[E0201]: unknown name `stalmate`
 --> q.cql:2:1
  |
2 | stalmate and wtm
  | ^^^^^^^^ not a keyword, and not defined further up
  |
help: did you mean `stalemate`?
  |
2 | stalemate and wtm
  |     +

`cql explain E0201` says more
",
    );
    check(
        "cql() check && mate elo > \"2500\"\n",
        "\
error[E0102]: `&` needs a set of squares on its left, found a condition without a value
 --> q.cql:1:13
  |
1 | cql() check && mate elo > \"2500\"
  |       ----- ^ needs a set of squares on its left
  |       |
  |       this is a condition without a value
  |
help: conditions are combined by `and`
  |
1 - cql() check && mate elo > \"2500\"
1 + cql() check and mate elo > \"2500\"
  |

error[E0304]: `>` cannot compare a number with a string
 --> q.cql:1:21
  |
1 | cql() check && mate elo > \"2500\"
  |                     ---^^^------
  |                     |     |
  |                     |     a string
  |                     a number
  |
help: write the number without quotes
  |
1 - cql() check && mate elo > \"2500\"
1 + cql() check && mate elo > 2500
  |

`cql explain E0102` says more, and likewise for each code
",
    );
    check(
        "cql()\nflip {\n  check\n  (wtm\n}\n",
        "\
error[E0017]: found `}` where the `)` that belongs to `(` was expected
 --> q.cql:5:1
  |
4 |   (wtm
  |   - this `(` is still open
5 | }
  | ^ this has no partner
  |
help: write `)` before this `}`
  |
4 |   (wtm)
  |       +

`cql explain E0017` says more
",
    );
}

#[test]
fn independent_mistakes_are_all_reported() {
    let check = |query: &str, expected: &str| {
        let found: Vec<String> = diagnostics(query)
            .iter()
            .map(|d| {
                let code = d["code"].as_str().unwrap_or_default();
                format!("{code} {}:{}", d["line"], d["column"])
            })
            .collect();
        assert_eq!(found.join(", "), expected, "{query}");
    };
    check("cql() stalmate chek wmt", "E0201 1:7, E0201 1:16, E0201 1:21");
    check("cql() check && mate wtm = true", "E0102 1:13, E0102 1:25");
    check("cql() maet and wtn", "E0201 1:7, E0201 1:16");
    check("cql() maet and zork", "E0201 1:7, E0201 1:16");
    check("cql() x == 3 stalmate", "E0201 1:7, E0201 1:14");
    check("cql() elo > \"2500\" R | 3", "E0304 1:7, E0302 1:24");
    check("cql() {chek R} piece = 3\n!mate", "E0201 1:8, E0103 1:22, E0003 2:1");
    check("cql() (chek) mate = 3 x=1", "E0201 1:8, E0102 1:19");
    check("cql(foo) stalmate", "E0502 1:5, E0201 1:10");
    check("cql()\nwhile check mate\nwtm\nbtm and\n", "E0103 2:7, E0101 4:8");
    check("cql() Qxf7?! wtm", "E0114 1:7, E0003 1:11");
    // One mistake yields one error.
    check("cql() if chek then mate else wtm", "E0201 1:10");
    check("cql() if chek\nthen mate\nelse wtm\nwtm", "E0201 1:10");
    check("cql() path chek -- mate --* wtm", "E0201 1:12");
    check("cql() path\n chek\n --\n mate+\n\nR|3", "E0201 2:2, E0302 6:3");
    check("cql() chek + 3 * 2 == 7", "E0201 1:7");
    check("cql() 3 + \"a\" == \"a3\"", "E0102 1:9");
    check("cql() x = chek y = x y == 3", "E0201 1:11");
    check("", "E0001 1:1");
    // Neither a missing bracket nor an error in the header hides other mistakes.
    check("cql() {mate stalmate", "E0017 1:7, E0201 1:13");
    check("cql()\nflip {\n  chek\n  (wtm\n}\nelo > \"1\"\n", "E0201 3:3, E0017 5:1, E0304 6:1");
    check("cql(quiet\nstalmate", "E0017 1:4, E0201 2:1");
    check("wtm && stalmate", "E0501 1:1, E0102 1:5, E0201 1:8");
    check("wtm\nbtm and", "E0501 1:1, E0101 2:8");
}

#[test]
fn warnings_do_not_stop_the_query() {
    let check = |query: &str, expected: &str| {
        let found: Vec<String> = diagnostics(query)
            .iter()
            .map(|d| {
                assert_eq!(d["severity"], "warning", "{query}");
                let code = d["code"].as_str().unwrap_or_default();
                format!("{code} {}:{}", d["line"], d["column"])
            })
            .collect();
        assert_eq!(found.join(", "), expected, "{query}");
        let ran = run(query, &["-parse", "q.cql"]);
        assert_eq!(ran.status.code(), Some(0), "{query}");
    };
    check("cql() check white", "W0401 1:13");
    check("cql() check { 3 }", "W0401 1:15");
    check("cql() flipcolor check Ka1", "W0404 1:17");
    check("cql() flipcolor {check Ka1}", "");
    check("cql() flip count check > 0", "");
    check("cql() R == k x = 3", "W0301 1:7, W0201 1:14");
    check("cql() wtm btm", "W0402 1:11");
    check("cql() gamenumber check", "W0403 1:7");
    check("cql() path --d4 -> k--", "W0419 1:14");
    check("cql() Kg1 | h1", "W0405 1:7");
    check("cql() Q [x] r", "W0421 1:9");
    check("cql() 1950 < year < 1900", "W0402 1:7");
    check("cql() pin Q to K", "W0422 1:11");
    check("cql() Q or R -> k", "W0423 1:7");
    check("cql() path Q[x]f7+", "W0424 1:18");
    check("cql() check k", "W0425 1:13");
    check("cql() eval > 3", "W0426 1:14");
    check("cql() square all $empty attack (k .)", "W0420 1:25");
}

/// The filter answers words of other programs about players, pawns, numbers and squares.
#[test]
fn values_beside_each_other_become_filters() {
    for (query, filter) in [
        ("white \"Carlsen\"", "player white \"Carlsen\""),
        ("mate black \"Carlsen\"", "player black \"Carlsen\""),
        ("passedpawns white", "passedpawns & P"),
        ("black isolatedpawns", "isolatedpawns & p"),
        ("elo > 2 700", "elo > 2700"),
        ("white queen on h7", "Qh7"),
        ("find 2 #N >= 1", "`find 2 {#N >= 1}`"),
        ("find quiet 3 20 #pin <= 3", "`find quiet 3 20 {#pin <= 3}`"),
        ("{flip 2 ~R}", "`flip 2 {…}`"),
        ("x=2 find x #(R attacks k) > 0", "`find x {…}`"),
    ] {
        let ran = run(&format!("cql() {query}"), &["check", "q.cql"]);
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(text.contains(filter), "{query}: {text}");
    }
    // No game matches a typed text with a value among its conditions, and each that gets there fails.
    for (query, mended) in [
        ("mate year 2020", "mate year == 2020"),
        ("elo 2600", "elo >= 2600"),
        ("tag \"Event\" \"Tilburg\"", "event \"Tilburg\""),
        ("mate tag \"White\" \"Tal\"", "mate player white \"Tal\""),
        ("mate tag \"Annotator\" \"A\"", "mate tag \"Annotator\" == \"A\""),
        ("mate 5", "{path --{9} mate}"),
        ("wtm mate 3 check", "wtm {path --{5} mate} check"),
        ("check 3", "at least 3 checks"),
        ("mate \"back rank\"", "`cql help back rank`"),
        ("flipcolor {mate 5}", "flipcolor {{path --{9} mate}}"),
    ] {
        for arguments in [&["check", query][..], &["q.cql", "-parse", "-cql", query]] {
            let ran = run("cql()", arguments);
            let text = String::from_utf8_lossy(&ran.stdout);
            assert!(text.contains("error[E0410]") && text.contains(mended), "{query}: {text}");
        }
    }
    // A query in a file runs as in the reference, and so does what may match.
    for arguments in [["check", "q.cql"], ["check", "mate or {wtm 5}"]] {
        let ran = run("cql() wtm mate 5", &arguments);
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(text.contains("warning[W0401]"), "{arguments:?}: {text}");
    }
    // The first letters of a misspelled word are no word of their own.
    for query in ["legal s-- in (. <- a)", "path s", "find s"] {
        let ran = run(&format!("cql() {query}"), &["check", "q.cql"]);
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(text.contains("error[E0") && !text.contains("one word"), "{query}: {text}");
    }
    let ran = run("cql() last position rb8", &["check", "q.cql"]);
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(text.contains("+ cql() terminal rb8"), "{text}");
    for query in ["elo > 2 70", "elo > 2000 700", "mate white"] {
        let ran = run(&format!("cql() {query}"), &["check", "q.cql"]);
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(text.contains("[W0401]") && !text.contains("1 +"), "{query}: {text}");
    }
}

#[test]
fn what_is_wrong_in_many_places_is_said_once() {
    let query = format!("cql()\n{}", "N—f3 check\n".repeat(11));
    let ran = run(&query, &["check", "q.cql"]);
    let text = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(text.matches("error[E0004]").count(), 1, "{text}");
    assert!(text.contains("--> q.cql:2:2"), "{text}");
    let also = "the same at 3:2, 4:2, 5:2, 6:2, 7:2, 8:2, 9:2, 10:2, 11:2, 12:2\n";
    assert!(text.contains(also), "{text}");
    assert_eq!(diagnostics(&query).len(), 11, "programs read each");
}

#[test]
fn a_string_that_was_meant_for_the_filter_before_it() {
    let check = |query: &str, mended: &str| {
        let found = diagnostics(query);
        assert_eq!(found.len(), 1, "{query}: {found:?}");
        let edit = &found[0]["edit"];
        let offset = |name: &str| edit[name].as_u64().unwrap_or_default() as usize;
        let mut text = query.to_owned();
        text.replace_range(
            offset("byte_start")..offset("byte_end"),
            edit["text"].as_str().unwrap_or("(no edit)"),
        );
        assert_eq!(text, mended);
        assert_eq!(diagnostics(&text).len(), 0, "{text}");
    };
    check(
        "cql() player \"Carlsen\" or \"Caruana\"",
        "cql() player \"Carlsen\" or player \"Caruana\"",
    );
    check(
        "cql() player white \"Carlsen\" and not \"Magnus\"",
        "cql() player white \"Carlsen\" and not player white \"Magnus\"",
    );
    check("cql() event \"Cup\" \"Final\"", "cql() event \"Cup\" event \"Final\"");
    let found = diagnostics("cql() check or \"Carlsen\"");
    assert!(found[0]["edit"].is_null(), "{found:?}");
}

#[test]
fn colors_and_formats_are_chosen() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("q.cql"), "cql() chek").expect("written");
    let check = |line: &str, variables: &[(&str, &str)], is_colored: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command
            .args(line.split(' '))
            .current_dir(place.path())
            .env_remove("CLICOLOR_FORCE")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());
        let ran = command.output().expect("the program runs");
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(text.contains("E0201"), "{line} {variables:?}: {text}");
        assert_eq!(text.contains('\x1b'), is_colored, "{line} {variables:?}");
    };
    for line in ["check q.cql", "-parse q.cql"] {
        check(line, &[], false);
        check(line, &[("CLICOLOR_FORCE", "1")], true);
        check(line, &[("CLICOLOR_FORCE", "0")], false);
        check(line, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
    }
    check("check q.cql --color always", &[("NO_COLOR", "1")], true);
    check("-color always -parse q.cql", &[("NO_COLOR", "1")], true);
    check("check q.cql --color never", &[("CLICOLOR_FORCE", "1")], false);
    check("check q.cql --message-format json", &[("CLICOLOR_FORCE", "1")], false);

    let ran = run("cql() chek", &["-message-format", "json", "-parse", "q.cql"]);
    let text = String::from_utf8_lossy(&ran.stdout);
    let line = text.lines().find(|line| line.starts_with('{'));
    let value: serde_json::Value = serde_json::from_str(line.expect("an object")).expect("JSON");
    assert_eq!(value["code"], "E0201");
    assert_eq!(value["file"], "q.cql");
    let ran = run("cql() chek", &["-message-format", "yaml", "-parse", "q.cql"]);
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(text.contains("needs human or json, not 'yaml'"), "{text}");
}

#[test]
fn codes_are_explained() {
    let check = |code: &str, status: i32, expected: &str| {
        let ran = run("", &["explain", code]);
        let text = [ran.stdout, ran.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(expected), "{code}: {text}");
        assert_eq!(ran.status.code(), Some(status), "{code}");
    };
    for entry in table::all() {
        check(entry.code, 0, &format!("{}: {}\n", entry.code, entry.title));
    }
    check("e0201", 0, "\nRight:\n\n    cql() stalemate\n");
    check("E0299", 1, "there is no diagnostic E0299; codes near it are E0201");
}

#[test]
fn the_pattern_of_a_player_is_checked_like_those_of_queries() {
    let said = |option: &str, pattern: &str| {
        let ran = run("cql() mate", &["q.cql", option, pattern, "none.pgn"]);
        String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned()
    };
    let check = |option: &str, pattern: &str, expected: &[&str]| {
        let said = said(option, pattern);
        for part in expected {
            assert!(said.contains(part), "{option} {pattern}: {said}");
        }
        assert!(!said.contains("q.cql:1:1"), "the query is not at fault: {said}");
    };
    check("-player", "karpov", &["warning[W0410]: -player: names", "write \"Karpov\""]);
    check("-white", "karpov", &["warning[W0410]", "\"Karpov\""]);
    check("-player", "[А-Я]", &["warning[W0429]: -player: regular", "`(?:ä|ö|ü)`"]);
    check("-player", "(?i)karpov", &["error[E0504]: -player", "`[Cc]arlsen`"]);
    check("-player", r"\p{Lu}", &["error[E0504]: -player", "`[A-Z]`"]);
    let sound = said("-player", "^Karpov");
    assert!(sound.contains("none.pgn") && !sound.contains("warning["), "{sound}");
}

/// Games with a few tags, three, four and five moves.
const GAMES: &str = r#"[Event "?"]
[Site "?"]
[Date "2019.05.??"]
[Round "?"]
[White "Tal, Mihail"]
[Black "Carlsen, Magnus"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Carlsen, Magnus"]
[Black "Anand, Viswanathan A."]
[Result "0-1"]
[ECO "B90"]
[WhiteElo "2700"]
[BlackElo "2500"]
[TimeControl "180+2"]

1. e4 c5 2. Nf3 d6 3. Bb5+ 0-1

[Event "?"]
[Site "?"]
[Date "2018.01.01"]
[Round "?"]
[White "Carlsen, Magnus"]
[Black "Nakamura, Hikaru"]
[Result "1/2-1/2"]
[ECO "C20"]
[WhiteElo "2500"]
[BlackElo "2750"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 1/2-1/2
"#;

/// Queries with mistakes, and the number of games that they mean.
const MEANINGS: &[(&str, u32)] = &[
    ("not moves < 4", 2),
    ("not (moves < 4)", 2),
    ("WHERE NOT (moves < 4)", 2),
    ("WHERE NOT plies < 8", 1),
    ("initial moves < 4", 1),
    ("castle moves < 5", 0),
    ("castle moves >= 5", 1),
    ("check length < 4", 1),
    ("player \"Carlsen\" moves < 4", 1),
    ("elo white minus elo black > 100", 1),
    ("elo white over 2600", 1),
    ("elo difference > 200", 1),
    ("elodiff >= 200", 2),
    ("avgelo > 2600", 1),
    ("white:Carlsen OR black:Carlsen", 3),
    ("white:Carlsen or black:Carlsen", 3),
    ("white=Carlsen;year=2018", 1),
    ("white = Carlsen; black = Nakamura", 1),
    ("eco B20 to B99", 1),
    ("eco B90/C20", 2),
    ("eco not B90", 1),
    ("player white or black Carlsen", 3),
    ("elo white or black > 2700", 1),
    ("elo white > black", 1),
    ("WHERE date LIKE '2019-05%'", 1),
    ("date.startswith(\"2019-05\")", 1),
    ("[Date \"2019.05.??\"]", 1),
    ("date between \"2018-01-01\" and \"2019-12-31\"", 2),
    ("date before 2019-01-01", 1),
    ("date after 2018-12-31", 1),
    ("TimeControl 180+2", 1),
    ("WHERE NOT white_elo > 2600", 1),
    ("WHERE NOT (white_elo > 2600 OR eco = 'C20')", 0),
    ("WHERE eco <> 'B90'", 1),
    ("WHERE white ILIKE '%carlsen%'", 2),
    ("WHERE white NOT ILIKE 'carl%'", 1),
    ("Carlsen versus Nakamura 2018", 1),
    ("{\"players\":[\"Carlsen\",\"Nakamura\"]}", 1),
    ("mate Qxf7", 1),
    ("black = \"Anand, Viswanathan A.\"", 1),
    ("maet and wtmm", 0),
    ("check Bb5+", 1),
    ("initial Aa <= 7", 0),
    ("initial Aa == 32", 3),
    ("initial whiteking e1", 3),
    ("Q h5", 1),
    ("#legal < 1", 1),
    ("currentmove Q[x]f7 mate", 1),
];

#[test]
fn proposals_find_what_is_meant() {
    let place = tempfile::tempdir().expect("a directory");
    fs::write(place.path().join("games.pgn"), GAMES).expect("written");
    let mut bad = Vec::new();
    for &(query, expected) in MEANINGS {
        let mut text = format!("cql() {query}");
        // Each round applies the edits of one report.
        for _ in 0..3 {
            let mut edits: Vec<_> = diagnostics(&text)
                .into_iter()
                .map(|found| found["edit"].clone())
                .filter(|edit| !edit.is_null())
                .collect();
            let offset = |edit: &serde_json::Value, name: &str| {
                edit[name].as_u64().unwrap_or_default() as usize
            };
            edits.sort_by_key(|edit| std::cmp::Reverse(offset(edit, "byte_start")));
            for edit in &edits {
                let range = offset(edit, "byte_start")..offset(edit, "byte_end");
                text.replace_range(range, edit["text"].as_str().unwrap_or_default());
            }
        }
        fs::write(place.path().join("q.cql"), &text).expect("written");
        let ran = Command::new(env!("CARGO_BIN_EXE_cql"))
            .args(["games.pgn", "q.cql", "--count", "--json"])
            .current_dir(place.path())
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        let counted = String::from_utf8_lossy(&ran.stdout).into_owned();
        let counted: Option<serde_json::Value> =
            counted.lines().find_map(|line| serde_json::from_str(line).ok());
        let n_games = counted.as_ref().and_then(|counted| counted["games"].as_u64());
        if n_games != Some(u64::from(expected)) {
            let said = String::from_utf8_lossy(&ran.stderr);
            bad.push(format!("{query} -> {text}: {n_games:?}, not {expected}\n{said}"));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
