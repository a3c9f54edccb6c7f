//! Terms of chess in German and French, in English.

use super::question_words::{parts, plain_letters};

/// English words, and the German and French terms for them, without accents and with commas between.
const TERMS: &[(&str, &str)] = syntax::rows! {
    "perpetual check", "ewiges schach, dauerschach, echec perpetuel";
    "discovered check", "echec a la decouverte";
    "discovered attack", "decouverte, attaque a la decouverte, attaque double a la decouverte, abzug";
    "double check", "echec double"; "back rank mate", "mat du couloir";
    "smothered mate", "mat etouffe, mat a etouffee"; "bishop pair", "paire de fous, lauferpaar";
    "en passant", "prise en passant"; "exchange sacrifice", "sacrifice de qualite";
    "opposite colored", "couleurs opposees, ungleichfarbige, ungleichfarbigen";
    "kingside castling", "petit roque, kurze rochade"; "queenside castling", "grand roque, lange rochade";
    "passed pawn", "pion passe, freibauer"; "passed pawns", "pions passes, freibauern";
    "doubled pawns", "pions doubles, doppelbauer, doppelbauern"; "isolated pawn", "pion isole";
    "hanging pawns", "pions pendants, hangebauern";
    "minority attack", "attaque de minorite, minoritatsangriff";
    "lost on time", "zeit uberschritten, zeituberschreitung, perdu au temps"; "time trouble", "zeitnot";
    "draw", "remis, unentschieden, nulle"; "stalemate", "patt, pat"; "mate", "matt, mat";
    "selfmate", "selbstmatt, mat inverse"; "helpmate", "hilfsmatt, mat aide"; "predecessor", "vorlaufer";
    "duplicates", "dublette, dubletten, doppelte, doublons"; "per", "pro"; "year", "jahr, annee";
    "count", "zahlen, compter"; "over", "uber"; "under", "unter"; "moves", "zuge, zugen, coups";
    "more than", "mehr als, plus de"; "fewer than", "weniger als, moins de";
    "scholars mate", "schafermatt, mat du berger"; "short game", "kurzpartie, kurzpartien, partie courte";
    "has", "hat, haben, ont"; "no", "kein, keine, keinen, aucun, aucune"; "check", "schach, echec";
    "castling", "rochade, roque"; "smothered", "ersticktes, erstickter, etouffe";
    "back rank", "grundreihe, grundlinie, grundlinien"; "endgame", "endspiel, finale";
    "endgames", "endspiele, finales"; "middlegame", "mittelspiel"; "opening", "eroffnung, ouverture";
    "sacrifice", "opfer"; "exchange", "qualitat, tausch"; "fork", "gabel, fourchette";
    "overload", "surcharge, uberlastung"; "switchback", "ruckkehr"; "pin", "fesselung, clouage";
    "skewer", "enfilade, spiess"; "promotion", "umwandlung"; "promotion to", "promotion en, umwandlung in";
    "minor piece", "leichtfigur, leichtfiguren, piece legere, pieces legeres";
    "underpromotion", "unterverwandlung, sous promotion"; "tripled pawns", "tripelbauer";
    "hanging", "hangende"; "backward", "ruckstandiger"; "isolated", "isolierter"; "outpost", "vorposten";
    "fortress", "festung, forteresse"; "threefold repetition", "stellungswiederholung, zugwiederholung";
    "attack", "angriff"; "storm", "sturm"; "pawn storm", "bauernsturm"; "king", "konig, roi"; "queen", "dame";
    "queens", "damen, dames"; "rook", "turm, tour"; "rooks", "turme, tours"; "bishop", "laufer, fou";
    "bishops", "fous"; "knight", "springer, cavalier"; "knights", "cavaliers"; "pawn", "bauer, pion";
    "pawns", "bauern, pions"; "white", "weiss, blancs"; "black", "schwarz, noirs"; "against", "gegen, contre";
    "with", "mit, avec"; "without", "ohne, sans"; "and", "und, et"; "two", "zwei, deux";
    "three", "drei, trois"; "on", "auf, sur"; "wins", "gewinnt, gagne, gagnent"; "loses", "verliert";
    "games", "partien, parties"; "short", "kurze"; "long", "lange"; "longest", "langste";
    "mating patterns", "mattbilder"; "Queen's Gambit", "damengambit, gambit dame";
    "Sicilian", "sizilianisch, sizilianische, sicilienne"; "Ruy Lopez", "spanisch, spanische, espagnole";
    "French", "franzosisch, franzosische, francaise"; "Italian Game", "italienisch, italienne";
    "King's Indian", "konigsindisch"; "Scandinavian", "skandinavisch"; "Dutch", "hollandisch";
    "Defense", "verteidigung"; "", "de, du, des, la, le, les, der, die, das, den, dem, ein, eine, une";
};

