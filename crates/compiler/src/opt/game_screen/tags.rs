//! Finds conditions on the tags of a game.

use syntax::builtin::NumberSource;
use syntax::tree::Relation;

use crate::program::plan::{TagCondition, TagNumber, TagText};
use crate::program::*;

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

    /// Returns the relative cost, see [`TagCondition::cost`].
    fn cost(self) -> u32 {
        match self {
            TagNumber::Constant(_) | TagNumber::Rating(_) => 0,
            TagNumber::Year => 1,
        }
    }
}
