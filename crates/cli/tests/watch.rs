//! `cql watch`: the test writes the games while the program shows the matches.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use support::Place;

mod support;

/// Time in which something must have happened, on a machine with much else to do.
const LONG: Duration = Duration::from_secs(60);

const HEAD: &str = "[Event \"Cup\"]\n[Round \"3\"]\n[White \"Fool, A\"]\n[Black \"Sly, B\"]\n\n";
const BEGUN: &str = "1. f3 e5 2. g4 ";
const MATE: &str = "mate: Fool – Sly, Cup (3): 2...Qh4#  \
                    rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

/// A program that watches.
struct Watch {
    child: Child,
    lines: Receiver<String>,
    errors: thread::JoinHandle<String>,
}

impl Watch {
    fn start(mut command: Command) -> Watch {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut err = child.stderr.take().expect("a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let errors = thread::spawn(move || {
            let mut text = String::new();
            err.read_to_string(&mut text).expect("text");
            text
        });
        Watch { child, lines, errors }
    }

    fn stdin(&mut self) -> ChildStdin {
        self.child.stdin.take().expect("its input")
    }

    /// Returns the next line, for which the test waits.
    fn line(&self) -> String {
        self.lines.recv_timeout(LONG).expect("a line")
    }

    /// Waits for the end. Returns the status, the other lines and the messages.
    fn end(mut self) -> (Option<i32>, Vec<String>, String) {
        let status = self.child.wait().expect("it ends").code();
        (status, self.lines.iter().collect(), self.errors.join().expect("text"))
    }
}

fn append(place: &Place, text: &str) {
    let file = OpenOptions::new().append(true).create(true).open(place.path("live.pgn"));
    file.expect("a file").write_all(text.as_bytes()).expect("written");
}

#[test]
fn matches_are_shown_while_a_file_grows() {
    let place = Place::empty();
    append(&place, &format!("{HEAD}1. e4 e5 *\n\n"));
    append(&place, &HEAD.replace('3', "4"));
    let watch = Watch::start(place.line("watch live.pgn mate check --until-end"));
    append(&place, BEGUN);
    append(&place, "Qh4#");
    let mate = MATE.replace("(3)", "(4)");
    assert_eq!(watch.line(), mate);
    assert_eq!(watch.line(), mate.replace("mate", "check"));
    // The whole file again, with more moves of the first game, in a new file.
    let text = format!("{HEAD}1. e4 f6 2. Qh5+ 1-0\n\n{}{BEGUN}Qh4# 0-1\n", HEAD.replace('3', "4"));
    place.write("new.pgn", text);
    fs::rename(place.path("new.pgn"), place.path("live.pgn")).expect("replaced");
    let line = watch.line();
    assert!(line.starts_with("check: Fool – Sly, Cup (3): 2.Qh5+  "), "{line}");
    let (status, rest, errors) = watch.end();
    assert_eq!((status, rest), (Some(0), Vec::new()), "{errors}");
    assert!(errors.contains("live.pgn was truncated or replaced; reading it anew\n"), "{errors}");
    assert!(errors.ends_with("matching positions in 2 games: mate 1, check 2\n"), "{errors}");
    assert!(!errors.contains("faulty"), "{errors}");
}

#[test]
fn a_file_that_is_cut_short_is_read_anew() {
    let place = Place::empty();
    append(&place, &format!("{HEAD}{BEGUN}Qh4# 0-1\n\n[White \"x\"]\n\n1. e4 *\n"));
    let watch = Watch::start(place.line("watch live.pgn mate --until-end"));
    assert_eq!(watch.line(), MATE);
    place.write("live.pgn", format!("{HEAD}{BEGUN}Qh4# 0-1\n"));
    let (status, rest, errors) = watch.end();
    assert_eq!((status, rest), (Some(0), Vec::new()), "{errors}");
    assert!(errors.contains("truncated or replaced"), "{errors}");
}

#[test]
fn matches_before_the_start_can_be_left_out() {
    let place = Place::empty();
    append(&place, &format!("{HEAD}{BEGUN}Qh4#"));
    let text = place.cql(&["watch", "live.pgn", "mate", "--new", "--until-end", "--limits", "x"]);
    assert_eq!(text.status, Some(1), "{}", text.err);
    append(&place, " 0-1\n");
    let ran = place.run("watch live.pgn mate --new --until-end");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(ran.err, "matching positions in 1 game: mate 0\n");
    // A game that is left out.
    append(&place, "\n[White \"B\"]\n[Variant \"Bughouse\"]\n\n1. e4 0-1\n");
    let ran = place.run("watch live.pgn mate --until-end");
    assert!(ran.status == Some(1) && ran.err.contains("left out"), "{ran:?}");
}

