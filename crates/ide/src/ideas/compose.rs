//! Composes the query for a question whose parts are known: a player, an opponent, a result, years,
//! ratings, a number of moves, a kind of ending, or a kind of move with its number.

use openings::Openings;
use syntax::parse::{AGAINST, have_one_name, of_player, terms};

use super::amounts::{Numbers, Rating, month_of, moves, of_clock, of_evaluation, ratings, years};
use super::codes::next_codes;
use super::events::of_sacrifice;
use super::idea::{Idea, of_query};
use super::moves::of_side;
use super::pieces::on_board;
use super::question_words::{COMPARING, decides, is_number, is_square, plain_letters, stem, stems};
use super::remaining::{ASKER, Rest, is_verb};
use super::vocabulary::{amount, color_of, is_white, letter_of, men_of, result_of, understood};
use crate::cookbook::recipes;
use crate::sample::is_query;

/// Last names of players after whom openings are called: they are players beside a color.
const NAMESAKES: &str = "\
    alekhine benko bird bogoljubov breyer chigorin grunfeld jobava kan larsen marshall najdorf \
    nimzowitsch panov philidor pirc polugaevsky reti rossolimo rubinstein samisch sveshnikov \
    taimanov tarrasch torre trompowsky winawer zaitsev zukertort";

/// Places of tournaments: with `in` before them or a year after them even if openings are called so.
const CITIES: &str = "\
    amsterdam, baku, barcelona, belgrade, berlin, biel, bled, bucharest, budapest, carlsbad, chennai, \
    copenhagen, dortmund, dresden, geneva, hamburg, hastings, havana, helsinki, leningrad, linares, \
    london, madrid, mannheim, margate, monaco, moscow, new york, nottingham, odessa, oslo, paris, \
    prague, reykjavik, riga, rome, saint louis, san sebastian, sofia, stavanger, stockholm, tilburg, \
    venice, vienna, warsaw, wijk aan zee, zurich";

/// Words that add nothing beside others of a question.
const LITTLE: &str = "a all and by did every find from game games has he is lasted lasting of play played \
    players playing plays she show that the was were where which who";

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
    /// Further conditions of the same position: what stands on the board.
    on_board: Vec<String>,
    /// Conditions for the first player or side (0) or the other one (1), as they are for White and Black.
    of_sides: Vec<(usize, [String; 2])>,
    /// Ratings of players who may still be named, and the number of players before each.
    ratings: Vec<(Rating, usize)>,
    /// Whether the conditions for the sides are those of a position.
    has_balance: bool,
    /// Whether the players are named together: `between Carlsen and Anand`.
    is_between: bool,
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
    /// Whether the question begins with the name of an opening, or has it without a word before it.
    is_opening: bool,
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
    "opposite side castling without queens", WITHOUT_QUEENS; "queens off", "[Qq] == 0";
    "queens exchanged", LAST_QUEEN; "queens traded", LAST_QUEEN; "queen trade", LAST_QUEEN;
    "queen exchange", LAST_QUEEN;
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

/// The position after the last queen was taken.
const LAST_QUEEN: &str = "[Qq] == 0 currentmove [x][Qq]";

/// Both sides have castled, to different wings, and there are no queens.
pub(super) const WITHOUT_QUEENS: &str = "[Qq] == 0 {{find <-- {btm o-o} find <-- {wtm o-o-o}} \
     or {find <-- {btm o-o-o} find <-- {wtm o-o}}}";

/// Says something that a question may say once; notes whether it says it twice.
fn say<T>(slot: &mut Option<T>, value: T, is_doubled: &mut bool) -> Option<()> {
    *is_doubled |= slot.replace(value).is_some();
    Some(())
}

/// Words for the opponent of a player.
const OPPONENTS: [&str; 4] =
    ["against opponents", "against an opponent", "against players", "against a player"];

/// Names of pieces of which a side has more or fewer, their letters, and their values.
const VALUES: &[(&str, (&str, u32))] = syntax::rows! {
    "queen", ("Q", 9); "queens", ("Q", 9); "rook", ("R", 5); "rooks", ("R", 5); "bishop", ("B", 3);
    "knight", ("N", 3); "piece", ("[BN]", 3); "pieces", ("[BN]", 3); "pawn", ("P", 1);
    "pawns", ("P", 1);
};

