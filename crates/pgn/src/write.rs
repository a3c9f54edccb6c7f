//! Writes games exactly as the reference implementation does.
//!
//! The agreement covers line breaks, the spelling of moves and FENs, the merging of added texts
//! with a comment, and two peculiarities of encoding: a byte 0xC3 and the one after it become one
//! Latin-1 byte, and a comment that gets a text loses its other non-ASCII bytes.

use std::ops::Range;

use board::{Color, Position, san_followed, san_reaching};

use crate::edits::{Edits, Merged, SortedEdits};
use crate::fault::LossKind;
use crate::names::standard_name;
use crate::tags::{Known, TextTags};
use crate::tree::{GameTree, TreeStep};
use crate::values::{Date, Eco, Rating};
use crate::variant::Variant;

mod text;
mod verbatim;

use text::{Phrase, ShortWord, TextWriter};
pub use verbatim::Verbatim;
use verbatim::Words;

/// Options for writing games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// Room in bytes for the text of one game; text that does not fit is left out.
    pub output_buffer: usize,
    /// Whether a text is added only once to a position.
    pub unique_comments: bool,
    /// The parts of the game that are left out.
    pub elided: Elided,
    /// Whether all comments at a place are written, and not only the last one.
    pub all_comments: bool,
    /// Maximum length of a line with more than one word.
    pub line_width: usize,
    /// Whether letters beyond ASCII are written with their bytes, in place of those that the
    /// reference writes.
    pub keeps_letters: bool,
}

/// Parts of a game that are left out. Additions to the game are written nevertheless.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Elided {
    /// The comments of the game.
    pub comments: bool,
    /// The glyphs of the game.
    pub nags: bool,
    /// The variations of the game, with all additions to them.
    pub variations: bool,
}

/// Default length of lines.
pub const LINE_WIDTH: usize = 79;

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            output_buffer: 105_000,
            unique_comments: true,
            elided: Elided::default(),
            all_comments: false,
            line_width: LINE_WIDTH,
            keeps_letters: false,
        }
    }
}

/// Numbers of comments of a game that are not written as they are, although comments are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LostComments {
    /// Comments that are not written.
    pub unwritten: usize,
    /// Comments with `?` in place of letters beyond ASCII.
    pub changed: usize,
}

/// Outcome of writing a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Number of comments left unchanged because they would have become too long.
    pub ignored_comments: usize,
    /// The comments of the game that are not written as they are.
    pub lost_comments: LostComments,
    /// Offset and kind of the first text in the tag lines that is not read, and so not written.
    pub lost_tag: Option<(usize, LossKind)>,
    /// Whether the game did not fit into the output buffer.
    pub truncated: bool,
}

/// Appends a game with its changes to `out`, followed by two empty lines.
pub fn write_game(
    out: &mut Vec<u8>,
    tags: TextTags<'_>,
    tree: &GameTree,
    edits: &Edits,
    options: &WriteOptions,
) -> Written {
    let start = out.len();
    let mut writer = GameWriter {
        out: TextWriter::new(out, options.output_buffer, options.line_width)
            .keeping_letters(options.keeps_letters),
        text: tags.text(),
        moves: tags.moves(),
        tree,
        edits: edits.sorted(),
        unique_comments: options.unique_comments,
        keeps_letters: options.keeps_letters,
        elided: options.elided,
        all_comments: options.all_comments && !options.elided.comments,
        comment: Vec::new(),
        brief: None,
        ignored_comments: 0,
        changed_comments: 0,
    };
    let lost_tag = writer.write_tags(tags);
    writer.write_initial_comment();
    writer.write_moves();
    writer.out.word(tree.result().as_str().as_bytes());
    writer.out.newline();
    let (ignored_comments, changed_comments) = (writer.ignored_comments, writer.changed_comments);
    let truncated = out.len() - start > options.output_buffer.saturating_sub(5);
    if truncated {
        out.truncate(start + options.output_buffer.saturating_sub(1));
        out.extend_from_slice(b" game truncated by CQL } * \n\n");
    }
    out.extend_from_slice(b"\n\n");
    let unwritten = if options.elided.comments {
        0
    } else {
        tree.n_unwritten_comments(tags, options.all_comments)
    };
    let lost_comments = LostComments { unwritten, changed: changed_comments };
    Written { ignored_comments, lost_comments, lost_tag, truncated }
}

