use pgn::MoveCode;

use super::*;

const TABLE: &str = "eco\tname\tpgn
B00\tKing's Pawn Game\t1. e4
B20\tSicilian Defense\t1. e4 c5
B90\tSicilian Defense: Najdorf Variation\t1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6
D02\tQueen's Pawn Game: London System\t1. d4 d5 2. Nf3 Nf6 3. Bf4
";

fn tree(game: &str) -> GameTree {
    let mut index = TagIndex::default();
    index.scan(game.as_bytes());
    let mut tree = GameTree::default();
    tree.parse(index.tags(game.as_bytes()));
    tree
}

fn name(table: &Openings, game: &str) -> String {
    let (tree, opening) =
        (tree(game), |found: Option<&Opening>| found.map_or("-", Opening::name).to_owned());
    let found = opening(table.of_game(&tree));
    if tree.is_linear() && tree.rules() == Rules::Chess {
        // The codes of the moves alone say the same.
        let codes = (1..tree.len()).map(|node| tree.move_to(node).and_then(MoveCode::of));
        let codes: Option<Vec<u16>> = codes.map(|code| code.map(|code| code.0)).collect();
        let codes = codes.expect("moves with a code");
        let line = CodedLine { start: tree.positions()[0], codes: &codes };
        assert_eq!(opening(table.of_line(line)), found, "{game}");
    }
    found
}

#[test]
fn the_last_named_position_of_the_main_line_counts() {
    let table = Openings::parse(TABLE).expect("a table");
    assert_eq!(name(&table, "1. e4 e5 2. Nf3 *"), "King's Pawn Game");
    assert_eq!(name(&table, "1. c4 c5 2. e4 *"), "-");
    assert_eq!(name(&table, "1. e3 c5 2. e4 *"), "-");
    assert_eq!(name(&table, "1. Nf3 Nf6 2. d4 d5 3. Bf4 e6 *"), "Queen's Pawn Game: London System");
    assert_eq!(
        name(&table, "1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 *"),
        "Sicilian Defense: Najdorf Variation"
    );
    // Variations are none of the game, nor are games of another kind.
    assert_eq!(name(&table, "1. e4 e5 (1... c5) 2. Nf3 *"), "King's Pawn Game");
    assert_eq!(name(&table, "[Variant \"Atomic\"]\n\n1. e4 c5 *"), "-");
    assert_eq!(name(&table, "*"), "-");
}

#[test]
fn the_table_of_the_program_has_no_faults() {
    let table = Openings::parse(BUILT_IN).expect("a table");
    assert!(table.rows().len() >= 400, "{}", table.rows().len());
    assert_eq!(table.table().by_position.len(), table.rows().len(), "a position has two names");
    let mut names: Vec<_> = table.rows().iter().map(|row| &row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), table.rows().len(), "two positions have the same name");
}

#[test]
fn faults_of_tables_have_their_lines() {
    let check = |text: &str, want: &str| {
        assert_eq!(Openings::parse(text).expect_err("a fault").to_string(), want, "{text}");
    };
    let columns = "there is no column `eco`: the first line must name the columns `eco`, `name` \
                   and `pgn`, separated by tabs";
    check("", &format!("line 1: {columns}"));
    check("B00\tKing's Pawn Game\t1. e4\n", &format!("line 1: {columns}"));
    check("eco\tname\tpgn\nB0\tA\t1. e4\n", "line 2: `B0` is no ECO code");
    check("eco\tname\tpgn\n\nB00\t\t1. e4\n", "line 3: the opening has no name");
    for moves in ["1. e5", "1. e4 e4", "1. e4 (1. d4)", "1. e4 x", "", "1. e4 1-0", "1. e4 [A]"] {
        let want = format!("line 2: `{moves}` is not a line of legal moves from the start");
        check(&format!("eco\tname\tpgn\nB00\tA\t{moves}"), &want);
    }
}

#[test]
fn equal_tables_are_shown_alike() {
    let shown = |text: &str| format!("{:?}", Openings::parse(text).expect("a table"));
    assert_eq!(shown(BUILT_IN), shown(BUILT_IN));
    assert_ne!(shown(BUILT_IN), shown(TABLE));
}

#[test]
fn tables_with_other_columns_are_read() {
    let text = "\u{feff}eco\tname\tpgn\tuci\tepd\r\nB00\tA\t1. e4\te2e4\tx\r\n";
    let table = Openings::parse(text).expect("a table");
    assert_eq!(name(&table, "1. e4 *"), "A");
}

