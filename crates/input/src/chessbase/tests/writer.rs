//! Writes databases, after the same descriptions as the reader.

use std::collections::BTreeMap;

use board::{Color, Move, Position, Role, Square};

use super::super::moves::{Encoding, NumberedPosition};
use super::super::tables::{TABLE_0, TABLE_4, TABLE_5, TABLE_10};
use super::RECORD;

/// A move with its annotations and alternatives.
#[derive(Default)]
pub(super) struct Step {
    mv: String,
    before: Vec<String>,
    after: Vec<(u8, Vec<u8>)>,
    alternatives: Vec<Vec<Step>>,
}

/// Parses moves by their squares, with signs, comments and variations as in PGN. `^` before a
/// comment places it before the next move.
pub(super) fn parse(text: &str) -> Vec<Step> {
    let mut tokens = text.split_whitespace().peekable();
    parse_line(&mut tokens)
}

fn parse_line<'a>(tokens: &mut impl Iterator<Item = &'a str>) -> Vec<Step> {
    let (mut line, mut before): (Vec<Step>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(token) = tokens.next() {
        if token == ")" {
            break;
        }
        if token == "(" {
            let alternative = parse_line(tokens);
            line.last_mut().expect("a move").alternatives.push(alternative);
        } else if let Some(sign) = token.strip_prefix('$') {
            let sign = sign.parse().expect("a number");
            line.last_mut().expect("a move").after.push((3, vec![sign]));
        } else if let Some(text) = token.strip_prefix('^') {
            before.push(text.replace('_', " "));
        } else if let Some(text) = token.strip_prefix('{') {
            let data = [b"\0\x2a", text.replace('_', " ").as_bytes()].concat();
            line.last_mut().expect("a move").after.push((2, data));
        } else if let Some(data) = token.strip_prefix('#') {
            let bytes: Vec<u8> = (0..data.len() / 2)
                .map(|i| u8::from_str_radix(&data[2 * i..2 * i + 2], 16).expect("a number"))
                .collect();
            line.last_mut().expect("a move").after.push((bytes[0], bytes[1..].to_vec()));
        } else {
            let before = std::mem::take(&mut before);
            line.push(Step { mv: token.to_owned(), before, ..Step::default() });
        }
    }
    line
}

/// Encodes moves, and collects their annotations.
struct Encoder {
    number: u8,
    encoding: Encoding,
    bytes: Vec<u8>,
    n: usize,
    annotations: Vec<u8>,
    n_annotations: u32,
}

impl Encoder {
    /// Appends a byte whose meaning is `code`.
    fn code(&mut self, code: u8) {
        let n = self.n as u8;
        let (table, is_early) = match self.number {
            0 => (TABLE_0, true),
            4 => (TABLE_4, false),
            5 => (TABLE_5, false),
            _ => (TABLE_10, false),
        };
        let wanted = if is_early { code } else { code.wrapping_add(n) };
        let at = table.iter().position(|byte| *byte == wanted).expect("a permutation") as u8;
        self.bytes.push(if is_early { at.wrapping_add(n) } else { at });
    }

    fn annotate(&mut self, of: usize, kind: u8, data: &[u8]) {
        self.annotations.extend(&(of as u32).to_be_bytes()[1..]);
        self.annotations.push(kind);
        self.annotations.extend((data.len() as u16 + 6).to_be_bytes());
        self.annotations.extend(data);
        self.n_annotations += 1;
    }

    fn line(
        &mut self,
        line: &[Step],
        start: NumberedPosition,
        setup: Option<&board::CastlingSetup>,
    ) {
        let (mut place, mut open) = (start, Vec::new());
        for (i, step) in line.iter().enumerate() {
            for text in &step.before {
                self.annotate(self.n, 0x82, &[b"\0\0", text.as_bytes()].concat());
            }
            for (kind, data) in &step.after {
                self.annotate(self.n, *kind, data);
            }
            let branches = !step.alternatives.is_empty();
            if branches {
                open.push((place, &step.alternatives));
            }
            let mv = find(&place, &step.mv, setup);
            if self.encoding.is_pair {
                let is_last = i + 1 == line.len();
                let pair = pair(mv, &step.mv);
                let pair = pair | u16::from(branches) << 15 | u16::from(is_last) << 14;
                pair.to_be_bytes().iter().for_each(|byte| self.code(*byte));
            } else {
                if branches {
                    self.code(254);
                }
                let code = (0..=234).find(|code| place.by_code(*code, setup) == Some(mv));
                match code {
                    Some(code) => self.code(code),
                    None => {
                        self.code(235);
                        pair(mv, &step.mv).to_be_bytes().iter().for_each(|byte| self.code(*byte));
                    }
                }
            }
            self.n += 1;
            place = place.play(mv);
        }
        if !self.encoding.is_pair {
            self.code(255);
        }
        for (place, alternatives) in open.into_iter().rev() {
            for (i, alternative) in alternatives.iter().enumerate() {
                let is_last = i + 1 == alternatives.len();
                if !is_last && !self.encoding.is_pair {
                    self.code(254);
                }
                self.line(alternative, place, setup);
            }
        }
    }
}

fn find(place: &NumberedPosition, text: &str, setup: Option<&board::CastlingSetup>) -> Move {
    let position = &place.position;
    let castling = |king_side| match setup {
        Some(setup) => setup.castling(position, king_side),
        None => board::castling(position, king_side),
    };
    let square = |at: usize| Square::parse(&text.as_bytes()[at..at + 2]).expect("a square");
    let found = match text {
        "--" => Some(board::null_move(position)),
        "O-O" => castling(true),
        "O-O-O" => castling(false),
        _ => {
            let role = text
                .as_bytes()
                .get(4)
                .and_then(|letter| Role::from_letter(letter.to_ascii_uppercase()));
            board::resolve_coordinate(position, square(0), square(2), role)
        }
    };
    found.unwrap_or_else(|| panic!("{text} in {}", position.fen()))
}

/// A move as a pair of squares.
fn pair(mv: Move, text: &str) -> u16 {
    let number = |square: Square| u16::from(square.file() * 8 + square.rank());
    if text == "--" {
        return 0;
    }
    let promotion = match mv.promotion() {
        Some(Role::Rook) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Knight) => 3,
        _ => 0,
    };
    number(mv.from()) | number(mv.to()) << 6 | promotion << 12
}

