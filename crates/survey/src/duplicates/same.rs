//! Compares games: the rules for two of them, and the duplicates among many.

use std::cmp::Reverse;
use std::sync::LazyLock;

use archive::{Coverage, Flags, StoredGame};
use board::{Color, Move, Position, Start};
use pgn::{Date, GameResult, GameTree, MoveCode, Player, Step, Tags, decode};

use super::keys::{Keys, key};
use super::{Duplicate, DuplicateKind, Rules};

/// Number of half-moves below which the moves do not identify a game.
pub(super) const SHORT: usize = 20;

/// Tags that must be equal in short games besides their moves.
const ROSTER: [&[u8]; 7] = [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];

/// Data of a game that are compared with those of others.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    number: u64,
    start: u64,
    moves: Vec<u16>,
    roster: u64,
    players: [Player; 2],
    date: Date,
    round: Vec<u8>,
    result: GameResult,
    n_notes: usize,
    n_tags: usize,
}

/// Start of a game and the moves of its main line, each with its two squares and the promotion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct MainlineKey {
    start: u64,
    pub(super) moves: Vec<u16>,
}

impl MainlineKey {
    pub(super) fn of_tree(tree: &GameTree) -> MainlineKey {
        let line = std::iter::successors(tree.next(0), |&node| tree.next(node));
        let moves = line.filter_map(|node| tree.move_to(node)).map(number_of);
        MainlineKey {
            start: match tree.rules() {
                board::Rules::Chess => start_of(&tree.positions()[0]),
                // In another variant, the same moves are another game.
                rules => key(&(rules, tree.situation(0))),
            },
            moves: moves.collect(),
        }
    }

    /// Returns the line of an archived game; `None` if its columns are damaged.
    pub(super) fn of_columns(game: StoredGame<'_>, tree: &mut GameTree) -> Option<MainlineKey> {
        // For most games the stored codes are the main line.
        if game.class() != Coverage::Plain || game.flags().has(Flags::FEN) {
            game.fill(tree).ok()?;
            return Some(MainlineKey::of_tree(tree));
        }
        static NORMAL: LazyLock<u64> = LazyLock::new(|| start_of(&Start::normal(false).position));
        let moves = game.moves().iter().map(|&code| match MoveCode(code).step() {
            Step::Move(mv) => Some(number_of(mv)),
            Step::Open | Step::Close => None,
        });
        Some(MainlineKey { start: *NORMAL, moves: moves.collect::<Option<_>>()? })
    }
}

fn number_of(mv: Move) -> u16 {
    if mv.is_drop() {
        return u16::from(mv.to().as_u8()) | (mv.role() as u16) << 12 | 1 << 15;
    }
    let promotion = mv.promotion().map_or(0, |role| role as u16);
    u16::from(mv.from().as_u8()) | u16::from(mv.to().as_u8()) << 6 | promotion << 12
}

fn start_of(position: &Position) -> u64 {
    key(&(position.board, position.turn, position.castling, position.en_passant))
}

fn roster(tags: Tags<'_>) -> u64 {
    key(&ROSTER.map(|name| tags.raw(name)))
}

fn player(tags: Tags<'_>, color: Color) -> Player {
    Player::of_name(&decode(&tags.player(color)))
}

/// Computes the keys of a game.
pub(super) fn keys(number: u64, tags: Tags<'_>, line: &MainlineKey, rules: Rules) -> Keys {
    let MainlineKey { start, moves } = line;
    let is_short = moves.len() < SHORT;
    let by_moves = rules.moves_only && !moves.is_empty();
    let whole = if is_short && !by_moves {
        key(&(start, moves, roster(tags)))
    } else {
        key(&(start, moves))
    };
    let players = Color::ALL.map(|color| player(tags, color).surname);
    let is_known = players.iter().all(|surname| !surname.is_empty());
    let beginning = if !is_short && is_known && !rules.moves_only {
        key(&(start, &moves[..SHORT], &players))
    } else {
        0
    };
    Keys { number, whole, beginning }
}

