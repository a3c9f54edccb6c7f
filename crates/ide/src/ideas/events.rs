//! Finds the query for what happens in a game, in words: castling, mates, promotions, so many checks, and
//! pieces that never move.

use syntax::parse::SIGNS;

use super::pieces::letters_of;
use super::question_words::{is_square, parts, plain_letters, without, without_articles};
use super::vocabulary::{
    amount, color_of, compared, is_white, letter_of, letter_of_piece, men_of, name_of,
};

/// Returns the query for games in which the sides castle as two clauses say: `black castles queenside
/// and white kingside`.
pub(super) fn of_castling(words: &str) -> Option<String> {
    let words = without("but while the", words);
    let mut moves = Vec::new();
    for clause in words.split(|word| *word == "and") {
        let (side, rest) = match clause {
            ["white", rest @ ..] => ("btm", rest),
            ["black", rest @ ..] => ("wtm", rest),
            _ => return None,
        };
        let rest = match rest {
            ["castle" | "castles" | "castled" | "castling", rest @ ..] => rest,
            _ if moves.is_empty() => return None,
            rest => rest,
        };
        let castling = match rest {
            ["kingside" | "short"] | ["king", "side"] => "o-o",
            ["queenside" | "long"] | ["queen", "side"] => "o-o-o",
            [] => "castle",
            _ => return None,
        };
        moves.push((side, castling));
    }
    let [(one, _), (other, _)] = moves[..] else {
        return None;
    };
    let found = moves.iter().map(|(side, castling)| format!("find {{{side} {castling}}}"));
    (one != other).then(|| format!("initial {}", found.collect::<Vec<_>>().join(" ")))
}

/// Returns the query for mates and checks by pieces of some kinds, of a side or of either, or not by
/// them: `white mates with a pawn`, `queen mates on h7`, `mate not by queen`.
pub(super) fn of_mate(words: &str) -> Option<String> {
    let words = words.replace("checkmate", "mate");
    let mut words = without_articles(&words);
    let mut sides = Vec::new();
    if let [.., "by", color] = words[..]
        && let Some(is_white) = is_white(color)
    {
        sides.push(is_white);
        words.truncate(words.len() - 2);
    }
    let square = match words[..] {
        [.., "on", square] if is_square(square) => square,
        _ => "",
    };
    words.truncate(words.len() - if square.is_empty() { 0 } else { 2 });
    if let Some(is_white) = words.first().and_then(|word| is_white(word)) {
        sides.push(is_white);
        words.remove(0);
    }
    let (event, men, not, moves) = match words[..] {
        [event, "not", "by" | "with", ref men @ ..] => (event, men, "not ", true),
        ["gives", event, "by" | "with", ref men @ ..] => (event, men, "", false),
        [event, "by" | "with", ref men @ ..] => (event, men, "", event.ends_with('s')),
        [ref men @ .., "gives", event] | [ref men @ .., event] => (event, men, "", true),
        [] => return None,
    };
    let event = ["mate", "check"].into_iter().find(|one| *one == event.trim_end_matches('s'))?;
    let color = men.first().and_then(|word| is_white(word));
    sides.extend(color);
    let letters = letters_of(&men[usize::from(color.is_some())..].join(" "))?;
    let by = match sides[..] {
        [] => None,
        [is_white] => Some(is_white),
        _ => return None,
    };
    let men = men_of(by, &letters);
    let mover = by.map_or("", |is_white| if is_white { "btm " } else { "wtm " });
    if moves || square.is_empty() {
        return Some(format!("{mover}{event} {not}currentmove {men}--{square}"));
    }
    // as in `mate with a knight on f7`
    Some(format!("{mover}{event} {men}{square}"))
}

