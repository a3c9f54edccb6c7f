//! An address that is read again and again, from a web server on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use flow::Cancel;
use remote::{Version, read_changed};

/// Starts a server. Each request is answered by what `answer` makes of its headers, in lower case;
/// nothing stands for an object that has not changed.
fn server(answer: impl Fn(&str) -> Option<String> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/live.pgn", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (mut reader, mut asked) = (BufReader::new(stream), String::new());
            while !asked.ends_with("\r\n\r\n") {
                if reader.read_line(&mut asked).map_or(0, |n| n) == 0 {
                    break;
                }
            }
            let same = || "304 Not Modified\r\n\r\n".to_owned();
            let text = answer(&asked.to_ascii_lowercase()).unwrap_or_else(same);
            let text = text.replacen("\r\n", "\r\nConnection: close\r\n", 1);
            // A client that has enough closes the connection.
            let _ = reader.into_inner().write_all(format!("HTTP/1.1 {text}").as_bytes());
        }
    });
    address
}

/// Returns what a number of readings have.
fn readings(address: &str, n: usize) -> Vec<Option<String>> {
    let mut seen = Version::default();
    let mut read = || read_changed(address, &mut seen, &Cancel::default()).expect("read");
    (0..n).map(|_| read().map(|bytes| String::from_utf8(bytes).expect("text"))).collect()
}

#[test]
fn bytes_with_a_known_tag_are_not_sent_again() {
    let address = server(|asked| {
        let is_known = asked.contains("if-none-match: \"7\"");
        // Without a length, as broadcasts are sent.
        let answer = "200 OK\r\nETag: \"7\"\r\nTransfer-Encoding: chunked\r\n\r\n";
        (!is_known).then(|| format!("{answer}5\r\n1. e4\r\n2\r\n *\r\n0\r\n\r\n"))
    });
    assert_eq!(readings(&address, 3), [Some("1. e4 *".to_owned()), None, None]);
}

#[test]
fn a_time_counts_once_it_was_read_twice() {
    let time = "Thu, 26 Nov 2026 10:00:00 GMT";
    let address = server(move |asked| {
        let is_known = asked.contains(&format!("if-modified-since: {}", time.to_ascii_lowercase()));
        let answer = format!("200 OK\r\nLast-Modified: {time}\r\nContent-Length: 1\r\n\r\n*");
        (!is_known).then_some(answer)
    });
    let text = Some("*".to_owned());
    assert_eq!(readings(&address, 4), [text.clone(), text, None, None]);
}

#[test]
fn bytes_without_a_version_are_always_sent() {
    let address = server(|_| Some("200 OK\r\nContent-Length: 1\r\n\r\n*".to_owned()));
    assert_eq!(readings(&address, 3), vec![Some("*".to_owned()); 3]);
}

#[test]
fn answers_are_bounded() {
    for length in ["Content-Length: 17000000\r\n", ""] {
        let address = server(move |_| {
            let bytes = " ".repeat(17_000_000);
            Some(format!("200 OK\r\n{length}\r\n{bytes}"))
        });
        let read = read_changed(&address, &mut Version::default(), &Cancel::default());
        let error = read.expect_err("too long");
        assert!(error.to_string().contains("too long"), "{length}: {error}");
    }
}
