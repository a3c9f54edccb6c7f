//! A game as a tree of moves, in the order of the text.
//!
//! Node 0 is the start, node *i* the *i*-th move read, with the position after it beside it. A
//! game without variations is therefore just two arrays; the links of a tree are made when the
//! first variation opens. Everything is kept between games and only emptied, so that reading
//! allocates nothing once the largest game has been seen.

use std::borrow::Cow;
use std::ops::Range;

use board::{
    CastlingRights, CastlingSetup, Extra, FenError, Move, Position, Rules, San, Situation, Square,
    Start, san_reaching,
};

use crate::comment::{Comment, clean_comment, preface_comment};
use crate::values::GameResult;

mod build;
mod known;
mod steps;

pub use build::TreeBuilder;
pub use known::TreeSummary;
pub use steps::{Steps, TreeStep};

/// Most positions of a game; reading its moves stops there.
pub const POSITION_LIMIT: usize = 49_990;

/// Most annotation glyphs of a move.
const NAG_LIMIT: usize = 7;

/// Why the moves of a game were read no further.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stop {
    /// A result.
    Result,
    /// The end of the text.
    #[default]
    End,
    /// A `[`.
    Bracket,
    /// A `(` with no move before it in its line.
    EarlyVariation,
    /// A comment without an end.
    OpenComment,
    /// More than [`POSITION_LIMIT`] positions.
    TooLong,
}

/// What belongs to a move besides its position.
#[derive(Clone, Copy, Debug)]
struct Node {
    mv: Move,
    /// Its notes, counted from 1; 0 if it has none, as nearly all moves.
    notes: u32,
}

impl Node {
    #[inline(always)]
    const fn new(mv: Move) -> Node {
        Node { mv, notes: 0 }
    }
}

/// What was written about a move, or before the first.
#[derive(Clone, Copy, Debug, Default)]
struct Notes {
    comment: Comment,
    nag_count: u8,
    nags: [u8; NAG_LIMIT],
}

impl Notes {
    /// Adds a glyph, if there is room: it is for seven.
    fn add_nag(&mut self, nag: u8) -> bool {
        let place = self.nags.get_mut(usize::from(self.nag_count));
        let has_room = place.is_some();
        if let Some(place) = place {
            *place = nag;
            self.nag_count += 1;
        }
        has_room
    }
}

/// How a node hangs in the tree; 0 is nothing, since nothing leads to the start.
#[derive(Clone, Copy, Debug, Default)]
struct Link {
    parent: u32,
    /// The next move of the same line.
    next: u32,
    /// First and last variation to this move, counted from 1.
    first_variation: u32,
    last_variation: u32,
}

/// An alternative to a move.
#[derive(Clone, Copy, Debug)]
struct Variation {
    /// Its first move; 0 if it is empty.
    first: u32,
    /// The next variation to the same move, counted from 1.
    next: u32,
    comment: Comment,
}

/// Where a comment may stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    /// Behind a move, or before the first.
    Node(u32),
    /// Before the first move of a variation.
    Variation(u32),
}

/// A game with its positions. See the module's description; made by [`GameTree::parse`] of a text
/// or by [`GameTree::build`] of moves.
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
    positions: Vec<Position>,
    /// Those of the nodes that have any.
    notes: Vec<Notes>,
    /// Parallel to the nodes, or empty if the game has no variation.
    links: Vec<Link>,
    variations: Vec<Variation>,
    /// Comments that others follow at the same place: by their places, and of each in the order of
    /// the text. Of several the last is the comment of the place, as in the reference.
    earlier: Vec<(Place, Comment)>,
    /// While the tree is made: the moves to which variations are open, outermost first.
    open: Vec<u32>,
    pub(crate) result: GameResult,
    has_fen: bool,
    /// In Chess960, and where a variant begins as it does, where castling begins.
    pub(crate) setup: Option<CastlingSetup>,
    /// What is left of it in a variant: parallel to the nodes, or empty.
    rights: Vec<CastlingRights>,
    pub(crate) rules: Rules,
    /// Parallel to the nodes, or empty if positions of these rules have nothing besides.
    extras: Vec<Extra>,
    pub(crate) error: Vec<u8>,
    pub(crate) illegal_at: Option<usize>,
    pub(crate) lost: Lost,
    pub(crate) stop: Stop,
    /// Whether it is known that its text has the moves as they are written.
    is_as_written: bool,
}