/// Returns the query for captures by and of pieces: `bishop takes knight on f6`, `white queen takes black
/// queen`.
pub(super) fn of_capture(words: &str) -> Option<String> {
    let words = plain_letters(words);
    let mut words = without_articles(&words);
    let square = match words[..] {
        [.., "on", square] if is_square(square) => square,
        _ => "",
    };
    words.truncate(words.len() - if square.is_empty() { 0 } else { 2 });
    let is_verb = |word: &&str| matches!(*word, "takes" | "captures" | "took" | "captured");
    let verb = words.iter().position(is_verb)?;
    let men = |words: &[&str]| {
        let side = words.first().and_then(|word| is_white(word));
        match &words[usize::from(side.is_some())..] {
            [] => side.map(|is_white| if is_white { "A" } else { "a" }.to_owned()),
            names => Some(men_of(side, &letters_of(&names.join(" "))?)),
        }
    };
    let taken = match &words[verb + 1..] {
        [] if !square.is_empty() => String::new(),
        words => men(words)?,
    };
    Some(format!("currentmove {}[x]{taken}{square}", men(&words[..verb])?))
}

/// Events of a game that a question counts: their names for one and for several, and their conditions.
const EVENTS: &[(&str, &str, &str)] = &[
    ("promotion", "promotions", "{currentmove --=.}"),
    ("underpromotion", "underpromotions", "{currentmove --=[RBN]}"),
    ("check", "checks", "check"),
    ("capture", "captures", "{currentmove [x]}"),
    ("castling", "castlings", "castle"),
];

/// Returns the query for a number of events in a game or of pieces on the board, as in `two promotions`
/// and `fewer than 8 pieces`, and what it finds. Events are at least so many, unless words say
/// otherwise.
pub(super) fn of_count(words: &str) -> Option<(String, String)> {
    let mut words = without("the", words);
    let (sign, said) = match (compared(&words), &words[..]) {
        (Some((sign, n)), _) => (sign, words.drain(..n).count()),
        (None, [_, "or", "more", ..]) => (">=", words.drain(1..3).count()),
        (None, [_, "or", "fewer" | "less", ..]) => ("<=", words.drain(1..3).count()),
        (None, [.., "or", "more"]) => (">=", words.drain(words.len() - 2..).count()),
        _ => (">=", 0),
    };
    let n = words.first().and_then(|word| amount(word))?;
    // `fewer than` comes after `less than`.
    let (compares, _) = SIGNS.iter().rev().find(|(_, of)| *of == sign)?;
    let range = format!("{compares} {n}");
    match words[1..] {
        ["piece" | "pieces" | "men", ref rest @ ..]
            if said > 0 && matches!(rest, [] | ["left"] | ["on", "board"]) =>
        {
            let line = format!("{range} men on the board, kings and pawns included");
            Some((format!("[Aa] {sign} {n}"), line))
        }
        [event, ref rest @ ..] if matches!(rest, [] | ["in", "a" | "one", "game"]) => {
            let (_, several, holds) =
                EVENTS.iter().find(|(one, several, _)| [one, several].contains(&&event))?;
            let is_few = n == 0 || said == 0 && n < 2;
            let mut line = format!("{range} {several} in the game, by both sides together");
            if said == 0 {
                line += &format!("; `exactly {n} {several}` asks for no more than these");
            }
            (!is_few).then(|| (format!("initial find count {holds} {sign} {n}"), line))
        }
        _ => None,
    }
}

