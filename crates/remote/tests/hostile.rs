//! Servers that send more than was requested, or redirect to others. The tests count how many bytes
//! the servers could send.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use flow::Cancel;
use remote::{RemoteBytes, read};

/// Size of the requested object in bytes, more than a block.
const LONG: usize = 300_000;

/// Number of bytes before a connection breaks.
const SOME: usize = 50_000;

/// Largest number of bytes read of an endless answer: those requested, and those that the system
/// buffers between two programs.
const MOST: u64 = 32 << 20;

/// Length of an endless answer in bytes, so that no test runs forever.
const ENDLESS: u64 = 8 * MOST;

fn text() -> Vec<u8> {
    (0..LONG).map(|i| (i / 7 + i / 1000) as u8).collect()
}

/// Requests to a server, and the number of bytes it has sent, by path.
#[derive(Default)]
struct Log {
    sent: Mutex<HashMap<String, u64>>,
    heads: Mutex<Vec<String>>,
    requests: AtomicU64,
}

impl Log {
    fn sent(&self, path: &str) -> u64 {
        let sent = self.sent.lock().expect("nobody panics");
        sent.get(path).copied().unwrap_or_default()
    }

    /// Heads of all requests, in lower case.
    fn heads(&self) -> String {
        self.heads.lock().expect("nobody panics").concat()
    }
}

/// A request, answered according to its path.
struct Request {
    path: String,
    range: Option<(usize, usize)>,
    stream: TcpStream,
    log: Arc<Log>,
    /// Address of a server on another port, which counts as another host.
    other: String,
}

impl Request {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Counted first: the client may have read them, and ended, before this thread goes on.
        let mut sent = self.log.sent.lock().expect("nobody panics");
        *sent.entry(self.path.clone()).or_default() += bytes.len() as u64;
        drop(sent);
        self.stream.write_all(bytes)
    }

    fn head(&mut self, status: &str, headers: &str) -> io::Result<()> {
        let connection = "Connection: close";
        let head = format!("HTTP/1.1 {status}\r\n{connection}\r\nETag: \"e1\"\r\n{headers}\r\n");
        self.send(head.as_bytes())
    }

    /// Sends the same bytes again and again, in chunks or not.
    fn endless(&mut self, bytes: &[u8], is_chunked: bool) -> io::Result<()> {
        let size = format!("{:x}\r\n", bytes.len());
        let piece =
            if is_chunked { [size.as_bytes(), bytes, b"\r\n"].concat() } else { bytes.to_vec() };
        while self.log.sent(&self.path) < ENDLESS {
            self.send(&piece)?;
        }
        Ok(())
    }

    /// Returns the requested bytes.
    fn asked(&self) -> (usize, usize) {
        let (from, to) = self.range.unwrap_or((0, LONG - 1));
        (from, to.min(LONG - 1))
    }

    /// Answers with these bytes, and states this length and range.
    fn part(&mut self, bytes: &[u8], length: usize, range: &str) -> io::Result<()> {
        let headers = format!("Content-Length: {length}\r\nContent-Range: bytes {range}\r\n");
        self.head("206 Partial Content", &headers)?;
        self.send(bytes)
    }

    fn redirect(&mut self, to: &str) -> io::Result<()> {
        self.head("302 Found", &format!("Content-Length: 0\r\nLocation: {to}\r\n"))
    }
}

