//! A web server on this machine that imitates servers and networks.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use flow::{Cancel, Input};
use remote::{RemoteBytes, read};

/// Bytes that depend on their offset.
fn text(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i / 7 + i / 1000) as u8).collect()
}

/// Size of an object in bytes that takes several requests.
const LONG: usize = 5_000_000;

#[derive(Default)]
struct Asked(Mutex<HashMap<String, usize>>);

impl Asked {
    /// Counts a request for a path. Returns the number of requests so far.
    fn count(&self, path: &str) -> usize {
        let mut asked = self.0.lock().expect("nobody panics");
        let n = asked.entry(path.to_owned()).or_default();
        *n += 1;
        *n
    }

    fn of(&self, path: &str) -> usize {
        self.0.lock().expect("nobody panics")[path]
    }
}

/// Starts a server. Returns its address and log.
fn server() -> (String, Arc<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let root = format!("http://{}", listener.local_addr().expect("an address"));
    let asked: Arc<Asked> = Arc::default();
    let ours = asked.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let asked = ours.clone();
            // A client that does not want the answer closes the connection.
            thread::spawn(move || answer(stream, &asked).ok());
        }
    });
    (root, asked)
}

fn answer(mut stream: TcpStream, asked: &Asked) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().unwrap_or(Ok(String::new()))?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let (mut range, mut length) = (None, 0);
    for line in lines.by_ref() {
        let line = line?.to_ascii_lowercase();
        if let Some(bytes) = line.strip_prefix("range: bytes=") {
            let (from, to) = bytes.split_once('-').expect("two numbers");
            let number = |text: &str| text.parse::<usize>().expect("a number");
            range = Some(number(from)..number(to) + 1);
        }
        if let Some(n) = line.strip_prefix("content-length: ") {
            length = n.parse().expect("a number");
        }
        if line.is_empty() {
            break;
        }
    }
    assert_eq!(length, 0, "nothing is written to web servers");
    let count = asked.count(&path);
    let mut say = |status: &str, headers: &str, bytes: &[u8], length: usize| {
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n"
        )?;
        stream.write_all(bytes)
    };
    let mut nothing = |status: &str| say(status, "", b"", 0);
    match (path.as_str(), count) {
        ("/denied", _) => return nothing("403 Forbidden"),
        ("/asks", _) => return nothing("401 Unauthorized"),
        ("/busy", 1 | 2) | ("/fails", _) => return nothing("503 Service Unavailable"),
        ("/empty", 1) => return nothing("416 Range Not Satisfiable"),
        ("/empty", _) => return nothing("200 OK"),
        (
            "/busy" | "/broken" | "/whole" | "/long" | "/changing" | "/vanishing"
            | "/signed?key=secret",
            _,
        ) => {}
        _ => return nothing("404 Not Found"),
    }
    let text = text(LONG);
    let Some(range) = range.filter(|_| path != "/whole") else {
        return say("200 OK", "", &text, LONG);
    };
    let range = range.start..range.end.min(LONG);
    let part = &text[range.clone()];
    // The connection breaks within the answer.
    let given = match (path.as_str(), count) {
        ("/broken", _) => &part[..part.len().min(90_000)],
        ("/vanishing", 2..) => &part[..0],
        _ => part,
    };
    let tag = match path.as_str() {
        "/changing" => format!("ETag: \"{count}\"\r\n"),
        "/long" => "ETag: \"same\"\r\n".to_owned(),
        _ => String::new(),
    };
    let (from, to) = (range.start, range.end - 1);
    let headers = format!("Content-Range: bytes {from}-{to}/{LONG}\r\n{tag}");
    say("206 Partial Content", &headers, given, part.len())
}

fn open(address: &str) -> io::Result<RemoteBytes> {
    remote::open(address, &Cancel::default())
}

fn anywhere(address: &str) -> Arc<remote::Object> {
    match open(address).expect("opened") {
        RemoteBytes::Anywhere(object) => object,
        RemoteBytes::InOrder(_) => panic!("it knows ranges"),
    }
}

fn check_whole(address: &str) {
    let bytes = read(address, LONG as u64, &Cancel::default()).expect("read");
    assert!(bytes == text(LONG), "{address}: {}", bytes.len());
}

#[test]
fn everything_comes_in_order() {
    let (root, asked) = server();
    check_whole(&format!("{root}/long"));
    // Two MiB per request, except the first ones.
    assert!(asked.of("/long") < 10, "{}", asked.of("/long"));
    let error = read(&format!("{root}/long"), 1000, &Cancel::default()).expect_err("longer");
    assert_eq!(error.to_string(), "it has more than 1000 bytes");
}

#[test]
fn broken_connections_go_on_where_they_broke() {
    let (root, asked) = server();
    check_whole(&format!("{root}/broken"));
    // Each connection gives this much, and no bytes are sent twice.
    let n = asked.of("/broken");
    assert!((LONG / 90_000..LONG / 45_000).contains(&n), "{n}");
}

