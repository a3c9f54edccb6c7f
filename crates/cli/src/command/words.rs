//! `cql help WORD` and `cql explain WORD`: shows the entry of the manual for a word of the
//! language.

mod terminal;

use ide::manual;
pub(super) use ide::manual::nearest;
use syntax::parse::plain_title;
pub(super) use terminal::blocks;

/// Returns the entry of the manual for a word or a sign.
pub(super) fn entry(word: &str) -> Option<String> {
    let entry = manual::entry(word)?;
    let mut text = format!("{word}: {}", entry.title);
    if let Some(title) = entry.section {
        text += &format!(", {}", manual::plain(title));
    }
    text += "\n\n";
    text += &blocks(&entry.blocks, false);
    text += &format!("\nMore: cql help {}\n", plain_title(entry.title));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::builtin::Keyword;

    #[test]
    fn every_word_has_an_entry() {
        let mut n = 0;
        for keyword in Keyword::ALL {
            let word = keyword.text();
            let text = entry(word).unwrap_or_else(|| panic!("{word} has no entry"));
            let blocks = manual::entry(word).map(|entry| entry.blocks);
            let queries: Vec<&str> =
                blocks.iter().flatten().flat_map(lines_of_query).copied().collect();
            let (head, body) = text.split_once("\n\n").expect("a heading");
            assert!(head.starts_with(&format!("{word}: ")), "{head}");
            assert!(body.contains(word), "{word}: {text}");
            for line in text.lines() {
                // Lines of queries are not wrapped.
                let is_of_query = queries.contains(&line.trim_start());
                assert!(line.chars().count() <= 100 || is_of_query, "{word}: {line}");
                assert!(!line.contains("](") && !line.contains("&#"), "{word}: {line}");
            }
            assert!(text.lines().count() < 90, "{word}: {text}");
            n += 1;
        }
        assert!(n > 190, "{n}");
    }

    fn lines_of_query<'b>(block: &'b manual::ManualBlock<'_>) -> &'b [&'b str] {
        match block {
            manual::ManualBlock::Query(lines) => lines,
            _ => &[],
        }
    }

    #[test]
    fn an_entry_is_short_and_legible() {
        let expected = "\
wtm: Board and pieces, Side to move

  wtm, btm  Boolean  White, Black is to move

More: cql help board and pieces
";
        assert_eq!(entry("wtm").as_deref(), Some(expected));
        let mate = entry("mate").expect("an entry");
        // The row that `mate` continues is there, too.
        assert!(mate.contains("  check  Boolean  its king is attacked\n"), "{mate}");
        assert!(mate.contains("  mate   Boolean  … and there is no legal move\n"), "{mate}");
        assert!(!mate.contains("puremate  "), "{mate}");
    }

    #[test]
    fn signs_have_entries() {
        for sign in ["⬓", "∙", "->", "→", "--", "[x]", "~~", "+=", "&"] {
            assert!(entry(sign).is_some(), "{sign}");
        }
        for word in ["countsquares", "lcasum", ":piececount", ":flipdiagonal"] {
            let text = entry(word).unwrap_or_else(|| panic!("{word}"));
            assert!(text.starts_with(&format!("{word}: The words of CQL 5")), "{text}");
            assert!(text.contains(&format!("  {word}  ")), "{text}");
        }
        for word in ["", "mte", "K", "§", " "] {
            assert_eq!(entry(word), None, "{word}");
        }
        assert_eq!(nearest("stalmate"), Some("stalemate"));
    }
}