fn answer(request: &mut Request) -> io::Result<()> {
    let text = text();
    let (from, to) = request.asked();
    let part = &text[from..=to];
    let n = part.len();
    let right = format!("{from}-{to}/{LONG}");
    let path = request.path.clone();
    match path.trim_start_matches('/') {
        "good" | "signed?key=secret" => request.part(part, n, &right),
        "chunked" => {
            let headers = format!("Content-Range: bytes {right}\r\nTransfer-Encoding: chunked\r\n");
            request.head("206 Partial Content", &headers)?;
            request.send(format!("{n:x}\r\n").as_bytes())?;
            request.send(part)?;
            request.send(b"\r\n0\r\n\r\n")
        }
        "endless-chunks" => {
            let headers = format!("Content-Range: bytes {right}\r\nTransfer-Encoding: chunked\r\n");
            request.head("206 Partial Content", &headers)?;
            request.endless(&text[..65_536], true)
        }
        "endless-chunks-with-length" => {
            let headers = format!(
                "Content-Range: bytes {right}\r\nTransfer-Encoding: chunked\r\nContent-Length: {n}\r\n"
            );
            request.head("206 Partial Content", &headers)?;
            request.endless(&text[..65_536], true)
        }
        "endless-later" if from == 0 => request.part(part, n, &right),
        "endless-later" => {
            let headers = format!("Content-Range: bytes {right}\r\nTransfer-Encoding: chunked\r\n");
            request.head("206 Partial Content", &headers)?;
            request.send(format!("{n:x}\r\n").as_bytes())?;
            request.send(part)?;
            request.send(b"\r\n")?;
            request.endless(&text[..65_536], true)
        }
        "endless-until-closed" => {
            request.head("206 Partial Content", &format!("Content-Range: bytes {right}\r\n"))?;
            request.endless(&text[..65_536], false)
        }
        "huge-length" => {
            request.part(b"", 99_999_999_999, &right)?;
            request.endless(&text[..65_536], false)
        }
        "huge-range" => {
            request.part(b"", 99_999_999_999, "0-99999999998/99999999999")?;
            request.endless(&text[..65_536], false)
        }
        "endless-error" => {
            request.head("404 Not Found", "Transfer-Encoding: chunked\r\n")?;
            request.endless(&text[..65_536], true)
        }
        "endless-refusal" => {
            request.head("400 Bad Request", "Transfer-Encoding: chunked\r\n")?;
            request.endless(b"\x1b[2J<Code>Ev\x1b[2Jil</Code>Connection refused", true)
        }
        "endless-headers" => {
            request.send(b"HTTP/1.1 200 OK\r\n")?;
            request.endless(&[b"X-a: ", &[b'y'; 1000][..], b"\r\n"].concat(), false)
        }
        "other-range" => request.part(part, n, &format!("{}-{}/{LONG}", from + 5, to + 5)),
        "no-total" => request.part(part, n, &format!("{from}-{to}/*")),
        "total-0" => request.part(part, n, &format!("{from}-{to}/0")),
        "total-2^63" => request.part(part, n, &format!("{from}-{to}/{}", 1_u64 << 63)),
        "total-2^64" => request.part(part, n, &format!("{from}-{to}/{}", u64::MAX)),
        "last-2^64" => request.part(part, n, &format!("{from}-{}/{LONG}", u64::MAX)),
        "no-range" => {
            request.head("206 Partial Content", &format!("Content-Length: {n}\r\n"))?;
            request.send(part)
        }
        "growing" => {
            let total = match request.log.sent(&path) {
                0 => LONG,
                _ => LONG + 1000,
            };
            request.part(part, n, &format!("{from}-{to}/{total}"))
        }
        // The whole object instead of a part.
        "whole" => {
            request.head("200 OK", &format!("Content-Length: {LONG}\r\n"))?;
            request.send(&text)
        }
        // A part instead of the whole object.
        "part-of-whole" if request.range.is_some() => {
            request.head("200 OK", &format!("Content-Length: {LONG}\r\n"))
        }
        "part-of-whole" => request.part(&text[..10], 10, &format!("0-9/{LONG}")),
        "cut" => request.part(&part[..n.min(SOME)], n, &right),
        "short" => request.part(&part[..n.min(SOME)], n.min(SOME), &right),
        "drops" => request.part(&part[..1], n, &right),
        "packed" => {
            let headers = format!(
                "Content-Length: {n}\r\nContent-Range: bytes {right}\r\nContent-Encoding: gzip\r\n"
            );
            request.head("206 Partial Content", &headers)?;
            request.send(part)
        }
        "nothing" => Ok(()),
        "garbage" => request.send(b"\0\x01\x02garbage\r\n\r\n"),
        "to-itself" => request.redirect("/to-itself"),
        "to-good" => request.redirect("/good"),
        "to-other" | "to-other?key=secret" => {
            let to = format!("{}/good", request.other);
            request.redirect(&to)
        }
        "to-file" => request.redirect("file:///etc/passwd"),
        path if path.starts_with("names") => list(request),
        path if path.starts_with("bucket") => {
            let to = format!("{}/good", request.other);
            request.redirect(&to)
        }
        _ => request.head("404 Not Found", "Content-Length: 0\r\n"),
    }
}

