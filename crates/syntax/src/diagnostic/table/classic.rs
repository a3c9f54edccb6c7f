//! E07: queries in classic CQL.

use super::entry::entries;

entries! {
    "E0701" "a text that cannot be cut into words", "cannot be read",
        "A string ends on the line where it begins.",
        "(match :player \"Morphy\n (position))" => "(match :player \"Morphy\"\n (position))";
    "E0702" "no match list", "`(match` was expected",
        "A classic query is one list that begins with `(match`; it holds keywords about the game and at least one `(position …)`.",
        "; dialect: classic\nmate\n" => "; dialect: classic\n(match (position :mate))\n";
    "E0703" "parentheses do not match", "this has no partner",
        "Every list is closed by its own parenthesis.",
        "(match (position :mate)\n" => "(match (position :mate))\n";
    "E0704" "text after the match list", "the query has ended",
        "A classic query is one list; nothing but comments stands after it.",
        "(match (position :mate)) :check\n" => "(match (position :mate :check))\n";
    "E0705" "a match list without positions", "no position list",
        "A match list holds at least one `(position …)`, which may be empty.",
        "(match :result 1-0)\n" => "(match :result 1-0 (position))\n";
    "E0706" "an unknown keyword", "not a keyword",
        "Keywords of the classic dialect begin with a colon.",
        "(match (position :stalmate))\n" => "(match (position :stalemate))\n";
    "E0707" "an extension of a relative of the language", "not a part of classic CQL",
        "CQL-S, a later relative of the classic language, added this. CQL 6.2 has filters for most of it: `cql migrate` rewrites a classic query.",
        "(match (position !:check))\n" => "(match (position :nocheck))\n";
    "E0708" "a keyword in the wrong list", "belongs in another list",
        "Keywords about the game stand in the match list, those about a position in a position list.",
        "(match :mate (position))\n" => "(match (position :mate))\n";
    "E0709" "a keyword stands twice", "the second one",
        "This keyword can stand once in its list.",
        "(match :year 1900 :year 1910 (position))\n" => "(match :year 1900 1910 (position))\n";
    "E0710" "a number or range was expected", "not a number",
        "The keyword is followed by one number or two.",
        "(match (position :piececount R))\n" => "(match (position :piececount R 2))\n";
    "E0711" "a range ends before it begins", "the greater end stands first",
        "The lower number comes first.",
        "(match (position :piececount R 4 2))\n" => "(match (position :piececount R 2 4))\n";
    "E0712" "a piece designator was expected", "not a designator",
        "A designator names pieces and squares: `R`, `Ra1`, `[RQ][a-c1,h8]`, `?e4`.",
        "(match (position Xa1))\n" => "(match (position Ra1))\n";
    "E0713" "a designator without pieces", "pieces are missing",
        "Classic designators begin with pieces; `U` is any piece, `?` an empty square, too.",
        "(match (position d4))\n" => "(match (position Ud4))\n";
    "E0714" "squares without brackets", "brackets are missing",
        "Several squares stand in brackets.",
        "(match (position Ra1-8))\n" => "(match (position R[a1-8]))\n";
    "E0715" "a text or result was expected", "something else was expected",
        "The keyword is followed by a text or the result of a game.",
        "(match :result 1-1 (position))\n" => "(match :result 1-0 (position))\n";
    "E0716" "a list was expected, or none", "not what was expected",
        "Some keywords are followed by a list, others are not; a position list cannot stand directly in another one.",
        "(match (position :and ()))\n"
            => "(match (position :and ((position :check) (position :wtm))))\n";
    "E0717" "a faulty tag", "not a tag, or not used",
        "A tag is declared by `:forany` and used in a designator as `$tag`.",
        "(match (position $piece[a1]))\n" => "(match :forany piece R (position $piece[a1]))\n";
    "E0718" "tags within a relation", "a tag and a relation",
        "Tags and `:relation` cannot be combined.",
        "(match :forany piece R (position $piece :relation ()))\n"
            => "(match :forany piece R (position $piece))\n";
    "E0719" "lists are nested too deeply", "too deep",
        "Lists can be nested only to a certain depth.";
    "E0720" "a classic query cannot be rotated by 45 degrees", "",
        "The option `-rotate45` is of no use for a classic query, whose designators may name squares.";
    "E0721" "too many images", "too many images",
        "The images of transforms in nested lists multiply. Leave some of the transforms out.",
        "(match (position Kd4 :shift :flip :flipcolor\n  :and ((position Nd4 :shift :flip))))\n"
            => "(match (position Kd4 :shift :flip :flipcolor\n  :and ((position Nd4))))\n";
}
