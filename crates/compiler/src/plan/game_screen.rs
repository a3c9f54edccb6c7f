//! Describes the conditions of a game screen in English.

use pgn::summary::Kinds;
use syntax::token::GameResult;

use super::of_game;
use super::screen::{of_sum, sign};
use crate::program::plan::{
    GameConditions, GameFact, GameTest, TagCondition, TagNumber, TagText, UnscreenedReason,
};

/// Names of the kinds of events in games.
const KINDS: [(Kinds, &str); 15] = [
    (Kinds::CHECK, "a check"),
    (Kinds::MATE, "a mate"),
    (Kinds::STALEMATE, "a stalemate"),
    (Kinds::WHITE_CASTLES_SHORT, "castling of White on the king's side"),
    (Kinds::WHITE_CASTLES_LONG, "castling of White on the queen's side"),
    (Kinds::BLACK_CASTLES_SHORT, "castling of Black on the king's side"),
    (Kinds::BLACK_CASTLES_LONG, "castling of Black on the queen's side"),
    (Kinds::EN_PASSANT, "a capture en passant"),
    (Kinds::NULL_MOVE, "a null move"),
    (Kinds::CAPTURE, "a capture"),
    (Kinds::PROMOTION, "a promotion"),
    (Kinds::WHITE_HAS_ONE, "a position without check in which White has at most one move"),
    (Kinds::BLACK_HAS_ONE, "a position without check in which Black has at most one move"),
    (Kinds::WHITE_HAS_TWO, "a position without check in which White has at most two moves"),
    (Kinds::BLACK_HAS_TWO, "a position without check in which Black has at most two moves"),
];

impl GameConditions {
    /// Describes the conditions, one clause each, in the order in which they are tested.
    pub fn words(&self) -> Vec<String> {
        let sums = self.material.iter().map(|sum| of_sum(&sum.sum)).collect::<Vec<_>>();
        let together = if sums.is_empty() {
            None
        } else {
            Some(format!("at some time {}", sums.join(" and ")))
        };
        let (cheap, dear) = self.around_material();
        let (cheap, dear) = (cheap.iter().map(of_test), dear.iter().map(of_test));
        cheap.chain(together).chain(dear).collect()
    }
}

fn of_test(test: &GameTest) -> String {
    match test {
        GameTest::Fact(fact) => of_fact(fact),
        GameTest::Any(alternatives) => {
            let words: Vec<String> = alternatives.iter().map(|a| a.words().join(" and ")).collect();
            format!("one of these: {}", words.join("; or "))
        }
        GameTest::Moves(_) => "the moves of the path follow one another".to_owned(),
        GameTest::Elsewhere(conditions) => conditions.words().join(" and "),
    }
}

fn of_fact(fact: &GameFact) -> String {
    match fact {
        GameFact::Never => "nothing: no game can match".to_owned(),
        GameFact::Happens(kinds) => {
            let kinds = KINDS.iter().filter(|known| kinds.contains(known.0));
            let words: Vec<&str> = kinds.map(|known| known.1).collect();
            format!("there is {}", words.join(" or "))
        }
        GameFact::HasVariations => "there are variations".to_owned(),
        GameFact::IsAnnotated => "there are comments or glyphs".to_owned(),
        GameFact::Plies(plies) => format!("there are {plies} half-moves"),
        GameFact::Tags(condition) => of_tags(condition),
        GameFact::Theme(theme) => format!("there is the theme {}", theme.name()),
        GameFact::Stands(men) => format!("there are {} at some time", men.words()),
        GameFact::Images(images) => format!(
            "the pieces stand as in one of {} forms of the condition, each at some time",
            images.each.len()
        ),
        GameFact::Board(_) => {
            "pieces stand so that they may attack or pin each other, each at some time".to_owned()
        }
        GameFact::Recurs(same) => format!(
            "kings or pawns stand on the same squares at least {} half-moves later",
            same.distance
        ),
        GameFact::Pawns(_) => "the pawns stand as is asked for at some time".to_owned(),
    }
}

fn of_tags(condition: &TagCondition) -> String {
    let all = |items: &[TagCondition], word: &str| {
        let items: Vec<String> = items.iter().map(of_tags).collect();
        items.join(word)
    };
    match condition {
        TagCondition::Constant(value) => value.to_string(),
        TagCondition::Contains(text, part) => {
            format!("{} contains {}", of_text(text), of_text(part))
        }
        TagCondition::Texts(relation, left, right) => {
            format!("{} {} {}", of_text(left), sign(*relation), of_text(right))
        }
        TagCondition::Numbers(relation, left, right) => {
            format!("{} {} {}", of_number(*left), sign(*relation), of_number(*right))
        }
        TagCondition::Year(first, last) => format!("the year is {first} to {last}"),
        TagCondition::Result(GameResult::WhiteWins) => "White wins".to_owned(),
        TagCondition::Result(GameResult::BlackWins) => "Black wins".to_owned(),
        TagCondition::Result(GameResult::Draw) => "the game is a draw".to_owned(),
        TagCondition::All(items) => all(items, " and "),
        TagCondition::Any(items) => format!("({})", all(items, " or ")),
        TagCondition::Not(item) => format!("not ({})", of_tags(item)),
    }
}

fn of_text(text: &TagText) -> String {
    match text {
        TagText::Constant(text) => format!("\"{}\"", text.escape_ascii()),
        TagText::Fact(text) => of_game(text),
        TagText::Players => "the names of the players".to_owned(),
    }
}

fn of_number(number: TagNumber) -> String {
    match number {
        TagNumber::Constant(n) => n.to_string(),
        TagNumber::Year => "the year".to_owned(),
        TagNumber::Rating(None) => "the greater rating".to_owned(),
        TagNumber::Rating(Some(board::Color::White)) => "White's rating".to_owned(),
        TagNumber::Rating(Some(board::Color::Black)) => "Black's rating".to_owned(),
    }
}

impl UnscreenedReason {
    /// Returns the reason as a clause to follow "because".
    pub fn text(self) -> &'static str {
        match self {
            UnscreenedReason::Attacks => "what is attacked is not known without replaying the game",
            UnscreenedReason::Pins => "pins are not known without replaying the game",
            UnscreenedReason::Rays => "lines of squares are not known without replaying the game",
            UnscreenedReason::PawnStructure => {
                "how pawns stand to each other is not known without replaying the game"
            }
            UnscreenedReason::LegalMoves => "legal moves are not known without replaying the game",
            UnscreenedReason::Complement => "what is not there in one position may be in another",
            UnscreenedReason::Alternatives => {
                "one of the alternatives asks for nothing that is known of a game"
            }
            UnscreenedReason::Everywhere => "nearly every game has it",
            UnscreenedReason::Effect => {
                "it does something or may go wrong, and so may everything after it"
            }
            UnscreenedReason::Other => "it depends on more than is kept of a game",
            UnscreenedReason::Sequential => "the query carries something over from game to game",
            UnscreenedReason::MatchCount => "games without a matching position are wanted",
        }
    }
}