/// What the text of a game holds that is not in its tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost {
    /// Words that were passed over.
    pub(crate) n_words: u32,
    /// Moves among them and behind an illegal move, as far as the moves were read.
    pub(crate) n_moves: u32,
    /// Where the first of these moves stands.
    pub(crate) first_move: Option<usize>,
    /// Where reading ended, if text follows.
    pub(crate) rest: Option<usize>,
    /// The last word that was passed over while moves could be read, and how many nodes there were.
    pub(crate) word: Option<(Range<usize>, usize)>,
    /// Comments that are cut, and where the text of the first begins.
    pub(crate) cut_comments: Option<(u32, usize)>,
    /// Glyphs without a move, or beyond those that a move can have, and where the first is.
    pub(crate) glyphs: Option<(u32, usize)>,
    /// Comments that begin with `;`.
    pub(crate) n_line_comments: u32,
    /// What the FEN tag says that would count if it were a position.
    pub(crate) fen: Option<FenError>,
    /// A word at the end that is meant as the result and is none that is known.
    pub(crate) result: Option<Range<usize>>,
}

impl Default for GameTree {
    fn default() -> GameTree {
        let mut tree = GameTree {
            nodes: Vec::new(),
            positions: Vec::new(),
            notes: Vec::new(),
            links: Vec::new(),
            variations: Vec::new(),
            earlier: Vec::new(),
            open: Vec::new(),
            result: GameResult::Unknown,
            has_fen: false,
            setup: None,
            rights: Vec::new(),
            rules: Rules::Chess,
            extras: Vec::new(),
            error: Vec::new(),
            illegal_at: None,
            lost: Lost::default(),
            stop: Stop::End,
            is_as_written: false,
        };
        tree.reset(Start::normal(false), false);
        tree
    }
}

impl GameTree {
    /// Empties the tree to a start position.
    fn reset(&mut self, start: Start, has_fen: bool) {
        self.nodes.clear();
        self.nodes.push(Node::new(Move::null(Square::A1)));
        self.positions.clear();
        self.positions.push(start.position);
        self.notes.clear();
        self.links.clear();
        self.variations.clear();
        self.earlier.clear();
        self.open.clear();
        self.result = GameResult::Unknown;
        self.has_fen = has_fen;
        self.setup = start.setup;
        self.rules = start.rules;
        self.rights.clear();
        if let Some(setup) = start.setup.filter(|_| !start.rules.are_of_chess()) {
            self.rights.push(setup.rights());
        }
        self.extras.clear();
        if start.rules.have_extra() {
            self.extras.push(start.extra);
        }
        self.error.clear();
        self.illegal_at = None;
        self.lost = Lost::default();
        self.stop = Stop::End;
        self.is_as_written = false;
    }

    /// Puts the earlier comments in order: a game comes back to a place behind variations.
    pub(crate) fn sort_earlier_comments(&mut self) {
        self.earlier.sort_by_key(|&(place, _)| place);
    }

    /// Notes that the text of the game has its moves as they are written, which
    /// [`Verbatim::is_as_written`](crate::Verbatim::is_as_written) says: they will be copied.
    pub fn note_as_written(&mut self) {
        self.is_as_written = true;
    }

    pub(crate) fn is_as_written(&self) -> bool {
        self.is_as_written
    }

