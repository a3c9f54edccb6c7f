use syntax::parse::{Answer, plain_title, terms};

use super::idea::of_recipe;
use super::question_words::{DECISIVE, stem, stems};
use super::wishes::{IN_VARIATIONS, OF_RECIPES, WISHES};
use super::*;
use crate::cookbook::{recipe, recipes};
use crate::manual::plain;
use crate::sample::parse_sample;

#[test]
fn the_line_of_a_recipe_is_its_first_sentence() {
    for recipe in recipes() {
        let line = of_recipe(recipe).line;
        let text = plain(&recipe.text.replace('\n', " "));
        let is_sentence = text[line.len()..].starts_with('.');
        assert!(is_sentence, "{}: a list, or cut at a colon: {line}", recipe.title);
        assert!(line.chars().count() <= 110, "{}: {line}", recipe.title);
    }
    let says = |title: &str| recipe(title).map(|recipe| of_recipe(recipe).line);
    let storm = says("pawn storm").unwrap_or_default();
    assert!(storm.contains("With queens") && storm.contains("fourth rank"), "{storm}");
}

#[test]
fn ideas_of_chess_players_are_found() {
    let index = Index::new(&[]);
    let check = |words: &str, expected: &str| {
        let found = index.find(words);
        let first: Vec<&str> = found.iter().take(3).map(|idea| idea.title.as_str()).collect();
        assert_eq!(first.first(), Some(&expected), "{words}: {first:?}");
    };
    check("sacrifice", "Exchange sacrifice");
    check("fork", "Knight fork");
    check("zugzwang", "A zugzwang to look at");
    check("opposite colored bishops", "Opposite-colored bishops");
    check("king walk", "March of the king");
    check("lost on time", "Lost on time");
    check("mate in 2", "Mate in two");
    check("exchange sacrifice", "Exchange sacrifice");
    check("opposite side castling", "Opposite castling");
    check("stalemate", "stalemate");
    check("rook endgame", "rookendgame");
    check("underpromotion", "Underpromotion");
    check("queen trade", "Queens exchanged early");
    check("passed pawn", "passedpawn");
    check("smothered mate", "Smothered mate");
    check("isolated queen's pawn", "Isolated queen's pawn");
    check("Lucena's position", "Lucena's position");
    check("Maroczy bind", "Maróczy bind");
    check("trebuchet", "Mutual zugzwang: the trébuchet");
    assert!(index.find("nosuchtheme").is_empty());
    // The rarest words are kept.
    check("nosuchtheme nosuchidea nosuchword stalemate", "stalemate");
    check("switchback with a rook", "Switchback");
    check("queen to the outpost", "Knight on an outpost");
    assert!(index.find("").is_empty());
}

#[test]
fn ideas_are_tried_and_read_about() {
    let index = Index::new(&[]);
    let check = |words: &str, query: Option<&str>, page: Option<&str>| {
        let idea = index.find(words)[0];
        let tried = idea.query();
        assert_eq!(tried.as_deref().and_then(|query| query.lines().next()), query, "{words}");
        assert_eq!(idea.place().map(|place| place.0), page, "{words}");
    };
    check("knight fork", Some("flipcolor {"), Some("Tactics"));
    check("rook endgame", Some("theme(\"rookendgame\")"), None);
    check("stalemate", Some("stalemate"), Some("Board and pieces"));
    check("attacks", None, Some("Attacks, rays, directions"));
    let section = index.0.iter().find(|idea| matches!(idea.kind, IdeaKind::Section(_, Some(_))));
    let section = section.expect("a section");
    assert_eq!(section.query(), None);
    assert!(section.place().is_some_and(|(_, heading)| heading.is_some()));
    for idea in &index.0 {
        let query = idea.query();
        assert!(query.is_none_or(|query| parse_sample(&query).is_ok()), "{idea:?}");
    }
}