/// Lists of object storage.
fn list(request: &mut Request) -> io::Result<()> {
    request.head("200 OK", "Transfer-Encoding: chunked\r\n")?;
    let is_one = request.path.contains("prefix=one");
    let start = b"<?xml version=\"1.0\"?><ListBucketResult>";
    let name =
        b"<Contents><Key>one/a.pgn</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified>\
                 <ETag>\"e\"</ETag><Size>18446744073709551615</Size></Contents>";
    let bytes =
        if is_one { [&start[..], name, b"</ListBucketResult>"].concat() } else { start.to_vec() };
    request.send(format!("{:x}\r\n", bytes.len()).as_bytes())?;
    request.send(&bytes)?;
    request.send(b"\r\n")?;
    if is_one { request.send(b"0\r\n\r\n") } else { request.endless(name, true) }
}

fn serve(stream: TcpStream, log: &Arc<Log>, other: &str) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap_or(Ok(String::new()))?;
    let mut range = None;
    for line in lines.by_ref() {
        let line = line?.to_ascii_lowercase();
        if let Some((from, to)) =
            line.strip_prefix("range: bytes=").and_then(|range| range.split_once('-'))
        {
            let number = |text: &str| text.parse().expect("a number");
            range = Some((number(from), number(to)));
        }
        if line.is_empty() {
            break;
        }
        let mut heads = log.heads.lock().expect("nobody panics");
        heads.push(line + "\n");
    }
    log.requests.fetch_add(1, Ordering::Relaxed);
    let mut request = Request {
        path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
        range,
        stream,
        log: log.clone(),
        other: other.to_owned(),
    };
    answer(&mut request)
}

/// Starts a server that may redirect to `other`. Returns its address and log.
fn server(other: &str) -> (String, Arc<Log>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    let log: Arc<Log> = Arc::default();
    let (ours, other) = (log.clone(), other.to_owned());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (log, other) = (ours.clone(), other.clone());
            // A client that does not want the answer closes the connection.
            thread::spawn(move || serve(stream, &log, &other).ok());
        }
    });
    (root, log)
}

#[test]
fn no_more_is_taken_than_was_asked_for() {
    const MORE: &str = "the server sends more bytes than requested";
    const OTHERS: &str = "bytes that were not requested";
    let (root, log) = server("");
    let check = |path: &str, expected: Result<(), &str>| {
        let address = format!("{root}/{path}");
        let outcome = read(&address, LONG as u64, &Cancel::default());
        match (&outcome, expected) {
            (Ok(bytes), Ok(())) => assert!(*bytes == text(), "{path}: {}", bytes.len()),
            (Err(error), Err(part)) => {
                let message = error.to_string();
                assert!(message.contains(part), "{path}: {message}");
                assert!(!message.contains(char::is_control), "{path}: {message:?}");
            }
            _ => panic!("{path}: {:?}", outcome.map(|bytes| bytes.len())),
        }
        let sent = log.sent(&format!("/{path}"));
        assert!(sent < MOST, "{path}: {sent} bytes were taken");
    };
    check("good", Ok(()));
    check("chunked", Ok(()));
    check("endless-chunks", Err(MORE));
    check("endless-chunks-with-length", Err(MORE));
    check("endless-later", Err(MORE));
    check("endless-until-closed", Err(MORE));
    check("huge-length", Err(MORE));
    check("huge-range", Err(OTHERS));
    check("endless-error", Err("nothing at this address"));
    check("endless-refusal", Err("the server refuses the request (status 400)"));
    check("endless-headers", Err(""));
    for path in ["other-range", "no-total", "total-0", "total-2^63", "total-2^64"] {
        check(path, Err(OTHERS));
    }
    check("last-2^64", Err(OTHERS));
    check("no-range", Err(OTHERS));
    check("growing", Err("changed while it was read"));
    check("whole", Ok(()));
    check("part-of-whole", Err(OTHERS));
    check("cut", Ok(()));
    check("short", Ok(()));
    check("packed", Ok(()));
    check("nothing", Err(""));
    check("garbage", Err(""));
    check("to-file", Err(""));
    check("to-itself", Err("redirects without end"));
    check("to-good", Ok(()));
}

