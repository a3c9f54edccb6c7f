//! The words for pieces, squares, and filters without operands.

use crate::designator::{Block, Designator, PieceSet, square_names};
use crate::tree::{AwardKind, Color, EngineQuestion, EngineValue, HhdbFlag, HhdbText, TextSource};

/// What a designator stands for: `white rooks on rank 7`.
pub fn designator(designator: Designator) -> String {
    let squares = squares(designator.squares);
    if designator.pieces == PieceSet::ANYTHING {
        return match designator.squares {
            u64::MAX => "squares".to_owned(),
            _ => squares,
        };
    }
    let pieces = pieces(designator.pieces);
    match designator.squares {
        u64::MAX => pieces,
        _ => format!("{pieces} on {squares}"),
    }
}

/// `white rooks or black pawns`.
pub(super) fn pieces(pieces: PieceSet) -> String {
    const ROLES: [&str; 6] = ["pawns", "knights", "bishops", "rooks", "queens", "kings"];
    let mut rest = pieces;
    let mut words = Vec::new();
    let mut take = |set: PieceSet, word: &str| {
        let all = rest.contains(set);
        if all {
            rest = PieceSet(rest.0 & !set.0);
            words.push(word.to_owned());
        }
    };
    take(PieceSet::WHITE.union(PieceSet::BLACK), "pieces");
    take(PieceSet::WHITE, "white pieces");
    take(PieceSet::BLACK, "black pieces");
    for (bit, role) in ROLES.iter().enumerate().rev() {
        take(PieceSet(0x41 << bit), role);
    }
    for (color, shift) in [("white", 0), ("black", 6)] {
        for (bit, role) in ROLES.iter().enumerate().rev() {
            take(PieceSet(1 << (bit + shift)), &format!("{color} {role}"));
        }
    }
    take(PieceSet::EMPTY_SQUARE, "empty squares");
    match words.is_empty() {
        true => "no pieces".to_owned(),
        false => words.join(" or "),
    }
}

/// `e4`, `rank 1`, `a1–d4`, or a list.
pub(super) fn squares(squares: u64) -> String {
    let names = square_names(squares);
    let ([first, .., last], Some(block)) = (names.as_slice(), Block::of(squares)) else {
        return match names.is_empty() {
            true => "no square".to_owned(),
            false => names.join(", "),
        };
    };
    match (names.len(), block.files, block.ranks) {
        (2, ..) => names.join(", "),
        (_, (0, 7), (0, 7)) => "any square".to_owned(),
        (_, (0, 7), (low, high)) if low == high => format!("rank {}", low + 1),
        (_, (0, 7), (low, high)) => format!("ranks {}–{}", low + 1, high + 1),
        (_, (left, right), (0, 7)) if left == right => format!("the {}-file", &first[..1]),
        _ => format!("{first}–{last}"),
    }
}

/// `king`, from bit 0 pawn … bit 5 king.
pub(super) fn roles(roles: u8) -> String {
    const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    let named = ROLES.iter().enumerate().rev();
    let words: Vec<&str> = named
        .filter(|(bit, _)| roles >> bit & 1 == 1)
        .map(|(_, role)| *role)
        .collect();
    match words.as_slice() {
        [] => "nothing".to_owned(),
        words => words.join(" or "),
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

/// What an engine is asked.
pub(super) fn engine(question: EngineQuestion) -> String {
    let what = match question.value {
        EngineValue::Score => "the score in centipawns from White's side",
        EngineValue::Mate => "the number of moves to mate, negative if Black mates,",
        EngineValue::BestMove => "the best move",
        EngineValue::From => "where the best move comes from",
        EngineValue::To => "where the best move goes",
    };
    format!("{what} that the engine finds with {}", question.limit)
}
