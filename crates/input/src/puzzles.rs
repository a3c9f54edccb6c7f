//! Lichess puzzles: a CSV table with one puzzle per line, whose header line names the columns. A
//! puzzle becomes a game that starts from the position before the opponent's move.

use board::{Color, Role, Square, parse_fen, resolve_coordinate, san_reaching};
use flow::LineFormat;

use super::error::Error;
use super::line_error::LineError;
use super::mark::without_mark;
use super::tag::push_tag;

/// Columns that are required.
const NEEDED: [&str; 3] = ["PuzzleId", "FEN", "Moves"];

/// Columns that become tags with the same names.
const TAGS: [&str; 8] = [
    "PuzzleId",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// Whether a line is the header of such a table, even an incomplete one.
pub(super) fn is_header(line: &[u8]) -> bool {
    let fields = fields(line);
    let known = |name: &[u8]| ["PuzzleId", "FEN"].iter().any(|n| n.as_bytes() == name);
    fields.len() > 1 && fields.iter().any(|field| known(field))
}

/// Indexes of the columns.
#[derive(Debug)]
pub(super) struct Puzzles {
    id: usize,
    fen: usize,
    moves: usize,
    /// Columns that become tags.
    tags: Vec<(usize, &'static str)>,
}

impl Puzzles {
    /// Parses the header line.
    pub(super) fn new(header: &[u8]) -> Result<Puzzles, Error> {
        let names = fields(header);
        let place = |name: &str| names.iter().position(|field| field == name.as_bytes());
        match NEEDED.map(place) {
            [Some(id), Some(fen), Some(moves)] => Ok(Puzzles {
                id,
                fen,
                moves,
                tags: TAGS.iter().filter_map(|&name| Some((place(name)?, name))).collect(),
            }),
            places => {
                let missing = NEEDED.iter().zip(places).filter(|(_, place)| place.is_none());
                Err(Error::MissingColumns(missing.map(|(name, _)| *name).collect()))
            }
        }
    }
}

impl LineFormat for Puzzles {
    fn is_game(&self, line: &[u8], is_first: bool) -> bool {
        !is_first && !line.trim_ascii().is_empty()
    }

    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), flow::LineError> {
        let fields = fields(line);
        let field = |place: usize, name: &'static str| match fields.get(place) {
            Some(field) => Ok(field.as_slice()),
            None => {
                Err(LineError::MissingColumn { n_columns: fields.len(), name, number: place + 1 })
            }
        };
        let id = field(self.id, "PuzzleId")?;
        let fen = field(self.fen, "FEN")?;
        let moves = field(self.moves, "Moves")?;
        let event = [b"Lichess puzzle ", id].concat();
        let site = [b"https://lichess.org/training/", id].concat();
        push_tag(pgn, "Event", &event);
        push_tag(pgn, "Site", &site);
        for (name, text) in [("Date", "????.??.??"), ("Round", "?"), ("White", "?")] {
            push_tag(pgn, name, text.as_bytes());
        }
        for (name, text) in [("Black", "?"), ("Result", "*"), ("SetUp", "1")] {
            push_tag(pgn, name, text.as_bytes());
        }
        push_tag(pgn, "FEN", fen);
        for &(place, name) in &self.tags {
            if let Some(value) = fields.get(place).filter(|value| !value.is_empty()) {
                push_tag(pgn, name, value);
            }
        }
        pgn.push(b'\n');
        push_moves(fen, moves, pgn)?;
        pgn.extend_from_slice(b"*\n");
        Ok(())
    }
}

/// Appends moves in UCI notation as movetext.
fn push_moves(fen: &[u8], moves: &[u8], pgn: &mut Vec<u8>) -> Result<(), LineError> {
    let mut pos = parse_fen(fen).map_err(LineError::PuzzleFen)?;
    let words = moves.split(u8::is_ascii_whitespace);
    for (i, word) in words.filter(|word| !word.is_empty()).enumerate() {
        let number = pos.fullmove_number;
        match pos.turn {
            Color::White => pgn.extend_from_slice(format!("{number}. ").as_bytes()),
            Color::Black if i == 0 => pgn.extend_from_slice(format!("{number}... ").as_bytes()),
            Color::Black => {}
        }
        let mv = squares(word)
            .and_then(|(from, to, promotion)| resolve_coordinate(&pos, from, to, promotion));
        let Some(mv) = mv else {
            let word = String::from_utf8_lossy(word).into_owned();
            return Err(LineError::NotAMove(i + 1, word));
        };
        let next = pos.play(mv);
        pgn.extend_from_slice(san_reaching(&pos, mv, &next).as_bytes());
        pgn.push(b' ');
        pos = next;
    }
    Ok(())
}

/// Parses the squares of a move such as `f2g3` or `e7e8q`.
fn squares(word: &[u8]) -> Option<(Square, Square, Option<Role>)> {
    let from = Square::parse(word.get(..2)?)?;
    let to = Square::parse(word.get(2..4)?)?;
    let promotion = match word.get(4..)? {
        b"" => None,
        b"q" => Some(Role::Queen),
        b"r" => Some(Role::Rook),
        b"b" => Some(Role::Bishop),
        b"n" => Some(Role::Knight),
        _ => return None,
    };
    Some((from, to, promotion))
}

