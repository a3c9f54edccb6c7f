//! Chess960: random games from random starts compared with cozy-chess, and known move counts.

use board::{CastlingRights, CastlingSetup, Move, MoveList, Position, Start};

/// A position of a game of Chess960.
#[derive(Clone, Copy)]
struct Game {
    pos: Position,
    setup: CastlingSetup,
    rights: CastlingRights,
}

impl Game {
    fn new(fen: &str) -> Game {
        let start = Start::parse(fen.as_bytes(), true).expect("the FEN is correct");
        let setup = start.setup.expect("a game of Chess960 has a setup");
        assert!(start.position.castling.is_empty() && setup.is_declared());
        Game { pos: start.position, setup, rights: setup.rights() }
    }

    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.pos.legal_moves(&mut moves);
        for king_side in [true, false] {
            if self.rights.has(self.pos.turn, king_side) {
                moves.extend(self.setup.castling(&self.pos, king_side));
            }
        }
        moves
    }

    fn play(&self, mv: Move) -> Game {
        Game {
            pos: self.pos.play(mv),
            setup: self.setup,
            rights: self.setup.after(self.rights, mv),
        }
    }

    fn fen(&self) -> String {
        let field = self.setup.fen_field(&self.pos.board, self.rights);
        self.pos.fen_with_castling(&field)
    }
}

/// A small fixed generator: failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn compare(game: &Game, oracle: &cozy_chess::Board) -> MoveList {
    let moves = game.legal_moves();
    let mut got: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let mut want = Vec::new();
    oracle.generate_moves(|of_piece| {
        want.extend(of_piece.into_iter().map(|mv| mv.to_string()));
        false
    });
    got.sort();
    want.sort();
    let fen = format!("{oracle:#}");
    assert_eq!(got, want, "{fen}");
    // FENs of both programs can be read back.
    let written = game.fen();
    assert_eq!(Game::new(&fen).fen(), written, "{fen}");
    assert_eq!(Game::new(&written).rights, game.rights, "{fen}");
    let pieces = |fen: &str| fen.split(' ').next().map(str::to_owned);
    assert_eq!(pieces(&written), pieces(&fen));
    moves
}

#[test]
fn random_games() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut positions, mut castlings) = (0, 0);
    for n in 0..700 {
        let (white, black) = (random.below(960) as u32, random.below(960) as u32);
        let black = if n % 2 == 0 { white } else { black };
        let mut oracle = cozy_chess::Board::double_chess960_startpos(white, black);
        let mut game = Game::new(&format!("{oracle:#}"));
        for _ in 0..90 {
            let moves = compare(&game, &oracle);
            positions += 1;
            if moves.is_empty() || game.pos.halfmove_clock >= 99 {
                break;
            }
            // Castling is played whenever it can be, but not always at once.
            let castling = moves.iter().find(|mv| mv.is_castle());
            let mv = match castling {
                Some(&mv) if random.below(3) > 0 => mv,
                _ => moves[random.below(moves.len())],
            };
            castlings += usize::from(mv.is_castle());
            let text = mv.to_string();
            oracle.play(text.parse().expect("a move in coordinates"));
            game = game.play(mv);
        }
    }
    assert!(positions > 30_000, "{positions}");
    assert!(castlings > 300, "{castlings}");
}

fn perft(game: &Game, depth: usize) -> u64 {
    let moves = game.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&mv| perft(&game.play(mv), depth - 1)).sum()
}

fn oracle_perft(board: &cozy_chess::Board, depth: usize) -> u64 {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for mv in moves {
        let mut board = board.clone();
        board.play_unchecked(mv);
        nodes += oracle_perft(&board, depth - 1);
    }
    nodes
}

