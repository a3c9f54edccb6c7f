//! What a worker keeps while it goes from position to position and from game to game.

use std::collections::{HashMap, HashSet};

use board::SquareSet;
use ecma_regex::{Captures, Regex};

use super::entries::Entries;
use super::fault::Fault;
use super::keyed::Keyed;
use super::notes::{Note, Notes};
use super::path::progress::PathStatus;
use super::path::sketch::MoveSketches;
use super::path::table::Table;
use super::path::task::Task;
use super::pieces::Identities;
use super::slot::Slot;
use super::sorted::{SortState, SortValue};
use super::track::Tracker;
use super::ways::Way;
use crate::files::Files;
use crate::outside::Asked;
use crate::row::RowValue;
use compiler::program::Program;

/// What a game has for the plan of an echo.
#[derive(Debug, Default)]
pub(crate) struct EchoCandidates {
    /// The positions that meet the conditions on the second position, with a hash of the values
    /// of their keys, in ascending order of both.
    pub(super) positions: Vec<(u64, u32)>,
    /// The least and the greatest of these positions.
    pub(super) ends: Option<(u32, u32)>,
}

/// What a `find` knows of a game of one line: from `from` on, this is the first position that
/// matches, if there is one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchedLine {
    pub(super) from: u32,
    pub(super) found: Option<u32>,
}

/// What the conditions say about a position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(super) matched: bool,
    pub(super) marked: bool,
}

/// The state of a worker.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// An evaluator has been at work on the current game, or else nothing is left of any game.
    is_used: bool,
    /// By variable.
    pub(crate) slots: Vec<Slot>,
    /// By dictionary.
    pub(crate) dictionaries: Vec<Entries>,
    /// Bytes of the texts and entries that variables and dictionaries hold.
    pub(crate) held: usize,
    /// Comments in order of creation.
    pub(crate) notes: Notes,
    /// The comments that nothing will drop any more, to find equal ones.
    pub(crate) distinct: HashSet<Note>,
    /// With smart comments off: comments that nothing drops.
    pub(crate) kept_notes: Notes,
    /// By sort variable.
    pub(crate) sorts: Vec<SortState>,
    /// The positions that match the query.
    pub(crate) matched: Vec<u32>,
    /// The values of the named expressions at these positions, if there are any.
    pub(crate) values: Vec<Vec<RowValue>>,
    /// No marker stands at these positions.
    pub(crate) unmarked: bool,
    /// By `sort` filter: the comments of its best value.
    pub(crate) sort_notes: Vec<Notes>,
    /// Bytes and number of these.
    pub(crate) sort_notes_size: (usize, usize),
    /// The game matches, whether or not a position does.
    pub(crate) selected: bool,
    /// By position: the way to it; empty until somebody asks.
    pub(crate) ways: Vec<Way>,
    /// By position: what conditions of the whole game say about it; empty until they are asked.
    pub(crate) verdicts: Vec<Verdict>,
    /// Positions whose comment of the file is left out.
    pub(crate) removed: Vec<u32>,
    /// Tags to be written.
    pub(crate) tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// Tags that are left out.
    pub(crate) removed_tags: Vec<Vec<u8>>,
    /// Of the last regular expression that was tried.
    pub(crate) captures: Captures,
    /// Those that the query made, by their patterns.
    pub(crate) regexes: HashMap<Vec<u8>, Regex>,
    pub(crate) fault: Option<Fault>,
    /// Steps that this game may take.
    pub(crate) steps: u64,
    /// Steps that it has taken.
    pub(crate) spent: u64,
    /// How many positions have been imagined.
    pub(crate) n_imagined: u32,
    /// Variables or dictionaries may hold an imagined position.
    pub(crate) imagined_is_kept: bool,
    /// Bytes written so far: messages, tags, values and files.
    pub(crate) written: u64,
    /// Printed by `message`.
    pub(crate) messages: Vec<u8>,
    /// The pieces of this game; filled when asked.
    pub(crate) identities: Identities,
    /// The moves of this game in brief; filled when asked.
    pub(crate) move_sketches: MoveSketches,
    /// Of the most recent successful path of this game.
    pub(crate) path_status: Option<PathStatus>,
    /// By path and line that is searched with a table.
    pub(crate) tables: Vec<Table>,
    /// By path that is searched with a table and whose filters look at variables.
    pub(crate) keyed_tables: Vec<Keyed<Table>>,
    /// Memory for the search of a path.
    pub(crate) path_tasks: Vec<Task>,
    /// By path: positions that `nestban` bans, in ascending order.
    pub(crate) banned: Vec<Vec<u32>>,
    /// By plan of an echo: what this game has for it.
    pub(crate) echo_candidates: Vec<Option<EchoCandidates>>,
    /// By finder: what this game has been searched for.
    pub(crate) searched_lines: Vec<Keyed<Option<SearchedLine>>>,
    /// By filter that keeps state (`line`, `consecutivemoves`).
    pub(crate) trackers: Vec<Tracker>,
    /// `hhdb composer`, computed once a game.
    pub(crate) composer: Option<Option<Vec<u8>>>,
    /// Number of games of the input (`lastgamenumber`).
    pub(crate) last_game_number: i32,
    /// For `readfile` and `writefile`.
    pub(crate) files: Files,
    pub(crate) programs: Asked,
}

