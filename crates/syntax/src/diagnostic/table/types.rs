//! E03: values of the wrong type.

use super::entry::entries;

entries! {
    "E0301" "the operand of a filter has the wrong type", "of the wrong type",
        "Filters are conditions, or have a value: a set of squares, a number, a string or a \
         position. `#S` turns a set into a number, `str F` a value into a string, `int S` a string into a number.",
        "cql() power check > 3\n" => "cql() power A > 3\n";
    "E0302" "the right operand of an operator has the wrong type", "of the wrong type",
        "Both sides of an operator must fit each other: `&` and `|` join sets, `+` numbers or \
         strings, `-`, `*`, `/` and `%` numbers.",
        "cql() power A - a > 3\n" => "cql() power A - power a > 3\n";
    "E0303" "a variable cannot change its type", "of another type than before",
        "The first assignment gives a variable its type: set, number, string, position, or piece.",
        "cql() x = 3 x = \"a\"\n" => "cql() x = 3 y = \"a\" x == 3 y == \"a\"\n";
    "E0304" "two values that cannot be compared", "",
        "Numbers are compared with numbers (a set among them counts as its number of squares), \
         strings with strings, positions with positions.",
        "cql() year > \"2000\"\n" => "cql() year > 2000\n";
    "E0305" "keys and values of a dictionary have one type each", "of another type than before",
        "The first use of a dictionary says what its keys and values are.",
        "cql() dictionary D D[\"a\"] = 3 D[\"b\"] = \"x\"\n"
            => "cql() dictionary D D[\"a\"] = 3 D[\"b\"] = 4\n";
}