#[test]
fn move_counts() {
    let check = |fen: &str, depth: usize, want: u64| {
        assert_eq!(perft(&Game::new(fen), depth), want, "{fen}");
    };
    // From the published list of Chess960 move counts.
    check("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672);
    check("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667_366);
    check("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273_318);
    // The normal game, named in three ways.
    let board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w";
    for field in ["KQkq", "HAha", "AHah"] {
        check(&format!("{board} {field} - 0 1"), 3, 97_862);
    }
}

#[test]
fn castling_through_narrow_places() {
    let fens = [
        // The king stays, the rook stays, both change places, the rook uncovers an attack.
        "6k1/8/8/8/8/8/8/R4RKR w HA - 0 1",
        "4k3/8/8/8/8/8/8/2R1KR2 w FC - 0 1",
        "5k2/8/8/8/8/8/8/5KR1 w G - 0 1",
        "4k3/8/8/8/8/8/8/qRK5 w B - 0 1",
        "4k3/8/8/8/8/8/8/1RK5 w B - 0 1",
        "4k3/8/8/8/8/8/8/1R1K3q w B - 0 1",
        // An inner rook castles; an outer one is not in its way.
        "4k3/8/8/8/8/8/8/R1R1KRR1 w FC - 0 1",
        "r1r1krr1/8/8/8/8/8/8/R1R1KRR1 b FCfc - 0 1",
        // Long ways.
        "1k5r/8/8/8/8/8/8/1K5R w Hh - 0 1",
        "r5k1/8/8/8/8/8/8/R5K1 b Aa - 0 1",
        // Only castling is possible.
        "5rk1/8/8/8/8/6p1/6Pp/4b1KR w H - 0 1",
    ];
    for fen in fens {
        let oracle = cozy_chess::Board::from_fen(fen, true).expect(fen);
        compare(&Game::new(fen), &oracle);
        assert_eq!(perft(&Game::new(fen), 3), oracle_perft(&oracle, 3), "{fen}");
    }
}

#[test]
fn fens() {
    let check = |fen: &str, is_chess960: bool, declared: Option<bool>, want: &str| {
        let start = Start::parse(fen.as_bytes(), is_chess960).expect(fen);
        assert_eq!(start.setup.map(|setup| setup.is_declared()), declared, "{fen}");
        assert_eq!(start.fen(), want, "{fen}");
    };
    let normal = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(normal, false, None, normal);
    check(normal, true, Some(true), normal);
    check("r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 1", false, Some(true), normal);
    check("r3k2r/8/8/8/8/8/8/R3K2R w", true, Some(true), normal);
    // Without a tag, rights that the normal game does not have: perhaps Chess960, perhaps
    // carelessness.
    let moved = "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1";
    check(moved, false, Some(false), moved);
    check(moved, true, Some(true), moved);
    let careless = "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1";
    check(careless, false, None, careless);
    check(careless, true, Some(true), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    // An inner rook is named by its file.
    let inner = "4k3/8/8/8/8/8/8/R1R1KRR1 w FC - 0 1";
    check(inner, true, Some(true), inner);
    check(
        "4k3/8/8/8/8/8/8/R1R1KRR1 w GA - 0 1",
        false,
        Some(true),
        "4k3/8/8/8/8/8/8/R1R1KRR1 w KQ - 0 1",
    );
    for refused in ["4k3/8/8/8/8/8/8/R3K3 w X - 0 1", "8/8/8/8/8/8/8/R3K3 w A - 0 1"] {
        assert!(Start::parse(refused.as_bytes(), true).is_err(), "{refused}");
        assert!(Start::parse(refused.as_bytes(), false).is_err(), "{refused}");
    }
}

#[test]
fn king_moves_that_castle() {
    let check = |fen: &str, to: &str, want: Option<bool>| {
        let game = Game::new(fen);
        let to = board::Square::parse(to.as_bytes()).expect("a square");
        assert_eq!(game.setup.side_of_king_move(&game.pos, to), want, "{fen} {to}");
    };
    let fen = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1";
    check(fen, "h1", Some(true));
    check(fen, "a1", Some(false));
    check(fen, "c1", Some(false));
    check(fen, "g1", None);
    check(fen, "b1", None);
    check(fen, "g2", None);
}
