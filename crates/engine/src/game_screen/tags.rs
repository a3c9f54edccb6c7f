//! Tests conditions on the tags of a game.

use std::borrow::Cow;

use board::Color;
use pgn::Eco;
use pgn::summary::{Summary, SummaryTag, player_name};
use syntax::token::GameResult;

use crate::record::{as_text, contains_text};
use compiler::facts::holds;
use compiler::program::GameText;
use compiler::program::plan::{TagCondition, TagNumber, TagText};

/// Whether the condition holds; `None` if the summary does not tell.
pub(super) fn condition_holds(condition: &TagCondition, game: &impl Summary) -> Option<bool> {
    Some(match condition {
        TagCondition::Constant(value) => *value,
        TagCondition::Contains(text, part) => {
            let (text, part) = (text_value(text, game)?, text_value(part, game)?);
            let both = text.zip(part);
            both.is_some_and(|(text, part)| contains_text(&text, &part, as_text))
        }
        TagCondition::Texts(relation, left, right) => {
            let (left, right) = (text_value(left, game)?, text_value(right, game)?);
            let both = left.zip(right);
            both.is_some_and(|(left, right)| holds(*relation, &*as_text(&left), &*as_text(&right)))
        }
        TagCondition::Numbers(relation, left, right) => {
            match (number_value(*left, game), number_value(*right, game)) {
                (Some(left), Some(right)) => holds(*relation, &left, &right),
                _ => false,
            }
        }
        TagCondition::Year(first, last) => {
            let year = number_value(TagNumber::Year, game);
            year.is_some_and(|year| (*first..=*last).contains(&year))
        }
        TagCondition::Result(result) => {
            let found = match game.result() {
                pgn::GameResult::WhiteWins => GameResult::WhiteWins,
                pgn::GameResult::BlackWins => GameResult::BlackWins,
                pgn::GameResult::Draw => GameResult::Draw,
                pgn::GameResult::Unknown => return Some(false),
            };
            found == *result
        }
        TagCondition::All(items) => return every(items, game, true),
        TagCondition::Any(items) => return every(items, game, false),
        TagCondition::Not(item) => !condition_holds(item, game)?,
    })
}

/// Returns `!value` if a condition is known to be that, `value` if all of them are, and otherwise
/// `None`.
fn every(items: &[TagCondition], game: &impl Summary, value: bool) -> Option<bool> {
    let mut result = Some(value);
    for item in items {
        match condition_holds(item, game) {
            None => result = None,
            Some(found) if found != value => return Some(!value),
            Some(_) => {}
        }
    }
    result
}

/// Returns the text as filters see it: `Some(None)` if the game has none, `None` if the summary
/// does not tell.
fn text_value<'a>(text: &'a TagText, game: &'a impl Summary) -> Option<Option<Cow<'a, [u8]>>> {
    Some(match text {
        TagText::Constant(text) => Some(Cow::Borrowed(&**text)),
        TagText::Fact(text) => Some(fact(game, text)?).filter(|text| !text.is_empty()),
        TagText::Players => {
            let player = |tag| {
                let name = player_name(game.text(tag)?);
                Some(Some(name).filter(|name| !name.is_empty()))
            };
            let (white, black) = (player(SummaryTag::White)?, player(SummaryTag::Black)?);
            let names = white.zip(black);
            // The filter yields a backslash and a letter here.
            names.map(|(white, black)| [&*white, b"\\n", &*black].concat().into())
        }
    })
}

/// Returns a number as filters see it: `None` if the game has none.
fn number_value(number: TagNumber, game: &impl Summary) -> Option<i32> {
    let number = match number {
        TagNumber::Constant(n) => return Some(n),
        TagNumber::Year => game.date().year,
        TagNumber::Rating(color) => {
            let [white, black] = game.ratings();
            match color {
                None => white.max(black),
                Some(Color::White) => white,
                Some(Color::Black) => black,
            }
        }
    };
    Some(i32::from(number)).filter(|number| *number > 0)
}

/// Returns a text from the tags, empty if the game has none; `None` if the summary does not tell.
fn fact<'a>(game: &'a impl Summary, source: &GameText) -> Option<Cow<'a, [u8]>> {
    let or_unknown = |tag| Some(game.text(tag)?.unwrap_or(b"?").into());
    Some(match source {
        GameText::Player(Color::White) => player_name(game.text(SummaryTag::White)?),
        GameText::Player(Color::Black) => player_name(game.text(SummaryTag::Black)?),
        GameText::Event => return or_unknown(SummaryTag::Event),
        GameText::Site => return or_unknown(SummaryTag::Site),
        GameText::Date => game.date().text().to_vec().into(),
        GameText::Eco => match game.text(SummaryTag::Eco)?.and_then(Eco::parse) {
            Some(eco) => eco.as_bytes().to_vec().into(),
            None => Cow::default(),
        },
        GameText::EventDate | GameText::Tag(_) | GameText::TagFen => return None,
    })
}
