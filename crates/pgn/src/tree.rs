//! A game as a tree of moves, in the order of the text.
//!
//! Node 0 is the start, node *i* the *i*-th move read, with the position after it at the same
//! index. A game without variations is therefore two arrays; the links of a tree are made when the
//! first variation opens. The memory is kept between games and only cleared, so that reading
//! allocates nothing once the largest game has been read.

use std::borrow::Cow;
use std::ops::Range;

use board::{
    CastlingRights, CastlingSetup, Extra, FenError, Move, Position, Rules, San, Situation, Square,
    Start, san_reaching,
};

use crate::comment::{Comment, clean_comment, preface_comment};
use crate::tags::TextTags;
use crate::values::GameResult;

mod build;
mod steps;

pub use build::TreeBuilder;
pub use steps::{Steps, TreeStep};

/// Maximum number of positions of a game; reading its moves stops there.
pub const POSITION_LIMIT: usize = 49_990;

/// Maximum number of annotation glyphs of a move.
const NAG_LIMIT: usize = 7;

/// Reason why the moves of a game were read no further.
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

/// A move of the tree, without its position.
#[derive(Clone, Copy, Debug)]
struct Node {
    mv: Move,
    /// Index of the notes of the move, counted from 1; 0 if it has none, as nearly all moves.
    notes: u32,
}

impl Node {
    #[inline(always)]
    const fn new(mv: Move) -> Node {
        Node { mv, notes: 0 }
    }
}

/// Annotations of a move, or before the first move.
#[derive(Clone, Copy, Debug, Default)]
struct Notes {
    comment: Comment,
    nag_count: u8,
    nags: [u8; NAG_LIMIT],
}

impl Notes {
    /// Adds a glyph, if there is room. Returns whether there was.
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

/// Links of a node to others; 0 is none, since nothing leads to the start.
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
    /// The first move of the variation; 0 if it is empty.
    first: u32,
    /// The next variation to the same move, counted from 1.
    next: u32,
    comment: Comment,
}

/// Owner of a comment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum CommentOwner {
    /// After a move, or before the first.
    Node(u32),
    /// Before the first move of a variation.
    Variation(u32),
}

/// A game with its positions. See the module's description; made from a text by
/// [`GameTree::parse`], or from moves by [`GameTree::build`].
#[derive(Clone, Debug)]
pub struct GameTree {
    nodes: Vec<Node>,
    positions: Vec<Position>,
    /// Notes of the nodes that have any.
    notes: Vec<Notes>,
    /// Parallel to the nodes, or empty if the game has no variation.
    links: Vec<Link>,
    variations: Vec<Variation>,
    /// Comments that are followed by others at the same place: sorted by place, and at each place
    /// in the order of the text. The last comment of a place is its comment, as in the reference.
    earlier: Vec<(CommentOwner, Comment)>,
    /// The moves to which variations are open while the tree is made, outermost first.
    open: Vec<u32>,
    pub(crate) result: GameResult,
    has_fen: bool,
    /// The castling setup, in Chess960 and in a variant that begins like it.
    pub(crate) setup: Option<CastlingSetup>,
    /// Castling rights left of the setup in a variant: parallel to the nodes, or empty.
    rights: Vec<CastlingRights>,
    pub(crate) rules: Rules,
    /// Parallel to the nodes, or empty if positions of these rules have no additional state.
    extras: Vec<Extra>,
    pub(crate) error: Vec<u8>,
    pub(crate) illegal_at: Option<usize>,
    pub(crate) lost: Lost,
    pub(crate) stop: Stop,
    /// Whether the text of the game is known to have its moves in the form in which they are
    /// written.
    is_as_written: bool,
}

