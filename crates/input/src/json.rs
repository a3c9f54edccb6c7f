//! Games of Lichess and Chess.com in JSON, and those that a search writes. One object is a game; each is on a line of its own, as
//! Lichess writes them, or is brought there.

use std::fmt;
use std::io::{self, Read};

use flow::LineFormat;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::error::Error;
use super::line_error::LineError;
use super::mark::without_mark;
use super::tag::{push_comment, push_tag};

/// Members that only games have, near the beginning of an object.
const OF_GAMES: [&[u8]; 7] = [
    b"\"players\"",
    b"\"perf\"",
    b"\"lastMoveAt\"",
    b"\"time_class\"",
    b"\"pgn\"",
    // Written by a search; in other objects, the moves are one text.
    b"\"moves\":[",
    b"\"moves\": [",
];

/// Usual start of a game.
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Whether a line begins with an object that is a game.
pub(super) fn is_game(line: &[u8]) -> bool {
    let holds = |name: &&[u8]| line.windows(name.len()).any(|part| part == *name);
    is_object(line.trim_ascii_start()) && OF_GAMES.iter().any(holds)
}

/// Whether a text begins with an object that has members. A comment of PGN begins with a brace, too.
pub(super) fn is_object(text: &[u8]) -> bool {
    let name = text.strip_prefix(b"{").and_then(|text| text.trim_ascii_start().strip_prefix(b"\""));
    let mut parts = name.unwrap_or_default().splitn(2, |byte| *byte == b'"');
    parts.nth(1).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
}

/// Number of brackets around each game of a text that has them on several lines, or in a list.
pub(super) fn n_around(head: &[u8]) -> Option<usize> {
    let text = without_mark(head).trim_ascii_start();
    if text.strip_prefix(b"[").is_some_and(|text| is_object(text.trim_ascii_start())) {
        return Some(1);
    }
    let member = text.strip_prefix(b"{").filter(|_| is_object(text))?;
    let list = member.trim_ascii_start().strip_prefix(b"\"games\"");
    let list = list.and_then(|text| text.trim_ascii_start().strip_prefix(b":"));
    if list.is_some_and(|text| text.trim_ascii_start().starts_with(b"[")) {
        return Some(2);
    }
    let is_broken = member.iter().find(|byte| !b" \t\r".contains(byte)) == Some(&b'\n');
    (is_broken && is_game(text)).then_some(0)
}

/// Writes each game on a line of its own.
pub(super) struct JsonLines<R> {
    reader: R,
    /// Number of brackets around a game, and around the current byte.
    n_around: usize,
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl<R> JsonLines<R> {
    pub(super) fn new(reader: R, n_around: usize) -> JsonLines<R> {
        JsonLines { reader, n_around, depth: 0, is_text: false, is_escaped: false }
    }

    /// Returns the byte of a line that stands for a byte, if one does.
    fn byte(&mut self, byte: u8) -> Option<u8> {
        let is_within = self.depth > self.n_around;
        if self.is_text {
            self.is_text = self.is_escaped || byte != b'"';
            self.is_escaped = byte == b'\\' && !self.is_escaped;
        } else {
            match byte {
                b'"' => self.is_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        match byte {
            b'\n' | b'\r' if is_within => Some(b' '),
            _ if is_within || self.depth > self.n_around => Some(byte),
            b',' | b'\n' | b']' => Some(b'\n'),
            b' ' | b'\t' | b'\r' | b'[' | b'{' | b'}' => None,
            // Something in the list that is no object.
            _ => Some(byte).filter(|_| self.depth == self.n_around),
        }
    }
}

impl<R: Read> Read for JsonLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.reader.read(buffer)?;
            if n == 0 && self.depth > 0 && !buffer.is_empty() {
                return Err(Error::ListCutOff.into());
            }
            let mut kept = 0;
            for i in 0..n {
                if let Some(byte) = self.byte(buffer[i]) {
                    buffer[kept] = byte;
                    kept += 1;
                }
            }
            if kept > 0 || n == 0 {
                return Ok(kept);
            }
        }
    }
}

/// A game on each line.
pub(super) struct JsonGames;

