//! A program that writes into a pipe may pause, and read the results so far before it goes on.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Stdio};

use support::Place;

mod support;

const FIRST: &str = "[Event \"1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"2\"]\n\n1. e4 e5 1-0\n\n";
const SECOND: &str = "[Event \"3\"]\n\n1. f4 e6 2. g4 Qh4# 0-1\n";

/// Writer of an input that can be flushed before its end.
trait Packer: Write {
    fn end(self: Box<Self>);
}

impl Packer for ChildStdin {
    fn end(self: Box<Self>) {}
}

impl Packer for zstd::Encoder<'static, ChildStdin> {
    fn end(self: Box<Self>) {
        self.finish().expect("written");
    }
}

impl Packer for flate2::write::GzEncoder<ChildStdin> {
    fn end(self: Box<Self>) {
        self.finish().expect("written");
    }
}

/// Writes each buffer as a complete frame.
struct Frames(ChildStdin);

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let frame = zstd::encode_all(bytes, 1)?;
        self.0.write_all(&frame).map(|()| bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Packer for Frames {
    fn end(self: Box<Self>) {}
}

fn check(options: &str, pack: impl Fn(ChildStdin) -> Box<dyn Packer>) {
    let place = Place::empty();
    let line =
        format!("--stdout --format jsonl --columns game -nooutputstatus -i - {options} -cql mate");
    let mut child = place
        .line(&line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut games = pack(child.stdin.take().expect("a pipe"));
    let mut found = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut next = || found.next().map(|line| line.expect("text"));
    games.write_all(FIRST.as_bytes()).expect("written");
    games.flush().expect("written");
    // Nothing more is written before the first result arrives.
    assert_eq!(next().as_deref(), Some("{\"game\":1}"), "{line}");
    games.write_all(SECOND.as_bytes()).expect("written");
    games.flush().expect("written");
    assert_eq!(next().as_deref(), Some("{\"game\":3}"), "{line}");
    games.end();
    assert_eq!(next(), None, "{line}");
    assert!(child.wait().expect("it ends").success(), "{line}");
}

#[test]
fn games_come_through_a_pipe_while_somebody_pauses() {
    for options in ["", "-singlethreaded", "-threads 3"] {
        check(options, |pipe| Box::new(pipe));
    }
}

#[test]
fn packed_games_come_through_a_pipe_while_somebody_pauses() {
    check("", |pipe| Box::new(zstd::Encoder::new(pipe, 1).expect("an encoder")));
    check("", |pipe| Box::new(Frames(pipe)));
    check("", |pipe| {
        let level = flate2::Compression::fast();
        Box::new(flate2::write::GzEncoder::new(pipe, level))
    });
}
