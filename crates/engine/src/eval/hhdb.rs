//! Evaluates the `hhdb` filters, which follow the conventions of the Harold van der Heijden study
//! database.
//!
//! The Event tag has awards and the source; the Black tag has flags and the GBR code. The comment
//! before the first move has the stipulation and EG numbers. Comments after moves have marks such
//! as `<cook`.

use board::Color;
use memchr::memmem;
use syntax::tree::{Award, AwardKind, HhdbFlag, HhdbText};

use super::evaluator::Evaluator;
use compiler::program::GameText;

impl Evaluator<'_> {
    pub(super) fn hhdb_flag(&mut self, flag: &HhdbFlag) -> bool {
        match flag {
            HhdbFlag::Black(text) => self.black_has(text),
            HhdbFlag::Mark(mark) => {
                let comment = self.comment_of(self.at);
                comment.is_some_and(|comment| contains(&comment, mark))
            }
            HhdbFlag::Cooked => self.is_cooked(),
            HhdbFlag::Sound => {
                let dual = self.black_has("U1") || self.black_has("U2");
                let fault = ["U3", "U4", "U5"].iter().any(|flag| self.black_has(flag));
                !(self.is_cooked() && dual || fault)
            }
            HhdbFlag::Unsound => {
                self.is_cooked()
                    || ["U1", "U2", "U3", "U4", "U5"].iter().any(|flag| self.black_has(flag))
            }
            HhdbFlag::Dual => self.black_has("U1") || self.black_has("U2"),
            HhdbFlag::Mainline => !self.leaves_main_line(),
            HhdbFlag::Variation => self.leaves_main_line(),
        }
    }

    fn black_has(&self, flag: &str) -> bool {
        self.record
            .text(&GameText::Player(Color::Black))
            .is_some_and(|black| contains(&black, flag))
    }

    fn is_cooked(&mut self) -> bool {
        self.count_text(self.record.raw_text.len());
        contains(self.record.raw_text, "<cook")
    }

    /// Whether a position on the way here was reached by a variation move without `<main>`.
    fn leaves_main_line(&mut self) -> bool {
        let mut next = Some(self.at);
        while let Some(position) = next.filter(|&position| position != 0) {
            self.charge(1);
            let is_variation = self.positions.sibling_index(position) > 0;
            let is_main = |comment: Vec<u8>| contains(&comment, "<main>");
            if is_variation && !self.comment_of(position).is_some_and(is_main) {
                return true;
            }
            next = self.positions.parent(position);
        }
        false
    }

    /// Returns the comment of a position. Making it counts as steps.
    fn comment_of(&mut self, position: u32) -> Option<Vec<u8>> {
        let comment = self.record.comment(self.positions.node(position)?)?;
        self.count_text(comment.len());
        Some(comment)
    }

    pub(super) fn hhdb_text(&mut self, key: HhdbText) -> Option<Vec<u8>> {
        match key {
            HhdbText::Composer => {
                if self.state.composer.is_none() {
                    self.state.composer = Some(self.composer());
                }
                self.state.composer.clone().flatten()
            }
            HhdbText::Diagram => diagram(&self.event()?),
            HhdbText::FirstComment => self.first_comment(),
            HhdbText::Gbr => self.gbr(0..12),
            HhdbText::GbrMaterial => self.gbr(1..8),
            HhdbText::GbrPieces => self.gbr(1..5),
            HhdbText::GbrPawns => self.gbr(6..8),
            HhdbText::GbrKings => self.gbr(8..12),
            HhdbText::Stipulation => stipulation(&self.first_comment()?),
            HhdbText::Search => {
                let mut text = self.event()?;
                for color in [Color::White, Color::Black] {
                    text.push(b'\n');
                    text.extend_from_slice(&self.record.text(&GameText::Player(color))?);
                }
                if let Some(comment) = self.first_comment() {
                    text.push(b'\n');
                    text.extend(comment);
                }
                Some(text)
            }
        }
    }

    fn event(&self) -> Option<Vec<u8>> {
        self.record.text(&GameText::Event).map(|text| text.into_owned())
    }

    fn first_comment(&mut self) -> Option<Vec<u8>> {
        self.comment_of(0).filter(|comment| !comment.is_empty())
    }

    fn composer(&mut self) -> Option<Vec<u8>> {
        if self.black_has("MC") {
            let comment = self.first_comment()?;
            let end = memchr::memchr(b'.', &comment).unwrap_or(comment.len());
            return Some(comment[..end].to_vec());
        }
        let white = self.record.text(&GameText::Player(Color::White))?;
        Some(white.strip_suffix(b" NN").unwrap_or(&white).to_vec())
    }

    fn gbr(&self, part: std::ops::Range<usize>) -> Option<Vec<u8>> {
        let black = self.record.text(&GameText::Player(Color::Black))?;
        let code = black.windows(12).find(|code| is_gbr(code))?;
        Some(code[part].to_vec())
    }

    pub(super) fn eg_diagram(&mut self) -> Option<i32> {
        let comment = self.first_comment()?;
        memmem::find_iter(&comment, b"EG#").find_map(|start| {
            let digits = comment[start + 3..].iter().take_while(|byte| byte.is_ascii_digit());
            let mut value = None;
            for digit in digits {
                let number = value.unwrap_or(0i32).wrapping_mul(10);
                value = Some(number.wrapping_add(i32::from(digit - b'0')));
            }
            value
        })
    }

    pub(super) fn award_matches(&mut self, award: &Award) -> bool {
        let Some(found) = self.event().as_deref().and_then(parse_award) else {
            return false;
        };
        let kind_fits = match award.kind {
            AwardKind::Any => true,
            kind => kind == found.kind,
        };
        if !kind_fits || award.special && !found.special {
            return false;
        }
        if let Some([category, rank, max]) = award.sort {
            let number = match found.kind {
                AwardKind::Any | AwardKind::Prize => 1,
                AwardKind::HonorableMention => 3,
                AwardKind::Commendation => 5,
            };
            self.offer_sort(category, number + i32::from(found.special));
            self.offer_sort(rank, found.rank.unwrap_or(1));
            self.offer_sort(max, found.max_rank());
        }
        true
    }

    /// Returns the rank of the award. A special award has a rank only if the filter says `special`.
    pub(super) fn award(&mut self, award: &Award) -> Option<i32> {
        if !self.award_matches(award) {
            return None;
        }
        let found = parse_award(&self.event()?)?;
        if found.special && !award.special {
            return None;
        }
        Some(if award.max { found.max_rank() } else { found.rank.unwrap_or(1) })
    }
}

