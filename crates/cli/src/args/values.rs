//! Reads the values of options that are more than a number or a word.

use std::ffi::OsStr;
use std::fmt::Display;
use std::path::PathBuf;

use engine::Openings;
use input::{InputFormat, TextEncoding};
use syntax::Dialect;
use syntax::tree::CommentLevel;

use super::cursor::{Cursor, quote};
use super::fault::{Parsed, fault, shown};
use super::names::{games_name, query_name};
use super::{Command, Options, hhdb, is_option};

/// Sets an option to a value, unless reading it failed.
pub(super) fn put<T>(option: &mut T, value: Parsed<T>) -> Parsed<()> {
    *option = value?;
    Ok(())
}

pub(super) fn input(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    let file = cursor.value("a file of games")?;
    options.inputs.push(games_name(file, &cursor.option)?);
    Ok(())
}

pub(super) fn output(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    if cursor.lacks_value(is_option) {
        return fault(format!("{0} needs a file: {0} games.pgn", cursor.option));
    }
    let file = cursor.value("a file")?;
    if options.outputs.output.is_some() {
        return fault("more than one output file is given on the command line");
    }
    options.outputs.output = Some(PathBuf::from(file));
    Ok(())
}

pub(super) fn player(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    let name = player_name(cursor)?;
    if options.compile.player.is_some() {
        return fault(
            "-player can be given only once; for games between two players, write -white A -black \
             B, or -cql 'player \"A\" player \"B\"' with either color",
        );
    }
    options.compile.player = Some(name.as_encoded_bytes().to_vec());
    Ok(())
}

/// Reads the name of the player with a color as a filter.
pub(super) fn player_with(cursor: &mut Cursor<'_>, color: &str) -> Parsed<Vec<u8>> {
    let name = player_name(cursor)?;
    let name = cursor.unquoted(name)?;
    // A part of a name is found without a regular expression, and before the moves are read.
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b" ,-'".contains(b);
    let sign = if !name.is_empty() && name.iter().all(is_plain) { "" } else { "~~ " };
    Ok(quote(&format!("player {color} {sign}"), name))
}

/// Reads the name of a player, a regular expression. Another option is no name, as in
/// `-player NAME -white -cql mate`.
fn player_name<'a>(cursor: &mut Cursor<'a>) -> Parsed<&'a OsStr> {
    if cursor.lacks_value(is_option) {
        return fault(format!(
            "{} needs the name of a player: -player NAME with either color, or -white NAME or \
             -black NAME in place of it",
            cursor.option
        ));
    }
    cursor.value("a regular expression")
}

/// Reads a query.
pub(super) fn query(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    cursor.query(is_option)
}

/// Reads a regular expression.
pub(super) fn pattern(cursor: &mut Cursor<'_>) -> Parsed<Option<Vec<u8>>> {
    cursor.bytes("a regular expression").map(Some)
}

/// Reads `-year N [M]`. A month or a day is for `date`.
pub(super) fn year(cursor: &mut Cursor<'_>) -> Parsed<Option<(i32, i32)>> {
    if let Some(date) = cursor.peek().and_then(date) {
        return fault(format!(
            "{} needs a year, or two: for a month or a day, write -cql 'date \"{date}\"'",
            cursor.option
        ));
    }
    cursor.range(1).map(Some)
}

/// Returns the date of `2020-06`, `2020.06` or `2020/06/01` as a tag has it; `None` for a year.
fn date(value: &OsStr) -> Option<String> {
    let date = value.to_str()?.replace(['-', '/'], ".");
    let mut parts = date.split('.');
    let has_digits =
        |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    let is_year = has_digits(parts.next()?, 4);
    let rest: Vec<&str> = parts.collect();
    let is_date = is_year && matches!(rest.len(), 1 | 2);
    (is_date && rest.iter().all(|part| has_digits(part, 2))).then_some(date)
}

pub(super) fn virtual_main_line(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    options.compile.variations = Some(true);
    options.add_filter(cursor, b"virtualmainline".to_vec());
    Ok(())
}

pub(super) fn line_increment(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    options.line_increment = cursor.number(1, i32::MAX)? as u64;
    options.progress = Some(true);
    Ok(())
}

pub(super) fn allow_write(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    let directory = PathBuf::from(cursor.value("a directory")?);
    options.file_rules.allow_write.push(directory);
    Ok(())
}

pub(super) fn variant_alias(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    let value = cursor.value("NAME=VARIANT")?.to_string_lossy();
    let (name, variant) = value
        .split_once('=')
        .ok_or_else(|| format!("{} needs NAME=VARIANT, not '{value}'", cursor.option))?;
    let added = options.compile.variants.add(name.as_bytes(), variant.as_bytes());
    added.map_err(|error| error.to_string())
}

pub(super) fn openings(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<()> {
    let path = PathBuf::from(cursor.value("a file")?);
    let of_file = |why: &dyn Display| format!("{} {}: {why}", cursor.option, path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| of_file(&error))?;
    options.compile.openings = Openings::parse(&text).map_err(|error| of_file(&error))?;
    Ok(())
}

/// Reads the result of a game as a filter.
pub(super) fn result(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let value = cursor.value("a result")?;
    match value.as_encoded_bytes() {
        result @ (b"1-0" | b"0-1" | b"1/2-1/2" | b"*") => Ok(quote("result ", result)),
        _ => fault(format!("-result needs 1-0, 0-1, 1/2-1/2 or *, not {}", shown(value))),
    }
}

/// Returns the number of `2700+`, `>2700` or `>=2700`.
fn least(value: &OsStr) -> Option<&str> {
    let value = value.to_str()?;
    let number = value.trim_start_matches(['>', '=']).trim_end_matches('+').trim();
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && number.len() < value.len()).then_some(number)
}

