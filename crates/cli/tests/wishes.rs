//! Wishes of a composer, a coach and an engineer. The help answers the words of a wish, and the
//! command that it shows runs as it stands.

mod support;

use support::{Place, root};

/// Words of a wish, and the title of the answer that must be among the first three.
const WISHES: [(&str, &str); 88] = [
    // A composer.
    ("switchback", "Switchback"),
    ("round trip", "Round trip"),
    ("underpromotion", "Underpromotion"),
    ("bristol", "Clearance along a line"),
    ("model mate", "Model mates"),
    ("mate in 2", "Mate in two"),
    ("mutual zugzwang", "Mutual zugzwang: the trébuchet"),
    ("excelsior", "Excelsior"),
    ("stalemate trick", "Stalemate as a rescue"),
    ("king walk", "March of the king"),
    ("domination", "Domination"),
    ("pawn mate", "Mate by a pawn"),
    ("double check", "Double check"),
    ("where is the king mated", "--count-by k"),
    ("which squares pawns promote on", "--count-by to"),
    ("two queens against queen and two rooks", "material \"BB:BN\""),
    ("does the a1 rook survive", "initial piece $rook in Ra1 find {terminal $rook}"),
    ("only the first match", "--per game"),
    // A coach.
    ("knight on d5", "Nd5 movenumber <= 20"),
    ("plan", "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}"),
    ("quiet position", "quiescent not check"),
    ("most beautiful games", "import \"themes\" mate find sacrifice()"),
    ("prepare against an opponent", "cql prepare"),
    ("opposite colored bishops", "Opposite-colored bishops"),
    ("isolated queen pawn", "Isolated queen's pawn"),
    ("exchange sacrifice", "Exchange sacrifice"),
    ("sacrifice", "Exchange sacrifice"),
    ("greek gift", "Greek gift"),
    ("back rank mate", "Back rank"),
    ("fork", "Knight fork"),
    ("opposite side castling", "Opposite castling"),
    ("rook endings", "Rook endings"),
    ("outpost", "Knight on an outpost"),
    ("extra pawn", "Rook ending with an extra pawn"),
    ("lost on time", "Lost on time"),
    ("time trouble", "Blunders in time trouble"),
    ("rook lift", "Rook lift"),
    ("knight maneuver", "Knight maneuver of the Ruy Lopez"),
    ("Najdorf", "opening \"Najdorf\""),
    ("Carlsen", "player white \"Carlsen\" year == 2015"),
    ("hanging pawns", "Hanging pawns"),
    // An engineer.
    ("live broadcast", "cql watch"),
    ("longest common continuations", "cql tree"),
    ("most common positions", "--count-by position"),
    ("opening tree", "cql tree"),
    ("repair a file", "cql doctor"),
    ("regular expression", "Regular expressions"),
    ("en passant refused", "En passant refused"),
    ("rating difference", "elo white - elo black >= 200"),
    ("missed mate in one", "legal --(mate) not terminal not child:mate"),
    ("white castled never", "White never castled"),
    ("average length", "Average length"),
    ("parquet", "Questions in SQL"),
    ("archive", "Archives"),
    ("where pieces are taken", "Where pieces are taken"),
    ("threefold", "{repetition >= 2}"),
    // Wishes of many players.
    ("castle long then push the g pawn and h pawn", "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}"),
    ("quiet position to solve", "quiescent not check"),
    ("sort by beauty", "games that end with mate, those with the most sacrifices first"),
    ("opponent report", "--score-of NAME"),
    ("report on Kasparov", "--score-of NAME"),
    ("star", "a star: a king goes to all four squares diagonally beside its own, in variations"),
    ("wheel", "a knight wheel: a knight makes all eight moves from its square, in variations"),
    ("first position of a game", "--per game"),
    ("commonest positions as a book", "--count-by position"),
    ("games that leave my repertoire", "similarposition"),
    ("my repertoire", "similarposition"),
    ("Bxb5 open Sicilian", "B[x]b5 eco ~~ \"^B[2-9]\""),
    ("sacrifice on b5 in the sicilian", "B[x]b5 eco ~~ \"^B[2-9]\""),
    ("king fork", "flipcolor {btm currentmove K-- [rbn] <- K >= 2}"),
    ("find a position however it came about", FEN),
    ("exact position", FEN),
    ("my games with this position", "-player NAME"),
    ("games between Kasparov and Karpov", "player \"Kasparov\" player \"Karpov\""),
    ("tree for one player", "cql tree -player NAME"),
    ("squares that must be empty", "_d4 P == 4"),
    ("playing style", "--count-by White"),
    ("ask in plain words", "Assistants"),
    ("chatgpt", "Assistants"),
    ("fischer random", "Variants"),
    ("how do I save results", "What a search writes"),
    ("miniatures", "terminal movenumber <= 25 not result 1/2-1/2"),
    ("blitz", "tag \"Event\" ~~ \"[Bb]litz\""),
    ("rating above 2600", "elo white >= 2600 elo black >= 2600"),
    ("kings indian", "opening \"King's Indian\""),
    ("petroff", "opening \"Petrov's\""),
    ("C42", "eco \"C42\""),
    ("e4 e5 Nf3", "san \"1.e4 e5 2.Nf3\""),
];