fn contains(text: &[u8], needle: &str) -> bool {
    memmem::find(text, needle.as_bytes()).is_some()
}

/// `[+-=]\d{4}\.\d{2}[a-h][1-8][a-h][1-8]`; the first class is a range, as in the reference.
fn is_gbr(code: &[u8]) -> bool {
    let digits = |range: std::ops::Range<usize>| code[range].iter().all(u8::is_ascii_digit);
    let square =
        |i: usize| (b'a'..=b'h').contains(&code[i]) && (b'1'..=b'8').contains(&code[i + 1]);
    (b'+'..=b'=').contains(&code[0])
        && digits(1..5)
        && code[5] == b'.'
        && digits(6..8)
        && square(8)
        && square(10)
}

/// Returns the text from the first `#` to the next blank, without both; a `#` before a blank is
/// skipped.
fn diagram(event: &[u8]) -> Option<Vec<u8>> {
    memchr::memchr_iter(b'#', event).find_map(|at| {
        let rest = &event[at + 1..];
        let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
        (end > 0).then(|| rest[..end].to_vec())
    })
}

/// Returns the text between `stipulation: ` and the next `.`.
fn stipulation(comment: &[u8]) -> Option<Vec<u8>> {
    const KEY: &[u8] = b"stipulation: ";
    memmem::find_iter(comment, KEY).find_map(|at| {
        let rest = &comment[at + KEY.len()..];
        let end = memchr::memchr(b'.', rest)?;
        (end > 0).then(|| rest[..end].to_vec())
    })
}

