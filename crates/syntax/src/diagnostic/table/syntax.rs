//! E01: words in the wrong order.

use super::entry::entries;

entries! {
    "E0101" "a filter was expected", "no filter begins here",
        "A filter must begin after an operator or a word that needs one, and wherever the \
         previous filter is complete.",
        "cql() check or\n" => "cql() check or mate\n";
    "E0102" "an operator does not fit what stands before it", "does not fit what stands before it",
        "The type of a value determines the operators that may follow it: `=` needs a variable, \
         `&` a set of squares, `<` something that can be compared. Conditions such as `check` \
         have no value; they are combined by `and`, `or` and `not`.",
        "cql() check && mate\n" => "cql() check and mate\n";
    "E0103" "a certain word or sign was expected", "something else was expected",
        "A filter needs a certain word or sign here.",
        "cql() while check mate\n" => "cql() while (check) mate\n";
    "E0104" "nothing between brackets", "nothing stands here",
        "Parentheses and braces hold at least one filter. Write `true` for a condition that is \
         always met, `[]` for the empty set.",
        "cql() if check then {}\n" => "cql() if check then true\n";
    "E0105" "too much between parentheses", "one filter is enough",
        "Parentheses hold one filter. Braces hold several, all of which must match.",
        "cql() not (check wtm)\n" => "cql() not {check wtm}\n";
    "E0106" "the wrong number of arguments", "too few or too many arguments",
        "The filter or function takes a different number of arguments.",
        "cql() #between(R) > 2\n" => "cql() #between(R k) > 2\n";
    "E0108" "a faulty move", "not a part of a move",
        "A move filter is `L--R` or `L[x]R`, followed by a promotion that touches it (`--=Q`) and \
         by one list of filters in parentheses that must match after the move.",
        "cql() P--=3\n" => "cql() P--=Q\n";
    "E0109" "a faulty path", "not a part of a path",
        "A `path` is a row of moves and of filters for the positions between them. Moves and \
         groups in parentheses can be repeated by `*`, `+`, `?` and `{2,5}`. A blank line ends \
         a path.",
        "cql() path --{3} check{2}\n" => "cql() path --{3} check\n";
    "E0110" "a faulty line", "not a part of a line",
        "A `line` is a row of filters with an arrow before each, all in the same direction.",
        "cql() line check mate\n" => "cql() line --> check --> mate\n";
    "E0111" "a wrong parameter", "does not fit the other parameters",
        "A parameter is given twice, needs another one, or excludes one that is given.",
        "cql() find all 2 3 check\n" => "cql() find 2 3 check\n";
    "E0113" "the text of a string is wrong", "wrong within this string",
        "The string is a regular expression, the name of a tag or file, or another text with a \
         form of its own.",
        "cql() player ~~ \"(Morphy\"\n" => "cql() player ~~ \"Morphy\"\n";
    "E0114" "a move as games are written", "not a filter",
        "Outside of `san \"1.e4 c5\"`, CQL does not read the notation of games. A move has the \
         moving piece on the left of `--` and its target on the right, and `[x]` in place of `--` \
         if it captures: `Nf3` is `N--f3`, `exd5` is `Pe4[x]d5`, `e8=Q` is `P--e8=Q`; black \
         pieces have small letters. Moves that follow each other are the parts of a `path`. \
         Pieces have their English letters, and castling is `o-o` or `o-o-o`.",
        "cql() 1.e4 e5 2.Nf3\n" => "cql() path P--e4 p--e5 N--f3\n";
    "E0115" "a sentence in place of a query", "a query consists of filters",
        "A query consists of filters, such as `mate` and `player \"Tal\"`, beside each other; \
         sentences, SQL, JSON and tags of PGN are none. `cql help WORDS` finds queries for words of chess. \
         Rows of a search, such as those of `-o games.parquet`, can be queried in SQL.",
        "cql() show me the games of Tal\n" => "cql() player \"Tal\"\n";
}