/// Returns the terms, each with its English words.
fn terms() -> impl Iterator<Item = (&'static str, &'static str)> {
    TERMS.iter().flat_map(|(meaning, terms)| terms.split(", ").map(move |term| (term, *meaning)))
}

/// Minimum length of a part of a compound, and of a word with a part that is not translated.
const SHORTEST: usize = 4;

/// Returns a question in English, if it has words in German or French, and whether all of its words are:
/// `queen sacrifice` for `Damenopfer`.
pub(super) fn in_english(question: &str) -> Option<(String, bool)> {
    let plain = |word: &str| {
        let word = plain_letters(word).replace('ß', "ss").replace('’', "'");
        let bare = ["d'", "l'"].iter().find_map(|article| word.strip_prefix(article));
        bare.unwrap_or(&word).to_owned()
    };
    let given: Vec<&str> = parts(question).collect();
    let words: Vec<String> = given.iter().map(|word| plain(word)).collect();
    let (mut english, mut at, mut is_other, mut is_whole) = (Vec::new(), 0, false, true);
    while at < words.len() {
        let of_several = terms().find_map(|(term, meaning)| {
            let own: Vec<&str> = term.split(' ').collect();
            let are_there = own.len() > 1 && words[at..].iter().take(own.len()).eq(&own);
            are_there.then_some((own.len(), meaning))
        });
        let (n, meaning) = match of_several {
            Some((n, meaning)) => (n, Some(meaning.to_owned())),
            None => (1, of_word(&words[at]).or_else(|| of_word(&without_digraphs(&words[at])))),
        };
        is_whole &= meaning.is_some();
        is_other |= meaning.as_ref().is_some_and(|word| !word.is_empty());
        let word = meaning.unwrap_or_else(|| given[at].to_owned());
        english.extend((!word.is_empty()).then_some(word));
        at += n;
    }
    (is_other && !english.is_empty()).then(|| (english.join(" "), is_whole))
}

/// Returns a word with letters such as `ä` written without their second dot: `laufer` for `laeufer`.
fn without_digraphs(word: &str) -> String {
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// Returns the English for a word, which may be a compound.
fn of_word(word: &str) -> Option<String> {
    let known = |word: &str| terms().find(|(term, _)| *term == word);
    if let Some((_, meaning)) = known(word) {
        return Some(meaning.to_owned());
    }
    let ends = (SHORTEST..word.len().saturating_sub(SHORTEST - 1)).rev();
    ends.filter_map(|end| word.split_at_checked(end)).find_map(|(first, rest)| {
        let (_, first) = known(first)?;
        // as in `Damen-opfer`, `Turm-endspiel` and `Qualität-s-opfer`
        let rest = of_word(rest).or_else(|| of_word(rest.strip_prefix('s')?))?;
        let first = first.strip_suffix('s').unwrap_or(first);
        Some(format!("{first} {rest}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_translated() {
        for (question, expected) in [
            ("Damenopfer", Some("queen sacrifice")),
            ("Qualitätsopfer", Some("exchange sacrifice")),
            ("Turmendspiel", Some("rook endgame")),
            ("Laeuferpaar", Some("bishop pair")),
            ("ungleichfarbige Läufer", Some("opposite colored bishop")),
            ("ersticktes Matt", Some("smothered mate")),
            ("Weiß gewinnt", Some("white wins")),
            ("mat étouffé", Some("smothered mate")),
            ("mat à l'étouffée", Some("smothered mate")),
            ("découverte", Some("discovered attack")),
            ("échec à la découverte", Some("discovered check")),
            ("surcharge", Some("overload")),
            ("Überlastung", Some("overload")),
            ("Grundlinienmatt", Some("back rank mate")),
            ("Rückkehr", Some("switchback")),
            ("promotion en cavalier", Some("promotion to knight")),
            ("sacrifice de dame", Some("sacrifice queen")),
            ("finale de tours", Some("endgame rooks")),
            ("fou contre cavalier", Some("bishop against knight")),
            ("Spieß", Some("skewer")),
            ("Damenopfer von Tal's Gegner", Some("queen sacrifice von Tal's Gegner")),
            ("queen sacrifice", None),
            ("nosuchword", None),
            ("de", None),
            ("", None),
        ] {
            let found = in_english(question).map(|(english, _)| english);
            assert_eq!(found.as_deref(), expected, "{question}");
        }
        assert_eq!(in_english("mat de dame"), Some(("mate queen".to_owned(), true)));
        assert_eq!(in_english("mat by a queen").map(|(_, is_whole)| is_whole), Some(false));
        for (term, meaning) in terms() {
            assert_eq!(plain_letters(term), term);
            assert_eq!(in_english(meaning), None, "{meaning}");
        }
    }
}
