//! Describes how a program will be evaluated, for users who want to know why a query is fast or
//! slow.

mod game_screen;
mod screen;

use crate::automaton::{Automaton, Strategy};
use crate::program::*;
use screen::sign;

/// The evaluation plan of a query: its tests and its shortcuts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanSummary {
    /// Whether variations are searched.
    pub variations: bool,
    /// Range of the numbers of games that are searched.
    pub game_numbers: Option<(i32, i32)>,
    /// Conditions on a game that are tested before its moves are read, in words.
    pub before_moves: Vec<String>,
    /// Conditions that are tested on a position before the query is evaluated there, in words:
    /// without any of these it cannot match. Comparisons of numbers of pieces are made only where
    /// these change.
    pub screen: Vec<String>,
    /// Whether a position that passes these conditions matches without further tests.
    pub screen_is_exact: bool,
    /// Plans of forward `find` filters.
    pub finds: Vec<FindPlan>,
    /// Reason why games are evaluated one after the other, if they are.
    pub sequential_reason: Option<&'static str>,
    /// The keys by which games are sorted, the most important first.
    pub sort_keys: Vec<SortKeyPlan>,
    /// Required number of matching positions, unless it is one or more.
    pub match_count: Option<(i32, i32)>,
    /// Number of images of each transform that became a table of pieces.
    pub tables_of_images: Vec<usize>,
    /// Number of images of each other transform, which are evaluated one after the other.
    pub lists_of_images: Vec<usize>,
    /// Plans of paths and lines.
    pub searches: Vec<SearchPlan>,
    /// Facts about echoes.
    pub echoes: Vec<EchoFacts>,
    /// Number of counts of legal moves that stop as soon as their comparison is certain.
    pub n_limited_counts: usize,
    /// Number of relations whose target is tested once for all sources.
    pub n_shared_targets: usize,
    /// Maximum number of steps of loops and searches in a game.
    pub step_limit: u64,
}

/// A key by which games are sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKeyPlan {
    /// The label in the first comment.
    pub label: Vec<u8>,
    /// Whether the least values come first.
    pub ascending: bool,
}

/// Search of a path or a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchPlan {
    /// Whether this is a `path`, else a `line`.
    pub is_path: bool,
    /// Visits of the nodes.
    pub visits: Visits,
    /// Whether a move of the first dash is looked for before anything else.
    pub tries_first_move: bool,
}

/// Visits of the nodes of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visits {
    /// Depth first, each time a node is reached: filters have side effects, or no node can be
    /// reached twice.
    EachTime,
    /// Once for each position of the game for each start.
    OnceForEachStart,
    /// Once for each position of the game, for all starts together.
    OnceForEachGame,
}

/// Plan of a forward `find`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindPlan {
    /// Conditions of its body, as in [`PlanSummary::screen`].
    pub screen: Vec<String>,
    /// Whether the result from one position holds for those on the way as well.
    pub remembers: bool,
}

/// Tests of an echo before it evaluates its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EchoFacts {
    /// Number of conditions on the other position alone: tested once for each position.
    pub n_target_conditions: usize,
    /// Number of conditions on the current position alone.
    pub n_source_conditions: usize,
    /// Number of values by whose equality the other positions are looked up.
    pub n_keys: usize,
    /// Whether only positions after or only positions before the current one are looked at.
    pub one_direction: bool,
}