#[test]
fn a_pipe_is_watched_to_its_end() {
    let place = Place::empty();
    place.write("fools.cql", "cql() mate comment(\"fool's mate\")");
    let mut watch = Watch::start(place.line("watch - fools.cql themes:fork"));
    let mut pipe = watch.stdin();
    let game = format!("{HEAD}{BEGUN}Qh4# {{ [%clk");
    pipe.write_all(game.as_bytes()).expect("written");
    pipe.flush().expect("written");
    assert_eq!(watch.line(), MATE.replace("mate:", "fools:") + "  {fool's mate}");
    // The game again, and one with a move that is impossible.
    let more =
        format!(" 0:01:00] }} *\n\n{HEAD}{BEGUN}Qh4# 0-1\n\n[White \"x\"]\n\n1. e4 Ke7 2. d4");
    pipe.write_all(more.as_bytes()).expect("written");
    drop(pipe);
    let (status, rest, errors) = watch.end();
    assert_eq!((status, rest), (Some(0), Vec::new()), "{errors}");
    assert!(errors.contains("standard input:"), "{errors}");
    assert!(errors.ends_with("matching positions in 2 games: fools 1, fork 0\n"), "{errors}");
}

#[test]
fn matches_are_objects_on_request() {
    let place = Place::empty();
    let game = format!("{HEAD}{BEGUN}Qh4# 0-1\n");
    let ran = place.run_on("watch - mate --format ndjson", game);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [found] = &lines[..] else { panic!("{}", ran.out) };
    assert_eq!(found["query"], "mate");
    assert_eq!(found["tags"]["Round"], "3");
    assert_eq!((&found["san"], &found["ply"]), (&"Qh4#".into(), &4.into()));
}

#[test]
fn a_watch_refuses_what_it_cannot_do() {
    let place = Place::empty();
    place.write("live.pgn", "");
    place.write("games.pgn.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03");
    place.write("mate.cql", "cql() mate");
    let refused = |line: &str, part: &str| {
        let ran = place.run(line);
        assert!(ran.err.contains(part), "{line}: {}", ran.err);
        assert!(matches!(ran.status, Some(1 | 2)), "{line}");
    };
    refused("watch missing.pgn mate", "cannot read missing.pgn");
    refused("watch . mate", "directory");
    refused("watch live.pgn", "QUERY");
    refused("watch games.pgn.gz mate", "not PGN text");
    refused("watch live.pgn missing.cql", "missing.cql");
    refused("watch live.pgn mte", "mate");
    refused("watch live.pgn mate mate.cql", "two queries have the name 'mate'");
    refused("watch live.pgn persistent_X=1", "cannot be watched");
    refused("watch live.pgn lastgamenumber==gamenumber", "cannot be watched");
    refused("watch s3://bucket/*.pgn mate", "only one address");
    if cfg!(not(feature = "object-storage")) {
        refused("watch https://babson.example/live.pgn mate", "object-storage");
    }
}

/// Ends by Ctrl-C with a summary, unless the machine is too busy for one in time.
#[cfg(unix)]
#[test]
fn a_watch_ends_with_the_signal_of_ctrl_c() {
    let place = Place::empty();
    append(&place, &format!("{HEAD}{BEGUN}Qh4# *\n"));
    let watch = Watch::start(place.line("watch live.pgn mate"));
    assert_eq!(watch.line(), MATE);
    let id = nix::unistd::Pid::from_raw(i32::try_from(watch.child.id()).expect("an id"));
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGINT).expect("sent");
    let (status, _, errors) = watch.end();
    match status {
        Some(0) => assert_eq!(errors, "matching positions in 1 game: mate 1\n"),
        status => assert_eq!(status, Some(130), "{errors}"),
    }
}

/// Serves a broadcast, one answer for each request; further requests get the last one, as one that
/// has not changed.
#[cfg(feature = "object-storage")]
fn server(answers: Vec<String>) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/round.pgn", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for (n, stream) in listener.incoming().flatten().enumerate() {
            let mut reader = BufReader::new(stream);
            let mut asked = String::new();
            while !asked.ends_with("\r\n\r\n") && reader.read_line(&mut asked).is_ok_and(|n| n > 0)
            {
            }
            let n = n.min(answers.len() - 1);
            let answer = &answers[n];
            let tag = format!("\"{n}\"");
            let is_known = asked.contains(&tag);
            let mut stream = reader.into_inner();
            let _ = if is_known {
                write!(stream, "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n")
            } else {
                // In chunks, so that no length is declared.
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: {tag}\r\n\
                     Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{answer}\r\n0\r\n\r\n",
                    answer.len()
                )
            };
        }
    });
    address
}

#[cfg(feature = "object-storage")]
#[test]
fn an_address_is_read_again_and_again() {
    let place = Place::empty();
    let address = server(vec![
        format!("{HEAD}{BEGUN}*\n"),
        format!("{HEAD}{BEGUN}*\n\n{}{BEGUN}Qh4# 0-1\n", HEAD.replace('3', "4")),
        format!("{HEAD}{BEGUN}Qh4# 0-1\n\n{}{BEGUN}Qh4# 0-1\n", HEAD.replace('3', "4")),
    ]);
    let watch = Watch::start(place.command(&["watch", &address, "mate", "--until-end"]));
    assert_eq!(watch.line(), MATE.replace("(3)", "(4)"));
    assert_eq!(watch.line(), MATE);
    let (status, rest, errors) = watch.end();
    assert_eq!((status, rest), (Some(0), Vec::new()), "{errors}");
    assert_eq!(errors, "matching positions in 2 games: mate 2\n");
}
