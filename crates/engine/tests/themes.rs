//! Tests the library of themes: each function at a position where it holds and at one where it does
//! not, mostly from puzzles of the Lichess database (CC0).

mod support;

use std::collections::BTreeSet;

use support::{game_from, ids};
use syntax::library::Library;

/// A theme, a position, moves from there, and the ids of the positions where it holds.
type Case = (&'static str, &'static str, &'static str, &'static [u32]);

const CASES: &[Case] = &[
    ("fork", "8/8/7p/5k2/3r1N2/6PK/8/8 b - - 3 46", "46...Kg5 47.Ne6+ Kf5 48.Nxd4+", &[2]),
    ("fork", "r2qk3/8/8/3N4/8/8/8/4K3 w - - 0 1", "1.Nc7+", &[]),
    ("fork", "8/8/8/8/5kPK/1B3pN1/P4Pr1/8 w - - 6 46", "46.Nh1 Rh2#", &[]),
    ("fork", "4k3/8/8/2n1n3/8/8/3P4/4K3 w - - 0 1", "1.d4 Ke7 2.dxc5", &[1]),
    ("fork", "4k3/8/8/2n1n3/8/8/3P4/4K3 w - - 0 1", "1.d4 Nc6 2.dxc5", &[1]),
    ("fork", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "1.Nc7+ Kd7 2.Nxa8", &[1]),
    ("absolutepin", "4K3/4R3/4P3/6q1/5k2/8/8/8 b - - 2 77", "77...Qf5 78.Rf7 Kg5 79.Rxf5+", &[2]),
    ("absolutepin", "4k3/4r3/4p3/8/8/8/8/K2Q4 w - - 0 1", "1.Qe2", &[]),
    ("absolutepin", "8/4P3/3K4/1p6/2k1r3/7R/8/8 b - - 0 56", "56...b4 57.Rh4 Rxh4 58.e8=Q", &[]),
    ("relativepin", "4k3/8/8/r7/8/8/8/1R2K3 w - - 0 1", "1.Ra1", &[]),
    (
        "relativepin",
        "R7/3P2pp/3Bn3/3rp3/6k1/8/1P3P1P/6K1 w - - 1 40",
        "40.d8=Q Rd1+ 41.Kg2 Nf4#",
        &[],
    ),
    ("relativepin", "q3k3/8/8/n7/1P6/8/8/1R2K3 w - - 0 1", "1.Ra1 Ke7 2.bxa5", &[1]),
    ("discoveredcheck", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "1.Nc5+", &[1]),
    ("discoveredcheck", "4k3/8/8/8/4N3/8/8/3R1K2 w - - 0 1", "1.Nf6+", &[]),
    ("doublecheck", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "1.Nf6+", &[1]),
    ("doublecheck", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "1.Nc5+", &[]),
    ("crosscheck", "3k4/8/8/8/6Q1/8/8/r3K3 w - - 0 1", "1.Qd1+", &[1]),
    ("crosscheck", "3k4/8/8/8/6Q1/8/8/r3K3 w - - 0 1", "1.Kf2", &[]),
    ("hangingpiece", "8/8/8/4b3/4B1bk/5p2/8/6BK w - - 0 59", "59.Bxf3 Bxf3#", &[2]),
    ("hangingpiece", "8/8/5rk1/1R6/4K3/8/8/8 w - - 1 51", "51.Ke5 Rf5+ 52.Kd4 Rxb5", &[]),
    ("hangingpiece", "4k3/8/8/8/8/n7/8/R3K3 w - - 0 1", "1.Rxa3", &[1]),
    ("underpromotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=N", &[1]),
    ("underpromotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=Q", &[]),
    ("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=Q", &[1]),
    ("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.Kb1", &[]),
    ("advancedpawn", "8/8/R7/6k1/4P2p/7K/P2r2p1/8 w - - 2 48", "48.Ra8 g1=N#", &[2]),
    ("advancedpawn", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "", &[]),
    ("advancedpawn", "8/8/8/8/8/7p/5Kpk/4Q3 b - - 5 58", "58...g1=Q+ 59.Qxg1#", &[]),
    (
        "attackonf7",
        "3qk2r/RQ3p2/4p3/2rpn2p/5p2/5N2/6PP/3R1K2 b k - 1 27",
        "27...Nxf3 28.Qxf7#",
        &[2],
    ),
    ("attackonf7", "8/R7/5pk1/7R/3b4/5nP1/2r2P2/5K2 w - - 1 44", "44.Rah7 Rxf2#", &[]),
    ("quietmove", "8/1p6/8/8/KPk5/8/8/8 w - - 1 69", "69.Ka5 b5 70.Kb6 Kxb4", &[2]),
    ("quietmove", "6k1/5ppp/8/8/8/1P6/1R6/K7 w - - 0 1", "1.Kb1", &[]),
    ("quietmove", "8/8/8/4rp1R/7K/5kP1/8/8 b - - 0 74", "74...Kg2 75.g4 Re4 76.Rxf5", &[]),
    ("defensivemove", "6n1/3k2K1/8/7P/8/8/8/8 b - - 6 59", "59...Nh6 60.Kxh6 Ke8 61.Kg7", &[4]),
    ("defensivemove", "6n1/3k2K1/8/7P/8/8/8/8 b - - 6 59", "59...Nh6 60.Kxh6", &[]),
    ("zugzwang", "8/1p6/8/8/KPk5/8/8/8 w - - 1 69", "69.Ka5 b5 70.Kb6 Kxb4", &[2]),
    ("zugzwang", "8/8/8/8/p7/7p/5K2/5N1k b - - 0 1", "", &[]),
    ("zugzwang", "8/8/8/8/8/7p/5K2/5N1k w - - 0 1", "1.Nd2 h2", &[]),
    ("skewer", "8/8/5rk1/1R6/4K3/8/8/8 w - - 1 51", "51.Ke5 Rf5+ 52.Kd4 Rxb5", &[4]),
    ("skewer", "8/8/8/8/3k4/8/8/6KR w - - 0 1", "1.Rh4+", &[]),
    ("skewer", "8/8/8/8/8/6K1/R6p/6k1 b - - 5 58", "58...h1=Q 59.Ra1#", &[]),
    ("discoveredattack", "8/8/8/6qp/3RP2k/3K4/8/8 b - - 5 51", "51...Qf6 52.e5+ Kg5 53.exf6", &[2]),
    ("discoveredattack", "q3k3/8/8/8/N7/8/8/R3K3 w - - 0 1", "1.Kd2", &[]),
    ("discoveredattack", "8/8/4k3/3R4/4K3/8/4r3/8 w - - 30 93", "93.Kd4 Rd2+ 94.Ke3 Rxd5", &[]),
    ("deflection", "8/8/4k3/3R4/4K3/8/4r3/8 w - - 30 93", "93.Kd4 Rd2+ 94.Ke3 Rxd5", &[4]),
    ("deflection", "3r3k/8/8/8/3q4/8/8/1R1R3K w - - 0 1", "1.Rb8 Kg7 2.Rxd4", &[]),
    (
        "deflection",
        "8/8/8/6p1/p3rp2/P1K2R1P/k5P1/8 w - - 0 41",
        "41.Kd3 Re3+ 42.Rxe3 fxe3 43.Kxe3 Kxa3",
        &[],
    ),
    ("attraction", "8/8/8/2k5/7P/5R2/p5K1/r7 w - - 0 70", "70.Rf2 Rg1+ 71.Kxg1 a1=Q+", &[4]),
    (
        "attraction",
        "7k/6p1/Q1K4p/3P4/8/8/p7/r7 w - - 0 57",
        "57.d6 Rc1+ 58.Kd7 a1=Q 59.Qxa1 Rxa1",
        &[],
    ),
    ("attraction", "5r1k/4Nppp/8/8/8/3R4/8/K6Q w - - 0 1", "1.Qxh7+ Kxh7 2.Rd1", &[]),
    (
        "capturingdefender",
        "1r4k1/6pp/4p3/8/4R3/2P5/1B5r/2KR4 w - - 2 35",
        "35.Rd2 Rxd2 36.Kxd2 Rxb2+",
        &[4],
    ),
    (
        "capturingdefender",
        "5q1k/R5p1/8/3Q4/P7/8/4rrPP/3R2K1 w - - 2 35",
        "35.Ra8 Rxg2+ 36.Qxg2 Rxg2+ 37.Kxg2 Qxa8+",
        &[],
    ),
    ("capturingdefender", "3r3k/8/8/8/3q3B/8/8/3R3K w - - 0 1", "1.Bxd8 Kg8 2.Rxd4", &[]),
    ("interference", "1Q6/K7/5p2/8/8/1P6/5q2/7k w - - 3 64", "64.Ka6 Qa2+ 65.Kb7 Qxb3+", &[4]),
    ("interference", "r3n3/5k2/B7/8/8/8/8/4R2K w - - 0 1", "1.Bc8", &[]),
    (
        "interference",
        "8/7r/8/r2ppkp1/pR4R1/P1P1KP2/1P6/8 w - - 4 38",
        "38.Rxa4 d4+ 39.Rgxd4 exd4+",
        &[],
    ),
    ("clearance", "5R2/8/8/2K5/8/1p6/7p/7k w - - 0 55", "55.Rf2 Kg1 56.Rb2 h1=Q", &[4]),
    ("clearance", "6k1/8/8/8/8/8/4N3/K3R3 w - - 0 1", "1.Kb1 Kf7 2.Nc3", &[]),
    // The rook itself comes back.
    ("clearance", "7k/8/8/8/8/8/8/K3R3 w - - 0 1", "1.Re8+ Kh7 2.Re1", &[]),
    // The bishop takes a pawn and is taken, and takes one for nothing.
    ("clearance", "7k/8/8/8/7p/6p1/5B2/K4R2 w - - 0 1", "1.Bxg3 hxg3 2.Rf8+", &[3]),
    ("clearance", "7k/8/8/1p6/P7/6p1/5B2/K4R2 w - - 0 1", "1.Bxg3 bxa4 2.Rf8+", &[]),
    (
        "clearance",
        "8/8/8/6Q1/7p/4n2P/5kP1/4r2K w - - 3 93",
        "93.Kh2 Nf1+ 94.Kh1 Ng3+ 95.Kh2 Rh1#",
        &[],
    ),
    ("xrayattack", "8/8/1p6/p2Pk3/2P1b3/P3K1p1/4B3/8 w - - 0 60", "60.Bf3 g2 61.Bxg2 Bxg2", &[4]),
    ("xrayattack", "4k3/8/8/r7/8/8/8/1R2K3 w - - 0 1", "1.Ra1", &[]),
    ("xrayattack", "4K3/4R3/4P3/6q1/5k2/8/8/8 b - - 2 77", "77...Qf5 78.Rf7 Kg5 79.Rxf5+", &[]),
    (
        "intermezzo",
        "6k1/5p1p/R5p1/8/1P6/P3r3/7r/2R2K2 b - - 0 35",
        "35...Rxa3 36.Rc8+ Kg7 37.Rxa3",
        &[4],
    ),
    (
        "intermezzo",
        "8/5pp1/R6p/1R5k/8/7P/5qPK/8 b - - 4 33",
        "33...f5 34.Rxf5+ Qxf5 35.g4+ Kh4 36.gxf5",
        &[],
    ),
    ("trappedpiece", "8/8/7p/5K1P/8/2k5/p7/N7 w - - 4 51", "51.Kg6 Kb2 52.Kxh6 Kxa1", &[4]),
    ("trappedpiece", "4K3/4R3/4P3/6q1/5k2/8/8/8 b - - 2 77", "77...Qf5 78.Rf7 Kg5 79.Rxf5+", &[]),
    ("trappedpiece", "8/8/8/4K3/p7/1p6/B6k/7r w - - 0 1", "1.Kd4 bxa2", &[2]),
    ("desperado", "5r1k/7R/1b4qp/8/3pQ3/3B3P/1r3PP1/4R1K1 b - - 0 45", "45...Qxh7 46.Qxh7#", &[2]),
    ("desperado", "3qk3/8/8/8/3Q3p/8/8/4K3 w - - 0 1", "1.Qxd8+", &[]),
    ("desperado", "r2qk3/pp6/2N5/4b3/8/8/7P/6K1 b - - 0 1", "1...Bxh2+ 2.Kxh2", &[2]),
    // The queens are exchanged, and only one piece is attacked and could go away.
    ("desperado", "3qk3/8/3p4/8/8/8/3Q4/3RK3 w - - 0 1", "1.Qxd6 Qxd6 2.Rxd6", &[]),
    ("desperado", "4k3/8/2p5/3p4/2B5/8/2Q5/4K3 w - - 0 1", "1.Bxd5 cxd5", &[]),
    (
        "greekgift",
        "rn3rk1/4nppp/1p6/q3P3/8/2PB3N/PP3PbP/R1BQK2R w KQ - 0 13",
        "13.Bxh7+ Kxh7 14.Ng5+ Kg8",
        &[3],
    ),
    (
        "greekgift",
        "r1bq1rk1/ppp2ppp/8/8/8/3B1N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
        "1.Bxh7+ Kh8 2.Ng5",
        &[],
    ),
    ("sacrifice", "8/8/3R4/1k1B1K2/6p1/7p/3r4/8 w - - 1 64", "64.Bc4+ Kxc4 65.Rxd2 g3", &[4]),
    ("sacrifice", "4k3/2b5/8/2R5/8/8/8/4K3 w - - 0 1", "1.Re5+ Kd7 2.Kd1 Kd6 3.Kc1 Kc6", &[]),
    (
        "sacrifice",
        "6R1/8/8/8/5k2/6p1/3K4/6r1 b - - 4 74",
        "74...Rf1 75.Rf8+ Ke4 76.Rxf1 g2 77.Rg1 Kf3 78.Ke1",
        &[],
    ),
    ("sacrifice", "4k3/2b5/8/2R5/8/8/8/4K3 w - - 0 1", "1.Re5+ Bxe5 2.Kd1 Kd7 3.Kc1 Kc7", &[]),
    (
        "exposedking",
        "8/8/8/4k3/7r/4K3/5R2/8 w - - 12 73",
        "73.Ra2 Rh3+ 74.Kd2 Rh2+ 75.Kc3 Rxa2",
        &[6],
    ),
    ("exposedking", "8/8/8/4k3/7r/4K3/5R2/8 w - - 12 73", "73.Ra2 Rh3+ 74.Kd2 Rh2+ 75.Kc3", &[]),
    (
        "kingsideattack",
        "2r3k1/pp2pp1p/3p2p1/1Q1P2Pn/3NP3/5P2/P5KP/2r5 b - - 2 22",
        "22...R8c4 23.Qe8+ Kg7 24.Ne6+",
        &[4],
    ),
    (
        "kingsideattack",
        "2r3k1/pp2pp1p/3p2p1/1Q1P2Pn/3NP3/5P2/P5KP/2r5 b - - 2 22",
        "22...R8c4 23.Qe8+ Kg7",
        &[],
    ),
    (
        "queensideattack",
        "8/1pk3p1/pQpbr3/7p/2N3q1/8/PP3PPP/3R2K1 b - - 7 30",
        "30...Kc8 31.Nxd6+ Rxd6 32.Rxd6",
        &[4],
    ),
    (
        "queensideattack",
        "8/1pk3p1/pQpbr3/7p/2N3q1/8/PP3PPP/3R2K1 b - - 7 30",
        "30...Kc8 31.Nxd6+ Rxd6",
        &[],
    ),
    ("windmill", "r5k1/pb6/5B2/8/8/8/6R1/6K1 w - - 0 1", "1.Rg7+ Kh8 2.Rxb7+ Kg8", &[]),
    (
        "windmill",
        "r5k1/pb6/5B2/8/8/8/6R1/6K1 w - - 0 1",
        "1.Rg7+ Kh8 2.Rxb7+ Kg8 3.Rg7+ Kh8 4.Rxa7+ Kg8",
        &[7],
    ),
    ("overloaded", "1b1r3k/8/8/8/3n4/8/8/KR1R4 w - - 0 1", "", &[0]),
    ("overloaded", "1b1r3k/8/8/8/8/8/8/KR1R4 w - - 0 1", "", &[]),
    ("battery", "4k3/8/8/8/4r3/8/4Q3/K3R3 w - - 0 1", "", &[0]),
    ("battery", "4k3/8/8/8/8/8/4Q3/K2R4 w - - 0 1", "", &[]),
    ("battery", "6k1/8/8/8/2Q5/3B4/8/K6r w - - 0 1", "", &[]),
    ("battery", "7k/8/5R2/8/8/2Q5/8/K7 w - - 0 1", "", &[]),
    ("battery", "7k/8/5B2/8/8/2Q5/8/K7 w - - 0 1", "", &[0]),
    ("passedpawn", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "", &[0]),
    ("passedpawn", "4k3/4p3/8/3P4/8/8/8/4K3 w - - 0 1", "", &[]),
    ("pawnendgame", "8/p7/8/7P/2Bk4/2p5/1pK5/8 b - - 0 51", "51...Kxc4 52.h6 a5 53.h7", &[1]),
    ("pawnendgame", "4k3/3n4/8/8/8/8/3P4/4K3 w - - 0 1", "1.d4 Nb6", &[]),
    ("knightendgame", "3N4/8/8/8/3pk1K1/8/8/8 w - - 0 79", "79.Nc6 d3 80.Kg5 d2", &[0, 1]),
    ("knightendgame", "4k3/3n4/8/8/8/8/3P4/2B1K3 w - - 0 1", "1.d4 Nb6", &[]),
    ("bishopendgame", "8/8/8/4b3/4B1bk/5p2/8/6BK w - - 0 59", "59.Bxf3 Bxf3#", &[0, 1]),
    ("bishopendgame", "8/8/8/4b3/4B1bk/5p2/8/6BK w - - 0 59", "", &[]),
    ("rookendgame", "3R4/8/5Kpk/2p2p2/7r/8/6P1/8 b - - 1 54", "54...Rg4 55.Rh8#", &[0, 1]),
    ("rookendgame", "3R4/8/5Kpk/2p2p2/7r/8/6P1/8 b - - 1 54", "", &[]),
    ("queenendgame", "7Q/8/p7/4b3/4KP2/6P1/2k5/3q4 w - - 0 41", "41.Qxe5 Qd3#", &[1]),
    ("queenendgame", "7Q/8/p7/4b3/4KP2/6P1/2k5/3q4 w - - 0 41", "41.Qxe5", &[]),
    ("queenrookendgame", "8/8/8/8/8/6K1/R6p/6k1 b - - 5 58", "58...h1=Q 59.Ra1#", &[1]),
    ("queenrookendgame", "8/8/8/8/8/6K1/R6p/6k1 b - - 5 58", "58...h1=Q", &[]),
    ("backrankmate", "2Q5/6pk/7p/8/8/5P2/4R1PP/3q3K w - - 1 44", "44.Re1 Qxe1#", &[2]),
    ("backrankmate", "2Q5/6pk/7p/8/8/5P2/4R1PP/3q3K w - - 1 44", "44.Re1", &[]),
    ("smotheredmate", "8/5Qpk/4P2p/8/7q/3n1N2/6PP/6RK w - - 1 44", "44.e7 Nf2#", &[2]),
    ("smotheredmate", "8/5Qpk/4P2p/8/7q/3n1N2/6PP/6RK w - - 1 44", "44.e7", &[]),
    ("anastasiamate", "8/4B3/8/8/4nP1K/6PQ/1q3k2/8 w - - 11 58", "58.g4 Qh8#", &[2]),
    ("anastasiamate", "8/4B3/8/8/4nP1K/6PQ/1q3k2/8 w - - 11 58", "58.g4", &[]),
    ("arabianmate", "8/8/r7/8/8/2N5/1pK5/k5R1 b - - 1 68", "68...b1=Q+ 69.Rxb1#", &[2]),
    ("arabianmate", "8/8/r7/8/8/2N5/1pK5/k5R1 b - - 1 68", "68...b1=Q+", &[]),
    ("hookmate", "4k3/5p2/4n3/4P3/4K1r1/Q7/8/8 w - - 7 79", "79.Kf5 Rf4#", &[2]),
    ("hookmate", "4k3/5p2/4n3/4P3/4K1r1/Q7/8/8 w - - 7 79", "79.Kf5", &[]),
    ("operamate", "2K5/R2R4/6k1/4b3/P7/1r6/8/8 w - - 9 44", "44.a5 Rb8#", &[2]),
    ("operamate", "2K5/R2R4/6k1/4b3/P7/1r6/8/8 w - - 9 44", "44.a5", &[]),
    ("bodenmate", "r7/1p3kp1/p2p3p/5b2/1b3N2/8/PP1N1PPP/2KR3R w - - 4 21", "21.b3 Ba3#", &[2]),
    ("bodenmate", "r7/1p3kp1/p2p3p/5b2/1b3N2/8/PP1N1PPP/2KR3R w - - 4 21", "21.b3", &[]),
    ("doublebishopmate", "8/8/8/4b3/4B1bk/5p2/8/6BK w - - 0 59", "59.Bxf3 Bxf3#", &[2]),
    ("doublebishopmate", "8/8/8/4b3/4B1bk/5p2/8/6BK w - - 0 59", "59.Bxf3", &[]),
    ("dovetailmate", "8/5k2/8/2Q1K2P/3P4/8/4q3/8 w - - 4 59", "59.Kd5 Qe6#", &[2]),
    ("dovetailmate", "8/5k2/8/2Q1K2P/3P4/8/4q3/8 w - - 4 59", "59.Kd5", &[]),
    ("swallowstailmate", "3r3k/6p1/4Q2p/3p1P2/4q3/3KP3/1P1R4/8 w - - 8 45", "45.Kc3 Qc4#", &[2]),
    ("swallowstailmate", "3r3k/6p1/4Q2p/3p1P2/4q3/3KP3/1P1R4/8 w - - 8 45", "45.Kc3", &[]),
    ("epaulette", "3rkr2/8/8/8/8/8/4Q3/K7 w - - 0 1", "1.Qe6#", &[1]),
    ("epaulette", "4kr2/8/8/8/8/8/4Q3/K7 w - - 0 1", "1.Qe6+", &[]),
    ("epaulette", "7R/2R1qkr1/4p1p1/6P1/3Q4/8/7K/8 w - - 0 1", "1.Qf6#", &[1]),
    ("pillsburysmate", "5k2/2R5/4K3/r3B3/2p5/5r2/8/8 b - - 7 50", "50...Re3 51.Rc8#", &[2]),
    ("pillsburysmate", "5k2/2R5/4K3/r3B3/2p5/5r2/8/8 b - - 7 50", "50...Re3", &[]),
    ("morphysmate", "8/4R1k1/P3pp1p/1B1b1p2/5P2/4P1K1/8/r7 b - - 6 55", "55...Kg6 56.Be8#", &[2]),
    ("morphysmate", "8/4R1k1/P3pp1p/1B1b1p2/5P2/4P1K1/8/r7 b - - 6 55", "55...Kg6", &[]),
    ("cornermate", "8/R6p/5ppk/P7/6r1/7n/7P/2r2R1K w - - 1 36", "36.Rxc1 Nf2#", &[2]),
    ("cornermate", "8/R6p/5ppk/P7/6r1/7n/7P/2r2R1K w - - 1 36", "36.Rxc1", &[]),
    ("trianglemate", "1r3k2/4Q2R/pq4r1/2p5/8/2P5/P1P5/2K5 b - - 5 33", "33...Kg8 34.Qf7#", &[2]),
    ("trianglemate", "1r3k2/4Q2R/pq4r1/2p5/8/2P5/P1P5/2K5 b - - 5 33", "33...Kg8", &[]),
    ("blindswinemate", "8/6pk/4Q2p/4p3/5rPP/4N3/5rK1/8 w - - 0 38", "38.Kg3 R4f3#", &[2]),
    ("blindswinemate", "8/6pk/4Q2p/4p3/5rPP/4N3/5rK1/8 w - - 0 38", "38.Kg3", &[]),
    ("killboxmate", "6k1/7r/5p2/3P4/3Qp3/5qP1/5P2/4R1K1 w - - 3 46", "46.Qxe4 Rh1#", &[2]),
    ("killboxmate", "6k1/7r/5p2/3P4/3Qp3/5qP1/5P2/4R1K1 w - - 3 46", "46.Qxe4", &[]),
    ("vukovicmate", "8/R7/5pk1/7R/3b4/5nP1/2r2P2/5K2 w - - 1 44", "44.Rah7 Rxf2#", &[2]),
    ("vukovicmate", "8/R7/5pk1/7R/3b4/5nP1/2r2P2/5K2 w - - 1 44", "44.Rah7", &[]),
    ("lollimate", "4Q3/8/2kq1p2/2p5/8/5P2/6K1/8 b - - 3 59", "59...Kd5 60.Qe4#", &[2]),
    ("lollimate", "4Q3/8/2kq1p2/2p5/8/5P2/6K1/8 b - - 3 59", "59...Kd5", &[]),
    ("suffocationmate", "Q7/1Q6/2Np1k2/2bPrnpp/8/7P/5KB1/8 w - - 3 45", "45.Kf1 Ng3#", &[2]),
    ("suffocationmate", "Q7/1Q6/2Np1k2/2bPrnpp/8/7P/5KB1/8 w - - 3 45", "45.Kf1", &[]),
    ("balestramate", "8/7p/r4pp1/2B1p1k1/6Q1/7P/6PK/5q2 b - - 3 47", "47...Kh6 48.Bf8#", &[2]),
    ("balestramate", "8/7p/r4pp1/2B1p1k1/6Q1/7P/6PK/5q2 b - - 3 47", "47...Kh6", &[]),
    ("laddermate", "6R1/8/1r2r2k/7p/4n3/P6P/6RK/8 b - - 1 44", "44...h4 45.Rh8#", &[2]),
    ("laddermate", "6R1/8/1r2r2k/7p/4n3/P6P/6RK/8 b - - 1 44", "44...h4", &[]),
    // Pawns on the second rank stop the rook that stands there.
    ("laddermate", "8/p5k1/8/4R3/4N3/4PP2/rr4PP/6K1 b - - 0 1", "1...Rb1#", &[]),
    ("maxlangemate", "8/4b3/2Q1pk1p/3p4/6q1/1P2Pb2/6PP/2R3K1 w - - 0 27", "27.Rf1 Qxg2#", &[2]),
    ("maxlangemate", "8/4b3/2Q1pk1p/3p4/6q1/1P2Pb2/6PP/2R3K1 w - - 0 27", "27.Rf1", &[]),
    ("grecomate", "5r2/p5k1/3p4/3Qb3/8/7P/PPP3P1/7K w - - 3 27", "27.c3 Rf1#", &[2]),
    ("grecomate", "5r2/p5k1/3p4/3Qb3/8/7P/PPP3P1/7K w - - 3 27", "27.c3", &[]),
];

