//! Applies a screen to many games: each condition is tested for all remaining games before the next
//! one, so that data for a condition are read only for these games.

use pgn::summary::Summary;

use super::{Conditions, GameScreen, GameTest, ScreenedGame, SummaryParts, tags};
use compiler::program::plan::GameFact;

/// One step of a screen, applied to many games.
#[derive(Debug, Clone, Copy)]
pub struct ScreenStep<'s> {
    asked: StepTest<'s>,
    /// Whether only tags and kinds of events are tested, before other parts are read.
    is_glance: bool,
    variations: bool,
}

#[derive(Debug, Clone, Copy)]
enum StepTest<'s> {
    Test(&'s GameTest),
    /// The conditions on material.
    Material(&'s Conditions),
}

impl GameScreen {
    /// Returns the steps of the screen, ordered so that little data has to be read. A game that
    /// passes all steps [may match](GameScreen::may_match).
    pub fn steps(&self) -> Vec<ScreenStep<'_>> {
        let mut asked = Vec::new();
        self.conditions.add_steps(&mut asked);
        // Tests of tags and kinds come first: they exclude most games without reading more.
        asked.sort_by_cached_key(|asked| {
            let is_at_once = !asked.parts().looks_at_lists();
            2 * u32::from(!is_at_once) + u32::from(!asked.has_glance())
        });
        let n_at_once = asked.partition_point(|asked| !asked.parts().looks_at_lists());
        let later = asked.split_off(n_at_once);
        let glances: Vec<StepTest<'_>> =
            later.iter().copied().filter(StepTest::has_glance).collect();
        let step = |is_glance| {
            let variations = self.variations;
            move |asked| ScreenStep { asked, is_glance, variations }
        };
        let at_once = asked.into_iter().map(step(false));
        let glances = glances.into_iter().map(step(true));
        at_once.chain(glances).chain(later.into_iter().map(step(false))).collect()
    }
}

impl Conditions {
    /// Adds the conditions one by one. Conditions on some other position become conditions on the
    /// game.
    fn add_steps<'s>(&'s self, asked: &mut Vec<StepTest<'s>>) {
        let (cheap, dear) = self.around_material();
        let add = |tests: &'s [GameTest], asked: &mut Vec<StepTest<'s>>| {
            for test in tests {
                match test {
                    GameTest::Elsewhere(conditions) => conditions.add_steps(asked),
                    test => asked.push(StepTest::Test(test)),
                }
            }
        };
        add(cheap, asked);
        if !self.material.is_empty() {
            asked.push(StepTest::Material(self));
        }
        add(dear, asked);
    }
}

impl StepTest<'_> {
    /// Whether tags and kinds alone can exclude some games.
    fn has_glance(&self) -> bool {
        match self {
            StepTest::Test(test) => test.has_glance(),
            StepTest::Material(conditions) => conditions.material_has_glance(),
        }
    }

    fn parts(&self) -> SummaryParts {
        match self {
            StepTest::Test(test) => test.parts(),
            StepTest::Material(conditions) => conditions.parts_of_material(),
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

/// Keeps the games for which `may_match` returns `true`, and those without a summary.
fn keep<S: Summary>(
    games: &mut Vec<usize>,
    summary: impl Fn(usize) -> Option<S>,
    variations: bool,
    may_match: impl Fn(ScreenedGame<'_, S>) -> bool,
) {
    games.retain(|&game| {
        summary(game)
            .is_none_or(|summary| may_match(ScreenedGame { summary: &summary, variations }))
    });
}

impl ScreenStep<'_> {
    /// Returns the parts of a summary that the step reads.
    pub fn parts(&self) -> SummaryParts {
        let parts = self.asked.parts();
        if self.is_glance { parts.without_lists() } else { parts.of_lines(self.variations) }
    }

    /// Keeps the games that may match, as far as their summaries tell. Games without a summary are
    /// kept.
    pub fn retain<S: Summary>(&self, games: &mut Vec<usize>, summary: impl Fn(usize) -> Option<S>) {
        let variations = self.variations;
        // The most frequent tests have loops of their own.
        match self.asked {
            StepTest::Test(GameTest::Fact(GameFact::Happens(kinds))) => {
                keep(games, summary, variations, |game| game.has_any(*kinds));
            }
            StepTest::Test(GameTest::Fact(GameFact::Stands(men))) => {
                keep(games, summary, variations, |game| game.may_have(*men));
            }
            StepTest::Test(GameTest::Fact(GameFact::Tags(condition))) => {
                keep(games, summary, variations, |game| {
                    tags::condition_holds(condition, game.summary) != Some(false)
                });
            }
            StepTest::Test(test) => keep(games, summary, variations, |game| test.may_hold(game)),
            StepTest::Material(conditions) => {
                let may_hold = |game: ScreenedGame<'_, S>| conditions.material_may_hold(game);
                keep(games, summary, variations, may_hold);
            }
        }
    }
}
