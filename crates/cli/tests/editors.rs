//! Grammars for editors and the book, which color queries without the language server, and the
//! dictionary for fuzzing: they know all words. With `UPDATE_WORDS` set, the files generated from
//! the table of words are written.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use syntax::builtin::Keyword;
use syntax::cql5::word::Word;
use syntax::spelling::{SPELLINGS, Sign};
use syntax::token::Symbol;

fn editors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors")
}

/// Compares a file with its generated content, or writes it.
fn check(file: &str, wanted: &str) {
    let path = editors().join(file);
    if std::env::var_os("UPDATE_WORDS").is_some() {
        fs::write(&path, wanted).expect("written");
    } else {
        let found = fs::read_to_string(&path).unwrap_or_default();
        let found = found.replace("\r\n", "\n");
        assert!(found == wanted, "{file} is stale: write it with UPDATE_WORDS=1");
    }
}

/// Kind of a word for coloring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    /// `if`, `function`, `and`
    Control,
    /// `flip`
    Transform,
    /// A filter: `mate`, `path`
    Filter,
    /// A word within filters: `focus`
    Parameter,
}

impl Group {
    fn of(keyword: Keyword) -> Group {
        let page = keyword.manual().split('#').next().unwrap_or_default();
        match page {
            "control.md" | "variables.md" => Group::Control,
            _ if keyword == Keyword::In => Group::Control,
            "transforms.md" => Group::Transform,
            _ if keyword.begins_filter() => Group::Filter,
            _ => Group::Parameter,
        }
    }

    fn words(self) -> Vec<&'static str> {
        let words = Keyword::ALL.iter().filter(|keyword| Group::of(**keyword) == self);
        words.map(|keyword| keyword.text()).collect()
    }
}

/// Returns the signs of words and operators.
fn signs(wanted: impl Fn(Sign) -> bool) -> Vec<&'static str> {
    let signs = SPELLINGS.iter().filter(|spelling| wanted(spelling.sign));
    let mut signs: Vec<&str> = signs.map(|spelling| spelling.unicode).collect();
    signs.sort_by_key(|sign| (std::cmp::Reverse(sign.len()), *sign));
    signs.dedup();
    signs
}

/// Escapes a text so that a regular expression matches it literally.
fn escaped(text: &str) -> String {
    let escape = |c: char| if c.is_ascii_punctuation() { format!("\\{c}") } else { c.to_string() };
    text.chars().map(escape).collect()
}

fn any_of(texts: &[&str]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
    texts.join("|")
}

/// Returns a pattern of whole words.
fn words(group: Group, scope: &str) -> Value {
    // Longer words first: `o-o-o` before `o-o`.
    let mut words = group.words();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    let any = any_of(&words);
    json!({ "name": scope, "match": format!("(?<![A-Za-z0-9_$])(?:{any})(?![A-Za-z0-9_$])") })
}

const PIECES: &str = "(?:\\[[KQRBNPAkqrbnpa_]+\\]|[KQRBNPAkqrbnpa_]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+)";
const SQUARES: &str = "(?:\\[[a-h1-8,-]+\\]|[a-h](?:-[a-h])?[1-8](?:-[1-8])?)";

