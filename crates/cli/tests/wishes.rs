//! Wishes of a composer, a coach and an engineer. The help answers the words of a wish, and the
//! command that it shows runs as it stands.

mod support;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;

use support::{Place, Ran, root};

/// The answer for moves that pass the turn.
const TRIANGULATION: &str = "a triangulation: a king comes back in three moves, the other one in two, so \
    that the position is there again with the other side to move; CQL has no word for other moves that \
    only pass the turn";

/// Words of a wish, and the title of the answer that must be among the first three.
const WISHES: [(&str, &str); 446] = [
    // A composer.
    ("switchback", "Switchback"),
    ("round trip", "Round trip"),
    ("underpromotion", "Underpromotion"),
    ("bristol", "Clearance along a line"),
    ("model mate", "Model mates"),
    ("mate in 2", "Mate in two"),
    (
        "mate in 3",
        "the side to move mates with its third move, with checks alone, whatever the opponent does, \
         and not sooner; `cql puzzles` proves mates with other moves, too",
    ),
    ("set play", "initial imagine sidetomove flip : legal --(legal --(mate))"),
    ("both castled long", "initial find {wtm o-o-o} find {btm o-o-o}"),
    ("theoretical novelty", "cql tree --since DATE"),
    ("first game with a position", "--limit 1 by date"),
    ("mutual zugzwang", "Mutual zugzwang: the trébuchet"),
    ("excelsior", "Excelsior"),
    ("stalemate trick", "Stalemate as a rescue"),
    ("king walk", "March of the king"),
    ("domination", "Domination"),
    ("pawn mate", "Mate by a pawn"),
    ("double check", "Double check"),
    ("where is the king mated", "--count-by 'if wtm K else k'"),
    ("which squares pawns promote on", "--count-by to"),
    ("two queens against queen and two rooks", "material \"QQ:QRR\""),
    ("does the a1 rook survive", "initial piece $rook in Ra1 find {terminal $rook}"),
    ("only the first match", "--per game"),
    // A coach.
    ("knight on d5", "[Nn]d5"),
    ("plan", "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}"),
    ("quiet position", "quiescent not check"),
    ("overprotection", "flipcolor {square s in Pd-e4-5 {#(A -> s) >= 3 + #(a -> s)}}"),
    (
        "counterplay",
        "flipcolor {power A < power a path nestban (--({btm {check or hanging [qrbn]} not parent:hanging \
         [qrbn]}) --){3,}}",
    ),
    ("compensation for a pawn", "flipcolor {movenumber == 25 wtm power A < power a result 1-0}"),
    ("luft", "flipcolor {btm currentmove Pf-h2--f-h3-4 Kf-h1}"),
    ("most beautiful games", "mate find <-- theme(\"sacrifice\")"),
    ("prepare against an opponent", "cql prepare"),
    ("opposite colored bishops", "Opposite-colored bishops"),
    ("isolated queen pawn", "Isolated queen's pawn"),
    ("exchange sacrifice", "Exchange sacrifice"),
    ("sacrifice", "Exchange sacrifice"),
    ("greek gift", "Greek gift"),
    ("back rank mate", "Back rank"),
    ("fork", "Knight fork"),
    ("opposite side castling", "Opposite castling"),
    ("rook endings", "Rook endings"),
    ("outpost", "Knight on an outpost"),
    ("extra pawn", "Rook ending with an extra pawn"),
    ("lost on time", "Lost on time"),
    ("time trouble", "Blunders in time trouble"),
    ("rook lift", "Rook lift"),
    ("knight maneuver", "Knight maneuver of the Ruy Lopez"),
    ("Najdorf", "All games through \"Najdorf\""),
    ("Carlsen", "player white \"Carlsen\" year == 2015"),
    ("hanging pawns", "Hanging pawns"),
    // An engineer.
    ("live broadcast", "cql watch"),
    ("longest common continuations", "cql tree"),
    ("most common positions", "--count-by position"),
    ("opening tree", "cql tree"),
    ("repair a file", "cql doctor"),
    ("regular expression", "Regular expressions"),
    ("en passant refused", "En passant refused"),
    ("rating difference", "flipcolor {elo white - elo black >= 200}"),
    ("rating difference 300", "initial flipcolor {elo white - elo black >= 300}"),
    ("white elo over 2700", "initial elo white > 2700"),
    ("black elo over 2500", "initial elo black > 2500"),
    ("elo white under 2000", "elo white < 2000"),
    ("elo black under 1900", "elo black < 1900"),
    ("rating below 2000", "initial elo white < 2000 elo black < 2000"),
    ("after 1910", "initial year > 1910"),
    ("since 1910", "initial year >= 1910"),
    ("between 1850 and 1900", "initial year >= 1850 year <= 1900"),
    ("missed mate in one", "legal --(mate) not terminal not child:mate"),
    ("white castled never", "White never castled"),
    ("average length", "Average length"),
    ("parquet", "Questions in SQL"),
    ("archive", "Archives"),
    ("where pieces are taken", "Where pieces are taken"),
    ("threefold", "{repetition >= 2}"),
    // Wishes of many players.
    ("castle long then push the g pawn and h pawn", "flipcolor {path Ke1--c1 --* P--g4 --* P--h4}"),
    ("quiet position to solve", "quiescent not check"),
    ("sort by beauty", "games that end with mate, those with the most sacrifices first"),
    ("opponent report", "--score-of NAME"),
    ("report on Kasparov", "--score-of NAME"),
    ("star", "a star: a king goes to all four squares diagonally beside its own, in variations"),
    ("wheel", "a knight wheel: a knight makes all eight moves from its square, in variations"),
    ("first position of a game", "--per game"),
    ("commonest positions as a book", "--count-by position"),
    ("games that leave my repertoire", "similarposition"),
    ("my repertoire", "similarposition"),
    ("Bxb5 open Sicilian", "B[x]b5 eco ~~ \"^B[2-9]\""),
    ("sacrifice on b5 in the sicilian", "B[x]b5 eco ~~ \"^B[2-9]\""),
    ("king fork", "flipcolor {btm currentmove K-- [rbn] <- K >= 2}"),
    ("find a position however it came about", FEN),
    ("exact position", FEN),
    ("my games with this position", "-player NAME"),
    ("games between Kasparov and Karpov", "player \"Kasparov\" player \"Karpov\""),
    ("tree for one player", "cql tree -player NAME"),
    ("squares that must be empty", "_d4 P == 4"),
    ("playing style", "--count-by White"),
    ("ask in plain words", "Assistants"),
    ("chatgpt", "Assistants"),
    ("fischer random", "Variants"),
    ("how do I save results", "What a search writes"),
    ("miniatures", "terminal (ply + 1) / 2 <= 25 {result 1-0 or result 0-1}"),
    ("blitz", "tag \"Event\" ~~ \"[Bb]litz\""),
    ("rating above 2600", "initial elo white > 2600 elo black > 2600"),
    ("kings indian", "opening \"King's Indian\""),
    ("petroff", "opening \"Petrov's\""),
    ("C42", "eco \"C42\""),
    ("B90-B99", "\"B90\" <= eco <= \"B99\""),
    ("ECO B20-B99", "\"B20\" <= eco <= \"B99\""),
    ("C4", "\"C40\" <= eco <= \"C49\""),
    ("C4", "Pc4"),
    ("positions with an IQP", "Isolated queen's pawn"),
    ("pawn structure d4 a2 b3 f2 g2 h2", "Pd4 Pa2 Pb3 Pf2 Pg2 Ph2"),
    ("bishop pair against bishop and knight", "material \"BB:BN\""),
    ("a white knight reaches d5", "currentmove N--d5"),
    ("final position with rook on d7", "[Rr]d7 terminal"),
    ("rating difference over 250", "initial flipcolor {elo white - elo black > 250}"),
    ("average rating over 2600", "initial elo white + elo black > 5200"),
    ("same position by different move order", FEN),
    ("opening tree for Carlsen", "cql tree -player NAME"),
    ("opening tree for Carlsen as black", "cql tree -black NAME"),
    ("report about Carlsen", "--score-of NAME"),
    ("opening tree since 2015", "cql tree"),
    ("where do pawns promote", "--count-by to"),
    ("evaluation above 3", "eval > 300"),
    ("positions with only one good move", "cql puzzles"),
    (
        "Carlsen lost to Anand in 2013",
        "understood as: the year of the game is 2013; with White and Black as here, or exchanged: the name of White contains \"Carlsen\" and the name of Black contains \"Anand\" and the game ended 0-1",
    ),
    // Terms that no filter has: a definition, or what comes nearest.
    ("bind", "Maróczy bind"),
    ("blockade", "flipcolor {[KQRBN] & down 1 (passedpawns & p)}"),
    ("Carlsen's wins with black", "initial player black \"Carlsen\" result 0-1"),
    ("minority attack", "Minority attack"),
    ("outside passed pawn", "Outside passed pawn"),
    (
        "tempo",
        "a gain of a tempo, by this definition: a move attacks a queen that nothing attacked before, so that she must go, and no man of its own side is given up",
    ),
    ("tempo move", TRIANGULATION),
    ("triangulation", TRIANGULATION),
    (
        "bad bishop",
        "a bad bishop, by this definition: it is the only one of its side, three of whose pawns or more stand on squares of its color and cannot move, since enemy men stand before them",
    ),
    (
        "good knight vs bad bishop",
        "a knight against a bad bishop, which has three pawns or more on squares of its color; whether the knight stands well is not asked",
    ),
    (
        "prophylaxis",
        "CQL has no word for prophylaxis, which is an intention; what comes nearest: a move that takes nothing and prevents a mate in one, which the opponent had if it were to move instead",
    ),
    (
        "space advantage",
        "an advantage in space, by this definition: in the middlegame, and with as many pawns, a side has eight squares more behind its pawns than the other one",
    ),
    (
        "initiative",
        "CQL has no word for the initiative; what comes nearest: four moves of a side in a row, each of which gives check or newly threatens to win a piece",
    ),
    (
        "threats in a row",
        "CQL has no word for the initiative; what comes nearest: four moves of a side in a row, each of which gives check or newly threatens to win a piece",
    ),
    ("e4 e5 Nf3", "san \"1.e4 e5 2.Nf3\""),
    // Wishes of testers that the help did not answer at first.
    (
        "rook ending four against three",
        "a rook and four pawns against a rook and three, with all pawns on one wing",
    ),
    (
        "four against three rook endings",
        "a rook and four pawns against a rook and three, with all pawns on one wing",
    ),
    ("allumwandlung", "initial find --=Q find --=R find --=B find --=N"),
    ("AUW", "initial find --=Q find --=R find --=B find --=N"),
    ("all four promotions", "initial find --=Q find --=R find --=B find --=N"),
    ("promotes to a knight with check", "check currentmove --=N"),
    (
        "a piece returns later",
        "a piece leaves its square and comes back with its next move, whatever other pieces do between; `--{1,}` before `--home` permits a longer way",
    ),
    (
        "queen taken then mate by a pawn",
        "a queen is taken, and within three moves a pawn of her side mates",
    ),
    ("white king f6 black king h8", "Kf6 kh8"),
    ("a pawn on a7", "[Pp]a7"),
    ("the white king on g1", "Kg1"),
    ("knight on e5 and pawn on d4", "[Nn]e5 [Pp]d4"),
    ("three queens", "[Qq] >= 3"),
    (
        "lost on time in a better position",
        "a player lost on time with an advantage of a pawn or more; cql annotate writes evaluations that a file has not got",
    ),
    ("gave the exchange and won", "Exchange sacrifice"),
    (
        "good bishop against bad bishop",
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one has three pawns or more and the good one at most one",
    ),
    (
        "bad bishop",
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one has three pawns or more and the good one at most one",
    ),
    ("passed pawn on the seventh decides", "A passed pawn on the seventh decides"),
    ("Najdorf by year and score", "--count-by year"),
    ("Najdorf by year and score", "All games through \"Najdorf\""),
    ("regular expression on player names", "player white ~~ \"^(Karpov|Kasparov)\""),
    ("EPD with counts", "--count-by position -o FILE.csv"),
    ("common positions after move 10", "--count-by position -o FILE.csv"),
    ("growing file", "cql watch"),
    ("checks by a queen", "check currentmove [Qq]--"),
    ("JSON with the FEN of a match", "-o FILE.jsonl"),
    ("which first moves score best", "cql tree --order sure"),
    ("what an opponent plays as black", "cql prepare"),
    ("most frequent player", "cql stats"),
    ("storm", "Pawn storm"),
    ("carlsbad structure", "Carlsbad structure"),
    ("helpmate", "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\""),
    ("selfmate", "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\""),
    ("dual", "countmoves legal --(mate) >= 2"),
    (
        "grimshaw",
        "a Grimshaw: a rook and a bishop of one side go to the same square, and the next move mates either way, in variations",
    ),
    (
        "plachutta",
        "a Plachutta: a piece goes where two enemy rooks, or queen and rook, can take it, and mate follows either way, in variations",
    ),
    ("nowotny", "Novotny"),
    ("shut-off", "Interference"),
    ("self-block", "a self-block: a piece moves beside its own king, and the next move mates"),
    ("key", "Mate in two"),
    ("composition", "Mate in two"),
    ("png", "cql diagram FEN"),
    ("switchback with rook", "Switchback"),
    ("Nb1-d2-f1-g3", "Knight maneuver of the Ruy Lopez"),
    ("knight maneuver Nd2-f1-g3", "Knight maneuver of the Ruy Lopez"),
    ("interference", "interference"),
    ("threefold repetition", "{repetition >= 2}"),
    ("king walk", "March of the king"),
    (
        "longest king walk",
        "the longest walks of a king: eight moves or more, with the way that it went",
    ),
    // A word that decides, signatures, and other words for what the help knows.
    ("open cbv file", "Databases of ChessBase"),
    ("convert cbh to pgn", "Databases of ChessBase"),
    ("unpack cbv archive", "Databases of ChessBase"),
    ("throw away a win", "Tablebases"),
    ("who threw away a won endgame", "Tablebases"),
    ("time control", "int (tag \"TimeControl\" ~~ \"^[0-9]+(?![0-9/])\") < 600"),
    ("TimeControl", "int (tag \"TimeControl\" ~~ \"^[0-9]+(?![0-9/])\") < 600"),
    ("date range", "-year N [M]"),
    ("rating range", "-elo N [M]"),
    ("at least one player above", "elo >= 2600"),
    ("either player rated 2700", "initial elo >= 2700"),
    ("exactly three pawns", "P == 3"),
    ("both squares empty", "_d4 _e4"),
    ("Sicilian Najdorf", "opening \"Sicilian Defense: Najdorf Variation\""),
    ("Sicilian Dragon", "opening \"Sicilian Defense: Dragon Variation\""),
    ("classical mates", "Mates"),
    ("average rating", "(elo white + elo black) / 2 >= 2700"),
    ("giant killer", "elo white + 200 < elo black result 1-0"),
    ("flag", "Lost on time"),
    ("most common mate", "--count-by san"),
    ("king square mate", "--count-by 'if wtm K else k'"),
    ("promotions per square", "--count-by to"),
    ("dossier", "cql prepare"),
    ("exchange down", "Exchange sacrifice"),
    ("rook given for a knight", "Exchange sacrifice"),
    ("relative pin", "pin from B through n to q"),
    ("pin against the queen", "pin from B through n to q"),
    ("0-0-0", "o-o-o"),
    ("thinking time", "clock"),
    ("minutes spent on a move", "clock"),
    ("clk", "clock"),
    ("exact pawn set", "P[a2,b3,d4] == 3 P == 3"),
    ("plan in any order", "initial flipcolor {find P--g4 find P--h4}"),
    ("same idea", "cql like"),
    ("symmetry", "The transforms"),
    ("mark a passage", "cql example"),
    ("own sacrifices", "-player NAME --count-by"),
    ("Philidor's legacy", "Smothered mate"),
    ("double attack", "Knight fork"),
    ("lifetimes of pieces", "initial piece $rook in Ra1 find {terminal $rook}"),
    ("resignation", "terminal not mate {result 1-0 or result 0-1}"),
    ("Spanish", "All games through \"Ruy Lopez\""),
    ("mated king's square", "--count-by 'if wtm K else k'"),
    ("endgame classes", "--count-by class"),
    ("share of endgames", "--count-by class"),
    ("endgame signatures", "--count-by men"),
    ("lifetimes of all 32 pieces", "--count-by from"),
    ("how often pieces survive", "--count-by from"),
    ("original square", "--count-by from"),
    ("repertoire", "similarposition"),
    ("rundlauf", "Round trip"),
    ("route of a piece", "Longest walk of a piece"),
    ("knight route", "Longest walk of a piece"),
    ("not castled", "White never castled"),
    ("triangulation", TRIANGULATION),
    ("valladão", "initial find castle find enpassant find --=."),
    (
        "phoenix",
        "a phoenix: a pawn promotes to a piece of a kind that its side has lost before, in variations",
    ),
    (
        "pickaninny",
        "an albino or, by Black, a pickaninny: a pawn makes all four moves from its first square, in variations",
    ),
    // Openings beside words for a kind of opening.
    ("sicilian opening", "All games through \"Sicilian\""),
    ("opening caro-kann", "All games through \"Caro-Kann\""),
    (
        "opening by name sicilian najdorf",
        "All games through \"Sicilian Defense: Najdorf Variation\"",
    ),
    ("ECO B90", "eco \"B90\""),
    // Mates by each side.
    ("white is mated", "wtm mate"),
    ("black is mated", "btm mate"),
    ("white mates", "btm mate"),
    ("black mates", "wtm mate"),
    ("mate with a pawn by black", "wtm mate currentmove p--"),
    ("mate by queen", "mate currentmove [Qq]--"),
    ("mate on h8", "mate {{Kh8 wtm} or {kh8 btm}}"),
    ("mate before move 30", "mate (ply + 1) / 2 < 30"),
    ("mate on move 12", "mate (ply + 1) / 2 == 12"),
    ("mate without queens", "mate [Qq] == 0"),
    ("queenless", "[Qq] == 0"),
    ("stalemate with a pinned piece", "stalemate {pin through A to K or pin through a to k}"),
    // Pieces in words.
    ("bishop and knight against king", "flipcolor material \"KBNK\""),
    ("two knights against pawn", "flipcolor material \"KNNKP\""),
    ("queen and rook against two rooks", "material \"QR:RR\""),
    // Games by their length, their year and their players.
    (
        "lost position but won",
        "a player won who was three pawns behind by an evaluation; cql annotate writes those that a file has not got",
    ),
    ("short draws", "terminal (ply + 1) / 2 <= 20 result 1/2-1/2"),
    ("draw before move 33", "terminal (ply + 1) / 2 < 33 result 1/2-1/2"),
    ("games longer than 100 moves", "terminal (ply + 1) / 2 > 100"),
    ("games under 20 moves", "terminal (ply + 1) / 2 < 20"),
    ("white wins before move 25", "terminal (ply + 1) / 2 < 25 result 1-0"),
    ("games over 80 moves", "terminal (ply + 1) / 2 > 80"),
    ("not a draw", "terminal {result 1-0 or result 0-1}"),
    ("no check in the whole game", "initial not find check"),
    ("games without captures", "initial not find {currentmove [x]}"),
    ("in 1972", "initial year == 1972"),
    ("before 1850", "initial year < 1850"),
    ("Kasparov against Karpov", "player \"Kasparov\" player \"Karpov\""),
    ("both players over 2700", "initial elo white > 2700 elo black > 2700"),
    ("my games with a position", "-player NAME"),
    ("final position given", "the games that end with a position"),
    ("filter by tag", "tag \"Annotator\" ~~ \"Tal\""),
    ("rust library", "Rust"),
    ("use from my program", "Rust"),
    ("exit code in a script", "-exit-status"),
    ("read from stdin", "Pipes"),
    ("most frequent positions", "--count-by position"),
    ("no castling", "initial not find castle"),
    ("games without castling", "initial not find castle"),
    ("never castled", "White never castled"),
    ("white castles", "btm castle"),
    ("both sides castled", "initial find {wtm castle} find {btm castle}"),
    ("black castles queenside", "wtm o-o-o"),
    ("en passant possible but not played", "initial find {legal --(enpassant)} not find enpassant"),
    ("mate by rook", "mate currentmove [Rr]--"),
    ("black stalemate", "btm stalemate"),
    ("white check", "wtm check"),
    ("white to move and mate", "wtm legal --(mate)"),
    ("check by knight", "check currentmove [Nn]--"),
    ("pawn check", "check currentmove [Pp]--"),
    ("never check", "initial not find check"),
    ("without a check", "initial not find check"),
    ("perpetual check", "a draw by repetition that ends with checks, as by perpetual check"),
    ("bullet", "tag \"Event\" ~~ \"[Bb]ullet\""),
    ("black passed pawn", "passedpawns & p"),
    ("queen takes queen", "currentmove [Qq][x][Qq]"),
    ("knight on the rim", "[Nn][a1-8,h1-8]"),
    ("rook on the sixth rank", "(Ra-h6 | ra-h3)"),
    ("two rooks on the seventh", "flipcolor {Ra-h7 >= 2}"),
    ("six men", "[Aa] == 6"),
    ("rex solus", "flipcolor {a == 1}"),
    ("seven men", "initial [Aa] <= 7"),
    ("Meredith", "initial [Aa] >= 8 [Aa] <= 12"),
    ("aristocrat", "initial not [Pp]"),
    ("histogram of game length", "--count-by EXPRESSION"),
    ("percent of draws", "--count-by result"),
    ("win rate by color", "--count-by result"),
    ("number of games per player", "--count-by Black"),
    ("white knight on e5", "Ne5"),
    ("black pawn on c4", "pc4"),
    ("two white queens", "Q >= 2"),
    ("rook and pawn against rook", "flipcolor material \"KRPKR\""),
    ("no castling", "initial not find {wtm castle}"),
    ("filter by time control", "int (tag \"TimeControl\" ~~ \"^[0-9]+(?![0-9/])\") < 600"),
    ("kill box", "killboxmate"),
    // Wishes of strangers: what never moved, problems, moves, and terms in German and French.
    ("rook never moved", "initial piece x in [Rr] {not find {currentmove x--}}"),
    ("king never moved", "initial piece x in [Kk] {not find {currentmove x--}}"),
    ("both sides have two bishops", "B >= 2 b >= 2"),
    (
        "symmetrical position",
        "a symmetrical position after ten moves or more: the black men are the mirror image of the white ones",
    ),
    (
        "good knight against bad bishop",
        "a knight against a bad bishop, which has three pawns or more on squares of its color; whether the knight stands well is not asked",
    ),
    ("passed pawn promotes", "currentmove --=."),
    ("battery", "battery"),
    ("battery", "flipcolor {[QRB] -> [KRBNP] -> k}"),
    (
        "Turton",
        "a Turton: a piece crosses a square of its line, another one stops there, and goes along the line in the opposite direction, with consecutive moves of its side",
    ),
    (
        "Indian problem",
        "an Indian: a piece crosses a square of its line, another one stops there and shuts the line, and its move away gives check along it; one waiting move may stand between",
    ),
    ("Nf3", "Nf3"),
    ("Nf3", "currentmove [Nn]--f3"),
    ("Nf3", "san \"1.Nf3\""),
    ("exd5", "currentmove [Pp]e1-8[x]d5"),
    ("pawns on c4 and e4", "{Pc4 Pe4} or {pc4 pe4}"),
    ("promotion to a bishop", "currentmove --=B"),
    ("Morphy won with white", "initial player white \"Morphy\" result 1-0"),
    ("black won in 1907", "initial year == 1907 result 0-1"),
    ("mate by castling", "mate castle"),
    ("fastest mate", "mate sort min \"moves\" (ply + 1) / 2"),
    ("most checks in a game", "Most checks"),
    ("castling after move 10", "castle (ply + 1) / 2 > 10"),
    ("five queens on the board", "[Qq] >= 5"),
    ("how often does white win", "--count-by result"),
    ("highest rated game", "initial sort \"rating\" (elo white + elo black) / 2"),
    ("draws", "result 1/2-1/2"),
    ("mistakes in time trouble", "Blunders in time trouble"),
    ("Damenopfer", "Queen sacrifice that is not mate at once"),
    ("Qualitätsopfer", "Exchange sacrifice"),
    ("erstickter Matt", "Smothered mate"),
    ("Läuferpaar", "{B>=2 b<=1}"),
    ("Zeitnot", "Blunders in time trouble"),
    ("finale de tours", "Rook endings"),
    ("mat étouffé", "Smothered mate"),
    ("Sizilianische Verteidigung", "All games through \"Sicilian Defense\""),
    // Themes of problems.
    (
        "Zilahi",
        "a Zilahi: two pieces of a side, each of which is taken in one line and mates in another, in variations",
    ),
    (
        "Babson task",
        "a Babson task: each of the four promotions of one side is answered by the same one of the other, in variations",
    ),
    ("half-pin", "flipcolor {[QRB] -> [qrbnp] -> [qrbnp] -> k}"),
    ("Umnov", "not currentmove [x] to & parent:from"),
    (
        "ambush",
        "an ambush: a line piece goes behind a piece of its side that stands before the enemy king, which makes a battery",
    ),
    ("royal battery", "flipcolor {[QRB] -> K -> k}"),
    ("Siers battery", "flipcolor {[QRB] -> N -> k}"),
    (
        "homebase",
        "a home base: all men of a side stand on squares of a game's start, and some men are gone",
    ),
    (
        "obtrusive piece",
        "an obtrusive piece: a problem begins with more pieces of a kind than a game",
    ),
    ("mirror mate", "mate flipcolor {btm not {[Aa] & anydirection 1 k}}"),
    ("stipulation", "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\""),
    ("Loyd clearance", "Clearance along a line"),
    ("retro analysis", "Moves backward"),
    // A coach.
    ("loose pieces", "hanging [QRBNqrbn]"),
    ("overloaded defender", "Overloaded piece"),
    ("removing the defender", "Removing the guard"),
    ("weak squares", "a knight on an outpost: a pawn protects it, and no pawn can drive it away"),
    ("played under 30 seconds", "clock < 30"),
    // A journalist.
    ("who beat Lasker", "initial flipcolor {player white \"Lasker\" result 0-1}"),
    ("games that Lasker lost", "initial flipcolor {player white \"Lasker\" result 0-1}"),
    ("games played in London", "initial {event \"London\" or site \"London\"}"),
    ("oldest game", "initial sort min \"date\" date"),
    ("newest game", "initial sort \"date\" date"),
    ("biggest upset", "result 1-0 initial sort \"upset\" elo black - elo white"),
    ("most queens on the board", "[Qq] >= 3 sort \"queens\" #[Qq]"),
    ("latest castling", "castle sort \"move\" (ply + 1) / 2"),
    ("most knight moves", "terminal sort \"moves\" {find <-- all {currentmove [Nn]--}}"),
    ("all pawns on the board at the end", "terminal [Pp] == 16"),
    ("king reached the eighth rank", "flipcolor Ka-h8"),
    ("fewest moves", "Shortest games"),
    ("longest sequence without capture", "Quietest game"),
    ("player with most draws", "-result 1/2-1/2 --count-by White"),
    ("most popular opening", "--count-by opening"),
    ("first move d4", "san \"1.d4\""),
    // An engineer.
    ("games where white plays e4 and black replies e5", "san \"1.e4 e5\""),
    ("number of games in a file", "cql stats"),
    ("show me all smothered mates", "Smothered mate"),
    // Numbers, counts and words that decide.
    ("draw by 50 moves rule", "halfmoveclock >= 100"),
    ("two promotions", "initial find count {currentmove --=.} >= 2"),
    ("exactly two promotions", "initial find count {currentmove --=.} == 2"),
    ("both players over 2,700", "initial elo white > 2700 elo black > 2700"),
    ("K is on e1", "Ke1"),
    ("longest sequence of checks", "Longest series of checks"),
    ("games in London", "initial {event \"London\" or site \"London\"}"),
    ("group by month", "--count-by month"),
    ("average length by eco", "--count-by opening --by length"),
    ("average length by opening", "--count-by opening --by length"),
    ("time used per move", "sort \"seconds\" parent:parent:clock - clock"),
    ("fewer than 8 pieces", "[Aa] < 8"),
    ("a knight on d5 before move 20", "[Nn]d5 (ply + 1) / 2 < 20"),
    ("no captures in 20 moves", "path quiet nestban (-- {not currentmove [x]}){40,}"),
    ("python api", "Python"),
    ("export csv columns", "--columns NAME,..."),
    ("performance", "cql bench"),
    ("how fast is it", "cql bench"),
    ("benchmark", "cql bench"),
    ("schema", "Questions in SQL"),
    ("homework", "cql sheet"),
    ("Partien pro Jahr zählen", "-cql terminal --count-by year"),
    ("Partien unter 20 Zügen", "terminal (ply + 1) / 2 < 20"),
    ("Selbstmatt", "tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\""),
    ("Vorläufer", "cql like"),
    ("Springerumwandlung", "currentmove --=N"),
    ("stalemate with many peices", "stalemate sort \"men\" #[Aa]"),
    ("game ends in mate", "mate"),
    ("s3", "Object storage"),
    ("url", "Object storage"),
    ("one row per position", "--per position|game"),
    ("black castles queenside and white kingside", "initial find {wtm o-o-o} find {btm o-o}"),
    ("doubled pawns on c file", "doubledpawns & [Pp]c1-8"),
    ("passed pawn on 6th rank", "passedpawns & (Pa-h6 | pa-h3)"),
    ("comment contains", "originalcomment \"novelty\""),
    ("search comments", "originalcomment \"novelty\""),
    ("wildcard", "player white ~~ \"^(Karpov|Kasparov)\""),
    (
        "accuracy",
        "a move that loses a pawn or more by the evaluations of the file; cql annotate writes those that it has not got",
    ),
    ("insufficient material", "[Aa] == 2 or {[Aa] == 3 [BNbn]}"),
    ("minor piece endgame", "endgame \"minor\""),
    ("magnus carlsen", "initial player ~~ \"Carlsen, M|Magnus,? Carlsen\""),
    ("mat à l'étouffée", "Smothered mate"),
    ("découverte", "Discovered attack"),
    ("surcharge", "Overloaded piece"),
    ("Überlastung", "Overloaded piece"),
    ("promotion en cavalier", "currentmove --=N"),
    ("Grundlinienmatt", "Back rank"),
    ("Rückkehr", "Switchback"),
];