/// A game to be written.
pub(super) struct Game<'a> {
    pub(super) number: u8,
    /// The position of the start; `None` for the usual one.
    pub(super) fen: Option<&'a str>,
    pub(super) moves: &'a str,
    /// Annotations of the whole game.
    pub(super) before: Vec<(u8, Vec<u8>)>,
    pub(super) names: [u32; 5],
    pub(super) flags: u8,
    pub(super) result: u8,
}

impl Game<'_> {
    pub(super) fn new(moves: &str) -> Game<'_> {
        Game {
            number: 0,
            fen: None,
            moves,
            before: Vec::new(),
            names: [0, 1, 0, 0, 0],
            flags: 1,
            result: 2,
        }
    }
}

/// The 28 bytes of a position, and 8 more for Chess960.
fn set_up(fen: &str, position: &Position, is_chess960: bool) -> Vec<u8> {
    let rights = fen.split(' ').nth(2).expect("castling");
    let is_black = position.turn == Color::Black;
    let file = position.en_passant.map_or(0, |square| square.file() + 1);
    let mut castling = 0;
    let mut homes = [0; 8];
    for letter in rights.bytes().filter(|letter| *letter != b'-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = position.board.kings(color).first().expect("a king");
        let (king_side, file) = match letter.to_ascii_lowercase() {
            b'k' => (true, 7),
            b'q' => (false, 0),
            file => (file - b'a' > king.file(), file - b'a'),
        };
        castling |= 1 << (2 * color.index() + usize::from(king_side));
        homes[color.index()] = king.file() * 8 + king.rank();
        homes[2 + 2 * usize::from(king_side) + color.index()] = file * 8 + color.home_rank();
    }
    let mut bits = Vec::new();
    for number in 0..64 {
        match position.board.piece_at(super::super::start::square(number)) {
            None => bits.push(false),
            Some(piece) => {
                let role = match piece.role {
                    Role::King => 1,
                    Role::Queen => 2,
                    Role::Knight => 3,
                    Role::Bishop => 4,
                    Role::Rook => 5,
                    Role::Pawn => 6,
                };
                bits.extend([true, piece.color == Color::Black]);
                bits.extend([role & 4 > 0, role & 2 > 0, role & 1 > 0]);
            }
        }
    }
    bits.resize(192, false);
    let packed =
        bits.chunks(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit)));
    let mut bytes =
        vec![1, u8::from(is_black) << 4 | file, castling, position.fullmove_number as u8];
    bytes.extend(packed);
    if is_chess960 {
        bytes.extend(homes);
    }
    bytes
}

