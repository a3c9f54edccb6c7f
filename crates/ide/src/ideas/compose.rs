//! Composes the query for a question whose parts are known: a player, an opponent, a result, years,
//! ratings, a number of moves, a kind of ending, or a kind of move with its number.

use openings::Openings;
use syntax::parse::{AGAINST, have_one_name, of_player, terms};

use super::amounts::{Numbers, month_of, moves, of_clock, of_evaluation, ratings, years};
use super::events::of_sacrifice;
use super::idea::{Idea, of_query};
use super::question_words::{is_number, is_square, plain_letters};
use super::remaining::Rest;
use super::vocabulary::{color_of, is_white, letter_of, men_of, result_of, understood};
use crate::sample::is_query;

/// Last names of players after whom openings are called: they are players beside a color.
const NAMESAKES: &str = "\
    alekhine benko bird bogoljubov breyer chigorin grunfeld jobava kan larsen marshall najdorf \
    nimzowitsch panov philidor pirc polugaevsky reti rossolimo rubinstein samisch sveshnikov \
    taimanov tarrasch torre trompowsky winawer zaitsev zukertort";

/// Cities that `in` before them says to be a place, though openings are called after some.
const CITIES: &str = "\
    amsterdam baku barcelona belgrade berlin biel bled bucharest budapest carlsbad chennai \
    copenhagen dortmund dresden geneva hamburg hastings havana helsinki leningrad linares london \
    madrid mannheim margate monaco moscow nottingham odessa oslo paris prague reykjavik riga rome \
    sofia stavanger stockholm tilburg venice vienna warsaw zurich";

/// Words that add nothing beside others of a question.
const LITTLE: &str = "a all and did every find game games has he is lasted lasting of players she show \
    that the was were where which who";

/// A condition of a whole game, or of one of its positions.
#[derive(Default)]
struct Composed {
    /// Names of the players; the second is the opponent of the first.
    players: Vec<String>,
    /// The color of the first player or, without one, of the side whose result it is.
    is_white: Option<bool>,
    /// Result for the first player, or for the side.
    score: Option<i32>,
    /// Result for a color, with either player: `won by white`.
    result: Option<&'static str>,
    /// Whether the color of that result may be the one of the player, as in `Carlsen white wins`.
    is_result_unclear: bool,
    /// Conditions of the game: years and ratings.
    of_game: Vec<String>,
    /// One of them, and what it may mean besides.
    other: Option<(usize, String)>,
    /// Condition of a position.
    of_position: Option<String>,
    /// Sign that compares the material of the winner with that of the other side.
    material: Option<&'static str>,
    /// Conditions for the number of the move of a position.
    moves: Vec<String>,
    /// Conditions for the number of moves of the game.
    lengths: Vec<String>,
    n_clauses: usize,
    /// Whether the color is that of the opponent, as in `who beat Carlsen with black`.
    is_color_of_other: bool,
    /// Whether the question names a place or an event.
    has_place: bool,
    /// Whether the position is the last one of the game.
    is_last: bool,
    /// Whether the question names studies or problems.
    is_of_studies: bool,
    /// Whether the question says one thing twice.
    is_doubled: bool,
}

/// Results of the player who is named next, and whether a color is that of the opponent.
const SCORES_BEFORE: &[(&str, (i32, bool))] = syntax::rows! {
    "won by", (1, false); "lost by", (-1, false); "drawn by", (0, false); "who beat", (-1, true);
    "who defeated", (-1, true); "who won against", (-1, true); "who lost to", (1, true);
    "who lost against", (1, true); "who drew with", (0, true); "who drew against", (0, true);
};

/// Results of a subject.
pub(super) const SCORES: &[(&str, i32)] = syntax::rows! {
    "wins", 1; "won", 1; "win", 1; "victory", 1; "victories", 1; "loses", -1; "lose", -1;
    "lost", -1; "losses", -1; "loss", -1; "draws", 0; "draw", 0; "drawn", 0; "drew", 0;
};

/// Words for the last position of a game.
const AT_END: &str = "final position with, final position, last position with, game ends with, \
    games that end with, in the final position, at the end of the game, at the end";

