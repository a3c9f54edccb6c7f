//! Recognizes games without issues by a few tests of the parsed game, without the full examination,
//! which reads everything again token by token.

use memchr::{memchr, memchr3};

use super::moves::without_signs;
use super::tags::{fen_error, standing_check, usual_fen};
use crate::bytes::{is_blank, is_space};
use crate::split::RawGame;
use crate::tags::TextTags;
use crate::tree::{GameTree, Stop};
use crate::variant::Variant;

/// Whether it is plain that [`Examiner::examine`](super::Examiner::examine) finds nothing in a game
/// that has just been read into a tree. `false` decides nothing: it is returned for all games with
/// comments or variations.
#[must_use]
pub fn is_plainly_sound(raw: &RawGame<'_>, tags: TextTags<'_>, tree: &GameTree) -> bool {
    let text = tags.text();
    raw.faults.is_empty()
        && tags.variant() == Variant::Standard
        && tree.stop() == Stop::Result
        && !tree.may_lack_moves()
        && tree.lost.glyphs.is_none()
        && has_plain_bytes(text)
        && tags.is_plain_section()
        && tags.raw(b"Result").is_none_or(|value| value == tree.result().as_str().as_bytes())
        && tags.raw(b"FEN").is_none_or(|fen| {
            fen_error(Variant::Standard, fen).is_none()
                && usual_fen(Variant::Standard, fen).is_none()
                && standing_check(Variant::Standard, fen).is_none()
        })
        && has_only_moves(tags.moves())
        && has_usual_moves(tags.moves(), tree)
}

/// Whether there are neither comments nor variations, nor signs that begin or end them.
fn has_only_moves(moves: &[u8]) -> bool {
    memchr3(b'{', b'}', b'(', moves).is_none()
        && memchr3(b')', b';', b'%', moves).is_none()
        && !has_blank_line(moves)
}

/// Whether the words of a game without variations are its moves in the usual spelling, with numbers
/// and signs.
fn has_usual_moves(moves: &[u8], tree: &GameTree) -> bool {
    let mut node = 0;
    for word in moves.split(|b| is_space(*b)) {
        // Dots follow only numbers.
        let dots = word.iter().rposition(|b| *b == b'.').map_or(0, |at| at + 1);
        let (number, word) = word.split_at(dots);
        if !number.iter().all(|b| b.is_ascii_digit() || *b == b'.') {
            return false;
        }
        match word {
            [] | [b'1'..=b'9' | b'$' | b'!' | b'?' | b'+' | b'#' | b'*', ..] | b"0-1" => {}
            _ => {
                node += 1;
                if node >= tree.len() || !tree.is_usual(node, without_signs(word)) {
                    return false;
                }
            }
        }
    }
    node + 1 == tree.len()
}

fn has_blank_line(moves: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', moves).any(|end| {
        let mut rest = moves[end + 1..].iter();
        rest.find(|byte| !is_blank(**byte) || **byte == b'\n') == Some(&b'\n')
    })
}

/// Whether all bytes belong into a text, and its lines all end in the same way.
fn has_plain_bytes(text: &[u8]) -> bool {
    let is_plain = |byte: u8| byte >= b' ' && byte != 127 || matches!(byte, b'\t' | b'\n' | b'\r');
    // Without a branch for each byte: nearly always all of them are read.
    text.iter().fold(true, |all, &byte| all & is_plain(byte))
        && (text.is_ascii() || str::from_utf8(text).is_ok())
        && has_plain_line_ends(text)
}

fn has_plain_line_ends(text: &[u8]) -> bool {
    if memchr(b'\r', text).is_none() {
        return true;
    }
    let count = |wanted: u8| text.iter().filter(|&&byte| byte == wanted).count();
    let pairs = text.windows(2).filter(|pair| *pair == b"\r\n").count();
    count(b'\r') == pairs && count(b'\n') == pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::doctor::Examiner;
    use crate::split::Splitter;
    use crate::tags::TagIndex;

    const GAME: &str = "[Event \"A\"]\n[White \"Müller, [C]\"]\n[Result \"1-0\"]\n\
        [FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1.a8=Q+ Kd7 2.O-O $1 Kc7 1-0";

    /// Returns the verdict on each game, after a comparison with the findings of the doctor.
    fn sound(text: &[u8]) -> Vec<bool> {
        let (mut index, mut tree, mut buffer) =
            (TagIndex::default(), GameTree::default(), Vec::new());
        let mut examiner = Examiner::default();
        let mut splitter = Splitter::default();
        let games = splitter.split(text, true);
        let said = games.filter(|raw| !raw.is_skipped()).map(|raw| {
            let clean = raw.clean_text(&mut buffer);
            index.scan_game(&raw, clean);
            let tags = index.tags(clean);
            tree.parse(tags);
            let is_sound = is_plainly_sound(&raw, tags, &tree);
            let findings = examiner.examine(&raw);
            let shown = String::from_utf8_lossy(raw.text);
            assert!(!is_sound || findings.is_empty(), "{shown}: {findings:?}");
            is_sound
        });
        said.collect()
    }

    #[test]
    fn ordinary_games_are_plainly_sound() {
        assert_eq!(sound(GAME.as_bytes()), [true]);
        assert_eq!(sound(GAME.replace('\n', "\r\n").as_bytes()), [true]);
        let [start, moves] = ["[White \"B\"]\n\n", "1.e4 e5 1/2-1/2\n\n"];
        assert_eq!(sound([start, moves, start, moves].concat().as_bytes()), [true; 2]);
        for (from, to) in [
            ("\"A\"", "\"A\"\""),
            ("[White", " [White"),
            ("[White", "[Event"),
            ("[White", "\n[White"),
            ("[Result \"1-0\"", "[Result \"0-1\""),
            ("4K2R w", "4K2R"),
            ("\n\n", "\n"),
            ("Müller", "M\u{1}ller"),
            ("]\n[White", "]\r\n[White"),
            ("Kd7", "Kd8"),
            ("Kd7", "kd7"),
            ("O-O", "0-0"),
            ("a8=Q+", "ab8=Q+"),
            ("Kd7", "Kxd7"),
            ("Kd7", "0000"),
            ("Kd7", "Kd7 )"),
            ("Kc7", "Kc7 *"),
            (" 1-0", ""),
        ] {
            let text = GAME.replacen(from, to, 1);
            assert!(!sound(text.as_bytes())[0], "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_plainly_sound_is_sound(
            changes in proptest::collection::vec((0..GAME.len(), any::<prop::sample::Index>(), 0..3), 1..4)
        ) {
            const BYTES: &[u8] = b"\n\r\t []\"\\{}();%.$!x+=0O-1*aNe\0\xa0\xc2";
            let mut text = GAME.as_bytes().to_vec();
            for (at, byte, how) in changes {
                let byte = BYTES[byte.index(BYTES.len())];
                let at = at.min(text.len() - 1);
                match how {
                    0 => text[at] = byte,
                    1 => text.insert(at, byte),
                    _ => drop(text.remove(at)),
                }
            }
            sound(&text);
        }
    }
}
