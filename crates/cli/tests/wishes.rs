//! Wishes of a composer, a coach and an engineer. The help answers the words of a wish, and the
//! command that it shows runs as it stands.

mod support;

use support::{Place, root};

/// Words of a wish, and the title of the answer that must be among the first three.
const WISHES: [(&str, &str); 229] = [
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
    ("where is the king mated", "--count-by 'if wtm K else k'"),
    ("which squares pawns promote on", "--count-by to"),
    ("two queens against queen and two rooks", "material \"QQ:QRR\""),
    ("does the a1 rook survive", "initial piece $rook in Ra1 find {terminal $rook}"),
    ("only the first match", "--per game"),
    // A coach.
    ("knight on d5", "Nd5 movenumber <= 20"),
    ("plan", "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}"),
    ("quiet position", "quiescent not check"),
    ("most beautiful games", "import \"themes\" mate find <-- sacrifice()"),
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
    ("Najdorf", "All games through \"Najdorf\""),
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
    ("miniatures", "terminal ply <= 50 not result 1/2-1/2"),
    ("blitz", "tag \"Event\" ~~ \"[Bb]litz\""),
    ("rating above 2600", "elo white >= 2600 elo black >= 2600"),
    ("kings indian", "opening \"King's Indian\""),
    ("petroff", "opening \"Petrov's\""),
    ("C42", "eco \"C42\""),
    ("e4 e5 Nf3", "san \"1.e4 e5 2.Nf3\""),
    // Wishes of testers that the help did not answer at first.
    (
        "rook ending four against three",
        "a rook and four pawns against a rook and three, with all pawns on one wing",
    ),
    (
        "four against three rook endings",
        "a rook and four pawns against a rook and three, with all pawns on one wing",
    ),
    ("allumwandlung", "initial find --=Q find --=R find --=B find --=N"),
    ("AUW", "initial find --=Q find --=R find --=B find --=N"),
    ("all four promotions", "initial find --=Q find --=R find --=B find --=N"),
    ("promotes to a knight with check", "check currentmove --=N"),
    (
        "a piece returns later",
        "a piece leaves its square and comes back with its next move, whatever other pieces do between; `--{1,}` before `--home` permits a longer way",
    ),
    (
        "queen taken then mate by a pawn",
        "a queen is taken, and within three moves a pawn of her side mates",
    ),
    ("white king f6 black king h8", "Kf6 kh8"),
    ("three queens", "[Qq] >= 3"),
    (
        "lost on time in a better position",
        "a player lost on time with an advantage of a pawn or more; cql annotate writes evaluations that a file has not got",
    ),
    ("gave the exchange and won", "Exchange sacrifice"),
    (
        "good bishop against bad bishop",
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one has three pawns or more and the good one at most one",
    ),
    (
        "bad bishop",
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one has three pawns or more and the good one at most one",
    ),
    ("passed pawn on the seventh decides", "A passed pawn on the seventh decides"),
    ("Najdorf by year and score", "--count-by year"),
    ("Najdorf by year and score", "All games through \"Najdorf\""),
    ("regular expression on player names", "player white ~~ \"^(Karpov|Kasparov)\""),
    ("EPD with counts", "--count-by position -o FILE.csv"),
    ("common positions after move 10", "--count-by position -o FILE.csv"),
    ("growing file", "cql watch"),
    ("checks by a queen", "check currentmove [Qq]--"),
    ("JSON with the FEN of a match", "-o FILE.jsonl"),
    ("which first moves score best", "cql tree --order sure"),
    ("what an opponent plays as black", "cql prepare"),
    ("most frequent player", "cql stats"),
    ("storm", "Pawn storm"),
    ("carlsbad structure", "Carlsbad structure"),
    ("helpmate", "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\""),
    ("selfmate", "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\""),
    ("dual", "countmoves legal --(mate) >= 2"),
    (
        "grimshaw",
        "the frame of a Grimshaw: a rook and a bishop of one side go to the same square, in variations",
    ),
    (
        "plachutta",
        "a Plachutta: a piece goes where two enemy rooks, or queen and rook, can take it, and mate follows either way, in variations",
    ),
    ("nowotny", "Novotny"),
    ("shut-off", "Interference"),
    ("self-block", "a self-block: a piece moves beside its own king, and the next move mates"),
    ("key", "Mate in two"),
    ("composition", "Mate in two"),
    ("png", "cql diagram FEN"),
    ("switchback with rook", "Switchback"),
    ("Nb1-d2-f1-g3", "Knight maneuver of the Ruy Lopez"),
    ("knight maneuver Nd2-f1-g3", "Knight maneuver of the Ruy Lopez"),
    ("interference", "interference"),
    ("threefold repetition", "{repetition >= 2}"),
    ("king walk", "March of the king"),
    (
        "longest king walk",
        "the longest walks of a king: eight moves or more, with the way that it went",
    ),
    // A word that decides, signatures, and other words for what the help knows.
    ("open cbv file", "Databases of ChessBase"),
    ("convert cbh to pgn", "Databases of ChessBase"),
    ("unpack cbv archive", "Databases of ChessBase"),
    ("throw away a win", "Tablebases"),
    ("who threw away a won endgame", "Tablebases"),
    ("time control", "int (tag \"TimeControl\" ~~ \"^[0-9]+\") < 600"),
    ("TimeControl", "int (tag \"TimeControl\" ~~ \"^[0-9]+\") < 600"),
    ("date range", "-year N [M]"),
    ("rating range", "-elo N [M]"),
    ("at least one player above", "elo >= 2600"),
    ("either player rated 2700", "elo >= 2700"),
    ("exactly three pawns", "P == 3"),
    ("both squares empty", "_d4 _e4"),
    ("Sicilian Najdorf", "opening \"Sicilian Defense: Najdorf Variation\""),
    ("Sicilian Dragon", "opening \"Sicilian Defense: Dragon Variation\""),
    ("classical mates", "Mates"),
    ("average rating", "(elo white + elo black) / 2 >= 2700"),
    ("giant killer", "elo white + 200 < elo black result 1-0"),
    ("flag", "Lost on time"),
    ("most common mate", "--count-by san"),
    ("king square mate", "--count-by 'if wtm K else k'"),
    ("promotions per square", "--count-by to"),
    ("dossier", "cql prepare"),
    ("exchange down", "Exchange sacrifice"),
    ("rook given for a knight", "Exchange sacrifice"),
    ("relative pin", "pin from B through n to q"),
    ("pin against the queen", "pin from B through n to q"),
    ("0-0-0", "o-o-o"),
    ("thinking time", "clock"),
    ("minutes spent on a move", "clock"),
    ("clk", "clock"),
    ("exact pawn set", "P[a2,b3,d4] == 3 P == 3"),
    ("plan in any order", "initial flipcolor {find P--g4 find P--h4}"),
    ("same idea", "cql like"),
    ("symmetry", "The transforms"),
    ("mark a passage", "cql example"),
    ("own sacrifices", "-player NAME --count-by"),
    ("Philidor's legacy", "Smothered mate"),
    ("double attack", "Knight fork"),
    ("lifetimes of pieces", "initial piece $rook in Ra1 find {terminal $rook}"),
    ("resignation", "terminal not mate not result 1/2-1/2"),
    ("Spanish", "All games through \"Ruy Lopez\""),
    ("mated king's square", "--count-by 'if wtm K else k'"),
    ("endgame classes", "--count-by class"),
    ("share of endgames", "--count-by class"),
    ("endgame signatures", "--count-by men"),
    ("lifetimes of all 32 pieces", "--count-by from"),
    ("how often pieces survive", "--count-by from"),
    ("original square", "--count-by from"),
    ("repertoire", "similarposition"),
    ("rundlauf", "Round trip"),
    ("route of a piece", "Longest walk of a piece"),
    ("knight route", "Longest walk of a piece"),
    ("not castled", "White never castled"),
    (
        "triangulation",
        "a triangulation: a king comes back in three moves, the other one in two, so that the position is there again with the other side to move",
    ),
    ("valladão", "initial find castle find enpassant find --=."),
    (
        "phoenix",
        "a phoenix: a pawn promotes to a piece of a kind that its side has lost before, in variations",
    ),
    (
        "pickaninny",
        "an albino or, by Black, a pickaninny: a pawn makes all four moves from its first square, in variations",
    ),
    // Openings beside words for a kind of opening.
    ("sicilian opening", "All games through \"Sicilian\""),
    ("opening caro-kann", "All games through \"Caro-Kann\""),
    (
        "opening by name sicilian najdorf",
        "All games through \"Sicilian Defense: Najdorf Variation\"",
    ),
    ("ECO B90", "eco \"B90\""),
    // Mates by each side.
    ("white is mated", "wtm mate"),
    ("black is mated", "btm mate"),
    ("white mates", "btm mate"),
    ("black mates", "wtm mate"),
    ("mate with a pawn by black", "wtm mate currentmove p--"),
    ("mate by queen", "mate currentmove [Qq]--"),
    ("mate on h8", "mate {{Kh8 wtm} or {kh8 btm}}"),
    ("mate before move 30", "mate movenumber < 30"),
    ("mate without queens", "mate [Qq] == 0"),
    ("queenless", "[Qq] == 0"),
    ("stalemate with a pinned piece", "stalemate {pin through A to K or pin through a to k}"),
    // Pieces in words.
    ("bishop and knight against king", "material \"KBNK\""),
    ("two knights against pawn", "material \"KNNKP\""),
    ("queen and rook against two rooks", "material \"QR:RR\""),
    // Games by their length, their year and their players.
    (
        "lost position but won",
        "a player won who was three pawns behind by an evaluation; cql annotate writes those that a file has not got",
    ),
    ("short draws", "terminal movenumber <= 20 result 1/2-1/2"),
    ("games over 80 moves", "terminal movenumber > 80"),
    ("not a draw", "terminal not result 1/2-1/2"),
    ("no check in the whole game", "initial not find check"),
    ("games without captures", "initial not find {currentmove [x]}"),
    ("in 1972", "year == 1972"),
    ("before 1850", "year < 1850"),
    ("Kasparov against Karpov", "player \"Kasparov\" player \"Karpov\""),
    ("both players over 2700", "elo white >= 2700 elo black >= 2700"),
    ("my games with a position", "-player NAME"),
    ("final position given", "the games that end with a position"),
    ("filter by tag", "tag \"Annotator\" ~~ \"Tal\""),
    ("rust library", "Rust"),
    ("use from my program", "Rust"),
    ("exit code in a script", "-exit-status"),
    ("read from stdin", "Pipes"),
    ("most frequent positions", "--count-by position"),
    ("kill box", "killboxmate"),
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
        } else if line.starts_with(char::is_alphanumeric)
            || line.starts_with(['-', '_', '{', '[', '('])
        {
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
    for words in ["leaves theory", "nosuchword", "white wins with black pieces"] {
        assert!(help(words).contains(&format!("no help about '{words}'")), "{}", help(words));
    }
    assert!(help("smotherd mate").starts_with("For 'smothered mate':"));
    let partly = help("smothered mate of Tal");
    assert!(partly.starts_with("Nothing has all of these words. Without 'Tal':"), "{partly}");
    for words in ["king", "pawn", "queen", "castling", "symmetry"] {
        assert!(!help(words).contains("opening \""), "{words}");
    }
    for (words, without) in [
        ("switchback of Tal", "Tal"),
        ("knight switchback", "knight"),
        ("mating attacks, best first", "best"),
        ("the storm by most players", "players"),
        // A word that decides is none of a query or of a long text.
        ("lost on time by White", "White"),
        ("sacrifice on h7 by black", "black"),
        ("smothered mate in 5", "5"),
        ("both sides castled", "both"),
        // A word such as *not* stands beside the same word in the answer.
        ("not isolated pawn", "not"),
        ("both kings in check", "both"),
        ("black castles queenside", "black"),
        ("black promotes to a knight", "black"),
    ] {
        let partly = help(words);
        let said = partly.lines().next().unwrap_or_default();
        assert!(said.starts_with("Nothing has all of these words."), "{words}: {partly}");
        assert!(said.contains(&format!("'{without}'")), "{words}: {partly}");
    }
    assert!(
        help("Najdorf nosuchword")
            .contains("Without 'nosuchword':\n\nAll games through \"Najdorf\"")
    );
    // A theme of White's holds with Black to move.
    assert!(help("playing style").contains("{btm sacrifice()}"));
    let some = help("Najdorf switchback");
    assert!(some.starts_with("Nothing has all of these words; these have some:"), "{some}");
    assert!(some.contains("\nopening \"Najdorf\"") && some.contains("\nSwitchback"), "{some}");
    for (words, query) in [
        ("QQ v QRR", "material \"QQ:QRR\""),
        ("R+2P vs R", "material \"KRPPKR\""),
        ("material QQ QRR", "material \"QQ:QRR\""),
        ("bishop on h6", "[Bb]h6"),
    ] {
        let said = help(words);
        assert!(said.contains(&format!("-cql '{query}'")), "{words}: {said}");
    }
    let sicilian = help("sicilian");
    assert!(sicilian.starts_with("All games through \"Sicilian\""), "{sicilian}");
    assert!(sicilian.contains("\nopening \"Sicilian\""), "{sicilian}");
    assert!(!help("both castled long").contains("opening \""));
    assert!(help("two rooks against queen").starts_with("material \"RR:Q\""));
    assert!(help("opening caro-kann advance tal").starts_with("All games through \""));
    assert!(help("Spanish").starts_with("All games through \"Ruy Lopez\""));
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
