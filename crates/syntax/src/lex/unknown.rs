//! Characters that no token begins with, and what their writer may have meant.

use super::Lexer;

impl Lexer<'_> {
    /// Characters that no token begins with. A run of the same kind is one error.
    pub(super) fn unknown(&mut self) -> bool {
        let start = self.at;
        let rest = &self.text[start..];
        let Some((character, length)) = decode(rest) else {
            let length = rest
                .iter()
                .take_while(|byte| !byte.is_ascii())
                .scan(0, |skip, _| {
                    *skip += 1;
                    Some(*skip)
                })
                .take_while(|&count| decode(&rest[count - 1..]).is_none())
                .count()
                .max(1);
            self.at += length;
            self.error(
                "E0004",
                start,
                self.at,
                format!("the byte 0x{:02X} is no UTF-8 text", rest[0]),
                "save the query as UTF-8",
            );
            return true;
        };
        self.at += length;
        while self.text[self.at..].starts_with(&rest[..length]) {
            self.at += length;
        }
        let point = u32::from(character);
        let (code, message) = if character == '\u{2015}' {
            ("E0005", "found a single `―` (U+2015)".to_owned())
        } else if character.is_ascii_graphic() {
            (
                "E0003",
                format!("the character `{character}` has no meaning here"),
            )
        } else if character.is_control() || is_invisible(character) {
            ("E0004", format!("unknown character U+{point:04X}"))
        } else {
            (
                "E0004",
                format!("unknown character `{character}` (U+{point:04X})"),
            )
        };
        let help = help_for(character).unwrap_or("");
        self.error(code, start, self.at, message, help);
        true
    }
}

/// What to say about a character that has no meaning.
fn help_for(character: char) -> Option<&'static str> {
    Some(match character {
        '!' => "write `!=` for \"not equal\", or the word `not`",
        '\'' | '\u{2018}'..='\u{201f}' | '«' | '»' | '″' | '＂' | '‹' | '›' => {
            "write strings between straight double quotes: `\"`"
        }
        '`' => "write strings between double quotes: `\"`",
        '^' => "CQL has no power operator; write the product",
        '@' => "remove it",
        '\u{2015}' => "a dash is written with two of these signs, `――`, or in ASCII as `--`",
        '\u{2010}'..='\u{2014}' | '−' | '\u{fe58}' | '﹣' | '－' | '─' | '━' => {
            "write `-` for minus or `--` for a move"
        }
        '\u{fe00}'..='\u{fe0f}' => {
            "remove this invisible character (a variation selector behind the sign before it)"
        }
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            "write an ordinary blank"
        }
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{2028}' | '\u{2029}' => {
            "remove this invisible character"
        }
        '∈' | '∋' | 'є' | '€' => "write `∊` (U+220A) or `[element]`",
        '✕' | '✖' | '⨯' | '⨉' | 'х' | '╳' | '⤫' => "write `×` (U+D7) or `[x]`",
        '⇒' | '➔' | '➙' | '➜' | '⟶' | '⇾' | '➝' | '￫' => {
            "write `→` (U+2192) or `->`"
        }
        '⇐' | '⟵' | '⇽' | '￩' => "write `←` (U+2190) or `<-`",
        '⩽' | '≦' | '⇤' => "write `≤` (U+2264) or `<=`",
        '⩾' | '≧' => "write `≥` (U+2265) or `>=`",
        '≟' | '≡' | '＝' => "write `==`",
        '·' | '•' | '⋅' | '●' | '⚫' | '∘' => "write `∙` (U+2219) or `currentposition`",
        '∅' | 'ø' | 'Ø' => "write `[]` for the empty set",
        '∧' | '⋀' => "write `and`, or `&` between sets",
        '∨' | '⋁' => "write `or`, or `|` between sets",
        '¬' => "write `not`, or `~` before a set",
        '⋂' | '⊓' => "write `∩` (U+2229) or `&`",
        '⋃' | '⊔' => "write `∪` (U+222A) or `|`",
        '⊂' | '⊆' => "write `in`",
        '∆' | 'Δ' | '▵' | '⃤' => "write `△` (U+25B3) or `A`",
        '▴' => "write `▲` (U+25B2) or `a`",
        '◻' | '▢' | '⬜' | '☐' | '◽' => "write `□` (U+25A1) or `_`",
        '⊦' | '├' => "write `⊢` (U+22A2) or `path`",
        '⊙' | '◉' | '⦿' | '⊚' => "write `◎` (U+25CE) or `focus`",
        '…' => "write `...` as separate dots, or remove it",
        '½' => "write a drawn result as `1/2-1/2`",
        '＆' => "write `&`",
        '＃' | '♯' => "write `#`",
        '（' => "write `(`",
        '）' => "write `)`",
        '［' => "write `[`",
        '］' => "write `]`",
        '｛' => "write `{`",
        '｝' => "write `}`",
        '，' | '、' => "write `,`",
        '：' => "write `:`",
        '；' => "write `;`",
        _ => return None,
    })
}

/// The character at the start of `text` and its length in bytes; `None` if it is no UTF-8.
pub(super) fn decode(text: &[u8]) -> Option<(char, usize)> {
    let length = match text.first()? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    let character = std::str::from_utf8(text.get(..length)?)
        .ok()?
        .chars()
        .next()?;
    Some((character, length))
}

/// Whether a character shows nothing, so that only its number helps.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}'
            | '\u{3000}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e000}'..='\u{f8ff}'
    )
}
