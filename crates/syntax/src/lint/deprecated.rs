//! Warns of forms of CQL 6.0 and 6.1 that are still valid but have better equivalents in 6.2.
//!
//! Their meaning has not changed, and many queries contain them, so these warnings are given on
//! request only.

use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::span::SourceId;
use crate::token::{Token, TokenKind};
use crate::tree::{Filter, FilterKind, Query, Range};

/// A help text for a word, and a word that can simply replace it, if there is one.
type Advice = (&'static str, Option<&'static str>);

/// Returns warnings for a query without errors, in the order of their spans.
pub fn deprecated(text: &[u8], query: &Query) -> Vec<Diagnostic> {
    let tokens = crate::lex::lex(SourceId(0), text).tokens;
    let mut warnings = Vec::new();
    words(&tokens, &mut warnings);
    let filters = &mut query.filters.iter();
    filters.for_each(|filter| ranges(filter, &mut warnings));
    warnings.retain(|warning| warning.span.source == SourceId(0));
    warnings.sort_by_cached_key(|warning| warning.span.beginning());
    warnings.dedup_by_key(|warning| warning.span);
    warnings
}

fn words(tokens: &[Token], warnings: &mut Vec<Diagnostic>) {
    let mut before = None;
    for token in tokens {
        let TokenKind::Keyword(keyword) = token.kind else {
            before = None;
            continue;
        };
        // `ray attack (A k)` has no other form.
        let is_of_ray = before == Some(Keyword::Ray);
        before = Some(keyword);
        let Some((instead, word)) = advice(keyword).filter(|_| !is_of_ray) else {
            continue;
        };
        let found = keyword.text();
        let warning = Diagnostic::warning(
            "W0601",
            token.span,
            format!("`{found}` is a form of older versions of CQL 6"),
        );
        let warning = warning.with_help(instead);
        warnings.push(match word {
            Some(word) => warning.with_edit(token.span, word),
            None => warning,
        });
    }
}

fn advice(keyword: Keyword) -> Option<Advice> {
    Some(match keyword {
        Keyword::Line => {
            ("write a `path`, whose constituents are moves and the filters between them", None)
        }
        Keyword::Move => (
            "write a move such as `N--e4`, `castle` or `enpassant`; `countmoves legal --` counts \
             legal moves",
            None,
        ),
        Keyword::Attacks | Keyword::Attack => ("write `X -> Y` for `X attacks Y`", None),
        Keyword::Attackedby | Keyword::Attacked => ("write `X <- Y` for `X attackedby Y`", None),
        Keyword::Ancestor => ("write `X [<] Y` for `ancestor(X Y)`", None),
        Keyword::Descendant => ("write `X [>] Y` for `descendant(X Y)`", None),
        Keyword::ColorType => ("write `type` for the kind of a piece, whatever its color", None),
        Keyword::Hascomment => ("write `originalcomment`", Some("originalcomment")),
        Keyword::Flipdihedral | Keyword::Dihedral => ("write `flip`", Some("flip")),
        Keyword::Curpos => ("write `currentposition`", Some("currentposition")),
        _ => return None,
    })
}

/// Warns of transforms with a range.
fn ranges(filter: &Filter, warnings: &mut Vec<Diagnostic>) {
    if let FilterKind::Transform(transform) = &filter.kind
        && transform.range.is_some_and(|range| range != Range::COUNT)
    {
        let message = "a range after a transform is a form of older versions of CQL 6";
        warnings.push(
            Diagnostic::warning("W0601", filter.span, message)
                .with_help("count the images that match: `(flip count F) >= 2`"),
        );
    }
    filter.for_each_child(&mut |child| ranges(child, warnings));
}
