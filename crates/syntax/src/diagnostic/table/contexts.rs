//! E04: filters that are not allowed; E05: header and options.

use super::entry::entries;

entries! {
    "E0401" "the filter may not stand here", "may not stand here",
        "Some filters have a place of their own, or exclude others: moves of a `path` stand \
         directly in it, and a query has one `similarposition`.",
        "cql() path -- legal --\n" => "cql() path -- {legal --}\n";
    "E0402" "`rotate45` cannot turn this", "cannot be turned by 45 degrees",
        "A board turned by 45 degrees has no squares, only directions: `rotate45` cannot hold \
         designators with squares, nor `light` and `dark`.",
        "cql() rotate45 {up 1 Ka1 & K}\n" => "cql() rotate45 {up 1 K & A}\n";
    "E0404" "this needs variations", "needs variations",
        "The filter looks at variations, so the header must say that they are searched.",
        "cql() hhdb variation\n" => "cql(variations) hhdb variation\n";
    "E0405" "`persistent` and `atomic` do not fit here", "does not fit here",
        "A variable or dictionary that is kept from game to game is declared once, before it is \
         used, and holds no positions or pieces; `atomic` excludes `persistent`.",
        "cql() total = 0 persistent total = 1\n" => "cql() persistent total = 1 total += 1\n";
    "E0410" "a value by itself", "nothing is done with this value",
        "A number, string or position alone neither matches nor fails: compare it, print it, or \
         assign it. Sets are conditions: they match if they are not empty. It is an error if every game \
         gets there, and among the conditions of a query without a header; elsewhere it is the warning \
         W0401.",
        "cql() 3 check\n" => "cql() ply == 3 check\n";
    "E0430" "the repetitions of a path are too great", "too many states",
        "Repetitions within each other multiply, and a path must count up to their product. Use `*` or \
         `+` where the exact number does not matter.",
        "cql() path (((--{2,70000} check){2,70000} wtm){2,70000} btm){2,70000}\n"
            => "cql() path (((--+ check)+ wtm)+ btm)+\n";
    "E0501" "the header is missing", "the header `cql(…)` was expected",
        "A query begins with `cql(…)`. The parentheses hold the settings of the search and may be \
         empty.",
        "mate\n" => "cql() mate\n";
    "E0502" "the header does not know this word", "not a word of the header",
        "The header knows `input`, `output`, `variations`, `gamenumber`, `matchcount`, `sort \
         matchcount`, `result`, `matchstring`, `quiet` and `silent`. Everything else is a filter, \
         and follows the header.",
        "cql(player \"Morphy\") mate\n" => "cql() player \"Morphy\" mate\n";
    "E0503" "a setting of the header is wrong", "wrong in the header",
        "The setting is given twice, or is followed by something that it does not accept.",
        "cql(matchcount) mate\n" => "cql(matchcount 2 10) mate\n";
    "E0504" "the regular expression of `-player` is malformed", "",
        "The argument of the option `-player` is a regular expression. Put a backslash before \
         `(`, `[`, `*`, `+`, `?` and the like to search for the characters themselves.";
    "E0505" "the query cannot be run on shards", "kept from game to game",
        "Each shard is searched separately, so nothing can be kept from one to the next: no \
         persistent variables or dictionaries, and no files. `cql run` without `--manifest` and \
         `--shard` runs the query on all games, one after the other.";
    "E0506" "the results of shards cannot be sorted", "the sort is about all games",
        "The order of sorted games is known only after all games have been searched, and each \
         shard is searched separately. Leave out `sort`, write a table with the value as a column \
         (`--value`), and sort that.";
    "E0507" "tablebases cannot be read", "needs tablebases",
        "`tablebase` and `dtz` read Syzygy tables, whose directory the option `--tablebases DIR` \
         names. Released programs can read them; a program that is built from source needs \
         `--features tablebases`. With `--secure`, a query may not read them.";
}