impl LineFormat for JsonGames {
    fn is_game(&self, line: &[u8], _: bool) -> bool {
        !without_mark(line).trim_ascii().is_empty()
    }

    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), flow::LineError> {
        let game = serde_json::from_slice::<Value>(without_mark(line));
        let game = game.map_err(LineError::NotJson)?;
        if game["pgn"].is_string() && game["url"].is_string() {
            write_chess_com(&game, pgn);
        } else if game["players"].is_object() {
            write_lichess(&game, pgn)?;
        } else if game["moves"].is_array() {
            write_own(line, &game, pgn)?;
        } else {
            return Err(LineError::ForeignObject.into());
        }
        Ok(())
    }
}

/// Writes a game of Chess.com: its PGN, after the tags that this lacks.
fn write_chess_com(game: &Value, pgn: &mut Vec<u8>) {
    let text = game["pgn"].as_str().unwrap_or_default();
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() && !text.contains(&format!("[{name} \"")) {
            push_tag(pgn, name, value.as_bytes());
        }
    };
    for (color, side) in [("White", &game["white"]), ("Black", &game["black"])] {
        tag(color, word(&side["username"]));
        tag(&format!("{color}Elo"), &number(&side["rating"]));
    }
    tag("TimeControl", word(&game["time_control"]));
    tag("Link", word(&game["url"]));
    let rules = word(&game["rules"]);
    if rules != "chess" {
        tag("Variant", rules);
    }
    let start = word(&game["initial_setup"]);
    if !start.is_empty() && start != USUAL && !text.contains("[FEN \"") {
        tag("SetUp", "1");
        tag("FEN", start);
    }
    pgn.extend_from_slice(text.as_bytes());
    pgn.push(b'\n');
}

/// Tags of a game in the order of its object.
#[derive(Default)]
struct Tags(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tags, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tags")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Tags, M::Error> {
                let mut tags = Vec::new();
                while let Some(tag) = map.next_entry()? {
                    tags.push(tag);
                }
                Ok(Tags(tags))
            }
        }
        from.deserialize_map(InOrder)
    }
}

/// Object with tags, among others.
#[derive(serde::Deserialize)]
struct Tagged {
    #[serde(default)]
    tags: Tags,
}

/// Writes a game that a search has written: its PGN, or else its tags and moves.
fn write_own(line: &[u8], game: &Value, pgn: &mut Vec<u8>) -> Result<(), LineError> {
    if let Some(text) = game["pgn"].as_str() {
        pgn.extend_from_slice(text.as_bytes());
        pgn.push(b'\n');
        return Ok(());
    }
    let tagged = serde_json::from_slice::<Tagged>(without_mark(line));
    let Tags(tags) = tagged.map_err(LineError::NotJson)?.tags;
    for (name, value) in &tags {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_name) {
            return Err(LineError::NotATag(name.clone()));
        }
        push_tag(pgn, name, value.as_bytes());
    }
    let fen = word(&game["fen"]);
    // A variant may have a start of its own.
    let says_start = tags.iter().any(|(name, _)| name == "FEN" || name == "Variant");
    if !fen.is_empty() && fen != USUAL && !says_start {
        push_tag(pgn, "SetUp", b"1");
        push_tag(pgn, "FEN", fen.as_bytes());
    }
    pgn.push(b'\n');
    push_comment(word(&game["comment"]).as_bytes(), pgn);
    let numbers = Numbers::of(fen);
    let mut is_commented = true;
    for (i, san) in game["moves"].as_array().into_iter().flatten().enumerate() {
        numbers.push_move(i, word(san), is_commented, pgn)?;
        for nag in game["nags"][i].as_array().into_iter().flatten() {
            if let Some(nag) = nag.as_u64() {
                pgn.extend_from_slice(format!("${nag} ").as_bytes());
            }
        }
        is_commented = push_comment(word(&game["comments"][i]).as_bytes(), pgn);
    }
    let result = word(&game["result"]);
    let is_result = ["1-0", "0-1", "1/2-1/2"].contains(&result);
    pgn.extend_from_slice(if is_result { result } else { "*" }.as_bytes());
    pgn.push(b'\n');
    Ok(())
}