/// An award as described in the Event tag.
#[derive(Debug, PartialEq, Eq)]
struct FoundAward {
    rank: Option<i32>,
    second: Option<i32>,
    special: bool,
    kind: AwardKind,
}

impl FoundAward {
    fn max_rank(&self) -> i32 {
        match (self.rank, self.second) {
            (None, _) => 10_000,
            (Some(rank), second) => second.unwrap_or(rank),
        }
    }
}

/// Parses `[Rank ["/" Rank] [".sp"] | "sp"] "." Kind …` at the start of the Event tag.
fn parse_award(event: &[u8]) -> Option<FoundAward> {
    let (rank, rest) = leading_rank(event);
    let mut rest = rest;
    let mut second = None;
    if let (Some(first), [b'/', tail @ ..]) = (rank, rest) {
        let (number, tail) = leading_rank(tail);
        let number = number?;
        if number <= first {
            return None;
        }
        second = Some(number);
        rest = tail;
    }
    let mark: &[u8] = if rank.is_some() { b".sp" } else { b"sp" };
    let special = rest.starts_with(mark) && rest.get(mark.len()) == Some(&b'.');
    if special {
        rest = &rest[mark.len()..];
    }
    let rest = rest.strip_prefix(b".")?;
    let kind = if rest.starts_with(b"p") {
        AwardKind::Prize
    } else if rest.starts_with(b"hm") {
        AwardKind::HonorableMention
    } else if rest.starts_with(b"c") {
        AwardKind::Commendation
    } else {
        return None;
    };
    Some(FoundAward { rank, second, special, kind })
}

fn leading_rank(text: &[u8]) -> (Option<i32>, &[u8]) {
    let n = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let value = std::str::from_utf8(&text[..n])
        .ok()
        .and_then(|digits| digits.parse::<i32>().ok())
        .filter(|rank| (1..=100_000_000).contains(rank));
    match value {
        Some(rank) => (Some(rank), &text[n..]),
        None => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awards_are_read_from_the_start_of_the_event() {
        let check = |event: &str, want: Option<(Option<i32>, Option<i32>, bool, AwardKind)>| {
            let found =
                parse_award(event.as_bytes()).map(|a| (a.rank, a.second, a.special, a.kind));
            assert_eq!(found, want, "{event}");
        };
        use AwardKind::{Commendation, HonorableMention, Prize};
        check("3.p Ty", Some((Some(3), None, false, Prize)));
        check("1/2.hm Ty", Some((Some(1), Some(2), false, HonorableMention)));
        check("2/1.hm Ty", None);
        check(".c Ty", Some((None, None, false, Commendation)));
        check("sp.p Ty", Some((None, None, true, Prize)));
        check("2.sp.hm Ty", Some((Some(2), None, true, HonorableMention)));
        check("x3.p", None);
        check("0.p", None);
    }

    #[test]
    fn gbr_codes_have_a_fixed_shape() {
        assert!(is_gbr(b"+0016.32d4g7"));
        assert!(is_gbr(b"50016.32d4g7"));
        assert!(!is_gbr(b"+0016.32d9g7"));
        assert!(!is_gbr(b"+0016,32d4g7"));
    }

    #[test]
    fn pieces_of_text_are_found() {
        assert_eq!(diagram(b"x # #12a y"), Some(b"12a".to_vec()));
        assert_eq!(stipulation(b"stipulation: win."), Some(b"win".to_vec()));
        assert_eq!(stipulation(b"stipulation: win"), None);
    }
}