/// Returns the query for so many queens, for the most moves of a kind of piece, for one
/// that is given up, or for one that is never taken.
pub(super) fn of_number(words: &str) -> Option<String> {
    let words = plain_letters(words);
    match without_articles(&words)[..] {
        ["no", "capture" | "captures", "in" | "for", number, "move" | "moves"] => {
            let n = 2 * amount(number).filter(|n| (1..=200).contains(n))?;
            Some(format!("path quiet nestban (-- {{not currentmove [x]}}){{{n},}}"))
        }
        ["one", name] => Some(format!("{} == 1", men_of(None, letter_of(name)?))),
        ["pawn", "storm", ref squares @ ..] if !squares.is_empty() => {
            let moves: Vec<String> = squares
                .iter()
                .map(|to| is_square(to).then(|| format!("find P--{to}")))
                .collect::<Option<_>>()?;
            Some(format!("initial flipcolor {{{}}}", moves.join(" ")))
        }
        [number, "queens"] => Some(format!("[Qq] >= {}", amount(number).filter(|n| *n > 2)?)),
        ["most", name, "moves"] => {
            let men = men_of(None, letter_of(name)?);
            Some(format!("terminal sort \"moves\" {{find <-- all {{currentmove {men}--}}}}"))
        }
        ["sacrifice", "of", name] => {
            let letter = letter_of(name).filter(|letter| matches!(*letter, "B" | "N"))?;
            Some(of_sacrifice(&men_of(None, letter), ""))
        }
        [name, "trapped"] | ["trapped", name] => {
            let men = men_of(None, letter_of_piece(name)?);
            Some(format!("theme(\"trappedpiece\") currentmove [x]{men}"))
        }
        ["no", name, "was" | "is", "taken" | "captured"] => {
            let letter = letter_of(name).filter(|letter| *letter != "K")?;
            Some(format!("initial not find {{currentmove [x]{}}}", men_of(None, letter)))
        }
        _ => None,
    }
}

/// Returns the query for a piece that is given up, on a square if there is one: the theme matches after
/// the move that follows the reply, which takes it.
pub(super) fn of_sacrifice(men: &str, square: &str) -> String {
    format!("theme(\"sacrifice\") parent:{{currentmove [x]{men}{square}}}")
}

/// Returns the query for a promotion to a piece, as in `promotion to a bishop`.
pub(super) fn of_promotion(words: &str) -> Option<String> {
    let promotes = |word: &str| word.trim_start_matches("under").starts_with("promot");
    let (name, is_whole) = match without("a pawn becomes", words)[..] {
        // as in `knight promotion`
        [name, word] => (name, word.starts_with("promot")),
        [word, "to", name] => (name, promotes(word)),
        _ => return None,
    };
    let letter = letter_of_piece(name).filter(|_| is_whole)?;
    Some(format!("currentmove --={letter}"))
}

/// Returns the query for pieces that make no move, as in `the king never moved`, and what it finds.
pub(super) fn of_unmoved(words: &str) -> Option<(String, String)> {
    let (mut side, mut letter, mut is_denied, mut moves) = (None, None, false, false);
    let mut is_plural = false;
    let words = words.replace("didn't", "not");
    for word in parts(&words) {
        match word {
            "a" | "an" | "the" | "both" | "has" | "have" | "had" | "did" | "is" | "games"
            | "with" => {}
            "white" | "black" if side.is_none() => side = is_white(word),
            "never" | "not" => is_denied = true,
            "move" | "moves" | "moved" => moves = true,
            "unmoved" => (is_denied, moves) = (true, true),
            _ if letter.is_none() => {
                (letter, is_plural) = (Some(letter_of(word)?), word.ends_with('s'))
            }
            _ => return None,
        }
    }
    let letter = letter.filter(|_| is_denied && moves)?;
    let all = if is_plural { "all " } else { "" };
    // of a side, if it is not said which: White, whose color is exchanged
    let of = if is_plural { side.or(Some(true)) } else { side };
    let unmoved =
        format!("piece {all}x in {} {{not find {{currentmove x--}}}}", men_of(of, letter));
    let query = match side {
        None if is_plural => format!("initial flipcolor {{{unmoved}}}"),
        _ => format!("initial {unmoved}"),
    };
    let name = name_of(letter)?;
    let color = side.map_or(String::new(), |is_white| color_of(is_white).to_owned() + " ");
    let who = match (side, is_plural) {
        (_, false) => format!("a {color}{name} makes"),
        (None, true) => format!("all {name}s of a side make"),
        (Some(_), true) => format!("all {color}{name}s make"),
    };
    let line = format!(
        "{who} no move in the whole game, taken or not; castling is a move of king and rook"
    );
    Some((query, line))
}
