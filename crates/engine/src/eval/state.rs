//! The state that a worker keeps from position to position and from game to game.

use std::collections::{HashMap, HashSet};

use board::{LikenessMemo, SquareSet};
use ecma_regex::{Captures, Regex};
use flow::Cancel;
use openings::Opening;

use super::entries::Entries;
use super::fault::EvalError;
use super::keyed::Keyed;
use super::notes::{CommentList, Note};
use super::path::progress::PathStatus;
use super::path::sketch::MoveSketches;
use super::path::table::MemoTable;
use super::path::task::PathTask;
use super::pieces::Identities;
use super::slot::Slot;
use super::sorted::{SortState, SortValue};
use super::track::Tracker;
use super::ways::Ways;
use crate::files::BoxedFileAccess;
use crate::outside::BoxedPrograms;
use crate::row::RowValue;
use compiler::program::{NumFilter, Program};

/// Number of steps that the test for an equal comment costs.
const STEPS_TO_LOOK_UP: u64 = 12;

/// Number of steps between two looks at the cancellation, which take a few milliseconds.
pub(super) const STEPS_BETWEEN_LOOKS: u64 = 1 << 18;

/// Positions of a game for the plan of an echo.
#[derive(Debug, Default)]
pub(crate) struct EchoCandidates {
    /// The positions that meet the conditions on the second position, with a hash of the values
    /// of their keys, in ascending order of both.
    pub(super) positions: Vec<(u64, u32)>,
    /// The least and the greatest of these positions.
    pub(super) ends: Option<(u32, u32)>,
}

/// The result of a `find` in a game without variations: from `from` on, `found` is the first
/// position that matches, or `None` if none does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedLine {
    pub(super) from: u32,
    pub(super) found: Option<u32>,
}

/// All results of a `find` that counts, in a game without variations: `found` has the positions that
/// match, the last one first, among the last `n_known` of the game.
#[derive(Debug, Default)]
pub(crate) struct CountedLine {
    pub(super) n_known: u32,
    pub(super) found: Vec<u32>,
}

/// Result of the conditions of a `WholeGame` filter for one position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PositionResult {
    pub(super) matched: bool,
    pub(super) marked: bool,
}