/// Conditions of positions.
const POSITIONS: &[(&str, &str)] = syntax::rows! {
    "queen endgame", "endgame \"queen\""; "rook endgame", "endgame \"rook\"";
    "pawn endgame", "endgame \"pawn\""; "knight endgame", "endgame \"knight\"";
    "opposite castling without queens", WITHOUT_QUEENS;
    "opposite side castling without queens", WITHOUT_QUEENS; "queens exchanged", "[Qq] == 0";
    "queens traded", "[Qq] == 0"; "queens off", "[Qq] == 0"; "queen trade", "[Qq] == 0";
    "queen exchange", "[Qq] == 0";
    "castling long", "o-o-o"; "castling short", "o-o"; "castles long", "o-o-o"; "castles short", "o-o";
    "castles queenside", "o-o-o"; "castles kingside", "o-o"; "queenside castling", "o-o-o";
    "kingside castling", "o-o"; "castling", "castle"; "castles", "castle"; "castled", "castle"; "checkmate", "mate"; "mate", "mate"; "mates", "mate"; "mated", "mate";
    "promotion", "currentmove --=."; "promotions", "currentmove --=."; "promotes", "currentmove --=."; "underpromotion", "currentmove --=[RBN]";
    "capture", "currentmove [x]"; "captures", "currentmove [x]"; "en passant", "enpassant";
    "stalemate", "stalemate";
};

/// Words that compare the material of the winner.
const MATERIAL: &[(&str, &str)] = syntax::rows! {
    "with less material", "<"; "with inferior material", "<"; "while behind in material", "<";
    "behind in material", "<"; "with more material", ">"; "ahead in material", ">";
};

/// Both sides have castled, to different wings, and there are no queens.
pub(super) const WITHOUT_QUEENS: &str = "[Qq] == 0 {{find <-- {btm o-o} find <-- {wtm o-o-o}} \
     or {find <-- {btm o-o-o} find <-- {wtm o-o}}}";

/// Says something that a question may say once; notes whether it says it twice.
fn say<T>(slot: &mut Option<T>, value: T, is_doubled: &mut bool) -> Option<()> {
    *is_doubled |= slot.replace(value).is_some();
    Some(())
}

/// Reads the next words as a clause of one kind; `None` if they are none.
type Reader = fn(&mut Composed, &mut Rest) -> Option<()>;

/// The kinds of clauses; the first that the words fit is meant.
const CLAUSES: [Reader; 25] = [
    // A player is before other meanings of the word before a name: `games of Tal`.
    Composed::games_of,
    Composed::subject,
    Composed::scored_by,
    Composed::beats,
    |all, rest| {
        all.of_game.push(place(rest)?);
        all.has_place = true;
        Some(())
    },
    |all, rest| all.of_game(opening(rest)?),
    Composed::between,
    Composed::against,
    |all, rest| all.may_be(ratings(rest)?),
    |all, rest| {
        match moves(rest)? {
            Numbers::Move(is) => all.moves.push(is),
            Numbers::Length(is) => all.lengths.push(is),
        }
        Some(())
    },
    |all, rest| all.may_be(years(rest)?),
    |all, rest| all.holds(of_clock(rest)?),
    |all, rest| all.holds(of_evaluation(rest)?),
    Composed::qualifies,
    |all, rest| say(&mut all.material, rest.takes_one(MATERIAL)?, &mut all.is_doubled),
    Composed::side_scores,
    |all, rest| {
        rest.takes_any(&["studies", "study", "problems"])?;
        all.is_of_studies = true;
        Some(())
    },
    |all, rest| all.holds(piece_on_square(rest)?),
    |all, rest| {
        AT_END.split(", ").find(|words| rest.takes(words))?;
        all.is_doubled |= std::mem::replace(&mut all.is_last, true);
        Some(())
    },
    |all, rest| all.holds(rest.takes_one(POSITIONS)?.to_owned()),
    // as in `white castles long`
    |all, rest| {
        let mover = if rest.color()? { "btm" } else { "wtm" };
        let is_verb = ["mates", "promotes", "captures"].contains(&rest.word(0))
            || (0..2).any(|ahead| rest.word(ahead).starts_with("castl"));
        let moved = rest.takes_one(POSITIONS).filter(|_| is_verb)?;
        all.holds(format!("{mover} {moved}"))
    },
    Composed::namesake,
    Composed::color,
    Composed::scores,
    |all, rest| all.plays(rest.name(false)?),
];

