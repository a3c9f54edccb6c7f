//! The messages of the protocol: JSON after a header that contains the length.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

use crate::command::message::Message;

/// Maximum length of a message in bytes; a query has at most ten million.
const LARGEST: usize = 100_000_000;

/// Maximum length of a line in a header; a longer one is read in parts.
const LONGEST_LINE: u64 = 1000;

/// Error codes of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    ParseError = -32700,
    ServerNotInitialized = -32002,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    RequestCancelled = -32800,
    RequestFailed = -32803,
}

/// The error for a message that cannot be understood.
#[derive(Debug, PartialEq)]
pub(super) struct ResponseError {
    /// The ID of the request; null if it has none or is unreadable.
    pub(super) id: Value,
    pub(super) code: ErrorCode,
    /// The reason.
    pub(super) message: String,
}

/// A message from the client, or the error to answer with.
pub(super) type Incoming = Result<Message, ResponseError>;

fn refused<T>(id: Value, code: ErrorCode, message: impl Into<String>) -> Result<T, ResponseError> {
    let message = message.into();
    Err(ResponseError { id, code, message })
}

/// Reads the messages of a client.
pub(super) struct Reader<R> {
    input: R,
    /// Whether the start of the next message is unknown, and the client has been informed.
    is_lost: bool,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R) -> Reader<R> {
        let is_lost = false;
        Reader { input, is_lost }
    }

    /// Returns the next message; `None` at the end of the input. After a header without a valid
    /// length, the next message begins at the next `Content-Length`, anywhere in a line.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or ends within a message.
    pub(super) fn read(&mut self) -> io::Result<Option<Incoming>> {
        loop {
            let length = match self.header()? {
                None => return Ok(None),
                Some(Ok(length)) => length,
                Some(Err(_)) if self.is_lost => continue,
                Some(Err(why)) => {
                    self.is_lost = true;
                    return Ok(Some(refused(Value::Null, ErrorCode::InvalidRequest, why)));
                }
            };
            self.is_lost = false;
            let mut bytes = Vec::new();
            // memory is allocated for the bytes that arrive, not for the announced length
            let n = (&mut self.input).take(length as u64).read_to_end(&mut bytes)?;
            if n < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            return Ok(Some(understood(&bytes)));
        }
    }

    /// Reads a header. Returns the length of the message or an error text; `None` at the end of the
    /// input.
    fn header(&mut self) -> io::Result<Option<Result<usize, &'static str>>> {
        let mut length = None;
        // A line that is too long is read in parts; the last of them may be empty.
        let mut is_whole = true;
        loop {
            let mut line = Vec::new();
            let input = &mut self.input;
            if input.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let begins = is_whole;
            is_whole = line.last() == Some(&b'\n');
            let line = line.trim_ascii_end();
            if let Some(value) = length_in(line) {
                length = Some(value);
            } else if line.is_empty() && begins {
                break;
            }
        }
        Ok(Some(match length {
            None => Err("expected a header with a `Content-Length`"),
            Some(None) => Err("expected a number as `Content-Length`"),
            Some(Some(length)) if length > LARGEST => Err("the message is larger than 100 MB"),
            Some(Some(length)) => Ok(length),
        }))
    }
}

/// Returns the value of a `Content-Length` in a line; `Some(None)` if it is not a number. If a
/// message is longer than its header says, its rest may precede the name on the line.
fn length_in(line: &[u8]) -> Option<Option<usize>> {
    const NAME: &[u8] = b"content-length";
    let is_name = |part: &[u8]| part.eq_ignore_ascii_case(NAME);
    let start = line.windows(NAME.len()).rposition(is_name)?;
    let value = line[start + NAME.len()..].trim_ascii_start();
    let value = std::str::from_utf8(value.strip_prefix(b":")?).ok();
    Some(value.and_then(|value| value.trim().parse().ok()))
}

fn understood(bytes: &[u8]) -> Incoming {
    let parsed = serde_json::from_slice(bytes);
    match parsed.or_else(|error| serde_json::from_slice(&mended(bytes)).map_err(|_| error)) {
        Ok(value) => message(value),
        Err(error) => {
            let message = format!("not valid JSON: {error}");
            refused(Value::Null, ErrorCode::ParseError, message)
        }
    }
}

