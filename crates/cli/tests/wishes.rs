//! Wishes of a composer, a coach and an engineer. The help answers the words of a wish, and the
//! command that it shows runs as it stands.

mod support;

use support::{Place, root};

/// Words of a wish, and the title of the answer that must be among the first three.
const WISHES: [(&str, &str); 56] = [
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
    ("only the first match", "--per position|game"),
    // A coach.
    ("knight on d5", "Nd5 movenumber <= 20"),
    ("plan", "path o-o-o --* P--g4 --* P--h4"),
    ("quiet position", "quiescent not check"),
    ("most beautiful games", "import \"themes\" mate find sacrifice()"),
    ("prepare against an opponent", "cql tree"),
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
    ("most common positions", "--count-by fen"),
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
];

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
        } else if let Some((title, _)) = line.split_once(" (").filter(|_| !line.starts_with(' ')) {
            answers.push(Answer { title: title.to_owned(), command: None });
        }
    }
    answers
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
