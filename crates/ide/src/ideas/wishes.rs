//! Queries for what players and composers ask for in plain words.

/// A query, what it finds, and the words that ask for it: phrases separated by commas.
type Wish = (&'static str, &'static str, &'static str);

/// Other words for recipes: their titles, and phrases separated by commas.
pub(super) const OF_RECIPES: &[(&str, &str)] = syntax::rows! {
    "Exchange sacrifice", "gave the exchange and won, gives the exchange, exchange given up, exchange down, \
         sacrifice a rook for a bishop, sacrifice a rook for a knight, rook given for a knight, \
         rook for a minor piece";
    "A passed pawn on the seventh decides",
        "passed pawn on the seventh decides, passed pawn wins, winning passed pawn";
    "Knight maneuver of the Ruy Lopez", "Nb1-d2-f1-g3, Nd2-f1-g3, Nb1 d2 f1 g3, knight tour to g3";
    "Smothered mate", "philidor's legacy, philidors legacy, lucena's mate";
    "Knight fork", "double attack, double attacks";
    "Lost on time", "flag, flags, flag fall, won on time, lost on the clock";
    "Mate in two", "key, key move, first move of the solution, composition, chess problem";
    "Novotny", "nowotny, novotny";
    "Interference", "shut-off, shutoff, interception, obstruction, grimshaw, plachutta";
    "Stalemate in a variation", "stalemate study";
    "Round trip", "rundlauf, circuit, round trip of a piece";
    "Longest walk of a piece",
        "route of a piece, route of a knight, knight route, rook route, route, longest route, \
         way of a piece, path of a piece, tour of a piece";
    "The king stays in the middle",
        "king in the center, king stuck in the center, king in the middle, uncastled king";
    "Underpromotion", "minor promotion, minor promotions";
    "White never castled",
        "not castled, never castled, king not castled, without castling, no castling, uncastled";
    "Stalemate as a rescue", "stalemate trick, swindle, saved by stalemate";
};

/// Wishes that no word, term or recipe answers.
pub(super) const WISHES: &[Wish] = syntax::rows! {
    "flipcolor {square x in N & c-f5-6 {P -> x not p & up 1 7 (left 1 x | right 1 x)}}",
        "a knight on an outpost: a pawn protects it, and no pawn can drive it away",
        "outpost, outposts, knight outpost, knights on outposts, strong knight, hole";
    "flipcolor {endgame \"rook\" #P == #p + 1}", "a rook endgame with an extra pawn",
        "rook endgames with an extra pawn, rook endgame a pawn up, one pawn more";
    "flipcolor {phase \"endgame\" #P == #p + 1 power A == power a + 1}",
        "an endgame with an extra pawn, and nothing else is different",
        "extra pawn, pawn up, pawn more, number of pawns, pawn ahead";
    "flipcolor {mate btm #{N -> anydirection 0 1 k} == 2}",
        "mate with two knights, both of which attack squares of the king",
        "mate with two knights, two knights mate, king and two knights";
    "terminal {repetition >= 2} result 1/2-1/2",
        "a draw by repetition at the end of the game, as in a positional draw",
        "positional draw, draw by repetition, repetition draw study, perpetual, perpetual check";
    "terminal castle", "castling as the last move of the game",
        "castling as last move, last move castling, castling at the end";
    "terminal", "the final position, after the last move of the game",
        "final position, end of the game, last position, last move of the game, \
         end in a position, ends in a position, problems that end in a position";
    "terminal sort \"moves\" movenumber", "all games, the longest first; -limit N keeps N of them",
        "longest game, longest games, most moves, games by length";
    "legal --(enpassant)", "a capture en passant is possible, whether it is played or not",
        "en passant possible, possible en passant, en passant is possible";
    "check currentmove --=[NBR]", "underpromotion with check", "underpromotion with check";
    "check currentmove --=N", "a pawn becomes a knight and gives check",
        "promotion to a knight with check, promotes to a knight with check, knight promotion check";
    "check currentmove [Qq]--", "a queen moves and there is check",
        "checks by a queen, queen check, queen checks, check by the queen";
    "flipcolor {endgame \"rook\" R == 1 r == 1 P == 4 p == 3 \
         {[Pp]a-d1-8 == 0 or [Pp]e-h1-8 == 0}}",
        "a rook and four pawns against a rook and three, with all pawns on one wing",
        "four against three, rook ending four against three, rook and four pawns against three, \
         pawns on one wing";
    "flipcolor {B == 1 b == 1 [QRNqrn] == 0 \
         {light [Bb] == 2 light p >= 3 light P <= 1} or {dark [Bb] == 2 dark p >= 3 dark P <= 1}}",
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one \
         has three pawns or more and the good one at most one",
        "good bishop against bad bishop, bad bishop, good bishop, bishops of the same color";
    "flipcolor {piece x in [QRBN] \
         {home = x & . path focus x quiet piecepath --{1} {not castle} --home}}",
        "a piece leaves its square and comes back with its next move, whatever other pieces do \
         between; `--{1,}` before `--home` permits a longer way",
        "a piece returns later, piece returns, piece comes back, comes back later, \
         switchback with moves between";
    "flipcolor {path [x]Q --{1} (-- --){,2} {mate currentmove P--}}",
        "a queen is taken, and within three moves a pawn of her side mates",
        "queen taken then mate by a pawn, queen sacrifice and mate by a pawn";
    "piece x in [Kk] {sort \"moves of the king\" path focus x piecepath quiet --{8,}}",
        "the longest walks of a king: eight moves or more, with the way that it went",
        "longest king walk, king march, long walk of a king, walk of the king";
    "Kf6 kh8", "the white king is on f6, and the black king on h8",
        "white king f6 black king h8, white king on f6, kings on squares, two kings on squares";
    "[Qq] >= 3", "three queens or more, of both sides together; `Q >= 2` is two white ones",
        "three queens, several queens, more than two queens, two queens of a side";
    "terminal tag \"Termination\" ~~ \"[Tt]ime\" \
         {{result 0-1 eval > 100} or {result 1-0 eval < -100}}",
        "a player lost on time with an advantage of a pawn or more; cql annotate writes \
         evaluations that a file has not got",
        "lost on time in a better position, lost on time in a winning position, time forfeit winning";
    "player white ~~ \"^(Karpov|Kasparov)\"",
        "the name of White fits a regular expression; `player black` is that of Black, and \
         -player '^Karpov' is either",
        "regular expression on player names, regular expression, regex, names by pattern";
    "flipcolor {wtm currentmove [qrbnp]-- to & anydirection 1 k child:mate}",
        "a self-block: a piece moves beside its own king, and the next move mates",
        "self-block, selfblock, self block";
    "flipcolor {home = K foe = k men = #[Aa] \
         path K-- k-- K-- k-- K--home {k in foe #[Aa] == men not castle}}",
        "a triangulation: a king comes back in three moves, the other one in two, so that the \
         position is there again with the other side to move",
        "triangulation, king triangulation, lose a tempo, loses a tempo, losing a move, \
         corresponding squares, same position with the other side to move";
    "countmoves legal --(mate) >= 2", "a dual on the last move: two moves or more mate",
        "dual, duals, two mates, several mates";
    "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\"",
        "problems whose event says what they ask for; no word solves helpmates and selfmates, and \
         cql puzzles proves direct mates alone",
        "helpmate, selfmate, helpmates, selfmates, reflexmate";
    "player white \"Carlsen\" year == 2015",
        "the games of a player as White in a year; -white Carlsen -year 2015 does the same",
        "player as white in a year, games of a player, player games as white, white player";
    "elo white - elo black >= 200", "White's rating is at least 200 points higher than Black's",
        "rating difference, difference of ratings, rating gap, elo difference, underdog";
    "legal --(mate) not terminal not child:mate", "a mate in one move that was not played",
        "missed mate, mate in one missed, missed mate in one, overlooked mate";
    "quiescent not check",
        "a quiet position: the side to move is not in check and wins nothing by captures",
        "quiet position, quiet positions, quiet move, no tactics, quiet position no tactics, \
         quiet position to solve";
    "import \"themes\" mate find <-- sacrifice()", "games in which a sacrifice ends with mate",
        "beautiful games, most beautiful games, brilliancy, brilliant, immortal game";
    "material \"BB:BN\"", "the pieces of either side besides kings and pawns, exactly these",
        "bishops against knight, material signature, exactly this material, piece signature";
    "material \"KRPPKR\"", "all pieces of White, and then all pieces of Black, exactly these",
        "rook and two pawns against rook, exact material, exactly these men, exactly these pieces";
    "initial piece $rook in Ra1 find {terminal $rook}", "the rook from a1 is never taken",
        "survive, does the a1 rook survive, piece survives, piece never captured, survivor, \
         lifetimes of pieces, piece lifetime, how long do pieces live, life expectancy of pieces";
    "terminal not mate not result 1/2-1/2",
        "a decisive game that does not end with mate: a resignation, or the time ran out",
        "resignation, resignations, resigned, resigns, resign, gives up";
    "Nd5 movenumber <= 20", "a white knight stands on d5 by move 20",
        "knight on d5, knight on a square, piece on a square, by move 20, move number, \
         early in the game";
    "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}",
        "a plan of either side: long castling, g4 and h4 in this order, with any moves between",
        "plan, plans, sequence of moves, moves in order, castle long then push pawns, \
         castle long then push the g pawn and h pawn";
    "not find opening \"Sicilian\"", "the games whose opening is not called so",
        "not an opening, games without an opening";
    "player \"Kasparov\" player \"Karpov\"", "the games between two players, with either color",
        "Kasparov against Karpov, Kasparov Karpov, player against player, \
         games between Kasparov and Karpov, games between two players, games between players, \
         both players, two players, head to head";
    "fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\"",
        "a position, in whatever order the moves were played",
        "find a position however it came about, find position, exact position, position by fen, \
         search a position, transposition to a position";
    "_d4 P == 4", "d4 is empty, and White has four pawns: _ are the empty squares",
        "squares that must be empty, empty square, empty squares, must be empty, \
         no piece on a square, nothing on a square";
    "B[x]b5 eco ~~ \"^B[2-9]\"", "a white bishop takes on b5 in a Sicilian: ECO B20 to B99",
        "sacrifice on b5 in the sicilian, Bxb5 open Sicilian, capture on a square in an opening";
    "flipcolor {btm currentmove K-- [rbn] <- K >= 2}",
        "a king moves and attacks two pieces besides pawns and queens",
        "king fork, fork by the king, king attacks two pieces, king forks";
    "flipcolor {btm square x in [qrbnp] {#(A -> x) > #(a -> x) \
         parent:{A -> x #(A -> x) <= #(a -> x)}}}",
        "a move adds an attacker: now more pieces attack a piece than protect it",
        "add an attacker, one more attacker, adding an attacker, number of attackers, \
         more attackers than defenders";
    "terminal ply <= 50 not result 1/2-1/2", "a decisive game of at most 25 moves",
        "miniature, miniatures, short game, short games, quick win";
    "initial not find check", "the games in which no move gives check",
        "no check in the whole game, games without check, no checks, never in check";
    "initial not find {currentmove [x]}", "the games in which nothing is taken",
        "games without captures, games without a capture, no captures, nothing is taken";
    "wtm mate", "White is mated, and Black has given mate",
        "white is mated, white mated, white was mated, white gets mated, white is checkmated, \
         mate of white, white king is mated, white king mated, black mates, black checkmates, \
         black gives mate, black mates white, mate by black, mated by black";
    "btm mate", "Black is mated, and White has given mate",
        "black is mated, black mated, black was mated, black gets mated, black is checkmated, \
         mate of black, black king is mated, black king mated, white mates, white checkmates, \
         white gives mate, white mates black, mate by white, mated by white";
    "wtm mate currentmove p--", "Black mates with a pawn; `btm mate currentmove P--` is White",
        "mate with a pawn by black, black mates with a pawn, pawn mate by black";
    "mate currentmove [Qq]--", "a queen moves and mates; `[Nn]` is a knight",
        "mate by queen, mate with the queen, queen mates, mate by a queen, queen mate";
    "mate {{Kh8 wtm} or {kh8 btm}}", "a king is mated on h8",
        "mate on h8, mated on h8, king mated on h8, mate on a square, king mated on a square";
    "initial {{result 1-0 find eval < -300} or {result 0-1 find eval > 300}}",
        "a player won who was three pawns behind by an evaluation; cql annotate writes those that \
         a file has not got",
        "lost position but won, won a lost position, comeback, turned around, winning from a lost \
         position, lost position won, won from a losing position";
    "terminal movenumber <= 20 result 1/2-1/2", "a draw of at most 20 moves",
        "short draw, short draws, quick draw, quick draws, draw before move 20, early draw, \
         grandmaster draw, draws under 20 moves";
    "mate movenumber < 20", "mate before move 20",
        "mate before move 20, mate before move, early mate, quick mate, mate under 20 moves";
    "terminal movenumber > 100", "a game of more than 100 moves",
        "games over 100 moves, game over 100 moves, long games, games of more than 100 moves, \
         more than 100 moves, long game";
    "year == 1990", "the games of a year; -year 1990 does the same",
        "in 1990, games in 1990, games of 1990, games played in 1990, in a year, from 1990";
    "year < 1900", "the games before a year; `year >= 1900` are those from then on",
        "before 1900, games before 1900, games played before 1900, before a year, old games";
    "[Qq] == 0", "there is no queen on the board",
        "queenless, queenless positions, without queens, no queens, queens off, queens are off";
    "mate [Qq] == 0", "mate with no queen on the board",
        "mate without queens, mate without a queen, mate without queen";
    "terminal not result 1/2-1/2", "a game that White or Black won",
        "not a draw, not drawn, no draws, without draws, decisive, decisive games";
    "stalemate {pin through A to K or pin through a to k}", "stalemate with a pinned piece",
        "stalemate with a pinned piece, stalemate pinned piece, pinned stalemate, stalemate by a pin";
    "terminal fen \"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR\"",
        "the games that end with a position",
        "final position given, given final position, final position by fen, games that end in a \
         position given";
    "tag \"Annotator\" ~~ \"Tal\"", "the games with a tag that has a text",
        "filter by tag, filter by a tag, games by tag, by annotator, search tags, tag filter";
    "tag \"Event\" ~~ \"[Bb]litz\"", "the games of events whose name says so",
        "blitz, blitz games, rapid, rapid games, bullet, bullet games";
    "int (tag \"TimeControl\" ~~ \"^[0-9]+\") < 600",
        "less than ten minutes for the game: the tag begins with the seconds, as in 300+0",
        "time control, timecontrol, blitz, bullet, rapid, increment, by time control";
    "elo >= 2600", "at least one player is rated 2600 or more: elo is the greater of the two ratings",
        "at least one player above, either player rated, one player above, \
         a player rated";
    "(elo white + elo black) / 2 >= 2700", "the average of both ratings is 2700 or more",
        "average rating, average elo, mean rating, category of a game";
    "elo white + 200 < elo black result 1-0",
        "White wins against a player who is rated more than 200 points higher",
        "upset, upsets, giant killer, lower rated player wins, underdog wins, surprise win";
    "P == 3", "White has exactly three pawns; `[Pp] == 3` are three pawns of both sides together",
        "exactly three pawns, number of pawns, exactly so many pawns, count of pieces";
    "_d4 _e4", "d4 and e4 are both empty; `_[d4,e4]` matches if one of them is",
        "both squares empty, two squares empty, squares are empty, several empty squares";
    "P[a2,b3,d4] == 3 P == 3", "the white pawns stand on these squares, and there are no others",
        "exact pawn set, pawn skeleton, these pawns and no others, exactly these pawns";
    "initial flipcolor {find P--g4 find P--h4}",
        "moves of a plan in any order; `path` asks for them in one order",
        "plan in any order, moves in any order, in whatever order, any order";
    "pin from B through n to q", "a relative pin: a bishop pins a knight to a queen",
        "relative pin, pin to the queen, pin against the queen, pinned to the queen";
    "o-o-o", "castling on the queen's side; `o-o` is that on the king's side",
        "castles queenside, queenside castling, castled long, long castling, 0-0-0, 0-0, O-O-O, O-O, castling notation";
    "elo white >= 2600 elo black >= 2600",
        "both players are rated 2600 or more; elo is the greater of the two ratings",
        "rating above, rating above 2600, rated above, strong players, grandmasters, high rating, \
         both players above, both players rated above, both above";
    "tag \"Event\" ~~ \"[Ww]om[ae]n\"", "the games of events for women, by their name",
        "women, games of women, women's games, female players";
    "import \"themes\" mate \
         sort \"sacrifices\" {find <-- all {sacrifice() not parent:parent:sacrifice()}}",
        "games that end with mate, those with the most sacrifices first",
        "sort by beauty, rank by beauty, brilliancies, most brilliant games, brilliant games";
};

/// Wishes about variations, which are searched, too.
pub(super) const IN_VARIATIONS: &[Wish] = syntax::rows! {
    "initial find --=Q find --=R find --=B find --=N",
        "an allumwandlung: promotions to queen, rook, bishop and knight in one game, in variations",
        "allumwandlung, AUW, all four promotions, four promotions, all promotions";
    "initial find castle find enpassant find --=.",
        "a Valladao: castling, a capture en passant and a promotion in one game, in variations",
        "valladao, valladão, valladao task, castling and en passant and promotion, \
         all special moves, three special moves";
    "flipcolor {{currentmove P--=Q find <-- {currentmove [x]Q}} or \
         {currentmove P--=R find <-- {currentmove [x]R}} or \
         {currentmove P--=B find <-- {currentmove [x]B}} or \
         {currentmove P--=N find <-- {currentmove [x]N}}}",
        "a phoenix: a pawn promotes to a piece of a kind that its side has lost before, in \
         variations",
        "phoenix, phoenix theme, reborn, piece comes back by promotion, promotion to a lost piece";
    "initial flipcolor {square x in . {find r--x(A) find b--x(A)}}",
        "the frame of a Grimshaw: a rook and a bishop of one side go to the same square, in \
         variations",
        "grimshaw, mutual interference";
    "flipcolor {btm 2 <= square x in [rq] {x -> to x[x]to(find quiet mate)}}",
        "a Plachutta: a piece goes where two enemy rooks, or queen and rook, can take it, and \
         mate follows either way, in variations",
        "plachutta, wurzburg-plachutta";
    "initial flipcolor {square x in K {find (x & K)--northeast 1 x find (x & K)--northwest 1 x \
         find (x & K)--southeast 1 x find (x & K)--southwest 1 x}}",
        "a star: a king goes to all four squares diagonally beside its own, in variations",
        "star, king star, star flights, king star flights";
    "initial flipcolor {square x in Pb-g2 {find (x & P)--up 1 x find (x & P)--up 2 x \
         find (x & P)[x]northeast 1 x find (x & P)[x]northwest 1 x}}",
        "an albino or, by Black, a pickaninny: a pawn makes all four moves from its first square, \
         in variations",
        "albino, pickaninny, four moves of a pawn";
    "initial flipcolor {square x in N {find (x & N)--up 2 left 1 x \
         find (x & N)--up 2 right 1 x find (x & N)--up 1 left 2 x \
         find (x & N)--up 1 right 2 x find (x & N)--down 1 left 2 x \
         find (x & N)--down 1 right 2 x find (x & N)--down 2 left 1 x \
         find (x & N)--down 2 right 1 x}}",
        "a knight wheel: a knight makes all eight moves from its square, in variations",
        "wheel, knight wheel, knight's wheel, family of eight knight moves";
};