const UNRATED: &str = "the games of the examples have no ratings";
const RARE: &str = "no game of the examples has it";

/// Titles of the answers whose queries find nothing in the games of the examples, with the reason.
const FOUND_ELSEWHERE: &[(&str, &str)] = &[
    ("halfmoveclock >= 100", RARE),
    ("originalcomment \"novelty\"", RARE),
    ("initial find {wtm o-o-o} find {btm o-o}", RARE),
    ("path quiet nestban (-- {not currentmove [x]}){40,}", RARE),
    ("material \"QQ:QRR\"", RARE),
    ("All games through \"Najdorf\"", RARE),
    ("player white \"Carlsen\" year == 2015", RARE),
    ("flipcolor {elo white - elo black >= 200}", UNRATED),
    ("initial flipcolor {elo white - elo black >= 300}", UNRATED),
    ("initial elo white > 2700", UNRATED),
    ("initial elo black > 2500", UNRATED),
    ("elo white < 2000", UNRATED),
    ("elo black < 1900", UNRATED),
    ("initial elo white < 2000 elo black < 2000", UNRATED),
    ("{repetition >= 2}", RARE),
    (
        "a Grimshaw: a rook and a bishop of one side go to the same square, and the next move mates \
         either way, in variations",
        RARE,
    ),
    ("a star: a king goes to all four squares diagonally beside its own, in variations", RARE),
    ("a knight wheel: a knight makes all eight moves from its square, in variations", RARE),
    ("B[x]b5 eco ~~ \"^B[2-9]\"", RARE),
    ("-player NAME", RARE),
    ("initial elo white > 2600 elo black > 2600", UNRATED),
    ("a rook and four pawns against a rook and three, with all pawns on one wing", RARE),
    ("initial find --=Q find --=R find --=B find --=N", RARE),
    ("a queen is taken, and within three moves a pawn of her side mates", RARE),
    ("[Qq] >= 3", RARE),
    (
        "a player lost on time with an advantage of a pawn or more; cql annotate writes evaluations that a file has not got",
        RARE,
    ),
    (
        "a good bishop against a bad one: bishops on squares of one color, on which the bad one has three pawns or more and the good one at most one",
        RARE,
    ),
    ("tag \"Event\" ~~ \"[Hh]elpmate|[Ss]elfmate|[HhSs]#\"", RARE),
    (
        "a Plachutta: a piece goes where two enemy rooks, or queen and rook, can take it, and mate follows either way, in variations",
        RARE,
    ),
    ("interference", RARE),
    ("\"B90\" <= eco <= \"B99\"", RARE),
    ("\"B20\" <= eco <= \"B99\"", RARE),
    ("material \"BB:BN\"", RARE),
    ("initial flipcolor {elo white - elo black > 250}", UNRATED),
    ("initial elo white + elo black > 5200", UNRATED),
    ("eval > 300", RARE),
    (
        "understood as: the year of the game is 2013; with White and Black as here, or exchanged: the name of White contains \"Carlsen\" and the name of Black contains \"Anand\" and the game ended 0-1",
        RARE,
    ),
    (
        "an advantage in space, by this definition: in the middlegame, and with as many pawns, a side has eight squares more behind its pawns than the other one",
        RARE,
    ),
    ("initial player black \"Carlsen\" result 0-1", RARE),
    ("elo >= 2600", UNRATED),
    ("initial elo >= 2700", UNRATED),
    ("opening \"Sicilian Defense: Najdorf Variation\"", RARE),
    ("opening \"Sicilian Defense: Dragon Variation\"", RARE),
    ("(elo white + elo black) / 2 >= 2700", UNRATED),
    ("elo white + 200 < elo black result 1-0", UNRATED),
    ("P[a2,b3,d4] == 3 P == 3", RARE),
    (TRIANGULATION, RARE),
    ("initial find castle find enpassant find --=.", RARE),
    (
        "an albino or, by Black, a pickaninny: a pawn makes all four moves from its first square, in variations",
        RARE,
    ),
    ("All games through \"Sicilian Defense: Najdorf Variation\"", RARE),
    ("eco \"B90\"", RARE),
    ("stalemate {pin through A to K or pin through a to k}", RARE),
    ("flipcolor material \"KBNK\"", RARE),
    ("flipcolor material \"KNNKP\"", RARE),
    ("a draw by repetition that ends with checks, as by perpetual check", RARE),
    ("tag \"Event\" ~~ \"[Bb]ullet\"", RARE),
    ("flipcolor {Ra-h7 >= 2}", RARE),
    ("Q >= 2", RARE),
    ("material \"QR:RR\"", RARE),
    (
        "a player won who was three pawns behind by an evaluation; cql annotate writes those that a file has not got",
        RARE,
    ),
    ("terminal (ply + 1) / 2 > 80", RARE),
    ("terminal (ply + 1) / 2 > 100", RARE),
    ("initial elo white > 2700 elo black > 2700", UNRATED),
    ("tag \"Annotator\" ~~ \"Tal\"", RARE),
    ("killboxmate", RARE),
    (
        "a symmetrical position after ten moves or more: the black men are the mirror image of the white ones",
        RARE,
    ),
    (
        "a knight against a bad bishop, which has three pawns or more on squares of its color; whether the knight stands well is not asked",
        RARE,
    ),
    (
        "a Turton: a piece crosses a square of its line, another one stops there, and goes along the line in the opposite direction, with consecutive moves of its side",
        RARE,
    ),
    ("currentmove --=B", RARE),
    ("mate castle", RARE),
    ("[Qq] >= 5", RARE),
    ("initial sort \"rating\" (elo white + elo black) / 2", UNRATED),
    (
        "a Zilahi: two pieces of a side, each of which is taken in one line and mates in another, in variations",
        RARE,
    ),
    (
        "a Babson task: each of the four promotions of one side is answered by the same one of the other, in variations",
        RARE,
    ),
    ("an obtrusive piece: a problem begins with more pieces of a kind than a game", RARE),
    ("result 1-0 initial sort \"upset\" elo black - elo white", UNRATED),
    ("[Qq] >= 3 sort \"queens\" #[Qq]", RARE),
];