/// Returns the position with colors exchanged and the board upside down, as a FEN.
fn mirrored(fen: &str, moves: &str) -> Option<String> {
    // moves cannot be mirrored as easily
    if !moves.is_empty() {
        return None;
    }
    let position = board::parse_fen(fen.as_bytes()).ok()?.flip_colors();
    Some(game_from(&position.fen(), ""))
}

/// Returns the name that a function of the library has besides, by its comment.
fn first_name(says: &str) -> Option<&str> {
    says.strip_prefix("Another name of `")?.strip_suffix("()`.")
}

#[test]
fn themes_hold_where_they_should() {
    let mut wrong = Vec::new();
    for (theme, fen, moves, want) in CASES {
        let query = format!("import \"themes\" {theme}()");
        let found = ids(&query, &game_from(fen, moves));
        if found != *want {
            wrong.push(format!("{theme} at {fen} {moves}: {found:?}, not {want:?}"));
        }
        if let Some(mirrored) = mirrored(fen, moves) {
            assert_eq!(ids(&query, &mirrored), *want, "{theme} at {mirrored}");
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_theme_has_a_position_for_it_and_one_against_it() {
    let library = Library::named(b"themes").expect("the library");
    let mut known = BTreeSet::new();
    for (theme, says) in library.functions() {
        if let Some(first) = first_name(&says) {
            let text = format!("function {theme}() {{\n  {first}()\n}}\n");
            assert!(library.text.contains(&text), "{theme}");
            continue;
        }
        let of_theme = || CASES.iter().filter(|case| case.0 == theme);
        assert!(of_theme().any(|case| !case.3.is_empty()), "{theme}");
        assert!(of_theme().any(|case| case.3.is_empty()), "{theme}");
        known.insert(theme);
    }
    let named: BTreeSet<&str> = CASES.iter().map(|case| case.0).collect();
    assert_eq!(named, known);
}

#[test]
fn a_motif_that_wins_nothing_is_none() {
    let game = |result: &str, end: &str| {
        let fen = "4k3/8/8/2n1n3/8/8/3P4/4K3 w - - 0 1";
        let game = game_from(fen, &format!("1.d4 {end}"));
        let game = game.replace("[FEN", &format!("[Result \"{result}\"]\n[FEN"));
        game.replace(" *\n", &format!(" {result}\n"))
    };
    let query = "import \"themes\" fork()";
    // The game ends with a move of the side that forks, unless the result says otherwise.
    let end = "Ke7 2.dxc5";
    assert_eq!(ids(query, &game("1-0", end)), [1]);
    assert_eq!(ids(query, &game("1/2-1/2", end)), [0; 0]);
    assert_eq!(ids(query, &game("0-1", end)), [0; 0]);
    assert_eq!(ids(query, &game("*", "Ke7 2.dxc5 Ke6")), [0; 0]);
    // Two points ten plies later count, whatever the result.
    let ahead = "Ke7 2.dxc5 Ke6 3.Kd2 Kd5 4.Ke3 Kxc5 5.Ke4 Kc4 6.Kxe5 Kc3 7.Kd5 Kd2";
    assert_eq!(ids(query, &game("0-1", ahead)), [1]);
    let level = "Ke7 2.Kd2 Nc6 3.Kc3 Ne6 4.Kc4 Kd6 5.d5 Na5+ 6.Kb4 Nb7 7.Kc3";
    assert_eq!(ids(query, &game("0-1", level)), [0; 0]);
}

#[test]
fn a_theme_is_what_the_function_is() {
    for &(theme, fen, moves, want) in CASES {
        let game = game_from(fen, moves);
        for query in [
            format!("theme(\"{theme}\")"),
            format!("flipcolor {{theme(\"{theme}\")}}"),
            format!("not not theme \"{theme}\""),
        ] {
            assert_eq!(ids(&query, &game), *want, "{query} at {fen} {moves}");
        }
    }
}

#[test]
fn all_themes_can_be_asked_together() {
    let library = Library::named(b"themes").expect("the library");
    let calls: Vec<String> = (library.functions()).map(|(theme, _)| format!("{theme}()")).collect();
    let query = format!("import \"themes\" {}", calls.join(" or "));
    let pgn = game_from("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "1.Rd8#");
    assert_eq!(ids(&query, &pgn), [0, 1]);
}
