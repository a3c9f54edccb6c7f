//! E06: queries in CQL 5.

use super::entry::entries;

entries! {
    "E0601" "CQL 5 does not know this word", "not a word of CQL 5",
        "The text is read as CQL 5, because a comment or a word of it says so. If it is CQL 6, \
         say that in a comment at its beginning: `// dialect: cql6`.",
        "; dialect: cql5\ncql() chek\n" => "; dialect: cql5\ncql() check\n";
    "E0602" "a text that CQL 5 cannot read", "cannot be read",
        "A string or comment is not closed, or a word or number is too long.",
        "; dialect: cql5\ncql() player \"Morphy\n" => "; dialect: cql5\ncql() player \"Morphy\"\n";
    "E0603" "a range of squares runs backwards", "the greater end stands first",
        "In `a-h` and `1-8` the lower end comes first.",
        "; dialect: cql5\ncql() Rh-a1\n" => "; dialect: cql5\ncql() Ra-h1\n";
    "E0604" "something else was expected (CQL 5)", "something else was expected",
        "A filter needs a certain word or sign, or a filter, here.",
        "; dialect: cql5\ncql() square x in R check\n"
            => "; dialect: cql5\ncql() square $x in R check\n";
    "E0605" "a wrong range (CQL 5)", "not a range",
        "A range is one or two numbers, the lower one first, within the bounds of the filter.",
        "; dialect: cql5\ncql(matchcount 3 2) mate\n"
            => "; dialect: cql5\ncql(matchcount 2 3) mate\n";
    "E0606" "a filter of the wrong kind (CQL 5)", "of the wrong kind",
        "CQL 5 tells sets, numbers and conditions apart. `on`, `attack` and directions take sets.",
        "; dialect: cql5\ncql() R on check\n" => "; dialect: cql5\ncql() R on a1\n";
    "E0607" "a faulty variable (CQL 5)", "not bound here, or bound twice",
        "A variable is bound by `square $x in …` or `piece $x in …`, and known only in the filter after it.",
        "; dialect: cql5\ncql() {square $x in R $x} $x\n"
            => "; dialect: cql5\ncql() square $x in R {$x on a1}\n";
    "E0608" "a wrong header (CQL 5)", "wrong in the header",
        "A setting is unknown to CQL 5, stands twice, or names a file that does not end in `.pgn`.",
        "; dialect: cql5\ncql(output a.pgn output b.pgn) mate\n"
            => "; dialect: cql5\ncql(output a.pgn) mate\n";
    "E0609" "parameters of `move` that exclude each other (CQL 5)",
        "does not fit the other parameters",
        "A null move has no squares, a capture en passant does not promote, and no move is both `primary` and `secondary`.",
        "; dialect: cql5\ncql() move promote Q enpassant\n"
            => "; dialect: cql5\ncql() move promote Q\n";
    "E0610" "a faulty relation (CQL 5)", "not a part of a relation",
        "`relation` is followed by parameters in parentheses and the filters that must agree.",
        "; dialect: cql5\ncql() relation ()\n" => "; dialect: cql5\ncql() relation (mismatch 1)\n";
    "E0611" "a faulty sequence (CQL 5)", "not a part of a sequence",
        "`next` and `previous` hold the filters of following positions in parentheses; `*` looks \
         at all of them.",
        "; dialect: cql5\ncql() next ()\n" => "; dialect: cql5\ncql() next (check mate)\n";
    "E0612" "transforms within each other (CQL 5)", "too deep",
        "The transforms within each other make too many images, or filters are nested too deeply.",
        "; dialect: cql5\ncql() shift {mate shift shift check}\n"
            => "; dialect: cql5\ncql() shift {mate check}\n";
}