/// Title of the answer that shows how to find a position.
const FEN: &str = "fen \"rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR\"";

/// An answer of the help: its title, and the command below it.
struct Answer {
    title: String,
    command: Option<String>,
}

impl Answer {
    /// Whether this is its title, or the query that its command runs.
    fn is(&self, title: &str) -> bool {
        let runs = |command: &String| {
            let quoted = title.replace('"', "\\\"");
            [format!("-cql '{title}'"), format!("-cql \"{quoted}\"")]
                .iter()
                .any(|query| command.ends_with(query.as_str()))
        };
        self.title == title || self.command.as_ref().is_some_and(runs)
    }
}

fn answers(help: &str) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for line in help.lines() {
        if line.is_empty() {
            // Lines above a blank line are about all answers.
            answers.retain(|answer| answer.command.is_some());
        } else if let Some(command) = line.strip_prefix("    cql ") {
            let last = answers.last_mut().expect("a title comes before a command");
            last.command = Some(format!("cql {command}"));
        } else if line.starts_with(char::is_alphanumeric)
            || line.starts_with(['-', '_', '{', '[', '(', '"'])
        {
            answers.push(Answer { title: line.to_owned(), command: None });
        } else if let Some(last) = answers.last_mut() {
            last.title += line.trim_start_matches("   ");
        }
    }
    for answer in &mut answers {
        // The name of its kind is in parentheses after it.
        let kinds = [
            "recipe)",
            "theme)",
            "query)",
            "word)",
            "subcommand)",
            "option)",
            "page)",
            "section of ",
        ];
        let ends = kinds.iter().filter_map(|kind| answer.title.find(&format!(" ({kind}")));
        if let Some(end) = ends.min() {
            answer.title.truncate(end);
        }
    }
    answers
}