impl Composed {
    /// Understands the next words as a clause; returns whether they are one.
    fn clause(&mut self, rest: &mut Rest) -> bool {
        let is_one = CLAUSES.iter().any(|read| rest.tries(|rest| read(self, rest)).is_some());
        self.n_clauses += usize::from(is_one);
        is_one
    }

    fn games_of(&mut self, rest: &mut Rest) -> Option<()> {
        rest.takes_any(&["games of", "games by", "game of", "game by"])?;
        self.plays(rest.name(true)?)
    }

    /// As in `Quuxer lost`: a name that nobody knows, unless it is a term of chess.
    fn subject(&mut self, rest: &mut Rest) -> Option<()> {
        let name = rest.name(true).filter(|_| self.n_clauses == 0)?;
        let is_term = |word: &str| {
            let word = word.trim_end_matches(',');
            let plain = plain_letters(word);
            letter_of(&plain).is_some()
                || terms().any(|(names, _)| names.split(' ').any(|name| name == plain))
        };
        let is_verb = SCORES.iter().any(|(verb, _)| *verb == rest.word(0));
        let is_other = name.split(' ').any(is_term) || Openings::default().spelled(&name).is_some();
        (is_verb && !is_other).then(|| self.players.push(name))
    }

    /// As in `who beat Carlsen` and `won by Carlsen`.
    fn scored_by(&mut self, rest: &mut Rest) -> Option<()> {
        let (score, is_of_other) = rest.takes_one(SCORES_BEFORE)?;
        self.players.push(rest.name(true)?);
        self.is_color_of_other = is_of_other;
        say(&mut self.score, score, &mut self.is_doubled)
    }

    fn beats(&mut self, rest: &mut Rest) -> Option<()> {
        rest.takes_any(&["beat", "beats", "defeated", "defeats"])?;
        let name = rest.name(true)?;
        self.is_doubled |= self.players.is_empty();
        self.players.push(name);
        say(&mut self.score, 1, &mut self.is_doubled)
    }

    fn against(&mut self, rest: &mut Rest) -> Option<()> {
        rest.takes_any(&AGAINST)?;
        self.opponent(rest.name(true)?)
    }

    /// As in `games between Carlsen and Anand`.
    fn between(&mut self, rest: &mut Rest) -> Option<()> {
        rest.takes_any(&["between"])?;
        let one = rest.name(true)?;
        let other = rest.takes("and").then(|| rest.name(true))??;
        self.players.extend([one, other]);
        Some(())
    }

    /// Adds the opponent of a player, or of a color: `White lost against Tal`.
    fn opponent(&mut self, name: String) -> Option<()> {
        if self.players.is_empty() {
            self.is_doubled |= self.is_white.is_none() || self.is_color_of_other;
            self.is_color_of_other = true;
            self.score = Some(-self.score?);
        }
        self.plays(name)
    }

    /// As in `Jobava with white`.
    fn namesake(&mut self, rest: &mut Rest) -> Option<()> {
        let name = rest.name(true)?;
        let is_color = ["with", "as"].contains(&rest.word(0)) && is_white(rest.word(1)).is_some();
        let last = plain_letters(name.rsplit(' ').next()?);
        let is_player = is_color && NAMESAKES.split(' ').any(|of| of == last);
        is_player.then(|| self.players.push(name))
    }

    fn color(&mut self, rest: &mut Rest) -> Option<()> {
        let _ = rest.takes_any(&["with", "as"]);
        let is_white = rest.color()?;
        let _ = rest.takes("pieces");
        say(&mut self.is_white, is_white, &mut self.is_doubled)
    }

    /// As in `won by white` and `white won`, but not in `white won against Tal`.
    fn side_scores(&mut self, rest: &mut Rest) -> Option<()> {
        let first = rest.color();
        let (is_white, score) = match first {
            Some(is_white) => (is_white, rest.takes_one(SCORES)?),
            None => {
                let (score, _) = rest.takes_one(SCORES_BEFORE)?;
                (rest.color()?, score)
            }
        };
        let is_against = AGAINST.contains(&rest.word(0)) || rest.word(0) == "to";
        let is_clear = score != 0 && !is_against && !self.is_color_of_other;
        is_clear.then_some(())?;
        self.is_result_unclear = first.is_some();
        self.is_doubled |= self.score.is_some();
        say(&mut self.result, result_of(is_white, score), &mut self.is_doubled)
    }

