//! Parses `hhdb`: the conventions of Harold van der Heijden's study database.

use super::error::{Res, code};
use super::mend::{Mend, mend_of_word};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::hhdb::{AWARD_WORDS, FLAGS, MARKS, TEXTS, keys};
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{Award, AwardKind, Filter, FilterKind, HhdbFlag, HhdbText, TextSource, Type};

/// Keys of another implementation, for a later edition of the database.
const TOURNEY_KEYS: [&str; 6] = [
    "tourney_edition",
    "tourney_name",
    "tourney_year",
    "tourney_year_end",
    "tourney_year_part",
    "distinction",
];

/// The words before the awards of `hhdb` that have been read.
#[derive(Default)]
struct AwardOptions {
    kind: Option<AwardKind>,
    special: bool,
    max: bool,
    sort: bool,
}

impl Parser<'_> {
    /// Returns a word without quotes, reserved or not.
    pub(super) fn word_at(&self, at: usize) -> Option<&str> {
        match self.kind_at(at)? {
            TokenKind::Name(name) => Some(name),
            TokenKind::Keyword(keyword) => Some(keyword.text()),
            _ => None,
        }
    }

    /// Parses `hhdb …`.
    pub(super) fn hhdb(&mut self) -> Res<Filter> {
        let start = self.eat();
        if let Some(text) = self.literal() {
            let key = String::from_utf8_lossy(text).into_owned();
            return self.hhdb_quoted(start, &key);
        }
        let Some(word) = self.word_at(self.pos).map(str::to_owned) else {
            let help = "keys with other characters than letters, digits and `_` are quoted: `hhdb \"<cook>\"`";
            return self.expected_as(code::HHDB, "a key after `hhdb`", help);
        };
        if AWARD_WORDS.contains(&word.as_str()) {
            return self.hhdb_award(start);
        }
        self.pos += 1;
        self.hhdb_key(start, &word)
    }

    fn hhdb_quoted(&mut self, start: usize, key: &str) -> Res<Filter> {
        let span = self.here();
        self.pos += 1;
        if let Some(&(_, text, needs_variations)) = MARKS.iter().find(|mark| mark.0 == key) {
            if needs_variations {
                self.require_variations(key, span)?;
            }
            let kind = FilterKind::HhdbFlag(HhdbFlag::Mark(text));
            return Ok(self.make(start, Type::Boolean, kind));
        }
        if keys().any(|known| known == key) && !key.starts_with('(') {
            let message = format!("the key `{key}` is not quoted");
            let help = format!("write `hhdb {key}`");
            return self.fail_help(code::HHDB, span, message, help);
        }
        if !key.starts_with('(') {
            return self.unknown_key(key, span);
        }
        self.hhdb_key(start, key)
    }

    /// Creates the filter for a key, which is the previous token.
    fn hhdb_key(&mut self, start: usize, key: &str) -> Res<Filter> {
        let span = self.span_at(self.pos - 1);
        if let Some(&(_, text)) = FLAGS.iter().find(|flag| flag.0 == key) {
            let kind = FilterKind::HhdbFlag(HhdbFlag::Black(text));
            return Ok(self.make(start, Type::Boolean, kind));
        }
        if let Some(&(_, text)) = TEXTS.iter().find(|text| text.0 == key) {
            let text = if text == HhdbText::Gbr { self.gbr_part() } else { text };
            let kind = FilterKind::TextSource(TextSource::Hhdb(text));
            let filter = self.make(start, Type::String, kind);
            // as in `hhdb composer Reti`
            let is_name =
                |name: &&str| name.starts_with(char::is_uppercase) && !self.is_known(name);
            if let Some(name) = self.name_at(self.pos).filter(is_name) {
                let help = format!("write a text in double quotes: `hhdb {key} \"{name}\"`");
                let mend = Mend::edit(help, self.here(), format!("\"{name}\""));
                let what = format!("a text in quotes after `hhdb {key}`");
                let failed = self.expected_as(code::LITERAL, what, mend);
                self.pos += 1;
                return failed;
            }
            return self.implicit_search(start, filter);
        }
        let flag = match key {
            "egdiagram" => {
                let kind = FilterKind::HhdbEgDiagram;
                return Ok(self.make(start, Type::Numeric, kind));
            }
            "cooked" => HhdbFlag::Cooked,
            "sound" => HhdbFlag::Sound,
            "unsound" => HhdbFlag::Unsound,
            "dual" => HhdbFlag::Dual,
            "mainline" | "variation" => {
                self.require_variations(key, span)?;
                if key == "mainline" { HhdbFlag::Mainline } else { HhdbFlag::Variation }
            }
            _ => return self.unknown_key(key, span),
        };
        let kind = FilterKind::HhdbFlag(flag);
        Ok(self.make(start, Type::Boolean, kind))
    }

    fn gbr_part(&mut self) -> HhdbText {
        let part = match self.word_at(self.pos) {
            Some("material") => HhdbText::GbrMaterial,
            Some("pieces") => HhdbText::GbrPieces,
            Some("pawns") => HhdbText::GbrPawns,
            Some("kings") => HhdbText::GbrKings,
            _ => return HhdbText::Gbr,
        };
        self.pos += 1;
        part
    }

    fn require_variations(&mut self, key: &str, span: Span) -> Res<()> {
        if self.variations {
            return Ok(());
        }
        let message = format!("`hhdb {key}` needs variations, which are not searched");
        self.fail_help(
            code::VARIATIONS,
            span,
            message,
            "write `variations` in the header: `cql(variations)`",
        )
    }

    fn unknown_key<T>(&mut self, key: &str, span: Span) -> Res<T> {
        let message = format!("`hhdb` has no key `{key}`");
        let help = match key {
            "kings" | "material" | "pawns" | "pieces" => format!("write `hhdb gbr {key}`"),
            "gbrkings" | "gbrmaterial" | "gbrpawns" | "gbrpieces" => {
                format!("write `hhdb gbr {}`", &key[3..])
            }
            _ if TOURNEY_KEYS.contains(&key) => {
                "it is part of the Event tag of a later edition, which is not read here; a pattern \
                 takes it from the text: `event ~~ \"(?<name>.*) (?<year>[0-9]{4})\"`"
                    .to_owned()
            }
            _ => {
                let mut longer = keys().filter(|known| known.starts_with(key));
                let longer = longer.next().filter(|_| longer.next().is_none() && key.len() > 2);
                let longer =
                    longer.map(|known| Mend::edit(format!("did you mean `{known}`?"), span, known));
                if let Some(mend) = longer.or_else(|| mend_of_word(key, span, keys())) {
                    return self.fail_help(code::HHDB, span, message, mend);
                }
                "known keys are `award`, `prize`, `cooked`, `composer`, `gbr` and others".to_owned()
            }
        };
        self.fail_help(code::HHDB, span, message, help)
    }

    /// Parses `hhdb prize special max` or another award, whose first word is the next token.
    fn hhdb_award(&mut self, start: usize) -> Res<Filter> {
        let mut award = AwardOptions::default();
        let mut last = String::new();
        while let Some(word) = self.word_at(self.pos) {
            let kind = match word {
                "award" => Some(AwardKind::Any),
                "prize" => Some(AwardKind::Prize),
                "hm" => Some(AwardKind::HonorableMention),
                "commendation" => Some(AwardKind::Commendation),
                _ => None,
            };
            let twice = match word {
                "special" => std::mem::replace(&mut award.special, true),
                "max" => std::mem::replace(&mut award.max, true),
                "sort" => std::mem::replace(&mut award.sort, true),
                _ if kind.is_some() => award.kind.is_some(),
                _ => break,
            };
            if twice {
                let word = word.to_owned();
                let message = if kind.is_some() {
                    format!("only one kind of award can be given, found also `{word}`")
                } else {
                    format!("`{word}` stands twice")
                };
                return self.fail(code::PARAMETER, self.here(), message);
            }
            award.kind = award.kind.or(kind);
            last = word.to_owned();
            self.pos += 1;
        }
        if award.sort {
            return self.sorted_award(&award, &last, start);
        }
        let kind = FilterKind::HhdbAward(Award {
            kind: award.kind.unwrap_or(AwardKind::Any),
            special: award.special,
            max: award.max,
            sort: None,
        });
        Ok(self.make(start, Type::Numeric, kind))
    }

    fn sorted_award(&mut self, award: &AwardOptions, last: &str, start: usize) -> Res<Filter> {
        let span = self.span_from(start);
        if last == "sort" {
            return self.fail_help(
                code::PARAMETER,
                self.span_at(self.pos - 1),
                "`sort` must not be the last word of an `hhdb` award",
                "write `hhdb sort prize`",
            );
        }
        if award.max {
            return self.fail(
                code::PARAMETER,
                self.last_word(start, &[Keyword::Sort, Keyword::Max]),
                "`sort` and `max` exclude each other in an `hhdb` award",
            );
        }
        let kinds = match award.kind {
            None | Some(AwardKind::Any) => {
                vec![AwardKind::Prize, AwardKind::HonorableMention, AwardKind::Commendation]
            }
            Some(kind) => vec![kind],
        };
        let filter = |kind| Filter { kind, ty: Type::Boolean, span };
        let mut sorted = Vec::new();
        for kind in kinds {
            let mut sort = [crate::tree::SortId(0); 3];
            for (slot, name) in sort.iter_mut().zip(["category", "rank", "max rank"]) {
                let label = format!("<hhdb {name}>").into_bytes();
                *slot = self.sort_variable(label, true, true, Type::Numeric, span)?;
            }
            sorted.push(filter(FilterKind::HhdbAward(Award {
                kind,
                special: false,
                max: false,
                sort: Some(sort),
            })));
        }
        let sorted = match sorted.len() {
            1 => sorted.remove(0),
            _ => filter(FilterKind::Or(sorted)),
        };
        if !award.special {
            return Ok(sorted);
        }
        let special = Filter {
            kind: FilterKind::HhdbAward(Award {
                kind: AwardKind::Any,
                special: true,
                max: false,
                sort: None,
            }),
            ty: Type::Numeric,
            span,
        };
        Ok(filter(FilterKind::And(vec![special, sorted])))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, parse_body, refuse};
    use super::super::{ParseOptions, Source, parse};
    use super::TOURNEY_KEYS;

    #[test]
    fn flags_and_texts() {
        check("hhdb \"(c)\" hhdb correction hhdb U1 hhdb TT", "hhdb-(c) hhdb-(c) hhdb-U1 hhdb-TT");
        check("hhdb \"<cook>\" hhdb \"<minor_dual>\"", "hhdb-<cook hhdb-<minor_dual");
        check(
            "hhdb cooked hhdb sound hhdb unsound hhdb dual",
            "hhdb-cooked hhdb-sound hhdb-unsound hhdb-dual",
        );
        check("hhdb composer \"x\"", "(contains \"x\" hhdb-composer):b");
        check("hhdb gbr hhdb gbr kings==\"a\"", "hhdb-gbr (== hhdb-gbrkings \"a\"):t");
        check("hhdb egdiagram>1", "(> hhdb-egdiagram 1):n");
        for (text, place) in [
            ("hhdb", ""),
            ("hhdb foo", "foo"),
            ("hhdb <cook>", "<"),
            ("hhdb \"U1\"", "\"U1\""),
            ("hhdb \"foo\"", "\"foo\""),
            ("hhdb source", "source"),
            ("hhdb kings", "kings"),
            ("hhdb gbrkings", "gbrkings"),
            ("hhdb tourney_year", "tourney_year"),
        ] {
            refuse(text, "E0206", place);
        }
        for key in TOURNEY_KEYS {
            let text = format!("cql() hhdb {key}");
            let source = Source { name: "", text: text.as_bytes() };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let said = format!("{:?}", parsed.diagnostics);
            assert!(said.contains("event ~~"), "{key}: {said}");
        }
        refuse("hhdb composer \"C.*\"", "E0113", "\"C.*\"");
    }

    #[test]
    fn awards() {
        check("hhdb award hhdb special", "(award Any):n (award Any special):n");
        check("hhdb max special hm", "(award HonorableMention special max):n");
        check("hhdb prize==1", "(== (award Prize):n 1):n");
        check("hhdb sort hm", "(award HonorableMention sort):b");
        check(
            "hhdb sort award",
            "(or (award Prize sort):b (award HonorableMention sort):b (award Commendation sort):b):b",
        );
        check(
            "hhdb sort special hm",
            "(and (award Any special):n (award HonorableMention sort):b):b",
        );
        let (_, parsed) = parse_body("hhdb sort award");
        let sorts = &parsed.query.sorts;
        assert!(sorts.len() == 3 && sorts.iter().all(|s| s.ascending && s.quiet));
        for (text, place) in [
            ("hhdb hm prize", "prize"),
            ("hhdb special special", "special"),
            ("hhdb max max", "max"),
            ("hhdb sort sort hm", "sort"),
            ("hhdb prize sort", "sort"),
            ("hhdb sort max prize", "max"),
        ] {
            refuse(text, "E0111", place);
        }
        refuse("hhdb award==\"1\"", "E0304", "hhdb award==\"1\"");
    }

    #[test]
    fn some_keys_need_variations() {
        for (text, place) in [
            ("hhdb \"<main>\"", "\"<main>\""),
            ("hhdb \"<or>\"", "\"<or>\""),
            ("hhdb mainline", "mainline"),
            ("hhdb variation", "variation"),
        ] {
            refuse(text, "E0404", place);
            let is_ok = |header: &str, variations| {
                let text = format!("cql({header}) {text}");
                let source = Source { name: "", text: text.as_bytes() };
                let options = ParseOptions { variations, ..ParseOptions::default() };
                parse(&source, &[], &options).is_ok()
            };
            assert!(is_ok("variations", None));
            assert!(is_ok("", Some(true)));
            assert!(!is_ok("variations", Some(false)));
        }
    }
}