struct GameWriter<'a> {
    out: TextWriter<'a>,
    text: &'a [u8],
    /// The text after the tags.
    moves: &'a [u8],
    tree: &'a GameTree,
    edits: SortedEdits<'a>,
    unique_comments: bool,
    keeps_letters: bool,
    elided: Elided,
    all_comments: bool,
    /// Memory for comments with added texts.
    comment: Vec<u8>,
    /// The text that was added alone to a node last, by its number, if its comment is short.
    brief: Option<(u32, Phrase)>,
    ignored_comments: usize,
    changed_comments: usize,
}

impl GameWriter<'_> {
    /// Writes the tags. Returns the first text among them that is not read.
    fn write_tags(&mut self, tags: TextTags<'_>) -> Option<(usize, LossKind)> {
        let section = tags.section();
        let lost = section.may_lose.then(|| tags.loss()).flatten();
        let text = |tag| section.raw(tag).unwrap_or(b"?");
        let date = |tag| section.raw(tag).map_or(Date::default(), Date::parse);
        self.out.tag(b"Event", text(Known::Event));
        self.out.tag(b"Site", text(Known::Site));
        self.out.tag(b"Date", &date(Known::Date).text());
        self.out.tag(b"Round", text(Known::Round));
        self.out.tag(b"White", &standard_name(text(Known::White)));
        self.out.tag(b"Black", &standard_name(text(Known::Black)));
        let result = self.tree.result().as_str().as_bytes();
        self.out.tag(b"Result", result);
        for color in [Color::White, Color::Black] {
            let Rating { kind, value } = section.ratings.of(color);
            let name = kind.tag(color).as_bytes();
            if value > 0 && !self.edits.removes_tag(name) {
                self.out.tag(name, ShortWord::number(value, 0).as_bytes());
            }
        }
        if let Some(eco) = section.raw(Known::Eco).and_then(Eco::parse)
            && !self.edits.removes_tag(b"ECO")
        {
            self.out.tag(b"ECO", eco.as_bytes());
        }
        let event_date = date(Known::EventDate);
        if !event_date.is_unknown() && !self.edits.removes_tag(b"EventDate") {
            self.out.tag(b"EventDate", &event_date.text());
        }
        for (name, value) in self.edits.merge_tags(section.extra) {
            self.out.tag(name, value);
        }
        if self.tree.has_fen() {
            let fen = match self.tree.castling_setup() {
                // Only the files of the rooks say that this is Chess960.
                Some(setup)
                    if setup.is_declared()
                        && self.tree.rules().are_of_chess()
                        && tags.variant() != Variant::Chess960 =>
                {
                    self.tree.positions()[0].fen_with_castling(&setup.fen_field_of_files())
                }
                _ => self.tree.fen(0),
            };
            self.out.tag(b"FEN", fen.as_bytes());
        }
        self.out.newline();
        lost
    }

    /// Writes the comment of a node with its additions and removals, by `write`. Returns `false` if
    /// there is none.
    #[inline]
    fn write_comment(&mut self, node: usize, write: impl Fn(&mut TextWriter<'_>, &[u8])) -> bool {
        let is_added_to = self.edits.has_texts(node);
        let has_original = self.tree.has_comment(node) && !self.elided.comments;
        if !has_original {
            if !is_added_to {
                return false;
            }
            if let Some((_, text)) = self.edits.only_text(node) {
                write(&mut self.out, text);
                return true;
            }
        }
        let original = if has_original { self.tree.comment(self.text, node) } else { None };
        let (merged, ignored) = self.edits.merge_comment(
            node,
            original.as_deref(),
            self.unique_comments,
            self.keeps_letters,
            &mut self.comment,
        );
        self.ignored_comments += usize::from(ignored);
        if matches!(merged, Merged::New) && !self.keeps_letters {
            let is_kept = original.as_ref().filter(|_| !self.edits.removes_comment(node));
            self.changed_comments += usize::from(is_kept.is_some_and(|text| !text.is_ascii()));
        }
        let comment = match (merged, &original) {
            (Merged::New, _) => self.comment.as_slice(),
            (Merged::Unchanged, Some(original)) => original,
            (Merged::Unchanged, None) | (Merged::Removed, _) => return false,
        };
        if self.all_comments && !self.edits.removes_comment(node) {
            let earlier = self.tree.earlier_comments(self.text, node);
            earlier.for_each(|comment| write(&mut self.out, &comment));
        }
        write(&mut self.out, comment);
        true
    }

    fn write_initial_comment(&mut self) {
        self.write_comment(0, |out, comment| {
            out.char(b'{');
            out.string(comment);
            out.raw(b"}");
            out.newline();
        });
    }

    fn write_moves(&mut self) {
        let tree = self.tree;
        if tree.is_linear() && !tree.has_notes() && tree.rules().are_of_chess() {
            return self.write_bare_line();
        }
        // Whether the next move gets a number in any case.
        let mut force = true;
        if tree.is_linear() {
            for node in 1..tree.len() {
                force = self.write_move(node, force);
            }
            return;
        }
        let mut n_left_out = 0;
        for step in self.tree.steps() {
            if self.elided.variations {
                match step {
                    TreeStep::Open(_) => n_left_out += 1,
                    TreeStep::Close => n_left_out -= 1,
                    TreeStep::Move(node) if n_left_out == 0 => {
                        force = self.write_move(node, force);
                    }
                    TreeStep::Move(_) => {}
                }
                continue;
            }
            match step {
                TreeStep::Move(node) => force = self.write_move(node, force),
                TreeStep::Open(variation) => {
                    self.out.char(b'(');
                    self.out.space();
                    if self.all_comments {
                        let earlier = self.tree.earlier_variation_comments(self.text, variation);
                        earlier.for_each(|comment| self.out.comment(&comment));
                    }
                    let comment = self.tree.variation_comment(self.text, variation);
                    if let Some(comment) = comment.filter(|_| !self.elided.comments) {
                        self.out.comment(&comment);
                    }
                    force = true;
                }
                TreeStep::Close => {
                    self.out.char(b')');
                    self.out.space();
                    force = true;
                }
            }
        }
    }

    /// Writes the moves of a game without variations, comments and glyphs, and the texts added to
    /// it: the usual case.
    fn write_bare_line(&mut self) {
        let tree = self.tree;
        let mut words = tree.is_as_written().then(|| Words::of_text(self.moves));
        let (mut node, mut force) = (1, true);
        while node < tree.len() {
            let (out, edits) = (&mut self.out, &mut self.edits);
            node = match &mut words {
                Some(words) => {
                    let added = edits.next_with_texts(node).unwrap_or(tree.len());
                    copy_moves(out, words, tree, node..tree.len().min(added + 1), force, edits)
                }
                None => write_bare_moves(out, tree, node..tree.len(), force, edits, &self.brief),
            };
            force = self.write_texts(node - 1);
        }
    }

    /// Writes the texts added to a node that has no comment.
    fn write_texts(&mut self, node: usize) -> bool {
        if self.edits.has_texts(node)
            && let Some((number, text)) = self.edits.only_text(node)
        {
            self.brief = Phrase::of_comment(text).map(|phrase| (number, phrase));
        }
        self.write_comment(node, |out, comment| out.comment(comment))
    }

    /// Writes a move with its annotations. Returns `true` if the next move needs its number.
    fn write_move(&mut self, node: usize, force: bool) -> bool {
        let before = &self.tree.positions()[self.tree.parent(node)];
        let number = move_number(before, force);
        let san = match self.tree.move_to(node) {
            None => ShortWord::default(),
            Some(mv) if self.tree.rules().are_of_chess() => {
                san_reaching(before, mv, &self.tree.positions()[node]).into()
            }
            Some(_) => self.tree.san(node).map_or(ShortWord::default(), Into::into),
        };
        let nags = if self.elided.nags { &[] } else { self.tree.nags(node) };
        write_words(&mut self.out, number, san, nags);
        self.write_comment(node, |out, comment| out.comment(comment))
    }
}