    /// As in `promotion with check` and `castling by white`.
    fn qualifies(&mut self, rest: &mut Rest) -> Option<()> {
        let how = rest.takes_one(&[
            ("with check", "check"),
            ("and check", "check"),
            ("gives check", "check"),
            ("with mate", "mate"),
            ("and mate", "mate"),
            ("by white", "btm"),
            ("by black", "wtm"),
        ])?;
        if let (None, Some(score @ (1 | -1)), Some(is_white)) =
            (&self.of_position, self.score, how.strip_suffix("tm"))
        {
            // as in `won from move 50 by white`
            self.result = Some(result_of(is_white == "b", score));
            self.score = None;
            return self.players.is_empty().then_some(());
        }
        let moved = self.of_position.as_deref()?;
        let is_move = moved.contains("currentmove")
            || ["castle", "enpassant", "o-o", "mate"].iter().any(|end| moved.ends_with(end));
        let is_twice = moved.split(' ').any(|word| word == how || matches!(word, "btm" | "wtm"))
            || how == "mate" && moved.ends_with("mate");
        let both = format!("{how} {moved}");
        (is_move && !is_twice).then(|| self.of_position = Some(both))
    }

    fn scores(&mut self, rest: &mut Rest) -> Option<()> {
        say(&mut self.score, rest.takes_one(SCORES)?, &mut self.is_doubled)?;
        // as in `lost to Tal` and `drew with Tal`, but not in `lost with White`
        let opponent = rest.tries(|rest| {
            rest.takes_any(&["to", "with"])?;
            rest.name(true)
        });
        match opponent {
            Some(name) => self.opponent(name),
            None => Some(()),
        }
    }

    /// Adds a player.
    fn plays(&mut self, name: String) -> Option<()> {
        self.players.push(name);
        Some(())
    }

    /// Adds a condition of the game.
    fn of_game(&mut self, condition: String) -> Option<()> {
        self.of_game.push(condition);
        Some(())
    }

    /// Adds a condition of the game that may mean something else besides.
    fn may_be(&mut self, (condition, other): (String, Option<String>)) -> Option<()> {
        if let Some(other) = other {
            // Two such conditions leave open which of them are meant together.
            self.is_doubled |= self.other.replace((self.of_game.len(), other)).is_some();
        }
        self.of_game(condition)
    }

    /// Adds the condition of a position.
    fn holds(&mut self, position: String) -> Option<()> {
        say(&mut self.of_position, position, &mut self.is_doubled)
    }

    /// Returns the condition of a position for the length of its game.
    fn of_whole_game(&self) -> Option<String> {
        let lengths = self.lengths.join(" ");
        (!lengths.is_empty()).then(|| format!("find {{terminal {lengths}}}"))
    }

    /// Returns how the question is understood. The length of the game of a position has no sentence.
    fn understood(&self, query: &str) -> String {
        match self.of_whole_game().filter(|length| query.contains(length.as_str())) {
            None => understood(query),
            Some(length) => {
                let position = understood(&query.replace(&length, ""));
                let game = understood(&self.lengths.join(" ")).replace("understood as: ", "");
                format!("{position}; and at the end of its game: {game}")
            }
        }
    }