#[test]
fn bytes_are_read_anywhere() {
    let (root, asked) = server();
    let object = anywhere(&format!("{root}/long"));
    assert_eq!(object.size(), LONG as u64);
    let text = text(LONG);
    let mut buffer = [0; 100];
    for place in [4_000_000, 3_000_000, 4_999_990, 4_000_050] {
        let n = object.read_at(place as u64, &mut buffer).expect("read");
        assert_eq!(buffer[..n], text[place..(place + 100).min(LONG)]);
    }
    assert_eq!(object.read_at(LONG as u64, &mut buffer).expect("read"), 0);
    // The first block, and three others.
    assert_eq!(asked.of("/long"), 4);
    // Several ranges at once, each requested once.
    object.soon(&mut [1_000_000..1_000_001, 2_000_000..2_000_010].into_iter());
    for place in [1_000_000, 2_000_000] {
        let n = object.read_at(place as u64, &mut buffer).expect("read");
        assert_eq!(buffer[..n], text[place..place + 100]);
    }
    assert_eq!(asked.of("/long"), 6);
    // An object that is opened again uses the cached blocks.
    let again = anywhere(&format!("{root}/long"));
    again.read_at(4_000_000, &mut buffer).expect("read");
    assert_eq!(asked.of("/long"), 6);
}

#[test]
fn servers_may_be_busy_and_know_no_ranges() {
    let (root, asked) = server();
    check_whole(&format!("{root}/busy"));
    assert!(asked.of("/busy") > 2);
    let whole = format!("{root}/whole");
    assert!(matches!(open(&whole), Ok(RemoteBytes::InOrder(_))));
    check_whole(&whole);
    let empty = anywhere(&format!("{root}/empty"));
    assert_eq!(empty.size(), 0);
    assert_eq!(empty.read_at(0, &mut [0; 4]).expect("read"), 0);
}

#[test]
fn failures_say_what_to_do() {
    let (root, asked) = server();
    let check = |path: &str, kind: io::ErrorKind, part: &str| {
        let error = open(&format!("{root}/{path}")).err().expect("refused");
        assert_eq!(error.kind(), kind, "{path}: {error}");
        assert!(error.to_string().contains(part), "{path}: {error}");
        assert!(!error.to_string().contains("secret"), "{path}: {error}");
    };
    check("no", io::ErrorKind::NotFound, "nothing at this address");
    check("no?key=secret", io::ErrorKind::NotFound, "nothing at this address");
    check("denied", io::ErrorKind::PermissionDenied, "access is denied");
    check("asks", io::ErrorKind::PermissionDenied, "credentials are missing");
    check("fails", io::ErrorKind::Other, "status 503");
    assert!(asked.of("/fails") > 3);
    assert!(!remote::exists(&format!("{root}/no"), &Cancel::default()).expect("known"));
    assert!(remote::exists(&format!("{root}/long"), &Cancel::default()).expect("known"));
    check_whole(&format!("{root}/signed?key=secret"));
}

#[test]
fn what_is_lost_is_said() {
    let (root, _) = server();
    let check = |path: &str, part: &str| {
        let address = format!("{root}/{path}");
        let error = read(&address, LONG as u64, &Cancel::default()).expect_err("lost");
        assert!(error.to_string().contains(part), "{path}: {error}");
    };
    check("changing", "changed while it was read");
    check("vanishing", "the connection was lost after byte 131072");
}

#[test]
fn nobody_is_there() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/a", listener.local_addr().expect("an address"));
    drop(listener);
    let error = open(&address).err().expect("refused");
    assert!(error.to_string().contains("no server answers"), "{error}");
    let error = open("https://no-such-host.invalid/a").err().expect("refused");
    assert!(error.to_string().contains("no such host"), "{error}");
}

#[test]
fn who_waits_ends_with_the_run() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/a", listener.local_addr().expect("an address"));
    let cancel = Cancel::default();
    cancel.cancel();
    // The server never answers.
    let error = remote::open(&address, &cancel).err().expect("ended");
    assert_eq!(error.to_string(), "interrupted");
}

#[test]
fn web_servers_are_only_read() {
    let (root, _) = server();
    let address = format!("{root}/long");
    let upload = remote::upload(&address, &Cancel::default());
    let error = upload.err().expect("refused");
    assert!(error.to_string().contains("web servers are read-only"), "{error}");
    assert!(!remote::is_address(Path::new("ftp://a/b")));
}

#[test]
fn a_bucket_is_no_object() {
    for address in ["s3://bucket", "s3://bucket/"] {
        let upload = remote::upload(address, &Cancel::default());
        for error in [open(address).err(), upload.err()] {
            let message = error.expect("refused").to_string();
            assert!(message.contains("names no object"), "{message}");
        }
    }
}