/// Writes some moves of a game without variations, comments and glyphs, up to one with added texts
/// other than `brief` alone. Returns the node after that move.
// Not inlined, so that nothing else is in registers: most moves are written here.
#[inline(never)]
fn write_bare_moves(
    out: &mut TextWriter<'_>,
    tree: &GameTree,
    nodes: Range<usize>,
    mut force: bool,
    edits: &mut SortedEdits<'_>,
    brief: &Option<(u32, Phrase)>,
) -> usize {
    let end = nodes.end;
    let mut added = edits.next_with_texts(nodes.start);
    for (node, (mv, [before, after])) in (nodes.start..).zip(tree.moves_of_line(nodes)) {
        let san = san_followed(before, mv, after, || tree.move_of_line(node + 1)).into();
        write_words(out, move_number(before, force), san, &[]);
        force = added == Some(node);
        if force {
            match brief {
                Some((number, phrase)) if edits.has_only(*number) && out.at_once(phrase) => {
                    added = edits.pass();
                }
                _ => return node + 1,
            }
        }
    }
    end
}

/// Writes some moves as [`write_bare_moves`] does, by copying the next words of the game's text. Only
/// the last one may have added texts.
fn copy_moves(
    out: &mut TextWriter<'_>,
    words: &mut Words,
    tree: &GameTree,
    nodes: Range<usize>,
    force: bool,
    edits: &mut SortedEdits<'_>,
) -> usize {
    let Range { mut start, mut end } = nodes;
    let mut write = |out: &mut TextWriter<'_>, nodes: Range<usize>, force| {
        write_bare_moves(out, tree, nodes, force, edits, &None)
    };
    if force && tree.positions()[start - 1].turn == Color::Black {
        // The text has a number there only if the game begins with that move.
        words.take(1);
        start = write(out, start..start + 1, true);
    }
    let is_last = end == tree.len() && start < end;
    end -= usize::from(is_last);
    let words = if is_last { words.take_but_last() } else { words.take(end - start) };
    // Writing no move would still pass the texts of the move before.
    if start < end && !out.phrases(words) {
        write(out, start..end, false);
    }
    if is_last { write(out, end..end + 1, false) } else { end }
}

