//! Tags and moves of a game.
//!
//! A move is a byte: the number of the piece in the list of its side, and where it goes. Lists
//! change as pieces are captured, so moves can only be read by playing them.

use board::{ByColor, CastlingSetup, Color, Move, Position, Role, Square, Start};

use super::super::bytes::Bytes;
use super::super::numbered::Numbered;
use super::super::tag::{packed_date, push_comment, push_tag};
use super::index::Entry;
use super::names::{NameType, Names};

/// Written in place of what cannot be read. Since it is no move, it is reported with its place.
const DAMAGED: &str = "damaged-data ";

/// Largest number of variations within each other.
const DEEPEST: usize = 500;

/// Letters of the flags of users.
const FLAGS: &[u8; 19] = b"DWBMENPTKQ!?U123456";

/// Names of common tags, from 241 on.
const COMMON: [&str; 10] = [
    "WhiteCountry",
    "BlackCountry",
    "Annotator",
    "PlyCount",
    "EventDate",
    "Opening",
    "Variation",
    "Setup",
    "Source",
    "SetUp",
];

/// Appends a game. Its text is read as far as possible.
pub(super) fn write_pgn(entry: &Entry, names: &Names, blob: &[u8], pgn: &mut Vec<u8>) {
    let mut is_damaged = blob.len() < entry.length as usize;
    let mut name = |kind, id| {
        let name = names.get(kind, id);
        is_damaged |= name.is_none();
        name.filter(|name| !name.is_empty()).unwrap_or(b"?")
    };
    let result = match entry.result {
        1 => "1-0",
        2 => "0-1",
        3 => "1/2-1/2",
        _ => "*",
    };
    push_tag(pgn, "Event", name(NameType::Event, entry.event));
    push_tag(pgn, "Site", name(NameType::Site, entry.site));
    push_tag(pgn, "Date", packed_date(entry.date).as_bytes());
    push_tag(pgn, "Round", name(NameType::Round, entry.round));
    push_tag(pgn, "White", name(NameType::Player, entry.white));
    push_tag(pgn, "Black", name(NameType::Player, entry.black));
    push_tag(pgn, "Result", result.as_bytes());
    for (color, (rating, kind)) in ["White", "Black"].into_iter().zip(entry.ratings) {
        if rating > 0 {
            let kinds = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF", "Elo"];
            let tag = format!("{color}{}", kinds[usize::from(kind & 7)]);
            push_tag(pgn, &tag, rating.to_string().as_bytes());
        }
    }
    if let Some(eco) = eco(entry.eco) {
        push_tag(pgn, "ECO", eco.as_bytes());
    }
    if entry.event_date > 0 {
        push_tag(pgn, "EventDate", packed_date(entry.event_date).as_bytes());
    }
    let is_set = |i: usize| entry.flags >> (i + 3) & 1 == 1;
    let flags: Vec<u8> = (0..FLAGS.len()).filter(|i| is_set(*i)).map(|i| FLAGS[i]).collect();
    if !flags.is_empty() {
        push_tag(pgn, "Flags", &flags);
    }
    let mut bytes = Bytes(blob);
    let start = write_tags(&mut bytes, entry.is_chess960, pgn);
    pgn.push(b'\n');
    // A start that is no position is reported by the reader of the tag.
    is_damaged |= start.is_none();
    if let Some(Some((place, setup))) = start {
        is_damaged |= write_moves(bytes, place, setup, pgn).is_none();
    }
    if is_damaged {
        pgn.extend_from_slice(DAMAGED.as_bytes());
    }
    pgn.extend_from_slice(result.as_bytes());
    pgn.extend_from_slice(b"\n\n");
}

/// Code of an opening, which may have a letter and a digit more than usual.
fn eco(number: u16) -> Option<String> {
    let number = number.checked_sub(1)?;
    let (code, part) = (number / 131, number % 131);
    let letter = |first: u8, n: u16| char::from(first.saturating_add(u8::try_from(n).unwrap_or(0)));
    let mut eco = format!("{}{:02}", letter(b'A', code / 100), code % 100);
    if let Some(part) = part.checked_sub(1) {
        eco.push(letter(b'a', part / 5));
        if part % 5 > 0 {
            eco.push(letter(b'0', part % 5));
        }
    }
    Some(eco)
}

impl<'a> Bytes<'a> {
    /// Reads a text that ends with a zero byte.
    fn text(&mut self) -> Option<&'a [u8]> {
        let text = self.take(self.0.iter().position(|byte| *byte == 0)?)?;
        self.byte()?;
        Some(text)
    }
}

