# Plays random games of each variant by python-chess. A line for each position: variant, FEN, legal
# moves, what is true of it, the move that is played in UCI and in SAN, and the FEN behind it.
import random
import chess.variant as variants

BOARDS = {
    "Atomic": variants.AtomicBoard,
    "Crazyhouse": variants.CrazyhouseBoard,
    "Giveaway": variants.AntichessBoard,
    "Horde": variants.HordeBoard,
    "King of the Hill": variants.KingOfTheHillBoard,
    "Racing Kings": variants.RacingKingsBoard,
    "Suicide": variants.SuicideBoard,
    "Three-Check": variants.ThreeCheckBoard,
}
GAMES = 5
PLIES = 140


def facts(board):
    found = []
    if board.is_check():
        found.append("check")
    if board.is_checkmate() and not board.is_variant_end():
        found.append("mate")
    if board.is_variant_win():
        found.append("win")
    if board.is_variant_loss():
        found.append("loss")
    if board.is_variant_draw():
        found.append("draw")
    return " ".join(found)


def choose(board, moves, choice):
    # Captures and checks are what differs.
    lively = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
    return choice.choice(lively if lively and choice.random() < 0.4 else moves)


for name, kind in BOARDS.items():
    choice = random.Random(name)
    for _ in range(GAMES):
        board = kind()
        if name == "Suicide":
            board.castling_rights = 0
        for _ in range(PLIES):
            moves = list(board.legal_moves)
            fen = board.fen(en_passant="fen")
            line = [name, fen, " ".join(sorted(move.uci() for move in moves)), facts(board)]
            if not moves:
                print("\t".join(line))
                break
            move = choose(board, moves, choice)
            line += [move.uci(), board.san(move)]
            board.push(move)
            print("\t".join(line + [board.fen(en_passant="fen")]))
