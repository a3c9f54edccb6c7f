//! One game at a time: guard, read, evaluate, write.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pgn::{
    Edits, GameTree, OtherVariant, RawGame, SearchTree, TagIndex, Variant, WriteOptions, write_game,
};
use syntax::tree::CommentLevel;

use crate::eval::{Evaluator, SortValue, State, print_persistent};
use crate::files::{FileAccess, Files};
use crate::positions::Positions;
use crate::program::Program;
use crate::record::Record;
use crate::run::{ChunkOutput, FaultKind, Match, SortKey, Worker};
use crate::search::{MatchedPosition, SortedValue};

/// Evaluates a program on games. One for each thread; what it keeps between games is persistent
/// variables and memory to be used again.
#[derive(Debug)]
pub struct GameWorker<'p> {
    program: &'p Program,
    state: State,
    tags: TagIndex,
    tree: GameTree,
    search: SearchTree,
    edits: Edits,
    buffer: Vec<u8>,
    hope: Arc<Hope>,
}

/// Whether it makes sense to go on: not when the query takes too many steps on each of the first
/// games, for then it will not end on others either. Shared by the workers of a run.
///
/// Which games are the first depends on the input alone, so the end of a run does, too.
#[derive(Debug, Default)]
pub struct Hope(AtomicU32);

impl Hope {
    /// So many games decide.
    const N_GAMES: u32 = 10;

    /// Whether there is none.
    pub fn is_lost(&self) -> bool {
        self.0.load(Ordering::Relaxed) == (1 << Hope::N_GAMES) - 1
    }

    /// Notes that game `index`, from 0, takes too many steps.
    fn lose(&self, index: u64) {
        if index < u64::from(Hope::N_GAMES) {
            self.0.fetch_or(1 << index, Ordering::Relaxed);
        }
    }
}

impl<'p> GameWorker<'p> {
    /// A worker that may not touch files.
    pub fn new(program: &'p Program) -> GameWorker<'p> {
        GameWorker {
            program,
            state: State::new(program),
            tags: TagIndex::default(),
            tree: GameTree::default(),
            search: SearchTree::default(),
            edits: Edits::default(),
            buffer: Vec::new(),
            hope: Arc::default(),
        }
    }

    /// The same with what the workers of a run have in common.
    pub fn with_hope(mut self, hope: Arc<Hope>) -> GameWorker<'p> {
        self.hope = hope;
        self
    }

    /// The same with a way to files for `readfile` and `writefile`.
    pub fn with_files(mut self, files: Box<dyn FileAccess>) -> GameWorker<'p> {
        self.state.files = Files(files);
        self
    }

    /// The same with the number of games of the input, for `lastgamenumber`.
    pub fn with_last_game_number(mut self, number: u64) -> GameWorker<'p> {
        self.state.last_game_number = i32::try_from(number).unwrap_or(i32::MAX);
        self
    }

    /// `NAME: VALUE` of every persistent variable that is to be printed, in order.
    pub fn persistent_report(&self) -> Vec<Vec<u8>> {
        use syntax::tree::Persistence;
        self.program
            .variables
            .iter()
            .zip(&self.state.slots)
            .filter(|(variable, _)| variable.persistent == Some(Persistence::Shown))
            .map(|(variable, slot)| print_persistent(&variable.name, variable.kind, slot))
            .collect()
    }

    /// Whether the settings want a game with `n` matching positions.
    fn wants(&self, n: usize) -> bool {
        match self.program.settings.matchcount {
            Some((min, max)) => {
                i64::try_from(n).is_ok_and(|n| (i64::from(min)..=i64::from(max)).contains(&n))
            }
            None => n > 0 || self.state.selected,
        }
    }
}

impl Worker for GameWorker<'_> {
    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut ChunkOutput) {
        let program = self.program;
        if self.hope.is_lost() {
            return;
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = raw.clean_text(&mut buffer);
        self.state.start_game(program);
        self.tags.scan(text);
        let tags = self.tags.tags(text);

        let record = Record::new(number, tags, None, raw.text);
        let positions = Positions::new(self.search.of(&self.tree));
        let excluded = !passes_filters_of_tags(program, &record)
            || !Evaluator::new(program, positions, &record, &mut self.state).guard_holds();
        if !excluded || self.wants(0) {
            let variant = tags.variant();
            if let Variant::Other(other) = variant
                && other != OtherVariant::Unknown
            {
                out.fault(raw, number, FaultKind::Variant, other.to_string());
                self.buffer = buffer;
                return;
            }
            self.tree.parse(tags);
            // A name that is not known may be one of the normal game: the moves decide.
            if matches!(variant, Variant::Other(_)) && self.tree.illegal_move_at().is_some() {
                let name = tags.raw(b"Variant").unwrap_or_default();
                out.fault(
                    raw,
                    number,
                    FaultKind::Variant,
                    String::from_utf8_lossy(name),
                );
                self.buffer = buffer;
                return;
            }
            self.search.build(&self.tree, program.settings.variations);
            let record = Record::new(number, tags, Some(&self.tree), raw.text);
            let searched = self.search.of(&self.tree);
            out.n_positions += searched.len() as u64;
            let positions = Positions::new(searched);
            let excluded = excluded || !passes_results(program, &record);
            if !excluded {
                Evaluator::new(program, positions, &record, &mut self.state).search();
            }
            let n_matches = self.state.matched.len();
            out.messages.extend_from_slice(&self.state.messages);
            if let Some(fault) = self.state.fault.take() {
                let kind = match fault.is_limit {
                    true => FaultKind::Limit,
                    false => FaultKind::Evaluation,
                };
                if fault.is_limit {
                    let first = program.settings.gamenumber.map_or(1, |(first, _)| first);
                    let first = u64::try_from(first).unwrap_or(1).max(1);
                    self.hope.lose(number - first.min(number));
                }
                out.fault(raw, number, kind, program.locate(&fault));
            } else if self.wants(n_matches) {
                out.n_matching_positions += n_matches as u64;
                self.write(number, text, out);
            }
        }
        self.buffer = buffer;
    }
}