/// Returns the grammar for TextMate, which VS Code and others read.
fn textmate() -> Value {
    let symbols: Vec<&str> = {
        let brackets = ["(", ")", "{", "}", "[", "]", ","];
        let texts = Symbol::ALL.iter().map(|symbol| symbol.text());
        let mut texts: Vec<&str> = texts.filter(|text| !brackets.contains(text)).collect();
        texts.sort_by_key(|text| (std::cmp::Reverse(text.len()), *text));
        texts
    };
    let of_symbol = signs(|sign| matches!(sign, Sign::Symbol(_)));
    let of_word = signs(|sign| matches!(sign, Sign::Keyword(_)));
    let operators = format!("{}|{}", any_of(&symbols), any_of(&of_symbol));
    let edge = "(?<![A-Za-z0-9_$])";
    let end = "(?![A-Za-z0-9_$])";
    let designator = format!("{edge}(?:{PIECES}{SQUARES}?|{SQUARES}){end}");
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "CQL",
        "scopeName": "source.cql",
        "patterns": [
            { "name": "comment.block.cql", "begin": "/\\*", "end": "\\*/" },
            { "name": "keyword.operator.cql", "match": "(?<!/)///(?!/)" },
            { "name": "comment.line.cql", "match": "(?://|;).*$" },
            { "name": "string.quoted.double.cql", "begin": "\"", "end": "\"|$" },
            { "name": "constant.character.escape.cql", "match": "\\\\(?:-?[0-9]{1,2}|[nrt\"\\\\])" },
            {
                "match": format!("{edge}(function)\\s+([A-Za-z_$][A-Za-z0-9_$]*)"),
                "captures": {
                    "1": { "name": "keyword.control.cql" },
                    "2": { "name": "entity.name.function.cql" },
                },
            },
            {
                "match": format!("{edge}(input|output)\\s+([^\\s()<>\"]+)"),
                "captures": {
                    "1": { "name": "keyword.other.cql" },
                    "2": { "name": "string.unquoted.cql" },
                },
            },
            words(Group::Control, "keyword.control.cql"),
            words(Group::Transform, "storage.modifier.cql"),
            words(Group::Filter, "support.function.cql"),
            words(Group::Parameter, "keyword.other.cql"),
            { "name": "support.function.cql", "match": any_of(&of_word) },
            {
                "name": "constant.numeric.result.cql",
                "match": format!("{edge}(?:1-0|0-1|1/2-1/2)(?![A-Za-z0-9_$/-])"),
            },
            { "name": "constant.numeric.repetition.cql", "match": "\\{(?:[0-9]+,?[0-9]*|,[0-9]+)\\}" },
            { "name": "keyword.operator.cql", "match": "--(?=[A-Za-z0-9(=])|\\[x\\]|――|×" },
            { "name": "constant.language.designator.cql", "match": designator },
            { "name": "constant.numeric.cql", "match": format!("{edge}[0-9]+{end}") },
            {
                "match": "([A-Za-z_$][A-Za-z0-9_$]*)\\s*(?=\\()",
                "captures": { "1": { "name": "entity.name.function.cql" } },
            },
            { "name": "variable.other.cql", "match": "[A-Za-z_$][A-Za-z0-9_$]*" },
            { "name": "keyword.operator.cql", "match": operators },
        ],
    })
}

#[test]
fn the_grammar_of_textmate_knows_all_words() {
    let grammar = serde_json::to_string_pretty(&textmate()).expect("JSON");
    check("vscode/syntaxes/cql.tmLanguage.json", &(grammar + "\n"));
}

/// Returns the grammar for highlight.js, which mdBook uses.
fn book() -> String {
    let color = |class: &str, of: Value| json!({ "className": class, "begin": of["match"] });
    let (edge, end) = ("(?<![A-Za-z0-9_$])", "(?![A-Za-z0-9_$])");
    let mut signs = signs(|sign| matches!(sign, Sign::Keyword(_)));
    signs.retain(|sign| !sign.is_empty());
    let contains = json!([
        { "className": "comment", "begin": "/\\*", "end": "\\*/" },
        { "className": "comment", "begin": "(?://(?!/)|////|;)", "end": "$" },
        { "className": "string", "begin": "\"", "end": "\"|$" },
        { "className": "string", "begin": "(?<=\\b(?:input|output)\\s+)[^\\s()<>\"]+" },
        { "className": "number", "begin": format!("{edge}(?:1-0|0-1|1/2-1/2)(?![A-Za-z0-9_$/-])") },
        color("keyword", words(Group::Control, "")),
        color("keyword", words(Group::Transform, "")),
        color("built_in", words(Group::Filter, "")),
        color("built_in", json!({ "match": any_of(&signs) })),
        color("keyword", words(Group::Parameter, "")),
        { "className": "title", "begin": format!("{edge}(?:{PIECES}{SQUARES}?|{SQUARES}){end}") },
        // A designator inside a name is not one.
        { "begin": "[A-Za-z_$][A-Za-z0-9_$]*" },
        { "className": "number", "begin": format!("{edge}[0-9]+{end}") },
    ]);
    let contains = serde_json::to_string_pretty(&contains).expect("JSON");
    format!(
        "// The colors of queries in the book, made of the table of words:\n\
         // UPDATE_WORDS=1 cargo test -p babson-cli --test editors\n\n\
         hljs.registerLanguage(\"cql\", () => ({{ name: \"CQL\", contains: {contains} }}));\n\
         for (const code of document.querySelectorAll(\"pre > code.language-cql\")) {{\n  \
           hljs.highlightBlock(code);\n\
         }}\n"
    )
}

