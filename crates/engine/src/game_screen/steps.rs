//! A screen at many games: one condition is asked of all that are left before the next one is looked
//! at, so that what it takes to answer need only be read for these.

use pgn::summary::Summary;

use super::{Conditions, Game, GameScreen, GameTest, SummaryParts};

/// Something that is asked of many games before anything else.
#[derive(Debug, Clone, Copy)]
pub struct ScreenStep<'s> {
    asked: Asked<'s>,
    /// For what the tags and the kinds of things that happen say of it, before anything is looked up.
    is_glance: bool,
    variations: bool,
}

#[derive(Debug, Clone, Copy)]
enum Asked<'s> {
    Test(&'s GameTest),
    /// What is asked of the material.
    Material(&'s Conditions),
}

impl GameScreen {
    /// What it asks of games, in an order in which little has to be looked at. A game that is left by
    /// all steps [may match](GameScreen::may_match).
    pub fn steps(&self) -> Vec<ScreenStep<'_>> {
        let mut asked = Vec::new();
        self.conditions.add_steps(&mut asked);
        // What tags and kinds deny of most games comes first: then there is little to be looked at.
        asked.sort_by_key(|asked| {
            let is_at_once = !asked.parts().looks_at_lists();
            (!is_at_once, !asked.has_glance())
        });
        let n_at_once = asked.partition_point(|asked| !asked.parts().looks_at_lists());
        let later = asked.split_off(n_at_once);
        let glances: Vec<Asked<'_>> = later.iter().copied().filter(Asked::has_glance).collect();
        let step = |is_glance| {
            let variations = self.variations;
            move |asked| ScreenStep {
                asked,
                is_glance,
                variations,
            }
        };
        let at_once = asked.into_iter().map(step(false));
        let glances = glances.into_iter().map(step(true));
        at_once
            .chain(glances)
            .chain(later.into_iter().map(step(false)))
            .collect()
    }
}

impl Conditions {
    /// Adds what is asked, each by itself: what must be at some other position is asked of the game.
    fn add_steps<'s>(&'s self, asked: &mut Vec<Asked<'s>>) {
        let (cheap, dear) = self.around_material();
        let add = |tests: &'s [GameTest], asked: &mut Vec<Asked<'s>>| {
            for test in tests {
                match test {
                    GameTest::Elsewhere(conditions) => conditions.add_steps(asked),
                    test => asked.push(Asked::Test(test)),
                }
            }
        };
        add(cheap, asked);
        if !self.material.is_empty() {
            asked.push(Asked::Material(self));
        }
        add(dear, asked);
    }
}

impl Asked<'_> {
    /// Whether tags and kinds alone deny it of some games.
    fn has_glance(&self) -> bool {
        match self {
            Asked::Test(test) => test.has_glance(),
            Asked::Material(conditions) => conditions.material_has_glance(),
        }
    }

    fn parts(&self) -> SummaryParts {
        match self {
            Asked::Test(test) => test.parts(),
            Asked::Material(conditions) => conditions.parts_of_material(),
        }
    }
}

impl Conditions {
    fn has_glance(&self) -> bool {
        self.material_has_glance() || self.tests.iter().any(GameTest::has_glance)
    }

    fn material_has_glance(&self) -> bool {
        !self.comes_normally
    }
}

impl GameTest {
    fn has_glance(&self) -> bool {
        match self {
            GameTest::Any(alternatives) => alternatives.iter().all(Conditions::has_glance),
            GameTest::Elsewhere(conditions) => conditions.has_glance(),
            test => !test.parts().looks_at_lists(),
        }
    }
}

/// Leaves those of which this may be so.
fn keep<S: Summary>(
    games: &mut Vec<usize>,
    summary: impl Fn(usize) -> Option<S>,
    variations: bool,
    may_match: impl Fn(Game<'_, S>) -> bool,
) {
    games.retain(|&game| {
        summary(game).is_none_or(|summary| {
            may_match(Game {
                summary: &summary,
                variations,
            })
        })
    });
}

impl ScreenStep<'_> {
    /// What it looks at.
    pub fn parts(&self) -> SummaryParts {
        let parts = self.asked.parts();
        match self.is_glance {
            true => parts.without_lists(),
            false => parts.of_lines(self.variations),
        }
    }

    /// Leaves of these games those that may match, for all that the summaries know. Games without a
    /// summary are left.
    pub fn retain<S: Summary>(&self, games: &mut Vec<usize>, summary: impl Fn(usize) -> Option<S>) {
        let variations = self.variations;
        // What most queries ask for has a loop of its own.
        match self.asked {
            Asked::Test(GameTest::Happens(kinds)) => {
                keep(games, summary, variations, |game| game.has_any(*kinds));
            }
            Asked::Test(GameTest::Stands(men)) => {
                keep(games, summary, variations, |game| game.may_have(*men));
            }
            Asked::Test(GameTest::Tags(condition)) => {
                keep(games, summary, variations, |game| {
                    condition.holds(game.summary) != Some(false)
                });
            }
            Asked::Test(test) => keep(games, summary, variations, |game| test.may_hold(game)),
            Asked::Material(conditions) => {
                let may_hold = |game: Game<'_, S>| conditions.material_may_hold(game);
                keep(games, summary, variations, may_hold);
            }
        }
    }
}
