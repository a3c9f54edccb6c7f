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
    "Longest series of checks", "checks in a row, consecutive checks, successive checks";
    "Greek gift", "sacrifice on h7, bishop sacrifice on h7, bishop sacrifice h7";
    "Knight fork", "double attack, double attacks";
    "Blunders in time trouble",
        "low clock blunders, blunders with low clock, blunders with little time, time trouble blunders, \
         blunders under time pressure";
    "Lost on time", "flag, flags, flag fall, won on time, lost on the clock";
    "Mate in two", "key, key move, first move of the solution, composition, chess problem";
    "Novotny", "nowotny, novotny";
    "Interference", "shut-off, shutoff, interception, obstruction";
    "Stalemate in a variation", "stalemate study";
    "Overloaded piece", "overloaded defender, overloaded guard, overworked piece, overburdened piece";
    "Removing the guard",
        "removing the defender, remove the defender, capture of the defender, undermining";
    "Shortest games", "fewest moves, shortest game, shortest decisive game, shortest win";
    "Quietest game", "longest sequence without capture, longest time without a capture, \
         most moves without a capture, longest without capture";
    "Clearance along a line", "loyd clearance, loyd's clearance, zepler, zepler doubling";
    "Round trip", "rundlauf, circuit, round trip of a piece";
    "Longest walk of a piece",
        "route of a piece, route of a knight, knight route, rook route, route, longest route, way of a \
         piece, path of a piece, tour of a piece";
    "The king stays in the middle",
        "king in the center, king stuck in the center, king in the middle, uncastled king";
    "Opposition", "king opposition, pawn ending king opposition, pawn ending with opposition";
    "Underpromotion", "minor promotion, minor promotions";
    "White never castled", "white not castled, white without castling";
    "En passant refused", "en passant possible but not played";
    "Stalemate as a rescue", "stalemate trick, swindle, saved by stalemate";
};