/// Asks the help in a process of its own.
fn help(place: &Place, words: &str) -> Ran {
    let words: Vec<&str> = words.split(' ').collect();
    place.cql(&[&["help", "--all"][..], &words].concat())
}

/// Returns what becomes of each item, in their order. All processors work, since one question takes the
/// time of building the index of all answers.
fn in_threads<T: Sync, R: Send>(items: &[T], map: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let (map, parts) = (&map, items.chunks(items.len().div_ceil(n_threads).max(1)));
    thread::scope(|scope| {
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(map).collect::<Vec<R>>()))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn corrections_are_near_and_what_is_unknown_is_said() {
    let place = Place::empty();
    let help = |words: &str| {
        let ran = help(&place, words);
        ran.out + &ran.err
    };
    for words in ["leaves theory", "nosuchword"] {
        assert!(help(words).contains(&format!("no help about '{words}'")), "{}", help(words));
    }
    let near = help("smotherd mate");
    assert!(near.starts_with("Nothing has 'smotherd'. For 'smothered mate':"), "{near}");
    let partly = help("smothered mate of Tal");
    assert!(partly.starts_with("Nothing has all of these words. Without 'Tal':"), "{partly}");
    for words in ["king", "pawn", "queen", "castling", "symmetry"] {
        assert!(!help(words).contains("opening \""), "{words}");
    }
    for (words, without) in [
        ("switchback of Tal", "Tal"),
        ("knight switchback", "knight"),
        ("mating attacks, best first", "best"),
        ("the storm by most players", "players"),
        // A word that decides is none of a query or of a long text.
        ("sacrifice on h7 by black", "black"),
        ("smothered mate in 5", "5"),
        // A word such as *not* stands beside the same word in the answer.
        ("not isolated pawn", "not"),
        ("both kings in check", "both"),
        ("white wins with black pieces", "black"),
        ("black castles slowly", "slowly"),
        ("fianchetto without rook", "without rook"),
        ("white mates without queen", "without queen"),
        ("check without discovered", "without discovered"),
        ("doubled pawns not isolated", "not isolated"),
        ("black promotes to a knight", "black"),
    ] {
        let partly = help(words);
        let said = partly.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        assert!(said.starts_with("Nothing has all of these words."), "{words}: {partly}");
        assert!(said.contains(&format!("'{without}'")), "{words}: {partly}");
        assert_eq!(partly.contains("`initial not find`"), without == "not", "{words}: {partly}");
    }
    assert!(
        help("Najdorf nosuchword")
            .contains("Without 'nosuchword':\n\nAll games through \"Najdorf\"")
    );
    // A theme of White's holds with Black to move.
    assert!(help("playing style").contains("{btm theme(\"sacrifice\")}"));
    let some = help("Najdorf switchback");
    let lacking = "Some of these are without 'Najdorf', others without 'switchback':";
    let said = some.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.starts_with(&format!("Nothing has all of these words. {lacking}")), "{some}");
    assert!(some.contains("opening \"Najdorf\"") && some.contains("\nSwitchback"), "{some}");
    for (words, query) in [
        ("Bxh7+", "currentmove [Bb][x]h7 check"),
        ("QQ v QRR", "material \"QQ:QRR\""),
        ("R+2P vs R", "flipcolor material \"KRPPKR\""),
        ("material QQ QRR", "material \"QQ:QRR\""),
        ("bishop on h6", "[Bb]h6"),
        ("black knight on d4", "nd4"),
    ] {
        let said = help(words);
        assert!(said.contains(&format!("-cql '{query}'")), "{words}: {said}");
    }
    let sicilian = help("sicilian");
    assert!(sicilian.starts_with("All games through \"Sicilian\""), "{sicilian}");
    assert!(sicilian.contains("opening \"Sicilian Defense\""), "{sicilian}");
    assert!(!help("both castled long").contains("opening \""));
    let check = help("check without discovered");
    assert_eq!(check.matches("iscovered").count(), 1, "{check}");
    assert_eq!(help("knight fork without check").matches("check").count(), 1);
    for words in ["white to move and mate", "black stalemate", "white check"] {
        let said = help(words);
        assert!(!said.contains(&format!("'{words}'")), "{said}");
    }
    assert!(help("two rooks against queen").contains("-cql 'material \"RR:Q\"'"));
    assert!(help("opening caro-kann advance tal").starts_with("All games through \""));
    let sections = help("sections");
    assert!(
        sections.starts_with("Imagined positions (section of Positions, find, echo)"),
        "{sections}"
    );
    assert!(!sections.contains("(section)"), "{sections}");
    for words in ["precedence", "operators", "operator precedence"] {
        assert!(help(words).contains("binds most tightly to the loosest"), "{words}");
    }
    assert!(help("Spanish").starts_with("All games through \"Ruy Lopez\""));
}