/// Start of a game, with the squares from which castling starts if they are unusual.
type GameStart = (NumberedPosition, Option<CastlingSetup>);

/// Writes the other tags. Returns the start of the game if the bytes are sound, and `None` in it if
/// its FEN is no position.
fn write_tags(
    bytes: &mut Bytes<'_>,
    is_chess960: bool,
    pgn: &mut Vec<u8>,
) -> Option<Option<GameStart>> {
    let mut has_setup = false;
    loop {
        let name = match bytes.byte()? {
            0 => break,
            // A date in an older form.
            255 => {
                bytes.take(3)?;
                continue;
            }
            code @ 241.. => (*COMMON.get(usize::from(code - 241))?).to_owned(),
            n => {
                let name = String::from_utf8_lossy(bytes.take(n)?);
                let is_fit = |letter: char| letter.is_alphanumeric() || "_+#=:-".contains(letter);
                name.replace(|letter: char| !is_fit(letter), "_")
            }
        };
        let n = bytes.byte()?;
        push_tag(pgn, &name, bytes.take(n)?);
        has_setup |= name == "SetUp";
    }
    if bytes.byte()? & 1 == 0 {
        let Start { position, setup, .. } = Start::normal(is_chess960);
        return Some(Some((NumberedPosition::start(position, true), setup)));
    }
    let fen = bytes.text()?;
    if !has_setup {
        push_tag(pgn, "SetUp", b"1");
    }
    push_tag(pgn, "FEN", fen);
    let start = Start::parse(fen, is_chess960).ok();
    Some(start.map(|start| (NumberedPosition::start(start.position, false), start.setup)))
}

/// Pieces of a side. The king is the first.
type Pieces = Numbered<16>;

/// A position with the numbers of its pieces.
#[derive(Clone, Copy)]
struct NumberedPosition {
    position: Position,
    pieces: ByColor<Pieces>,
}

impl NumberedPosition {
    /// Numbers the pieces of the normal start by rank, the king first, and those of a FEN as it
    /// lists them, with the king and the first one exchanged.
    fn start(position: Position, is_usual: bool) -> NumberedPosition {
        let mut pieces = ByColor([Pieces::default(); 2]);
        for color in [Color::White, Color::Black] {
            let mut squares: Vec<Square> = position.board.color(color).into_iter().collect();
            let is_king = |square: &Square| position.board.kings(color).contains(*square);
            if !is_usual || color == Color::Black {
                squares.sort_by_key(|square| (7 - square.rank(), square.file()));
            }
            if is_usual {
                squares.sort_by_key(|square| !is_king(square));
            } else if let Some(i) = squares.iter().position(is_king) {
                squares.swap(0, i);
            }
            squares.into_iter().for_each(|square| pieces[color].push(square));
        }
        NumberedPosition { position, pieces }
    }

    /// Reads a move that begins with `byte`.
    fn read(&self, byte: u8, rest: &mut Bytes<'_>, setup: Option<&CastlingSetup>) -> Option<Move> {
        let position = &self.position;
        let (number, code) = (usize::from(byte >> 4), byte & 15);
        let pieces = &self.pieces[position.turn];
        let from = pieces.get(number)?;
        let mut promotion = None;
        let by = |distance: i16| {
            let to = i16::from(from.as_u8()) + distance;
            u8::try_from(to).ok().filter(|to| *to < 64).map(Square::new)
        };
        let straight = || {
            if code < 8 {
                Square::from_coords(code, from.rank())
            } else {
                Square::from_coords(from.file(), code - 8)
            }
        };
        let to = match position.board.role_at(from)? {
            Role::King => match code {
                0 => return Some(board::null_move(position)),
                9 | 10 => {
                    let king_side = code == 10;
                    return match setup {
                        Some(setup) => setup.castling(position, king_side),
                        None => castling(position, king_side),
                    };
                }
                _ => by(*[-9, -8, -7, -1, 1, 7, 8, 9].get(usize::from(code) - 1)?)?,
            },
            Role::Queen if code == from.file() => {
                Square::new(rest.byte()?.checked_sub(64).filter(|square| *square < 64)?)
            }
            Role::Queen | Role::Rook => straight(),
            Role::Bishop => {
                let files = i16::from(code & 7) - i16::from(from.file());
                by(if code < 8 { 9 * files } else { -7 * files })?
            }
            Role::Knight => {
                let i = usize::from(code).checked_sub(1)?;
                by(*[-17, -15, -10, -6, 6, 10, 15, 17].get(i)?)?
            }
            Role::Pawn => {
                promotion = match code / 3 {
                    1 => Some(Role::Queen),
                    2 => Some(Role::Rook),
                    3 => Some(Role::Bishop),
                    4 => Some(Role::Knight),
                    _ => None,
                };
                let distance = if code == 15 { 16 } else { 7 + i16::from(code % 3) };
                by(if position.turn == Color::White { distance } else { -distance })?
            }
        };
        board::resolve_coordinate(position, from, to, promotion)
    }