impl Compared {
    pub(super) fn new(
        number: u64,
        tags: Tags<'_>,
        line: MainlineKey,
        n_notes: usize,
        result: GameResult,
    ) -> Compared {
        let says_something =
            |value: &[u8]| !matches!(value, b"" | b"?" | b"-" | b"????.??.??" | b"*");
        let round = tags.round();
        Compared {
            number,
            start: line.start,
            moves: line.moves,
            roster: roster(tags),
            players: Color::ALL.map(|color| player(tags, color)),
            date: tags.date(),
            round: if says_something(round) { round.to_vec() } else { Vec::new() },
            result,
            n_notes,
            n_tags: tags.iter().filter(|tag| says_something(tag.1)).count(),
        }
    }

    fn players_may_be(&self, other: &Compared) -> bool {
        let mut players = self.players.iter().zip(&other.players);
        players.all(|(a, b)| a.may_be(b))
    }

    fn has_moves_of(&self, other: &Compared) -> bool {
        self.start == other.start && self.moves == other.moves
    }

    /// Whether both are the same game, with the same moves.
    fn equals(&self, other: &Compared, rules: Rules) -> bool {
        if !self.has_moves_of(other) {
            return false;
        }
        match self.moves.len() {
            0 => self.roster == other.roster,
            _ if rules.moves_only => true,
            1..SHORT => self.roster == other.roster,
            _ => self.players_may_be(other) && may_be_same(self.date.year, other.date.year, 0),
        }
    }

    /// Whether both are the same game, but one of them lacks the last moves.
    fn is_near(&self, other: &Compared) -> bool {
        let shorter = self.moves.len().min(other.moves.len());
        let is_known = |game: &Compared| game.players.iter().all(|player| !player.is_unknown());
        let (a, b) = (self.date, other.date);
        shorter >= SHORT
            && self.start == other.start
            && self.moves[..shorter] == other.moves[..shorter]
            && is_known(self)
            && is_known(other)
            && self.players_may_be(other)
            && may_be_same(a.year, b.year, 0)
            && may_be_same(a.month, b.month, 0)
            && may_be_same(a.day, b.day, 0)
            && may_be_same(self.result, other.result, GameResult::Unknown)
            && may_be_same(&*self.round, &*other.round, b"")
    }

    /// Returns the value by which the game to keep is chosen: the longest game, then the most
    /// comments, NAGs and variations, then the most tags, then the first one.
    fn worth(&self, rules: Rules) -> (usize, usize, usize, Reverse<u64>) {
        let number = Reverse(self.number);
        if rules.keeps_first {
            (0, 0, 0, number)
        } else {
            (self.moves.len(), self.n_notes, self.n_tags, number)
        }
    }
}

/// Whether two values are equal, or one of them is unknown.
fn may_be_same<T: PartialEq>(a: T, b: T, unknown: T) -> bool {
    a == b || a == unknown || b == unknown
}

/// Duplicates found by comparing games.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DuplicateSets {
    pub(super) duplicates: Vec<Duplicate>,
    /// Number of games with the same moves as another one that are not duplicates.
    pub(super) n_same_moves: u64,
}

/// Finds the duplicates among games.
pub(super) fn duplicates(games: &[Compared], rules: Rules) -> DuplicateSets {
    let mut found = DuplicateSets::default();
    // Sorting brings games that may be duplicates together, in input order.
    let mut sorted: Vec<&Compared> = games.iter().collect();
    let beginning = |game: &Compared| game.moves.iter().take(SHORT).copied().collect::<Vec<u16>>();
    sorted.sort_by_cached_key(|game| (game.start, beginning(game), game.number));
    let alike = sorted.chunk_by(|a, b| a.start == b.start && beginning(a) == beginning(b));
    for games in alike {
        let kept = gather(games, DuplicateKind::Equal, rules, &mut found.duplicates, |a, b| {
            a.equals(b, rules)
        });
        let mut lines: Vec<&Vec<u16>> = kept.iter().map(|game| &game.moves).collect();
        lines.sort();
        lines.dedup();
        let is_long = |game: &&&Compared| game.moves.len() >= SHORT;
        let n_lines = lines.iter().filter(|line| line.len() >= SHORT).count();
        found.n_same_moves += (kept.iter().filter(is_long).count() - n_lines) as u64;
        if !rules.moves_only {
            gather(&kept, DuplicateKind::Near, rules, &mut found.duplicates, |a, b| a.is_near(b));
        }
    }
    found.duplicates.sort_by_key(|duplicate| duplicate.number);
    found
}