/// Splits a CSV line into fields. A quoted field may contain commas, and quotes as `""`.
fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    let line = without_mark(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut fields = vec![Vec::new()];
    let mut is_quoted = false;
    let mut bytes = line.iter().peekable();
    while let Some(&byte) = bytes.next() {
        let last = fields.len() - 1;
        match byte {
            b',' if !is_quoted => fields.push(Vec::new()),
            b'"' if is_quoted && bytes.next_if_eq(&&b'"').is_some() => fields[last].push(b'"'),
            b'"' if is_quoted || fields[last].is_empty() => is_quoted = !is_quoted,
            _ => fields[last].push(byte),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &[u8] =
        b"PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

    fn check(line: &str, expected: Result<&str, &str>) {
        let puzzles = Puzzles::new(HEADER).expect("a header");
        let mut pgn = Vec::new();
        let outcome = puzzles.write_pgn(line.as_bytes(), &mut pgn);
        let pgn = String::from_utf8(pgn).expect("text");
        match (outcome, expected) {
            (Ok(()), Ok(expected)) => assert_eq!(pgn, expected),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (outcome, _) => panic!("{line}: {outcome:?}"),
        }
    }

    #[test]
    fn puzzles_become_games() {
        check(
            "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,\
             e8d7 a2e6 d7d8 f7f8,1760,80,83,72,mate mateIn2 middlegame short,\
             https://lichess.org/yyznGmXs/black#34,Italian_Game",
            Ok("[Event \"Lichess puzzle 00sHx\"]\n\
                [Site \"https://lichess.org/training/00sHx\"]\n\
                [Date \"????.??.??\"]\n\
                [Round \"?\"]\n\
                [White \"?\"]\n\
                [Black \"?\"]\n\
                [Result \"*\"]\n\
                [SetUp \"1\"]\n\
                [FEN \"q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17\"]\n\
                [PuzzleId \"00sHx\"]\n\
                [Rating \"1760\"]\n\
                [RatingDeviation \"80\"]\n\
                [Popularity \"83\"]\n\
                [NbPlays \"72\"]\n\
                [Themes \"mate mateIn2 middlegame short\"]\n\
                [GameUrl \"https://lichess.org/yyznGmXs/black#34\"]\n\
                [OpeningTags \"Italian_Game\"]\n\
                \n\
                17... Kd7 18. Be6+ Kd8 19. Qf8# *\n"),
        );
    }

    #[test]
    fn castling_and_promotion() {
        let moves = |line: &str| {
            let puzzles = Puzzles::new(b"Moves,FEN,PuzzleId").expect("a header");
            let mut pgn = Vec::new();
            puzzles.write_pgn(line.as_bytes(), &mut pgn).expect("a puzzle");
            let pgn = String::from_utf8(pgn).expect("text");
            pgn.split_once("\n\n").map(|parts| parts.1.to_owned())
        };
        assert_eq!(
            moves("e1g1 a2a1n,4k3/8/8/8/8/8/p7/4K2R w K - 0 1,x").as_deref(),
            Some("1. O-O a1=N *\n")
        );
        assert_eq!(moves(",4k3/8/8/8/8/8/8/4K3 w - - 0 1,x").as_deref(), Some("*\n"));
    }

    #[test]
    fn faults_are_named() {
        check("a,b", Err("has 2 columns, and Moves is column 3"));
        check("a,b,c", Err("the FEN is not a position"));
        let with = |moves: &str| format!("a,4k3/8/8/8/8/8/8/4K3 w - - 0 1,{moves}");
        check(&with("e1e2 e1e2"), Err("move 2 (e1e2) is not legal"));
        check(&with("Ke2"), Err("move 1 (Ke2)"));
        check(&with("e1e2qq"), Err("move 1 (e1e2qq)"));
    }

    #[test]
    fn headers_name_the_columns() {
        let missing = |header: &str| Puzzles::new(header.as_bytes()).unwrap_err().to_string();
        assert!(missing("FEN,x").ends_with("missing: PuzzleId, Moves"));
        assert!(missing("").ends_with("missing: PuzzleId, FEN, Moves"));
        assert!(Puzzles::new("\u{feff}\"Moves\",FEN,PuzzleId\r".as_bytes()).is_ok());
        assert!(is_header(b"x,FEN"));
        assert!(!is_header(b"FEN"));
        assert!(!is_header(b"[FEN \"a,b\"]"));
    }

    #[test]
    fn fields_may_be_quoted() {
        let check = |line: &str, expected: &[&str]| {
            let found = fields(line.as_bytes());
            let found: Vec<_> = found.iter().map(|f| String::from_utf8_lossy(f)).collect();
            assert_eq!(found, expected, "{line}");
        };
        check("", &[""]);
        check("a,b,", &["a", "b", ""]);
        check("\"a,b\",\"say \"\"x\"\"\"\r", &["a,b", "say \"x\""]);
        check("a \"b\",\"open,c", &["a \"b\"", "open,c"]);
    }
}
