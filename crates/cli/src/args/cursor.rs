//! Reads the arguments of a search one after the other.
//!
//! An option is written with one dash or two, in any case of letters. Its value is the next
//! argument, or follows `=` in the same one.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::fault::{Parsed, fault, shown};
use super::names::{is_named_file, is_pgn_name, is_query_file};
use super::remarks::{Given, Unread, read_between};
use crate::failure::in_digits;
use crate::output::ByName;
use crate::report::is_query;
use crate::subcommands::Subcommands;
use crate::wished;

/// Arguments that have not been read yet.
pub(super) struct Cursor<'a> {
    rest: &'a [OsString],
    /// The value after `=` of the current option, until it is read.
    attached: Option<&'a OsStr>,
    /// The current option as it was typed.
    pub(super) option: String,
    /// Options about the output.
    pub(super) outputs: ByName,
    /// The options so far.
    pub(super) given: Vec<Given<'a>>,
    pub(super) subcommands: Subcommands,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(arguments: &'a [OsString], subcommands: Subcommands) -> Cursor<'a> {
        Cursor {
            rest: arguments,
            attached: None,
            option: String::new(),
            outputs: ByName::default(),
            given: Vec::new(),
            subcommands,
        }
    }

    /// Returns the name of the next option, without dashes and in lower case.
    pub(super) fn peek_option(&self) -> Option<String> {
        option_name(self.rest.first()?)
    }

    /// Whether one of the arguments that have not been read looks like the option with this name.
    pub(super) fn has_option(&self, name: &str) -> bool {
        let mut rest = self.rest.iter().take_while(|argument| !ends_options(argument));
        rest.any(|argument| option_name(argument).is_some_and(|option| option == name))
    }

    /// Returns the value of the first argument that looks like the option with this name: what
    /// follows its `=`, or the next argument.
    pub(super) fn value_of(&self, name: &str) -> Option<&'a OsStr> {
        let is_it =
            |argument: &OsString| option_name(argument).is_some_and(|option| option == name);
        let at = self.rest.iter().position(is_it)?;
        let attached = split_option(&self.rest[at]).and_then(|(_, value)| value);
        attached.or_else(|| self.rest.get(at + 1).map(OsString::as_os_str))
    }

    /// Makes the next option the current one.
    pub(super) fn advance(&mut self) {
        if let Some((option, value)) = self.rest.first().and_then(|next| split_option(next)) {
            self.option = option.to_owned();
            self.attached = value;
            self.rest = &self.rest[1..];
        }
    }

    /// Returns the arguments that have not been read.
    pub(super) fn unread(&self) -> Unread<'a> {
        (self.attached, self.rest)
    }

    /// Records the current option, whose first spelling is `name`, with the values that were read
    /// after `unread`.
    pub(super) fn note(&mut self, name: &'static str, replaces: bool, unread: Unread<'a>) {
        let values = read_between(unread, self.unread());
        self.given.push(Given { typed: self.option.clone(), name, replaces, values });
    }

    /// Ends the current option. Fails if a value after `=` has not been read.
    pub(super) fn finish_option(&mut self) -> Parsed<()> {
        match self.attached.take() {
            Some(value) => {
                fault(format!("{} does not accept the value {}", self.option, shown(value)))
            }
            None => Ok(()),
        }
    }

    /// Whether the next argument ends the options, so that all others are names.
    pub(super) fn ends_options(&self) -> bool {
        self.rest.first().is_some_and(|next| ends_options(next))
    }

    /// Returns all arguments after the one that ends the options.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = &'a OsStr> + use<'a> {
        let all = self.rest.iter().skip(1).map(OsString::as_os_str);
        self.rest = &[];
        all
    }

    /// Returns the next value or argument without consuming it.
    pub(super) fn peek(&self) -> Option<&'a OsStr> {
        let next = || self.rest.first().map(OsString::as_os_str);
        self.attached.or_else(next)
    }

    /// Returns the next value or argument and consumes it.
    pub(super) fn take(&mut self) -> Option<&'a OsStr> {
        let next = self.peek()?;
        if self.attached.take().is_none() {
            self.rest = &self.rest[1..];
        }
        Some(next)
    }

    /// Reads the value of the current option; `what` describes it in the error message.
    pub(super) fn value(&mut self, what: &str) -> Parsed<&'a OsStr> {
        match self.take() {
            Some(value) => Ok(value),
            None => fault(format!("{} needs {what}", self.option)),
        }
    }

    /// Whether the current option has no value: the next argument is another option, or there is
    /// none.
    pub(super) fn lacks_value(&self, is_option: fn(&str) -> bool) -> bool {
        let is_next = || self.peek_option().is_some_and(|name| is_option(&name));
        self.peek().is_none() || self.attached.is_none() && is_next()
    }

    /// Reads the value of the current option as bytes.
    pub(super) fn bytes(&mut self, what: &str) -> Parsed<Vec<u8>> {
        Ok(self.value(what)?.as_encoded_bytes().to_vec())
    }

    /// Reads a query. Fails if the shell has divided it, since the rest would be taken for games.
    pub(super) fn query(&mut self, is_option: fn(&str) -> bool) -> Parsed<Vec<u8>> {
        let first = self.value("a query")?;
        if is_query_file(first) {
            let file = shown(first);
            let is_there = Path::new(first).exists();
            return fault(if is_there {
                format!("{file} is a file: leave out {} before it", self.option)
            } else {
                format!(
                    "{} needs a query, and {file} is the name of a file that does not exist",
                    self.option
                )
            });
        }
        let is_other = |next: &OsString| {
            *next == "-"
                || is_named_file(next)
                || option_name(next).is_some_and(|name| is_option(&name))
        };
        let rest = self.rest.iter().take_while(|next| !is_other(next));
        let mut words = vec![first.to_string_lossy()];
        words.extend(rest.map(|word| word.to_string_lossy()));
        let is_divided = words.len() > 1;
        if let Some(whole) = is_divided.then(|| divided(&words)).flatten() {
            let quote = if whole.contains('\'') { '"' } else { '\'' };
            return fault(format!(
                "{} has one value: put the query in quotes, as in {} {quote}{whole}{quote}",
                self.option, self.option
            ));
        }
        Ok(first.as_encoded_bytes().to_vec())
    }

    /// Consumes the next argument if it is one of these words, in any case of letters.
    pub(super) fn take_word(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let next = self.peek()?.to_str()?;
        let word = words.iter().find(|word| word.eq_ignore_ascii_case(next))?;
        self.take();
        Some(word)
    }

    /// Returns the bytes of a value that a string literal can hold.
    pub(super) fn unquoted(&self, value: &'a OsStr) -> Parsed<&'a [u8]> {
        if value.as_encoded_bytes().contains(&b'"') {
            return fault(format!(
                "the value of {} cannot contain a double quote: {}",
                self.option,
                shown(value)
            ));
        }
        Ok(value.as_encoded_bytes())
    }

    pub(super) fn quoted(&mut self, prefix: &str, what: &str) -> Parsed<Vec<u8>> {
        let value = self.value(what)?;
        Ok(quote(prefix, self.unquoted(value)?))
    }

    pub(super) fn pgn_file(&self, file: &OsStr) -> Parsed<PathBuf> {
        if is_pgn_name(file.as_encoded_bytes()) {
            Ok(PathBuf::from(file))
        } else {
            fault(format!(
                "{} needs a file name that ends in .pgn, not {}",
                self.option,
                shown(file)
            ))
        }
    }

    pub(super) fn number(&mut self, min: i32, max: i32) -> Parsed<i32> {
        let value = self.value("a number")?;
        let range = if max == i32::MAX {
            format!("of at least {min}")
        } else {
            format!("from {min} to {max}")
        };
        let number = decimal(value).filter(|n| (min..=max).contains(n));
        number.ok_or_else(|| self.no_number(&range, value))
    }

    /// Reads a number of at least 0 as a size.
    pub(super) fn size(&mut self, min: i32, max: i32) -> Parsed<usize> {
        Ok(self.number(min, max)? as usize)
    }

    /// Reads a number of at least 1 that may exceed 32 bits.
    pub(super) fn large_number(&mut self) -> Parsed<u64> {
        let value = self.value("a number")?;
        let number = decimal::<u64>(value).filter(|&n| n >= 1);
        number.ok_or_else(|| self.no_number(&format!("from 1 to {}", u64::MAX), value))
    }

    /// Returns the message about a value that is no number of a range.
    fn no_number(&self, range: &str, value: &OsStr) -> String {
        let instead = in_digits(&value.to_string_lossy());
        format!("{} needs a whole number {range}, not {}{instead}", self.option, shown(value))
    }

    /// Reads one of the words of `T`.
    pub(super) fn choice<T: ValueEnum>(&mut self) -> Parsed<T> {
        let value = self.value("a word")?;
        T::from_str(&value.to_string_lossy(), true).map_err(|_| {
            let names = T::value_variants().iter().filter_map(T::to_possible_value);
            let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
            let message =
                format!("{} needs {}, not {}", self.option, names.join(" or "), shown(value));
            // as in `-color white`
            let is_side = value == "white" || value == "black";
            let instead = is_side.then(|| wished::for_option(self.option.trim_start_matches('-')));
            match instead.flatten() {
                Some(instead) => format!("{message}; {instead}"),
                None => message,
            }
        })
    }

    /// Reads `N [M]`, both at least `min`; `M` is `N` if it is missing.
    pub(super) fn range(&mut self, min: i32) -> Parsed<(i32, i32)> {
        let (low, high) = self.open_range(min)?;
        Ok((low, high.unwrap_or(low)))
    }

    /// Reads `N [M]` or `N-M`, both at least `min`. The next argument is taken for `M` if it is such
    /// a number.
    pub(super) fn open_range(&mut self, min: i32) -> Parsed<(i32, Option<i32>)> {
        let is_enough = |n: &i32| *n >= min;
        let (low, high) = match self.peek().and_then(span).filter(|(low, _)| is_enough(low)) {
            Some((low, high)) => (low, Some(high)),
            None => {
                let low = self.number(min, i32::MAX)?;
                (low, self.peek().and_then(decimal).filter(is_enough))
            }
        };
        let Some(high) = high else {
            return Ok((low, None));
        };
        self.take();
        if low > high {
            return fault(format!("{}: {low} is greater than {high}", self.option));
        }
        Ok((low, Some(high)))
    }
}