/// Writes a game of Lichess.
fn write_lichess(game: &Value, pgn: &mut Vec<u8>) -> Result<(), LineError> {
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            push_tag(pgn, name, value.as_bytes());
        }
    };
    let status = word(&game["status"]);
    let kind = if game["rated"] == Value::Bool(true) { "Rated" } else { "Casual" };
    let mut event = format!("{kind} {} game", word(&game["speed"])).replace("  ", " ");
    for list in ["tournament", "swiss"] {
        if let Some(id) = game[list].as_str() {
            event += &format!(" https://lichess.org/{list}/{id}");
        }
    }
    let (day, time) = match game["createdAt"].as_i64() {
        Some(milliseconds) => {
            let seconds = milliseconds.div_euclid(1000);
            (day(seconds.div_euclid(86_400)), time(seconds))
        }
        None => ("????.??.??".to_owned(), String::new()),
    };
    let result = result(game["winner"].as_str(), status);
    tag("Event", &event);
    let site = game["id"].as_str().map(|id| format!("https://lichess.org/{id}"));
    tag("Site", site.as_deref().unwrap_or("?"));
    tag("Date", &day);
    tag("Round", "-");
    let sides = [("White", &game["players"]["white"]), ("Black", &game["players"]["black"])];
    for (color, side) in sides {
        let name = match (side["user"]["name"].as_str(), side["aiLevel"].as_u64()) {
            (Some(name), _) => name.to_owned(),
            (None, Some(level)) => format!("lichess AI level {level}"),
            (None, None) => "Anonymous".to_owned(),
        };
        tag(color, &name);
    }
    tag("Result", result);
    if !time.is_empty() {
        tag("UTCDate", &day);
        tag("UTCTime", &time);
    }
    for (color, side) in sides {
        tag(&format!("{color}Elo"), &number(&side["rating"]));
        let change = side["ratingDiff"].as_i64().map(|change| format!("{change:+}"));
        tag(&format!("{color}RatingDiff"), &change.unwrap_or_default());
        tag(&format!("{color}Title"), word(&side["user"]["title"]));
    }
    tag("Variant", &variant(word(&game["variant"])));
    let clock = &game["clock"];
    let control = match (clock["initial"].as_u64(), game["daysPerTurn"].as_u64()) {
        (Some(initial), _) => format!("{initial}+{}", clock["increment"].as_u64().unwrap_or(0)),
        (None, Some(days)) => format!("1/{}", days.saturating_mul(86_400)),
        (None, None) => "-".to_owned(),
    };
    tag("TimeControl", &control);
    tag("ECO", word(&game["opening"]["eco"]));
    tag("Opening", word(&game["opening"]["name"]));
    tag("Termination", termination(status));
    let fen = word(&game["initialFen"]);
    if !fen.is_empty() {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    pgn.push(b'\n');
    push_moves(game, fen, pgn)?;
    pgn.extend_from_slice(result.as_bytes());
    pgn.push(b'\n');
    Ok(())
}

/// Numbers of the moves of a game.
struct Numbers {
    first: usize,
    is_black: bool,
}

impl Numbers {
    /// Returns the numbers in a game that begins with this position.
    fn of(fen: &str) -> Numbers {
        let mut fields = fen.split_ascii_whitespace().skip(1);
        let is_black = fields.next() == Some("b");
        let first = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
        Numbers { first, is_black }
    }

    /// Appends a move with its number, which Black's moves have after comments.
    fn push_move(
        &self,
        index: usize,
        san: &str,
        is_commented: bool,
        pgn: &mut Vec<u8>,
    ) -> Result<(), LineError> {
        let is_san = |byte: u8| byte.is_ascii_alphanumeric() || b"+#=-@".contains(&byte);
        if san.is_empty() || !san.bytes().all(is_san) {
            return Err(LineError::NotSan(index + 1, san.to_owned()));
        }
        let half = index + usize::from(self.is_black);
        let number = self.first.saturating_add(half / 2);
        if half.is_multiple_of(2) {
            pgn.extend_from_slice(format!("{number}. ").as_bytes());
        } else if is_commented {
            pgn.extend_from_slice(format!("{number}... ").as_bytes());
        }
        pgn.extend_from_slice(san.as_bytes());
        pgn.push(b' ');
        Ok(())
    }
}

