//! The keywords, the lists that they belong to, and those of extensions.

use super::tree::{RayKind, SideToMove, Transform};
use crate::builtin::{Predicate, Turn};

/// A keyword of a match list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MatchKey {
    Pgn,
    Output,
    Year,
    Result,
    GameNumber,
    Player,
    ForAny,
}

/// A keyword of a position list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PositionKey {
    Predicate(Predicate),
    Turn(Turn),
    NoCheck,
    Flag(Flag),
    Transform(Transform),
    MoveFrom,
    MoveTo,
    Promote,
    MoveNumber,
    PieceCount,
    AttackCount,
    Power,
    PowerDifference,
    Ray(RayKind),
    Elo,
    WhiteElo,
    BlackElo,
    Result,
    And,
    Or,
    Not,
    Sequence { gapped: bool },
    MatchCount,
    TransformMatchCount,
    Accumulate,
    SumRange,
    TagMatch,
    Relation,
}

impl PositionKey {
    /// Whether the keyword is a condition: without it, the list matches at least as often.
    pub(super) fn is_condition(self) -> bool {
        use PositionKey as K;
        match self {
            K::Flag(flag) => matches!(flag, Flag::EnPassant | Flag::NoEnPassant),
            K::Transform(_) | K::Not | K::MatchCount | K::TransformMatchCount => false,
            K::Accumulate | K::SumRange => false,
            _ => true,
        }
    }
}

/// A keyword that sets a property of the whole list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flag {
    EnPassant,
    NoEnPassant,
    Variations,
    VariationsOnly,
    MarkAll,
    NoAnnotate,
}

/// A keyword of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RelationKey {
    Pattern,
    Shift,
    Flip,
    Variations,
    VariationsOnly,
    Side(SideToMove),
    Different,
    Same,
    Missing,
    New,
}

const MATCH: &[(&str, MatchKey)] = &[
    ("pgn", MatchKey::Pgn),
    ("output", MatchKey::Output),
    ("year", MatchKey::Year),
    ("result", MatchKey::Result),
    ("gamenumber", MatchKey::GameNumber),
    ("player", MatchKey::Player),
    ("forany", MatchKey::ForAny),
];

const POSITION: &[(&str, PositionKey)] = {
    use PositionKey as K;
    &[
        ("mate", K::Predicate(Predicate::Mate)),
        ("stalemate", K::Predicate(Predicate::Stalemate)),
        ("check", K::Predicate(Predicate::Check)),
        ("nocheck", K::NoCheck),
        ("wtm", K::Turn(Turn::Wtm)),
        ("btm", K::Turn(Turn::Btm)),
        ("initial", K::Predicate(Predicate::Initial)),
        ("terminal", K::Predicate(Predicate::Terminal)),
        ("enpassant", K::Flag(Flag::EnPassant)),
        ("noenpassant", K::Flag(Flag::NoEnPassant)),
        ("variations", K::Flag(Flag::Variations)),
        ("variationsonly", K::Flag(Flag::VariationsOnly)),
        ("markall", K::Flag(Flag::MarkAll)),
        ("noannotate", K::Flag(Flag::NoAnnotate)),
        ("flip", K::Transform(Transform::Flip)),
        ("flipdihedral", K::Transform(Transform::Flip)),
        ("fliphorizontal", K::Transform(Transform::FlipHorizontal)),
        ("flipvertical", K::Transform(Transform::FlipVertical)),
        ("flipdiagonal", K::Transform(Transform::FlipDiagonal)),
        ("flipoffdiagonal", K::Transform(Transform::FlipOffDiagonal)),
        ("flipcolor", K::Transform(Transform::FlipColor)),
        ("shift", K::Transform(Transform::Shift)),
        ("shifthorizontal", K::Transform(Transform::ShiftHorizontal)),
        ("shiftvertical", K::Transform(Transform::ShiftVertical)),
        ("shiftdiagonal", K::Transform(Transform::ShiftDiagonal)),
        ("shiftmaindiagonal", K::Transform(Transform::ShiftMainDiagonal)),
        ("shiftoffdiagonal", K::Transform(Transform::ShiftOffDiagonal)),
        ("movefrom", K::MoveFrom),
        ("moveto", K::MoveTo),
        ("promote", K::Promote),
        ("movenumber", K::MoveNumber),
        ("piececount", K::PieceCount),
        ("attackcount", K::AttackCount),
        ("power", K::Power),
        ("powerdifference", K::PowerDifference),
        ("ray", K::Ray(RayKind::Any)),
        ("rayattack", K::Ray(RayKind::Attack)),
        ("rayorthogonal", K::Ray(RayKind::Orthogonal)),
        ("raydiagonal", K::Ray(RayKind::Diagonal)),
        ("rayhorizontal", K::Ray(RayKind::Horizontal)),
        ("rayvertical", K::Ray(RayKind::Vertical)),
        ("elo", K::Elo),
        ("whiteelo", K::WhiteElo),
        ("blackelo", K::BlackElo),
        ("result", K::Result),
        ("and", K::And),
        ("or", K::Or),
        ("not", K::Not),
        ("sequence", K::Sequence { gapped: false }),
        ("gappedsequence", K::Sequence { gapped: true }),
        ("matchcount", K::MatchCount),
        ("pretransformmatchcount", K::TransformMatchCount),
        ("accumulate", K::Accumulate),
        ("sumrange", K::SumRange),
        ("tagmatch", K::TagMatch),
        ("relation", K::Relation),
    ]
};

