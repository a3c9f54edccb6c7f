//! Composes the query for a question whose parts are known: a player, an opponent, a result, years,
//! ratings, a number of moves, a kind of ending, or a kind of move with its number.

use openings::Openings;
use syntax::parse::terms;

use super::asked::{is_number, is_square, parts, plain_letters};
use super::idea::{Idea, of_query};
use super::said::{AGAINST, color_of, is_white, letter_of, men_of, result_of, signs, understood};

/// Last names of players, by which a question without other words for one is understood.
const PLAYERS: &str = "\
    anand andersson aronian botvinnik bronstein capablanca carlsen caruana euwe firouzja \
    fischer geller gelfand giri gukesh huebner hubner ivanchuk karjakin karpov kasparov keres korchnoi \
    kosteniuk kramnik lasker leko mamedyarov morozevich morphy nakamura \
    nepomniachtchi petrosian polgar ponomariov portisch praggnanandhaa radjabov rubinstein \
    shirov smyslov spassky steinitz svidler tal timman topalov \
    vidmar wojtaszek yifan";

/// Last names of players after whom openings are called: they are players beside a color.
const NAMESAKES: &str = "\
    alekhine benko bird bogoljubov breyer chigorin grunfeld jobava kan larsen marshall najdorf \
    nimzowitsch panov philidor pirc polugaevsky reti rossolimo rubinstein samisch sveshnikov \
    taimanov tarrasch torre trompowsky winawer zaitsev zukertort";

/// Given names of players, by which a name in small letters is understood.
const GIVEN: &str = "\
    alexander anatoly anish bobby boris emanuel fabiano garry garri hikaru ian ivan jan jose judit \
    levon magnus max mikhail paul peter raul robert susan tigran vasily vassily veselin viktor \
    viswanathan vishy vladimir wilhelm yifan zsuzsa";

/// Cities that `in` before them says to be a place, though openings are called after some.
const CITIES: &str = "\
    amsterdam baku barcelona belgrade berlin biel bled bucharest budapest carlsbad chennai \
    copenhagen dortmund dresden geneva hamburg hastings havana helsinki leningrad linares london \
    madrid mannheim margate monaco moscow nottingham odessa oslo paris prague reykjavik riga rome \
    sofia stavanger stockholm tilburg venice vienna warsaw zurich";

/// Words that add nothing beside others of a question.
const LITTLE: [&str; 21] = [
    "a", "all", "and", "by", "did", "every", "find", "game", "games", "has", "he", "is", "she",
    "of", "show", "that", "the", "was", "where", "which", "who",
];

/// A condition of a whole game, or of one of its positions.
#[derive(Default)]
struct Composed {
    /// Names of the players; the second is the opponent of the first.
    players: Vec<String>,
    /// The color of the first player or, without one, of the side whose result it is.
    is_white: Option<bool>,
    /// Result for the first player, or for the side.
    score: Option<i32>,
    /// Conditions of the game: years and ratings.
    of_game: Vec<String>,
    /// Condition of a position.
    of_position: Option<String>,
    /// Sign and number that the number of the move is compared with.
    moves: Option<String>,
    n_clauses: usize,
    /// Whether the color is that of the opponent, as in `who beat Carlsen with black`.
    is_color_of_other: bool,
    /// Whether the question names a place or an event.
    has_place: bool,
    /// Whether the position is the last one of the game.
    is_last: bool,
    /// Whether the question says one thing twice.
    is_doubled: bool,
}

/// The words of a question that are still to be understood.
struct Rest<'q> {
    words: Vec<&'q str>,
    plain: Vec<String>,
    at: usize,
}

