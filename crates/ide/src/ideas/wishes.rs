//! Queries for what players and composers ask for in plain words.

/// A query, what it finds, and the words that ask for it: phrases separated by commas.
type Wish = (&'static str, &'static str, &'static str);

/// Wishes that no word, term or recipe answers.
pub(super) const WISHES: &[Wish] = &[
    (
        "flipcolor {square x in N & c-f5-6 {P -> x not p & up 1 7 (left 1 x | right 1 x)}}",
        "a knight on an outpost: a pawn protects it, and no pawn can drive it away",
        "outpost, outposts, knight outpost, knights on outposts, strong knight, hole",
    ),
    (
        "flipcolor {endgame \"rook\" #P == #p + 1}",
        "a rook endgame with an extra pawn",
        "rook endgames with an extra pawn, rook endgame a pawn up, one pawn more",
    ),
    (
        "flipcolor {phase \"endgame\" #P == #p + 1 power A == power a + 1}",
        "an endgame with an extra pawn, and nothing else is different",
        "extra pawn, pawn up, pawn more, number of pawns, pawn ahead",
    ),
    (
        "flipcolor {mate btm #{N -> anydirection 0 1 k} == 2}",
        "mate with two knights, both of which attack squares of the king",
        "mate with two knights, two knights mate, king and two knights",
    ),
    (
        "terminal {repetition >= 2} result 1/2-1/2",
        "a draw by repetition at the end of the game, as in a positional draw",
        "positional draw, draw by repetition, repetition draw study, perpetual",
    ),
    (
        "terminal castle",
        "castling as the last move of the game",
        "castling as last move, last move castling, castling at the end",
    ),
    (
        "terminal",
        "the final position, after the last move of the game",
        "final position, end of the game, last position, last move of the game",
    ),
    (
        "check currentmove --=[NBR]",
        "underpromotion with check",
        "underpromotion with check, promotion to a knight with check",
    ),
    (
        "player white \"Carlsen\" year == 2015",
        "the games of a player as White in a year; -white Carlsen -year 2015 does the same",
        "player as white in a year, games of a player, player games as white, white player",
    ),
    (
        "elo white - elo black >= 200",
        "White's rating is at least 200 points higher than Black's",
        "rating difference, difference of ratings, rating gap, elo difference, underdog",
    ),
    (
        "legal --(mate) not terminal not child:mate",
        "a mate in one move that was not played",
        "missed mate, mate in one missed, missed mate in one, overlooked mate",
    ),
    (
        "quiescent not check",
        "a quiet position: the side to move is not in check and wins nothing by captures",
        "quiet position, quiet positions, quiet move, no tactics, quiet position no tactics",
    ),
    (
        "import \"themes\" mate find sacrifice()",
        "games in which a sacrifice ends with mate",
        "beautiful games, most beautiful games, brilliancy, brilliant, immortal game",
    ),
    (
        "material \"BB:BN\"",
        "the pieces of either side besides kings and pawns, exactly these",
        "two bishops against bishop and knight, bishops against knight, material signature, \
         two queens against queen and two rooks, exactly this material, piece signature",
    ),
    (
        "material \"KRPPKR\"",
        "all pieces of White, and then all pieces of Black, exactly these",
        "rook and two pawns against rook, exact material, exactly these men, exactly these pieces",
    ),
    (
        "initial piece $rook in Ra1 find {terminal $rook}",
        "the rook from a1 is never taken",
        "survive, does the a1 rook survive, piece survives, piece never captured, survivor",
    ),
    (
        "Nd5 movenumber <= 20",
        "a white knight stands on d5 by move 20",
        "knight on d5, knight on a square, piece on a square, by move 20, move number, \
         early in the game",
    ),
    (
        "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}",
        "a plan of either side: long castling, g4 and h4 in this order, with any moves between",
        "plan, plans, sequence of moves, moves in order, castle long then push pawns, \
         castle long then push the g pawn and h pawn",
    ),
    (
        "not find opening \"Sicilian\"",
        "the games whose opening is not called so",
        "not an opening, games without an opening",
    ),
    (
        "player \"Kasparov\" player \"Karpov\"",
        "the games between two players, with either color",
        "games between Kasparov and Karpov, games between two players, games between players, \
         both players, two players, head to head",
    ),
    (
        "fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\"",
        "a position, in whatever order the moves were played",
        "find a position however it came about, find position, exact position, position by fen, \
         search a position, transposition to a position",
    ),
    (
        "_d4 P == 4",
        "d4 is empty, and White has four pawns: _ are the empty squares",
        "squares that must be empty, empty square, empty squares, must be empty, \
         no piece on a square, nothing on a square",
    ),
    (
        "B[x]b5 eco ~~ \"^B[2-9]\"",
        "a white bishop takes on b5 in a Sicilian: ECO B20 to B99",
        "sacrifice on b5 in the sicilian, Bxb5 open Sicilian, capture on a square in an opening",
    ),
    (
        "flipcolor {btm currentmove K-- [rbn] <- K >= 2}",
        "a king moves and attacks two pieces besides pawns and queens",
        "king fork, fork by the king, king attacks two pieces, king forks",
    ),
    (
        "flipcolor {btm square x in [qrbnp] {#(A -> x) > #(a -> x) \
         parent:{A -> x #(A -> x) <= #(a -> x)}}}",
        "a move adds an attacker: now more pieces attack a piece than protect it",
        "add an attacker, one more attacker, adding an attacker, number of attackers, \
         more attackers than defenders",
    ),
    (
        "terminal movenumber <= 25 not result 1/2-1/2",
        "a decisive game of at most 25 moves",
        "miniature, miniatures, short game, short games, quick win",
    ),
    (
        "tag \"Event\" ~~ \"[Bb]litz\"",
        "the games of events whose name says so",
        "blitz, blitz games, rapid, rapid games, bullet, bullet games",
    ),
    (
        "elo white >= 2600 elo black >= 2600",
        "both players are rated 2600 or more; elo is the greater of the two ratings",
        "rating above, rating above 2600, rated above, strong players, grandmasters, high rating",
    ),
    (
        "tag \"Event\" ~~ \"[Ww]om[ae]n\"",
        "the games of events for women, by their name",
        "women, games of women, women's games, female players",
    ),
    (
        "import \"themes\" mate sort \"sacrifices\" {find <-- all sacrifice()}",
        "games that end with mate, those with the most sacrifices first",
        "sort by beauty, rank by beauty, brilliancies, most brilliant games, brilliant games",
    ),
];

/// Wishes about variations, which are searched, too.
pub(super) const IN_VARIATIONS: &[Wish] = &[
    (
        "initial flipcolor {square x in K {find (x & K)--northeast 1 x find (x & K)--northwest 1 x \
         find (x & K)--southeast 1 x find (x & K)--southwest 1 x}}",
        "a star: a king goes to all four squares diagonally beside its own, in variations",
        "star, king star, star flights, king star flights",
    ),
    (
        "initial flipcolor {square x in Pb-g2 {find (x & P)--up 1 x find (x & P)--up 2 x \
         find (x & P)[x]northeast 1 x find (x & P)[x]northwest 1 x}}",
        "an albino or, by Black, a pickaninny: a pawn makes all four moves from its first square, \
         in variations",
        "albino, pickaninny, four moves of a pawn",
    ),
    (
        "initial flipcolor {square x in N {find (x & N)--up 2 left 1 x \
         find (x & N)--up 2 right 1 x find (x & N)--up 1 left 2 x \
         find (x & N)--up 1 right 2 x find (x & N)--down 1 left 2 x \
         find (x & N)--down 1 right 2 x find (x & N)--down 2 left 1 x \
         find (x & N)--down 2 right 1 x}}",
        "a knight wheel: a knight makes all eight moves from its square, in variations",
        "wheel, knight wheel, knight's wheel, family of eight knight moves",
    ),
];
