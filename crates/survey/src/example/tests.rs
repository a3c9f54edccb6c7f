use babson::Program;
use pgn::{Splitter, TagIndex, VariantNames};

use super::*;

/// A game with its text.
fn game(text: &str) -> GameTree {
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan(text.as_bytes());
    tree.parse(index.tags(text.as_bytes()));
    tree
}

fn squares(names: &str) -> SquareSet {
    let square = |name: &str| Square::parse(name.as_bytes()).expect("a square");
    names.split_whitespace().map(square).collect()
}

fn made(moves: &str, range: &str, pieces: &str) -> Result<Vec<Example>, PassageError> {
    let range = range.parse().expect("a range");
    examples(&game(moves), range, squares(pieces))
}

/// Returns the query without its frame, as one line.
fn short(example: &Example) -> String {
    let query = example.query.trim_start_matches("cql()\nflipcolor {");
    let query = query.trim_end_matches("}\n").replace("path quiet firstmatch", "|");
    query.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cell(examples: &[Example], left_out: usize, stage: Stage) -> String {
    let example = examples.iter().find(|one| (one.left_out, one.stage) == (left_out, stage));
    example.map_or("none".to_owned(), short)
}

#[test]
fn a_query_has_the_pieces_and_then_the_moves() {
    let found = made("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 *", "3-4", "").expect("a passage");
    assert_eq!(
        found[0].query,
        "cql()\nflipcolor {\n  Bf1 nc6 pa7 pd7\n  path quiet firstmatch\n    B--b5\n    p--a6\n    \
         B[x]nc6\n    p[x]Bc6\n}\n"
    );
}

#[test]
fn every_kind_of_move_is_written() {
    let check = |moves: &str, range: &str, expected: &str| {
        let found = made(moves, range, "").unwrap_or_else(|error| panic!("{moves}: {error}"));
        assert_eq!(short(&found[0]), expected, "{moves} {range}");
    };
    let spanish = "1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.O-O d6 5.d4 Bd7 6.Nc3 Qe7 7.Re1 O-O-O *";
    check(spanish, "2", "Ng1 nb8 | N--f3 n--c6");
    check(spanish, "2...-3.", "Bf1 nb8 | n--c6 B--b5");
    check(spanish, "4.", "Ke1 Rh1 | K-- o-o");
    check(spanish, "7", "Rf1 ke8 ra8 | R--e1 k-- o-o-o");
    let scholar = "1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# *";
    check(scholar, "3...-4", "Qh5 ke8 ng8 pf7 | n--f6 Q[x]pf7 mate");
    check(scholar, "4", "Qh5 ke8 pf7 | Q[x]pf7 mate");
    check("1.e4 d5 2.exd5 Qxd5 *", "1...-2", "Pe4 qd8 pd7 | p--d5 P[x]pd5 q[x]Pd5");
    check("1.e4 a6 2.e5 d5 3.exd6 *", "2...-3", "Pe5 pd7 | p--d5 P[x]pd5 enpassant");
    check(
        "1.d4 e6 2.Nc3 Bb4 3.a3 Bxc3+ 4.bxc3 *",
        "3...-4.",
        "Ke1 Nc3 Pb2 bb4 | b[x]Nc3 check P[x]bc3",
    );
    let promotion =
        "[FEN \"1r5k/P7/8/8/8/8/1p6/K1N5 b - - 0 30\"]\n\n30...bxc1=N 31.axb8=Q+ Kh7 32.Qb1+ *";
    check(promotion, "30", "Nc1 pb2 | p[x]Nc1=N");
    check(promotion, "31", "Pa7 kh8 rb8 | P[x]rb8=Q check k--h7");
    // The queen was a pawn at the start.
    check(promotion, "31-32", "Pa7 kh8 rb8 | P[x]rb8=Q check k--h7 Q--b1 check");
    check("1.e4 -- 2.d4 *", "1-2", "Pd2 Pe2 | P--e4 -- nullmove P--d4");
    // Variations are no moves of the game.
    check("1.e4 (1.d4 d5 2.c4) 1...e5 (1...c5) 2.f4 *", "1-2", "Pe2 Pf2 pe7 | P--e4 p--e5 P--f4");
}

#[test]
fn all_moves_are_loosened_together() {
    let moves = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.Qe2 Qd6 *";
    let found = made(moves, "3-5", "").expect("a passage");
    let all = Stage::ALL.map(|stage| cell(&found, 0, stage));
    assert_eq!(
        all,
        [
            "Qd1 Bf1 qd8 nc6 pa7 pd7 | B--b5 p--a6 B[x]nc6 p[x]Bc6 Q--e2 q--d6",
            "Qd1 Bf1 qd8 nc6 pa7 pd7 | B--b5 --{0,2} p--a6 --{0,2} B[x]nc6 p[x]Bc6 --{0,2} Q--e2 --{0,2} \
             q--d6",
            "| B--b5 --{0,2} p--a6 --{0,2} B[x]nc6 p[x]Bc6 --{0,2} Q--e2 --{0,2} q--d6",
            "| B--a-c4-6 --{0,4} p--a-b5-7 --{0,4} B[x]n p[x]B --{0,4} Q--d-f1-3 --{0,4} q--c-e5-7",
            "| [NB]--a-c4-6 --{0,4} p--a-b5-7 --{0,4} [NB][x][nb] p[x][NB] --{0,4} [RQ]--d-f1-3 --{0,4} \
             [rq]--c-e5-7",
        ]
    );
    // Captures are left out last, and what does not lead to others first.
    assert_eq!(cell(&found, 3, Stage::Exact), "Bb5 qd8 nc6 pd7 | B[x]nc6 p[x]Bc6 -- q--d6");
    assert_eq!(cell(&found, 4, Stage::Near), "| B[x]n p[x]B");
    assert_eq!(cell(&found, 4, Stage::Exact), "none");
    assert_eq!(cell(&found, 5, Stage::Kinds), "none");
    let costs: Vec<usize> = found.iter().map(Example::cost).collect();
    assert!(costs.is_sorted() && costs[0] == 0, "{costs:?}");
    assert_eq!(cell(&made("1.e4 *", "1", "").expect("a move"), 0, Stage::Gaps), "none");
    let castling = made("1.Nf3 d6 2.g3 e6 3.Bg2 f6 4.O-O *", "4", "").expect("castling");
    assert_eq!(cell(&castling, 0, Stage::Kinds), "| K-- castle");
    let pawn = "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.a8=R+ *";
    let promotion = made(pawn, "1", "").expect("a promotion");
    assert_eq!(cell(&promotion, 0, Stage::Near), "| P--=R check");
    assert_eq!(cell(&promotion, 0, Stage::Kinds), "| P--=[RQ] check");
}

#[test]
fn a_capture_with_check_is_kept_longest() {
    let gift = "[FEN \"rnbq1rk1/ppp1bppp/4p3/3pP3/3P4/3B1N2/PPP2PPP/R1BQK2R w KQ - 0 1\"]\n\n\
                1.Bxh7+ Kxh7 2.Ng5+ Kg8 3.Qh5 Bxg5 4.Bxg5 *";
    let found = made(gift, "1-4.", "").expect("a passage");
    assert_eq!(
        cell(&found, 3, Stage::Near),
        "| B[x]p check k[x]B --{0,4} N--f-h4-6 check --{2,6} b[x]N"
    );
    assert_eq!(cell(&found, 5, Stage::Near), "| B[x]p check --{1,5} N--f-h4-6 check");
}

#[test]
fn named_pieces_stay_in_all_queries() {
    let moves = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.Qe2 Qd6 *";
    let found = made(moves, "3-5", "d1 f3 e5").expect("a passage");
    let pieces = |left_out, stage| {
        let text = cell(&found, left_out, stage);
        text.split_once(" | ").map(|parts| parts.0.to_owned())
    };
    assert_eq!(pieces(0, Stage::Exact).as_deref(), Some("Qd1 Nf3 pe5"));
    assert_eq!(pieces(0, Stage::Gaps).as_deref(), Some("Qd1 Nf3 pe5"));
    assert_eq!(pieces(0, Stage::Kinds).as_deref(), Some("[RQ]c-e1-2 [NB]e-g2-4 pd-f4-6"));
    // The move of the queen is kept longest.
    assert_eq!(cell(&found, 4, Stage::Near), "Qc-e1-2 Ne-g2-4 pd-f4-6 | p[x]B --{0,4} Q--d-f1-3");
    // A piece that has moved before the first move that is kept is named where it stands then.
    let moved =
        made("1.a3 a6 2.Nf3 h6 3.Nd4 e5 4.a4 exd4 5.b3 g6 6.c3 *", "1-6", "g1").expect("a passage");
    assert_eq!(cell(&moved, 8, Stage::Near), "Nf-h1-2 | N--e-g2-4 --{1,5} N--c-e3-5 --{2,6} p[x]N");
    assert_eq!(cell(&moved, 9, Stage::Near), "Ne-g2-4 | N--c-e3-5 --{2,6} p[x]N");
}

#[test]
fn bad_passages_are_refused() {
    let check = |moves: &str, range: &str, pieces: &str, expected: &str| {
        let error = made(moves, range, pieces).expect_err(moves);
        assert_eq!(error.to_string(), expected, "{moves} {range}");
    };
    let moves = "1.e4 e5 2.Nf3 *";
    check(moves, "2-1", "", "the passage is empty: it ends before it begins");
    check(moves, "2...-2.", "", "the game has no move 2...: it goes from 1.e4 to 2.Nf3");
    check(moves, "1...-1.", "", "the passage is empty: it ends before it begins");
    check(moves, "2-3", "", "the game has no move 3: it goes from 1.e4 to 2.Nf3");
    check(moves, "0", "", "the game has no move 0: it goes from 1.e4 to 2.Nf3");
    check("*", "1", "", "the game has no moves");
    check(moves, "2", "f3", "no piece stands on f3 at the start of the passage");
    let illegal = "1.e4 e5 2.Nf3 Ke4 3.d4 *";
    let message = "an illegal move follows 2.Nf3, before the passage ends";
    for range in ["2", "1-2", "2...", "1-3", "3"] {
        check(illegal, range, "", message);
    }
    assert!(made(illegal, "1-2.", "").is_ok());
    assert!(made(moves, "2", "").is_ok(), "the game ends with White's move");
    let atomic = "[Variant \"Atomic\"]\n\n1.e4 e5 *";
    let mut index = TagIndex::default();
    index.scan(atomic.as_bytes());
    let (mut tree, tags) = (GameTree::default(), index.tags(atomic.as_bytes()));
    tree.parse_as(tags, VariantNames::default().variant_of(tags));
    let found = examples(&tree, "1".parse().expect("a range"), SquareSet::EMPTY);
    assert_eq!(found, Err(PassageError::OtherRules));
    let shuffle: String = (0..30).map(|_| "Nf3 Nf6 Ng1 Ng8 ").collect();
    check(&shuffle, "1-21", "", "the passage has 42 half-moves, more than 40");
    assert!(made(&shuffle, "1-20", "").is_ok());
}

/// Whether a query finds a passage that begins after so many half-moves.
fn finds(query: &str, text: &[u8], ply: Option<u32>) -> bool {
    let program = Program::new(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert!(program.warnings().is_empty(), "{query}: {:?}", program.warnings());
    let mut games = program.search(text);
    let row = games.next().map(|game| game.expect("a game").row);
    row.is_some_and(|row| ply.is_none_or(|ply| row.positions.iter().any(|at| at.ply == ply)))
}

/// The games of the examples.
const EXAMPLES: [&[u8]; 5] = [
    include_bytes!("../../../../examples/historic.pgn"),
    include_bytes!("../../../../examples/miniatures.pgn"),
    include_bytes!("../../../../examples/positions.pgn"),
    include_bytes!("../../../../examples/clocks.pgn"),
    include_bytes!("../../../../examples/variants.pgn"),
];

#[test]
fn every_query_finds_its_game() {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let (mut n_passages, mut n_queries) = (0, 0);
    // The last file has games of variants.
    for (at, file) in EXAMPLES.into_iter().enumerate() {
        for raw in Splitter::default().split(file, true) {
            let text = raw.clean_text(&mut buffer);
            index.scan(text);
            let tags = index.tags(text);
            tree.parse_as(tags, VariantNames::default().variant_of(tags));
            let line: Vec<usize> =
                std::iter::successors(tree.next(0), |&at| tree.next(at)).collect();
            let number = |ply: usize| {
                let before = &tree.positions()[tree.parent(line[ply])];
                let dots = if before.turn == board::Color::White { "." } else { "..." };
                format!("{}{dots}", before.fullmove_number)
            };
            for first in (0..line.len()).step_by(4) {
                let last = (first + [0, 1, 3, 6, 10, 17][n_passages % 6]).min(line.len() - 1);
                let range = format!("{}-{}", number(first), number(last));
                let range = range.parse().expect("a range");
                let men = tree.positions()[tree.parent(line[first])].board.occupied();
                let named = if n_passages % 4 == 0 { men.first() } else { None };
                let named = named.map_or(SquareSet::EMPTY, Square::set);
                let found = match examples(&tree, range, named) {
                    Err(PassageError::OtherRules) if at == EXAMPLES.len() - 1 => break,
                    found => found.unwrap_or_else(|error| panic!("{at}: {error}")),
                };
                let is_tried = |at: &usize| *at < 5 || (at + n_passages).is_multiple_of(7);
                for at in (0..found.len()).filter(is_tried) {
                    let (query, ply) = (&found[at].query, (at == 0).then_some(first as u32));
                    let text = String::from_utf8_lossy(text);
                    assert!(finds(query, text.as_bytes(), ply), "{query}\n{first}\n{text}");
                    n_queries += 1;
                }
                n_passages += 1;
            }
        }
    }
    assert!(n_passages > 700 && n_queries > 5000, "{n_passages} passages, {n_queries} queries");
}
