//! E08: migration; E09: limits.

use super::entry::entries;

entries! {
    "E0801" "no equivalent is known", "cannot be rewritten",
        "`cql migrate` rewrites a query in an older dialect only if it is certain that the new \
         one selects the same positions. Such a query still runs as it is.";
    "E0901" "nested too deeply", "too deep",
        "Filters can be nested only to a certain depth. Name a part of the query by a variable or function.";
    "E0902" "the functions make too much text", "too long",
        "Functions are expanded where they are called; calls within functions multiply.",
        "cql()\n\
         function x1() {x2() x2() x2() x2() x2() x2() x2() x2() x2() x2()}\n\
         function x2() {x3() x3() x3() x3() x3() x3() x3() x3() x3() x3()}\n\
         function x3() {x4() x4() x4() x4() x4() x4() x4() x4() x4() x4()}\n\
         function x4() {x5() x5() x5() x5() x5() x5() x5() x5() x5() x5()}\n\
         function x5() {check check check check check check check check}\n\
         x1() x1() x1() x1() x1() x1() x1() x1() x1() x1()\n" => "cql()\n\
         function x1() {x5() x5() x5() x5() x5() x5() x5() x5() x5() x5()}\n\
         function x5() {check check check check check check check check}\n\
         x1()\n";
    "E0903" "too many images", "too many images",
        "The images of nested transforms multiply.",
        "cql() shift shift shift shift {Ka1 attacks A}\n" => "cql() shift {Ka1 attacks A}\n";
    "E0990" "a defect of cql", "not understood",
        "The engine met a filter that the parser should not have let through. No query is known for which this happens. Please report it.";
}
