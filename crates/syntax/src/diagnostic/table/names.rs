//! E02: names.

use super::entry::entries;

entries! {
    "E0201" "an unknown name", "not a keyword, and not defined further up",
        "The word is no keyword, and no variable, dictionary or function of this name has been \
         defined further up. Capital and small letters are different; keywords are in small letters. A piece \
         designator is letters of pieces followed by squares: `Q`, `[QR]e4`, `a1-8`.",
        "cql() stalmate\n" => "cql() stalemate\n";
    "E0202" "this cannot be a name", "taken by the language",
        "Keywords, letters of pieces (`K`, `a`) and names of squares (`e4`) cannot name a \
         variable. `$` and `_` can be a part of names: `$k`, `k_1`.",
        "cql() piece k in [Kk] check\n" => "cql() piece $k in [Kk] check\n";
    "E0203" "the name has another meaning already", "already taken",
        "Variables, dictionaries and functions share one space of names, and a name keeps its \
         meaning.",
        "cql() function f(s) {#s > 1} f = 3\n"
            => "cql() function f(s) {#s > 1} limit = 3 f(R) ply > limit\n";
    "E0204" "a function without a call", "a function",
        "A function is called with its arguments in parentheses; it has no value itself.",
        "cql() function two(s) {#s == 2} two R\n" => "cql() function two(s) {#s == 2} two(R)\n";
    "E0205" "a function calls itself", "calls itself",
        "Functions are expanded where they are called, so they cannot be recursive. Use `while` \
         or `loop`.",
        "cql() function f(x) {f(x)} f(3)\n" => "cql() function f(x) {ply > x} f(3)\n";
    "E0206" "an unknown key of `hhdb`", "not a key",
        "`hhdb` is followed by a key that names a property of a study.",
        "cql() hhdb cook\n" => "cql() hhdb cooked\n";
    "E0207" "no opening has this name", "no opening",
        "`opening` knows the names of a table, and tells upper from lower case. A part of a name \
         is enough: `opening \"Najdorf\"`. The option `-openings` reads a larger table.",
        "cql() opening \"Sicillian\"\n" => "cql() opening \"Sicilian Defense\"\n";
    "E0208" "a variable outside of its loop", "has no value here",
        "A loop gives its variable a value for one filter, or for several in braces. After them the variable has none.",
        "cql() piece $x in R check $x -> k\n" => "cql() piece $x in R {check $x -> k}\n";
}