    /// Returns the query for all clauses.
    fn query(&self, of_game: &[String]) -> Option<String> {
        let is_of_side = self.is_white.is_some();
        let own = self.is_white.is_none_or(|is_white| is_white != self.is_color_of_other);
        let is_nothing_last = self.is_last && self.of_position.is_none();
        let is_unclear = self.is_result_unclear && self.players.len() == 1
            || self.result.is_some() && self.score.is_some();
        let is_wrong = self.is_doubled || is_nothing_last || is_unclear || self.players.len() > 2;
        let is_decided = self.score.is_some_and(|score| score != 0);
        // Without a player, a color is that of a side that wins or loses.
        let is_of_nobody = self.players.is_empty() && is_of_side != is_decided;
        let is_material = self.material.is_some() && !is_of_side && self.score == Some(1);
        if is_wrong || is_of_nobody && !is_material {
            return None;
        }
        // One player must not be both of two with one name, as in `Judit Polgar vs Susan Polgar`.
        let are_namesakes = matches!(&self.players[..], [one, other] if have_one_name(one, other));
        let needs_side = is_of_side || are_namesakes || is_decided;
        let player = |(at, name): (usize, &String)| {
            let color = color_of(own == (at == 0));
            of_player(if needs_side { color } else { "" }, name)
        };
        let mut of_players: Vec<String> = self.players.iter().enumerate().map(player).collect();
        let scored = self.score.map(|score| result_of(own, score));
        of_players.extend(scored.or(self.result).map(|result| format!("result {result}")));
        let mut of_players = of_players.join(" ");
        let mut position = self.of_position.clone();
        let is_flipped = needs_side && !is_of_side;
        if let Some(sign) = self.material {
            let (is_white, compared) = match (position.as_deref(), scored.or(self.result)) {
                (Some("mate"), None) => (None, "mate btm"),
                (Some("btm mate"), None) => (Some(true), "btm mate"),
                (Some("wtm mate"), None) => (Some(false), "wtm mate"),
                (None, Some("1-0")) => (Some(true), "terminal"),
                (None, Some("0-1")) => (Some(false), "terminal"),
                _ => return None,
            };
            let [winner, other] = if is_white == Some(false) { ["a", "A"] } else { ["A", "a"] };
            let material = format!("power {winner} {sign} power {other}");
            position = Some(match is_white {
                None => format!("flipcolor {{{compared} {material}}}"),
                Some(_) if is_flipped => {
                    of_players = format!("{of_players} {material}");
                    compared.to_owned()
                }
                Some(_) => format!("{compared} {material}"),
            });
        }
        if is_flipped {
            of_players = format!("flipcolor {{{of_players}}}");
        }
        let ends = position.as_deref().is_none_or(|of| of.ends_with("mate")) || self.is_last;
        let has_numbers = !self.moves.is_empty() || !self.lengths.is_empty();
        let position = match position {
            // The parentheses of a number after a move would be its condition.
            Some(moved)
                if !self.moves.is_empty()
                    && moved.contains("currentmove")
                    && !moved.starts_with("import") =>
            {
                format!("{{{moved}}}")
            }
            Some(position) => position,
            None if has_numbers => "terminal".to_owned(),
            None => "initial".to_owned(),
        };
        let mut all = vec![position];
        all.extend(self.is_last.then(|| "terminal".to_owned()));
        all.extend(self.moves.iter().cloned());
        if ends {
            all.extend(self.lengths.iter().cloned());
        } else {
            all.extend(self.of_whole_game());
        }
        // A game has one year.
        let (years, others): (Vec<String>, Vec<String>) =
            of_game.iter().cloned().partition(|of| of.starts_with("year =="));
        if years.len() > 1 {
            all.push(format!("{{{}}}", years.join(" or ")));
            all.extend(others);
        } else {
            all.extend_from_slice(of_game);
        }
        all.push(of_players);
        all.retain(|part| !part.is_empty());
        Some(all.join(" ")).filter(|query| is_query(query))
    }
}

/// Returns the condition for an event or its place, as in `played in London`, `in Hastings 1895` and
/// `world championship`.
fn place(rest: &mut Rest) -> Option<String> {
    if rest.takes("world championship") {
        return Some("tag \"Event\" ~~ \"[Ww]orld.*[Cc]hampion\"".to_owned());
    }
    let said = ["played in", "played at", "tournament in", "tournament of", "tournament", "event"];
    let is_said = rest.takes_any(&said).is_some();
    if !is_said && !rest.takes("in") {
        return None;
    }
    let from = rest.at;
    let is_name = |word: &&&str| {
        word.starts_with(char::is_uppercase) && is_white(&plain_letters(word)).is_none()
    };
    rest.at += rest.words[from..].iter().take_while(is_name).count();
    let is_before_year = rest.word(0).len() == 4 && is_number(rest.word(0));
    let name = rest.words[from..rest.at].join(" ");
    let is_city = || CITIES.split(' ').any(|city| city == plain_letters(&name));
    let is_named = !name.is_empty() && month_of(&name.to_lowercase()).is_none();
    let is_clear = is_named && (is_said || is_before_year || is_city());
    is_clear.then(|| format!("{{event \"{name}\" or site \"{name}\"}}"))
}

