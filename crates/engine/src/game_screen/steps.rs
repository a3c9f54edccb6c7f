//! A screen at many games: one condition is asked of all that are left before the next one is looked
//! at, so that what it takes to answer need only be read for these.

use pgn::summary::Summary;

use super::{Conditions, Game, GameScreen, GameTest, MATERIAL_COST, SummaryParts};

/// Something that is asked of many games before anything else.
#[derive(Debug, Clone, Copy)]
pub struct ScreenStep<'s> {
    asked: Asked<'s>,
    variations: bool,
}

#[derive(Debug, Clone, Copy)]
enum Asked<'s> {
    Test(&'s GameTest),
    /// What is asked of the material.
    Material(&'s Conditions),
    /// What can be told of all of it by the tags and by the kinds of things that happen.
    Glance(&'s Conditions),
}

impl GameScreen {
    /// What it asks of games, in an order in which little has to be looked at. A game that is left by
    /// all steps [may match](GameScreen::may_match).
    pub fn steps(&self) -> Vec<ScreenStep<'_>> {
        let conditions = &self.conditions;
        let (at_once, later): (Vec<&GameTest>, Vec<&GameTest>) =
            (conditions.tests.iter()).partition(|test| !test.parts().looks_at_lists());
        let (cheap, dear): (Vec<&GameTest>, Vec<&GameTest>) =
            (later.into_iter()).partition(|test| test.cost() < MATERIAL_COST);
        let material = (!conditions.material.is_empty()).then_some(Asked::Material(conditions));
        let later = (cheap.into_iter().map(Asked::Test))
            .chain(material)
            .chain(dear.into_iter().map(Asked::Test));
        // Where a glance leaves few games, there is little to be looked at.
        let (rare, others): (Vec<Asked<'_>>, Vec<Asked<'_>>) = later.partition(Asked::has_glance);
        let glance = (!rare.is_empty()).then_some(Asked::Glance(conditions));
        let all = (at_once.into_iter().map(Asked::Test))
            .chain(glance)
            .chain(rare)
            .chain(others);
        let variations = self.variations;
        all.map(|asked| ScreenStep { asked, variations }).collect()
    }
}

impl Asked<'_> {
    /// Whether tags and kinds alone deny it of some games.
    fn has_glance(&self) -> bool {
        match self {
            Asked::Test(test) => test.has_glance(),
            Asked::Material(conditions) => conditions.material_has_glance(),
            Asked::Glance(_) => true,
        }
    }
}

impl Conditions {
    fn has_glance(&self) -> bool {
        self.material_has_glance() || self.tests.iter().any(GameTest::has_glance)
    }

    fn material_has_glance(&self) -> bool {
        self.material.iter().any(|sum| !sum.comes_normally())
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
        match self.asked {
            Asked::Test(test) => test.parts(),
            Asked::Material(conditions) => conditions.parts_of_material(),
            Asked::Glance(conditions) => conditions.parts().without_lists(),
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
            Asked::Test(test) => keep(games, summary, variations, |game| test.may_hold(game)),
            Asked::Material(conditions) => {
                let may_hold = |game: Game<'_, S>| conditions.material_may_hold(game);
                keep(games, summary, variations, may_hold);
            }
            Asked::Glance(conditions) => {
                let may_hold = |game: Game<'_, S>| conditions.may_hold(game);
                keep(games, summary, variations, may_hold);
            }
        }
    }
}