/// Title of the answer that shows how to find a position.
const FEN: &str = "fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\"";

/// An answer of the help: its title, and the command below it.
struct Answer {
    title: String,
    command: Option<String>,
}

fn answers(help: &str) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for line in help.lines() {
        if let Some(command) = line.strip_prefix("    cql ") {
            let last = answers.last_mut().expect("a title comes before a command");
            last.command = Some(format!("cql {command}"));
        } else if line.starts_with(char::is_alphanumeric) || line.starts_with(['-', '_', '{']) {
            answers.push(Answer { title: line.to_owned(), command: None });
        } else if let Some(last) = answers.last_mut() {
            last.title += line.trim_start_matches("   ");
        }
    }
    for answer in &mut answers {
        // The name of its kind is in parentheses after it.
        let kinds = ["recipe", "theme", "query", "word", "subcommand", "option", "section"];
        let ends = kinds.iter().filter_map(|kind| answer.title.find(&format!(" ({kind})")));
        if let Some(end) = ends.min() {
            answer.title.truncate(end);
        }
    }
    answers
}

#[test]
fn corrections_are_near_and_what_is_unknown_is_said() {
    let place = Place::empty();
    let help = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let ran = place.cql(&[&["help"][..], &words].concat());
        ran.out + &ran.err
    };
    for words in ["leaves theory", "nosuchword"] {
        assert!(help(words).contains(&format!("no help about '{words}'")), "{}", help(words));
    }
    assert!(help("smotherd mate").starts_with("For 'smothered mate':"));
    let partly = help("smothered mate of Tal");
    assert!(partly.starts_with("Nothing has all of these words. Without 'Tal':"), "{partly}");
    for words in ["king", "pawn", "queen", "castling", "symmetry"] {
        assert!(!help(words).contains("opening \""), "{words}");
    }
    assert!(help("sicilian").starts_with("opening \"Sicilian\""), "{}", help("sicilian"));
}

#[test]
fn the_help_answers_wishes_with_commands_that_run() {
    let place = Place::empty();
    let games = std::fs::read(root().join("examples/historic.pgn")).expect("the games");
    place.write("games.pgn", games);
    let mut missing = Vec::new();
    for (words, title) in WISHES {
        let words: Vec<&str> = words.split(' ').collect();
        let ran = place.cql(&[&["help"][..], &words].concat());
        let answers = answers(&ran.out);
        let Some(answer) = answers.iter().take(3).find(|answer| answer.title == title) else {
            let titles: Vec<&str> = answers.iter().map(|answer| &*answer.title).collect();
            missing.push(format!("{words:?}: {title:?} is not among the first of {titles:?}"));
            continue;
        };
        let command = answer.command.as_deref().expect("a command");
        let ran = place.shell(command);
        assert_eq!(ran.status, Some(0), "{command}: {}{}", ran.out, ran.err);
        assert!(!ran.out.is_empty(), "{command}");
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