impl Program {
    /// Returns the evaluation plan.
    pub fn plan(&self) -> PlanSummary {
        let settings = self.settings();
        let mut plan = PlanSummary {
            variations: settings.variations,
            game_numbers: settings.gamenumber,
            before_moves: self.known_before_moves(),
            screen: self.screen.words(),
            screen_is_exact: self.screen.is_exact,
            sequential_reason: self.sequential_reason(),
            match_count: settings.matchcount,
            step_limit: settings.limits.steps,
            ..PlanSummary::default()
        };
        let key = |label: &[u8], ascending| SortKeyPlan { label: label.to_vec(), ascending };
        let of_matchcount = key(b"matchcount", false);
        plan.sort_keys = self.sort_keys(|sort| key(&sort.label, sort.ascending), of_matchcount);
        for finder in &self.finders {
            plan.finds
                .push(FindPlan { screen: finder.screen.words(), remembers: finder.remembers });
        }
        for path in &self.paths {
            plan.searches.push(search(&path.automaton, true));
        }
        for filter in &self.bools {
            match filter {
                BoolFilter::Patterns(patterns) => {
                    plan.tables_of_images.push(patterns.n_images());
                }
                BoolFilter::Orbit(images) => plan.lists_of_images.push(images.len()),
                BoolFilter::Line(line) => plan.searches.push(search(&line.automaton, false)),
                BoolFilter::Echo(echo) => plan.echoes.push(self.echo_facts(echo.plan)),
                BoolFilter::Relation(relation) if relation.target_is_fixed => {
                    plan.n_shared_targets += 1;
                }
                _ => {}
            }
        }
        for filter in &self.sets {
            if let SetFilter::Orbit(images) = filter {
                plan.lists_of_images.push(images.len());
            }
        }
        for filter in &self.nums {
            match filter {
                NumFilter::OrbitCount(images, ..) => plan.lists_of_images.push(images.len()),
                NumFilter::OrbitMax(images) => plan.lists_of_images.push(images.len()),
                NumFilter::Line(line) => plan.searches.push(search(&line.automaton, false)),
                NumFilter::Echo(echo) => plan.echoes.push(self.echo_facts(echo.plan)),
                NumFilter::CountMoves(Countable::Legal(dash)) if dash.limit < u32::MAX => {
                    plan.n_limited_counts += 1;
                }
                _ => {}
            }
        }
        for filter in &self.positions {
            if let PosFilter::Line(line) = filter {
                plan.searches.push(search(&line.automaton, false));
            }
        }
        plan
    }

    fn echo_facts(&self, plan: Option<u32>) -> EchoFacts {
        let plan = plan.and_then(|plan| self.echo_plans.get(plan as usize));
        let plan = plan.cloned().unwrap_or_default();
        EchoFacts {
            n_target_conditions: plan.target.len(),
            n_source_conditions: plan.source.len(),
            n_keys: plan.keys.len(),
            one_direction: plan.ascending || plan.descending,
        }
    }

    fn known_before_moves(&self) -> Vec<String> {
        let settings = self.settings();
        let mut known = Vec::new();
        for result in &settings.results {
            known.push(format!("the result is {}", result.text()));
        }
        if settings.player.is_some() {
            known.push("a player matches the regular expression of the option".to_owned());
        }
        if let Some((first, last)) = settings.year {
            known.push(if first == last {
                format!("the year is {first}")
            } else {
                format!("the year is {first} to {last}")
            });
        }
        known.extend(self.guard.iter().map(|&id| self.condition(id)));
        known
    }

    /// Describes a condition on the record of a game in words.
    fn condition(&self, id: BoolId) -> String {
        let all = |items: &[BoolId], word: &str| {
            let items: Vec<String> = items.iter().map(|&item| self.condition(item)).collect();
            items.join(word)
        };
        match &self.bools[id.0 as usize] {
            BoolFilter::Constant(true) => "true".to_owned(),
            BoolFilter::Constant(false) => "false: no game matches".to_owned(),
            BoolFilter::GameTextContains(part, text) => {
                format!("{} contains \"{}\"", of_game(text), part.escape_ascii())
            }
            BoolFilter::All(items) => all(items, " and "),
            BoolFilter::Any(items) => format!("({})", all(items, " or ")),
            BoolFilter::Not(item) => format!("not ({})", self.condition(*item)),
            BoolFilter::HasNumber(number) => {
                // A comparison describes its own requirement.
                match &self.nums[number.0 as usize] {
                    NumFilter::Relation(..) => self.number(*number),
                    _ => format!("there is {}", self.number(*number)),
                }
            }
            BoolFilter::CompareNumbers(op, left, right) => self.numbers(*left, sign(*op), *right),
            BoolFilter::NumbersDiffer(left, right) => self.numbers(*left, "is not", *right),
            BoolFilter::HasText(text) => format!("there is {}", self.text(*text)),
            BoolFilter::CompareTexts(op, left, right) => self.texts(*left, sign(*op), *right),
            BoolFilter::TextsDiffer(left, right) => self.texts(*left, "is not", *right),
            BoolFilter::Substring(part, text) => self.texts(*text, "contains", *part),
            _ => "another condition on the tags of the game".to_owned(),
        }
    }

    fn numbers(&self, left: NumId, sign: &str, right: NumId) -> String {
        format!("{} {sign} {}", self.number(left), self.number(right))
    }

    fn texts(&self, left: TextId, sign: &str, right: TextId) -> String {
        format!("{} {sign} {}", self.text(left), self.text(right))
    }

