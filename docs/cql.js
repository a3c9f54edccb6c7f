// The colors of queries in the book, made of the table of words:
// UPDATE_WORDS=1 cargo test -p babson-cli --test editors

hljs.registerLanguage("cql", () => ({ name: "CQL", contains: [
  {
    "begin": "/\\*",
    "className": "comment",
    "end": "\\*/"
  },
  {
    "begin": "(?://(?!/)|////|;)",
    "className": "comment",
    "end": "$"
  },
  {
    "begin": "\"",
    "className": "string",
    "end": "\"|$"
  },
  {
    "begin": "(?<=\\b(?:input|output)\\s+)[^\\s()<>\"]+",
    "className": "string"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])(?:1-0|0-1|1/2-1/2)(?![A-Za-z0-9_$/-])",
    "className": "number"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])(?:dictionary|persistent|isunbound|function|isbound|assert|import|square|string|unbind|false|local|piece|while|else|loop|then|true|and|not|if|in|or)(?![A-Za-z0-9_$])",
    "className": "keyword"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])(?:currenttransform|shifthorizontal|fliphorizontal|shiftvertical|flipdihedral|flipvertical|reversecolor|notransform|flipcolor|dihedral|rotate45|rotate90|shift|flip)(?![A-Za-z0-9_$])",
    "className": "keyword"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])(?:pathcountunfocused|reachableposition|consecutivemoves|pathlastposition|currentmutation|currentposition|enpassantsquare|initialposition|originalcomment|similarposition|virtualmainline|coloredsquares|connectedpawns|idealstalemate|lastgamenumber|modelstalemate|promotedpieces|halfmoveclock|isolatedpawns|legalposition|purestalemate|removecomment|anydirection|doubledpawns|maindiagonal|saveposition|commandpipe|currentmove|offdiagonal|openingcode|passedpawns|pseudolegal|standardfen|variantdraw|variantloss|arrowsfrom|countmoves|descendant|gamenumber|hascomment|horizontal|makesquare|movenumber|orthogonal|positionid|repetition|sidetomove|variantend|variantwin|zobristkey|colortype|enpassant|eventdate|extension|idealmate|lowercase|modelmate|northeast|northwest|pathcount|pathdebug|pathstart|piecename|quiescent|removetag|secondary|southeast|southwest|stalemate|tablebase|uppercase|variation|writefile|ancestor|arrowsto|defended|diagonal|distance|evalmate|likeness|mainline|material|nullmove|position|previous|puremate|readfile|terminal|typename|vertical|between|comment|elapsed|endgame|hanging|imagine|indexof|initial|message|opening|pieceid|primary|replace|reverse|variant|atomic|castle|curpos|engine|fenset|forced|parent|player|result|settag|ascii|black|check|child|clock|depth|equal|event|legal|light|o\\-o\\-o|phase|power|right|theme|white|dark|date|down|echo|eval|file|find|from|hhdb|left|line|mate|move|path|rank|site|sort|sqrt|type|xray|year|abs|btm|dtz|eco|elo|fen|int|lca|max|min|nag|o\\-o|pin|ply|ray|san|see|str|tag|try|wtm|to|up)(?![A-Za-z0-9_$])",
    "className": "built_in"
  },
  {
    "begin": "∙|⊢|◎|✵|⬓",
    "className": "built_in"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])(?:cql\\_assertvariations|cql\\_hhdbhascook|lastposition|keepallbest|matchstring|singlecolor|attackedby|firstmatch|matchcount|variations|cql\\_abort|piecepath|substring|transform|attacked|captures|attacks|capture|nestban|oldline|promote|through|verbose|attack|nosort|output|silent|arrow|count|focus|input|quiet|title|null|all|any|cql|pgn|by)(?![A-Za-z0-9_$])",
    "className": "keyword"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])(?:(?:\\[[KQRBNPAkqrbnpa_]+\\]|[KQRBNPAkqrbnpa_]|[♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□]+)(?:\\[[a-h1-8,-]+\\]|[a-h](?:-[a-h])?[1-8](?:-[1-8])?)?|(?:\\[[a-h1-8,-]+\\]|[a-h](?:-[a-h])?[1-8](?:-[1-8])?))(?![A-Za-z0-9_$])",
    "className": "title"
  },
  {
    "begin": "[A-Za-z_$][A-Za-z0-9_$]*"
  },
  {
    "begin": "(?<![A-Za-z0-9_$])[0-9]+(?![A-Za-z0-9_$])",
    "className": "number"
  }
] }));
for (const code of document.querySelectorAll("pre > code.language-cql")) {
  hljs.highlightBlock(code);
}
