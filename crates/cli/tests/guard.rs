//! No file that is read is replaced, by any option or name, and files that belong together appear
//! together.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use support::{Place, files_in, root};

const GAMES: &str = "[Event \"a\"]\n[ECO \"A00\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n\
                     [Event \"b\"]\n[ECO \"B00\"]\n\n1.e4 e5 *\n\n\
                     [Event \"b\"]\n[ECO \"B00\"]\n\n1.e4 e5 *\n\n";

const REFUSED: &str = "the output would overwrite the input";

fn new() -> Place {
    let place = Place::empty();
    place.write("g.pgn", GAMES);
    place.write("q.cql", "cql() mate");
    place.write("bad.cql", "cql(input g.pgn) bad(");
    place.write("folder/g.pgn", GAMES);
    place
}

/// Checks that a line of the shell is refused, and that all files stay as they are.
fn refused(place: &Place, line: &str, said: &str) {
    let folders = files_in(place.dir()).into_iter();
    let folders = folders.filter(|name| place.path(name).is_dir());
    let folders: Vec<String> = folders.chain([".".to_owned()]).collect();
    let all = || {
        let files = folders.iter().flat_map(|folder| {
            let files = files_in(&place.path(folder)).into_iter();
            files.map(move |name| format!("{folder}/{name}"))
        });
        let read = |name: String| {
            let bytes = fs::read(place.path(&name)).ok();
            (name, bytes)
        };
        files.map(read).collect::<Vec<_>>()
    };
    let before = all();
    let ran = place.shell(line);
    assert!(ran.out.contains(said) || ran.err.contains(said), "{line}: {ran:?}");
    assert_eq!(ran.status, Some(1), "{line}");
    assert!(before == all(), "{line}");
}

/// An output may replace games that are the user's own, but never without a word.
#[test]
fn replaced_games_and_texts_are_named() {
    let place = new();
    let lines = [
        "cql -o own.pgn -cql mate g.pgn",
        "cql -o '{Result}.pgn' -cql mate g.pgn",
        "cql dedup -o own.pgn g.pgn",
        "cql doctor -o own.pgn g.pgn",
    ];
    let said = "games that no search has marked: it is replaced";
    for line in lines {
        for name in ["own.pgn", "1-0.pgn", "0-1.pgn", "1_2-1_2.pgn"] {
            place.write(name, "[Event \"own\"]\n\n1. e4 *\n");
        }
        let ran = place.shell(line);
        assert!(ran.err.contains(said), "{line}: {ran:?}");
        place.write("own.pgn", "");
        let ran = place.shell(line);
        assert!(line.contains('{') || !ran.err.contains(said), "{line}: {ran:?}");
    }
    place.write("notes.cql", "cql() check // mine");
    let line = "cql --stdout -cql 'initial writefile(\"notes.cql\" \"x\")' g.pgn";
    let ran = place.shell(line);
    assert_eq!(ran.err.matches("writefile: notes.cql existed").count(), 1, "{ran:?}");
    place.write("notes.cql", "");
    assert!(!place.shell(line).err.contains("writefile:"));
}