    fn number(&self, id: NumId) -> String {
        match &self.nums[id.0 as usize] {
            NumFilter::Constant(n) => n.to_string(),
            NumFilter::Source(word) => word.row().says.to_owned(),
            NumFilter::Elo(None) => "the greater of the two ratings".to_owned(),
            NumFilter::Elo(Some(board::Color::White)) => "White's rating".to_owned(),
            NumFilter::Elo(Some(board::Color::Black)) => "Black's rating".to_owned(),
            NumFilter::Relation(op, left, right) => self.numbers(*left, sign(*op), *right),
            NumFilter::Length(text) => format!("the length of {}", self.text(*text)),
            _ => "a number".to_owned(),
        }
    }

    fn text(&self, id: TextId) -> String {
        match &self.texts[id.0 as usize] {
            TextFilter::Constant(text) => format!("\"{}\"", text.escape_ascii()),
            TextFilter::Game(text) => of_game(text),
            TextFilter::Players => "the names of the players".to_owned(),
            TextFilter::OfText(word, text) => format!("{} {}", word.row().says, self.text(*text)),
            _ => "a text of the tags".to_owned(),
        }
    }
}

/// Describes a text of the game in words.
fn of_game(text: &GameText) -> String {
    match text {
        GameText::Player(board::Color::White) => "White's name".to_owned(),
        GameText::Player(board::Color::Black) => "Black's name".to_owned(),
        GameText::Event => "the event".to_owned(),
        GameText::Site => "the site".to_owned(),
        GameText::Date => "the date".to_owned(),
        GameText::EventDate => "the date of the event".to_owned(),
        GameText::Eco => "the ECO code".to_owned(),
        GameText::Tag(name) => format!("the tag {}", name.escape_ascii()),
        GameText::TagFen => "the tag FEN".to_owned(),
    }
}

