//! Conditions on the tags of a game that a summary can decide.

use std::borrow::Cow;

use board::Color;
use pgn::Eco;
use pgn::summary::{Summary, SummaryTag, player_name};
use syntax::builtin::NumberSource;
use syntax::token::GameResult;
use syntax::tree::Relation;

use crate::record::{as_text, contains_text};
use compiler::facts::holds;
use compiler::program::*;

/// A condition on the tags and the result of a game.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TagCondition {
    Constant(bool),
    /// Whether the first text contains the second one.
    Contains(TagText, TagText),
    Texts(Relation, TagText, TagText),
    Numbers(Relation, TagNumber, TagNumber),
    Year(i32, i32),
    Result(GameResult),
    All(Box<[TagCondition]>),
    Any(Box<[TagCondition]>),
    Not(Box<TagCondition>),
}

/// A text from the tags of a game, or a constant.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TagText {
    Constant(Box<[u8]>),
    Fact(GameText),
    Players,
}

/// A number from the tags of a game, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TagNumber {
    Constant(i32),
    Year,
    /// The rating of a player, or the greater rating of both.
    Rating(Option<Color>),
}

impl TagCondition {
    /// Returns a filter as a condition on tags, if it is one.
    pub(super) fn of(program: &Program, id: BoolId) -> Option<TagCondition> {
        let all = |items: &[BoolId]| -> Option<Box<[TagCondition]>> {
            let items = items.iter();
            items.map(|&item| TagCondition::of(program, item)).collect()
        };
        Some(match &program.bools[id.0 as usize] {
            BoolFilter::Constant(value) => TagCondition::Constant(*value),
            BoolFilter::GameTextContains(part, text) => {
                TagCondition::Contains(TagText::Fact(text.clone()), TagText::Constant(part.clone()))
            }
            BoolFilter::Substring(part, text) => {
                TagCondition::Contains(TagText::of(program, *text)?, TagText::of(program, *part)?)
            }
            BoolFilter::CompareTexts(relation, left, right) => {
                compare_texts(program, *relation, *left, *right)?
            }
            BoolFilter::TextsDiffer(left, right) => {
                let equal = compare_texts(program, Relation::Equal, *left, *right)?;
                TagCondition::Not(Box::new(equal))
            }
            // A value equals itself, if it exists.
            BoolFilter::HasText(text) => compare_texts(program, Relation::Equal, *text, *text)?,
            BoolFilter::Result(result) => TagCondition::Result(*result),
            BoolFilter::CompareNumbers(relation, left, right) => {
                compare(program, *relation, *left, *right)?
            }
            BoolFilter::NumbersDiffer(left, right) => {
                let equal = compare(program, Relation::Equal, *left, *right)?;
                TagCondition::Not(Box::new(equal))
            }
            BoolFilter::HasNumber(number) => match &program.nums[number.0 as usize] {
                NumFilter::Relation(relation, left, right) => {
                    compare(program, *relation, *left, *right)?
                }
                _ => compare(program, Relation::Equal, *number, *number)?,
            },
            BoolFilter::All(items) => TagCondition::All(all(items)?),
            BoolFilter::Any(items) => TagCondition::Any(all(items)?),
            BoolFilter::Not(item) => TagCondition::Not(Box::new(TagCondition::of(program, *item)?)),
            _ => return None,
        })
    }

    /// Whether summaries can decide the condition and games can differ in it.
    pub(super) fn says_something(&self) -> bool {
        match self {
            TagCondition::Constant(_) => false,
            TagCondition::Contains(one, other) | TagCondition::Texts(_, one, other) => {
                one.is_known() && other.is_known()
            }
            TagCondition::Not(item) => item.says_something(),
            _ => true,
        }
    }

    /// Returns the relative cost of testing the condition: numbers are available at once, a date
    /// must be parsed, texts are normalized and searched.
    pub(super) fn cost(&self) -> u32 {
        let most = |items: &[TagCondition]| items.iter().map(TagCondition::cost).max().unwrap_or(0);
        match self {
            TagCondition::Constant(_) | TagCondition::Result(_) => 0,
            TagCondition::Numbers(_, one, other) => one.cost().max(other.cost()),
            TagCondition::Year(..) => TagNumber::Year.cost(),
            TagCondition::Contains(..) | TagCondition::Texts(..) => TagCondition::MOST_COST,
            TagCondition::All(items) | TagCondition::Any(items) => most(items),
            TagCondition::Not(item) => item.cost(),
        }
    }