const RELATION: &[(&str, RelationKey)] = &[
    ("pattern", RelationKey::Pattern),
    ("shift", RelationKey::Shift),
    ("flip", RelationKey::Flip),
    ("variations", RelationKey::Variations),
    ("variationsonly", RelationKey::VariationsOnly),
    ("samesidetomove", RelationKey::Side(SideToMove::Same)),
    ("changesidetomove", RelationKey::Side(SideToMove::Other)),
    ("ignoresidetomove", RelationKey::Side(SideToMove::Any)),
    ("originaldifferentcount", RelationKey::Different),
    ("originalsamecount", RelationKey::Same),
    ("missingpiececount", RelationKey::Missing),
    ("newpiececount", RelationKey::New),
];

/// Keywords of CQL-S, a later superset of the language.
const EXTENSIONS: &[&str] = &[
    "xor",
    "cond",
    "fen",
    "halfmovenumber",
    "pawncount",
    "line",
    "doublecheck",
    "repetitioncount",
    "reset",
    "skip",
    "cut",
    "event",
    "site",
    "eco",
    "date",
    "round",
    "annotator",
    "country",
    "language",
    "timemode",
    "title",
    "gender",
    "ratingtype",
    "rating",
    "evaluation",
    "analysis",
];

/// Kinds of lists, each with keywords of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// `(match …)`
    Match,
    /// `(position …)`
    Position,
    /// The list after `:relation`.
    Relation,
}

impl ListKind {
    /// Returns the name, as messages have it.
    pub fn name(self) -> &'static str {
        match self {
            ListKind::Match => "match list",
            ListKind::Position => "position list",
            ListKind::Relation => "relation",
        }
    }

    /// Returns the keywords without their colons.
    pub fn words(self) -> Vec<&'static str> {
        match self {
            ListKind::Match => MATCH.iter().map(|(word, _)| *word).collect(),
            ListKind::Position => POSITION.iter().map(|(word, _)| *word).collect(),
            ListKind::Relation => RELATION.iter().map(|(word, _)| *word).collect(),
        }
    }

    /// Whether `word` is a keyword of this kind of list.
    pub(super) fn knows(self, word: &str) -> bool {
        self.words().contains(&word)
    }
}

fn find<K: Copy>(table: &[(&str, K)], word: &str) -> Option<K> {
    table.iter().find(|(name, _)| *name == word).map(|(_, key)| *key)
}

/// Returns a keyword of the match list, given its name without the colon.
pub(super) fn match_key(word: &str) -> Option<MatchKey> {
    find(MATCH, word)
}

/// Returns a keyword of a position list.
pub(super) fn position_key(word: &str) -> Option<PositionKey> {
    find(POSITION, word)
}

/// Returns a keyword of a relation.
pub(super) fn relation_key(word: &str) -> Option<RelationKey> {
    find(RELATION, word)
}

/// Whether the keyword belongs to an extension of the language.
pub(super) fn is_extension(word: &str) -> bool {
    EXTENSIONS.contains(&word) || word.starts_with("accumulate") && word != "accumulate"
}

/// Returns the keyword of `place` that is most similar to a misspelled one.
pub(super) fn nearest(place: ListKind, word: &str) -> Option<&'static str> {
    crate::parse::nearest(word, place.words())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_each_word_once() {
        for place in [ListKind::Match, ListKind::Position, ListKind::Relation] {
            let mut words = place.words();
            let n = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), n, "{place:?}");
            assert!(words.iter().all(|word| !is_extension(word)));
        }
    }

    #[test]
    fn misspelled_words_lead_to_the_right_ones() {
        for (place, word, want) in [
            (ListKind::Position, "Mate", Some("mate")),
            (ListKind::Position, "stalmate", Some("stalemate")),
            (ListKind::Position, "piecescount", Some("piececount")),
            (ListKind::Relation, "samesidetomov", Some("samesidetomove")),
            (ListKind::Match, "foo", None),
        ] {
            assert_eq!(nearest(place, word), want, "{word}");
        }
    }
}
