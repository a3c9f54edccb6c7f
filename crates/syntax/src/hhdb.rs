//! The keys of `hhdb`: the conventions of Harold van der Heijden's study database.

use crate::tree::HhdbText;

/// Keys of flags in the Black tag, with the text of the flag.
pub(crate) const FLAGS: &[(&str, &str)] = &[
    ("(c)", "(c)"),
    ("correction", "(c)"),
    ("(m)", "(m)"),
    ("modification", "(m)"),
    ("(s)", "(s)"),
    ("corrected_solution", "(s)"),
    ("(v)", "(v)"),
    ("version", "(v)"),
    ("AN", "AN"),
    ("anticipation", "AN"),
    ("CR", "CR"),
    ("colors_reversed", "CR"),
    ("MC", "MC"),
    ("too_many_composers", "MC"),
    ("PH", "PH"),
    ("posthumous", "PH"),
    ("TE", "TE"),
    ("theoretical_ending", "TE"),
    ("TT", "TT"),
    ("theme_tournament", "TT"),
    ("theme_tourney", "TT"),
    ("TW", "TW"),
    ("twin", "TW"),
    ("U1", "U1"),
    ("dual_at_move_1", "U1"),
    ("U2", "U2"),
    ("dual_after_move_1", "U2"),
    ("U3", "U3"),
    ("white_fails", "U3"),
    ("U4", "U4"),
    ("white_wins_in_draw", "U4"),
    ("U5", "U5"),
    ("unreachable", "U5"),
];

/// Keys of marks in comments, with the text of the mark, and whether they need variations.
pub(crate) const MARKS: &[(&str, &str, bool)] = &[
    ("<cook>", "<cook", false),
    ("<eg>", "<eg>", false),
    ("<main>", "<main>", true),
    ("<minor_dual>", "<minor_dual", false),
    ("<or>", "<or>", true),
];

/// Keys with a text value.
pub(crate) const TEXTS: &[(&str, HhdbText)] = &[
    ("composer", HhdbText::Composer),
    ("diagram", HhdbText::Diagram),
    ("firstcomment", HhdbText::FirstComment),
    ("gbr", HhdbText::Gbr),
    ("stipulation", HhdbText::Stipulation),
    ("search", HhdbText::Search),
];

/// Words that are combined into one filter for awards.
pub const AWARD_WORDS: &[&str] =
    &["award", "prize", "hm", "commendation", "special", "max", "sort"];

/// Words that may follow `gbr`.
pub const GBR_PARTS: &[&str] = &["material", "pieces", "pawns", "kings"];

/// Keys for other facts.
const OTHER_KEYS: &[&str] =
    &["cooked", "sound", "unsound", "dual", "egdiagram", "mainline", "variation"];

/// Returns all keys, for proposals.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    FLAGS
        .iter()
        .map(|flag| flag.0)
        .chain(TEXTS.iter().map(|text| text.0))
        .chain(AWARD_WORDS.iter().copied())
        .chain(OTHER_KEYS.iter().copied())
}

/// Returns the keys that are filters on their own. Keys with other characters than letters, digits
/// and `_` are quoted in a query.
pub fn flags() -> impl Iterator<Item = &'static str> {
    let marks = MARKS.iter().map(|mark| mark.0);
    let flags = FLAGS.iter().map(|flag| flag.0);
    flags.chain(marks).chain(OTHER_KEYS.iter().copied())
}

/// Returns the keys of texts that a string after them is searched in.
pub fn texts() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|text| text.0)
}