    /// Number of nodes: the start and all moves, those of variations included.
    #[expect(clippy::len_without_is_empty, reason = "a tree has at least its start")]
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no variations, not even empty ones: each node follows the one before.
    #[inline]
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.links.is_empty()
    }

    /// The positions by node.
    #[inline]
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The move that leads to a node; none to the start.
    #[inline]
    #[must_use]
    pub fn move_to(&self, node: usize) -> Option<Move> {
        (node != 0).then(|| self.nodes[node].mv)
    }

    /// The node before the move of a node; for the start itself.
    #[inline]
    #[must_use]
    pub fn parent(&self, node: usize) -> usize {
        match self.links.get(node) {
            Some(link) => link.parent as usize,
            None => node.saturating_sub(1),
        }
    }

    /// The next move in the line of a node.
    #[inline]
    #[must_use]
    pub fn next(&self, node: usize) -> Option<usize> {
        match self.links.get(node) {
            Some(link) => (link.next != 0).then_some(link.next as usize),
            None => (node + 1 < self.nodes.len()).then_some(node + 1),
        }
    }

    /// The variations to the move of a node, by their numbers, in the order of the text.
    pub fn variations(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first_variation(node), |&variation| {
            self.next_variation(variation)
        })
    }

    /// The first variation to the move of a node.
    #[inline]
    #[must_use]
    pub fn first_variation(&self, node: usize) -> Option<usize> {
        (self.links.get(node)?.first_variation as usize).checked_sub(1)
    }

    /// The next variation to the same move.
    #[inline]
    #[must_use]
    pub fn next_variation(&self, variation: usize) -> Option<usize> {
        (self.variations[variation].next as usize).checked_sub(1)
    }

    /// First move of a variation, if it has one.
    #[inline]
    #[must_use]
    pub fn variation_start(&self, variation: usize) -> Option<usize> {
        let first = self.variations[variation].first;
        (first != 0).then_some(first as usize)
    }

    #[inline]
    fn notes(&self, node: usize) -> Option<&Notes> {
        self.notes
            .get((self.nodes[node].notes as usize).wrapping_sub(1))
    }

    /// Whether there are comments of nodes, or glyphs.
    pub(crate) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// The moves to a node, not the start, and to all nodes behind it.
    pub fn moves_from(&self, node: usize) -> impl Iterator<Item = Move> {
        let nodes = self.nodes.get(node..).unwrap_or_default();
        nodes.iter().map(|node| node.mv)
    }

    /// Of some nodes of a game of one line, not of the start, the move, the positions before and
    /// behind it, and the next move.
    pub(crate) fn moves_of_line(
        &self,
        nodes: Range<usize>,
    ) -> impl Iterator<Item = (Move, [&Position; 2], Option<Move>)> {
        let moves = &self.nodes[nodes.start..];
        let pairs = self.positions[nodes.start.saturating_sub(1)..nodes.end].windows(2);
        pairs.zip(0..).map(|(pair, number)| {
            let following = moves.get(number + 1).map(|node| node.mv);
            (moves[number].mv, [&pair[0], &pair[1]], following)
        })
    }

    /// Annotation glyphs of a move.
    #[inline]
    #[must_use]
    pub fn nags(&self, node: usize) -> &[u8] {
        match self.notes(node) {
            Some(notes) => &notes.nags[..usize::from(notes.nag_count)],
            None => &[],
        }
    }

    /// Whether a node has a comment, an empty one included.
    #[inline]
    #[must_use]
    pub fn has_comment(&self, node: usize) -> bool {
        self.node_comment(node) != Comment::None
    }

    #[inline]
    fn node_comment(&self, node: usize) -> Comment {
        self.notes(node)
            .map_or(Comment::None, |notes| notes.comment)
    }

    /// Whether there is any comment or annotation glyph.
    #[must_use]
    pub fn has_annotations(&self) -> bool {
        let has_comment = |variation: &Variation| variation.comment != Comment::None;
        !self.notes.is_empty() || self.variations.iter().any(has_comment)
    }

    /// How many variations there are.
    pub(crate) fn n_variations(&self) -> usize {
        self.variations.len()
    }

    /// The comment of a node, at the start the one before the moves. `text` is the text that was
    /// parsed.
    #[must_use]
    pub fn comment<'a>(&'a self, text: &'a [u8], node: usize) -> Option<Cow<'a, [u8]>> {
        self.comment_text(text, self.node_comment(node))
    }

    /// The comment before the first move of a variation.
    #[must_use]
    pub fn variation_comment<'a>(
        &'a self,
        text: &'a [u8],
        variation: usize,
    ) -> Option<Cow<'a, [u8]>> {
        self.comment_text(text, self.variations[variation].comment)
    }

    /// The comments of a node that are followed by its [comment](GameTree::comment), in the order of
    /// the text.
    pub fn earlier_comments<'a>(
        &'a self,
        text: &'a [u8],
        node: usize,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, [u8]>> {
        self.earlier_at(text, Place::Node(node as u32))
    }

    /// The same before the first move of a variation.
    pub fn earlier_variation_comments<'a>(
        &'a self,
        text: &'a [u8],
        variation: usize,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, [u8]>> {
        self.earlier_at(text, Place::Variation(variation as u32))
    }

    /// Number of comments that a writer leaves out: those after `;`, and unless it writes `all`
    /// comments of a place, those that are followed by another.
    #[must_use]
    pub fn n_unwritten_comments(&self, all: bool) -> usize {
        let n_earlier = if all { 0 } else { self.earlier.len() };
        n_earlier + self.lost.n_line_comments as usize
    }

    fn earlier_at<'a>(
        &'a self,
        text: &'a [u8],
        place: Place,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, [u8]>> {
        let first = self.earlier.partition_point(|&(other, _)| other < place);
        let rest = &self.earlier[first..];
        let n = rest
            .iter()
            .take_while(|&&(other, _)| other == place)
            .count();
        let comments = rest[..n].iter();
        comments.filter_map(|(_, comment)| self.comment_text(text, *comment))
    }

    /// All comments of a node, the last of the text first: what is meant for programs may stand in
    /// any of them.
    pub fn comments_backward<'a>(
        &'a self,
        text: &'a [u8],
        node: usize,
    ) -> impl Iterator<Item = Cow<'a, [u8]>> {
        let last = self.comment(text, node);
        last.into_iter()
            .chain(self.earlier_comments(text, node).rev())
    }

    fn comment_text<'a>(&'a self, text: &'a [u8], comment: Comment) -> Option<Cow<'a, [u8]>> {
        match comment {
            Comment::None => None,
            Comment::Text { start, len } => {
                Some(clean_comment(&text[start as usize..][..len as usize]))
            }
            Comment::Preface { len } => preface_comment(&text[..len as usize]),
            Comment::Error => Some(Cow::Borrowed(&self.error)),
        }
    }

    /// The result: of the token at the end of the moves, else of the tag.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Whether the start position was given by a FEN tag, though it may be the normal one.
    #[must_use]
    pub fn has_fen(&self) -> bool {
        self.has_fen
    }

    /// What is played.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What belongs to a node's position besides.
    #[inline]
    #[must_use]
    pub fn extra(&self, node: usize) -> Extra {
        self.extras.get(node).copied().unwrap_or_default()
    }

    /// The position of a node with the rules that are played.
    #[must_use]
    pub fn situation(&self, node: usize) -> Situation {
        let position = self.positions[node];
        let left = |setup: CastlingSetup| {
            let rights = self.rights_of_setup(&setup, node);
            setup.left(rights, &position.board)
        };
        Situation {
            rules: self.rules,
            position,
            setup: self.setup.filter(CastlingSetup::is_declared).map(left),
            extra: self.extra(node),
        }
    }

    /// How the game begins.
    pub(crate) fn start(&self) -> Start {
        Start {
            position: self.positions[0],
            setup: self.setup,
            rules: self.rules,
            extra: self.extra(0),
        }
    }

    /// The move that leads to a node as it is written; none to the start.
    #[must_use]
    pub fn san(&self, node: usize) -> Option<San> {
        let (mv, before) = (self.move_to(node)?, self.parent(node));
        Some(match self.rules {
            Rules::Chess => san_reaching(&self.positions[before], mv, &self.positions[node]),
            _ => self.situation(before).san(mv),
        })
    }

    /// In Chess960, and where a variant begins as it does, where castling begins.
    #[inline]
    #[must_use]
    pub fn castling_setup(&self) -> Option<&CastlingSetup> {
        self.setup.as_ref()
    }

    /// The rights of Chess960 that the moves up to a node have left.
    #[must_use]
    pub fn rights_of_setup(&self, setup: &CastlingSetup, node: usize) -> CastlingRights {
        if let Some(&rights) = self.rights.get(node) {
            return rights;
        }
        let line = std::iter::successors(Some(node), |&node| Some(self.parent(node)));
        let moves = line.map_while(|node| self.move_to(node));
        moves.fold(setup.rights(), |rights, mv| setup.after(rights, mv))
    }

    /// The FEN of a node's position.
    #[must_use]
    pub fn fen(&self, node: usize) -> String {
        let position = &self.positions[node];
        match self.setup.filter(CastlingSetup::is_declared) {
            _ if !self.rules.are_of_chess() => self.situation(node).fen(),
            None => position.fen(),
            Some(setup) => {
                let rights = self.rights_of_setup(&setup, node);
                position.fen_with_castling(&setup.fen_field(&position.board, rights))
            }
        }
    }

    /// Why the moves were read no further.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Whether the moves end within a variation.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Where in the text the illegal move stands after which no move was accepted.
    #[must_use]
    pub fn illegal_move_at(&self) -> Option<usize> {
        self.illegal_at
    }

    /// Whether there may be moves or other words in the text that are not in the tree. Where that
    /// is so, [`Examiner::loss`](crate::doctor::Examiner::loss) says what they are.
    #[inline]
    #[must_use]
    pub fn may_lack_moves(&self) -> bool {
        self.lost.n_words > 0 || self.illegal_at.is_some() || self.lost.rest.is_some()
    }

    /// Whether something was passed over that may have been meant as a move.
    #[must_use]
    pub fn lacks_words(&self) -> bool {
        self.lost.n_words > 0 || matches!(self.stop, Stop::Bracket | Stop::EarlyVariation)
    }

    /// Where the `[` stands that the moves were read up to, if that was the reason.
    #[must_use]
    pub fn bracket_at(&self) -> Option<usize> {
        self.lost.rest.filter(|_| self.stop == Stop::Bracket)
    }
}