/// Returns the query that words make, in which some may lack quotes of their own: `player Carlsen`.
fn divided(words: &[Cow<'_, str>]) -> Option<String> {
    const MOST: usize = 8;
    let whole = words.join(" ");
    if is_query(&whole) {
        return Some(whole);
    }
    let n = words.len();
    let ranges = (1..n).flat_map(|first| (first..n).map(move |last| (first, last)));
    let mut quoted = ranges.filter(|_| n <= MOST).map(|(first, last)| {
        let name = format!("\"{}\"", words[first..=last].join(" "));
        [&words[..first].join(" "), &name, &words[last + 1..].join(" ")]
            .map(|part| part.trim())
            .join(" ")
    });
    quoted.find(|query| is_query(query)).map(|query| query.trim_end().to_owned())
}

fn ends_options(argument: &OsStr) -> bool {
    argument.is_empty() || argument == "--"
}

/// Returns the option of an argument, with its dashes, and the value after its `=`. A lone dash is
/// no option but standard input.
fn split_option(argument: &OsStr) -> Option<(&str, Option<&OsStr>)> {
    let text = argument.to_str()?;
    if !text.starts_with('-') || text == "-" || text == "--" {
        return None;
    }
    Some(match text.split_once('=') {
        Some((option, value)) => (option, Some(OsStr::new(value))),
        None => (text, None),
    })
}

/// Returns the name of the option of an argument, without dashes and in lower case.
fn option_name(argument: &OsStr) -> Option<String> {
    let name = split_option(argument)?.0.strip_prefix('-')?;
    Some(name.strip_prefix('-').unwrap_or(name).to_ascii_lowercase())
}

/// Returns `PREFIX"VALUE"`.
pub(super) fn quote(prefix: &str, value: &[u8]) -> Vec<u8> {
    [prefix.as_bytes(), b"\"", value, b"\""].concat()
}

/// Parses `N-M`.
fn span(argument: &OsStr) -> Option<(i32, i32)> {
    let (low, high) = argument.to_str()?.split_once('-')?;
    Some((decimal(OsStr::new(low))?, decimal(OsStr::new(high))?))
}

/// Parses a number that consists of digits only.
fn decimal<T: std::str::FromStr>(argument: &OsStr) -> Option<T> {
    let text = argument.to_str()?;
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}