/// Returns the query of a command that does nothing but search with it.
fn plain_query(command: &str) -> Option<&str> {
    let query = command.strip_prefix("cql games.pgn -cql '")?.strip_suffix('\'')?;
    (!query.contains('\'')).then_some(query)
}

/// Returns the number of games of `games.pgn` that each query matches.
fn numbers_of_matches<'q>(place: &Place, queries: impl Iterator<Item = &'q String>) -> Vec<u64> {
    let mut arguments = vec!["run".to_owned(), "-o".to_owned(), "rows.csv".to_owned()];
    for (at, query) in queries.enumerate() {
        let name = format!("wish{at}.cql");
        place.write(&name, format!("cql()\n{query}\n"));
        arguments.push(name);
    }
    arguments.push("games.pgn".to_owned());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = place.cql(&arguments);
    assert_eq!(ran.status, Some(0), "{}{}", ran.out, ran.err);
    let rows = ran.out.lines().filter(|line| line.starts_with("wish"));
    let numbers: Vec<u64> = rows
        .map(|row| {
            let n = row.split_whitespace().nth(2).expect("a number of matches");
            n.replace(',', "").parse().expect("a number")
        })
        .collect();
    assert_eq!(numbers.len(), arguments.len() - 4, "{}", ran.out);
    numbers
}

