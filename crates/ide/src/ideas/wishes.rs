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
];