impl Rest<'_> {
    fn word(&self, ahead: usize) -> &str {
        self.plain.get(self.at + ahead).map_or("", String::as_str)
    }

    /// Goes on after these words, if they come next.
    fn takes(&mut self, words: &str) -> bool {
        let n = words.split(' ').count();
        let are_next = words.split(' ').enumerate().all(|(at, word)| self.word(at) == word);
        self.at += if are_next { n } else { 0 };
        are_next
    }

    /// Goes on after one of these, if one comes next.
    fn takes_any(&mut self, all: &[&str]) -> Option<()> {
        all.iter().any(|words| self.takes(words)).then_some(())
    }

    fn takes_one<T: Copy>(&mut self, rows: &[(&str, T)]) -> Option<T> {
        rows.iter().find(|(words, _)| self.takes(words)).map(|(_, meaning)| *meaning)
    }

    /// Returns the number that comes next, if it is in a range.
    fn number(&mut self, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let number = self.word(0).parse().ok().filter(|n| range.contains(n))?;
        self.at += 1;
        Some(number)
    }

    /// Reads a clause; if it is none, goes back to its beginning.
    fn tries<T>(&mut self, clause: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let at = self.at;
        let found = clause(self);
        if found.is_none() {
            self.at = at;
        }
        found
    }

    /// Returns the next words if they are a name: with a known last name, or in any case.
    fn name(&mut self, is_said: bool) -> Option<String> {
        let is_known = |at: usize| self.words.get(at).is_some_and(|word| is_player(bare(word)));
        let is_capital = |at: usize| {
            let is_color = self.plain.get(at).is_some_and(|word| is_white(word).is_some());
            !is_color && self.words.get(at).is_some_and(|word| word.starts_with(char::is_uppercase))
        };
        // Two names follow each other in `Kasparov Topalov`.
        let mut end = self.at;
        let is_given = |at: usize| {
            is_known(at + 1)
                && self.plain.get(at).is_some_and(|word| GIVEN.split(' ').any(|of| of == word))
        };
        let goes_on =
            |at: usize| is_capital(at) || is_given(at) || at > self.at && is_given(at - 1);
        while goes_on(end) && !(end > self.at && is_known(end - 1)) {
            end += 1;
        }
        if !is_said || end == self.at {
            let last = (self.at..end.max(self.at + 1)).rev().find(|at| is_known(*at))?;
            end = last + 1;
        }
        // A name in small letters is one of those above.
        let capital = |word: &&str| -> String {
            let mut letters = bare(word).chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect()
        };
        let name: Vec<String> = self.words[self.at..end].iter().map(capital).collect();
        self.at = end;
        Some(name.join(" "))
    }
}

/// Returns a name without the ending of what belongs to it: `Carlsen` for `Carlsen's`.
fn bare(word: &str) -> &str {
    ["'s", "’s"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word)
}

/// Returns the filter for a player with a color, or with either. Files write the last name first, and
/// often an initial.
pub(super) fn of_player(color: &str, name: &str) -> String {
    let player = format!("player {color}");
    match name.rsplit_once(' ') {
        Some((given, last)) => {
            let initial: String = given.chars().take(1).collect();
            format!("{} ~~ \"{last}, {initial}|{name}\"", player.trim_end())
        }
        None => format!("{} \"{name}\"", player.trim_end()),
    }
}

/// Whether a word is the last name of a player who is known without other words.
pub fn is_player(word: &str) -> bool {
    let plain = plain_letters(word);
    PLAYERS.split(' ').any(|of| of == plain)
}

/// Signs before a year.
const YEARS: &[(&str, &str)] = syntax::rows! {
    "in the year", "=="; "in", "=="; "of", "=="; "from", "=="; "year", "=="; "since", ">=";
    "until", "<="; "after", ">"; "before", "<";
};

/// Results of the player who is named next, and whether a color is that of the opponent.
const SCORES_BEFORE: &[(&str, (i32, bool))] = syntax::rows! {
    "won by", (1, false); "lost by", (-1, false); "drawn by", (0, false); "who beat", (-1, true);
    "who defeated", (-1, true); "who won against", (-1, true); "who lost to", (1, true);
    "who lost against", (1, true); "who drew with", (0, true); "who drew against", (0, true);
};

/// Results of a subject.
const SCORES: &[(&str, i32)] = syntax::rows! {
    "wins", 1; "won", 1; "win", 1; "victory", 1; "victories", 1; "loses", -1; "lose", -1;
    "lost", -1; "losses", -1; "loss", -1; "draws", 0; "draw", 0; "drawn", 0; "drew", 0;
};

/// Words for the last position of a game.
const AT_END: &[&str] = &[
    "final position with",
    "final position",
    "last position with",
    "game ends with",
    "games that end with",
    "in the final position",
    "at the end of the game",
    "at the end",
];