/// Questions with numbers, names and results, and the number of games of [`games_with_tags`] that the
/// first answer finds.
const FOUND: &[(&str, u64)] = &[
    // One game castles on its move 4 and has 5 moves.
    ("castling by move 4", 1),
    ("castling by move 3", 0),
    ("castling before move 4", 0),
    ("castling from move 4", 1),
    ("castling from move 5", 0),
    ("castling not before move 5", 0),
    ("castling under 5 moves", 0),
    ("castling in at most 5 moves", 1),
    ("castling between moves 3 and 5", 1),
    ("castling by black", 0),
    // A pawn takes on move 5, and promotes with check.
    ("promotion with check", 1),
    ("promotion before move 6", 1),
    ("promotion before move 5", 0),
    ("promotion on move 5", 1),
    ("promotion by black before move 6", 0),
    ("promotion under 5 moves", 0),
    ("games in the 1990s", 3),
    ("games in the 2000s", 1),
    ("2010-2015", 2),
    ("2010 and 2015", 2),
    ("games from 2019 on", 2),
    ("games after 2015", 2),
    ("games in May 2019", 1),
    ("games before May 2019", 7),
    ("games by 1990", 2),
    ("elo over 2700", 2),
    ("elo at least 2700", 3),
    ("elo at most 2000", 1),
    ("difference more than 200", 1),
    ("difference under 11", 3),
    ("average rating over 2700", 1),
    ("Ding Liren won", 1),
    ("Ding, Liren won", 1),
    ("Carlsen, M won", 2),
    ("Carlsen lost", 1),
    ("Vachier-Lagrave won", 1),
    ("Carlsen versus Nakamura won by white", 2),
    ("Carlsen versus Nakamura won by black", 1),
    ("Carlsen beat Nakamura", 2),
    ("Carlsen with black", 2),
    ("won by black", 1),
];

