//! Words with a grammar of their own: a template in the notation of snippets, and a short
//! explanation. Words that only occur within other filters have an empty template.

use syntax::builtin::Keyword;

macro_rules! nodes {
    ($($keyword:ident $template:literal $says:literal;)*) => {
        /// Returns the template and the explanation of a word; `None` for a regular word.
        pub(super) fn node(keyword: Keyword) -> Option<(&'static str, &'static str)> {
            match keyword {
                $(Keyword::$keyword => Some(($template, $says)),)*
                _ => None,
            }
        }
    };
}

nodes! {
    // Squares, attacks and directions.
    Attack "" "the older word for `attacks`, and a form of `ray`";
    Attacked "" "with `by`: the squares on the left that are attacked from the right";
    Attackedby "" "the squares on the left that are attacked from the right";
    Attacks "" "the squares on the left that attack a square on the right";
    By "" "behind `attacked`: by whom";
    In "" "whether the set on the right holds the one on the left, or a string another one";
    Anydirection "anydirection ${1:A}" "the squares in all eight directions from S";
    Diagonal "diagonal ${1:A}" "the squares in the four diagonal directions from S";
    Down "down ${1:A}" "the squares below S";
    Horizontal "horizontal ${1:A}" "the squares to the left and right of S";
    Left "left ${1:A}" "the squares to the left of S";
    Maindiagonal "maindiagonal ${1:A}" "the squares northeast and southwest of S";
    Northeast "northeast ${1:A}" "the squares northeast of S";
    Northwest "northwest ${1:A}" "the squares northwest of S";
    Offdiagonal "offdiagonal ${1:A}" "the squares northwest and southeast of S";
    Orthogonal "orthogonal ${1:A}" "the squares in the four straight directions from S";
    Right "right ${1:A}" "the squares to the right of S";
    Southeast "southeast ${1:A}" "the squares southeast of S";
    Southwest "southwest ${1:A}" "the squares southwest of S";
    Up "up ${1:A}" "the squares above S";
    Vertical "vertical ${1:A}" "the squares above and below S";
    Dark "dark ${1:A}" "the dark squares of S";
    Light "light ${1:A}" "the light squares of S";
    Makesquare "makesquare(${1:5} ${2:4})" "the square with these numbers of file and rank, or with this name";
    Pin "pin from ${1:A} through ${2:a} to ${3:k}" "the pieces that are pinned; each part may be left out";
    Through "" "in `pin`: what is pinned";
    Ray "ray(${1:A} ${2:a})" "the squares of A from which a line leads to the other sets in turn";
    Xray "xray(${1:A} ${2:a})" "the squares that are attacked through each other";
    Any "" "an older word for `.`, still reserved";

    // Transforms.
    Currenttransform "currenttransform" "the name of the image that is evaluated";
    Dihedral "dihedral {${1:A}}" "the eight turns and mirrorings of the board; an older word for `flip`";
    Flip "flip {${1:A}}" "the eight turns and mirrorings of the board";
    Flipcolor "flipcolor {${1:A}}" "as it is, and with colors exchanged and the board upside down";
    Flipdihedral "flipdihedral {${1:A}}" "the eight turns and mirrorings of the board; an older word for `flip`";
    Fliphorizontal "fliphorizontal {${1:A}}" "as it is, and with the first rank and the eighth exchanged, and so on";
    Flipvertical "flipvertical {${1:A}}" "as it is, and with the a-file and the h-file exchanged, and so on";
    Notransform "notransform {${1:A}}" "what the transforms around it leave alone";
    Reversecolor "reversecolor {${1:A}}" "only the image with colors exchanged";
    Rotate45 "rotate45 {${1:up A}}" "with all directions turned by multiples of 45 degrees";
    Rotate90 "rotate90 {${1:A}}" "turned by 0, 90, 180 and 270 degrees";
    Shift "shift {${1:A}}" "moved over the board by any number of files and ranks";
    Shifthorizontal "shifthorizontal {${1:A}}" "moved over the board by any number of files";
    Shiftvertical "shiftvertical {${1:A}}" "moved over the board by any number of ranks";

    // Moves.
    Capture "" "in `move`: what is taken; behind `focus`: moves that take it count as well";
    Captures "" "an older word of `move`, still reserved";
    Countmoves "countmoves legal --" "the number of such moves";
    Currentmove "currentmove --" "the move that led here is such a dash";
    Reverse "reverse --" "there is a move that can have led here";
    Legal "legal --" "there is a legal move like this; it need not be played";
    Move "move from ${1:A}" "the next move is like this; the older way to write a dash";
    Null "" "in `move`: a null move";
    Previous "previous --" "the move that led here is such a dash";
    Promote "" "in `move`: what the pawn becomes";
    Pseudolegal "pseudolegal --" "there is such a move, even if it leaves the king in check";

    // Paths and lines.
    Atomic "atomic ${1:x} = ${2:A}" "an assignment that is put back when a path turns back";
    Path "path ${1:--}" "the number of moves of the longest sequence that is described, from here on";
    Line "line --> ${1:check}" "the older way to describe moves in a row";
    Firstmatch "" "of `path` and `line`: the first that fits is enough, not the longest";
    Focus "" "of `path`: only moves of the pieces that stand there at the beginning count";
    Keepallbest "" "of `path`: marks all that are as good as the best";
    Lastposition "" "of `path` and `line`: the value is the position at the end";
    Max "max(${1:1} ${2:2})" "the greatest of numbers or strings";
    Nestban "" "of `path` and `line`: does not begin again inside of one that was found";
    Piecepath "" "of `path` with `focus`: a comment with the way that each piece went";
    Singlecolor "" "of `path` and `line`: only moves of the side to move count";
    Title "" "of `path`: a comment where it starts";
    Verbose "" "of `path`: a comment at every move";

    // Positions.
    All "" "all of them: of `find` all positions, of loops all members, of `echo` all targets";
    Child "child" "the position after the next move, or after that with a number";
    Consecutivemoves "consecutivemoves(${1:here} ${2:there})" "the moves in a row that the ways to two positions have in common";
    Count "" "of `find` and transforms: how many match, even if none does";
    Curpos "curpos" "the current position; an older word for `currentposition`";
    Echo "echo (${1:source} ${2:target}) {${3:check}}" "whether there is a target that belongs together with this position";
    Find "find ${1:check}" "the next position where this holds, this one included";
    Hascomment "hascomment" "the comment of the file; an older word for `originalcomment`";
    Imagine "imagine ${1:remove Q} : ${2:check}" "whether this holds with changes of the position";
    Nosort "" "of `similarposition`: leaves the order of the games alone";
    Originalcomment "originalcomment" "the comment of the file, or whether it has a text or a sign";
    Removetag "removetag ${1:\"Annotator\"}" "leaves out a tag of the game";
    Replace "replace(${1:\"text\"} ${2:\"t\"} ${3:\"n\"})" "a string with another text for what a regular expression matches";
    Removecomment "removecomment" "leaves out the comment of the file";
    Similarposition "similarposition ${1:\"file.pgn\"}" "whether the position occurs in another file, turned or shifted";

    // Game data.
    Date "date" "the date of the game";
    Eco "eco" "the opening code of the game";
    Elo "elo" "the greater rating, or that of `white` or `black`";
    Event "event" "the event of the game";
    Eventdate "eventdate" "the date of the event";
    Fen "fen" "the position as FEN, or whether it is like one";
    Hhdb "hhdb \"<cook>\"" "what the study database of Harold van der Heijden notes of a study";
    Player "player ${1:white}" "the names of the players, or one of them";
    Result "result ${1:1-0}" "whether the game ended so";
    Site "site" "where the game was played";
    Tag "tag ${1:\"Name\"}" "the value of a tag";

    // Numbers and strings.
    Ascii "ascii ${1:\"a\"}" "the code of a character, or the character with a code";
    Equal "equal(${1:A} ${2:A})" "whether two values are equal";
    Min "min(${1:1} ${2:2})" "the least of numbers or strings";
    Sort "sort ${1:\"key\"} ${2:ply}" "sorts the games by a value, the greatest first";
    Str "str(${1:\"a\"} ${2:ply})" "the values as one text";
    Substring "" "reserved, without meaning";

    // Control.
    And "" "both hold";
    Assert "assert ${1:check}" "ends the search with an error where this does not hold";
    Else "else ${1:true}" "what is asked if the condition of `if` does not hold";
    If "if ${1:check} then ${2:true}" "asks one filter or another, as a condition holds or not";
    Loop "loop {${1:false}}" "asks again and again until it fails";
    Not "not ${1:check}" "this does not hold";
    Or "" "one of both holds";
    Piece "piece ${1:x} in ${2:A} {${3:check}}" "the pieces of a set for which this holds, each called by a name";
    Square "square ${1:x} in ${2:A} {${3:check}}" "the squares of a set for which this holds, each called by a name";
    Then "then ${1:true}" "what is asked if the condition of `if` holds";
    While "while (${1:false}) {${2:check}}" "asks again and again while the condition holds";

    // Names.
    Dictionary "dictionary ${1:D}" "declares a dictionary, kept from game to game";
    Function "function ${1:name}(${2:x}) {${3:x}}" "defines a function";
    Import "import ${1:\"themes\"}" "makes the functions of a library known";
    Isbound "isbound ${1:here}" "whether a variable has a value";
    Isunbound "isunbound ${1:here}" "whether a variable has no value";
    Local "local dictionary ${1:E}" "declares a dictionary that is emptied at each game";
    Persistent "persistent ${1:total} += ${2:1}" "a variable that keeps its value from game to game";
    String "string ${1:key} in ${2:D} {${3:check}}" "for every key of a dictionary";
    Unbind "unbind ${1:here}" "forgets the value of a variable, or entries of a dictionary";

    // Comments and files.
    Comment "comment(${1:\"text\"})" "writes into the comment of this position";
    Commandpipe "commandpipe(${1:\"NAME\"} ${2:ply})" "what another program answers about this position";
    Engine "engine (depth ${1:12})" "what a chess engine thinks of this position";
    Message "message(${1:\"text\"})" "prints a line on the screen";
    Readfile "readfile ${1:\"file.cql\"}" "what is in a file";
    Settag "settag(${1:\"Name\"} ${2:\"text\"})" "writes a tag of the game";
    Writefile "writefile(${1:\"file.cqo\"} ${2:\"text\"})" "writes a text to a file";

    // The header.
    Cql "cql(input ${1:games.pgn})" "begins a query; its parameters are in the parentheses";
    Input "" "in the header: the games";
    Matchcount "" "in the header: only games with so many matching positions";
    Matchstring "" "in the header: the mark of a matching position";
    Output "" "in the header: where the games are written";
    Pgn "" "an older word for `input`, still reserved";
    Quiet "" "without automatic comments";
    Silent "" "in the header: no comments at all";
    Variations "" "in the header: searches variations, too";

    // Words without any meaning.
    Arrow "" "reserved, without meaning";
    CqlAbort "" "reserved, without meaning";
    CqlAssertvariations "" "reserved, without meaning";
    CqlHhdbhascook "" "reserved, without meaning";
    Oldline "" "reserved, without meaning";
    Transform "" "reserved, without meaning";
}