#[test]
fn wishes_in_plain_words_are_found() {
    let index = Index::new(&[]);
    let check = |words: &str, expected: &str| {
        let found = index.find(words);
        let first: Vec<&str> = found.iter().take(3).map(|idea| idea.title.as_str()).collect();
        assert!(first.iter().any(|title| title.contains(expected)), "{words}: {first:?}");
    };
    check("outpost", "square x in N");
    check("knights on outposts", "square x in N");
    check("rook endgames with an extra pawn", "endgame \"rook\"");
    check("extra pawn", "#P == #p + 1");
    check("mate with two knights", "N -> anydirection 0 1 k");
    check("positional draw", "repetition >= 2");
    check("castling as last move", "terminal");
    check("underpromotion with check", "--=[NBR]");
    check("player as white in a year", "player white");
    for (cql, line, phrases) in WISHES.iter().chain(IN_VARIATIONS) {
        assert!(parse_sample(cql).diagnostics.is_empty(), "{cql}");
        assert!(!line.ends_with('.') && !phrases.is_empty(), "{cql}");
    }
    for (title, phrases) in OF_RECIPES {
        for phrase in phrases.split(',') {
            let found = index.find(phrase);
            assert!(found.iter().any(|idea| idea.title == *title), "{phrase}: {title}");
        }
    }
}

#[test]
fn what_is_left_out_is_said() {
    let index = Index::new(&[]);
    for (words, left_out) in [
        ("fianchetto without rook", "without rook"),
        ("rook endgame without passed pawn", "without passed pawn"),
        ("promotion without capture", "without capture"),
        ("white mates without queen", "without queen"),
        ("doubled pawns not isolated", "not isolated"),
    ] {
        let (found, lacking) = index.find_in_part(words);
        assert!(lacking.contains(&left_out), "{words}: {lacking:?}");
        let unwanted = stems(left_out).pop().expect("a word");
        assert!(!found.is_empty() && !found.iter().any(|idea| idea.is_about(&unwanted)));
    }
    for words in ["white castles", "black castles", "promotion"] {
        let (found, _) = index.answer(words);
        assert!(!found.is_empty() && !found.iter().any(|idea| idea.title.contains("never")));
    }
}