/// Conditions of positions.
const POSITIONS: &[(&str, &str)] = syntax::rows! {
    "queen endgame", "endgame \"queen\""; "rook endgame", "endgame \"rook\"";
    "pawn endgame", "endgame \"pawn\""; "knight endgame", "endgame \"knight\"";
    "opposite castling without queens", WITHOUT_QUEENS;
    "opposite side castling without queens", WITHOUT_QUEENS; "queens exchanged", "[Qq] == 0";
    "queens traded", "[Qq] == 0"; "queens off", "[Qq] == 0"; "queen trade", "[Qq] == 0";
    "queen exchange", "[Qq] == 0"; "white castles", "btm castle"; "black castles", "wtm castle";
    "castling", "castle"; "checkmate", "mate"; "mate", "mate"; "white mates", "btm mate";
    "black mates", "wtm mate"; "promotion", "currentmove --=.";
};

/// Both sides have castled, to different wings, and there are no queens.
pub(super) const WITHOUT_QUEENS: &str = "[Qq] == 0 {{find <-- {btm o-o} find <-- {wtm o-o-o}} \
     or {find <-- {btm o-o-o} find <-- {wtm o-o}}}";

/// Reads the next words as a clause of one kind; `None` if they are none.
type Reader = fn(&mut Composed, &mut Rest) -> Option<()>;

/// The kinds of clauses; the first that the words fit is meant.
const CLAUSES: [Reader; 18] = [
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
    |all, rest| all.of_game(rating(rest)?),
    |all, rest| {
        let moves = number_of_moves(rest)?;
        all.is_doubled |= all.moves.replace(moves).is_some();
        Some(())
    },
    |all, rest| all.of_game(year(rest)?),
    |all, rest| all.holds(piece_on_square(rest)?),
    |all, rest| {
        rest.takes_any(AT_END)?;
        all.is_doubled |= std::mem::replace(&mut all.is_last, true);
        Some(())
    },
    |all, rest| all.holds(rest.takes_one(POSITIONS)?.to_owned()),
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
        self.is_doubled |= self.score.replace(score).is_some();
        Some(())
    }

    fn beats(&mut self, rest: &mut Rest) -> Option<()> {
        rest.takes_any(&["beat", "beats", "defeated", "defeats"])?;
        let name = rest.name(true)?;
        self.is_doubled |= self.players.is_empty() || self.score.replace(1).is_some();
        self.players.push(name);
        Some(())
    }

    fn against(&mut self, rest: &mut Rest) -> Option<()> {
        rest.takes_any(&AGAINST)?;
        let name = rest.name(true)?;
        self.opponent(name)
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
        let is_white = is_white(rest.word(0))?;
        rest.at += 1;
        let _ = rest.takes("pieces");
        self.is_doubled |= self.is_white.replace(is_white).is_some();
        Some(())
    }

    fn scores(&mut self, rest: &mut Rest) -> Option<()> {
        let score = rest.takes_one(SCORES)?;
        self.is_doubled |= self.score.replace(score).is_some();
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

    /// Adds the condition of a position.
    fn holds(&mut self, position: String) -> Option<()> {
        self.is_doubled |= self.of_position.replace(position).is_some();
        Some(())
    }

    /// Returns the query for all clauses.
    fn query(self) -> Option<String> {
        let is_of_side = self.is_white.is_some();
        let own = self.is_white.is_none_or(|is_white| is_white != self.is_color_of_other);
        let has_players = !self.players.is_empty();
        // Without a player, a color is that of a side that wins or loses.
        let is_nothing_last = self.is_last && self.of_position.is_none();
        let is_wrong = self.is_doubled || is_nothing_last || self.players.len() > 2;
        if is_wrong || !has_players && is_of_side != self.score.is_some_and(|s| s != 0) {
            return None;
        }
        let needs_side = is_of_side || self.score.is_some_and(|score| score != 0);
        let player = |(at, name): (usize, &String)| {
            let color = color_of(own == (at == 0));
            of_player(if needs_side { color } else { "" }, name)
        };
        let mut of_players: Vec<String> = self.players.iter().enumerate().map(player).collect();
        of_players.extend(self.score.map(|score| format!("result {}", result_of(own, score))));
        let mut of_players = of_players.join(" ");
        if needs_side && !is_of_side {
            of_players = format!("flipcolor {{{of_players}}}");
        }
        let at_end = if self.moves.is_some() { "terminal" } else { "initial" };
        let position = self.of_position.unwrap_or_else(|| at_end.to_owned());
        let moves = self.moves.map(|moves| format!("(ply + 1) / 2 {moves}"));
        let mut all = vec![position];
        all.extend(self.is_last.then(|| "terminal".to_owned()));
        all.extend(moves);
        all.extend(self.of_game);
        all.push(of_players);
        all.retain(|part| !part.is_empty());
        Some(all.join(" "))
    }
}

