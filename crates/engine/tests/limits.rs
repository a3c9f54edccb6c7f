//! Queries that would take forever, or more memory than there is, end with a word on it.

mod support;

use engine::{CompileOptions, Source, compile, search};

/// A game of some length with variations.
const GAME: &str = "[Event \"?\"]\n\n1.e4 e5 2.Nf3 (2.Bc4 Bc5 3.Qh5 (3.Nf3 Nc6) 3...Nc6 4.Qxf7#) \
2...Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 \
12.cxb5 axb5 13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5 Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 \
20.Nbd2 Nxd6 21.Nc4 Nxc4 22.Bxc4 Nb6 23.Ne5 Rae8 24.Bxf7+ Rxf7 25.Nxf7 Rxe1+ 26.Qxe1 Kxf7 *\n";

/// What comes of `body` on the game with `step_limit` steps: the number of matching positions, or
/// the message of the fault.
fn outcome(body: &str, step_limit: u64) -> Result<usize, String> {
    let text = format!("cql(variations) {body}");
    let source = Source {
        name: "test.cql",
        text: text.as_bytes(),
    };
    let options = CompileOptions {
        step_limit,
        ..CompileOptions::default()
    };
    let program = compile(&source, &[], &options).program.expect(body);
    match search(&program, GAME.as_bytes()).next() {
        None => Ok(0),
        Some(Ok(game)) => Ok(game.row.positions.len()),
        Some(Err(fault)) => Err(fault.message),
    }
}

#[test]
fn repetitions_within_repetitions_end_with_a_result() {
    for body in [
        "path (--)*(--)*(--)*",
        "path ((--)+)+",
        "path (-- --?)+ check",
        "path ((--)? check)+",
        "path ((--)*)* mate",
        "path (--{2,5}){3,9}",
        "path (--)*(--)*(--)*(--)*(--)*(--)* mate",
    ] {
        let found = outcome(body, 2_000_000);
        assert!(found.as_ref().is_ok_and(|&n| n > 0), "{body}: {found:?}");
    }
}

#[test]
fn an_iteration_without_a_move_ends() {
    for body in ["path (true)* --", "path (--?)* check", "path ((true)+)+ --"] {
        let found = outcome(body, 2_000_000);
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn nested_searches_end_with_a_result() {
    for body in [
        "echo (s t) echo (u v) {s<t u<v s:check v:mate}",
        "find all find all check",
        "shift flip flipcolor rotate90 {Ra1 Nb3 kc5 pd4 Pe4 Qh8}",
    ] {
        let found = outcome(body, 20_000_000);
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn what_never_ends_is_stopped_with_a_message() {
    for body in [
        "nn=0 while (true) nn+=1",
        "loop true",
        "path (-- sort \"x\" ply)*(--)*(--)*(--)*(--)*(--)*(--)* false",
        "xx=\"a\" while (true) xx+=xx",
    ] {
        let found = outcome(body, 1_000_000);
        assert!(
            found
                .as_ref()
                .is_err_and(|m| m.contains("too many steps") || m.contains("too long")),
            "{body}: {found:?}"
        );
    }
}

#[test]
fn too_many_images_are_refused() {
    for (transforms, refused) in [
        ("shift shift R", false),
        ("shift flip flipcolor {Ra1 kb2}", false),
        ("shift shift shift R", true),
        ("flip flip flip flip flip flip flip R", true),
        ("shift {shift a1 shift {shift b1 shift c1}}", true),
    ] {
        assert_eq!(support::is_refused(transforms), refused, "{transforms}");
    }
}
