/**
 * CQL as far as colors, folds and brackets need it: words, signs, and the contents of brackets. In
 * CQL, parsing depends on the types of filters, so only the program has a grammar of filters.
 *
 * The reserved words are listed in queries/highlights.scm.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const PIECES = /(?:\[[KQRBNPAkqrbnpa_]+\]|[KQRBNPAkqrbnpa_]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+)/.source;
const SQUARES = /(?:\[[a-h1-8,\-]+\]|[a-h](?:-[a-h])?[1-8](?:-[1-8])?)/.source;

module.exports = grammar({
  name: "cql",

  extras: ($) => [/[\s\uFEFF]/, $.comment],

  rules: {
    source_file: ($) => repeat($._item),

    _item: ($) =>
      choice(
        $.function_definition,
        $.call,
        $.block,
        $.parenthesized,
        $.bracketed,
        $.string,
        $.escape,
        $.result,
        $.number,
        $.repetition,
        $.castling,
        $.designator,
        $.identifier,
        $.operator,
        ","
      ),

    function_definition: ($) =>
      seq(
        "function",
        field("name", $.identifier),
        field("parameters", $.parameters),
        field("body", $.block)
      ),

    parameters: ($) => seq("(", repeat($.identifier), ")"),

    call: ($) => prec(1, seq(field("name", $.identifier), field("arguments", $.parenthesized))),

    block: ($) => seq("{", repeat($._item), "}"),

    parenthesized: ($) => seq("(", repeat($._item), ")"),

    bracketed: ($) => seq("[", repeat($._item), "]"),

    // Three slashes open a filter, two or more than three a comment.
    comment: () =>
      token(
        choice(
          /\/\/([^\/\n][^\n]*)?/,
          /\/\/\/\/[^\n]*/,
          /;[^\n]*/,
          /\/\*[^*]*\*+([^\/*][^*]*\*+)*\//
        )
      ),

    string: () => /"[^"]*"/,

    escape: () => /\\(-?[0-9]+|[nrt"\\])/,

    result: () => token(choice("1-0", "0-1", "1/2-1/2")),

    number: () => /[0-9]+/,

    repetition: () => /\{([0-9]+,?[0-9]*|,[0-9]+|\*|\+)\}/,

    castling: () => token(choice("o-o-o", "o-o")),

    designator: () => new RegExp(`${PIECES}${SQUARES}?|${SQUARES}`),

    identifier: () => /[A-Za-z_$][A-Za-z0-9_$]*/,

    operator: () =>
      token(
        choice(
          "///",
          /[-+*%<>=!~|&#?:.]+/,
          /\/=?/,
          "\\",
          /\[(x|element|forall|Aa|<|<=|>|>=)?\]/,
          /[≤≥≠→←⊢◎∙✵⬓―×∀∊▦∩∪≺≻≼≽]+/
        )
      ),
  },
});