#[test]
fn openings_are_called_by_a_part_of_the_name() {
    let table = Openings::parse(TABLE).expect("a table");
    let called = |part| table.called(part).iter().map(|row| row.moves()).collect::<Vec<_>>();
    assert_eq!(called("najdorf"), ["1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"]);
    assert_eq!(called("Pawn Game"), ["1. e4", "1. d4 d5 2. Nf3 Nf6 3. Bf4"]);
    assert_eq!(called("x"), [""; 0]);
    let table = Openings::default();
    for (part, name) in [
        ("Sicilian", "Sicilian Defense"),
        ("queen's gambit declined", "Queen's Gambit Declined"),
        ("King's Indian", "King's Indian Defense"),
        ("Queen's Indian", "Queen's Indian Defense"),
        ("Dragon", "Sicilian Defense: Dragon Variation"),
        ("Berlin", "Ruy Lopez: Berlin Defense"),
        ("Sveshnikov", "Sicilian Defense: Sveshnikov Variation"),
        ("Marshall", "Ruy Lopez: Marshall Attack"),
        ("French", "French Defense"),
        ("Catalan", "Catalan Opening"),
        // Whole words come before parts of words, and the beginning of a name before its other words.
        ("Tal", "Benoni Defense: Classical Variation, Czerniak Defense, Tal Line"),
        ("Rat", "Rat Defense: English Rat"),
        ("Hungarian", "Hungarian Opening"),
        ("Ital", "Italian Game"),
        // A word for a kind of opening says nothing more beside a name.
        ("opening sicilian", "Sicilian Defense"),
        ("Sicilian opening", "Sicilian Defense"),
        ("opening caro-kann", "Caro-Kann Defense"),
        ("opening grünfeld", "Grünfeld Defense"),
        ("opening london system", "London System"),
        ("opening alekhine", "Alekhine Defense"),
        ("dutch opening", "Dutch Defense"),
        ("benoni opening", "Benoni Defense"),
        ("french game", "French Defense"),
        ("opening sicilian najdorf", "Sicilian Defense: Najdorf Variation"),
        ("sicilian najdorf opening", "Sicilian Defense: Najdorf Variation"),
        ("English opening", "English Opening"),
        ("French Defense opening", "French Defense"),
    ] {
        assert_eq!(table.called(part).first().map(|row| row.name()), Some(name), "{part}");
    }
}

#[test]
fn names_are_found_in_any_spelling() {
    let table = Openings::default();
    for (part, name) in [
        ("grunfeld", Some("Grünfeld")),
        ("Gruenfeld Defence", Some("Grünfeld Defense")),
        ("caro kann", Some("Caro-Kann")),
        ("carokann", Some("Caro-Kann")),
        ("nimzo indian", Some("Nimzo-Indian")),
        ("kings indian", Some("King's Indian")),
        ("queen's gambit declined", Some("Queen's Gambit Declined")),
        ("petrov", Some("Petrov's")),
        ("Petroff defence", Some("Petrov's Defense")),
        ("reti", Some("Réti")),
        ("najdorf", Some("Najdorf")),
        ("Sicilian Defense Najdorf", Some("Sicilian Defense: Najdorf")),
        ("najdor", None),
        ("ajdorf", None),
        ("xyzzy", None),
        ("", None),
        ("-'", None),
    ] {
        assert_eq!(table.spelled(part), name, "{part}");
        if let Some(name) = name {
            assert!(table.has_name(name), "{name}");
            assert!(!table.called(part).is_empty(), "{part}");
        }
    }
    assert_eq!(table.nearest("Petroff"), Some("Petrov's"));
    assert_eq!(table.nearest("Russian Game"), Some("Petrov's Defense"));
    assert_eq!(table.called("spanish opening")[0].name(), "Ruy Lopez");
    for (other, name) in OTHER_NAMES {
        assert!(table.rows().iter().any(|row| &*row.name == *name), "{name}");
        assert_eq!(table.spelled(other), Some(*name), "{other}");
    }
    assert_eq!(table.spelled(&"indian ".repeat(100_000)), None);
    let coded = |code| table.with_code(code).next().map(Opening::name);
    assert_eq!(coded("c42"), Some("Petrov's Defense"));
    assert_eq!(coded("C4"), None);
}

