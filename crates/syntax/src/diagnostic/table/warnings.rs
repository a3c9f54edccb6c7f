//! W: queries that run, but probably mean something else.

use super::entry::entries;

entries! {
    "W0101" "code after a semicolon", "not read",
        "`;` begins a comment that goes on to the end of the line, as `//` does. Filters that stand beside each other must all match; nothing stands between them.",
        "cql() wtm; check\n" => "cql() wtm check\n";
    "W0201" "a name that is never used", "defined here and not used",
        "A variable that is only assigned, or a function that is never called, is often a misspelled name or the rest of another query.",
        "cql() limit = 2500 check\n" => "cql() limit = 2500 elo > limit\n";
    "W0301" "sets that can only be equal if both are empty", "no square in common",
        "`==` compares the squares of two sets. Designators of different pieces, or of different squares, never hold the same square, so the comparison matches only where neither is on the board. `#A == #B` compares how many there are.",
        "cql() R == r\n" => "cql() #R == #r\n";
    "W0302" "a subtraction of constants", "a subtraction",
        "A minus sign between numbers subtracts: `1990-2000` is the number -10. A range is written with the number between its ends. Castling is written with letters, `o-o` and `o-o-o`.",
        "cql() year == 1990-2000\n" => "cql() 1990 <= year <= 2000\n";
    "W0303" "the empty set on a side of `in`", "true of the empty set",
        "`A in B` matches if each square of A is one of B. The empty set has no squares, so it is in every set. If the sets can have nothing in common, `A in B` matches only where A is empty. `A & B` is the set of the squares in both; as a condition it matches where there are any.",
        "cql() R in k\n" => "cql() R attackedby k\n";
    "W0401" "a value that may be used as a condition", "nothing is done with this value",
        "A number, string or position alone neither matches nor fails. If it is evaluated on a \
         game, the query fails on that game, \
         which does not match. Compare the value, print it, or assign it.",
        "cql() check white\n" => "cql() check wtm\n";
    "W0402" "a condition that is never met", "never met",
        "Filters beside each other must all match at the same position, and these cannot. Between alternatives write `or`; for other positions of the game use `find` or a `path`. Ranges of one number that exclude each other, as in `ply > 10 ply < 5`, are such filters, too, and so is `1950 < year < 1900`. No game has a board without a king, or a pawn that becomes a king.",
        "cql() mate stalemate\n" => "cql() mate or stalemate\n";
    "W0403" "a condition that is always met", "always met",
        "The condition holds for every position, so it can be left out, unless another number was meant. `comment \"novelty\"` writes, and matches everywhere; `originalcomment \"novelty\"` looks for a text in the comments of the file.",
        "cql() check #R >= 0\n" => "cql() check #R >= 1\n";
    "W0404" "a transform that changes nothing", "the same in all images",
        "`flipcolor` also searches its body with White and Black exchanged, `flip` and `rotate90` turned around, and `shift` moved over the board: these are its images. Here all of them ask for the same, so the transform has no effect. Perhaps it was meant to hold more of the query.",
        "cql() flipcolor check Ka1\n" => "cql() flipcolor {check Ka1}\n";
    "W0405" "squares as a condition", "always met",
        "A set is a condition: it matches unless it is empty. `e4` is the square e4, empty or not, and `.` all squares, so both always match, and so does `Kg1 | h1`. Put pieces before the square (`Pe4`, `[Aa]e4`), or a dash for a move there (`--e4`). A query of nothing but `.` matches every position, and is taken to mean that.",
        "cql() e4 check\n" => "cql() Pe4 check\n";
    "W0406" "a piece after the sign of a move", "stands there before the move",
        "After `--` comes the square that the move goes to, as it is before the move. `--Nf3` \
         goes to a square on which a white knight stands, so it takes that knight. The moving \
         piece comes before the sign: `N--f3`. To take a knight on f3 write `[x]Nf3`.",
        "cql() --Nf3\n" => "cql() N--f3\n";
    "W0407" "pawns on the first or last rank", "empty in games of chess",
        "In games of chess no pawn ever stands there, so the set is empty; in Horde, one may. Before it promotes, a white pawn stands on rank 7 and a black one on rank 2; the promotion is a move with `=`.",
        "cql() Pe8\n" => "cql() P--e8=Q\n";
    "W0408" "moves without the signs of moves", "squares, and pieces on squares",
        "`e4` is a square and `Nf3` a knight on f3, so `e4 e5 Nf3` asks whether a white knight \
         stands on f3. Moves are written with `--` between the piece and its target, and `path` \
         is a series of moves that follow each other.",
        "cql() e4 e5 Nf3\n" => "cql() path P--e4 p--e5 N--f3\n";
    "W0409" "a date of another form", "no date is written like this",
        "Dates of games are written yyyy.mm.dd with question marks for what is not known. They are compared as texts, so a date of another form is never found. `date \"1992.07\"` looks for a part of a date; `year` is a number. Every date of 1995 begins with \"1995\" and is greater than it: `date >= \"1995\"` and `year > 1995` say which of them are meant.",
        "cql() date \"30.07.1992\"\n" => "cql() date \"1992.07.30\"\n";
    "W0410" "the name of a player in small letters", "not as in the games",
        "Capital and small letters differ when texts are compared, and almost all files write names as \"Carlsen, Magnus\". To find both forms write `(lowercase player) ~~ \"carlsen\"`, or `player ~~ \"[Cc]arlsen\"`.",
        "cql() player \"carlsen\"\n" => "cql() player \"Carlsen\"\n";
    "W0411" "an `if` as a condition", "matches where its condition does not",
        "`if A then B` looks at B only where A matches; where A does not, it matches. This suits \
         an action, such as a comment, but seldom a condition. To require two conditions, write \
         them one after the other. If the implication is meant, write `not A or B`.",
        "cql() if check then mate\n" => "cql() check mate\n";
    "W0412" "an `or` that joins only its neighbors", "joins only these two",
        "`or` binds tighter than the blank between filters: `A B or C D` matches where A, D and one of B and C match. Lines do not change that. Braces hold filters together: `{A B} or {C D}`.",
        "cql() wtm mate or btm stalemate\n" => "cql() {wtm mate} or {btm stalemate}\n";
    "W0413" "two numbers that are compared with each other", "the same at every position",
        "In a chain each sign compares the values on its two sides: `ply > 10 < 20` compares 10 \
         with 20, which does not depend on the position. In `10 < ply < 20`, both comparisons do.",
        "cql() ply > 10 < 20\n" => "cql() 10 < ply < 20\n";
    "W0414" "a path without a move", "no move in it",
        "A `path` goes from position to position by its moves, which have the sign `--`. Its \
         other parts are conditions on the position that it has reached. A path without a move \
         matches nowhere.",
        "cql() path Nf3 nc6\n" => "cql() path N--f3 n--c6\n";
    "W0415" "a position that comes after itself", "not true of equal positions",
        "`x[>=]y`, also written `x≽y`, should be true where x is y or comes after it. As in the reference, it is not true where they are the same position. `y[<=]x` is.",
        "cql() currentposition[>=]parent\n" => "cql() parent[<=]currentposition\n";
    "W0416" "`sort max`", "the least first",
        "`sort` puts the greatest value first. With `min`, and as in the reference also with `max`, the least comes first.",
        "cql() sort max \"pawns\" #P\n" => "cql() sort \"pawns\" #P\n";
    "W0417" "a value in another form than filters see", "no filter sees this",
        "As in the reference, filters see names with one blank after a comma and without a rating, and codes of openings as a capital letter and two digits, however the file writes them. So `Carlsen,M` is found by \"Carlsen, M\", and `b90/04` by \"B90\". A text is searched as it is; `~~` looks for a pattern, such as `player ~~ \"Carlsen|Anand\"`. Columns of a table show the text of the file.",
        "cql() player \"Carlsen,M\"\n" => "cql() player \"Carlsen, M\"\n";
    "W0418" "a text that has no images", "the same in all images",
        "A transform changes pieces, squares, directions and colors. A text stays as it is: a \
         FEN, the key of a position or the name of a move is compared as it is written in every \
         image.",
        "cql() flip {Ka1 standardfen == \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"}\n"
            => "cql() flip {Ka1 kc1 [Aa] == 2}\n";
    "W0419" "an arrow between moves", "between two moves",
        "An arrow says which squares attack which, so `--d4 -> k--` is a move to d4 from where it \
         attacks the king, and then any move. The moves of a path stand beside each other. If the \
         attack is meant, write parentheses: `--(d4 -> k) --`.",
        "cql() path --d4 -> k--\n" => "cql() path --d4 k--\n";
    "W0420" "a spelling of CQL 5.1", "CQL 5.2 reads this otherwise",
        "Up to CQL 5.1 `.` was an empty square; since CQL 5.2 it is any square, and an empty one \
         is `_`. The set that a loop visits follows `in`. Without `in`, `square all $x` visits \
         all 64 squares, and the filters after it are tested for each.",
        "cql() square all $x attack (k .) attack (A $x)\n"
            => "cql() square all $x in attack (k _) attack (A $x)\n";
    "W0421" "a sign of a move between blanks", "a move of its own",
        "The piece and its target touch the sign of a move: `Q[x]r` is a queen that takes a rook. With blanks, `Q [x] r` has three conditions: there is a queen, something is taken next, and there is a rook. So `[x] Q` is any capture where there is a white queen: next in a row, and after the capture in a `path`.",
        "cql() Q [x] r\n" => "cql() Q[x]r\n";
    "W0422" "a part of `pin` or `move` without its word", "a condition of its own",
        "The parts of `pin` follow `from`, `through` and `to`, those of `move` follow `from`, `to` and `capture`. A set without such a word is no part, and `to` after it is the square that the last move went to.",
        "cql() pin Q to K\n" => "cql() pin through Q to K\n";
    "W0423" "a set beside an attack, a capture or a pin", "true wherever there is such a piece",
        "Arrows, `attacks`, the signs of moves and the parts of `pin` bind tighter than `or` and `and`: `Q or R -> k` is true where there is a queen, or where a rook attacks the king. Either piece is one set, `[QR]`, or `Q | R` in parentheses; `N attacks k and r` needs each attack written out. The captured pieces follow the sign of the move directly; parentheses there hold what must match after the move.",
        "cql() Q or R -> k\n" => "cql() [QR] -> k\n";
    "W0424" "a sign of check after a move of a path", "repeats the move",
        "In a `path`, `+` after a move means one or more of it. As the other side moves next, a move of one piece to one square is never repeated, so the sign changes nothing. Games have it for check; a path has the condition in parentheses.",
        "cql() path Q[x]f7+\n" => "cql() path Q[x]f7(check)\n";
    "W0425" "a set after a word without operands", "a condition of its own",
        "`check`, `mate` and the words for pawns take no operand. `check k` asks for check, and for a black king, which is always there; `btm check` is Black in check. `isolatedpawns` is the set of all isolated pawns, and `isolatedpawns & Pd4` that of those which are White's and on d4.",
        "cql() check k\n" => "cql() btm check\n";
    "W0426" "an evaluation compared with a few hundredths", "hundredths of a pawn",
        "`eval` is in hundredths of a pawn (centipawns), from White's side: `eval > 300` is more than three pawns.",
        "cql() eval > 3\n" => "cql() eval > 300\n";
    "W0427" "an end of a name in `player`", "sees one name only",
        "`player` is the names of White and Black joined by a backslash and an n. So `^` is the start of White's name and `$` the end of Black's, and before Black's name `\\b` does not match, as n is a letter. `player white` and `player black` are one name each.",
        "cql() player ~~ \"^Karpov\"\n"
            => "cql() (player white ~~ \"^Karpov\" or player black ~~ \"^Karpov\")\n";
    "W0428" "a match in the operand of `lowercase` or `uppercase`", "the text is searched as it is",
        "`~~` binds tighter than `lowercase`: `lowercase player ~~ \"karpov\"` looks for small letters in the names themselves, and turns what it finds into small letters. Parentheses around `lowercase player` turn the names first.",
        "cql() lowercase player ~~ \"karpov\"\n" => "cql() (lowercase player) ~~ \"karpov\"\n";
    "W0429" "a part of a letter in a regular expression", "matches single bytes",
        "Regular expressions match bytes. A letter beyond ASCII has two or more in UTF-8, so a class of such letters matches any of their bytes, `?` after one repeats its last byte, and `.` matches none as a whole. Alternatives and groups hold letters together: `(?:ä|ö)`, `(?:ü)?`; `[^ -~]+` stands for letters beyond ASCII.",
        "cql() player ~~ \"M[üu]ller\"\n" => "cql() player ~~ \"M(?:ü|u)ller\"\n";
    "W0430" "more pieces than a game of chess has", "more than eight pawns were needed",
        "A side begins with a queen, two rooks, bishops and knights, and eight pawns; every other piece was a pawn. So it has at most 9 queens, or 10 rooks, and then no pawns. Variants such as Crazyhouse are not bound to that, nor are games from a FEN.",
        "cql() material \"KPPPPPPPPPKP\"\n" => "cql() material \"KPPPPPPPPKP\"\n";
    "W0431" "a number that is read as a smaller one", "does not fit 32 bits",
        "The reference computes in 32 bits and keeps the rest of a greater number after division by 4294967296. A search does the same, so the comparison is not the one that is written. The greatest number is 2147483647.",
        "cql() ply == 4294967301\n" => "cql() ply == 5\n";
    "W0432" "a value of the move before a match", "the next move",
        "`from` and `to` are squares of the move that led to the position. A query that ends with a \
         move matches before this move, so `--count-by to` counts where the move before it went. \
         `currentmove P--=Q` matches after the move.";
    "W0433" "the name of an opening that others have in theirs", "a part of other names",
        "`opening` finds a part of a name, so `opening \"French\"` has the games of the \"Sicilian \
         Defense: French Variation\", too. The whole name of the French Defense, before the colon, \
         is a part of no other. If a whole name is a part of others, `~~` with `^` finds the names that \
         begin with it. The \
         Ruy Lopez is called the Spanish Game, but the table has that word in the Four Knights \
         alone. `Berlin` is a part of the names of several families, and `Kan` of the Caro-Kann \
         Defense; a longer part of a name is of one family. `==` compares the whole name, so \
         `opening == \"French Defense\"` leaves out all games whose opening has a name of its own \
         within the French Defense; `~~` with `^` and `$` says that these are not meant.",
        "cql() opening \"French\"\n" => "cql() opening \"French Defense\"\n";
    "W0434" "a FEN with a side to move", "the side is not compared",
        "`fen` compares the 64 squares, as in the reference. The side to move, castling rights and \
         numbers that a FEN has after the board do not count: `wtm` and `btm` ask for the side.",
        "cql() fen \"8/8/8/4k3/8/8/4K3/8 b - - 0 1\"\n" => "cql() btm fen \"8/8/8/4k3/8/8/4K3/8 b - - 0 1\"\n";
    "W0435" "a `not` before several pieces", "not negated",
        "`not` takes one filter: `not Pa2 Pb2` matches where White has no pawn on a2 and one on b2. \
         `not Pa2 not Pb2` is neither, and `not {Pa2 Pb2}` not both. If the second is meant to be \
         there, write it first.",
        "cql() not Pa2 Pb2\n" => "cql() not Pa2 not Pb2\n";
    "W0436" "a text that is compared as a whole", "all of the text",
        "`==` and `!=` compare the whole text, and `player` is both names joined by a backslash and \
         an n, so no name is equal to it. Files have more in a text than most queries name: \
         \"Kasparov, Garry\", \"Linares 24th\". `player \"Kasparov\"` looks for a part, and `not` \
         excludes it. If the whole text is meant, `not event == \"Linares\"` says so.",
        "cql() player != \"Kasparov\"\n" => "cql() not player \"Kasparov\"\n";
    "W0501" "a range that holds no number", "the greater number stands first",
        "The lower number comes first. A range that ends before it begins holds no number, and no game is found.",
        "cql(gamenumber 5 2) check\n" => "cql(gamenumber 2 5) check\n";
    "W0601" "a form of older versions of CQL 6", "there is a newer form",
        "CQL 6.2 accepts the forms of 6.0 and 6.1 with their old meaning, but has newer ones: `path` for `line`, moves such as `N--e4` for `move`, arrows for `attacks` and \
         `attackedby`, `[<]` and `[>]` for `ancestor` and `descendant`, `type` for `colortype`, \
         `originalcomment` for `hascomment`, `flip count` for `flip` with a range, `flip` for \
         `dihedral` and `flipdihedral`, `currentposition` for `curpos`. They are reported only on request: `cql check --warn deprecated`.",
        "cql() R attacks k\n" => "cql() R -> k\n";
    "W0701" "a counter that nobody counts", "always 0",
        "`:sumrange` adds up what `:accumulate` of the same name counts; without it the sum is 0.",
        "(match (position :sumrange w 1))\n" => "(match (position :accumulate w :sumrange w 1))\n";
}
