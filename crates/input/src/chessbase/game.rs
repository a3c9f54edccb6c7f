//! A game as PGN.

use board::Start;

use super::annotations::Annotations;
use super::moves::{Encoding, Tree};
use super::record::Entry;
use super::start::SetUp;
use crate::bytes::Bytes;
use crate::tag::{packed_date, push_comment, push_tag};

/// Written in place of what cannot be read. Since it is no move, it is reported with its place.
const DAMAGED: &[u8] = b"damaged-data ";

/// Written in place of moves in an encoding that is not known, before its number.
const UNKNOWN: &str = "unknown-encoding-";

/// Tags with names, in their order in PGN.
#[derive(Default)]
pub(super) struct NameTags {
    pub(super) event: Vec<u8>,
    pub(super) site: Vec<u8>,
    pub(super) white: Vec<u8>,
    pub(super) black: Vec<u8>,
    /// Further tags that are there.
    pub(super) others: Vec<(&'static str, Vec<u8>)>,
}

/// Appends a game, as far as its moves can be read. `moves` is what is stored about them.
pub(super) fn write_pgn(
    entry: &Entry,
    names: &NameTags,
    annotations: &Annotations,
    moves: &[u8],
    pgn: &mut Vec<u8>,
) {
    let known = |name: &[u8], pgn: &mut Vec<u8>, tag| {
        push_tag(pgn, tag, if name.is_empty() { b"?" } else { name });
    };
    let (result, termination) = entry.result();
    known(&names.event, pgn, "Event");
    known(&names.site, pgn, "Site");
    push_tag(pgn, "Date", packed_date(entry.date).as_bytes());
    push_tag(pgn, "Round", entry.round().as_bytes());
    known(&names.white, pgn, "White");
    known(&names.black, pgn, "Black");
    push_tag(pgn, "Result", result.as_bytes());
    for (tag, rating) in [("WhiteElo", entry.white_elo), ("BlackElo", entry.black_elo)] {
        if rating > 0 {
            push_tag(pgn, tag, rating.to_string().as_bytes());
        }
    }
    if let Some(eco) = entry.eco() {
        push_tag(pgn, "ECO", eco.as_bytes());
    }
    for (tag, value) in &names.others {
        push_tag(pgn, tag, value);
    }
    if let Some(termination) = termination {
        push_tag(pgn, "Termination", termination.as_bytes());
    }
    if let Some(control) = annotations.time_control() {
        push_tag(pgn, "TimeControl", control.as_bytes());
    }
    let stored = Stored::read(moves, pgn);
    pgn.push(b'\n');
    let mut writer = Writer { annotations, pgn, is_numbered: true };
    writer.before_game();
    let damage = match stored {
        None => DAMAGED.to_vec(),
        Some(Stored { encoding, start, bytes, is_cut }) => match (Encoding::of(encoding), start) {
            (None, _) => format!("{UNKNOWN}{encoding} ").into_bytes(),
            // A start that is no position is reported by the reader of the tag.
            (_, None) => Vec::new(),
            (Some(encoding), Some(start)) => {
                let setup = start.setup.filter(|_| encoding.is_chess960);
                let tree = Tree::read(bytes, encoding, start.position, setup.as_ref());
                writer.tree(&tree);
                if tree.is_damaged || is_cut { DAMAGED.to_vec() } else { Vec::new() }
            }
        },
    };
    pgn.extend_from_slice(&damage);
    pgn.extend_from_slice(result.as_bytes());
    pgn.extend_from_slice(b"\n\n");
}

/// Stored moves of a game.
struct Stored<'a> {
    /// Number of the encoding.
    encoding: u8,
    /// `None` if it is no position.
    start: Option<Start>,
    bytes: Bytes<'a>,
    /// Whether bytes are missing.
    is_cut: bool,
}

impl<'a> Stored<'a> {
    /// Reads what is before the moves, and appends tags of the start. Returns `None` if it is
    /// damaged.
    fn read(stored: &'a [u8], pgn: &mut Vec<u8>) -> Option<Stored<'a>> {
        let mut bytes = Bytes(stored);
        let flags = bytes.byte()?;
        let is_cut = bytes.big(3)? > stored.len() as u64;
        let encoding = flags & 0x3f;
        let is_chess960 = matches!(encoding, 10 | 11);
        if is_chess960 {
            push_tag(pgn, "Variant", b"Chess960");
        }
        let mut start = Some(Start::normal(is_chess960));
        if flags & 0x40 > 0 {
            let set_up = SetUp::read(&mut bytes, is_chess960)?;
            push_tag(pgn, "SetUp", b"1");
            push_tag(pgn, "FEN", set_up.fen.as_bytes());
            start = set_up.start;
        }
        Some(Stored { encoding, start, bytes, is_cut })
    }
}

/// Writes the moves of a game with their annotations.
struct Writer<'a> {
    annotations: &'a Annotations,
    pgn: &'a mut Vec<u8>,
    /// Whether a move of Black needs its number.
    is_numbered: bool,
}

impl Writer<'_> {
    fn before_game(&mut self) {
        let mut comment = Vec::new();
        self.annotations.push_before_game(&mut comment);
        push_comment(&comment, self.pgn);
    }

    fn tree(&mut self, tree: &Tree) {
        // Moves whose alternatives are being written, with the next one of them.
        let mut around: Vec<(u32, u32)> = Vec::new();
        let (mut number, mut is_first, mut ply) = (tree.node(0).child, true, 0);
        if number == 0 {
            let mut comment = Vec::new();
            self.annotations.push_surplus(0, &mut comment);
            push_comment(&comment, self.pgn);
        }
        loop {
            if number == 0 {
                let Some((main, next)) = around.pop() else { return };
                self.pgn.extend_from_slice(b") ");
                self.is_numbered = true;
                if next == 0 {
                    (number, is_first) = (tree.node(main).child, true);
                } else {
                    around.push((main, tree.node(next).next));
                    self.open();
                    (number, is_first) = (next, false);
                }
                continue;
            }
            let node = tree.node(number);
            let is_main = around.is_empty();
            ply += usize::from(is_main);
            let is_last = is_main && node.child == 0;
            self.mv(tree, number, is_main.then_some(ply), is_last);
            if is_first && node.next > 0 {
                around.push((number, tree.node(node.next).next));
                self.open();
                (number, is_first) = (node.next, false);
            } else {
                (number, is_first) = (node.child, true);
            }
        }
    }

    /// Begins a variation.
    fn open(&mut self) {
        self.pgn.extend_from_slice(b"( ");
        self.is_numbered = true;
    }

    /// Writes a move. `ply` is its number in the main line.
    fn mv(&mut self, tree: &Tree, number: u32, ply: Option<usize>, is_last: bool) {
        let node = tree.node(number);
        let of = number as usize - 1;
        let mut comment = Vec::new();
        self.annotations.push_before(of, &mut comment);
        self.is_numbered |= !comment.is_empty();
        push_comment(&comment, self.pgn);
        if !node.is_black || self.is_numbered {
            let dots = if node.is_black { "..." } else { "." };
            self.pgn.extend_from_slice(format!("{}{dots} ", node.number).as_bytes());
        }
        self.pgn.extend_from_slice(tree.san(number));
        self.pgn.push(b' ');
        comment.clear();
        self.annotations.push_after(of, node.is_black, ply, self.pgn, &mut comment);
        if is_last {
            self.annotations.push_surplus(tree.len(), &mut comment);
        }
        self.is_numbered = !comment.is_empty();
        push_comment(&comment, self.pgn);
    }
}