/// Returns the condition for a rating of a side, as in `white over 2700`.
fn rating(rest: &mut Rest) -> Option<String> {
    let is_white = is_white(rest.word(0))?;
    rest.at += 1;
    let _ = rest.takes_any(&["rated", "elo", "rating"]);
    let sign = sign(rest)?;
    let number = rest.number(1000..=3500)?;
    // as for the ratings of a question without a color
    let sign = if sign == ">" { ">=" } else { sign };
    Some(format!("elo {} {sign} {number}", color_of(is_white)))
}

/// Returns the sign that compares a number, as in `in less than` and `over`.
fn sign(rest: &mut Rest) -> Option<&'static str> {
    let _ = rest.takes_any(&["in", "of", "with"]);
    signs().find(|(words, _)| rest.takes(words)).map(|(_, sign)| sign)
}

/// Returns what compares the number of the move, as in `before move 10` and `in less than 25 moves`.
fn number_of_moves(rest: &mut Rest) -> Option<String> {
    let sign = if rest.takes("on") || rest.word(0) == "at" && rest.word(1) == "move" {
        let _ = rest.takes("at");
        "=="
    } else {
        sign(rest)?
    };
    let has_move = rest.takes("move");
    let number = rest.number(1..=999)?;
    (has_move || rest.takes("moves")).then(|| format!("{sign} {number}"))
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
    let is_clear = !name.is_empty() && (is_said || is_before_year || is_city());
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
    Some(format!("opening \"{name}\""))
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
        () if is_given_up => format!("import \"themes\" currentmove {men}--{square} sacrifice()"),
        () if moves => format!("currentmove {men}--{square}"),
        () => men + &square,
    })
}

/// Returns the condition for years, as in `since 2010` and `between 2000 and 2010`.
fn year(rest: &mut Rest) -> Option<String> {
    let years = 1400..=2100;
    if rest.takes("between") {
        let first = rest.number(years.clone())?;
        let last = rest.takes("and").then(|| rest.number(years))??;
        return Some(format!("year >= {first} year <= {last}"));
    }
    let sign = match rest.word(0) {
        word if is_number(word) => "==",
        _ => rest.takes_one(YEARS)?,
    };
    Some(format!("year {sign} {}", rest.number(years)?))
}

/// Whether nothing else answers the words for a position.
fn is_new(position: &str) -> bool {
    position == WITHOUT_QUEENS || position.contains("currentmove") && !position.contains('=')
}

/// Returns the query for a question all of whose words are parts of known clauses.
pub(super) fn composed(question: &str) -> Option<Idea> {
    let words: Vec<&str> = parts(question).collect();
    let same = |word: &&str| match plain_letters(word).as_str() {
        "endgames" | "ending" | "endings" => "endgame".to_owned(),
        word => word.to_owned(),
    };
    let plain = words.iter().map(same).collect();
    let mut rest = Rest { words, plain, at: 0 };
    let mut all = Composed::default();
    while rest.at < rest.words.len() {
        if all.clause(&mut rest) {
            continue;
        }
        if !LITTLE.contains(&rest.word(0)) {
            return None;
        }
        rest.at += 1;
    }
    let is_one_player = all.players.len() == 1;
    // One clause that is no player is answered by what has its words.
    let is_whole =
        !all.players.is_empty() || all.has_place || all.of_position.as_deref().is_some_and(is_new);
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
        Some(WITHOUT_QUEENS) => {
            Some("both sides have castled, to different wings, and no queen is on the board")
        }
        _ => None,
    };
    let has_given_name = all.players.iter().any(|name| name.contains(' '));
    let query = all.query()?;
    let mut line = line.map_or_else(|| understood(&query), str::to_owned);
    if has_given_name {
        line += "; files write the last name first, and often only an initial";
    }
    Some(of_query(&query, &line))
}