/// Whether openings are called after a player with this name.
fn is_namesake(name: &str) -> bool {
    let last = plain_letters(name.rsplit(' ').next().unwrap_or(name));
    NAMESAKES.split(' ').any(|of| of == last)
}

/// Returns a condition for the rating of White, and the same for Black.
fn of_both(of_white: String) -> [String; 2] {
    let of_black = of_white.replace("white", "black");
    [of_white, of_black]
}

/// Reads the next words as a clause of one kind; `None` if they are none.
type Reader = fn(&mut Composed, &mut Rest) -> Option<()>;

/// The kinds of clauses; the first that the words fit is meant.
const CLAUSES: [Reader; 32] = [
    |all, rest| all.of_game(next_codes(rest)?),
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
    Composed::rated,
    |all, rest| {
        match moves(rest)? {
            Numbers::Move(is) => all.moves.push(is),
            Numbers::Length(is) => all.lengths.push(is),
        }
        Some(())
    },
    |all, rest| {
        let (is, other) = years(rest)?;
        all.may_be(Rating { is, other, of_white: None })
    },
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
    |all, rest| all.holds(piece_moves(rest)?),
    Composed::ahead,
    Composed::stands,
    // as in `black plays h5`
    |all, rest| {
        let is_white = rest.color()?;
        rest.takes_any(&["plays", "played"])?;
        let moved = of_side(rest.words.get(rest.at)?, is_white)?;
        rest.at += 1;
        all.holds(moved)
    },
    |all, rest| {
        rest.takes_any(&["by mate", "with mate", "by checkmate"])?;
        all.score.or(all.result.map(|_| 1)).filter(|score| *score != 0)?;
        all.holds("mate".to_owned())
    },
    |all, rest| {
        rest.takes_any(&["on time", "on the clock", "by time forfeit"])?;
        all.of_game("tag \"Termination\" ~~ \"[Tt]ime\"".to_owned())
    },
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
    // as in `Sicilian games of Carlsen`
    |all, rest| {
        let is_name = rest.words[rest.at].starts_with(char::is_uppercase);
        let from = rest.at;
        let name = opening_called(rest).filter(|_| is_name)?;
        let is_of_player = rest.at == from + 1 && is_namesake(&rest.plain[from]);
        all.is_opening = true;
        if is_of_player { None } else { all.of_game(name) }
    },
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
            let has = |text: &str| stems(text).iter().any(|of| of == stem(&plain));
            letter_of(&plain).is_some()
                || terms().any(|(names, _)| names.split(' ').any(|name| name == plain))
                || recipes().any(|recipe| has(recipe.title))
        };
        let is_color = ["as", "with"].contains(&rest.word(0)) && is_white(rest.word(1)).is_some();
        let is_verb = is_verb(rest.word(0)) || is_color;
        // An opening plays no other.
        let is_namesake = ["plays", "rated"].contains(&rest.word(0)) && is_namesake(&name);
        let is_other = !is_namesake
            && (name.split(' ').any(is_term) || Openings::default().spelled(&name).is_some());
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
        self.is_between = true;
        Some(())
    }

    /// As in `Kosteniuk rated over 2500` and `Carlsen against opponents over 2800`.
    fn rated(&mut self, rest: &mut Rest) -> Option<()> {
        let is_of_other = rest.takes_any(&OPPONENTS).is_some();
        let rating = ratings(rest)?;
        if rating.of_white.is_none() {
            return self.may_be(rating);
        }
        if is_of_other {
            let has_side = !self.players.is_empty() || self.is_white.is_some();
            self.of_sides.push((1, of_both(rating.of_white.filter(|_| has_side)?)));
        } else {
            self.ratings.push((rating, self.players.len()));
        }
        Some(())
    }

    /// Gives each rating of nobody in particular to the player who is named before it, or else after it.
    fn settle(&mut self) {
        for (rating, n) in std::mem::take(&mut self.ratings) {
            match rating.of_white {
                Some(of_white) if !self.players.is_empty() && !self.is_between => {
                    self.of_sides.push((n.saturating_sub(1), of_both(of_white)));
                }
                _ => drop(self.may_be(rating)),
            }
        }
    }

    /// As in `black is a rook down`: the rest of the material is equal.
    fn ahead(&mut self, rest: &mut Rest) -> Option<()> {
        let side = rest.color();
        let _ = rest.takes_any(&["is", "was", "has"]);
        let n = amount(rest.word(0)).filter(|n| (1..=8).contains(n))?;
        rest.at += 1;
        let (men, value) = rest.takes_one(VALUES)?;
        let is_ahead =
            rest.takes_one(&[("up", true), ("ahead", true), ("down", false), ("behind", false)])?;
        let (large, small) = ([men, "A"], [&*men.to_lowercase(), "a"]);
        let more = |[men, all]: [&str; 2], [other, rest]: [&str; 2]| {
            let difference = n as u32 * value;
            format!("#{men} == #{other} + {n} power {all} == power {rest} + {difference}")
        };
        let mut both = [more(large, small), more(small, large)];
        both.rotate_left(usize::from(!is_ahead));
        self.of_sides.push((0, both));
        self.is_doubled |= self.has_balance
            || side.is_some() && (!self.players.is_empty() || self.is_white.is_some());
        self.has_balance = true;
        self.is_white = side.or(self.is_white);
        Some(())
    }

    /// As in `a white knight on d5` and `no black knights`: the longest words that say what stands on
    /// the board.
    fn stands(&mut self, rest: &mut Rest) -> Option<()> {
        let (n, query) = (1..=rest.words.len() - rest.at)
            .rev()
            .find_map(|n| Some((n, on_board(&rest.words[rest.at..rest.at + n].join(" "))?)))?;
        rest.at += n;
        self.on_board.push(query);
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
        (is_color && is_namesake(&name)).then(|| self.players.push(name))
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
    fn may_be(&mut self, condition: Rating) -> Option<()> {
        if let Some(other) = condition.other {
            // Two such conditions leave open which of them are meant together.
            self.is_doubled |= self.other.replace((self.of_game.len(), other)).is_some();
        }
        self.of_game(condition.is)
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
        let has_players = !self.players.is_empty();
        let is_decided = self.score.is_some_and(|score| score != 0);
        // Without a player, a color is that of a side that wins or loses.
        let is_nothing_last =
            self.is_last && self.of_position.is_none() && self.on_board.is_empty();
        let is_unclear = self.is_result_unclear && self.players.len() == 1
            || self.result.is_some() && self.score.is_some();
        if self.is_doubled || is_nothing_last || is_unclear || self.players.len() > 2 {
            return None;
        }
        let has_side = has_players || !self.of_sides.is_empty() || self.material.is_some();
        if !has_side && is_of_side && !is_decided {
            return None;
        }
        // as in `won in 20 moves or fewer`, but not in `King's Gambit wins`
        let is_by_either = is_decided && !has_side && !is_of_side;
        if is_by_either && of_game.iter().any(|of| of.starts_with("opening")) {
            return None;
        }
        // One player must not be both of two with one name, as in `Judit Polgar vs Susan Polgar`.
        let are_namesakes = matches!(&self.players[..], [one, other] if have_one_name(one, other));
        let needs_side =
            is_of_side || are_namesakes || is_decided && !is_by_either || !self.of_sides.is_empty();
        let color = |at: usize| color_of(own == (at == 0));
        let player =
            |(at, name): (usize, &String)| of_player(if needs_side { color(at) } else { "" }, name);
        let mut of_players: Vec<String> = self.players.iter().enumerate().map(player).collect();
        let of_sides = self.of_sides.iter();
        of_players.extend(of_sides.map(|(at, of)| of[usize::from(own != (*at == 0))].clone()));
        let is_flipped = needs_side && !is_of_side;
        let mut position = self.of_position.clone();
        let scored = self.score.filter(|_| !is_by_either).map(|score| result_of(own, score));
        let result = scored.or(self.result).map(|result| format!("result {result}"));
        // The result for a color is not exchanged with the players.
        let of_colors = result.clone().filter(|_| is_flipped && scored.is_none());
        of_players.extend(result.filter(|_| of_colors.is_none()));
        let mut of_players = of_players.join(" ");
        if let Some(sign) = self.material {
            let result = scored.or(self.result);
            let [of_all, of_side] = of_material(sign, position.as_deref(), result, is_flipped)?;
            position = Some(of_all);
            of_players += &of_side;
        }
        if is_flipped {
            of_players = format!("flipcolor {{{of_players}}}");
        }
        let is_any = !self.on_board.is_empty() || self.has_balance;
        let ends = position.as_deref().map_or(!is_any, |of| of.ends_with("mate")) || self.is_last;
        let has_numbers = !self.moves.is_empty() || !self.lengths.is_empty();
        let mut all: Vec<String> = match position {
            // The parentheses of a number after a move would be its condition.
            Some(moved)
                if !self.moves.is_empty()
                    && moved.contains("currentmove")
                    && !moved.starts_with("import") =>
            {
                vec![format!("{{{moved}}}")]
            }
            Some(position) => vec![position],
            None if is_any => Vec::new(),
            None if has_numbers => vec!["terminal".to_owned()],
            None => vec!["initial".to_owned()],
        };
        all.extend(
            self.on_board
                .iter()
                .map(|of| if of.contains(" or ") { format!("{{{of}}}") } else { of.clone() }),
        );
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
        if is_by_either && self.of_position.as_deref() != Some("mate") {
            all.push("{result 1-0 or result 0-1}".to_owned());
        }
        all.push(of_players);
        all.extend(of_colors);
        all.retain(|part| !part.is_empty());
        Some(all.join(" ")).filter(|query| is_query(query))
    }
}