/// Returns the condition for the opening of a game, as in `in the London`.
fn opening(rest: &mut Rest) -> Option<String> {
    rest.takes_any(&["in the", "in a", "in an", "in"])?;
    let openings = Openings::default();
    // the longest name from here on
    let (n, name) = (1..=rest.words.len() - rest.at).rev().find_map(|n| {
        let words = rest.words[rest.at..rest.at + n].join(" ");
        Some((n, openings.spelled(&words)?.to_owned()))
    })?;
    rest.at += n;
    Some(format!("opening \"{}\"", name_of_opening(&openings, &name)))
}

/// Returns the name of an opening as a query should have it: with its last word, such as `Defense`, if
/// others have the short one in their names.
pub fn name_of_opening<'n>(openings: &'n Openings, name: &'n str) -> &'n str {
    match openings.families_called(name) {
        (families, others) if !others.is_empty() && families.len() == 1 => families[0],
        _ => name,
    }
}

/// Returns the condition for a piece on a square, as in `a white knight on d5`.
fn piece_on_square(rest: &mut Rest) -> Option<String> {
    let _ = rest.takes_any(&["a", "the"]);
    let side = is_white(rest.word(0));
    rest.at += usize::from(side.is_some());
    let letter = letter_of(rest.word(0))?;
    rest.at += 1;
    let men = men_of(side, letter);
    let is_given_up = rest.takes_any(&["sacrifice on", "sacrificed on"]).is_some();
    let moves = is_given_up || !rest.takes("on");
    if moves && !is_given_up {
        rest.takes_any(&["reaches", "reached", "goes to", "moves to", "comes to", "lands on"])?;
    }
    let square = Some(rest.word(0).to_owned()).filter(|word| is_square(word))?;
    rest.at += 1;
    Some(match () {
        () if is_given_up => of_sacrifice(&men, &square),
        () if moves => format!("currentmove {men}--{square}"),
        () => men + &square,
    })
}

/// Whether nothing else answers the words for a position.
fn is_new(position: &str) -> bool {
    position == WITHOUT_QUEENS
        || position.contains("currentmove") && !position.contains('=')
        || position.starts_with("clock")
        || position.starts_with("eval")
}

/// Returns the queries for a question all of whose words are parts of known clauses: two, if a clause
/// has two meanings.
pub(super) fn composed(question: &str) -> Vec<Idea> {
    composed_of(question).unwrap_or_default()
}

fn composed_of(question: &str) -> Option<Vec<Idea>> {
    let mut rest = Rest::new(question);
    let mut all = Composed::default();
    while rest.at < rest.words.len() {
        if all.clause(&mut rest) {
            continue;
        }
        if !LITTLE.split(' ').any(|word| word == rest.word(0)) {
            return None;
        }
        rest.at += 1;
    }
    let is_one_player = all.players.len() == 1;
    // One clause without numbers that is no player is answered by what has its words.
    let is_whole = !all.players.is_empty()
        || all.has_place
        || !(all.of_game.is_empty() && all.moves.is_empty() && all.lengths.is_empty())
        || all.of_position.as_deref().is_some_and(is_new);
    if all.n_clauses < 2 && !is_whole {
        return None;
    }
    let line = match all.of_position.as_deref() {
        _ if is_one_player
            && all.n_clauses == 1
            && all.score.is_none()
            && !all.players[0].contains(' ') =>
        {
            Some("the games of this player, with either color")
        }
        Some(WITHOUT_QUEENS) if all.n_clauses == 1 => {
            Some("both sides have castled, to different wings, and no queen is on the board")
        }
        _ => None,
    };
    let has_given_name = all.players.iter().any(|name| name.contains(' '));
    let mut queries = vec![all.query(&all.of_game)?];
    if let Some((at, other)) = &all.other {
        let mut of_game = all.of_game.clone();
        of_game[*at].clone_from(other);
        queries.extend(all.query(&of_game));
    }
    let idea = |query: String| {
        let mut line = line.map_or_else(|| all.understood(&query), str::to_owned);
        if all.is_of_studies {
            line += "; search a file of studies with it";
        }
        if has_given_name {
            line += "; files write the last name first, and often only an initial";
        }
        of_query(&query, &line)
    };
    Some(queries.into_iter().map(idea).collect())
}