/// Wishes that no word, term or recipe answers.
pub(super) const WISHES: &[Wish] = syntax::rows! {
    "flipcolor {[QRB] -> [qrbnp] -> [qrbnp] -> k}",
        "a half-pin: two men stand between their king and an enemy line piece; when one of them \
         moves, the other is pinned", "halfpinned";
    "initial A == 2", "a minimal: White has a king and one other man at the start", "minimal problem";
    "modelmate", "a model mate, which is pure and economical; no word asks for economy alone",
        "economical mate";
    "hhdb cooked", "a study that has another solution, by the tags of the study database",
        "unsound studies, second solution";
    "currentmove --=R", "a pawn becomes a rook, as in the position of Saavedra and Barbier", "saavedra";
    "flipcolor {btm currentmove P-- to -> p}",
        "a pawn move that attacks an enemy pawn: a lever, with which a pawn break begins", "pawn break";
    "not currentmove [x] to & parent:from",
        "an Umnov: a piece goes, taking nothing, to the square that the enemy move has just left",
        "umnov theme, square just vacated, follow my leader";
    "flipcolor {btm currentmove [QRB]-- {to & [QRB]} -> [KRBNP] -> k}",
        "an ambush: a line piece goes behind a piece of its side that stands before the enemy king, \
         which makes a battery", "battery is built, battery formation, creation of a battery";
    "flipcolor {[QRB] -> K -> k}",
        "a royal battery: a king stands between a line piece of its side and the enemy king",
        "royal batteries, king battery";
    "flipcolor {[QRB] -> N -> k}",
        "a Siers battery: a knight stands between a line piece of its side and the enemy king", "siers rossel";
    "initial [Aa] < 32 flipcolor {#a == #(ke8 | qd8 | r[a8,h8] | b[c8,f8] | n[b8,g8] | pa-h7)}",
        "a home base: all men of a side stand on squares of a game's start, and some men are gone",
        "homebase position";
    "initial flipcolor {Q > 1 or R > 2 or N > 2 or light B > 1 or dark B > 1}",
        "an obtrusive piece: a problem begins with more pieces of a kind than a game",
        "promoted pieces at the start";
    "mate flipcolor {btm not {[Aa] & anydirection 1 k}}",
        "a mirror mate: no man stands beside the mated king", "no piece beside the mated king";
    "flipcolor {btm Kg-h1 currentmove Pf-h2--}",
        "luft: a pawn before a king on g1 or h1 moves, so that the king has a square to go to",
        "air for the king, makes luft";
    "hanging [QRBNqrbn]",
        "a piece that an exchange loses, as one that is attacked and that nobody protects",
        "loose piece, unprotected, undefended, piece left hanging";
    "initial sort min \"date\" date", "all games, the oldest first; --limit 1 keeps the first",
        "earliest game, order by date";
    "initial sort \"date\" date", "all games, the newest first; --limit 1 keeps the first",
        "latest game, most recent game";
    "result 1-0 initial sort \"upset\" elo black - elo white",
        "the games that White won, those against the opponent who is rated highest above White \
         first", "greatest upset, largest upset, highest rated loser, biggest rating difference";
    "[Qq] >= 3 sort \"queens\" #[Qq]", "the games with three queens or more, the most queens first",
        "greatest number of queens";
    "castle sort \"move\" (ply + 1) / 2", "the games with castling, the latest first",
        "last castling, castling as late as possible";
    "terminal [Pp] == 16", "the games in which no pawn is taken or promotes: all 16 are there at the end",
        "all pawns on the board at the end, all pawns at the end, game with all pawns on the board, no pawn \
         is taken, sixteen pawns";
    "mate flipcolor {btm kc-f3-6}", "a king is mated in the middle of the board: c3 to f6",
        "mate in the center";
    "flipcolor Ka-h8", "a king stands on its last rank",
        "king on the eighth rank, king reached the eighth rank, king on the other side of the board";
    "mate", "the side to move is mated",
        "game ends with mate, games that end in mate, games that end with mate, games ending in mate, ended \
         in mate, games that end in checkmate";
    "halfmoveclock >= 100",
        "50 moves of each side in a row without a capture or a move of a pawn: a player may claim a \
         draw; `terminal` before it asks for games that end so", "fifty move rule";
    "stalemate sort \"men\" #[Aa]", "the games with a stalemate, the most men on the board first",
        "stalemate with many pieces";
    "sort \"seconds\" parent:parent:clock - clock",
        "the games with a move that took long, the longest first, by clocks without increments; \
         `elapsed` are the seconds where the file has them",
        "time used per move, time spent per move, longest move by time, slowest move, longest think";
    "date > \"2010.01.01\"", "the games after a day; `date < …` are those before it", "date since, since a date";
    "flipcolor {R == 1 [QBNqr] == 0 [bn] == 2}",
        "a rook against two minor pieces, with any pawns and no other pieces", "rook against two minor pieces";
    "castle (ply + 1) / 2 > 20", "castling after move 20, by either side",
        "late castling, castled late";
    "mate castle", "castling gives mate", "mate by castling";
    "flipcolor {btm mate pin through a to k}", "a mate in which a pinned piece cannot help", "pin mate";
    "flipcolor {path [x]Q --{1} (-- --){,3} mate}",
        "a queen is taken, and her side mates within four moves",
        "queen sacrifice leads to mate, mate after a queen sacrifice";
    "mate sort min \"moves\" (ply + 1) / 2", "the games that end with mate, the shortest first",
        "fastest mate, quickest mate, earliest mate";
    "initial sort \"rating\" (elo white + elo black) / 2",
        "all games, those of the players with the highest average rating first",
        "highest rated game, highest rated, strongest game, order by rating, sort by elo";
    "tag \"Event\" ~~ \"[Ww]orld.*[Cc]hampion\"", "the games of events whose name says so",
        "world championship, world champion, title match";
    "currentmove --=.", "a pawn promotes: on its seventh rank, every pawn is a passed pawn",
        "passed pawn becomes a queen";
    "ply >= 20 #A == #a square all s in A {type s == type (a & makesquare(file s 9 - rank s))}",
        "a symmetrical position after ten moves or more: the black men are the mirror image of the \
         white ones", "symmetric position, symmetry of both sides";
    "flipcolor {N == 1 b == 1 [QRBqrn] == 0 {light b light p >= 3} or {dark b dark p >= 3}}",
        "a knight against a bad bishop, which has three pawns or more on squares of its color; \
         whether the knight stands well is not asked",
        "good knight against bad bishop, strong knight against bad bishop";
    "flipcolor {[QRB] -> [KRBNP] -> k}",
        "a battery of composers: a piece stands between a line piece of its side and the enemy king, \
         and its move gives discovered check; the theme battery is about two pieces on a line",
        "battery, batteries, direct battery, masked battery, discovered check possible";
    "flipcolor {path singlecolor quiet [QRB]-- {atomic home = from atomic far = to} \
         [QRB]-- {to in between(home far) atomic spot = to} spot-- {spot in between(far to)}}",
        "a Turton: a piece crosses a square of its line, another one stops there, and goes along the \
         line in the opposite direction, with consecutive moves of its side",
        "turton doubling, turton theme, brunner-turton, loyd-turton, zepler-turton";
    "flipcolor {path singlecolor quiet [QRB]-- {atomic home = from atomic far = to} --{,1} \
         -- {to in between(home far) atomic spot = to} spot-- {check far -> k}}",
        "an Indian: a piece crosses a square of its line, another one stops there and shuts the line, \
         and its move away gives check along it; one waiting move may stand between",
        "indian, indian problem, indian theme, indian maneuver, critical move";
    "flipcolor {square x in N & c-f5-6 {P -> x not p & up 1 7 (left 1 x | right 1 x)}}",
        "a knight on an outpost: a pawn protects it, and no pawn can drive it away",
        "outpost, knight outpost, knights on outposts, strong knight, hole, weak square";
    "flipcolor {endgame \"rook\" #P == #p + 1}", "a rook endgame with an extra pawn",
        "rook endgames with an extra pawn, rook endgame a pawn up, one pawn more";
    "flipcolor {phase \"endgame\" #P == #p + 1 power A == power a + 1}",
        "an endgame with an extra pawn, and nothing else is different",
        "extra pawn, pawn up, pawn more, number of pawns, pawn ahead";
    "flipcolor {mate btm #{N -> anydirection 0 1 k} == 2}",
        "mate with two knights, both of which attack squares of the king",
        "mate with two knights, two knights mate, king and two knights";
    "terminal {repetition >= 2} result 1/2-1/2",
        "a draw by repetition at the end of the game, as in a positional draw", "repetition draw study";
    "terminal {repetition >= 2} {check or parent:check} result 1/2-1/2",
        "a draw by repetition that ends with checks, as by perpetual check", "perpetual";
    "not legal --(not stalemate legal all --(legal --(mate))) \
     legal --(check legal all --(legal --(check legal all --(legal --(mate)))))",
        "the side to move mates with its third move, with checks alone, whatever the opponent does, \
         and not sooner; `cql puzzles` proves mates with other moves, too",
        "mate in 3, mate in three, mates in three, forced mate in three, three move mate";
    "path -- -- -- -- --(mate)", "the position three moves before a mate that was played",
        "mate in 3, mate in three, three moves before mate, mate in three that was played";
    "initial find {wtm o-o-o} find {btm o-o-o}",
        "both players castle long; `o-o` is castling short", "both castled queenside";
    "initial imagine sidetomove flip : legal --(legal --(mate))",
        "set play of a problem: if the other side were to move, mate would answer one of its moves; \
         with `legal all` each of them", "complete block, mutate";
    "terminal castle", "castling as the last move of the game",
        "castling as last move, last move castling, castling at the end";
    "terminal", "the final position, after the last move of the game",
        "end of the game, last move of the game, ends in a position, problems that end in a position";
    "terminal sort \"moves\" (ply + 1) / 2", "all games, the longest first; -limit N keeps N of them",
        "longest game, most moves, games by length";
    "initial not find castle", "neither side castles",
        "no castling, without castling, not castled, never castled, king not castled, uncastled, nobody \
         castles";
    "initial find {wtm castle} find {btm castle}", "both sides castle", "both players castle";
    "initial not find {wtm castle}", "Black does not castle in the whole game", "black never castled";
    "initial find {legal --(enpassant)} not find enpassant",
        "a capture en passant is possible in the game, and none is played",
        "en passant possible but not played, en passant possible but never played, en passant possible and \
         not played, en passant never played";
    "legal --(enpassant)", "a capture en passant is possible, whether it is played or not",
        "en passant possible, possible en passant, en passant is possible";
    "check currentmove --=[NBR]", "underpromotion with check", "underpromotion with check";
    "check currentmove --=N", "a pawn becomes a knight and gives check", "promotion to a knight with check";
    "flipcolor {endgame \"rook\" R == 1 r == 1 P == 4 p == 3 \
         {[Pp]a-d1-8 == 0 or [Pp]e-h1-8 == 0}}",
        "a rook and four pawns against a rook and three, with all pawns on one wing", "four against three";
    "flipcolor {B == 1 b == 1 [QRNqrn] == 0 \
         {light [Bb] == 2 light p >= 3 light P <= 1} or {dark [Bb] == 2 dark p >= 3 dark P <= 1}}",
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one \
         has three pawns or more and the good one at most one",
        "good bishop against bad bishop, good bishop, bishops of the same color";
    "flipcolor {B == 1 {light B #(light P & down 1 a) >= 3} or {dark B #(dark P & down 1 a) >= 3}}",
        "a bad bishop, by this definition: it is the only one of its side, three of whose pawns or more \
         stand on squares of its color and cannot move, since enemy men stand before them",
        "bad bishop, bishop behind its pawns, bishop blocked by its pawns";
    "flipcolor {[KQRBN] & down 1 (passedpawns & p)}",
        "a blockade: a king or piece stands on the square before an enemy passed pawn", "blockader";
    "flipcolor {btm currentmove [RBNP]-- not check to -> q hanging q not parent:{A -> q} not hanging A}",
        "a gain of a tempo, by this definition: a move attacks a queen that nothing attacked before, so \
         that she must go, and no man of its own side is given up",
        "wins a tempo, winning a tempo, development with tempo";
    "flipcolor {phase \"middlegame\" #P == #p #(down 1 7 P) >= #(up 1 7 p) + 8}",
        "an advantage in space, by this definition: in the middlegame, and with as many pawns, a side \
         has eight squares more behind its pawns than the other one", "cramped position";
    "flipcolor {path nestban (--({btm {check or hanging [qrbn]} not parent:hanging [qrbn]}) --){4,}}",
        "CQL has no word for the initiative; what comes nearest: four moves of a side in a row, each of \
         which gives check or newly threatens to win a piece", "seizes the initiative, series of threats";
    "flipcolor {power A < power a path nestban (--({btm {check or hanging [qrbn]} not parent:hanging [qrbn]}) --){3,}}",
        "CQL has no word for counterplay; what comes nearest: a side with less material gives check or newly \
         threatens to win a piece with three moves in a row",
        "counterplay, counter play, counter-play, counterchances, counter-chances, has counterplay";
    "flipcolor {square s in Pd-e4-5 {#(A -> s) >= 3 + #(a -> s)}}",
        "overprotection, by this definition: a pawn in the center has three guards more than attackers",
        "overprotection, overprotected, overprotects, overprotected pawn, overprotected square";
    "flipcolor {movenumber == 25 wtm power A < power a result 1-0}",
        "CQL has no word for compensation; what comes nearest: a side that has less material before move 25 \
         wins the game",
        "compensation, compensation for a pawn, compensation for material, enough compensation";
    "flipcolor {path quiet P-- p[x]P --{1,8} P--=Q}",
        "a breakthrough, by this definition: a pawn moves and is taken by a pawn, and within nine moves of \
         either side a pawn of its side becomes a queen",
        "breakthrough, breakthroughs, pawn breakthrough";
    "flipcolor {square s in [QN]d-e4-5 {not p -> s}}",
        "a centralized piece, by this definition: a queen or knight in the center that no pawn attacks",
        "centralization, centralisation, centralized, centralized piece, centralized knight, centralized queen";
    "path quiet [x]{4,}",
        "CQL has no word for simplification; what comes nearest: four captures or more in a row",
        "simplification, simplifies, simplified, liquidation, mass exchange, exchanges in a row";
    "flipcolor {btm currentmove Pf-h2--f-h3-4 Kf-h1}",
        "luft, by this definition: a pawn before a king on f1, g1 or h1 has just moved",
        "luft, makes luft, makes a loophole, air for the king";
    "P -> p", "pawns of both sides attack each other: a tension that no exchange has resolved",
        "tension, pawn tension, tension in the center, keeps the tension";
    "not currentmove [x] not legal --(mate) \
         parent:{not check imagine sidetomove flip : legal --(mate)}",
        "CQL has no word for prophylaxis, which is an intention; what comes nearest: a move that takes \
         nothing and prevents a mate in one, which the opponent had if it were to move instead",
        "prophylactic, preventive move, parries a threat";
    "flipcolor {piece x in [QRBN] \
         {home = x & . path focus x quiet piecepath --{1} {not castle} --home}}",
        "a piece leaves its square and comes back with its next move, whatever other pieces do \
         between; `--{1,}` before `--home` permits a longer way",
        "a piece returns later, switchback with moves between";
    "flipcolor {path [x]Q --{1} (-- --){,2} {mate currentmove P--}}",
        "a queen is taken, and within three moves a pawn of her side mates",
        "queen sacrifice and mate by a pawn";
    "piece x in [Kk] {sort \"moves of the king\" path focus x piecepath quiet --{8,}}",
        "the longest walks of a king: eight moves or more, with the way that it went",
        "longest king walk, king march, long walk of a king, walk of the king";
    "[Qq] >= 3", "three queens or more, of both sides together; `Q >= 2` is two white ones",
        "several queens, more than two queens, two queens of a side";
    "terminal tag \"Termination\" ~~ \"[Tt]ime\" \
         {{result 0-1 eval > 100} or {result 1-0 eval < -100}}",
        "a player lost on time with an advantage of a pawn or more; cql annotate writes \
         evaluations that a file has not got",
        "lost on time in a better position, lost on time in a winning position";
    "player white ~~ \"^(Karpov|Kasparov)\"",
        "the name of White fits a regular expression; `player black` is that of Black, and \
         -player '^Karpov' is either", "regular expression, regex, names by pattern, wildcard, joker";
    "flipcolor {wtm currentmove [qrbnp]-- to & anydirection 1 k child:mate}",
        "a self-block: a piece moves beside its own king, and the next move mates",
        "self-block";
    "flipcolor {home = K foe = k men = #[Aa] \
         path K-- k-- K-- k-- K--home {k in foe #[Aa] == men not castle}}",
        "a triangulation: a king comes back in three moves, the other one in two, so that the \
         position is there again with the other side to move; CQL has no word for other moves that \
         only pass the turn",
        "tempo move, waiting move, lose a tempo, losing a move, corresponding squares, same position with \
         the other side to move";
    "countmoves legal --(mate) >= 2", "a dual on the last move: two moves or more mate",
        "two mates, several mates";
    "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\"",
        "problems whose event says what they ask for; no word solves helpmates and selfmates, and \
         cql puzzles proves direct mates alone",
        "reflexmate, stipulation, helpmate in 2, selfmate in 2, reciprocal helpmate, reci-helpmate";
    "player white \"Loyd\"", "the problems and studies of a composer, whose name files have as that of White",
        "author, composer, by composer, problems by a composer";
    "player white \"Carlsen\" year == 2015",
        "the games of a player as White in a year; -white Carlsen -year 2015 does the same",
        "games of a player, player games as white, white player";
    "flipcolor {elo white - elo black >= 200}",
        "the ratings differ by 200 points or more; without `flipcolor` White's is the higher one",
        "rating difference, difference of ratings, rating gap, elo difference, underdog";
    "legal --(mate) not terminal not child:mate", "a mate in one move that was not played",
        "missed mate, overlooked mate";
    "eval > 300",
        "by the evaluations of the file, White is ahead by more than three pawns: they count hundredths \
         of a pawn; cql annotate writes those that it has not got",
        "evaluation above three pawns";
    "quiescent not check",
        "a quiet position: the side to move is not in check and wins nothing by captures",
        "quiet position, quiet move, no tactics, quiet position no tactics, quiet position to solve";
    "mate find <-- theme(\"sacrifice\")", "games in which a sacrifice ends with mate",
        "most beautiful games, brilliancy, brilliant, immortal game";
    "material \"BB:BN\"", "the pieces of either side besides kings and pawns, exactly these",
        "bishops against knight, material signature, exactly this material";
    "flipcolor material \"KRPPKR\"",
        "all pieces of a side, and then all of the other, exactly these; without `flipcolor` White's \
         come first", "exact material, exactly these men, exactly these pieces";
    "initial piece $rook in Ra1 find {terminal $rook}", "the rook from a1 is never taken",
        "survive, piece never captured, survivor, lifetimes of pieces, how long do pieces live, life \
         expectancy of pieces, piece lifetime";
    "terminal not mate {result 1-0 or result 0-1}",
        "a decisive game that does not end with mate: a resignation, or the time ran out",
        "resigned, gives up";
    "Nd5 movenumber <= 20", "a white knight stands on d5 by move 20",
        "knight on a square, piece on a square, move number, early in the game";
    "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}",
        "a plan of either side: long castling, g4 and h4 in this order, with any moves between",
        "sequence of moves, castle long then push the g pawn and h pawn, castle queenside then g4 and h4, moves in order";
    "not find opening \"Sicilian Defense\"", "the games whose opening is not called so", "not an opening";
    "player \"Kasparov\" player \"Karpov\"", "the games between two players, with either color",
        "Kasparov against Karpov, Kasparov Karpov, player against player, games between Kasparov and Karpov, \
         both players, two players, head to head";
    "fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\"",
        "a position, in whatever order the moves were played",
        "find a position however it came about, find position, exact position, position by fen, search a \
         position, transposition to a position, same position, different move order, same position in \
         another move order";
    "_d4 P == 4", "d4 is empty, and White has four pawns: _ are the empty squares",
        "squares that must be empty, empty square, no piece on a square, nothing on a square";
    "B[x]b5 eco ~~ \"^B[2-9]\"", "a white bishop takes on b5 in a Sicilian: ECO B20 to B99",
        "sacrifice on b5 in the sicilian, Bxb5 open Sicilian, capture on a square in an opening";
    "flipcolor {btm currentmove K-- [rbn] <- K >= 2}",
        "a king moves and attacks two pieces besides pawns and queens",
        "king fork, fork by the king, king attacks two pieces";
    "flipcolor {btm square x in [qrbnp] {#(A -> x) > #(a -> x) \
         parent:{A -> x #(A -> x) <= #(a -> x)}}}",
        "a move adds an attacker: now more pieces attack a piece than protect it",
        "add an attacker, one more attacker, adding an attacker, number of attackers, more attackers than \
         defenders";
    "terminal (ply + 1) / 2 <= 25 {result 1-0 or result 0-1}",
        "a decisive game of at most 25 moves",
        "miniature, short game, quick win";
    "initial not find check", "the games in which no move gives check",
        "no check in the whole game, no checks, never in check, never check, without a check";
    "initial not find {currentmove [x]}", "the games in which nothing is taken",
        "games without a capture, no captures, nothing is taken";
    "wtm mate", "White is mated, and Black has given mate",
        "white is mated, white mated, white was mated, white gets mated, white is checkmated, mate of white, \
         white king is mated, white king mated, black mates, black checkmates, black gives mate, black mates \
         white, mate by black, mated by black";
    "btm mate", "Black is mated, and White has given mate",
        "black is mated, black mated, black was mated, black gets mated, black is checkmated, mate of black, \
         black king is mated, black king mated, white mates, white checkmates, white gives mate, white mates \
         black, mate by white, mated by white";
    "btm stalemate", "Black is stalemated", "white stalemates";
    "wtm stalemate", "White is stalemated",
        "white stalemate, white stalemated, white is stalemated, black stalemates";
    "btm check", "White gives check: Black is in check", "white checks, black in check";
    "wtm check", "Black gives check: White is in check",
        "black checks, white in check, white is in check, check by black";
    "wtm legal --(mate)", "White is to move and can mate at once",
        "white mates in one, white mates in 1, white to play and mate";
    "btm legal --(mate)", "Black is to move and can mate at once",
        "black mates in one, black mates in 1, black to play and mate";
    "mate {{Kh8 wtm} or {kh8 btm}}", "a king is mated on h8",
        "mate on h8, king mated on h8, mate on a square, king mated on a square";
    "initial {{result 1-0 find eval < -300} or {result 0-1 find eval > 300}}",
        "a player won who was three pawns behind by an evaluation; cql annotate writes those that \
         a file has not got",
        "comeback, turned around, winning from a lost position, won from a losing position";
    "terminal (ply + 1) / 2 <= 20 result 1/2-1/2",
        "a draw of at most 20 moves, which is called a grandmaster draw, whoever plays",
        "short draw, quick draw, early draw, grandmaster draw";
    "mate (ply + 1) / 2 < 20", "mate before move 20",
        "mate before move, early mate, quick mate";
    "terminal (ply + 1) / 2 > 100", "a game of more than 100 moves",
        "long game";
    "year == 1990", "the games of a year; -year 1990 does the same",
        "in a year";
    "year > 1990", "the games after a year",
        "after a year";
    "year >= 1990 year <= 2000", "the games from one year to another; -year 1990 2000 does the same",
        "between two years";
    "year < 1900", "the games before a year; `year >= 1900` are those from then on", "old games";
    "[Nn][a1-8,h1-8]", "a knight on the edge of the board: file a or h",
        "knight on the rim, knight on the edge";
    "flipcolor {Ra-h7 >= 2}", "two rooks of a side on their seventh rank", "both rooks on the seventh";
    "[Aa] == 6", "six men on the board, kings and pawns included", "six pieces on the board";
    "flipcolor {a == 1}", "a king alone against the other side: rex solus", "bare king, lone king, king alone";
    "initial [Aa] <= 7", "a problem with seven men or fewer: what composers call a miniature",
        "problem with few men";
    "initial [Aa] >= 8 [Aa] <= 12", "a problem with eight to twelve men: a Meredith", "meredith";
    "initial not [Pp]", "a problem without pawns: an aristocrat", "aristocrat";
    "[Aa] == 2 or {[Aa] == 3 [BNbn]}",
        "neither side can mate: the kings are alone, or one of them has a bishop or a knight",
        "insufficient material, insufficient mating material, dead position, bare kings";
    "endgame \"minor\"", "both sides have bishops or knights and no other pieces", "minor piece endgame";
    "{wtm eval - parent:eval >= 100} or {btm parent:eval - eval >= 100}",
        "a move that loses a pawn or more by the evaluations of the file; cql annotate writes those \
         that it has not got",
        "accuracy, inaccuracy, inaccuracies, mistake, average centipawn loss, acpl, eval drop";
    "originalcomment \"novelty\"",
        "the comment of the file has this text; `comment` writes into the games",
        "comment contains, search in comments, words in comments, find in comments, comment search, search a comment";
    "[Qq] == 0", "there is no queen on the board",
        "queenless positions, without queens, no queens, queens off";
    "mate [Qq] == 0", "mate with no queen on the board",
        "mate without a queen";
    "terminal {result 1-0 or result 0-1}", "a game that White or Black won",
        "not a draw, not drawn, no draws, without draws, decisive, decisive games";
    "stalemate {pin through A to K or pin through a to k}", "stalemate with a pinned piece",
        "stalemate with a pinned piece";
    "terminal fen \"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR\"",
        "the games that end with a position", "final position given";
    "tag \"Annotator\" ~~ \"Tal\"", "the games with a tag that has a text",
        "filter by tag, games by tag, search tags";
    "tag \"Event\" ~~ \"[Bb]litz\"", "the games of events whose name says so", "blitz";
    "tag \"Event\" ~~ \"[Rr]apid\"", "the games of events whose name says so", "rapid";
    "tag \"Event\" ~~ \"[Bb]ullet\"", "the games of events whose name says so", "bullet";
    "int (tag \"TimeControl\" ~~ \"^[0-9]+(?![0-9/])\") < 600",
        "less than ten minutes for the game: the tag begins with the seconds, as in 300+0, and \
         not with a number of moves, as in 40/7200 and 1/259200",
        "time control, blitz, bullet, rapid, increment, by time control, filter by time control";
    "elo >= 2600", "at least one player is rated 2600 or more: elo is the greater of the two ratings",
        "at least one player above, either player rated, a player rated";
    "(elo white + elo black) / 2 >= 2700",
        "the average of both ratings is 2700 or more; half of the sum is rounded down, so compare \
         it by >=, and for more than an average the sum itself",
        "average rating, average elo, mean rating, category of a game";
    "elo white + 200 < elo black result 1-0",
        "White wins against a player who is rated more than 200 points higher",
        "upset, giant killer, surprise win";
    "flipcolor {elo white < elo black result 1-0}", "a player wins, with either color, who is rated lower",
        "lower rated player won, weaker player wins, underdog wins";
    "flipcolor {mate currentmove Q[x]f7 Bc4}",
        "scholar's mate: the queen takes on f7 and mates, with a bishop on c4; for either color",
        "four-move checkmate";
    "terminal not mate", "the last position of the games that end without mate",
        "not mate, no mate, without mate, not checkmate";
    "currentmove [x] not check", "a capture that gives no check",
        "captures without check, capture without check, capture that is not check";
    "check not {currentmove [x]}", "a move gives check and takes nothing",
        "check without capture, quiet check";
    "flipcolor {#Q == #q + 1 #[bn] == #[BN] + 3 #R == #r}",
        "a queen against three minor pieces; the rest is equal, and pawns do not count",
        "three pieces for a queen";
    "flipcolor {#R == #r + 1 #[bn] == #[BN] + 2 #Q == #q}",
        "a rook against two minor pieces; other pieces are equal, and pawns do not count",
        "two pieces for a rook, two minor pieces for a rook, rook for two pieces";
    "flipcolor {#[BN] == #[bn] + 1 #p == #P + 3 #Q == #q #R == #r}",
        "a minor piece against three pawns; queens and rooks are equal",
        "piece for three pawns, piece against three pawns";
    "P == 3", "White has exactly three pawns; `[Pp] == 3` are three pawns of both sides together",
        "exactly three pawns, number of pawns, exactly so many pawns, count of pieces";
    "_d4 _e4", "d4 and e4 are both empty; `_[d4,e4]` matches if one of them is",
        "both squares empty, two squares empty, squares are empty, several empty squares";
    "P[a2,b3,d4] == 3 P == 3", "the white pawns stand on these squares, and there are no others",
        "exact pawn set, pawn skeleton, exactly these pawns";
    "initial flipcolor {find P--g4 find P--h4}",
        "moves of a plan in any order; `path` asks for them in one order",
        "plan in any order, moves in any order, in whatever order, any order";
    "pin from B through n to q", "a relative pin: a bishop pins a knight to a queen",
        "relative pin, pin to the queen, pin against the queen, pinned to the queen";
    "pin through [Qq]", "queens that are pinned to their kings", "pinned queen, queen is pinned, pin of a queen";
    "pin from [Bb] through [Nn]", "bishops that pin knights to kings",
        "bishop pins a knight, knight pinned by a bishop";
    "o-o-o", "castling on the queen's side; `o-o` is that on the king's side",
        "0-0-0, O-O-O, O-O, castling notation";
    "elo white < 2000 elo black < 2000", "both players are rated less than 2000",
        "weak players, amateurs";
    "elo white >= 2600 elo black >= 2600",
        "both players are rated 2600 or more; elo is the greater of the two ratings",
        "rating above, rated above, strong players, grandmasters, high rating, both players above, both \
         players rated above";
    "tag \"Event\" ~~ \"[Ww]om[ae]n\"", "the games of events for women, by their name", "female players";
    "mate sort \"sacrifices\" {find <-- all {theme(\"sacrifice\") not parent:parent:theme(\"sacrifice\")}}",
        "games that end with mate, those with the most sacrifices first",
        "rank by beauty, brilliancies, most brilliant games, brilliant games";
};