/// Returns the condition that compares the material of the winner in a last position, and the part of it
/// that is exchanged with the players.
fn of_material(
    sign: &str,
    position: Option<&str>,
    result: Option<&str>,
    is_flipped: bool,
) -> Option<[String; 2]> {
    let (is_white, compared) = match (position, result) {
        (Some("mate"), None) => (None, "mate btm"),
        (Some("btm mate"), None) => (Some(true), "btm mate"),
        (Some("wtm mate"), None) => (Some(false), "wtm mate"),
        (None, Some("1-0")) => (Some(true), "terminal"),
        (None, Some("0-1")) => (Some(false), "terminal"),
        _ => return None,
    };
    let [winner, other] = if is_white == Some(false) { ["a", "A"] } else { ["A", "a"] };
    let material = format!(" power {winner} {sign} power {other}");
    Some(match is_white {
        None => [format!("flipcolor {{{compared}{material}}}"), String::new()],
        Some(_) if is_flipped => [compared.to_owned(), material],
        Some(_) => [format!("{compared}{material}"), String::new()],
    })
}

/// Returns the condition for an event or its place, as in `played in London`, `Linares 1999` and
/// `world championship`.
fn place(rest: &mut Rest) -> Option<String> {
    if rest.takes("world championship") {
        return Some("tag \"Event\" ~~ \"[Ww]orld.*[Cc]hampion\"".to_owned());
    }
    let said = ["played in", "played at", "tournament in", "tournament of", "tournament", "event"];
    let is_said = rest.takes_any(&said).is_some();
    let is_in = is_said || rest.takes("in");
    let from = rest.at;
    let is_name = |word: &&&str| {
        word.starts_with(char::is_uppercase) && is_white(&plain_letters(word)).is_none()
    };
    let is_city = CITIES.split(", ").any(|city| rest.takes(city));
    if !is_city {
        rest.at += rest.words[from..].iter().take_while(is_name).filter(|_| is_in).count();
    }
    let is_before_year = rest.word(0).len() == 4 && is_number(rest.word(0));
    let name = rest.words[from..rest.at].join(" ");
    if month_of(&name.to_lowercase()).is_some() {
        return None;
    }
    let is_clear = if is_city {
        is_in || is_before_year || Openings::default().spelled(&name).is_none()
    } else {
        is_said || is_in && is_before_year
    };
    (is_clear && !name.is_empty()).then(|| format!("{{event \"{name}\" or site \"{name}\"}}"))
}

