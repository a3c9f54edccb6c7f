//! W: texts that run, but surely mean something else.

use super::{Entry, entry_of};

pub(super) const ENTRIES: &[Entry] = &[
    entry_of(
        "W0201",
        "a name that is never used",
        "defined here and not used",
        "A variable that is only assigned, or a function that is never called, is often a misspelled name or the rest of another query.",
        (
            "cql() limit = 2500 check\n",
            "cql() limit = 2500 elo > limit\n",
        ),
    ),
    entry_of(
        "W0301",
        "sets that can only be equal if both are empty",
        "no square in common",
        "`==` compares the squares of two sets. Designators of different pieces, or of different squares, never hold the same square, so the comparison matches only where neither is on the board. `#A == #B` compares how many there are.",
        ("cql() R == r\n", "cql() #R == #r\n"),
    ),
    entry_of(
        "W0401",
        "a value that may be used as a condition",
        "nothing is done with this value",
        "A number, string or position by itself neither matches nor fails. Where a game gets there, the query cannot be evaluated on it. Compare the value, print it, or assign it.",
        ("cql() check white\n", "cql() check wtm\n"),
    ),
    entry_of(
        "W0402",
        "a condition that is never met",
        "never met",
        "Filters beside each other must all match at the same position, and these cannot. Between alternatives write `or`; for other positions of the game use `find` or a `path`.",
        ("cql() mate stalemate\n", "cql() mate or stalemate\n"),
    ),
    entry_of(
        "W0403",
        "a condition that is always met",
        "always met",
        "The condition holds for every position, so it can be left away, or another number was meant.",
        ("cql() check #R >= 0\n", "cql() check #R >= 1\n"),
    ),
    entry_of(
        "W0404",
        "a transform that changes nothing",
        "the same in all images",
        "A transform searches all images of its body. Here they are all equal, so it has no effect; perhaps it was meant to hold more of the query.",
        (
            "cql() flipcolor check Ka1\n",
            "cql() flipcolor {check Ka1}\n",
        ),
    ),
    entry_of(
        "W0501",
        "a range that holds no number",
        "the greater number stands first",
        "The lower number comes first; with a range that ends before it begins no game is found.",
        ("cql(gamenumber 5 2) check\n", "cql(gamenumber 2 5) check\n"),
    ),
    entry_of(
        "W0601",
        "a form of older versions of CQL 6",
        "there is a newer form",
        "CQL 6.2 accepts the forms of 6.0 and 6.1 with their old meaning and has others in their \
         place: `path` for `line`, moves such as `N--e4` for `move`, arrows for `attacks` and \
         `attackedby`, `[<]` and `[>]` for `ancestor` and `descendant`, `type` for `colortype`, \
         `originalcomment` for `hascomment`, `flip count` for `flip` with a range, `flip` for \
         `dihedral` and `flipdihedral`, `currentposition` for `curpos`. They are named only \
         where that is asked for: `cql check --warn deprecated`.",
        ("cql() R attacks k\n", "cql() R -> k\n"),
    ),
    entry_of(
        "W0701",
        "a counter that nobody counts",
        "always 0",
        "`:sumrange` adds up what `:accumulate` of the same name counts; without it the sum is 0.",
        (
            "(match (position :sumrange w 1))\n",
            "(match (position :accumulate w :sumrange w 1))\n",
        ),
    ),
];