    /// The greatest cost.
    pub(super) const MOST_COST: u32 = 2;

    /// Whether the condition holds; `None` if the summary does not tell.
    pub(super) fn holds(&self, game: &impl Summary) -> Option<bool> {
        Some(match self {
            TagCondition::Constant(value) => *value,
            TagCondition::Contains(text, part) => {
                let (text, part) = (text.value(game)?, part.value(game)?);
                let both = text.zip(part);
                both.is_some_and(|(text, part)| contains_text(&text, &part, as_text))
            }
            TagCondition::Texts(relation, left, right) => {
                let (left, right) = (left.value(game)?, right.value(game)?);
                let both = left.zip(right);
                both.is_some_and(|(left, right)| {
                    holds(*relation, &*as_text(&left), &*as_text(&right))
                })
            }
            TagCondition::Numbers(relation, left, right) => {
                match (left.value(game), right.value(game)) {
                    (Some(left), Some(right)) => holds(*relation, &left, &right),
                    _ => false,
                }
            }
            TagCondition::Year(first, last) => {
                let year = TagNumber::Year.value(game);
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
            TagCondition::Not(item) => !item.holds(game)?,
        })
    }
}

/// Returns `value` if all conditions have it and the other value if one is known to have that;
/// otherwise `None`.
fn every(items: &[TagCondition], game: &impl Summary, value: bool) -> Option<bool> {
    let mut result = Some(value);
    for item in items {
        match item.holds(game) {
            None => result = None,
            Some(found) if found != value => return Some(!value),
            Some(_) => {}
        }
    }
    result
}

fn compare(
    program: &Program,
    relation: Relation,
    left: NumId,
    right: NumId,
) -> Option<TagCondition> {
    let left = TagNumber::of(program, left)?;
    let right = TagNumber::of(program, right)?;
    Some(TagCondition::Numbers(relation, left, right))
}

fn compare_texts(
    program: &Program,
    relation: Relation,
    left: TextId,
    right: TextId,
) -> Option<TagCondition> {
    let left = TagText::of(program, left)?;
    let right = TagText::of(program, right)?;
    Some(TagCondition::Texts(relation, left, right))
}

impl TagText {
    fn of(program: &Program, id: TextId) -> Option<TagText> {
        Some(match &program.texts[id.0 as usize] {
            TextFilter::Constant(text) => TagText::Constant(text.clone()),
            TextFilter::Game(text) => TagText::Fact(text.clone()),
            TextFilter::Players => TagText::Players,
            _ => return None,
        })
    }

    /// Whether summaries contain the text.
    fn is_known(&self) -> bool {
        !matches!(self, TagText::Fact(GameText::EventDate | GameText::Tag(_) | GameText::TagFen))
    }

    /// Returns the text as filters see it: `Some(None)` if the game has none, `None` if the summary
    /// does not tell.
    fn value<'a>(&'a self, game: &'a impl Summary) -> Option<Option<Cow<'a, [u8]>>> {
        Some(match self {
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
}

impl TagNumber {
    fn of(program: &Program, id: NumId) -> Option<TagNumber> {
        Some(match program.nums[id.0 as usize] {
            NumFilter::Constant(n) => TagNumber::Constant(n),
            NumFilter::Source(NumberSource::Year) => TagNumber::Year,
            NumFilter::Elo(color) => TagNumber::Rating(color),
            _ => return None,
        })
    }

    fn value(self, game: &impl Summary) -> Option<i32> {
        let number = match self {
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

    /// Returns the relative cost, see [`TagCondition::cost`].
    fn cost(self) -> u32 {
        match self {
            TagNumber::Constant(_) | TagNumber::Rating(_) => 0,
            TagNumber::Year => 1,
        }
    }
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