/// Reads `-elo N [M]` as filters about both ratings.
pub(super) fn elo(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    if let Some(least) = cursor.peek().and_then(least) {
        return fault(format!(
            "{option} {least} means at least {least}, without a sign, and {option} N M a range",
            option = cursor.option
        ));
    }
    let (low, high) = cursor.open_range(1)?;
    let of = |color: &str| match high {
        None => format!("elo {color} >= {low}"),
        Some(high) => format!("elo {color} >= {low} elo {color} <= {high}"),
    };
    Ok(format!("{} {}", of("white"), of("black")).into_bytes())
}

/// Reads `-similarposition [nosort] [notransform] FILE.pgn` as a filter.
pub(super) fn similar_position(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let mut text = "similarposition ".to_owned();
    while let Some(word) = cursor.take_word(&["nosort", "notransform"]) {
        text += word;
        text.push(' ');
    }
    let file = cursor.value("a PGN file")?;
    cursor.pgn_file(file)?;
    Ok(quote(&text, cursor.unquoted(file)?))
}

/// Reads keywords of `-hhdb` as filters, or its request for help.
pub(super) fn hhdb(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<Option<Command>> {
    if cursor.take_word(&["help", "info"]).is_some() {
        return Ok(Some(Command::HhdbHelp));
    }
    let text = hhdb::filters(cursor)?;
    options.add_filter(cursor, text);
    Ok(None)
}

/// Reads the name of an encoding; `None` for `auto`.
pub(super) fn encoding(cursor: &mut Cursor<'_>) -> Parsed<Option<TextEncoding>> {
    let value = cursor.value("the name of an encoding")?;
    let encoding = TextEncoding::from_option(&value.to_string_lossy());
    encoding.map_err(|message| format!("{}: {message}", cursor.option))
}

/// Reads the name of an input format; `None` for `auto`.
pub(super) fn input_format(cursor: &mut Cursor<'_>) -> Parsed<Option<InputFormat>> {
    let value = cursor.value("the name of a format")?;
    if value.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    let format = InputFormat::from_option(&value.to_string_lossy()).map(Some);
    format.map_err(|message| format!("{}: {message}, or auto, not {}", cursor.option, shown(value)))
}

pub(super) fn set_level(options: &mut Options, level: CommentLevel) -> Parsed<()> {
    if options.compile.level.is_some() {
        return fault("only one of -quiet and -silent can be given, and only once");
    }
    options.compile.level = Some(level);
    Ok(())
}

/// Reads the name of a dialect; `None` for `auto`.
pub(super) fn dialect(cursor: &mut Cursor<'_>) -> Parsed<Option<Dialect>> {
    let value = cursor.value("the name of a dialect")?;
    let name = value.to_string_lossy().to_ascii_lowercase();
    match Dialect::from_name(&name) {
        Some(dialect) => Ok(Some(dialect)),
        None if name == "auto" => Ok(None),
        None => fault(format!("-dialect needs auto, cql6, cql5 or classic, not {}", shown(value))),
    }
}

/// Reads `-assign ID V` as the filter `ID=V`.
pub(super) fn assignment(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let name = cursor.value("the name of a variable")?;
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty() || !bytes.iter().all(|&b| b.is_ascii_alphanumeric() || b"_$".contains(&b)) {
        return fault(format!(
            "-assign needs the name of a variable (letters, digits, _ and $), not {}",
            shown(name)
        ));
    }
    let value = cursor.value("the value of a variable")?;
    let digits = value.as_encoded_bytes();
    let digits = digits.strip_prefix(b"-").unwrap_or(digits);
    let head = [bytes, b"="].concat();
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        Ok([&head, value.as_encoded_bytes()].concat())
    } else {
        Ok([&head, quote("", cursor.unquoted(value)?).as_slice()].concat())
    }
}

/// Reads the rest of `-a FILE` or `-u FILE`.
pub(super) fn respell(cursor: &mut Cursor<'_>, unicode: bool) -> Parsed<Command> {
    let file = query_name(cursor.value("a query file")?)?;
    Ok(Command::Respell { unicode, file })
}

/// Reads the rest of `-html FILE`.
pub(super) fn html(cursor: &mut Cursor<'_>) -> Parsed<Command> {
    let file = query_name(cursor.value("a query file")?)?;
    let force = force(cursor);
    Ok(Command::Html { file, force })
}

/// Reads the rest of `-utf8 FILE`.
pub(super) fn utf8(cursor: &mut Cursor<'_>) -> Parsed<Command> {
    let file = query_name(cursor.value("a query file")?)?;
    let output = match cursor.peek_option().as_deref() {
        Some("o" | "output") => {
            cursor.advance();
            Some(query_name(cursor.value("a query file to write")?)?)
        }
        Some(other) => {
            return fault(format!("-utf8 FILE can be followed only by -o, not by -{other}"));
        }
        None => None,
    };
    let force = force(cursor);
    if let Some(extra) = cursor.peek() {
        return fault(format!("-utf8 FILE can be followed only by -o: found {}", shown(extra)));
    }
    Ok(Command::Utf8 { file, output, force })
}

/// Consumes the next argument if it is `-force`. Returns whether it was.
fn force(cursor: &mut Cursor<'_>) -> bool {
    let is_next = cursor.peek_option().as_deref() == Some("force");
    if is_next {
        cursor.advance();
    }
    is_next
}