/// Groups games in sets whose members are pairwise duplicates, and returns the game that is kept of
/// each set.
fn gather<'g>(
    games: &[&'g Compared],
    kind: DuplicateKind,
    rules: Rules,
    duplicates: &mut Vec<Duplicate>,
    is_same: impl Fn(&Compared, &Compared) -> bool,
) -> Vec<&'g Compared> {
    let mut sets: Vec<Vec<&Compared>> = Vec::new();
    for &game in games {
        let fits = |set: &&mut Vec<&Compared>| set.iter().all(|other| is_same(game, other));
        match sets.iter_mut().find(fits) {
            Some(set) => set.push(game),
            None => sets.push(vec![game]),
        }
    }
    let mut all_kept = Vec::new();
    for set in sets {
        let Some(&kept) = set.iter().max_by_key(|game| game.worth(rules)) else {
            continue;
        };
        all_kept.push(kept);
        let others = set.iter().filter(|game| game.number != kept.number);
        duplicates.extend(others.map(|game| Duplicate {
            number: game.number,
            of: kept.number,
            kind,
        }));
    }
    all_kept.sort_by_key(|game| game.number);
    all_kept
}

#[cfg(test)]
mod tests {
    use pgn::{RawGame, VariantNames};

    use super::super::look::{Comparer, Comparisons, GameComparer, GameReader, Keyed, Keyer};
    use super::*;

    const LONG: &str = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O \
                        9.h3 Nb8 10.d4 Nbd7";

    /// Checks the duplicates among games, one per string: tags and moves as
    /// `White=A|Date=1990.1.1|moves`.
    fn check_with(rules: Rules, games: &[&str], expected: &str) {
        let (mut reader, variants) = (GameReader::default(), VariantNames::default());
        let (mut compared, mut all_keys) = (Vec::new(), Vec::new());
        for (at, game) in games.iter().enumerate() {
            let mut text = String::new();
            for part in game.split('|') {
                match part.split_once('=') {
                    Some((name, value)) if !part.contains(' ') || part.contains(',') => {
                        text += &format!("[{name} \"{value}\"]\n");
                    }
                    _ => text += &format!("\n{part}\n"),
                }
            }
            let text = text.replace("LONG", LONG);
            let raw = RawGame::of(text.as_bytes());
            let number = at as u64 + 1;
            let (mut games, mut all) = (Comparisons::default(), Keyed::default());
            Comparer(&[number], &variants).read(&mut reader, &raw, number, &mut games);
            Keyer(rules, &variants).read(&mut reader, &raw, number, &mut all);
            compared.append(&mut games.0);
            all_keys.append(&mut all.keys);
        }
        // Only games that share a key are compared.
        let mut shown = Vec::new();
        for lot in super::super::keys::lots(all_keys, 0) {
            let of_lot = compared.iter().filter(|game| lot.contains(&game.number));
            let of_lot: Vec<Compared> = of_lot.cloned().collect();
            let found = duplicates(&of_lot, rules).duplicates;
            shown.extend(found.iter().map(|duplicate| {
                let Duplicate { number, of, kind } = *duplicate;
                let sign = if kind == DuplicateKind::Equal { '=' } else { '~' };
                format!("{number}{sign}{of}")
            }));
        }
        shown.sort();
        assert_eq!(shown.join(" "), expected, "{games:?}");
    }