#[test]
fn who_sends_a_byte_each_time_is_not_asked_forever() {
    let (root, log) = server("");
    let object = match remote::open(&format!("{root}/drops"), &Cancel::default()) {
        Ok(RemoteBytes::Anywhere(object)) => object,
        Ok(RemoteBytes::InOrder(_)) => panic!("it knows ranges"),
        Err(error) => panic!("{error}"),
    };
    let error = flow::Input::read_at(&*object, 0, &mut [0; 10]).expect_err("lost");
    assert!(error.to_string().contains("connection was lost"), "{error}");
    let n = log.requests.load(Ordering::Relaxed);
    assert!(n < 50, "{n} requests");
}

#[test]
fn other_hosts_are_not_told_who_asks() {
    let (other, told) = server("");
    let (root, log) = server(&other);
    let host = root.strip_prefix("http://").expect("an address");
    let who = "bWU6c2VjcmV0"; // me:secret
    let address = format!("http://me:secret@{host}/to-other?key=secret");
    let bytes = read(&address, LONG as u64, &Cancel::default()).expect("read");
    assert!(bytes == text());
    assert!(log.heads().contains(&who.to_ascii_lowercase()));
    let heads = told.heads();
    assert!(heads.contains("range: "), "{heads}");
    for secret in ["authorization", "referer", "secret", "key="] {
        assert!(!heads.contains(secret), "{secret}: {heads}");
    }
    // On the same host, the credentials are sent again.
    let address = format!("http://me:secret@{host}/to-good");
    read(&address, LONG as u64, &Cancel::default()).expect("read");
    let n = log.heads().matches("authorization: basic").count();
    assert!(n > 2, "{n}");
    let address = format!("http://me:secret@{host}/to-file?key=secret");
    let error = read(&address, LONG as u64, &Cancel::default()).expect_err("refused");
    assert!(!error.to_string().contains("secret"), "{error}");
}

/// Environment variable that makes a process test object storage.
const STORAGE: &str = "BABSON_TEST_STORAGE";

#[test]
fn object_storage_may_be_hostile() {
    let (other, told) = server("");
    let (root, log) = server(&other);
    // The credentials come from the environment, which a test must not change for tests in the same
    // process.
    let ran = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "in_storage", "--ignored", "--nocapture"])
        .env("AWS_ENDPOINT_URL", &root)
        .env("AWS_ACCESS_KEY_ID", "somebody")
        .env("AWS_SECRET_ACCESS_KEY", "hidden")
        .env("AWS_SESSION_TOKEN", "hidden-token")
        .env("AWS_REGION", "eu-1")
        .env(STORAGE, "1")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert!(!said.contains("hidden"), "{said}");
    assert!(log.heads().contains("x-amz-security-token: hidden-token"));
    assert_eq!(told.heads(), "", "nobody was asked");
    let sent = log.sent.lock().expect("nobody panics");
    assert!(sent.len() >= 3, "{sent:?}");
    assert!(sent.values().all(|sent| *sent < 2 * MOST), "{sent:?}");
}

#[test]
#[ignore = "the storage of another test"]
fn in_storage() {
    if std::env::var_os(STORAGE).is_none() {
        return;
    }
    let check = |address: &str, part: &str| {
        let error = if address.ends_with('/') {
            remote::list(address, &Cancel::default()).expect_err("refused")
        } else {
            read(address, LONG as u64, &Cancel::default()).expect_err("refused")
        };
        assert!(error.to_string().contains(part), "{address}: {error}");
    };
    let listed = remote::list("s3://names/one/", &Cancel::default()).expect("listed");
    let listed: Vec<_> = listed.iter().map(|found| found.size).collect();
    // No object is that large.
    assert_eq!(listed, [None]);
    check("s3://names/all/", "answer is too long");
    check("s3://bucket/a.pgn", "redirects to another address (status 302)");
}