impl GameWorker<'_> {
    /// The positions of the last game that matched, with what the query wrote there.
    pub(crate) fn matched_positions(&self) -> Vec<MatchedPosition> {
        let searched = self.search.of(&self.tree);
        let notes = self.state.all_notes(self.program);
        let position = |&id: &u32| MatchedPosition {
            id,
            ply: searched.ply(id as usize) as u32,
            fen: self.tree.fen(searched.node(id as usize)),
            comments: notes
                .iter()
                .filter(|note| note.position == id)
                .map(|note| note.text.to_vec())
                .collect(),
        };
        self.state.matched.iter().map(position).collect()
    }

    /// The keys of a game with the labels of the `sort` filters.
    pub(crate) fn sort_values(&self, keys: Vec<SortKey>) -> Vec<SortedValue> {
        let mut labels: Vec<&[u8]> = self.program.sorts.iter().map(|s| &*s.label).collect();
        if let Some(place) = self.program.place_of_matchcount() {
            labels.insert(place, b"matchcount");
        }
        labels
            .into_iter()
            .zip(keys)
            .map(|(label, value)| SortedValue {
                label: String::from_utf8_lossy(label).into_owned(),
                value,
            })
            .collect()
    }

    /// Writes the current game with what the query added to it.
    fn write(&mut self, number: u64, text: &[u8], out: &mut ChunkOutput) {
        let program = self.program;
        let settings = &program.settings;
        let searched = self.search.of(&self.tree);
        let edits = &mut self.edits;
        edits.clear();
        if settings.level != CommentLevel::Silent {
            if !settings.no_header {
                edits.add_comment(0, format!("Game number {number}").as_bytes());
            }
            let notes = self.state.all_notes(program);
            for note in notes {
                edits.add_comment(searched.node(note.position as usize), &note.text);
            }
            edits.add_comment(0, &self.state.sort_text(program));
        }
        for &position in &self.state.removed {
            edits.remove_comment(searched.node(position as usize));
        }
        for (name, value) in &self.state.tags {
            edits.set_tag(name, value);
        }
        let start = out.text.len();
        let options = WriteOptions {
            output_buffer: settings.output_buffer,
            unique_comments: settings.unique_comments,
        };
        let written = write_game(
            &mut out.text,
            self.tags.tags(text),
            &self.tree,
            edits,
            &options,
        );
        for _ in 0..written.ignored_comments {
            let notice = format!("\nIgnoring long comment in game: {number}\n\n");
            out.messages.extend_from_slice(notice.as_bytes());
        }
        let mut sort_keys: Vec<SortKey> = self
            .state
            .sorts
            .iter()
            .map(|sort| match &sort.best {
                None => SortKey::None,
                Some(SortValue::Number(value)) => SortKey::Number(i64::from(*value)),
                Some(SortValue::Text(value)) => SortKey::Text(value.clone()),
            })
            .collect();
        if let Some(place) = program.place_of_matchcount() {
            sort_keys.insert(place, SortKey::Number(self.state.matched.len() as i64));
        }
        out.matches.push(Match {
            number,
            text: start..out.text.len(),
            sort_keys,
        });
    }
}

/// The game filters that need nothing but tags.
fn passes_filters_of_tags(program: &Program, record: &Record<'_>) -> bool {
    let settings = &program.settings;
    if let Some((min, max)) = settings.year
        && record
            .year()
            .is_none_or(|year| !(min..=max).contains(&year))
    {
        return false;
    }
    match &settings.player {
        Some(player) => record.players().iter().any(|name| player.is_match(name)),
        None => true,
    }
}

fn passes_results(program: &Program, record: &Record<'_>) -> bool {
    let results = &program.settings.results;
    results.iter().all(|&r| record.result() == Some(r))
}
