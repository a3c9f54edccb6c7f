//! Spells names without what writers leave out: capital letters, accents, apostrophes and hyphens.

/// Returns the words of a name in lower case, without accents and apostrophes: the same for
/// `Grünfeld` and `Gruenfeld`.
pub fn plain_words(name: &str) -> Vec<String> {
    let plain: String = name.chars().flat_map(char::to_lowercase).map(folded).collect();
    let words = plain.split(|sign: char| !sign.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(|word| word.replace("ae", "a").replace("oe", "o").replace("ue", "u"))
        .collect()
}

/// Returns a lower-case letter without its accent; a combining mark becomes empty.
fn folded(letter: char) -> String {
    let plain = match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ị' | 'ỉ' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ'..='ợ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ụ'..='ự' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        // Combining marks of the letter before.
        '\u{300}'..='\u{36f}' => "",
        // An apostrophe joins the letters around it.
        '\'' | '’' | '`' => "",
        letter => return letter.to_string(),
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain_words;

    #[test]
    fn spellings_of_a_name_are_equal() {
        for name in ["King's Indian", "kings indian", "KING’S-INDIAN"] {
            assert_eq!(plain_words(name), ["kings", "indian"], "{name}");
        }
        for name in ["Grünfeld", "grunfeld", "Gruenfeld", "Gru\u{308}nfeld"] {
            assert_eq!(plain_words(name), ["grunfeld"], "{name}");
        }
        assert_eq!(plain_words(" - "), [""; 0]);
    }
}
