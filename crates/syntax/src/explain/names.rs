//! Explains pieces, squares, and filters without operands.

use crate::designator::{Block, Designator, PieceSet, square_name, square_names};
use crate::tree::{
    AwardKind, Color, EngineQuestion, EngineValue, HhdbFlag, HhdbText, Likeness, TextSource,
};

/// Describes a designator: `white rooks on rank 7`.
pub fn designator(designator: Designator) -> String {
    match (designator.pieces, designator.squares) {
        (PieceSet::ANYTHING, u64::MAX) => "squares".to_owned(),
        (PieceSet::ANYTHING, there) => squares(there),
        (men, u64::MAX) => pieces(men),
        (men, there) => format!("{} on {}", pieces(men), squares(there)),
    }
}

/// Describes the squares of a designator: ` on rank 7`; empty for all squares.
pub(super) fn place(word: &str, squares_there: u64) -> String {
    match squares_there {
        u64::MAX => String::new(),
        there => format!(" {word} {}", squares(there)),
    }
}

/// Describes pieces: `white queens, rooks or bishops`, `white rooks or black pawns`.
pub(super) fn pieces(men: PieceSet) -> String {
    let words: Vec<String> = by_color(men)
        .map(|(color, roles)| {
            let roles: Vec<String> = roles.iter().map(|role| format!("{role}s")).collect();
            format!("{color}{}", listed(&roles))
        })
        .collect();
    match words.as_slice() {
        [] => "no pieces".to_owned(),
        words => words.join(" or "),
    }
}

/// Describes one of these pieces: `a white rook or knight`, `the black king`. `None` stands for
/// anything, even an empty square.
pub(super) fn one_piece(men: PieceSet) -> Option<String> {
    if men == PieceSet::ANYTHING {
        return None;
    }
    let words: Vec<String> = by_color(men)
        .map(|(color, roles)| {
            let word = format!("{color}{}", listed(&roles));
            let article = match (color, roles.as_slice()) {
                ("white " | "black ", ["king"]) => "the",
                ("", ["empty square"]) => "an",
                _ => "a",
            };
            format!("{article} {word}")
        })
        .collect();
    (!words.is_empty()).then(|| words.join(" or "))
}

/// Whether only the king of one side is meant.
pub(super) fn is_king(men: PieceSet) -> bool {
    men == PieceSet::WHITE_KING || men == PieceSet::BLACK_KING
}

/// Names of the roles by their bits.
const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// Splits pieces by their color, each with the names of its roles.
fn by_color(men: PieceSet) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let mut rest = men;
    let mut take = |set: PieceSet| {
        let has_all = rest.contains(set);
        if has_all {
            rest = PieceSet(rest.0 & !set.0);
        }
        has_all
    };
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for (color, set) in [
        ("", PieceSet::WHITE.union(PieceSet::BLACK)),
        ("white ", PieceSet::WHITE),
        ("black ", PieceSet::BLACK),
    ] {
        let roles = if take(set) {
            vec!["piece"]
        } else {
            let pawns = PieceSet::PAWNS.0 & set.0;
            let roles = ROLES.iter().enumerate().rev();
            roles.filter(|(bit, _)| take(PieceSet(pawns << bit))).map(|(_, role)| *role).collect()
        };
        if !roles.is_empty() {
            found.push((color, roles));
        }
    }
    if take(PieceSet::EMPTY_SQUARE) {
        found.push(("", vec!["empty square"]));
    }
    found.into_iter()
}

/// Joins words as in a sentence: `a, b or c`.
fn listed<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Describes squares: `e4`, `rank 1`, `a1–d4`, or a list with `or`.
pub(super) fn squares(squares: u64) -> String {
    let list = || listed(&square_names(squares));
    match (squares.count_ones(), Block::of(squares)) {
        (0, _) => "no square".to_owned(),
        (1 | 2, _) | (_, None) => list(),
        (_, Some(Block { files, ranks })) => match (files, ranks) {
            ((0, 7), (0, 7)) => "any square".to_owned(),
            ((0, 7), (low, high)) if low == high => format!("rank {}", low + 1),
            ((0, 7), (low, high)) => format!("ranks {}–{}", low + 1, high + 1),
            ((left, right), (0, 7)) if left == right => {
                format!("the {}-file", &square_name(left)[..1])
            }
            _ => {
                let (first, last) = (squares.trailing_zeros(), 63 - squares.leading_zeros());
                format!("{}–{}", square_name(first), square_name(last))
            }
        },
    }
}