/// The state of a worker.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Whether an evaluator has worked on the current game. If not, no data of any game are left.
    is_used: bool,
    /// Values, by variable.
    pub(crate) slots: Vec<Slot>,
    /// Entries, by dictionary.
    pub(crate) dictionaries: Vec<Entries>,
    /// Number of bytes of the texts and entries that variables and dictionaries hold.
    pub(crate) held: usize,
    /// Comments in order of creation.
    pub(crate) notes: CommentList,
    /// Comments that can no longer be dropped, used to find equal ones.
    pub(crate) distinct: HashSet<Note>,
    /// With smart comments off: the comments, which are never dropped.
    pub(crate) kept_notes: CommentList,
    /// Best values, by sort variable.
    pub(crate) sorts: Vec<SortState>,
    /// The positions that match the query.
    pub(crate) matched: Vec<u32>,
    /// Values of the named expressions at these positions; empty if the query has no such
    /// expressions.
    pub(crate) values: Vec<Vec<RowValue>>,
    /// Whether the marker is omitted at these positions.
    pub(crate) unmarked: bool,
    /// Comments of the best value, by `sort` filter.
    pub(crate) sort_notes: Vec<CommentList>,
    /// Total number of bytes and number of comments in `sort_notes`.
    pub(crate) sort_notes_size: (usize, usize),
    /// Whether the game matches even if none of its positions does.
    pub(crate) selected: bool,
    /// Way to each position; filled at the first use.
    pub(crate) ways: Ways,
    /// Results of the conditions on the whole game for each position; empty until they are
    /// evaluated.
    pub(crate) whole_game: Vec<PositionResult>,
    /// Positions whose comments in the file are omitted.
    pub(crate) removed: Vec<u32>,
    /// Tags to be written.
    pub(crate) tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// Tags that are omitted.
    pub(crate) removed_tags: Vec<Vec<u8>>,
    /// Capture groups of the last regular expression that was tried.
    pub(crate) captures: Captures,
    /// Regular expressions made by the query, by their patterns.
    pub(crate) regexes: HashMap<Vec<u8>, Regex>,
    pub(crate) fault: Option<EvalError>,
    /// Number of steps that this game may take.
    pub(crate) steps: u64,
    /// Number of steps that it has taken.
    pub(crate) spent: u64,
    /// Number of steps after which the limit and the cancellation are looked at.
    pub(crate) next_look: u64,
    /// Handle that cancels the run.
    pub(crate) cancel: Cancel,
    /// Number of positions that have been imagined.
    pub(crate) n_imagined: u32,
    /// Whether a variable or dictionary may hold an imagined position.
    pub(crate) imagined_is_kept: bool,
    /// Number of bytes written so far: messages, tags, values and files.
    pub(crate) written: u64,
    /// Text printed by `message`.
    pub(crate) messages: Vec<u8>,
    /// The pieces of this game; filled at the first use.
    pub(crate) identities: Identities,
    /// Short descriptions of the moves of this game; filled at the first use.
    pub(crate) move_sketches: MoveSketches,
    /// The most recent path that matched in this game.
    pub(crate) path_status: Option<PathStatus>,
    /// Tables, by path and line that is searched with a table.
    pub(crate) tables: Vec<MemoTable>,
    /// Tables, by path that is searched with a table and whose filters depend on variables.
    pub(crate) keyed_tables: Vec<Keyed<MemoTable>>,
    /// Memory for the search of a path.
    pub(crate) path_tasks: Vec<PathTask>,
    /// Positions banned by `nestban`, in ascending order, by path.
    pub(crate) banned: Vec<Vec<u32>>,
    /// Possible targets in this game, by plan of an echo.
    pub(crate) echo_candidates: Vec<Option<EchoCandidates>>,
    /// Memory for the positions from which an echo may match.
    pub(crate) echo_sources: Vec<u64>,
    /// Results of searches in this game, by finder.
    pub(crate) searched_lines: Vec<Keyed<Option<SearchedLine>>>,
    /// For each finder of a `find` that counts, and for values of its variables, all results.
    pub(crate) counted_lines: Vec<Keyed<CountedLine>>,
    /// State of other filters that keep some (`line`, `consecutivemoves`, `relation`).
    pub(crate) trackers: Vec<Tracker>,
    /// Value of `hhdb composer`, computed once per game.
    pub(crate) composer: Option<Option<Vec<u8>>>,
    /// Opening of the game, looked up once per game.
    pub(crate) opening: Option<Option<Opening>>,
    /// Memos of all numbers, if `likeness` is among them.
    pub(crate) likeness_memos: Vec<LikenessMemo>,
    /// Number of games of the input (`lastgamenumber`).
    pub(crate) last_game_number: i32,
    /// Files for `readfile` and `writefile`.
    pub(crate) files: BoxedFileAccess,
    pub(crate) programs: BoxedPrograms,
}

impl State {
    pub(crate) fn new(program: &Program, cancel: &Cancel) -> State {
        let mut state = State {
            cancel: cancel.clone(),
            slots: vec![Slot::Unbound; program.variables.len()],
            dictionaries: vec![Entries::default(); program.dictionaries.len()],
            sorts: program.sorts.iter().map(|_| SortState::default()).collect(),
            sort_notes: vec![CommentList::default(); program.n_sort_filters as usize],
            echo_candidates: program.echo_plans.iter().map(|_| None).collect(),
            searched_lines: program.finders.iter().map(|_| Keyed::default()).collect(),
            counted_lines: program.finders.iter().map(|_| Keyed::default()).collect(),
            banned: vec![Vec::new(); program.n_paths as usize],
            trackers: vec![Tracker::default(); program.n_trackers as usize],
            likeness_memos: if program.nums.iter().any(|n| matches!(n, NumFilter::Likeness(_))) {
                vec![LikenessMemo::default(); program.nums.len()]
            } else {
                Vec::new()
            },
            ..State::default()
        };
        for (slot, variable) in state.slots.iter_mut().zip(&program.variables) {
            use syntax::tree::VariableKind as K;
            if variable.persistent.is_some() {
                *slot = match variable.kind {
                    K::Set => Slot::Set(SquareSet::EMPTY),
                    K::Numeric => Slot::Number(0),
                    K::String => Slot::Text(Vec::new()),
                    K::Position | K::Piece => Slot::Unbound,
                };
            }
        }
        state
    }