#[test]
fn positions_and_tables_of_the_user_are_named_or_kept() {
    let place = new();
    let check = |name: &str, text: &str, line: &str, said: &str, status: i32| {
        place.write(name, text);
        let ran = place.shell(&format!("cql -i g.pgn -cql mate -o {name} {line}"));
        assert!(ran.err.contains(said) || ran.out.contains(said), "{name}: {ran:?}");
        assert_eq!(ran.status, Some(status), "{name}: {ran:?}");
        assert_eq!(status == 1, place.read(name) == text, "{name}");
        // The second time, the file is a result, except for positions without anything else.
        let again = place.shell(&format!("cql -i g.pgn -cql mate -o {name} {line}"));
        assert!(status == 1 || name == "p.fen" || !again.err.contains("exists"), "{again:?}");
    };
    let epd = "7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8; id \"mine\";\n";
    check("p.epd", epd, "", "p.epd exists and holds positions that do not say their games", 0);
    check("p.fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "", "p.fen exists and holds positions", 0);
    let table = "White,Black,year\nA,B,1999\n";
    check("t.csv", table, "", "t.csv exists and holds a table with other columns", 0);
    let kept = "holds neither games nor an earlier result and is kept";
    check("c.jsonl", "{\"games\":[{\"url\":\"x\"}]}\n", "", kept, 1);
    check("l.jsonl", "{\"id\":\"x\",\"players\":{}}\n", "", kept, 1);
    check("p.parquet", "PAR1 of others PAR1", "", kept, 1);
}

#[test]
fn a_dash_is_standard_output_and_no_file() {
    let place = new();
    place.write("s.md", "```cql games=g.pgn\nmate\n```\n");
    for line in [
        "cql dedup g.pgn -o -",
        "cql doctor g.pgn -o -",
        "cql puzzles g.pgn --format pgn -o -",
        "cql puzzles g.pgn -o -",
        "cql sheet g.pgn --cql mate -o -",
        "cql tree g.pgn --book -",
        "cql book s.md -o -",
        "cql run q.cql -i g.pgn --summary -",
        "cql -utf8 q.cql -o -",
        "cql split g.pgn -o -",
        "cql index g.pgn -o -",
        "cql index g.pgn --themes -o -",
        "cql annotate g.pgn -engine true -depth 1 -o -",
        "cql diagram 8/8/8/8/8/5k2/5q2/5K2 8/8/8/8/8/5k2/5q2/5K2 -o -",
    ] {
        let ran = place.shell(line);
        assert!(matches!(ran.status, Some(1 | 2)), "{line}: {ran:?}");
        assert!(!place.path("-").exists(), "{line}: {ran:?}");
    }
    for line in ["cql g.pgn -cql mate -o -", "cql diagram 8/8/8/8/8/5k2/5q2/5K2 -o -"] {
        let ran = place.shell(line);
        assert!(ran.status == Some(0) && !ran.out.is_empty(), "{line}: {ran:?}");
        assert!(!place.path("-").exists(), "{line}: {ran:?}");
    }
}

#[test]
fn what_is_read_is_kept_by_every_door() {
    let place = new();
    symlink("g.pgn", place.path("link.pgn")).expect("linked");
    fs::hard_link(place.path("g.pgn"), place.path("hard.pgn")).expect("linked");
    for input in ["g.pgn", "link.pgn", "- < g.pgn", "- < hard.pgn", "./folder/../g.pgn"] {
        for output in ["g.pgn", "link.pgn", "hard.pgn"] {
            for line in [
                format!("cql -o {output} --force -cql mate {input}"),
                format!("cql -o {output} --force --format csv -cql mate {input}"),
                format!(
                    "cql -o '{{Theme}}.pgn' --force -cql 'settag(\"Theme\" \"{}\")' {input}",
                    output.trim_end_matches(".pgn")
                ),
                format!("cql run q.cql --force --format csv -o {output} {input}"),
                format!("cql run q.cql --force --summary {output} {input}"),
                format!("cql dedup -o {output} --force {input}"),
                format!("cql doctor --repair {output} --force {input}"),
            ] {
                refused(&place, &line, REFUSED);
            }
        }
    }
    for (line, said) in [
        ("cql -i folder -i g.pgn -cql mate -o g.pgn", REFUSED),
        ("cql doctor folder --repair link2.pgn", REFUSED),
        ("cql -i folder -cql mate -o folder/g.pgn", REFUSED),
        ("cql run q.cql -i folder --summary folder/g.pgn", REFUSED),
        ("cql dedup folder -o folder/g.pgn", REFUSED),
        ("cql doctor folder --repair folder/g.pgn", REFUSED),
        ("cql -utf8 q.cql -o q.cql", REFUSED),
        ("cql g.pgn q.cql -o q.cql --format pgn --force", REFUSED),
        ("cql -i g.pgn -cql 'initial' --stdout >> g.pgn", "standard output is the input"),
        ("cql -i folder -cql 'initial' >> folder/g.pgn", "standard output is the input"),
        ("cql stats - < g.pgn >> g.pgn", "standard output is the input"),
        ("cql -i g.pgn q.cql >> q.cql", "standard output is the input"),
        ("cql -i g.pgn - < q.cql >> q.cql", "standard output is the input"),
        ("cql run q.cql -i g.pgn >> q.cql", "standard output is the input"),
        ("cql -i g.pgn -cql 'bad(' 1<> g.pgn", "standard output is the input"),
        ("cql -cql 'bad(' - < g.pgn 1<> g.pgn", "standard output is the input"),
        ("cql -i folder -cql 'bad(' >> folder/g.pgn", "standard output is the input"),
        ("cql bad.cql 1<> g.pgn", "standard output is the input"),
        ("cql -i g.pgn missing.cql 1<> g.pgn", "standard output is the input"),
        ("cql -i g.pgn -nonsense 1<> g.pgn", "-nonsense"),
        ("cql - -nonsense < g.pgn 1<> g.pgn", "-nonsense"),
        ("cql explain q.cql >> q.cql", "standard output is the input"),
        ("cql fmt q.cql >> q.cql", "standard output is the input"),
        ("cql fmt - < q.cql >> q.cql", "standard output is the input"),
        ("cql check q.cql >> q.cql", "standard output is the input"),
    ] {
        let _ = fs::hard_link(place.path("folder/g.pgn"), place.path("link2.pgn"));
        refused(&place, line, said);
    }
}

#[test]
fn the_script_that_overwrote_standard_input_overwrites_nothing() {
    let place = Place::empty();
    let games = fs::read_to_string(root().join("examples/historic.pgn")).expect("games");
    place.write("examples/historic.pgn", &games);
    // The script creates its own folder; here it runs in that of the test.
    let script = include_str!("attacks/stdin-overwritten.sh");
    let script = script.replace("D=$(mktemp -d); cd $D;", "");
    assert!(!script.contains("mktemp"));
    place.write("script.sh", script);
    let path = format!("PATH={}:$PATH", env!("CARGO_BIN_EXE_cql").trim_end_matches("/cql"));
    let ran = place.shell(&format!("{path} bash script.sh"));
    assert_eq!(place.read("d.pgn"), games, "{ran:?}");
    assert_eq!(place.read("t.pgn"), games.repeat(2), "{ran:?}");
    let n_games = games.lines().filter(|line| line.starts_with("[Event ")).count();
    assert!(ran.out.lines().any(|line| line == n_games.to_string()), "{ran:?}");
    assert_eq!(format!("{}{}", ran.out, ran.err).matches(REFUSED).count(), 3, "{ran:?}");
}

#[test]
fn archives_and_their_texts_are_kept() {
    let place = new();
    assert_eq!(place.run("index g.pgn --self-contained").status, Some(0));
    let archive = files_in(place.dir()).into_iter().find(|name| name.ends_with(".cqa"));
    let archive = archive.expect("an archive");
    // The text that the archive represents, a file in the archive, and the only copy of a text.
    refused(&place, &format!("cql -i {archive} -cql mate -o g.pgn"), REFUSED);
    refused(
        &place,
        &format!("cql index {archive} --export {archive}/x.csv"),
        "become part of an archive",
    );
    refused(
        &place,
        &format!("cql g.pgn -cql mate --force --format pgn -o {archive}/manifest.json"),
        "become part of an archive",
    );
    refused(
        &place,
        &format!("cql g.pgn -cql 'writefile(\"{archive}/manifest.cql\" \"x\")' -o out.pgn"),
        "become part of an archive",
    );
    for line in [
        format!("cql index --check {archive} >> {archive}/manifest.json"),
        format!("cql index --check {archive} >> g.pgn"),
        format!("cql -i {archive} -cql mate --stdout >> {archive}/manifest.json"),
        format!("cql -i g.pgn -cql mate --stdout >> {archive}/manifest.json"),
        format!("cql -i g.pgn -cql 'bad(' >> {archive}/manifest.json"),
    ] {
        refused(&place, &line, "standard output is the input");
    }
    fs::remove_file(place.path("g.pgn")).expect("removed");
    refused(&place, &format!("cql -i {archive} -cql mate -o g.pgn"), "read from its archive");
}

#[test]
fn shards_that_are_read_are_kept() {
    let place = new();
    assert_eq!(place.run("split g.pgn -o shards").status, Some(0));
    let shard = fs::read(place.path("shards/00001.pgn.zst")).expect("a shard");
    symlink("shards/00001.pgn.zst", place.path("link.pgn.zst")).expect("linked");
    for line in [
        "cql split link.pgn.zst -o shards --force",
        "cql split - -o shards --force < shards/00001.pgn.zst",
    ] {
        let ran = place.shell(line);
        assert!(ran.err.contains(REFUSED), "{line}: {ran:?}");
        assert_eq!(fs::read(place.path("shards/00001.pgn.zst")).expect("kept"), shard);
    }
}

#[test]
fn results_that_are_merged_are_kept() {
    let place = new();
    assert_eq!(place.run("split g.pgn -o shards").status, Some(0));
    let line = "run q.cql --manifest shards --output-dir results";
    assert_eq!(place.run(line).status, Some(0));
    let summary = files_in(&place.path("results"));
    let summary = summary.iter().find(|name| name.starts_with("summary"));
    let summary = format!("results/{}", summary.expect("a summary"));
    let before = fs::read(place.path(&summary)).expect("a summary");
    let ran = place.shell(&format!("cql merge results -o merged >> {summary}"));
    assert!(ran.err.contains("standard output is the input"), "{ran:?}");
    assert!(!place.path("merged").exists());
    assert!(fs::read(place.path(&summary)).expect("kept") == before);
}

#[test]
fn what_is_changed_in_place_is_changed() {
    let place = new();
    place.write("q.cql", "cql() piece x in A attacks k");
    assert_eq!(place.run("-u q.cql").status, Some(0));
    assert!(
        place.read("q.cql").contains('♔')
            || place.read("q.cql").contains('△')
            || !place.read("q.cql").is_ascii()
    );
    assert_eq!(place.run("-a q.cql").status, Some(0));
    assert!(place.read("q.cql").is_ascii());
    // An earlier result among the games is not an input.
    for _ in 0..2 {
        let ran = place.run("-i folder -cql mate -o folder/found.pgn");
        assert!(ran.out.contains("1 matches of 3 games"), "{ran:?}");
    }
    // Here the folder is not read.
    let ran = place.run("dedup g.pgn -o folder/g.pgn");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let ran = place.run("-i folder -cql mate -o folder/g.pgn --force");
    assert_eq!(ran.status, Some(0), "{ran:?}");
}

#[test]
fn files_have_the_mode_of_the_user() {
    let place = new();
    fs::set_permissions(place.path("folder/g.pgn"), fs::Permissions::from_mode(0o604))
        .expect("set");
    let ran = place.shell(
        "umask 027; cql g.pgn -cql mate -o a.pgn; cql g.pgn -cql initial -o '{Event}-{ECO}.pgn'; \
         cql dedup g.pgn -o d.pgn; cql doctor g.pgn --repair r.pgn; cql g.pgn -cql mate -o folder/g.pgn",
    );
    for (name, mode) in [
        ("a.pgn", 0o640),
        ("b-B00.pgn", 0o640),
        ("d.pgn", 0o640),
        ("r.pgn", 0o640),
        ("folder/g.pgn", 0o604),
    ] {
        let found = fs::metadata(place.path(name)).map(|file| file.permissions().mode() & 0o777);
        assert_eq!(found.ok(), Some(mode), "{name}: {ran:?}");
    }
}

/// Returns `n` games and a longer one, each with an `Event` of its own.
fn one_by_one(n: usize) -> String {
    let game = |i| format!("[Event \"e{i:05}\"]\n\n1.e4 e5 *\n\n");
    let long = format!("[Event \"long\"]\n\n1.e4 {{{}}} e5 *\n\n", "x ".repeat(7000));
    (0..n).map(game).chain([long]).collect()
}

#[test]
fn files_by_tags_appear_together_on_a_full_disk() {
    let place = Place::empty();
    place.write("g.pgn", one_by_one(20));
    let out = fs::create_dir(place.path("out"));
    out.expect("made");
    // The long game alone exceeds the size limit of a file.
    let line = "cql g.pgn -cql initial -o 'out/{Event}.pgn'";
    let ran = place.shell(&format!("ulimit -f 8; {line}"));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains("none of the files was written"), "{ran:?}");
    assert!(files_in(&place.path("out")).is_empty());
    let ran =
        place.shell(&format!("ulimit -f 8; {line} --createdirectories -o 'new/{{Event}}/x.pgn'"));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(files_in(place.dir()), ["g.pgn", "out"]);
    let ran = place.shell(line);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(files_in(&place.path("out")).len(), 21);
}

