//! Tests filters used only as conditions: which operands are evaluated, and where the filters
//! match. The rows are those of the table at `used_value` in the lowering of conditions.

mod support;

use support::{game, run};

/// Returns whether the filter matches at the start, and the comments it makes as a condition and as
/// a value.
fn asked_both_ways(declaration: &str, filter: &str) -> (bool, String, String) {
    let comments = |body: &str| {
        let games = run("matchstring \"\"", body, &game(""));
        let positions = &games.first().expect(body).row.positions;
        let texts = &positions.first().expect(body).comments;
        String::from_utf8_lossy(&texts.join(&b' ')).into_owned()
    };
    let matched =
        comments(&format!("{declaration} if {filter} then comment(\"yes\") else comment(\"no\")"));
    let (matched, asked) = match matched.strip_suffix("yes") {
        Some(before) => (true, before),
        None => (false, matched.strip_suffix("no").expect(filter)),
    };
    let used = comments(&format!("{declaration} comment(\"value \" {filter})"));
    let (before, _) = used.split_once("value").expect(filter);
    (matched, asked.trim().to_owned(), before.trim().to_owned())
}

#[test]
fn what_is_evaluated_where_only_the_match_counts() {
    const D: &str = "local dictionary D D[1]=[] D[2]=K";
    for (declaration, filter, matches, evaluates) in [
        ("", "({comment(\"e\") R}&A)", true, true),
        ("", "({comment(\"e\") R}&a4)", false, true),
        ("", "#({comment(\"e\") R}&a4)", true, false),
        ("", "#{comment(\"e\") R}", true, false),
        ("", "power {comment(\"e\") R}", true, false),
        ("", "parent:#R", false, false),
        ("", "{comment(\"e\") #R}", true, true),
        (D, "D[{comment(\"e\") 1}]", true, true),
        (D, "D[{comment(\"e\") 2}]", true, true),
        (D, "D[{comment(\"e\") 3}]", false, true),
        ("", "uppercase {comment(\"e\") \"x\"}", false, false),
        ("", "file {comment(\"e\") Ke1}", true, true),
        ("", "({comment(\"e\") 1}+1)", true, true),
        ("", "({comment(\"e\") \"ab\"}[1])", true, true),
        ("", "try", false, false),
    ] {
        let (matched, asked, used) = asked_both_ways(declaration, filter);
        assert_eq!(matched, matches, "{filter}");
        assert_eq!(asked == "e", evaluates, "{filter}: {asked}");
        let has_operand = filter.contains("\"e\"");
        assert_eq!(used == "e", has_operand, "{filter}: {used}");
    }
}