/// Appends the moves, with clocks and evaluations as comments.
fn push_moves(game: &Value, fen: &str, pgn: &mut Vec<u8>) -> Result<(), LineError> {
    let numbers = Numbers::of(fen);
    let moves = game["moves"].as_str().unwrap_or_default().split_ascii_whitespace();
    let mut is_commented = true;
    for (i, san) in moves.enumerate() {
        numbers.push_move(i, san, is_commented, pgn)?;
        let eval = &game["analysis"][i];
        let eval = match (eval["mate"].as_i64(), eval["eval"].as_i64()) {
            (Some(mate), _) => format!("[%eval #{mate}] "),
            (None, Some(cp)) => {
                let sign = if cp < 0 { "-" } else { "" };
                let cp = cp.unsigned_abs();
                format!("[%eval {sign}{}.{:02}] ", cp / 100, cp % 100)
            }
            (None, None) => String::new(),
        };
        let clock = game["clocks"][i].as_u64().map(|centis| {
            let (seconds, rest) = (centis / 100, centis % 100);
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let clock = format!("[%clk {hours}:{minutes:02}:{:02}", seconds % 60);
            if rest == 0 { clock + "] " } else { format!("{clock}.{rest:02}] ") }
        });
        let comment = eval + &clock.unwrap_or_default();
        is_commented = !comment.is_empty();
        if is_commented {
            pgn.extend_from_slice(format!("{{ {comment}}} ").as_bytes());
        }
    }
    Ok(())
}

/// Result of a game. Draws have no winner, and neither have games that were not finished.
fn result(winner: Option<&str>, status: &str) -> &'static str {
    match (winner, status) {
        (Some("white"), _) => "1-0",
        (Some("black"), _) => "0-1",
        (_, "draw" | "stalemate" | "outoftime" | "timeout" | "insufficientMaterialClaim") => {
            "1/2-1/2"
        }
        _ => "*",
    }
}

/// Termination as in the PGN of Lichess.
fn termination(status: &str) -> &str {
    match status {
        "created" | "started" => "Unterminated",
        "aborted" | "noStart" => "Abandoned",
        "timeout" | "outoftime" => "Time forfeit",
        "mate" | "resign" | "draw" | "stalemate" | "variantEnd" | "insufficientMaterialClaim" => {
            "Normal"
        }
        "cheat" => "Rules infraction",
        "unknownFinish" => "Unknown",
        other => other,
    }
}