    fn play(&self, mv: Move) -> NumberedPosition {
        let NumberedPosition { position, mut pieces } = *self;
        if !mv.is_null() {
            if let Some(captured) = mv.captured_square(&position.board) {
                pieces[!position.turn].swap_remove(captured);
            }
            let rook = mv
                .rook_from_to()
                .and_then(|(from, to)| Some((pieces[position.turn].find(from)?, to)));
            pieces[position.turn].replace(mv.from(), mv.to());
            if let Some((i, to)) = rook {
                pieces[position.turn].set(i, to);
            }
        }
        NumberedPosition { position: position.play(mv), pieces }
    }
}

/// Castling of the normal game. Scid accepts it through attacked squares; the reader of the PGN
/// reports it.
fn castling(position: &Position, king_side: bool) -> Option<Move> {
    let mv = Move::castle(position.turn, king_side);
    let is_at_home = |square, role| position.board.pieces(position.turn, role).contains(square);
    let (rook, rook_to) = mv.rook_from_to()?;
    let is_free = !position.board.occupied().contains(rook_to);
    (is_at_home(mv.from(), Role::King) && is_at_home(rook, Role::Rook) && is_free).then_some(mv)
}

/// Writes moves, variations and comments. Returns `None` if the bytes are damaged after what is
/// written.
fn write_moves(
    mut bytes: Bytes<'_>,
    start: NumberedPosition,
    setup: Option<CastlingSetup>,
    pgn: &mut Vec<u8>,
) -> Option<()> {
    let mut text = Vec::new();
    // Places of the comments, whose texts are stored after the moves.
    let mut comments = Vec::new();
    let end = read_moves(&mut bytes, start, setup, &mut text, &mut comments);
    let mut at = 0;
    for place in comments {
        pgn.extend_from_slice(&text[at..place]);
        at = place;
        // Comments after the last one with text are not stored.
        let comment = end.and_then(|()| bytes.text()).unwrap_or_default();
        push_comment(comment, pgn);
    }
    pgn.extend_from_slice(&text[at..]);
    end
}

fn read_moves(
    bytes: &mut Bytes<'_>,
    mut now: NumberedPosition,
    setup: Option<CastlingSetup>,
    text: &mut Vec<u8>,
    comments: &mut Vec<usize>,
) -> Option<()> {
    // The place before the last move, where a variation begins, and those of the lines around.
    let mut before = None;
    let mut around = Vec::new();
    let mut is_numbered = true;
    let end = loop {
        let Some(byte) = bytes.byte() else { break None };
        match byte {
            11 => {
                let Some(nag) = bytes.byte() else { break None };
                text.extend_from_slice(format!("${nag} ").as_bytes());
            }
            12 => {
                comments.push(text.len());
                is_numbered = true;
            }
            13 => {
                let Some(first) = before.filter(|_| around.len() < DEEPEST) else { break None };
                around.push((now, before));
                (now, before) = (first, None);
                text.extend_from_slice(b"( ");
                is_numbered = true;
            }
            14 => {
                let Some(line) = around.pop() else { break None };
                (now, before) = line;
                text.extend_from_slice(b") ");
                is_numbered = true;
            }
            15 => break around.is_empty().then_some(()),
            byte => {
                let Some(mv) = now.read(byte, bytes, setup.as_ref()) else { break None };
                let next = now.play(mv);
                let number = now.position.fullmove_number;
                match now.position.turn {
                    Color::White => text.extend_from_slice(format!("{number}. ").as_bytes()),
                    Color::Black if is_numbered => {
                        text.extend_from_slice(format!("{number}... ").as_bytes());
                    }
                    Color::Black => {}
                }
                is_numbered = false;
                if mv.is_null() {
                    text.extend_from_slice(b"--");
                } else {
                    let san = board::san_reaching(&now.position, mv, &next.position);
                    text.extend_from_slice(san.as_bytes());
                }
                text.push(b' ');
                before = Some(now);
                now = next;
            }
        }
    };
    around.iter().for_each(|_| text.extend_from_slice(b") "));
    end
}
