//! Normalizes players' names as the reference does.

use std::borrow::Cow;

use memchr::memchr_iter;

/// Returns the digits of a rating in parentheses at the end of a name, once the name is normalized.
pub(crate) fn rating_in_name(name: &[u8]) -> Option<[u8; 4]> {
    if !trim_tail(name).ends_with(b")") {
        return None;
    }
    split_rating(&tidied(name)).1
}

/// Normalizes a name: one space after each comma, no blanks before the name, no blanks and dots
/// after it, then no rating, and `Van der`, `Van den`, `Van de`, `Van` in that spelling at the
/// start.
pub(crate) fn standard_name(name: &[u8]) -> Cow<'_, [u8]> {
    // The part before a rating is not trimmed again.
    match tidied(name) {
        Cow::Borrowed(name) => Cow::Borrowed(split_rating(name).0),
        Cow::Owned(mut name) => {
            name.truncate(split_rating(&name).0.len());
            Cow::Owned(name)
        }
    }
}

/// Splits a name into the part before ` (dddd)` at its end, and the digits.
fn split_rating(name: &[u8]) -> (&[u8], Option<[u8; 4]>) {
    match name {
        [before @ .., b' ', b'(', a, b, c, d, b')']
            if [a, b, c, d].into_iter().all(u8::is_ascii_digit) =>
        {
            (before, Some([*a, *b, *c, *d]))
        }
        _ => (name, None),
    }
}

/// Normalizes a name as [`standard_name`] does, but keeps its rating.
fn tidied(name: &[u8]) -> Cow<'_, [u8]> {
    let start = name.iter().position(|&b| b != b' ').unwrap_or(name.len());
    let name = trim_tail(&name[start..]);
    let has_van = matches!(name, [b'v' | b'V', b'a', b'n', b' ', ..]);
    let mut commas = memchr_iter(b',', name);
    // A comma near the end must always be examined more closely.
    if !has_van && commas.all(|at| matches!(name[at + 1..], [b' ', next, ..] if next != b' ')) {
        return Cow::Borrowed(name);
    }
    let mut out = Vec::with_capacity(name.len() + 4);
    let mut rest = name;
    while let [byte, tail @ ..] = rest {
        out.push(*byte);
        rest = tail;
        if *byte == b',' {
            out.push(b' ');
            while let [b' ', tail @ ..] = rest {
                rest = tail;
            }
        }
    }
    out.truncate(trim_tail(&out).len());
    if out.starts_with(b"van ") {
        out[0] = b'V';
    }
    for particle in [b"Van Der ".as_slice(), b"Van Den ", b"Van De "] {
        if out.starts_with(particle) {
            out[4] = b'd';
        }
    }
    Cow::Owned(out)
}

/// Returns a byte of a text that a name must contain if the normalized name contains the text.
/// Capital letters come first, since names have few of them. Only ASCII is used: other letters may
/// have another encoding in the name.
pub(crate) fn kept_byte(text: &[u8]) -> Option<u8> {
    // Normalization adds blanks, and the particles change these letters.
    let is_kept = |byte: &&u8| byte.is_ascii() && !matches!(byte, b' ' | b'v' | b'V' | b'd' | b'D');
    let kept = || text.iter().filter(is_kept);
    let capital = kept().find(|byte| byte.is_ascii_uppercase());
    capital.or_else(|| kept().next()).copied()
}

fn trim_tail(name: &[u8]) -> &[u8] {
    let end = name.iter().rposition(|b| !matches!(b, b' ' | b'\t' | b'.'));
    &name[..end.map_or(0, |end| end + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, want) in [
            ("", ""),
            ("?", "?"),
            ("Smith, John", "Smith, John"),
            ("Smith,John.", "Smith, John"),
            ("Smith,   John", "Smith, John"),
            ("Smith,J,K", "Smith, J, K"),
            ("Smith, ", "Smith,"),
            ("Smith,", "Smith,"),
            ("a,b", "a, b"),
            ("  leading,blank", "leading, blank"),
            ("trailing . \t.", "trailing"),
            ("smith,john. (2345)", "smith, john."),
            ("Smith. (2500)", "Smith."),
            ("Smith.  (2500)", "Smith. "),
            ("Smith,  (2500). .", "Smith,"),
            ("Smith,(2500)", "Smith,"),
            ("van Smith (0000)", "Van Smith"),
            ("Smith (2500) (2600)", "Smith (2500)"),
            ("Smith (234)", "Smith (234)"),
            ("Smith(2345)", "Smith(2345)"),
            (" (2345)", "(2345)"),
            ("van der Berg,  J. ", "Van der Berg, J"),
            ("van Der Berg", "Van der Berg"),
            ("Van Den Berg", "Van den Berg"),
            ("Van De Berg", "Van de Berg"),
            ("Vander Berg", "Vander Berg"),
            ("Ivan van Gogh", "Ivan van Gogh"),
        ] {
            assert_eq!(
                standard_name(name.as_bytes()),
                name_bytes(want),
                "{name:?} should become {want:?}"
            );
        }
    }

    #[test]
    fn ratings_in_names() {
        for (name, want) in [
            ("Smith (2345)", Some(*b"2345")),
            ("Smith,(2345)", Some(*b"2345")),
            ("Smith,  (2345). .", Some(*b"2345")),
            ("Smith (23x5)", None),
            ("Smith(2345)", None),
            (" (2345)", None),
            ("(2345)", None),
            ("", None),
        ] {
            assert_eq!(rating_in_name(name.as_bytes()), want, "{name:?}");
        }
    }

    fn name_bytes(name: &str) -> &[u8] {
        name.as_bytes()
    }

    #[test]
    fn kept_bytes_are_in_the_name_before() {
        for (text, want) in [
            ("Kasparov", Some(b'K')),
            ("parov, G", Some(b'G')),
            ("Van", Some(b'a')),
            ("d v", None),
            ("ü", None),
            ("üb", Some(b'b')),
            ("", None),
        ] {
            assert_eq!(kept_byte(text.as_bytes()), want, "{text}");
        }
        let parts = ["van ", "Van Der ", "Abc", ",", ", ", "D", "v", ".", " (2000)", "e"];
        for i in 0..parts.len().pow(3) {
            let n = parts.len();
            let name = [parts[i % n], parts[i / n % n], parts[i / n / n]].concat();
            let name = name.as_bytes();
            for byte in standard_name(name).iter() {
                let is_kept = kept_byte(&[*byte]).is_none() || name.contains(byte);
                assert!(is_kept, "{}", String::from_utf8_lossy(name));
            }
        }
    }
}
