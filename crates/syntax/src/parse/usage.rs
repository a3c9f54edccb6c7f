//! Usage of the words of the language, for messages about incomplete filters.

use crate::builtin::Keyword;

/// Returns an example of a filter that begins with `word`.
pub(super) fn usage(word: &str) -> Option<&'static str> {
    if let Some(keyword) = Keyword::from_text(word) {
        return keyword.usage();
    }
    Some(match word {
        "while (…)" => "write `while (C) F`: F is what is repeated",
        "square … in S" => "write `square x in S F`: F is asked of each square x of S",
        "piece … in S" => "write `piece x in S F`: F is asked of each piece x of S",
        "#" => "write `#S`, the number of squares of a set or the length of a string",
        "~" => "write `~S`, all squares that are not in S",
        "[forall]" => "write `[forall]x[element]S F`",
        _ => return None,
    })
}