#[test]
fn questions_of_known_parts_are_composed() {
    let index = Index::new(&[]);
    let mut wrong = Vec::new();
    for (question, expected) in [
        ("Carlsen", "initial player \"Carlsen\""),
        ("games of Carlsen", "initial player \"Carlsen\""),
        ("Judit Polgar", "initial player ~~ \"Polgar, J|Judit,? Polgar\""),
        ("judit polgar", "initial player ~~ \"Polgar, J|Judit,? Polgar\""),
        ("GM Magnus Carlsen", "initial player ~~ \"Carlsen, M|Magnus,? Carlsen\""),
        ("World Champion Kasparov", "initial player \"Kasparov\""),
        ("Dr. Lasker", "initial player \"Lasker\""),
        (
            "Judit Polgar vs Susan Polgar",
            "initial flipcolor {player white ~~ \"Polgar, J|Judit,? Polgar\" player black ~~ \"Polgar, S|Susan,? Polgar\"}",
        ),
        ("games of magnus carlsen", "initial player ~~ \"Carlsen, M|Magnus,? Carlsen\""),
        ("Carlsen draw", "initial player \"Carlsen\" result 1/2-1/2"),
        ("Fischer draws", "initial player \"Fischer\" result 1/2-1/2"),
        ("fischer", "initial player \"Fischer\""),
        ("Karpov", "initial player \"Karpov\""),
        ("Tal", "initial player \"Tal\""),
        ("Kramnik", "initial player \"Kramnik\""),
        ("Anand", "initial player \"Anand\""),
        ("Anand against Kramnik", "initial player \"Anand\" player \"Kramnik\""),
        (
            "Carlsen lost in 2013 with black",
            "initial year == 2013 player black \"Carlsen\" result 1-0",
        ),
        ("games won by Nakamura with white", "initial player white \"Nakamura\" result 1-0"),
        ("games won by Nakamura", "initial flipcolor {player white \"Nakamura\" result 1-0}"),
        ("games of Quuxer", "initial player \"Quuxer\""),
        ("games with more than three queens", "[Qq] > 3"),
        ("B90 won by black", "initial eco \"B90\" result 0-1"),
        (
            "ECO B90-B99 draws after 2010",
            "initial \"B90\" <= eco <= \"B99\" year > 2010 result 1/2-1/2",
        ),
        ("players under 1800", "initial elo white < 1800 elo black < 1800"),
        ("over 50 moves and draw", "terminal (ply + 1) / 2 > 50 result 1/2-1/2"),
        ("castling before move 10", "castle (ply + 1) / 2 < 10"),
        ("castling on move 10", "castle (ply + 1) / 2 == 10"),
        ("checkmate on move 20", "mate (ply + 1) / 2 == 20"),
        ("opposite castling without queens", compose::WITHOUT_QUEENS),
        ("black wins in less than 25 moves", "terminal (ply + 1) / 2 < 25 result 0-1"),
        ("white wins before move 25", "terminal (ply + 1) / 2 < 25 result 1-0"),
        ("queens exchanged before move 10", "{[Qq] == 0 currentmove [x][Qq]} (ply + 1) / 2 < 10"),
        ("white over 2700 and black under 2500", "initial elo white > 2700 elo black < 2500"),
        (
            "white rated below 2000 and black above 2500",
            "initial elo white < 2000 elo black > 2500",
        ),
        ("year 2013 black wins", "initial year == 2013 result 0-1"),
        ("draws in 2013", "initial year == 2013 result 1/2-1/2"),
        ("draw before 1980", "initial year < 1980 result 1/2-1/2"),
        ("queen endgame black wins", "endgame \"queen\" result 0-1"),
        ("les blancs ont deux dames", "Q >= 2"),
        ("Schwarz hat keine Dame", "q == 0"),
        ("Schäfermatt", "flipcolor {mate currentmove Q[x]f7 Bc4}"),
        ("white checks", "btm check"),
        ("sacrifice on h7", "Greek gift"),
        ("bishop sacrifice on h7", "Greek gift"),
        ("games with no captures", "initial not find {currentmove [x]}"),
        ("not mate", "terminal not mate"),
        ("captures without check", "currentmove [x] not check"),
        ("check without capture", "check not {currentmove [x]}"),
        ("three pieces for a queen", "flipcolor {#Q == #q + 1 #[bn] == #[BN] + 3 #R == #r}"),
        ("two pieces for a rook", "flipcolor {#R == #r + 1 #[bn] == #[BN] + 2 #Q == #q}"),
        (
            "three pawns for a piece",
            "flipcolor {#[BN] == #[bn] + 1 #p == #P + 3 #Q == #q #R == #r}",
        ),
        ("lower rated player wins", "flipcolor {elo white < elo black result 1-0}"),
        ("who beat Carlsen", "initial flipcolor {player white \"Carlsen\" result 0-1}"),
        ("who beat Kasparov with black", "initial player white \"Kasparov\" result 0-1"),
        (
            "Fischer beat Taimanov",
            "initial flipcolor {player white \"Fischer\" player black \"Taimanov\" result 1-0}",
        ),
        ("games that Kasparov lost", "initial flipcolor {player white \"Kasparov\" result 0-1}"),
        (
            "Which games did Kasparov lose?",
            "initial flipcolor {player white \"Kasparov\" result 0-1}",
        ),
        ("Kasparov Topalov 1999", "initial year == 1999 player \"Kasparov\" player \"Topalov\""),
        ("games played in London", "initial {event \"London\" or site \"London\"}"),
        (
            "games in Hastings 1895",
            "initial {event \"Hastings\" or site \"Hastings\"} year == 1895",
        ),
        ("games in London", "initial {event \"London\" or site \"London\"}"),
        ("Jobava with white", "initial player white \"Jobava\""),
        (
            "Jobava as white in the london",
            "initial opening \"London System\" player white \"Jobava\"",
        ),
        ("a knight on d5 before move 20", "[Nn]d5 (ply + 1) / 2 < 20"),
        ("white knight on d5 before move 20", "Nd5 (ply + 1) / 2 < 20"),
        ("draw by 50 moves rule", "halfmoveclock >= 100"),
        ("fifty move rule", "halfmoveclock >= 100"),
        ("50 move rule", "halfmoveclock >= 100"),
        ("50-move rule", "halfmoveclock >= 100"),
        ("draw by the 50 move rule", "halfmoveclock >= 100"),
        ("both players over 2,500", "initial elo white > 2500 elo black > 2500"),
        ("both players over 2.500", "initial elo white > 2500 elo black > 2500"),
        ("both players over 2'500", "initial elo white > 2500 elo black > 2500"),
        ("both players over 2 500", "initial elo white > 2500 elo black > 2500"),
        ("games longer than 1,000 moves", "terminal (ply + 1) / 2 > 1000"),
        ("game ends in mate", "mate"),
        ("Partien über 100 Züge", "terminal (ply + 1) / 2 > 100"),
        ("longest sequence of checks", "Longest series of checks"),
        ("fewer than 8 pieces", "[Aa] < 8"),
        (
            "Carlsen lost to Anand in 2013",
            "initial year == 2013 flipcolor {player white \"Carlsen\" player black \"Anand\" result 0-1}",
        ),
        ("Quuxer drew with Tal", "initial player \"Quuxer\" player \"Tal\" result 1/2-1/2"),
        ("Black lost to Tal", "initial player white \"Tal\" result 1-0"),
        ("B90 to B99", "\"B90\" <= eco <= \"B99\""),
        ("games between Carlsen and Anand", "initial player \"Carlsen\" player \"Anand\""),
        ("games in 2013 with more than 80 moves", "terminal (ply + 1) / 2 > 80 year == 2013"),
        ("games of Fischer as black that he lost", "initial player black \"Fischer\" result 1-0"),
        (
            "knight sacrifice on d5 in the Sicilian",
            "theme(\"sacrifice\") parent:{currentmove [x][Nn]d5} opening \"Sicilian Defense\"",
        ),
        ("white rook on d7 at the end", "Rd7 terminal"),
        ("a white knight reaches d5", "currentmove N--d5"),
        ("Carlsen's wins with black", "initial player black \"Carlsen\" result 0-1"),
        ("over 10 checks", "initial find count check > 10"),
        ("positions with an IQP", "Isolated queen's pawn"),
        ("K e1", "Ke1"),
        ("tournament Zurich 1953", "initial {event \"Zurich\" or site \"Zurich\"} year == 1953"),
        (
            "world championship 1972",
            "initial tag \"Event\" ~~ \"[Ww]orld.*[Cc]hampion\" year == 1972",
        ),
        ("most knight moves", "terminal sort \"moves\" {find <-- all {currentmove [Nn]--}}"),
        ("show me all smothered mates", "Smothered mate"),
        ("played under 30 seconds", "clock < 30"),
        ("SELECT * FROM games WHERE white = 'Carlsen'", "player white \"Carlsen\""),
    ] {
        let (found, lacking) = index.answer(question);
        let first = found.first().map(|idea| idea.title.clone());
        if first.as_deref() != Some(expected) || !lacking.is_empty() {
            wrong.push((question, first, lacking));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for question in [
        "smothered mate of Tal",
        "white wins with black",
        "sacrifice before move 10",
        "Sacrifice wins",
        "King's Gambit wins",
    ] {
        assert!(index.meant(question).is_empty(), "{question}");
    }
    for (question, says) in [
        ("castling before move 10", "castling; the number of the last move is less than 10"),
        ("two white queens", "there are at least 2 white queens"),
        ("games won by Nakamura", "the name of White contains \"Nakamura\" and the game ended 1-0"),
        (
            "pawns on c4 and e4",
            "either there is a white pawn on c4 and there is a white pawn on e4, or",
        ),
    ] {
        let line = &index.meant(question)[0].line;
        assert!(line.starts_with("understood as: ") && line.contains(says), "{question}: {line}");
    }
    let of_two_names = &index.meant("Judit Polgar")[0].line;
    assert!(of_two_names.contains("the last name first"), "{of_two_names}");
    let (found, lacking) = index.answer("smothered mate before move 10");
    assert!(found.is_empty() && lacking.contains(&"before".to_owned()), "{lacking:?}");
    let (_, lacking) = index.answer("skewer or fork");
    assert!(lacking.contains(&"or".to_owned()), "{lacking:?}");
}

#[test]
fn articles_colors_and_joined_questions_are_understood() {
    let index = Index::new(&[]);
    let mut wrong = Vec::new();
    for (question, expected) in [
        // The rating of a player is that of his side.
        (
            "Kosteniuk rated over 2500",
            "initial flipcolor {player white \"Kosteniuk\" elo white > 2500}",
        ),
        (
            "Nakamura rated under 2600",
            "initial flipcolor {player white \"Nakamura\" elo white < 2600}",
        ),
        (
            "rated over 2500 Kosteniuk",
            "initial flipcolor {player white \"Kosteniuk\" elo white > 2500}",
        ),
        (
            "Kosteniuk with black rated over 2500",
            "initial player black \"Kosteniuk\" elo black > 2500",
        ),
        (
            "Carlsen against opponents over 2800",
            "initial flipcolor {player white \"Carlsen\" elo black > 2800}",
        ),
        (
            "Kosteniuk rated over 2500 won",
            "initial flipcolor {player white \"Kosteniuk\" elo white > 2500 result 1-0}",
        ),
        (
            "Carlsen rated over 2800 against Anand, black won",
            "initial flipcolor {player white \"Carlsen\" player black \"Anand\" elo white > 2800} result 0-1",
        ),
        (
            "Giri rated below 2750 against Carlsen rated over 2800",
            "initial flipcolor {player white \"Giri\" player black \"Carlsen\" elo white < 2750 elo black > 2800}",
        ),
        // The player who asks has a name.
        ("games where I lost", "initial flipcolor {player white \"NAME\" result 0-1}"),
        ("games that I drew with Black", "initial player black \"NAME\" result 1/2-1/2"),
        ("my wins with white", "initial player white \"NAME\" result 1-0"),
        ("Who beat Carlsen", "initial flipcolor {player white \"Carlsen\" result 0-1}"),
        // Pieces on squares are joined.
        ("knight on e5 and pawn on d4", "[Nn]e5 [Pp]d4"),
        ("bishop on g2, knight on f3", "[Bb]g2 [Nn]f3"),
        ("white knight on d5 and no black knights", "Nd5 n == 0"),
        ("white king f6 black king h8", "Kf6 kh8"),
        ("pawns on c4 and e4 before move 20", "{{Pc4 Pe4} or {pc4 pe4}} (ply + 1) / 2 < 20"),
        ("rook and pawn against rook, won by white", "flipcolor material \"KRPKR\" result 1-0"),
        ("black is a rook down and wins", "#R == #r + 1 power A == power a + 5 result 0-1"),
        (
            "Carlsen is two pawns up and lost",
            "flipcolor {player white \"Carlsen\" #P == #p + 2 power A == power a + 2 result 0-1}",
        ),
        // An opening, a player and a color are one query.
        (
            "Kosteniuk plays the Caro-Kann with black",
            "initial opening \"Caro-Kann Defense\" player black \"Kosteniuk\"",
        ),
        (
            "Navara as white with the Sicilian",
            "initial opening \"Sicilian Defense\" player white \"Navara\"",
        ),
        ("I play the Najdorf with black", "initial opening \"Najdorf\" player black \"NAME\""),
        ("draw by stalemate", "stalemate result 1/2-1/2"),
        ("Sicilian games of Carlsen", "initial opening \"Sicilian Defense\" player \"Carlsen\""),
        // Moves, results and places.
        ("black plays h5 before move 10", "{currentmove p--h5} (ply + 1) / 2 < 10"),
        ("white plays Bxh7", "currentmove B[x]h7"),
        ("white castles long", "btm o-o-o"),
        ("castling by black", "wtm castle"),
        ("white wins by mate", "mate result 1-0"),
        ("Carlsen won by mate", "mate flipcolor {player white \"Carlsen\" result 1-0}"),
        ("white wins on time", "initial tag \"Termination\" ~~ \"[Tt]ime\" result 1-0"),
        ("lost on time by White", "initial tag \"Termination\" ~~ \"[Tt]ime\" result 0-1"),
        ("won in 20 moves or fewer", "terminal (ply + 1) / 2 <= 20 {result 1-0 or result 0-1}"),
        ("Linares 1999", "initial {event \"Linares\" or site \"Linares\"} year == 1999"),
        ("Wijk aan Zee", "initial {event \"Wijk aan Zee\" or site \"Wijk aan Zee\"}"),
        ("London 1899", "initial {event \"London\" or site \"London\"} year == 1899"),
        ("white never castles", "White never castled"),
    ] {
        let (found, lacking) = index.answer(question);
        let first = found.first().map(|idea| idea.title.clone());
        if first.as_deref() != Some(expected) || !lacking.is_empty() {
            wrong.push((question, first, lacking));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let line = &index.meant("games I won")[0].line;
    assert!(line.contains("-player NAME"), "{line}");
    for question in ["They lost", "Everyone lost", "Attack with black", "Sicilian", "won"] {
        assert!(index.meant(question).is_empty(), "{question}: {:?}", index.meant(question));
    }
    let (found, lacking) = index.answer("Kosteniuk brilliantly plays the Caro-Kann with black");
    assert_eq!(lacking, ["brilliantly"]);
    assert_eq!(found[0].title, "initial opening \"Caro-Kann Defense\" player black \"Kosteniuk\"");
    let (found, _) = index.answer("mate in two");
    assert!(!found.iter().any(|idea| idea.line.contains("Zilahi")));
    assert!(index.is_only_in_texts("They lost") || index.find_whole("They lost").is_empty());
}

#[test]
fn what_is_certain_to_fail_is_no_query() {
    for words in ["white to move and mate", "black stalemate"] {
        assert!(parse_sample(words).diagnostics.is_empty(), "{words}");
        assert_eq!(of_query(words, "").query(), None, "{words}");
    }
    assert_eq!(of_query("btm stalemate", "").query().as_deref(), Some("btm stalemate"));
}

#[test]
fn commands_of_queries_have_whole_queries() {
    let Index(ideas) = Index::new(&[]);
    let queries = ideas.iter().filter(|idea| idea.kind == IdeaKind::Query);
    for idea in queries.clone() {
        assert!(parse_sample(&idea.title).diagnostics.is_empty(), "{}", idea.title);
    }
    assert!(queries.count() > 100);
}

/// Questions with numbers, and the query for each.
const COMPARED: &[(&str, &str)] = &[
    // Before a number, or after it.
    ("castling by move 10", "castle (ply + 1) / 2 <= 10"),
    ("castling no later than move 10", "castle (ply + 1) / 2 <= 10"),
    ("castling not before move 20", "castle (ply + 1) / 2 >= 20"),
    ("white castles long by move 10", "btm o-o-o (ply + 1) / 2 <= 10"),
    ("castling by black before move 10", "wtm castle (ply + 1) / 2 < 10"),
    ("mate from move 40", "mate (ply + 1) / 2 >= 40"),
    ("mate at move 20 or later", "mate (ply + 1) / 2 >= 20"),
    ("mate by move 15", "mate (ply + 1) / 2 <= 15"),
    ("mate before move 15", "mate (ply + 1) / 2 < 15"),
    ("mate from move 30 to 40", "mate (ply + 1) / 2 >= 30 (ply + 1) / 2 <= 40"),
    ("mate between moves 20 and 30", "mate (ply + 1) / 2 >= 20 (ply + 1) / 2 <= 30"),
    ("won from move 50 by white", "terminal (ply + 1) / 2 >= 50 result 1-0"),
    ("draw from move 60", "terminal (ply + 1) / 2 >= 60 result 1/2-1/2"),
    ("draw by move 20", "terminal (ply + 1) / 2 <= 20 result 1/2-1/2"),
    ("draw before move 33", "terminal (ply + 1) / 2 < 33 result 1/2-1/2"),
    ("not shorter than 60 moves", "terminal (ply + 1) / 2 >= 60"),
    ("no more than 30 moves", "terminal (ply + 1) / 2 <= 30"),
    ("games of 100 moves or more", "terminal (ply + 1) / 2 >= 100"),
    ("100+ moves", "terminal (ply + 1) / 2 >= 100"),
    ("between 20 and 30 moves", "terminal (ply + 1) / 2 >= 20 (ply + 1) / 2 <= 30"),
    ("20-30 moves", "terminal (ply + 1) / 2 >= 20 (ply + 1) / 2 <= 30"),
    // The number of moves is that of the game, and the number of the move that of the position.
    ("rook ending under 25 moves", "endgame \"rook\" find {terminal (ply + 1) / 2 < 25}"),
    ("castling under 25 moves", "castle find {terminal (ply + 1) / 2 < 25}"),
    ("mate under 25 moves", "mate (ply + 1) / 2 < 25"),
    // Parentheses after a move would be its condition.
    ("promotion before move 40", "{currentmove --=.} (ply + 1) / 2 < 40"),
    ("promotion on move 40", "{currentmove --=.} (ply + 1) / 2 == 40"),
    ("promotion under 25 moves", "currentmove --=. find {terminal (ply + 1) / 2 < 25}"),
    ("promotion with check", "check currentmove --=."),
    ("promotion by white before move 40", "{btm currentmove --=.} (ply + 1) / 2 < 40"),
    // Years and dates.
    ("Carlsen 2010-2015", "initial year >= 2010 year <= 2015 player \"Carlsen\""),
    ("Carlsen 2010 and 2015", "initial {year == 2010 or year == 2015} player \"Carlsen\""),
    ("white won 2010-2015", "initial year >= 2010 year <= 2015 result 1-0"),
    ("2015-2019", "initial year >= 2015 year <= 2019"),
    ("between 2000 and 2010", "initial year >= 2000 year <= 2010"),
    ("games in the 1990s", "initial year >= 1990 year <= 1999"),
    ("games in the 2000s", "initial year >= 2000 year <= 2009"),
    ("games before the 90s", "initial year < 1990"),
    ("games from 2019", "initial year == 2019"),
    ("games from 2019 on", "initial year >= 2019"),
    ("games in 2019 or later", "initial year >= 2019"),
    ("games by 1950", "initial year <= 1950"),
    ("in 1972", "initial year == 1972"),
    ("after 2010", "initial year > 2010"),
    ("since 2010", "initial year >= 2010"),
    ("games in May 2019", "initial date ~~ \"^2019[.]05\""),
    ("games before May 2019", "initial date < \"2019.05.01\""),
    // Names as files write them.
    ("Carlsen, M won", "initial flipcolor {player white \"Carlsen, M\" result 1-0}"),
    ("Vachier-Lagrave won", "initial flipcolor {player white \"Vachier-Lagrave\" result 1-0}"),
    ("games of Ding Liren", "initial player ~~ \"Liren, D|Ding,? Liren\""),
    ("Ding, Liren", "initial player ~~ \"Ding, L|Liren,? Ding\""),
    ("Carlsen, Anand", "initial player \"Carlsen\" player \"Anand\""),
    ("Carlsen in the Caro-Kann", "initial opening \"Caro-Kann Defense\" player \"Carlsen\""),
    (
        "Carlsen versus Nakamura won by white",
        "initial player \"Carlsen\" player \"Nakamura\" result 1-0",
    ),
    (
        "Carlsen against Nakamura, black won",
        "initial player \"Carlsen\" player \"Nakamura\" result 0-1",
    ),
    // Ratings.
    ("elo over 2700", "initial elo white > 2700 elo black > 2700"),
    ("elo at least 2700", "initial elo white >= 2700 elo black >= 2700"),
    ("elo at most 2000", "initial elo white <= 2000 elo black <= 2000"),
    ("rated 2700+", "initial elo white >= 2700 elo black >= 2700"),
    ("either player rated 2500", "initial elo >= 2500"),
    ("white elo over 2700", "initial elo white > 2700"),
    ("elo black under 1900", "initial elo black < 1900"),
    ("average rating over 2600", "initial elo white + elo black > 5200"),
    ("difference more than 200", "initial flipcolor {elo white - elo black > 200}"),
    ("rating difference 300", "initial flipcolor {elo white - elo black >= 300}"),
    ("difference under 50", "initial elo white - elo black < 50 elo black - elo white < 50"),
    // Material, studies, clocks.
    ("white wins with less material", "terminal power A < power a result 1-0"),
    ("mates with less material", "flipcolor {mate btm power A < power a}"),
    ("black mates with more material", "wtm mate power a > power A"),
    ("studies won by white", "initial result 1-0"),
    ("less than 30 seconds left", "clock < 30"),
    ("evaluation above 5", "eval > 500"),
];

#[test]
fn numbers_of_a_question_are_compared_as_it_says() {
    let index = Index::new(&[]);
    let wrong: Vec<_> = COMPARED
        .iter()
        .filter_map(|(question, expected)| {
            let (found, lacking) = index.answer(question);
            let first = found.first().map(|idea| idea.title.clone());
            let is_right = first.as_deref() == Some(expected) && lacking.is_empty();
            (!is_right).then_some((question, first, lacking))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for question in [
        "Carlsen white wins",
        "early 1990s",
        "over 20 or more moves",
        "game of 20 moves",
        "30-20 moves",
        "smothered mate before move 10",
    ] {
        assert!(index.meant(question).is_empty(), "{question}");
    }
    let two = index.meant("games in the 1900s");
    assert_eq!(two[0].title, "initial year >= 1900 year <= 1909");
    assert_eq!(two[1].title, "initial year >= 1900 year <= 1999");
}

#[test]
fn words_beside_a_word_that_decides_count() {
    let index = Index::new(&[]);
    for (words, without) in [
        ("not isolated pawn", vec!["not"]),
        ("black promotes to a knight with check", vec!["black"]),
        ("kill box", vec![]),
    ] {
        let (found, lacking) = index.find_in_part(words);
        assert_eq!(lacking, without, "{words}");
        assert!(!found.is_empty(), "{words}");
    }
    let idea = index.find("Mate by a pawn")[0];
    assert_eq!(idea.weight("materi"), 0);
    let material = index.0.iter().find(|idea| idea.title == "material").expect("a word");
    assert_eq!(material.weight("mate"), 0);
    assert_ne!(material.weight("material"), 0);
}

#[test]
fn a_rare_word_decides() {
    let pages = [("Files", "# Files\n\nSome have the ending cbv.\n")];
    let index = Index::new(&pages);
    let check = |words: &str| {
        let found = index.find(words);
        assert_eq!(found.first().map(|idea| idea.title.as_str()), Some("Files"), "{words}");
    };
    let found = index.find("open Cbv file");
    assert_ne!(found.first().map(|idea| idea.title.as_str()), Some("Files"));
    check("open cbv file");
    check("convert cbv to pgn");
}

#[test]
fn misspelled_words_have_near_ones() {
    let index = Index::new(&[]);
    let check = |words: &str, expected: Option<&str>| {
        assert_eq!(index.nearest(words).as_deref(), expected, "{words}");
    };
    check("exelsior", Some("excelsior"));
    check("zugswang", Some("zugzwang"));
    check("swichback", Some("switchback"));
    check("underpromtion", Some("underpromotion"));
    check("smotherd mate", Some("smothered mate"));
    check("excelsior", None);
    check("nosuchtheme", None);
    check("leaves theory", None);
}

#[test]
fn an_idea_lacks_words() {
    let index = Index::new(&[]);
    let idea = index.find("smothered mate")[0];
    assert_eq!(idea.lacks("the smothered mates of Tal"), ["Tal"]);
    assert!(idea.answers_in_part("smothered game"));
    assert!(!idea.answers_in_part("playing style"));
    assert!(idea.answers_in_part("smothered mate by Black"));
    assert!(!idea.answers_in_part("smothered rook by Black"));
    assert!(index.is_named("bristol") && !index.is_named("najdorf"));
}

#[test]
fn words_that_decide_are_those_of_the_idea_itself() {
    let line = "a rook takes two pieces";
    let idea = |kind, title| Idea::new(kind, title, line, "not by White", String::new());
    let lacking = |idea: Idea| idea.lacks("not both 3 take two by White").join(" ");
    assert_eq!(lacking(idea(IdeaKind::Query, "R[x][qr] == 3 not o-o")), "not both 3 White");
    assert_eq!(lacking(idea(IdeaKind::Word, "both")), "not 3 White");
    assert_eq!(lacking(idea(IdeaKind::Word, "never")), "both 3 White");
    for word in DECISIVE {
        assert_eq!(stem(word), *word);
    }
}

#[test]
fn other_words_find_an_idea() {
    let mut index = Index::new(&[]);
    assert!(index.also("cql help mate", "game over, lintel"));
    assert!(!index.also("cql help nosuchword", "lintel"));
    for words in ["game over", "lintel"] {
        assert_eq!(index.find(words)[0].title, "mate", "{words}");
    }
    assert!(index.find_whole("lintel nosuchword").is_empty());
    assert_eq!(index.find_whole("lintel over").len(), 1);
}

#[test]
fn forms_of_a_word_have_the_same_stem() {
    for (one, other) in [
        ("sacrifices", "sacrificed"),
        ("castling", "castled"),
        ("exchange", "trades"),
        ("endgames", "ending"),
        ("mate", "mates"),
        ("promotes", "promotion"),
        ("mating", "checkmate"),
    ] {
        assert_eq!(stem(one), stem(other), "{one}");
    }
    assert_ne!(stem("king"), stem("kind"));
}

#[test]
fn every_answer_is_there() {
    let index = Index::new(&[]);
    for (names, answer) in terms() {
        if let Answer::Recipe(title) = answer {
            assert!(recipe(&plain_title(title)).is_some(), "{title}");
            for name in names.split(' ') {
                let first = index.find(name).first().map(|idea| idea.title.as_str());
                let same = [Some(title.to_lowercase()), Some(name.to_owned())];
                assert!(same.contains(&first.map(str::to_lowercase)), "{name}: {first:?}");
            }
        }
    }
}