/// Returns games each of which has the tags or the moves that one kind of question asks for.
fn games_with_tags() -> String {
    let years =
        ["1989", "1990", "1995", "1999", "2000", "2010", "2015"].map(|year| (year, "??.??"));
    let dates = years.into_iter().chain([("2019", "05.03"), ("2019", "06.01")]);
    let mut games: String =
        dates.map(|(year, day)| format!("[Date \"{year}.{day}\"]\n\n1. a3 *\n\n")).collect();
    for (white, black) in [(2700, 2700), (2701, 2701), (2701, 2500), (2000, 1990)] {
        games += &format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n1. a3 *\n\n");
    }
    for (white, black, result) in [
        ("Ding, Liren", "N, N", "1-0"),
        ("Vachier-Lagrave, Maxime", "N, N", "1-0"),
        ("Carlsen, Magnus", "Nakamura, Hikaru", "1-0"),
        ("Nakamura, Hikaru", "Carlsen, Magnus", "1-0"),
        ("Nakamura, Hikaru", "Carlsen, Magnus", "0-1"),
    ] {
        games += &format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. a3 {result}\n\n"
        );
    }
    games += "[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 *\n\n";
    games + "[Result \"*\"]\n\n1. d4 c5 2. dxc5 b6 3. cxb6 Nc6 4. b7 Qc7 5. bxc8=Q+ *\n\n"
}

#[test]
fn the_first_answer_finds_what_the_question_says() {
    let place = Place::empty();
    place.write("games.pgn", games_with_tags());
    let query = |question: &str| {
        let ran = help(&place, question);
        let first = answers(&ran.out).into_iter().next().and_then(|answer| answer.command);
        let query = first.as_deref().and_then(plain_query).map(str::to_owned);
        query.unwrap_or_else(|| panic!("{question}: {}", ran.out))
    };
    let queries = in_threads(FOUND, |(question, _)| query(question));
    let numbers = numbers_of_matches(&place, queries.iter());
    let wrong: Vec<_> = FOUND
        .iter()
        .zip(queries.iter().zip(numbers))
        .filter(|((_, expected), (_, n))| expected != n)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_help_answers_wishes_with_commands_that_run() {
    let place = Place::empty();
    let games = ["historic", "miniatures", "positions", "clocks"].map(|name| {
        std::fs::read_to_string(root().join(format!("examples/{name}.pgn"))).expect("the games")
    });
    place.write("games.pgn", games.concat());
    let (mut missing, mut in_vain, mut queries) = (Vec::new(), Vec::new(), Vec::new());
    let mut note = |title: &'static str, is_in_vain: bool| {
        if is_in_vain != FOUND_ELSEWHERE.iter().any(|(of, _)| *of == title) {
            in_vain.push((title, is_in_vain));
        }
    };
    // Several wishes lead to one command.
    let mut commands: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    let helps = in_threads(&WISHES, |(words, _)| help(&place, words).out);
    for ((words, title), help) in WISHES.iter().zip(&helps) {
        let answers = answers(help);
        let Some(answer) = answers.iter().take(3).find(|answer| answer.is(title)) else {
            let titles: Vec<&str> = answers.iter().map(|answer| &*answer.title).collect();
            missing.push(format!("{words:?}: {title:?} is not among the first of {titles:?}"));
            continue;
        };
        let command = answer.command.as_deref().expect("a command");
        if let Some(query) = plain_query(command) {
            queries.push((*title, query.to_owned()));
        } else {
            commands.entry(command.to_owned()).or_default().push(title);
        }
    }
    for (command, titles) in commands {
        let ran = place.shell(&command);
        assert_eq!(ran.status, Some(0), "{command}: {}{}", ran.out, ran.err);
        assert!(!ran.out.is_empty(), "{command}");
        let is_in_vain = n_matches(&(ran.out + &ran.err)) == Some(0);
        titles.into_iter().for_each(|title| note(title, is_in_vain));
    }
    // One process runs all of these, which takes seconds in place of minutes.
    let numbers = numbers_of_matches(&place, queries.iter().map(|(_, query)| query));
    queries.iter().zip(numbers).for_each(|((title, _), n)| note(title, n == 0));
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(in_vain.is_empty(), "{in_vain:#?}");
}