/// Describes piece types: `king`; bit 0 is pawn … bit 5 king.
pub(super) fn roles(roles: u8) -> String {
    let named = ROLES.iter().enumerate().rev();
    let words: Vec<&str> =
        named.filter(|(bit, _)| roles >> bit & 1 == 1).map(|(_, role)| *role).collect();
    match words.as_slice() {
        [] => "nothing".to_owned(),
        words => listed(words),
    }
}

pub(super) fn text_source(source: &TextSource) -> String {
    match source {
        TextSource::Player(Color::White) => "the name of White".to_owned(),
        TextSource::Player(Color::Black) => "the name of Black".to_owned(),
        TextSource::Players => "the name of either player".to_owned(),
        TextSource::Event => "the event".to_owned(),
        TextSource::Site => "the site".to_owned(),
        TextSource::Date => "the date".to_owned(),
        TextSource::EventDate => "the date of the event".to_owned(),
        TextSource::Eco => "the ECO code".to_owned(),
        TextSource::Tag(name) => format!("the tag {}", String::from_utf8_lossy(name)),
        TextSource::TagFen => "the tag FEN".to_owned(),
        TextSource::Fen => "the position as FEN".to_owned(),
        TextSource::OriginalComment => "the comment of the file on this move".to_owned(),
        TextSource::CurrentTransform => "the name of the current transform".to_owned(),
        TextSource::Hhdb(text) => hhdb_text(*text).to_owned(),
    }
}

fn hhdb_text(text: HhdbText) -> &'static str {
    match text {
        HhdbText::Composer => "the composer of the study",
        HhdbText::Diagram => "the diagram of the study",
        HhdbText::FirstComment => "the first comment of the study",
        HhdbText::Gbr => "the GBR code of the study",
        HhdbText::GbrMaterial => "the material of the GBR code",
        HhdbText::GbrPieces => "the pieces of the GBR code",
        HhdbText::GbrPawns => "the pawns of the GBR code",
        HhdbText::GbrKings => "the kings of the GBR code",
        HhdbText::Stipulation => "the stipulation of the study",
        HhdbText::Search => "the texts of the study",
    }
}

pub(super) fn hhdb_flag(flag: &HhdbFlag) -> String {
    match flag {
        HhdbFlag::Black(text) => format!("the study is flagged `{text}`"),
        HhdbFlag::Mark(text) => format!("the comment of the file has the mark `{text}`"),
        HhdbFlag::Cooked => "the study is cooked".to_owned(),
        HhdbFlag::Sound => "the study is sound".to_owned(),
        HhdbFlag::Unsound => "the study is unsound".to_owned(),
        HhdbFlag::Dual => "the study has a dual".to_owned(),
        HhdbFlag::Mainline => "the position is in the main line of the study".to_owned(),
        HhdbFlag::Variation => "the position is in a variation of the study".to_owned(),
    }
}

pub(super) fn award(kind: AwardKind) -> &'static str {
    match kind {
        AwardKind::Any => "award",
        AwardKind::Prize => "prize",
        AwardKind::HonorableMention => "honorable mention",
        AwardKind::Commendation => "commendation",
    }
}

/// Describes the question to an engine.
pub(super) fn engine(question: EngineQuestion) -> String {
    let what = match question.value {
        EngineValue::Score => "the score in centipawns from White's side",
        EngineValue::Mate => "the number of moves to mate (negative if Black mates)",
        EngineValue::BestMove => "the best move",
        EngineValue::From => "where the best move comes from",
        EngineValue::To => "where the best move goes",
        EngineValue::Pv => "the line of best moves",
        EngineValue::Win => "White's chance to win, in thousandths,",
        EngineValue::Draw => "the chance of a draw, in thousandths,",
        EngineValue::Loss => "White's chance to lose, in thousandths,",
    };
    let line = match (question.line, question.n_lines) {
        (1, 1) => String::new(),
        (line, n) => format!(", in line {line} of {n}"),
    };
    format!("{what} that the engine finds with {}{line}", question.limit)
}

/// Describes `likeness("FEN" …)`.
pub(super) fn likeness(likeness: &Likeness) -> String {
    let points: u32 = likeness.weights.iter().sum();
    let parts = Likeness::PARTS.iter().zip(likeness.weights).filter(|part| part.1 > 0);
    let parts: Vec<String> = parts.map(|(name, points)| format!("{name} {points}")).collect();
    format!("the likeness to the FEN (at most {points} points: {})", parts.join(", "))
}
