//! `cql studio` as a process, as other users of the machine see it. Its crate tests the server.
#![cfg(all(unix, feature = "studio"))]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use support::{Place, files_in};

/// Creates a folder for temporary files that everybody may read, like the usual one.
fn new() -> Place {
    let place = Place::empty();
    place.write("g.pgn", "[Event \"x\"]\n\n1.e4 *\n");
    fs::create_dir(place.path("tmp")).expect("made");
    for (path, mode) in [(place.dir().to_owned(), 0o755), (place.path("tmp"), 0o1777)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
    }
    place
}

#[test]
fn another_user_does_not_get_the_token() {
    let is_root = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "true"])
        .status();
    if !is_root.is_ok_and(|status| status.success()) {
        eprintln!("skipped: this needs root and setpriv");
        return;
    }
    let place = new();
    place.write("script.sh", include_str!("attacks/studio-token.sh"));
    let program = env!("CARGO_BIN_EXE_cql").trim_end_matches("/cql");
    for options in ["", "--no-open"] {
        let script = place.read("script.sh").replace("--no-open", options);
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("PATH", format!("{program}:/usr/bin:/bin"))
            .env("TMPDIR", place.path("tmp"))
            .env("HOME", place.path("home"))
            .env_remove("XDG_DATA_HOME")
            .current_dir(place.dir())
            .output()
            .expect("sh runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(place.read("studio-t.log").contains("#token="), "{output:?}");
        assert!(said.lines().any(|line| line == "stolen token: "), "{said}");
        assert!(!said.contains("collections"), "{said}");
    }
}

/// Starts a studio, and waits until it has a folder with a lock.
fn start(place: &Place, folders: usize) -> Child {
    let child = place
        .command(&["studio", "--no-open", "--port", "0", "g.pgn"])
        .env("TMPDIR", place.path("tmp"))
        .env("XDG_DATA_HOME", place.path("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the program runs");
    let mut said = [0; 7];
    let out = child.stdout.as_mut().expect("its output");
    std::io::Read::read_exact(out, &mut said).expect("an address");
    assert_eq!(files_in(&place.path("tmp")).len(), folders);
    child
}

#[test]
fn what_a_killed_studio_leaves_is_for_nobody_and_goes_with_the_next() {
    let place = new();
    let mut killed = start(&place, 1);
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    let left = files_in(&place.path("tmp"));
    let path = place.path(&format!("tmp/{}", left[0]));
    let mode = fs::metadata(&path).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let next = start(&place, 1);
    assert!(!path.exists());
    // A folder of a running studio is left alone.
    let another = start(&place, 2);
    for mut child in [another, next] {
        let number = child.id().to_string();
        let status = Command::new("kill").args(["-s", "INT", &number]).status();
        assert!(status.expect("kill runs").success());
        while child.try_wait().expect("a child").is_none() {
            thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().expect("ended");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_first = said.contains(&left[0]);
        assert_eq!(said.contains("left behind by a studio that was killed"), is_first, "{said}");
    }
    assert!(files_in(&place.path("tmp")).is_empty());
}
