//! The messages of the protocol: JSON behind a header that says how long it is.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

use crate::command::message::Message;

/// Larger messages are refused: a query has at most ten million bytes.
const LARGEST: usize = 100_000_000;

/// A header has no longer lines.
const LONGEST_LINE: u64 = 1000;

/// Why there is no answer, as the protocol numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    ServerNotInitialized = -32002,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    RequestCancelled = -32800,
    RequestFailed = -32803,
}

/// The next message; none where the input ends.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let broken = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.take(LONGEST_LINE).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.eq_ignore_ascii_case("Content-Length") {
            length = value.trim().parse().ok();
        }
    }
    let length: usize = length.ok_or_else(|| broken("a header without a length"))?;
    if length > LARGEST {
        return Err(broken("a message that is too long"));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    let mut message: Value = serde_json::from_slice(&bytes)?;
    let params = message["params"].take();
    let method = message["method"].as_str().map(str::to_owned);
    Ok(Some(match method {
        None => Message::Response,
        Some(method) => Message::of(method, params, message.get("id")),
    }))
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

    fn read_all(text: &str) -> Vec<String> {
        let mut input = text.as_bytes();
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(Message::Request { id, method, .. })) => {
                    found.push(format!("{method} {id}"))
                }
                Ok(Some(Message::Notification { method, .. })) => found.push(method),
                Ok(Some(Message::Response)) => found.push("response".to_owned()),
                Ok(None) => return found,
                Err(error) => {
                    found.push(error.kind().to_string());
                    return found;
                }
            }
        }
    }

    #[test]
    fn messages_have_headers() {
        let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let check = |text: &str, expected: &[&str]| assert_eq!(read_all(text), expected, "{text}");
        check("", &[]);
        let all = framed("{\"id\":1,\"method\":\"a\"}")
            + &framed("{\"method\":\"♔\",\"params\":[]}")
            + &framed("{\"id\":1,\"result\":null}");
        check(&all, &["a 1", "♔", "response"]);
        check("content-type: x\ncontent-length:  2\n\n{}", &["response"]);
        check("\r\n{}", &["invalid data"]);
        check("Content-Length: x\r\n\r\n{}", &["invalid data"]);
        check("Content-Length: 99999999999\r\n\r\n{}", &["invalid data"]);
        check("Content-Length: 3\r\n\r\n{}", &["unexpected end of file"]);
        check(&framed("{"), &["unexpected end of file"]);
        check(&framed("[}"), &["invalid data"]);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, "{\"method\":\"♔\"}").expect("written");
        let text = String::from_utf8(bytes).expect("a text");
        assert_eq!(read_all(&text), ["♔"]);
    }
}