/// Replaces each unpaired surrogate by U+FFFD. Editors that count in UTF-16 send one while a
/// character is being typed. If the server ignored that change, its text would differ from theirs.
fn mended(json: &[u8]) -> Vec<u8> {
    let half = |at: usize| -> Option<u16> {
        let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let unit = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        (0xd800..0xe000).contains(&unit).then_some(unit)
    };
    let mut out = json.to_vec();
    let mut at = 0;
    while at < json.len() {
        at += match (json[at], half(at)) {
            (b'\\', Some(0xd800..0xdc00)) if half(at + 6).is_some_and(|unit| unit >= 0xdc00) => 12,
            (b'\\', Some(_)) => {
                out[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            (b'\\', None) => 2,
            _ => 1,
        };
    }
    out
}

fn message(mut value: Value) -> Incoming {
    let invalid = |id: Value, what: &str| refused(id, ErrorCode::InvalidRequest, what);
    if value.is_array() {
        return invalid(Value::Null, "this protocol has no batches of messages");
    }
    if !value.is_object() {
        return invalid(Value::Null, "expected an object as message");
    }
    let id = match value.get("id") {
        None => None,
        Some(id @ (Value::String(_) | Value::Number(_))) => Some(id.clone()),
        // a client that could not understand a message answers like this
        Some(Value::Null) if value.get("method").is_none() => None,
        Some(_) => return invalid(Value::Null, "expected a string or a number as id"),
    };
    let params = value["params"].take();
    match value.get("method") {
        Some(Value::String(method)) => Ok(Message::of(method.clone(), params, id.as_ref())),
        Some(_) => invalid(id.unwrap_or_default(), "expected a string as method"),
        None if value.get("result").is_some() || value.get("error").is_some() => {
            Ok(Message::Response)
        }
        None => invalid(id.unwrap_or_default(), "expected a request with a method"),
    }
}

/// Writes a message.
pub(super) fn write(out: &mut impl Write, message: &str) -> io::Result<()> {
    let head = format!("Content-Length: {}\r\n\r\n", message.len());
    out.write_all(head.as_bytes())?;
    out.write_all(message.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> Vec<String> {
        let mut reader = Reader::new(bytes);
        let mut found = Vec::new();
        loop {
            found.push(match reader.read() {
                Ok(Some(Ok(Message::Request { id, method, .. }))) => format!("{method} {id}"),
                Ok(Some(Ok(Message::Notification { method, params }))) if params.is_null() => {
                    method
                }
                Ok(Some(Ok(Message::Notification { method, params }))) => {
                    format!("{method} {params}")
                }
                Ok(Some(Ok(Message::Response))) => "response".to_owned(),
                Ok(Some(Err(ResponseError { id, code, .. }))) => format!("{} {id}", code as i32),
                Ok(None) => return found,
                Err(error) => {
                    found.push(error.kind().to_string());
                    return found;
                }
            });
        }
    }

    fn framed(text: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    }

    #[test]
    fn messages_have_headers() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(read_all(text.as_bytes()), expected, "{text}")
        };
        check("", &[]);
        let all = framed("{\"id\":1,\"method\":\"a\"}")
            + &framed("{\"method\":\"♔\"}")
            + &framed("{\"id\":1,\"result\":null}");
        check(&all, &["a 1", "♔", "response"]);
        let other = "content-type: x\ncontent-length :  10\n\n{\"error\":7}";
        check(&other.replace("10", "11"), &["response"]);
        check("Content-Length: 3\r\n\r\n{}", &["unexpected end of file"]);
    }

    #[test]
    fn what_is_no_message_is_refused_and_the_next_one_is_read() {
        let next = framed("{\"method\":\"next\"}");
        let check = |bytes: &[u8], expected: &str| {
            let all = [bytes, next.as_bytes()].concat();
            let shown = String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(read_all(&all), [expected, "next"], "{shown}");
        };
        for body in ["{", "[}", "not JSON", "", "\"\\uD8\"", "{\"method\":\"\u{1}\"}"] {
            check(framed(body).as_bytes(), "-32700 null");
        }
        let deep = "[".repeat(100_000);
        check(framed(&deep).as_bytes(), "-32700 null");
        check(b"Content-Length: 4\r\n\r\n\"\xff\xfe\"", "-32700 null");
        for body in [
            "{}",
            "7",
            "null",
            "[]",
            "[{\"id\":1,\"method\":\"a\"}]",
            "{\"method\":2}",
            "{\"id\":{},\"method\":\"a\"}",
            "{\"id\":null,\"method\":\"a\"}",
        ] {
            check(framed(body).as_bytes(), "-32600 null");
        }
        check(framed("{\"id\":\"x\"}").as_bytes(), "-32600 \"x\"");
        check(framed("{\"id\":1,\"method\":[]}").as_bytes(), "-32600 1");
        // the message after such a header is not one, however many lines it has
        for header in [
            "",
            "Content-Length: x",
            "Content-Length: -1",
            "Content-Length: 99999999999",
            "Content-Length: 99999999999999999999999999",
            "Content-Lengt: 2",
            "\u{fffd}",
        ] {
            for body in ["", "{}", "{\r\n\r\n}\n\n\n", "{}\n"] {
                let text = format!("{header}\r\n\r\n{body}");
                check(text.as_bytes(), "-32600 null");
            }
        }
        check(&[&[b'x'; 5000], "\r\n\r\n".as_bytes()].concat(), "-32600 null");
        let long_line = format!("X: {}\r\n{next}", "x".repeat(LONGEST_LINE as usize - 3));
        assert_eq!(read_all(long_line.as_bytes()), ["next"]);
        // a message that is shorter or longer than its header says
        let found = read_all(format!("Content-Length: 5\r\n\r\n{{\"a\":1}}{next}").as_bytes());
        assert_eq!(found, ["-32700 null", "next"]);
        let found = read_all(format!("Content-Length: 9\r\n\r\n{{}}{next}{next}").as_bytes());
        assert_eq!(found, ["-32700 null", "-32600 null", "next"]);
    }

    #[test]
    fn half_a_surrogate_is_replaced() {
        for (text, expected) in [
            (r"\ud800", "\u{fffd}"),
            (r"\uDFFF!", "\u{fffd}!"),
            (r"\ud83d\ude00\ud83d", "😀\u{fffd}"),
            (r"\ud83d\ud83d\ude00", "\u{fffd}😀"),
            (r"\\ud800\ud800\n", "\\ud800\u{fffd}\n"),
            (r"\ud800\u0041", "\u{fffd}A"),
        ] {
            let message = format!("{{\"method\":\"a\",\"params\":\"{text}\"}}");
            let expected = format!("a {}", Value::from(expected));
            assert_eq!(read_all(framed(&message).as_bytes()), [expected], "{text}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, "{\"method\":\"♔\"}").expect("written");
        let text = String::from_utf8(bytes).expect("a text");
        assert_eq!(read_all(text.as_bytes()), ["♔"]);
    }
}