/// Record of the text of a game that is not in its tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost {
    /// Number of words that were skipped.
    pub(crate) n_words: u32,
    /// Number of moves among them and after an illegal move, as far as the moves were read.
    pub(crate) n_moves: u32,
    /// Offset of the first of these moves.
    pub(crate) first_move: Option<usize>,
    /// Offset at which reading ended, if text follows.
    pub(crate) rest: Option<usize>,
    /// The last word that was skipped while moves could be read, and the number of nodes at that
    /// time.
    pub(crate) word: Option<(Range<usize>, usize)>,
    /// Number of comments that are cut, and the offset of the text of the first one.
    pub(crate) cut_comments: Option<(u32, usize)>,
    /// Number of glyphs without a move, or beyond the maximum of a move, and the offset of the
    /// first one.
    pub(crate) glyphs: Option<(u32, usize)>,
    /// Number of comments that begin with `;`.
    pub(crate) n_line_comments: u32,
    /// Error of the FEN tag that would count if it were a position.
    pub(crate) fen: Option<FenError>,
    /// Range of a last word that is meant as the result, but is no known result.
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
    /// Clears the tree, except for a start position.
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

    /// Sorts the earlier comments by place: after variations, a game returns to an earlier place.
    pub(crate) fn sort_earlier_comments(&mut self) {
        self.earlier.sort_by_cached_key(|&(place, _)| match place {
            CommentOwner::Node(node) => node,
            CommentOwner::Variation(variation) => 1 << 31 | variation,
        });
    }

    /// Notes that the text of the game has its moves in the form in which they are written,
    /// according to [`Verbatim::is_as_written`](crate::Verbatim::is_as_written): a writer then
    /// copies them.
    pub fn note_as_written(&mut self) {
        self.is_as_written = true;
    }

    pub(crate) fn is_as_written(&self) -> bool {
        self.is_as_written
    }

    /// Returns the number of nodes: the start and all moves, including those of variations.
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

    /// Returns the positions by node.
    #[inline]
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the move that leads to a node; `None` for the start.
    #[inline]
    #[must_use]
    pub fn move_to(&self, node: usize) -> Option<Move> {
        (node != 0).then(|| self.nodes[node].mv)
    }

    /// Returns the node before the move of a node; for the start, the start itself.
    #[inline]
    #[must_use]
    pub fn parent(&self, node: usize) -> usize {
        match self.links.get(node) {
            Some(link) => link.parent as usize,
            None => node.saturating_sub(1),
        }
    }

    /// Returns the next move in the line of a node.
    #[inline]
    #[must_use]
    pub fn next(&self, node: usize) -> Option<usize> {
        match self.links.get(node) {
            Some(link) => (link.next != 0).then_some(link.next as usize),
            None => (node + 1 < self.nodes.len()).then_some(node + 1),
        }
    }

    /// Returns the numbers of the variations to the move of a node, in the order of the text.
    pub fn variations(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first_variation(node), |&variation| {
            self.next_variation(variation)
        })
    }

    /// Returns the first variation to the move of a node.
    #[inline]
    #[must_use]
    pub fn first_variation(&self, node: usize) -> Option<usize> {
        (self.links.get(node)?.first_variation as usize).checked_sub(1)
    }

    /// Returns the next variation to the same move.
    #[inline]
    #[must_use]
    pub fn next_variation(&self, variation: usize) -> Option<usize> {
        (self.variations[variation].next as usize).checked_sub(1)
    }

    /// Returns the first move of a variation, if it has one.
    #[inline]
    #[must_use]
    pub fn variation_start(&self, variation: usize) -> Option<usize> {
        let first = self.variations[variation].first;
        (first != 0).then_some(first as usize)
    }

    #[inline]
    fn notes(&self, node: usize) -> Option<&Notes> {
        self.notes.get((self.nodes[node].notes as usize).wrapping_sub(1))
    }

    /// Whether any node has comments or glyphs.
    pub(crate) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// Returns the moves to a node, which is not the start, and to all nodes after it.
    pub fn moves_from(&self, node: usize) -> impl Iterator<Item = Move> {
        let nodes = self.nodes.get(node..).unwrap_or_default();
        nodes.iter().map(|node| node.mv)
    }

    /// Returns, for a range of nodes without the start in a game without variations: the move, and
    /// the positions before and after it.
    pub(crate) fn moves_of_line(
        &self,
        nodes: Range<usize>,
    ) -> impl Iterator<Item = (Move, [&Position; 2])> {
        let before = &self.positions[nodes.start.saturating_sub(1)..];
        let after = before.iter().skip(1);
        let moves = self.nodes[nodes].iter().map(|node| node.mv);
        moves.zip(before.iter().zip(after)).map(|(mv, (before, after))| (mv, [before, after]))
    }

    /// Returns the move of a node in a game without variations, if there is such a node.
    pub(crate) fn move_of_line(&self, node: usize) -> Option<Move> {
        self.nodes.get(node).map(|node| node.mv)
    }

    /// Returns the annotation glyphs of a move.
    #[inline]
    #[must_use]
    pub fn nags(&self, node: usize) -> &[u8] {
        match self.notes(node) {
            Some(notes) => &notes.nags[..usize::from(notes.nag_count)],
            None => &[],
        }
    }

    /// Whether a node has a comment, even an empty one.
    #[inline]
    #[must_use]
    pub fn has_comment(&self, node: usize) -> bool {
        self.node_comment(node) != Comment::None
    }

    #[inline]
    fn node_comment(&self, node: usize) -> Comment {
        self.notes(node).map_or(Comment::None, |notes| notes.comment)
    }

    /// Whether there is any comment or annotation glyph.
    #[must_use]
    pub fn has_annotations(&self) -> bool {
        let has_comment = |variation: &Variation| variation.comment != Comment::None;
        !self.notes.is_empty() || self.variations.iter().any(has_comment)
    }

    /// Returns the number of variations.
    pub(crate) fn n_variations(&self) -> usize {
        self.variations.len()
    }

    /// Returns the comment of a node; at the start, the one before the moves. `text` is the text
    /// that was parsed.
    #[must_use]
    pub fn comment<'a>(&'a self, text: &'a [u8], node: usize) -> Option<Cow<'a, [u8]>> {
        self.comment_text(text, self.node_comment(node))
    }

    /// Returns the comment before the first move of a variation.
    #[must_use]
    pub fn variation_comment<'a>(
        &'a self,
        text: &'a [u8],
        variation: usize,
    ) -> Option<Cow<'a, [u8]>> {
        self.comment_text(text, self.variations[variation].comment)
    }

    /// Returns the comments of a node before its [comment](GameTree::comment), in the order of the
    /// text.
    pub fn earlier_comments<'a>(
        &'a self,
        text: &'a [u8],
        node: usize,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, [u8]>> {
        self.earlier_at(text, CommentOwner::Node(node as u32))
    }

    /// Returns the comments before the first move of a variation, except for the last one.
    pub fn earlier_variation_comments<'a>(
        &'a self,
        text: &'a [u8],
        variation: usize,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, [u8]>> {
        self.earlier_at(text, CommentOwner::Variation(variation as u32))
    }

    /// Returns the number of comments that a writer leaves out: those after `;`, and, unless it
    /// writes `all` comments of a place, those that are followed by another. `tags` are those of the
    /// text that was parsed.
    #[must_use]
    pub fn n_unwritten_comments(&self, tags: TextTags<'_>, all: bool) -> usize {
        let n_earlier = if all { 0 } else { self.earlier.len() };
        n_earlier + self.lost.n_line_comments as usize + tags.n_remarks()
    }

    fn earlier_at<'a>(
        &'a self,
        text: &'a [u8],
        place: CommentOwner,
    ) -> impl DoubleEndedIterator<Item = Cow<'a, [u8]>> {
        let comments = self.earlier_sources(place).iter();
        comments.filter_map(|(_, comment)| self.comment_text(text, *comment))
    }

    /// Returns all comments of a node, the last one of the text first: comment commands may be in
    /// any of them.
    pub fn comments_backward<'a>(
        &'a self,
        text: &'a [u8],
        node: usize,
    ) -> impl Iterator<Item = Cow<'a, [u8]>> {
        let last = self.comment(text, node);
        last.into_iter().chain(self.earlier_comments(text, node).rev())
    }

    /// Returns the sources of all comments of a node, in the order of the text.
    pub(crate) fn comments_at(&self, node: usize) -> impl DoubleEndedIterator<Item = Comment> {
        let earlier = self.earlier_sources(CommentOwner::Node(node as u32)).iter();
        earlier.map(|&(_, comment)| comment).chain([self.node_comment(node)])
    }

    /// Returns the comments of a place except for the last one.
    fn earlier_sources(&self, place: CommentOwner) -> &[(CommentOwner, Comment)] {
        let first = self.earlier.partition_point(|&(other, _)| other < place);
        let rest = &self.earlier[first..];
        let n = rest.iter().take_while(|&&(other, _)| other == place).count();
        &rest[..n]
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

    /// Returns the result: that of the token at the end of the moves, or else that of the tag.
    #[must_use]
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Whether a FEN tag gave the start position, even if it is the normal one.
    #[must_use]
    pub fn has_fen(&self) -> bool {
        self.has_fen
    }

    /// Returns the rules of the game.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the additional state of a node's position.
    #[inline]
    #[must_use]
    pub fn extra(&self, node: usize) -> Extra {
        self.extras.get(node).copied().unwrap_or_default()
    }

    /// Returns the position of a node with the rules of the game.
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

    /// Returns the start of the game.
    pub(crate) fn start(&self) -> Start {
        Start {
            position: self.positions[0],
            setup: self.setup,
            rules: self.rules,
            extra: self.extra(0),
        }
    }

    /// Returns the written move that leads to a node; `None` for the start.
    #[must_use]
    pub fn san(&self, node: usize) -> Option<San> {
        let (mv, before) = (self.move_to(node)?, self.parent(node));
        Some(match self.rules {
            Rules::Chess => san_reaching(&self.positions[before], mv, &self.positions[node]),
            _ => self.situation(before).san(mv),
        })
    }

    /// Returns the castling setup in Chess960, and in a variant that begins like it.
    #[inline]
    #[must_use]
    pub fn castling_setup(&self) -> Option<&CastlingSetup> {
        self.setup.as_ref()
    }

    /// Returns the rights of Chess960 that are left after the moves up to a node.
    #[must_use]
    pub fn rights_of_setup(&self, setup: &CastlingSetup, node: usize) -> CastlingRights {
        if let Some(&rights) = self.rights.get(node) {
            return rights;
        }
        let line = std::iter::successors(Some(node), |&node| Some(self.parent(node)));
        let moves = line.map_while(|node| self.move_to(node));
        moves.fold(setup.rights(), |rights, mv| setup.after(rights, mv))
    }

    /// Returns the FEN of a node's position.
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

    /// Returns the reason why the moves were read no further.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Whether the moves end within a variation.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Returns the offset in the text of the illegal move that ended the reading of moves.
    #[must_use]
    pub fn illegal_move_at(&self) -> Option<usize> {
        self.illegal_at
    }

    /// Whether moves or other words of the text may be missing from the tree. If so,
    /// [`Examiner::loss`](crate::doctor::Examiner::loss) describes them.
    #[inline]
    #[must_use]
    pub fn may_lack_moves(&self) -> bool {
        self.lost.n_words > 0 || self.illegal_at.is_some() || self.lost.rest.is_some()
    }

    /// Whether a skipped word may have been meant as a move.
    #[must_use]
    pub fn lacks_words(&self) -> bool {
        self.lost.n_words > 0 || matches!(self.stop, Stop::Bracket | Stop::EarlyVariation)
    }

    /// Returns the offset of the `[` that ended the reading of moves, if there is one.
    #[must_use]
    pub fn bracket_at(&self) -> Option<usize> {
        self.lost.rest.filter(|_| self.stop == Stop::Bracket)
    }
}
