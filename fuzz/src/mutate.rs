//! Changes of a query by whole tokens.
//!
//! Changes of bytes seldom leave a query that compiles. Half of all changes are therefore made to
//! its tokens: left out, repeated elsewhere, put in braces, replaced by others of the language.

use syntax::builtin::Keyword;
use syntax::{SourceId, lex};

/// Small whole filters, and operators between filters.
const PIECES: &[&str] = &[
    "check",
    "wtm",
    "ply",
    "1",
    "0",
    "-1",
    "2147483647",
    "--",
    "-- ",
    "[x]",
    "[AK]",
    "Ra1-8",
    ".",
    "[]",
    "x=",
    "x+=1",
    "x",
    "\"a\"",
    "\"\"",
    "#",
    "~",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "*",
    "+",
    "?",
    "{2,3}",
    "|",
    "&",
    "==",
    "<",
    "->",
    "<-",
    "/",
    "%",
    "[1]",
    "[0:2]",
    "@",
    "√",
    "←",
    "→",
    "⊢",
    "∀",
    "∃",
    "$p",
    "function F(a){a} F(1)",
    "while (x<3) x+=1",
    "square s in . {s&R}",
    "piece p in A {p}",
    "echo (s t) {check}",
    "path {-- check --}",
    "line --> check",
    "find all {check}",
    "consecutivemoves(x y)",
    "dictionary D",
    "D[\"a\"]=\"b\"",
    "persistent x=0",
    "sort \"s\" ply",
    "comment(\"c\" ply)",
    "message(\"m\")",
    "settag(\"a\" \"b\")",
    "legal -- ",
    "pseudolegal --",
    "currentposition",
    "x:check",
    "=?",
    "try {",
    "shift",
    "flip",
    "rotate45",
    "notransform",
    "y=[",
    "\n\n",
    "// c\n",
    "/// t\n",
];

/// A small deterministic generator, so that a seed always yields the same change.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// Changes the input of `size` bytes at the start of `data`: either tokens of its query, which ends
/// at the first NUL, or any bytes. Returns the new size.
pub fn change(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let input = &data[..size];
    let query_end = input.iter().position(|&byte| byte == 0).unwrap_or(size);
    let query = &input[..query_end];
    let mut random = Random(u64::from(seed) << 16 | 0x9E37);
    if random.below(2) == 0 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let mut query = query.to_vec();
    for _ in 0..=random.below(3) {
        query = changed(&query, &mut random);
    }
    query.extend_from_slice(&input[query_end..]);
    if query.len() > max_size.min(data.len()) {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    data[..query.len()].copy_from_slice(&query);
    query.len()
}

fn changed(query: &[u8], random: &mut Random) -> Vec<u8> {
    let tokens = lex(SourceId(0), query).tokens;
    // Offsets between tokens; two of them delimit a range of tokens.
    let mut places: Vec<usize> = tokens
        .iter()
        .flat_map(|token| [token.span.start as usize, token.span.end as usize])
        .filter(|&at| at <= query.len())
        .collect();
    places.push(query.len());
    places.sort_unstable();
    places.dedup();
    let place = |random: &mut Random| random.below(places.len());
    let (a, b) = (place(random), place(random));
    let near = a + random.below(8);
    let end = if random.below(4) == 0 { b } else { near };
    let (from, to) = (a.min(end), a.max(end).min(places.len() - 1));
    let (from, to) = (places[from], places[to]);
    let (range, at) = (&query[from..to], places[b]);
    let piece = match random.below(2) {
        0 => PIECES[random.below(PIECES.len())],
        _ => Keyword::ALL[random.below(Keyword::ALL.len())].text(),
    };
    let piece = [b" ", piece.as_bytes(), b" "].concat();
    match random.below(6) {
        0 => [&query[..from], &query[to..]].concat(),
        1 => [&query[..at], b" ", range, b" ", &query[at..]].concat(),
        2 => [&query[..from], &piece, &query[to..]].concat(),
        3 => [&query[..at], &piece, &query[at..]].concat(),
        4 => [&query[..from], &piece, b"{", range, b" }", &query[to..]].concat(),
        _ => [&query[..from], b"(", range, b")", &query[to..]].concat(),
    }
}