#[test]
fn near_names_are_proposed() {
    let table = Openings::parse(TABLE).expect("a table");
    assert_eq!(table.nearest("Sicillian"), Some("Sicilian"));
    assert_eq!(table.nearest("sicilian defence"), Some("Sicilian Defense"));
    assert_eq!(table.nearest("najdorf"), Some("Najdorf"));
    assert_eq!(table.nearest("Londen System"), Some("London System"));
    assert_eq!(table.nearest("Halloween"), None);
    assert_eq!(table.nearest(&"x".repeat(100_000)), None);
    let table = Openings::default();
    assert_eq!(table.nearest("Caro Kann"), Some("Caro-Kann"));
    assert_eq!(table.nearest("Nimzo Indian"), Some("Nimzo-Indian"));
    assert_eq!(table.nearest(""), None);
}

#[test]
fn names_are_found_by_some_of_their_words() {
    let openings = Openings::default();
    for (words, name) in [
        ("Sicilian Najdorf", Some("Sicilian Defense: Najdorf Variation")),
        ("dragon sicilian", Some("Sicilian Defense: Dragon Variation")),
        ("French Winawer", Some("French Defense: Winawer Variation")),
        ("winawer french defence", Some("French Defense: Winawer Variation")),
        ("Spanish Berlin", Some("Ruy Lopez: Berlin Defense")),
        ("Berlin Spanish Game", Some("Ruy Lopez: Berlin Defense")),
        ("Spanish Four Knights", Some("Four Knights Game: Double Spanish")),
        ("QGD Exchange", Some("Queen's Gambit Declined: Exchange Variation")),
        ("Volga nosuchword", None),
        ("Najdorf", None),
        ("Najdorf nosuchword", None),
        ("", None),
    ] {
        assert_eq!(openings.with_words(words), name, "{words}");
    }
    let called = openings.called("Sicilian Najdorf");
    assert_eq!(called.first().map(|row| &*row.name), Some("Sicilian Defense: Najdorf Variation"));
    assert_eq!(openings.nearest("Volga"), Some("Benko Gambit"));
    assert_eq!(openings.of_other_name("spanish game"), Some("Ruy Lopez"));
    assert_eq!(openings.of_other_name("Ruy Lopez"), None);
    assert!(openings.has_whole_name("Ruy Lopez") && !openings.has_whole_name("Ruy"));
}

#[test]
fn no_word_of_a_name_is_ruled_out() {
    let names =
        ["Grünfeld Defense: d'Évreux", "Queen's Gambit (Ålborg)", "Mu\u{308}ller/von Popiel"];
    let openings = Openings::default();
    for name in openings.rows().iter().map(|row| &*row.name).chain(names) {
        let words = plain_words(name);
        assert!(words.iter().all(|word| may_have(name, word)), "{name}: {words:?}");
    }
    assert!(!may_have("Ruy Lopez", "berlin"));
}

#[test]
fn codes_are_one_or_two_with_a_dash() {
    let filter = |text| CodeRange::parse(text).map_or("-".to_owned(), |codes| codes.filter());
    assert_eq!(filter("B90"), "openingcode == \"B90\"");
    assert_eq!(filter("b90"), "openingcode == \"B90\"");
    for text in ["B20-B99", "B2–B9", "B20 - B99", "b20-b99", "B99-B20", "B9-B2"] {
        assert_eq!(filter(text), "\"B20\" <= openingcode <= \"B99\"", "{text}");
    }
    for text in ["c4", "b", "b4-b5", "B900", "F10", "B20-", "Be3", ""] {
        assert_eq!(filter(text), "-", "{text}");
    }
    assert_eq!(CodeRange::parse("E").expect("codes").to_string(), "E00–E99");
}

#[test]
fn a_square_of_en_passant_counts_if_the_capture_is_legal() {
    let key = |fen: &str| key_of(&board::parse_fen(fen.as_bytes()).expect("a position"));
    let check = |board: &str, counts: bool| {
        let [with, without] = ["d3", "-"].map(|square| key(&format!("{board} b - {square} 0 1")));
        assert_eq!(with != without, counts, "{board}");
    };
    check("4k3/8/8/8/3Pp3/8/8/4K3", true);
    check("4k3/8/8/8/3P1p2/8/8/4K3", false);
    // After the capture the rook would attack the king.
    check("8/8/8/8/k2Pp2R/8/8/4K3", false);
}