    /// Forgets the last game. Persistent variables and dictionaries keep their values.
    pub(crate) fn start_game(&mut self, program: &Program) {
        self.captures = Captures::default();
        self.fault = None;
        self.steps = program.settings.limits.steps;
        self.spent = 0;
        self.next_look = self.steps.min(STEPS_BETWEEN_LOOKS);
        self.composer = None;
        self.opening = None;
        self.written = 0;
        self.n_imagined = 0;
        if !self.is_used {
            return;
        }
        self.is_used = false;
        for (slot, variable) in self.slots.iter_mut().zip(&program.variables) {
            if variable.persistent.is_none() && *slot != Slot::Unbound {
                self.held = self.held.saturating_sub(slot.text_len());
                *slot = Slot::Unbound;
            }
        }
        for (map, dictionary) in self.dictionaries.iter_mut().zip(&program.dictionaries) {
            if dictionary.local && map.len() > 0 {
                self.held = self.held.saturating_sub(map.n_bytes());
                map.clear();
            }
        }
        self.notes.clear();
        self.distinct.clear();
        self.kept_notes.clear();
        for sort in &mut self.sorts {
            sort.best = None;
        }
        self.clear_sort_notes();
        self.matched.clear();
        self.values.clear();
        self.selected = false;
        self.whole_game.clear();
        self.ways.clear();
        self.removed.clear();
        self.tags.clear();
        self.removed_tags.clear();
        self.messages.clear();
        self.identities.clear();
        self.move_sketches.clear();
        self.path_status = None;
        self.tables.iter_mut().for_each(MemoTable::forget);
        self.keyed_tables.iter_mut().for_each(Keyed::forget);
        self.banned.iter_mut().for_each(Vec::clear);
        self.trackers.iter_mut().for_each(|t| *t = Tracker::default());
        self.echo_candidates.fill_with(|| None);
        self.searched_lines.iter_mut().for_each(Keyed::forget);
        self.counted_lines.iter_mut().for_each(Keyed::forget);
    }

    /// Records that an evaluator starts to work on the game.
    #[inline]
    pub(super) fn take_up(&mut self) {
        self.is_used = true;
    }

    /// Records that `n` positions match, of which only the number is wanted.
    pub(crate) fn count_matches(&mut self, n: u32) {
        self.take_up();
        self.matched.extend(0..n);
    }

    /// Forgets the effects of the query on the current game.
    pub(crate) fn undo(&mut self) {
        self.notes.clear();
        self.kept_notes.clear();
        self.clear_sort_notes();
        self.trackers.iter_mut().for_each(|t| *t = Tracker::default());
        for sort in &mut self.sorts {
            sort.best = None;
        }
        self.matched.clear();
        self.values.clear();
        self.removed.clear();
        self.tags.clear();
        self.removed_tags.clear();
    }

    /// Removes duplicates from the comments made since `mark`, which can no longer be dropped. This
    /// keeps their memory within the size of what can be written.
    pub(crate) fn keep_distinct(&mut self, program: &Program, mark: usize) {
        if !program.settings.writing.unique_comments || self.notes.len() == mark {
            return;
        }
        // They are looked up among all that the game has so far.
        self.spent += STEPS_TO_LOOK_UP * (self.notes.len() - mark) as u64;
        self.notes.keep_new(mark, &mut self.distinct);
    }

    fn clear_sort_notes(&mut self) {
        self.sort_notes.iter_mut().for_each(CommentList::clear);
        self.sort_notes_size = (0, 0);
    }

    /// Calls `show` with all comments of the game in the order in which they are written: by
    /// creation, then those of `consecutivemoves` and `relation`, then those of the `sort` filters.
    pub(crate) fn for_each_note(&self, program: &Program, mut show: impl FnMut(&Note)) {
        self.kept_notes.iter().for_each(&mut show);
        self.notes.iter().for_each(&mut show);
        for tracker in &self.trackers {
            tracker.notes(program, &self.matched).iter().for_each(&mut show);
        }
        self.sort_notes.iter().flat_map(|notes| notes.iter()).for_each(show);
    }

    /// Returns the values of the sort variables, as text for the first comment of the game.
    pub(crate) fn sort_text(&self, program: &Program) -> Vec<u8> {
        let mut text = Vec::new();
        let matchcount = if program.settings.sort_matchcount {
            format!(" matchcount: {}", self.matched.len())
        } else {
            String::new()
        };
        if program.settings.matchcount_first {
            text.extend_from_slice(matchcount.as_bytes());
        }
        for (state, variable) in self.sorts.iter().zip(&program.sorts) {
            if variable.quiet {
                continue;
            }
            text.push(b' ');
            text.extend_from_slice(&variable.label);
            text.extend_from_slice(b": ");
            match &state.best {
                None => text.extend_from_slice(b"none"),
                Some(SortValue::Number(value)) => text.extend(value.to_string().bytes()),
                Some(SortValue::Text(value)) => text.extend_from_slice(value),
            }
        }
        if !program.settings.matchcount_first {
            text.extend_from_slice(matchcount.as_bytes());
        }
        text
    }
}
