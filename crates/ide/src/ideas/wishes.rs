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
        "all men of White, and then all men of Black, exactly these",
        "rook and two pawns against rook, exact material, exactly these men",
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
        "path o-o-o --* P--g4 --* P--h4",
        "a plan: moves of one side in this order, with any moves between",
        "plan, plans, sequence of moves, moves in order, castle long then push pawns",
    ),
    (
        "not find opening \"Sicilian\"",
        "the games whose opening is not called so",
        "not an opening, games without an opening, leaves opening, leave repertoire",
    ),
];
