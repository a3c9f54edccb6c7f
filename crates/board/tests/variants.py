# Plays random games of each variant with python-chess, from the usual start and from starts of
# Chess960 with castling near. Prints a line for each position: variant, FEN, legal moves, facts,
# the move that is played in UCI and in SAN, and the FEN after it. Castling is the king's move to
# its rook. The argument is the number of games of each variant.
import random
import sys
import chess
import chess.variant as variants


# python-chess does not have this variant: its rules are repeated here, as simply as possible.
class LosersBoard(chess.Board):
    def is_alone(self, color):
        men = self.occupied_co[color]
        return men == men & self.kings

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        if self.is_alone(chess.WHITE) or self.is_alone(chess.BLACK):
            return
        moves = list(super().generate_legal_moves())
        captures = [move for move in moves if self.is_capture(move)]
        for move in captures or moves:
            if 1 << move.from_square & from_mask and 1 << move.to_square & to_mask:
                yield move

    def is_variant_draw(self):
        return self.is_alone(chess.WHITE) and self.is_alone(chess.BLACK)

    def is_variant_win(self):
        if self.is_alone(not self.turn):
            return False
        return self.is_alone(self.turn) or not any(self.generate_legal_moves())

    def is_variant_loss(self):
        return self.is_alone(not self.turn) and not self.is_alone(self.turn)

    def is_variant_end(self):
        return self.is_variant_draw() or self.is_variant_win() or self.is_variant_loss()


class FiveCheckBoard(variants.ThreeCheckBoard):
    def reset_board(self):
        super().reset_board()
        self.remaining_checks = [5, 5]

    def set_fen(self, fen):
        super().set_fen(fen if "+" in fen else fen.replace(" 0 1", " 5+5 0 1"))


BOARDS = {
    "Atomic": variants.AtomicBoard,
    "Crazyhouse": variants.CrazyhouseBoard,
    "Five-Check": FiveCheckBoard,
    "Giveaway": variants.AntichessBoard,
    "Horde": variants.HordeBoard,
    "King of the Hill": variants.KingOfTheHillBoard,
    "Losers": LosersBoard,
    "Racing Kings": variants.RacingKingsBoard,
    "Suicide": variants.SuicideBoard,
    "Three-Check": variants.ThreeCheckBoard,
}
WITHOUT_CASTLING = {"Giveaway", "Suicide", "Racing Kings"}
GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 5
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


def shuffled(name, choice):
    """A start of Chess960 without some of the men that stand between kings and rooks."""
    board = chess.Board.from_chess960_pos(choice.randrange(960))
    for square in board.pieces(chess.KNIGHT, True) | board.pieces(chess.BISHOP, True):
        if choice.random() < 0.6:
            board.remove_piece_at(square)
            board.remove_piece_at(square ^ 56)
    if name == "Horde":
        horde = variants.HordeBoard()
        for square in horde.pieces(chess.PAWN, chess.WHITE):
            board.set_piece_at(square, chess.Piece(chess.PAWN, chess.WHITE))
        for square in chess.SquareSet(board.occupied_co[chess.WHITE] & ~board.pawns):
            board.remove_piece_at(square)
    return board.shredder_fen()


def choose(board, moves, choice):
    # Variants differ in captures and checks.
    lively = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
    castling = [move for move in moves if board.is_castling(move)]
    if castling and choice.random() < 0.3:
        return choice.choice(castling)
    return choice.choice(lively if lively and choice.random() < 0.4 else moves)


def play(name, board, choice):
    for _ in range(PLIES):
        moves = list(board.legal_moves)
        fen = board.fen(en_passant="fen")
        names = sorted(board.uci(move, chess960=True) for move in moves)
        line = [name, fen, " ".join(names), facts(board)]
        if not moves:
            print("\t".join(line))
            break
        move = choose(board, moves, choice)
        line += [board.uci(move, chess960=True), board.san(move)]
        board.push(move)
        print("\t".join(line + [board.fen(en_passant="fen")]))


for name, kind in BOARDS.items():
    choice = random.Random(name)
    for _ in range(GAMES):
        board = kind()
        if name == "Suicide":
            board.castling_rights = 0
        play(name, board, choice)
        if name not in WITHOUT_CASTLING:
            play(name, kind(shuffled(name, choice), chess960=True), choice)