#[test]
fn files_by_tags_appear_together_or_not_when_the_run_is_stopped() {
    let n_files = 3001;
    let place = Place::empty();
    place.write("g.pgn", one_by_one(n_files - 1));
    let mut n_stopped = 0;
    for (round, signal) in ["INT", "TERM"].into_iter().cycle().take(16).enumerate() {
        let folder = format!("out{round}");
        fs::create_dir(place.path(&folder)).expect("made");
        let output = format!("{folder}/{{Event}}.pgn");
        let mut command = place.command(&["g.pgn", "-cql", "initial", "-o", &output]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program runs");
        // The signals are sent between the start of the first file and the end of the last.
        thread::sleep(Duration::from_millis(20 * round as u64));
        let number = child.id().to_string();
        let kill = std::process::Command::new("kill").args(["-s", signal, &number]).output();
        drop(kill);
        let output = child.wait_with_output().expect("it ends");
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let files = files_in(&place.path(&folder));
        let n_hidden = files.iter().filter(|name| name.starts_with('.')).count();
        assert_eq!(n_hidden, 0, "{said}");
        assert!([0, n_files].contains(&files.len()), "{}: {said}", files.len());
        let says_none = said.contains("no output was written");
        assert!(!says_none || files.is_empty(), "{} files: {said}", files.len());
        n_stopped += usize::from(files.is_empty());
    }
    assert!(n_stopped > 0);
}