fn search(automaton: &Automaton, is_path: bool) -> SearchPlan {
    SearchPlan {
        is_path,
        visits: match automaton.strategy {
            Strategy::Plain => Visits::EachTime,
            Strategy::Tabled { whole_game: false, .. } => Visits::OnceForEachStart,
            Strategy::Tabled { whole_game: true, .. } => Visits::OnceForEachGame,
        },
        tries_first_move: automaton.opening.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::parse::Source;

    use crate::{CompileOptions, compile};

    fn plan(query: &str) -> PlanSummary {
        let source = Source { name: "test.cql", text: query.as_bytes() };
        let compiled = compile(&source, &[], &CompileOptions::default());
        compiled.program.expect("a correct query").plan()
    }

    #[test]
    fn conditions_on_the_record_come_before_the_moves() {
        let check = |query: &str, expected: &[&str]| {
            assert_eq!(plan(query).before_moves, expected, "{query}");
        };
        check("cql() mate", &[]);
        check("cql(result 1-0) mate", &["the result is 1-0"]);
        check("cql() mate year>=1900", &["the year of the game is at least 1900"]);
        check("cql() player white \"Morphy\"", &["White's name contains \"Morphy\""]);
        check("cql() comment(\"x\") year==1900", &[]);
        check("cql() #Q==2 Q attacks k year>=1900", &["the year of the game is at least 1900"]);
        check("cql() x=1 year==1900", &["the year of the game is 1900"]);
        check("cql() x=1 year==1900 persistent y+=x", &["the year of the game is 1900"]);
        check("cql() persistent x+=1 year==1900", &[]);
        check("cql() find mate year==1900", &[]);
    }

    #[test]
    fn transforms_paths_and_echoes_are_counted() {
        assert_eq!(plan("cql() flipcolor {Kc1 Qd7}").tables_of_images, [2]);
        assert_eq!(plan("cql() flipcolor {wtm mate}").lists_of_images, [2]);
        let searches = plan("cql() path R-- k--").searches;
        assert!(searches[0].is_path && searches[0].tries_first_move);
        assert_eq!(searches[0].visits, Visits::EachTime);
        let searches = plan("cql() path (R-- -- )* mate").searches;
        assert_eq!(searches[0].visits, Visits::OnceForEachGame);
        let echoes = plan("cql() echo (s t) {s[<]t mate R==s:R}").echoes;
        assert_eq!(
            echoes,
            [EchoFacts {
                n_target_conditions: 1,
                n_source_conditions: 0,
                n_keys: 1,
                one_direction: true
            }]
        );
        assert_eq!(plan("cql() 3 > countmoves legal --").n_limited_counts, 1);
    }

    #[test]
    fn screens_are_told() {
        let check = |query: &str, expected: &[&str], is_exact: bool| {
            let plan = plan(query);
            assert_eq!(plan.screen, expected, "{query}");
            assert_eq!(plan.screen_is_exact, is_exact, "{query}");
        };
        check("cql() check", &["the side to move is in check"], true);
        check(
            "cql() check movenumber==20",
            &["the number of the move is 20", "the side to move is in check"],
            true,
        );
        check("cql() wtm Qh7", &["there are white queens on h7", "White is to move"], true);
        check(
            "cql() mate [RQ]a1-8",
            &[
                "there are white queens or rooks on the a-file",
                "no move follows in the game, or only castling or a null move",
            ],
            false,
        );
        check(
            "cql() power A - power a > 3",
            &[
                "the number of white pawns + 3 x the number of white knights + 3 x the number of white \
             bishops + 5 x the number of white rooks + 9 x the number of white queens - the number \
             of black pawns - 3 x the number of black knights - 3 x the number of black bishops - 5 \
             x the number of black rooks - 9 x the number of black queens is greater than 3",
            ],
            true,
        );
        check(
            "cql() passedpawns & Pa7",
            &[
                "there are white pawns on a7",
                "the pawns stand as is asked for, which is tested once for positions with the same \
                 pawns",
            ],
            true,
        );
        check(
            "cql() path P[x]q --",
            &["White is to move", "a capture by white pawns of black queens follows in the game"],
            false,
        );
        check(
            "cql() flipcolor {Qh7 path R--}",
            &["one of these: there are black queens on h2 and Black is to move and a move by \
                 black rooks follows in the game; or there are white queens on h7 and White is to \
                 move and a move by white rooks follows in the game"],
            false,
        );
        check(
            "cql() Qh7 or not check",
            &["one of these: there are white queens on h7; or not this: the side to move is in \
               check"],
            true,
        );
        check(
            "cql() not Qh7 mate",
            &["no move follows in the game, or only castling or a null move"],
            false,
        );
        let piece_loop = "cql() piece x in Pa-h2 {path focus x quiet --{4,} --=.}";
        check(
            piece_loop,
            &[
                "there are white pawns on rank 2",
                "White is to move",
                "a move by white pawns on rank 2 follows in the game",
                "a promotion follows in the game",
            ],
            false,
        );
        check(
            "cql() limit=ply limit>20 path quiet R-- {not castle atomic x=to} x--",
            &[
                "White is to move",
                "a move by white rooks follows in the game",
                "the move 1 later goes on from an earlier one",
            ],
            false,
        );
        check("cql() limit=ply wtm or limit>20", &[], false);
        // an error, a text or another way: no later condition may be tested first
        check("cql() x=a1 square x in Pa-h2 {path x-- --}", &[], false);
        check("cql() message(\"\") path quiet --+ --=Q {y=to}", &[], false);
        check("cql() path quiet (--=Q)? --", &[], false);
        assert_eq!(
            plan("cql() find {wtm R==2}").finds,
            [FindPlan {
                screen: vec![
                    "the number of white rooks is 2".to_owned(),
                    "White is to move".to_owned()
                ],
                remembers: true,
            }]
        );
    }

    #[test]
    fn a_find_remembers_what_depends_on_the_position_alone() {
        let check = |text: &str, expected: &[bool]| {
            let finds = plan(text).finds;
            let remembers: Vec<bool> = finds.iter().map(|find| find.remembers).collect();
            assert_eq!(remembers, expected, "{text}");
        };
        check("cql() find quiet {wtm find quiet check}", &[true, true]);
        check("cql() find all quiet {wtm find all quiet check}", &[true, true]);
        check("cql(quiet) find all {wtm find 3 100 check}", &[true, true]);
        check("cql() square x in R find quiet {x&Q find quiet x&q}", &[true, true]);
        // comments, an effect
        check("cql() find all {wtm find all check}", &[true, false]);
        check("cql() find quiet {wtm message(\"x\")}", &[false]);
    }

    #[test]
    fn sort_keys_come_in_their_order() {
        let plan = plan("cql(sort matchcount 1 9) sort \"a\" #R persistent x=1");
        let labels: Vec<&[u8]> = plan.sort_keys.iter().map(|key| &*key.label).collect();
        assert_eq!(labels, [&b"a"[..], b"matchcount"]);
        assert_eq!(plan.match_count, Some((1, 9)));
        assert!(plan.sequential_reason.is_some());
    }
}