    const BEST: Rules = Rules { moves_only: false, keeps_first: false };

    fn check(games: &[&str], expected: &str) {
        check_with(BEST, games, expected);
    }

    #[test]
    fn long_games_are_told_by_moves_players_and_year() {
        let a = "White=Karpov, Anatoly|Black=Kasparov, G|Date=1985.09.03|LONG 1-0";
        check(&[a, a], "2=1");
        check(&[a, "White=Karpov,A|Black=KASPAROV, Garry|Date=1985.??.??|LONG 1-0"], "2=1");
        // The game with more tags or more comments is kept.
        check(&["White=Karpov,A|Black=?|LONG *", a], "1=2");
        check(&[a, "White=Karpov,A|Black=Kasparov,G|LONG {good} 1-0"], "1=2");
        check(&[a, "White=Karpov,A|Black=Kasparov,G|Date=1986.09.03|LONG 1-0"], "");
        check(&[a, "White=Kasparov,G|Black=Karpov,A|LONG 1-0"], "");
        check(
            &[a, "White=Karpov,A|Black=Kasparov,G|FEN=4k3/8/8/8/8/8/8/4K3 w - - 0 1,|1.Kd2 *"],
            "",
        );
        // An unknown player matches all others, but not two different ones at once.
        let [b, c] = ["White=Short,N|Black=Adams,M|LONG *", "White=?|Black=?|LONG *"];
        check(&[a, b, c], "3=1");
        check(&[c, a, b], "1=2");
        // Variations count as notes.
        check(&[a, "White=Karpov, Anatoly|Black=Kasparov, G|LONG (10...d5) 1-0"], "1=2");
    }

    #[test]
    fn short_games_need_the_same_tags() {
        check(&["White=A|1.e4 e5 *", "White=A|1.e4 e5 *"], "2=1");
        check(&["White=A|1.e4 e5 *", "White=B|1.e4 e5 *"], "");
        check(&["White=A|1.e4 e5 *", "1.e4 e5 *"], "");
        check(&["White=A|*", "White=A|*", "White=B|*", "*"], "2=1");
        check(&["White=A|1.e4 e5 *", "White=A|1.e4 *"], "");
    }

    #[test]
    fn one_game_may_be_the_beginning_of_another() {
        let a = "White=Karpov,A|Black=Kasparov,G|Date=1985.09.03|Round=1|LONG 11.c4 c6 1-0";
        let b = "White=Karpov,A|Black=Kasparov,G|Date=1985.09.??|LONG *";
        check(&[b, a], "1~2");
        check(&[a, b, b], "2~1 3=2");
        let first = Rules { keeps_first: true, ..BEST };
        check_with(first, &[b, a], "2~1");
        for other in [
            "White=Karpov,A|Black=Kasparov,G|Date=1985.09.04|LONG *",
            "White=Karpov,A|Black=Kasparov,G|Date=1985.09.03|Round=2|LONG *",
            "White=Karpov,A|Black=Kasparov,G|Date=1985.09.03|LONG 0-1",
            "White=Karpov,A|Black=Kasparov,G|Date=1985.09.03|LONG 11.a4 1-0",
            "White=Karpov,A|Black=?|Date=1985.09.03|LONG 1-0",
            "White=Karpov,A|Black=Kasparov,G|Date=1985.09.03|1.e4 e5 1-0",
        ] {
            check(&[other, a], "");
        }
    }

    #[test]
    fn moves_alone_may_count() {
        let moves_only = Rules { moves_only: true, ..BEST };
        let games = [
            "White=A|Black=B|LONG *",
            "White=C|Black=D|Date=1990.1.1|LONG *",
            "White=A|1.e4 *",
            "White=B|1.e4 *",
            "White=A|*",
            "White=B|*",
            "White=A|Black=B|LONG 11.c4 *",
        ];
        check_with(moves_only, &games, "1=2 4=3");
        check(&games, "1~7");
    }
}