impl State {
    pub(crate) fn new(program: &Program) -> State {
        let mut state = State {
            slots: vec![Slot::Unbound; program.variables.len()],
            dictionaries: vec![Entries::default(); program.dictionaries.len()],
            sorts: program.sorts.iter().map(|_| SortState::default()).collect(),
            sort_notes: vec![Notes::default(); program.n_sort_filters as usize],
            echo_candidates: program.echo_plans.iter().map(|_| None).collect(),
            searched_lines: program.finders.iter().map(|_| Keyed::default()).collect(),
            banned: vec![Vec::new(); program.n_paths as usize],
            trackers: vec![Tracker::default(); program.n_trackers as usize],
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

    /// Forgets the last game. Persistent variables and dictionaries stay.
    pub(crate) fn start_game(&mut self, program: &Program) {
        self.captures = Captures::default();
        self.fault = None;
        self.steps = program.settings.limits.steps;
        self.spent = 0;
        self.composer = None;
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
        self.verdicts.clear();
        self.ways.clear();
        self.removed.clear();
        self.tags.clear();
        self.removed_tags.clear();
        self.messages.clear();
        self.identities.clear();
        self.move_sketches.clear();
        self.path_status = None;
        self.tables.iter_mut().for_each(Table::forget);
        self.keyed_tables.iter_mut().for_each(Keyed::forget);
        self.banned.iter_mut().for_each(Vec::clear);
        self.trackers
            .iter_mut()
            .for_each(|t| *t = Tracker::default());
        self.echo_candidates.fill_with(|| None);
        self.searched_lines.iter_mut().for_each(Keyed::forget);
    }

    /// Notes that an evaluator is going to be at work.
    #[inline]
    pub(super) fn take_up(&mut self) {
        self.is_used = true;
    }

    /// Forgets what the query did to the current game.
    pub(crate) fn undo(&mut self) {
        self.notes.clear();
        self.kept_notes.clear();
        self.clear_sort_notes();
        self.trackers
            .iter_mut()
            .for_each(|t| *t = Tracker::default());
        for sort in &mut self.sorts {
            sort.best = None;
        }
        self.matched.clear();
        self.values.clear();
        self.removed.clear();
        self.tags.clear();
        self.removed_tags.clear();
    }

    /// Of the comments made since `mark`, which nothing will drop any more, keeps those that are
    /// not there yet. Only so does the memory for them stay within what can be written.
    pub(crate) fn keep_distinct(&mut self, program: &Program, mark: usize) {
        if !program.settings.writing.unique_comments || self.notes.len() == mark {
            return;
        }
        self.notes.keep_new(mark, &mut self.distinct);
    }

    fn clear_sort_notes(&mut self) {
        self.sort_notes.iter_mut().for_each(Notes::clear);
        self.sort_notes_size = (0, 0);
    }

    /// Shows all comments of the game as they are to be written: in the order of their creation,
    /// then those of `consecutivemoves`, then those of the `sort` filters.
    pub(crate) fn for_each_note(&self, program: &Program, mut show: impl FnMut(&Note)) {
        self.kept_notes.iter().for_each(&mut show);
        self.notes.iter().for_each(&mut show);
        for tracker in &self.trackers {
            tracker
                .notes(program, &self.matched)
                .iter()
                .for_each(&mut show);
        }
        self.sort_notes
            .iter()
            .flat_map(|notes| notes.iter())
            .for_each(show);
    }

    /// The values of the sort variables, for the first comment of the game.
    pub(crate) fn sort_text(&self, program: &Program) -> Vec<u8> {
        let mut text = Vec::new();
        let matchcount = match program.settings.sort_matchcount {
            true => format!(" matchcount: {}", self.matched.len()),
            false => String::new(),
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