#[test]
fn the_book_knows_all_words() {
    check("../docs/cql.js", &book());
}

/// Returns a pattern of tree-sitter for the identifiers that are these words.
fn query(pattern: &str, capture: &str, predicate: &str, words: &[&str]) -> String {
    // `function` and `o-o` have tokens of their own.
    let words = words.iter().filter(|word| **word != "function" && !word.contains('-'));
    let lines: Vec<String> = words.map(|word| format!("    \"{word}\"")).collect();
    let lines = lines.join("\n");
    format!("({pattern} @{capture}\n  (#{predicate}? @{capture}\n{lines}))\n")
}

/// Returns the colors for tree-sitter. No two patterns match the same word, so their order does not
/// matter.
fn highlights() -> String {
    let mut text = "\
; Made of the table of words: UPDATE_WORDS=1 cargo test -p babson-cli --test editors

(comment) @comment
(string) @string
(escape) @string.escape
[(number) (repetition)] @number
(result) @constant.builtin
(castling) @function.builtin
(designator) @constant
(operator) @operator
\"function\" @keyword.function
[\"(\" \")\" \"{\" \"}\" \"[\" \"]\"] @punctuation.bracket
\",\" @punctuation.delimiter
(function_definition name: (identifier) @function)
(parameters (identifier) @variable.parameter)
"
    .to_owned();
    for (group, capture) in [
        (Group::Control, "keyword.control"),
        (Group::Transform, "keyword.modifier"),
        (Group::Filter, "function.builtin"),
        (Group::Parameter, "keyword"),
    ] {
        text += "\n";
        text += &query("(identifier)", capture, "any-of", &group.words());
    }
    let all: Vec<&str> = Keyword::ALL.iter().map(|keyword| keyword.text()).collect();
    text += "\n";
    let call = query("call name: (identifier)", "function.call", "not-any-of", &all);
    text + &call
}

#[test]
fn the_colors_of_tree_sitter_know_all_words() {
    check("tree-sitter-cql/queries/highlights.scm", &highlights());
}

#[test]
fn every_word_has_a_color() {
    let groups = [Group::Control, Group::Transform, Group::Filter, Group::Parameter];
    let n: usize = groups.iter().map(|group| group.words().len()).sum();
    assert_eq!(n, Keyword::ALL.len());
    let has = |group: Group, word| assert!(group.words().contains(&word), "{word}");
    has(Group::Control, "if");
    has(Group::Control, "function");
    has(Group::Transform, "flip");
    has(Group::Filter, "mate");
    has(Group::Filter, "path");
    has(Group::Parameter, "focus");
}

/// First line of the words that are not generated.
const OTHER_WORDS: &str = "# Words of classic CQL, and pieces of queries.\n";

/// Returns the start of the dictionary of queries: words and signs.
fn dictionary() -> String {
    let mut texts: Vec<&str> = Keyword::ALL.iter().map(|keyword| keyword.text()).collect();
    texts.extend(Word::ALL.iter().map(|word| word.text()));
    texts.extend(Symbol::ALL.iter().map(|symbol| symbol.text()));
    texts.extend(SPELLINGS.iter().flat_map(|spelling| [spelling.sign.ascii(), spelling.unicode]));
    let mut known = HashSet::new();
    texts.retain(|text| known.insert(*text));
    let mut lines =
        "# Made of the table of words: UPDATE_WORDS=1 cargo test -p babson-cli --test editors\n"
            .to_owned();
    for text in texts {
        let escape = |byte: u8| match byte {
            b'"' | b'\\' | 0x7f.. => format!("\\x{byte:02X}"),
            byte => char::from(byte).to_string(),
        };
        let text: String = text.bytes().map(escape).collect();
        lines += &format!("\"{text}\"\n");
    }
    lines
}

#[test]
fn fuzzing_knows_all_words() {
    let file = "../fuzz/dictionaries/query.dict";
    let there = fs::read_to_string(editors().join(file)).expect("the dictionary");
    let (_, others) = there.split_once(OTHER_WORDS).expect("the other words");
    let words = dictionary();
    check(file, &format!("{words}\n{OTHER_WORDS}{others}"));
    for line in others.lines() {
        assert!(!words.lines().any(|word| word == line), "{line} is there twice");
    }
}