/// A file of names. Each has its texts at these places.
fn names(size: usize, all: &[&[(usize, &[u8])]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let n = all.len() as u32;
    for word in [n, 0, 1_234_567_890, size as u32, u32::MAX, n, 4, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for texts in all {
        let mut record = vec![0; 9 + size];
        for (at, text) in *texts {
            record[9 + at..9 + at + text.len()].copy_from_slice(text);
        }
        bytes.extend(record);
    }
    bytes
}

/// Files of a database by their endings.
pub(super) type Files = BTreeMap<&'static str, Vec<u8>>;

/// Writes a database with these games.
pub(super) fn files(games: &[Game<'_>]) -> Files {
    let mut index = vec![0; RECORD];
    index[..6].copy_from_slice(&[0, 0, 0x2c, 0, 0x2e, 1]);
    index[6..10].copy_from_slice(&(games.len() as u32 + 1).to_be_bytes());
    let (mut moves, mut annotations) = (vec![0; 26], vec![0; 26]);
    moves[1] = 26;
    annotations[1] = 26;
    let mut more = [8_u32, 120, games.len() as u32].map(u32::to_le_bytes).concat();
    more.resize(32, 0);
    for (i, game) in games.iter().enumerate() {
        let encoding = Encoding::of(game.number).expect("an encoding");
        let start = match game.fen {
            Some(fen) => board::Start::parse(fen.as_bytes(), encoding.is_chess960).expect("a FEN"),
            None => board::Start::normal(encoding.is_chess960),
        };
        let mut stored = Vec::new();
        if let Some(fen) = game.fen {
            stored = set_up(fen, &start.position, encoding.is_chess960);
        }
        let mut encoder = Encoder {
            number: game.number,
            encoding,
            bytes: stored,
            n: 0,
            annotations: Vec::new(),
            n_annotations: 0,
        };
        for (kind, data) in &game.before {
            encoder.annotate(0xff_ffff, *kind, data);
        }
        let setup = start.setup.filter(|_| encoding.is_chess960);
        encoder.line(&parse(game.moves), NumberedPosition::start(start.position), setup.as_ref());
        let mut record = vec![game.flags];
        record.extend((moves.len() as u32).to_be_bytes());
        let has_any = encoder.n_annotations > 0;
        record.extend((if has_any { annotations.len() as u32 } else { 0 }).to_be_bytes());
        let [white, black, tournament, annotator, source] = game.names;
        let date = 1999 << 9 | 7 << 5 | 31_u32;
        for number in [white, black, tournament, annotator, source, date] {
            record.extend(&number.to_be_bytes()[1..]);
        }
        record.extend([game.result, 0, 5, 2]);
        // Ratings and B97.
        for number in [2700_u16, 0, 198 * 128] {
            record.extend(number.to_be_bytes());
        }
        record.resize(RECORD, 0);
        index.extend(record);
        let flags = game.number | u8::from(game.fen.is_some()) << 6 | (game.flags & 2) << 6;
        moves.push(flags);
        moves.extend(&(encoder.bytes.len() as u32 + 4).to_be_bytes()[1..]);
        moves.extend(encoder.bytes);
        if has_any {
            annotations.extend(&(i as u32 + 1).to_be_bytes()[1..]);
            annotations.extend([1, 0, 0x0e, 0x0e]);
            annotations.extend(&(encoder.n_annotations + 1).to_be_bytes()[1..]);
            annotations.extend((encoder.annotations.len() as u32 + 14).to_be_bytes());
            annotations.extend(encoder.annotations);
        }
        let mut record = [0_u32, u32::MAX].map(u32::to_be_bytes).concat();
        record.resize(120, 0);
        more.extend(record);
    }
    let players: [&[(usize, &[u8])]; 3] = [
        &[(0, b"M\xfcller"), (30, b"Karl")],
        &[(0, "Polgár".as_bytes())],
        // A letter of UTF-8 does not fit.
        &[(0, b"Erd\xc5\x91s Erd\xc5\x91s Erd\xc5\x91s Erd\xc5\x91s E\xc5")],
    ];
    let date = (1999_u32 << 9 | 7 << 5).to_le_bytes();
    BTreeMap::from([
        ("cbh", index),
        ("cbg", moves),
        ("cba", annotations),
        ("cbp", names(58, &players)),
        ("cbt", names(90, &[&[(0, b"Open"), (40, b"K\xf6ln"), (70, &date), (74, &[0x24])]])),
        ("cbc", names(53, &[&[], &[(0, b"Nunn")]])),
        ("cbs", names(59, &[&[], &[(0, b"Post")]])),
        ("cbe", names(63, &[&[(0, b"Town")]])),
        ("cbj", more),
    ])
}

/// Compresses bytes by repetitions of every kind.
fn repeat(bytes: &[u8]) -> Vec<u8> {
    let mut items: Vec<(bool, Vec<u8>)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let run = rest.iter().take_while(|byte| **byte == rest[0]).count();
        let same = |distance: usize| {
            (0..rest.len()).take_while(|i| bytes[at + i] == bytes[at + i - distance]).count()
        };
        let best = (3..=at.min(4098)).map(|distance| (same(distance), distance)).max();
        let (n, item) = match best {
            _ if run >= 19 => {
                let n = run.min(19 + 4095);
                let more = n - 19;
                (n, vec![0x10 | (more & 15) as u8, (more >> 4) as u8, rest[0]])
            }
            _ if run >= 3 => (run.min(18), vec![run.min(18) as u8 - 3, rest[0]]),
            Some((n, distance)) if n >= 16 => {
                let (n, far) = (n.min(271), distance - 3);
                (n, vec![0x20 | (far & 15) as u8, (far >> 4) as u8, (n - 16) as u8])
            }
            Some((n, distance)) if n >= 3 => {
                let far = distance - 3;
                (n, vec![(n as u8) << 4 | (far & 15) as u8, (far >> 4) as u8])
            }
            _ => (1, vec![rest[0]]),
        };
        items.push((item.len() > 1, item));
        at += n;
    }
    let mut out = Vec::new();
    for group in items.chunks(16) {
        let mut bits = 0_u16;
        for (i, (is_copy, _)) in group.iter().enumerate() {
            bits |= u16::from(*is_copy) << (15 - i);
        }
        out.extend(bits.to_le_bytes());
        group.iter().for_each(|(_, item)| out.extend(item));
    }
    out
}

/// Encodes bytes so that 0 takes one bit, and all others nine.
fn huffman(bytes: &[u8]) -> Vec<u8> {
    let mut bits = Vec::new();
    let mut push = |value: usize, n: usize| {
        bits.extend((0..n).rev().map(|i| value >> i & 1 == 1));
    };
    push(bytes.len(), 16);
    for byte in 0..=255 {
        match byte {
            0 => push(1 << 1, 5),
            byte if bytes.contains(&(byte as u8)) => push(9 << 9 | 1 << 8 | byte, 13),
            _ => push(0, 4),
        }
    }
    for &byte in bytes {
        match byte {
            0 => push(0, 1),
            byte => push(1 << 8 | usize::from(byte), 9),
        }
    }
    let pack =
        |bits: &[bool]| (0..8).fold(0, |byte, i| byte << 1 | u8::from(bits.get(i) == Some(&true)));
    bits.chunks(8).map(pack).collect()
}

/// Packs files in an archive, with blocks of these methods by turns.
pub(super) fn pack(files: &[(&str, &[u8])], methods: &[u8]) -> Vec<u8> {
    let mut list = vec![8, 0];
    list.extend((files.len() as u16).to_le_bytes());
    list.extend([173, 0, 3, 0]);
    let start = list.len() + files.len() * 173;
    let (mut data, mut n_blocks) = (Vec::new(), 0);
    for (name, bytes) in files {
        let at = start + data.len();
        for block in bytes.chunks(400) {
            let method = methods[n_blocks % methods.len()];
            n_blocks += 1;
            let packed = match method {
                0 => block.to_vec(),
                1 => repeat(block),
                2 => huffman(block),
                _ => huffman(&repeat(block)),
            };
            data.extend((packed.len() as u16 + 1).to_le_bytes());
            data.extend([0xa5, 0x5a, method]);
            data.extend(packed);
        }
        let mut record = name.as_bytes().to_vec();
        record.resize(128, 0);
        let n = start + data.len() - at;
        for number in [at, n, bytes.len()] {
            record.extend((number as u32).to_le_bytes());
        }
        record.extend([0; 9]);
        for number in [at, n, bytes.len()] {
            record.extend((number as u64).to_le_bytes());
        }
        list.extend(record);
    }
    list.extend(data);
    list
}
