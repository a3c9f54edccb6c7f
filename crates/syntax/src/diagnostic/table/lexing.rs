//! E00: text that cannot be split into tokens.

use super::entry::entries;

entries! {
    "E0001" "the query is empty", "",
        "The file holds nothing but white space. A query has a header and at least one filter.",
        "\n" => "cql() mate\n";
    "E0002" "the query is too long", "",
        "A query must be shorter than 10,000,000 bytes. Was a file of games given in place of a query?";
    "E0003" "a character without meaning", "no word or operator begins with this",
        "An ASCII character stands where no word, number or operator begins with it.",
        "cql() !check\n" => "cql() not check\n";
    "E0004" "a character that the language does not have", "not a character of the language",
        "Word processors and web pages replace quotes and dashes with others that look similar. Strings stand between straight double quotes; moves are written `--`. Characters outside ASCII may stand in strings and comments, and those of the Unicode spelling anywhere.",
        "cql() mate comment(“check”)\n" => "cql() mate comment(\"check\")\n";
    "E0005" "half a dash", "only half of a dash",
        "The Unicode spelling of a move consists of two signs U+2015, `――`; one alone means nothing.",
        "cql() ―\n" => "cql() ――\n";
    "E0006" "a comment is not closed", "the comment begins here",
        "A comment that begins with `/*` ends with `*/`.",
        "cql() mate /* with a rook\n" => "cql() mate /* with a rook */\n";
    "E0007" "a string is not closed before the end of the text", "the string begins here",
        "A string stands between two straight double quotes.",
        "cql() player \"Morphy" => "cql() player \"Morphy\"";
    "E0008" "a string is not closed before the end of its line", "the string begins here",
        "A string ends on the line where it begins. To put a newline into a text, write `\\n` outside the quotes, between two strings: `\"one\"+\\n+\"two\"`.",
        "cql() player \"Morphy\n      mate\n" => "cql() player \"Morphy\"\n      mate\n";
    "E0009" "an unknown escape", "no such escape",
        "Outside quotes a backslash begins `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, or a group of \
         the last match of a regular expression: `\\1` is its text, `\\-1` its place. Inside quotes a backslash is an ordinary character.",
        "cql() message(\"a\" \\b)\n" => "cql() message(\"a\" \\n \"b\")\n";
    "E0010" "the number of a group is too long", "at most two digits",
        "Groups of a regular expression are `\\0` to `\\99`.",
        "cql() player ~~ \"(M)\" \\100 == \"M\"\n" => "cql() player ~~ \"(M)\" \\1 == \"M\"\n";
    "E0011" "a range of squares runs backwards", "the greater end stands first",
        "In `a-h` and `1-8` the lower end comes first. To subtract, put blanks around `-`.",
        "cql() Rh-a1\n" => "cql() Ra-h1\n";
    "E0012" "a designator names a piece twice", "a sign stands here twice",
        "Signs of pieces beside each other are one designator, in which each sign stands once.",
        "cql() ♖♖\n" => "cql() ♖\n";
    "E0013" "something touches a designator", "a blank is missing",
        "Signs of pieces are followed by squares or by something that cannot belong to them. Put \
         a blank after the designator.",
        "cql() ♖check\n" => "cql() ♖ check\n";
    "E0014" "a wrong repetition", "not a number of times",
        "`{2}`, `{2,5}`, `{2,}` and `{,5}` say how often a part of a path or line is repeated; \
         the lower number comes first, and none is above 100,000.",
        "cql() path --{5,2}\n" => "cql() path --{2,5}\n";
    "E0015" "a number is too great", "does not fit 32 bits",
        "The greatest number is 2147483647.",
        "cql() ply < 3000000000\n" => "cql() ply < 300\n";
    "E0016" "a second `///` on a line", "the first one has not ended",
        "`///` prints the filters after it to the end of the line; it cannot stand twice on one \
         line.",
        "cql() check /// \"a\" /// \"b\"\n" => "cql() check /// \"a\"\n/// \"b\"\n";
    "E0017" "brackets do not match", "this has no partner",
        "Every `(`, `[` and `{` needs the closing one of its kind, in the right order.",
        "cql() {check wtm\n" => "cql() {check wtm}\n";
    "E0018" "a number with a fraction", "no fraction here",
        "Numbers are whole: times are seconds, `eval` is in hundredths of a pawn, and a division drops the rest. To compare with a fraction, multiply both sides.",
        "cql() eval < -1.5\n" => "cql() eval < -150\n";
}
