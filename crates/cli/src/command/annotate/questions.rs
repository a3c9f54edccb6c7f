//! Finds the positions of games about which an engine is asked.

use board::{Color, Position};
use flow::{FaultKind, Output, Results, Worker};
use pgn::doctor::Examiner;
use pgn::{EvalPlace, GameTree, RawGame, TagIndex, Variant, VariantNames};

/// Positions that are to be evaluated.
pub(super) struct Wanted {
    /// Whether those of variations are.
    pub(super) variations: bool,
    /// Whether those with an evaluation are.
    pub(super) again: bool,
    pub(super) variants: VariantNames,
}

/// Games of a chunk.
#[derive(Default)]
pub(super) struct AskedGames {
    pub(super) games: Vec<AskedGame>,
    /// Number of games that cannot be read.
    pub(super) n_skipped: u64,
}

/// A game to be written.
pub(super) struct AskedGame {
    pub(super) number: u64,
    /// Byte offset of its text in the source.
    pub(super) offset: u64,
    pub(super) text: Vec<u8>,
    /// Text to be written after it.
    pub(super) after: &'static [u8],
    /// Positions to ask about, each with the place of its evaluation.
    pub(super) questions: Vec<(EvalPlace, Question)>,
    /// Number of evaluations that the game keeps.
    pub(super) n_kept: u64,
    /// Whether the engine does not know its rules.
    pub(super) is_of_variant: bool,
    /// Whether evaluations would change how it is read, for instance since it has no tags.
    pub(super) has_no_place: bool,
}

impl AskedGame {
    /// Returns a game without text.
    pub(super) fn nothing() -> AskedGame {
        AskedGame {
            number: 0,
            offset: 0,
            text: Vec::new(),
            after: b"",
            questions: Vec::new(),
            n_kept: 0,
            is_of_variant: false,
            has_no_place: false,
        }
    }
}

/// A position for the engine.
pub(super) struct Question {
    pub(super) fen: String,
    pub(super) is_white: bool,
}

impl Results for AskedGames {
    fn forget(&mut self, number: u64) {
        self.games.retain(|game| game.number != number);
    }
}

/// Reads one game at a time.
pub(super) struct Reader<'w> {
    wanted: &'w Wanted,
    index: TagIndex,
    tree: GameTree,
    examiner: Examiner,
    buffer: Vec<u8>,
}

impl<'w> Reader<'w> {
    pub(super) fn new(wanted: &'w Wanted) -> Reader<'w> {
        Reader {
            wanted,
            index: TagIndex::default(),
            tree: GameTree::default(),
            examiner: Examiner::default(),
            buffer: Vec::new(),
        }
    }

    /// Finds the questions about a game, and reports what of its moves is not read.
    fn read(&mut self, raw: &RawGame<'_>, game: &mut AskedGame, out: &mut Output<AskedGames>) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let tags = self.index.tags(text);
        let variant = self.wanted.variants.variant_of(tags);
        let tree = &mut self.tree;
        let ends = tree.parse_for_evaluations(tags, variant);
        let rules = tree.rules_read(tags, variant).variant();
        game.is_of_variant = !matches!(rules, Some(Variant::Standard | Variant::Chess960));
        if game.is_of_variant {
            return;
        }
        if let Some(error) = tree.impossible_start(tags) {
            let message = format!("the FEN tag is no position: {error}");
            out.fault_at(game.number, game.offset, FaultKind::Repaired, message);
            return;
        }
        if tree.may_lack_moves() {
            let place = (game.number, game.offset);
            engine::report_lost_moves(&mut self.examiner, tree, tags, place, out);
        }
        let mut places = Vec::new();
        let mut next = Some(0);
        while let Some(node) = next {
            next = if self.wanted.variations {
                (node + 1 < tree.len()).then_some(node + 1)
            } else {
                tree.next(node)
            };
            if !self.wanted.again && tree.evaluation(text, node).is_some() {
                game.n_kept += 1;
            } else if let Some(question) = question(tree, node) {
                match ends.place(text, tree, node) {
                    Some(place) => {
                        places.push((place.clone(), node));
                        game.questions.push((place, question));
                    }
                    None => game.has_no_place = true,
                }
            }
        }
        if !pgn::can_have_evaluations(raw, tree, variant, &places) {
            game.questions.clear();
            game.has_no_place = true;
        }
    }
}

/// Returns the question about a position; `None` if no game can reach it, or the game ends there.
fn question(tree: &GameTree, node: usize) -> Option<Question> {
    let position = tree.positions()[node];
    if !position.is_legal_position() || !position.has_legal_move() {
        return None;
    }
    // As in the questions of `engine`, with which the answers are shared.
    let position = Position { en_passant: position.en_passant_capture(), ..position };
    let fen = match tree.castling_setup().filter(|setup| setup.is_declared()) {
        None => position.fen(),
        Some(setup) => {
            let rights = tree.rights_of_setup(setup, node);
            position.fen_with_castling(&setup.fen_field(&position.board, rights))
        }
    };
    Some(Question { fen, is_white: position.turn == Color::White })
}

impl Worker for Reader<'_> {
    type Results = AskedGames;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<AskedGames>) {
        let mut game = AskedGame {
            number,
            offset: raw.offset,
            text: raw.text.to_vec(),
            ..AskedGame::nothing()
        };
        self.read(raw, &mut game, out);
        out.results.games.push(game);
    }

    fn skipped(&mut self, _: &RawGame<'_>, _: u64, out: &mut Output<AskedGames>) {
        out.results.n_skipped += 1;
    }
}