/// Writes a move and the blank after it.
#[inline(always)]
fn write_words(out: &mut TextWriter<'_>, number: ShortWord, san: ShortWord, nags: &[u8]) {
    if !nags.is_empty() || !out.at_once(&Phrase::new(number, san)) {
        write_word_by_word(out, number, san, nags);
    }
}

#[cold]
#[inline(never)]
fn write_word_by_word(out: &mut TextWriter<'_>, number: ShortWord, san: ShortWord, nags: &[u8]) {
    for word in [number, san] {
        if !word.as_bytes().is_empty() {
            out.word(word.as_bytes());
        }
    }
    for &nag in nags {
        out.space();
        let mut text = [b'$'; 6];
        let number = ShortWord::number(nag.into(), 0);
        let digits = number.as_bytes();
        text[1..=digits.len()].copy_from_slice(digits);
        out.word(&text[..=digits.len()]);
    }
    out.space();
}

/// Returns the number before a move in a position, or an empty word.
#[inline(always)]
fn move_number(before: &Position, force: bool) -> ShortWord {
    match before.turn {
        Color::White => ShortWord::move_number(before.fullmove_number),
        Color::Black if force => ShortWord::number(before.fullmove_number, 3),
        Color::Black => ShortWord::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::TagIndex;

    fn write(text: &[u8], edits: &Edits, output_buffer: usize) -> (Vec<u8>, Written) {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text);
        tree.parse(index.tags(text));
        let options = WriteOptions { output_buffer, ..WriteOptions::default() };
        let mut out = b"before".to_vec();
        let written = write_game(&mut out, index.tags(text), &tree, edits, &options);
        (out.split_off(6), written)
    }

    #[track_caller]
    fn check(text: &str, want: &str) {
        let (out, written) = write(text.as_bytes(), &Edits::default(), 105_000);
        assert_eq!(String::from_utf8_lossy(&out), want);
        assert_eq!(written, Written::default());
    }

    #[test]
    fn tags() {
        check(
            "[Round \"3.1\"]\n[Zz \"1\"]\n[ECO \"b9\"]\n[WhiteElo \"2600\"]\n[BlackUSCF \"2211\"]\n\
             [EventDate \"2001\"]\n[Black \"van der Berg,  J. \"]\n[Date \"1999.13.05\"]\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 20\"]\n[Result \"1-0\"]\n[Aa \"\\\"2\\\"\"]\n\
             [White \"\"]\n20... Kd7 21. e4 0-1",
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"1999.??.??\"]\n[Round \"3.1\"]\n[White \"\"]\n\
             [Black \"Van der Berg, J\"]\n[Result \"0-1\"]\n[WhiteElo \"2600\"]\n\
             [BlackUSCF \"2211\"]\n[ECO \"B90\"]\n[EventDate \"2001.??.??\"]\n[Zz \"1\"]\n\
             [Aa \"\\\"2\\\"\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 20\"]\n\n\
             20...Kd7 21.e4 0-1\n\n\n",
        );
    }

    #[test]
    fn edits() {
        let mut edits = Edits::default();
        edits.set_tag(b"Zz", b"new");
        edits.add_comment(1, b"more");
        edits.remove_comment(0);
        edits.add_comment(2, &[b'x'; 4501]);
        let (out, written) = write(b"[Zz \"1\"]\n{a} 1.e4 {b} e5 1-0", &edits, 105_000);
        let out = String::from_utf8(out).unwrap();
        let (tags, moves) = out.split_once("\n\n").unwrap();
        assert!(tags.ends_with("[Zz \"new\"]"), "{tags}");
        assert_eq!(moves, "1.e4 {b more} 1...e5 {[cql truncate]...} 1-0\n\n\n");
        assert_eq!(written, Written::default());

        edits.add_comment(1, &[b'x'; 4500 - 5]);
        let (_, written) = write(b"1.e4 {b} e5 1-0", &edits, 105_000);
        assert_eq!(written.ignored_comments, 1);
    }

    #[test]
    fn a_text_is_added_again() {
        let mut edits = Edits::default();
        for (node, text) in ["CQL", "CQL", "b", "CQL"].into_iter().enumerate() {
            edits.add_comment(node + 1, text.as_bytes());
        }
        let (out, _) = write(b"1.e4 e5 2.f4 f5 3.g4 *", &edits, 105_000);
        let want = b"\n\n1.e4 {CQL} 1...e5 {CQL} 2.f4 {b} 2...f5 {CQL} 3.g4 *\n\n\n";
        assert!(out.ends_with(want), "{}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn parts_of_a_game_are_left_out() {
        let text = b"[Aa \"b\"]\n[WhiteElo \"2000\"]\n[ECO \"B20\"]\n\n{a} 1.e4 $1 {b} c5 \
            ({c} 1...e5 $2 2.Nf3 {d} (2.d4) 2...Nc6) 2.Nc3 $3 {e} 1-0";
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(text);
        tree.parse(index.tags(text));
        let mut edits = Edits::default();
        edits.add_comment(1, b"new");
        let moves = |elided: Elided, line_width: usize, edits: &Edits| {
            let options = WriteOptions { elided, line_width, ..WriteOptions::default() };
            let mut out = Vec::new();
            write_game(&mut out, index.tags(text), &tree, edits, &options);
            String::from_utf8(out).expect("ASCII")
        };
        let all = Elided { comments: true, nags: true, variations: true };
        let (comments, nags, variations) = (
            Elided { comments: true, ..Elided::default() },
            Elided { nags: true, ..Elided::default() },
            Elided { variations: true, ..Elided::default() },
        );
        for (elided, want) in [
            (all, "1.e4 {new} 1...c5 2.Nc3 1-0"),
            (comments, "1.e4 $1 {new} 1...c5 ( 1...e5 $2 2.Nf3 ( 2.d4 ) 2...Nc6 ) 2.Nc3 $3 1-0"),
            (
                nags,
                "{a}\n1.e4 {b new} 1...c5 ( {c} 1...e5 2.Nf3 {d} ( 2.d4 ) 2...Nc6 ) 2.Nc3 {e} 1-0",
            ),
            (variations, "{a}\n1.e4 $1 {b new} 1...c5 2.Nc3 $3 {e} 1-0"),
        ] {
            let written = moves(elided, LINE_WIDTH, &edits);
            let (_, found) = written.split_once("\n\n").expect("moves");
            assert_eq!(found.trim_end().replace(" \n", " "), want.replace(" \n", " "));
        }
        let narrow = moves(all, 12, &edits);
        let (_, found) = narrow.split_once("\n\n").expect("moves");
        assert_eq!(found.trim_end(), "1.e4 {new} \n1...c5 2.Nc3\n1-0");
        // No line among the moves is empty, however short the lines are.
        for width in 1..12 {
            let narrow = moves(Elided::default(), width, &edits);
            let (_, found) = narrow.split_once("\n\n").expect("moves");
            assert!(
                found.trim_end().lines().all(|line| !line.trim().is_empty()),
                "{width} {found}"
            );
            let words = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(words(&narrow), words(&moves(Elided::default(), LINE_WIDTH, &edits)));
        }
        for name in ["Aa", "WhiteElo", "ECO", "White"] {
            edits.remove_tag(name.as_bytes());
        }
        let written = moves(all, LINE_WIDTH, &edits);
        assert!(!written.contains("Elo") && !written.contains("ECO") && !written.contains("Aa"));
        assert!(written.contains("[White "), "the seven that every game has are there");
    }

    #[test]
    fn long_games_are_truncated() {
        let game = format!("[Event \"x\"]\n1.e4 {{{}}} e5 1-0", "word ".repeat(100));
        let (whole, written) = write(game.as_bytes(), &Edits::default(), 1000);
        assert!(!written.truncated && whole.ends_with(b"1-0\n\n\n"));
        let (cut, written) = write(game.as_bytes(), &Edits::default(), 300);
        let note = b" game truncated by CQL } * \n\n\n\n";
        assert!(written.truncated && cut.ends_with(note));
        assert_eq!(cut[..290], whole[..290]);
        assert!(cut.len() < 300 + note.len());
    }

    #[test]
    fn nesting_is_no_recursion() {
        let game = format!("[A \"b\"]\n1.e4 {}", "(1.e4 ".repeat(100_000));
        let (out, _) = write(game.as_bytes(), &Edits::default(), 100_000_000);
        assert_eq!(out.iter().filter(|b| **b == b')').count(), crate::tree::POSITION_LIMIT - 1);
    }
}