/// Wishes about variations, which are searched, too.
pub(super) const IN_VARIATIONS: &[Wish] = syntax::rows! {
    "initial flipcolor {2 <= piece x in [QRBN] {find [x]x find {mate currentmove x--}}}",
        "a Zilahi: two pieces of a side, each of which is taken in one line and mates in another, \
         in variations",
        "zilahi, zilahi theme, piece taken in one line and mates in another";
    "initial flipcolor {find P--=Q(p--=Q) find P--=R(p--=R) find P--=B(p--=B) find P--=N(p--=N)}",
        "a Babson task: each of the four promotions of one side is answered by the same one of the \
         other, in variations",
        "babson task, babson theme, babson, same promotions by both sides";
    "initial find --=Q find --=R find --=B find --=N",
        "an allumwandlung: promotions to queen, rook, bishop and knight in one game, in variations",
        "allumwandlung, AUW, all four promotions, four promotions, all promotions";
    "initial find castle find enpassant find --=.",
        "a Valladao: castling, a capture en passant and a promotion in one game, in variations",
        "valladao, valladão, valladao task, castling and en passant and promotion, all special moves, three \
         special moves";
    "flipcolor {{currentmove P--=Q find <-- {currentmove [x]Q}} or \
         {currentmove P--=R find <-- {currentmove [x]R}} or \
         {currentmove P--=B find <-- {currentmove [x]B}} or \
         {currentmove P--=N find <-- {currentmove [x]N}}}",
        "a phoenix: a pawn promotes to a piece of a kind that its side has lost before, in \
         variations",
        "phoenix, phoenix theme, reborn, piece comes back by promotion, promotion to a lost piece";
    "initial find mate flipcolor {square x in . {find r--x(--(mate)) find b--x(--(mate))}}",
        "a Grimshaw: a rook and a bishop of one side go to the same square, and the next move \
         mates either way, in variations",
        "grimshaw, mutual interference";
    "flipcolor {btm 2 <= square x in [rq] {x -> to x[x]to(find quiet mate)}}",
        "a Plachutta: a piece goes where two enemy rooks, or queen and rook, can take it, and \
         mate follows either way, in variations",
        "plachutta, wurzburg-plachutta";
    "initial flipcolor {square x in K {find (x & K)--northeast 1 x find (x & K)--northwest 1 x \
         find (x & K)--southeast 1 x find (x & K)--southwest 1 x}}",
        "a star: a king goes to all four squares diagonally beside its own, in variations",
        "star, king star, star flights, king star flights";
    "initial flipcolor {square x in K {find (x & K)--up 1 x find (x & K)--down 1 x \
         find (x & K)--left 1 x find (x & K)--right 1 x}}",
        "plus flights: a king goes to all four squares straight beside its own, in variations",
        "plus flight, king plus flights, cross flights";
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