/// Returns the condition for the opening of a game, as in `in the London` and `plays the Caro-Kann`.
fn opening(rest: &mut Rest) -> Option<String> {
    rest.takes_any(&["in", "play", "plays", "played", "playing", "with", "against", "and"])?;
    let is_in = rest.plain[rest.at - 1] == "in";
    let has_article = rest.takes_any(&["the", "a", "an"]).is_some();
    if is_in || has_article { opening_called(rest) } else { None }
}

/// Returns the condition for the opening with the longest name from here on.
fn opening_called(rest: &mut Rest) -> Option<String> {
    let openings = Openings::default();
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

/// Returns the condition for a piece that goes to a square, as in `a white knight reaches d5`, or is given
/// up there.
fn piece_moves(rest: &mut Rest) -> Option<String> {
    let _ = rest.takes_any(&["a", "the"]);
    let side = rest.color();
    let men = men_of(side, letter_of(rest.word(0))?);
    rest.at += 1;
    let is_given_up = rest.takes_any(&["sacrifice on", "sacrificed on"]).is_some();
    if !is_given_up {
        rest.takes_any(&["reaches", "reached", "goes to", "moves to", "comes to", "lands on"])?;
    }
    let square = Some(rest.word(0).to_owned()).filter(|word| is_square(word))?;
    rest.at += 1;
    Some(if is_given_up {
        of_sacrifice(&men, &square)
    } else {
        format!("currentmove {men}--{square}")
    })
}

/// Whether nothing else answers the words for a position.
fn is_new(position: &str) -> bool {
    position == WITHOUT_QUEENS
        || position.starts_with("btm ") && !position.ends_with("mate")
        || position.starts_with("wtm ") && !position.ends_with("mate")
        || position.contains("currentmove") && !position.contains('=')
        || position.starts_with("clock")
        || position.starts_with("eval")
}

/// Returns the queries for a question all of whose words are parts of known clauses: two, if a clause
/// has two meanings.
pub(super) fn composed(question: &str) -> Vec<Idea> {
    match composed_of(question) {
        Some((queries, left_out)) if left_out.is_empty() => queries,
        _ => Vec::new(),
    }
}

/// Returns the queries for what is understood of a question, and the words that are not.
pub(super) fn composed_of(question: &str) -> Option<(Vec<Idea>, Vec<&str>)> {
    let mut rest = Rest::new(question);
    let mut all = Composed::default();
    let mut left_out = Vec::new();
    while rest.at < rest.words.len() {
        if all.clause(&mut rest) {
            continue;
        }
        if !LITTLE.split(' ').any(|word| word == rest.word(0)) {
            let is_decisive = stems(rest.word(0)).iter().any(|stem| decides(stem));
            if is_decisive || COMPARING.contains(&rest.word(0)) {
                return None;
            }
            left_out.push(rest.words[rest.at]);
        }
        rest.at += 1;
    }
    all.settle();
    let is_one_player = all.players.len() == 1;
    // One clause without numbers that is no player is answered by what has its words.
    let is_whole = !all.players.is_empty()
        || all.has_place
        || all.has_balance
        || !(all.of_game.is_empty() && all.moves.is_empty() && all.lengths.is_empty())
        || all.of_position.as_deref().is_some_and(is_new);
    if all.n_clauses < 2 && (!is_whole || all.is_opening || !left_out.is_empty())
        || left_out.len() > all.n_clauses
    {
        return None;
    }
    let line = match all.of_position.as_deref() {
        _ if is_one_player
            && all.n_clauses == 1
            && all.score.is_none()
            && !all.players[0].contains(' ')
            && all.players[0] != ASKER =>
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
        if all.players.iter().any(|name| name == ASKER) {
            line += "; write your name in place of NAME, and for all your games -player NAME";
        }
        of_query(&query, &line)
    };
    Some((queries.into_iter().map(idea).collect(), left_out))
}