#[test]
fn what_is_not_understood_is_said() {
    let place = Place::empty();
    let help =
        |words: &str| place.cql(&[&["help"], &*words.split(' ').collect::<Vec<_>>()].concat());
    let told = help("Kosteniuk brilliantly plays the Caro-Kann with black").out;
    assert!(told.starts_with("Not understood: 'brilliantly'."), "{told}");
    assert!(told.contains("player black \"Kosteniuk\"") && told.contains("Caro-Kann"), "{told}");
    for words in ["They lost", "Everyone lost", "smothered mate before move 10"] {
        let told = help(words).out;
        assert!(told.starts_with("Nothing ") && !told.contains("player white"), "{told}");
    }
    // The answer says where the own name belongs, and either color may have the first pieces.
    for (words, expected) in [
        ("games I won", "-player NAME"),
        ("R+P vs R", "flipcolor material \"KRPKR\""),
        ("white mates with a pawn", "'btm mate currentmove P--'"),
        ("Maróczy Bind", "after 1.e4 c5 2.Nf3"),
        ("python pandas", "searches games from Python"),
        ("back rank mate", "(as Lichess has it)"),
        ("similar positions", "alike: 74–84–95; others, median: 63"),
        ("diagnostics", "cql help explain"),
    ] {
        let told = help(words).out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(expected) && !told.contains("###"), "{words}: {told}");
    }
    let themes = help("a library of themes").out;
    let place_of = |text: &str| themes.find(text).expect("a text");
    assert!(place_of("windmill") < place_of("import \"themes\""), "{themes}");
}

#[test]
fn the_time_for_some_moves_is_no_time_for_the_game() {
    let place = Place::empty();
    let controls =
        ["300+0", "180", "599+30", "600+5", "40/7200:3600", "1/259200", "300/1", "-", "?"];
    let games = controls.map(|control| format!("[TimeControl \"{control}\"]\n\n1. e4 *\n\n"));
    place.write("g.pgn", games.concat());
    let (_, query) = WISHES.iter().find(|(words, _)| *words == "time control").expect("a wish");
    place.write("blitz.cql", format!("cql() {query}"));
    let ran = place.run("g.pgn blitz.cql --count");
    assert_eq!(n_matches(&(ran.out + &ran.err)), Some(3));
}

/// A game of 24 plies with a promotion, and no excelsior.
const PROMOTION: &str = "[Result \"0-1\"]\n\n1. d4 d5 2. c4 e5 3. dxe5 d4 4. e3 Bb4+ 5. Bd2 dxe3 \
     6. Bxb4 exf2+ 7. Ke2 fxg1=N+ 0-1\n\n";

/// A game whose time ran out, with this result.
fn timed_out(result: &str) -> String {
    format!("[Result \"{result}\"]\n[Termination \"Time forfeit\"]\n\n1. e4 e5 2. Nf3 {result}\n\n")
}

#[test]
fn recipes_find_no_more_than_they_say() {
    let place = Place::empty();
    let excelsior = "[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/7p/P6P/7K w - - 0 1\"]\n\n\
         1. a3 Kg8 2. a4 Kh8 3. a5 Kg8 4. a6 Kh8 5. a7 Kg8 6. a8=Q+ *\n\n";
    for (recipe, games, n) in [
        ("lost on time", timed_out("1-0"), 1),
        ("lost on time", timed_out("0-1"), 1),
        ("lost on time", timed_out("1/2-1/2"), 0),
        ("lost on time", timed_out("*"), 0),
        ("excelsior", PROMOTION.to_owned(), 0),
        ("excelsior", excelsior.to_owned(), 1),
        // Another move of its side comes between.
        (
            "excelsior",
            excelsior
                .replace("4. a6", "4. Kg1")
                .replace("Kh8 5. a7 Kg8 6", "Kh8 5. a6 Kg8 6. a7 Kh8 7"),
            0,
        ),
    ] {
        let query = place.cql(&["cookbook", recipe]).out;
        place.write("recipe.cql", query);
        place.write("games.pgn", games);
        let ran = place.cql(&["recipe.cql", "games.pgn"]);
        assert_eq!(n_matches(&(ran.out + &ran.err)), Some(n), "{recipe}");
    }
}

#[test]
fn problem_themes_are_those_of_composers() {
    let place = Place::empty();
    for (words, position, moves, n) in [
        ("turton", "6k1/5ppp/8/8/8/3B4/8/K2Q4 w - - 0 1", "1. Bb1 Kf8 2. Qc2 Kg8 3. Qxh7+ *", 1),
        // The queen stops where the bishop came from.
        ("turton", "6k1/5ppp/8/8/8/3B4/8/K2Q4 w - - 0 1", "1. Bb1 Kf8 2. Qd3 Kg8 3. Qxh7+ *", 0),
        ("indian", "8/8/p6B/8/4k3/8/8/K2R4 w - - 0 1", "1. Bc1 a5 2. Rd2 Kf4 3. Rd4+ *", 1),
        (
            "indian",
            "8/8/p6B/8/4k3/8/8/K2R4 w - - 0 1",
            "1. Bc1 a5 2. Kb1 a4 3. Rd2 Kf4 4. Rd4+ *",
            1,
        ),
        // The bishop has crossed no square.
        ("indian", "8/8/p7/8/4k3/8/8/K1BR4 w - - 0 1", "1. Ka2 a5 2. Rd2 Kf4 3. Rd4+ *", 0),
        (
            "zilahi",
            "7k/8/6K1/8/8/2n5/R7/1Q6 b - - 0 1",
            "1... Nxa2 (1... Nxb1 2. Ra8#) 2. Qb8# *",
            1,
        ),
        // The rook is taken, and mates in no line.
        ("zilahi", "7k/8/6K1/8/8/2n5/R7/1Q6 b - - 0 1", "1... Nxa2 (1... Nxb1) 2. Qb8# *", 0),
        (
            "babson",
            "8/P6k/8/8/8/8/K6p/8 w - - 0 1",
            "1. a8=Q (1. a8=R h1=R) (1. a8=B h1=B) (1. a8=N h1=N) 1... h1=Q *",
            1,
        ),
        // A knight is answered by a queen.
        (
            "babson",
            "8/P6k/8/8/8/8/K6p/8 w - - 0 1",
            "1. a8=Q (1. a8=R h1=R) (1. a8=B h1=B) (1. a8=N h1=Q) 1... h1=Q *",
            0,
        ),
    ] {
        let set_up = format!("[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"{position}\"]");
        place.write("games.pgn", format!("{set_up}\n\n{moves}\n\n"));
        let help = place.cql(&["help", "--all", words, "theme"]).out;
        let mut answers = answers(&help).into_iter();
        let answer = answers.find(|answer| answer.title.to_lowercase().contains(words));
        let command = answer.and_then(|answer| answer.command).expect("a command");
        let ran = place.shell(&command);
        assert_eq!(n_matches(&(ran.out + &ran.err)), Some(n), "{words} {moves}");
    }
}

/// Returns the number of matching games that a search has reported.
fn n_matches(said: &str) -> Option<u64> {
    let (before, _) = said.split_once(" match")?;
    before.rsplit('\n').next()?.parse().ok()
}