/// Variant as in the PGN of Lichess.
fn variant(name: &str) -> String {
    match name {
        "kingOfTheHill" => "King of the Hill".to_owned(),
        "racingKings" => "Racing Kings".to_owned(),
        "threeCheck" => "Three-check".to_owned(),
        "fromPosition" => "From Position".to_owned(),
        other => {
            let mut letters = other.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> String {
    value.as_u64().map(|number| number.to_string()).unwrap_or_default()
}

/// Date of a number of days since 1970.
pub(super) fn day(days: i64) -> String {
    // Years begin in March, so that a leap day is the last of its year.
    let day = u64::try_from(days.saturating_add(719_468)).unwrap_or(0);
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// Time of day of a number of seconds.
pub(super) fn time(seconds: i64) -> String {
    let second = seconds.rem_euclid(86_400);
    format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<&str, &str>) {
        let mut pgn = Vec::new();
        let outcome = JsonGames.write_pgn(line.as_bytes(), &mut pgn);
        let pgn = String::from_utf8(pgn).expect("text");
        match (outcome, expected) {
            (Ok(()), Ok(expected)) => assert_eq!(pgn, expected),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (outcome, _) => panic!("{line}: {outcome:?}"),
        }
    }

    #[test]
    fn games_of_lichess_become_pgn() {
        check(
            r##"{"id":"q7ZvsdUF","rated":true,"variant":"standard","speed":"blitz","perf":"blitz",
            "createdAt":1514505150384,"lastMoveAt":1514505592843,"status":"draw","players":{
            "white":{"user":{"name":"Lance5500","title":"LM","id":"lance5500"},"rating":2389,
            "ratingDiff":4},"black":{"user":{"name":"A \"B\"","id":"b"},"rating":2498,
            "ratingDiff":-4}},"opening":{"eco":"D31","name":"Semi-Slav","ply":7},
            "moves":"d4 d5 c4","clocks":[18003,18003,17915,17627],
            "analysis":[{"eval":-5},{"eval":120},{"mate":-3}],"tournament":"abc",
            "clock":{"initial":180,"increment":2,"totalTime":260}}"##
                .replace('\n', " ")
                .as_str(),
            Ok("[Event \"Rated blitz game https://lichess.org/tournament/abc\"]\n\
                [Site \"https://lichess.org/q7ZvsdUF\"]\n\
                [Date \"2017.12.28\"]\n\
                [Round \"-\"]\n\
                [White \"Lance5500\"]\n\
                [Black \"A \\\"B\\\"\"]\n\
                [Result \"1/2-1/2\"]\n\
                [UTCDate \"2017.12.28\"]\n\
                [UTCTime \"23:52:30\"]\n\
                [WhiteElo \"2389\"]\n\
                [WhiteRatingDiff \"+4\"]\n\
                [WhiteTitle \"LM\"]\n\
                [BlackElo \"2498\"]\n\
                [BlackRatingDiff \"-4\"]\n\
                [Variant \"Standard\"]\n\
                [TimeControl \"180+2\"]\n\
                [ECO \"D31\"]\n\
                [Opening \"Semi-Slav\"]\n\
                [Termination \"Normal\"]\n\
                \n\
                1. d4 { [%eval -0.05] [%clk 0:03:00.03] } \
                1... d5 { [%eval 1.20] [%clk 0:03:00.03] } \
                2. c4 { [%eval #-3] [%clk 0:02:59.15] } 1/2-1/2\n"),
        );
        // Nobody has won an aborted game; the players have no names.
        check(
            r#"{"id":"x","variant":"fromPosition","status":"aborted","players":{"white":{},
            "black":{"aiLevel":3}},"initialFen":"4k3/8/8/8/8/8/8/R3K3 b Q - 0 12",
            "moves":"Kd7 O-O-O+ Kc6","daysPerTurn":3}"#
                .replace('\n', " ")
                .as_str(),
            Ok("[Event \"Casual game\"]\n\
                [Site \"https://lichess.org/x\"]\n\
                [Date \"????.??.??\"]\n\
                [Round \"-\"]\n\
                [White \"Anonymous\"]\n\
                [Black \"lichess AI level 3\"]\n\
                [Result \"*\"]\n\
                [Variant \"From Position\"]\n\
                [TimeControl \"1/259200\"]\n\
                [Termination \"Abandoned\"]\n\
                [SetUp \"1\"]\n\
                [FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 12\"]\n\
                \n\
                12... Kd7 13. O-O-O+ Kc6 *\n"),
        );
    }

    #[test]
    fn games_of_a_search_are_read_back() {
        check(
            r#"{"tags":{"White":"A \"B\"","Result":"0-1"},"result":"0-1","fen":"4k3/8/8/8/8/8/8/R3K3 b Q - 0 12","comment":"first","moves":["Kd7","O-O-O+"],"nags":[[6,1],null],"comments":[null,"a } b [%clk 0:01:00]"],"clocks":[null,60],"evals":[],"pgn":null}"#,
            Ok("[White \"A \\\"B\\\"\"]\n[Result \"0-1\"]\n[SetUp \"1\"]\n\
                [FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 12\"]\n\n\
                {first} 12... Kd7 $6 $1 13. O-O-O+ {a ) b [%clk 0:01:00]} 0-1\n"),
        );
        let pgn = r#"{"tags":{},"moves":["e4"],"pgn":"1. e4 (1. d4) *"}"#;
        check(pgn, Ok("1. e4 (1. d4) *\n"));
        assert!(is_game(pgn.as_bytes()));
        check(r#"{"moves":[]}"#, Ok("\n*\n"));
        check(r#"{"tags":{"A":1},"moves":[]}"#, Err("not JSON"));
        check(r#"{"tags":{"A]":"x"},"moves":[]}"#, Err("'A]' is not the name of a tag"));
        check(r#"{"moves":["e4 *"]}"#, Err("move 1 (e4 *)"));
        check(r#"{"moves":[7]}"#, Err("move 1 ()"));
        check(r#"{"tags":{},"moves":"e4"}"#, Err("neither"));
    }

    #[test]
    fn results_depend_on_winner_and_status() {
        assert_eq!(result(Some("white"), "resign"), "1-0");
        assert_eq!(result(Some("black"), "noStart"), "0-1");
        assert_eq!(result(None, "outoftime"), "1/2-1/2");
        for status in ["aborted", "noStart", "created", "started", "unknownFinish", ""] {
            assert_eq!(result(None, status), "*", "{status}");
        }
    }

    #[test]
    fn games_of_chess_com_keep_their_pgn() {
        check(
            r#"{"url":"https://www.chess.com/game/live/1","rules":"chess960","rated":true,
            "time_control":"180","initial_setup":"4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "white":{"rating":1200,"username":"a","result":"win"},
            "black":{"rating":1210,"username":"b","result":"timeout"},
            "pgn":"[White \"A\"]\n[Result \"1-0\"]\n\n1. Kd2 {[%clk 0:02:58.9]} 1-0\n"}"#
                .replace('\n', " ")
                .as_str(),
            Ok("[WhiteElo \"1200\"]\n\
                [Black \"b\"]\n\
                [BlackElo \"1210\"]\n\
                [TimeControl \"180\"]\n\
                [Link \"https://www.chess.com/game/live/1\"]\n\
                [Variant \"chess960\"]\n\
                [SetUp \"1\"]\n\
                [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\
                [White \"A\"]\n\
                [Result \"1-0\"]\n\
                \n\
                1. Kd2 {[%clk 0:02:58.9]} 1-0\n\n"),
        );
    }

    #[test]
    fn what_is_no_game_is_said() {
        check("{\"id\":", Err("the line is not JSON"));
        check("12", Err("neither a game of Lichess"));
        check("{\"url\":\"x\"}", Err("neither a game of Lichess"));
        check("{\"players\":{},\"moves\":\"e4 } e5\"}", Err("move 2 (})"));
        check(&"[".repeat(100_000), Err("the line is not JSON"));
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let check = |seconds: i64, expected: (&str, &str)| {
            let (day, time) = (day(seconds.div_euclid(86_400)), time(seconds));
            assert_eq!((day.as_str(), time.as_str()), expected);
        };
        check(0, ("1970.01.01", "00:00:00"));
        check(951_782_400, ("2000.02.29", "00:00:00"));
        check(951_868_799, ("2000.02.29", "23:59:59"));
        check(951_868_800, ("2000.03.01", "00:00:00"));
        check(1_735_689_599, ("2024.12.31", "23:59:59"));
        check(4_107_542_400, ("2100.03.01", "00:00:00"));
        check(-1, ("1969.12.31", "23:59:59"));
        check(-3_740_515_200, ("1851.06.21", "00:00:00"));
        day(i64::MAX);
        day(i64::MIN);
    }

    #[test]
    fn games_are_brought_to_lines() {
        /// Returns a few bytes at a time.
        struct Slow<'a>(&'a [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let n = self.1.min(buffer.len());
                self.0.read(&mut buffer[..n])
            }
        }
        let check = |text: &str, expected: &[&str], is_whole: bool| {
            let n_around = n_around(text.as_bytes()).expect(text);
            for step in [1, 2, 7, 4096] {
                let mut found = Vec::new();
                let outcome =
                    JsonLines::new(Slow(text.as_bytes(), step), n_around).read_to_end(&mut found);
                assert_eq!(outcome.is_ok(), is_whole, "{text}");
                let found = String::from_utf8(found).expect("text");
                let lines = found.lines().filter(|line| !line.is_empty());
                assert_eq!(lines.collect::<Vec<_>>(), expected, "{text}");
            }
        };
        check("{\"games\":[]}", &[], true);
        check(
            "{ \"games\" : [\n {\"a\\\"]\": [1,{\"b\":2}]\n},{\"c\":\"}\\\\\"},7],\"more\":[{}]}",
            &["{\"a\\\"]\": [1,{\"b\":2}] }", "{\"c\":\"}\\\\\"}", "7", "{}"],
            true,
        );
        check("[{\"a\":1},\n{\"b\":2}]\n", &["{\"a\":1}", "{\"b\":2}"], true);
        check("[{\"a\":1},{\"b\"", &["{\"a\":1}", "{\"b\""], false);
        check(
            "{\n  \"pgn\": \"\"\n}\n{\r\n  \"b\": 2\n}",
            &["{   \"pgn\": \"\" }", "{    \"b\": 2 }"],
            true,
        );
        for text in ["", "[Event \"{\"]", "{\"id\":1,\"players\":{}}\n{", "{\n\"a\": 1}", "{a}"] {
            assert_eq!(n_around(text.as_bytes()), None, "{text}");
        }
    }
}
