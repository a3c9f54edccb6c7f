//! Outputs are read by other programs. python-chess reads the games that the queries of the
//! cookbook find, with comments and variations, and counts the same games and moves, and the same
//! checks and mates among the legal moves. DuckDB, Polars and pandas read tables with the types
//! that the book promises, and, with pyarrow, archives.
//!
//! Without python3 and its packages (`pip install chess duckdb polars pandas pyarrow`), the tests
//! print a message and end. `PYTHON` names another interpreter.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pgn::{GameTree, Splitter, TagIndex};

/// Prints for each file its name, its games, the moves of all lines, the comments and the errors.
const READER: &str = "
import logging, sys
import chess.pgn
logging.getLogger('chess.pgn').setLevel(logging.CRITICAL)
for name in sys.argv[1:]:
    with open(name, encoding='utf-8', errors='replace') as file:
        games = moves = comments = 0
        errors = []
        while game := chess.pgn.read_game(file):
            games += 1
            errors += game.errors
            stack = [game]
            while stack:
                node = stack.pop()
                comments += bool(node.comment)
                moves += len(node.variations)
                stack += node.variations
        print(name, games, moves, comments, errors)
";

/// Compares the numbers of legal moves, checks and mates in comments with those of python-chess,
/// and prints the number of positions.
const COUNTER: &str = "
import re, sys
import chess.pgn
positions = 0
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    while game := chess.pgn.read_game(file):
        stack = [game]
        while stack:
            node = stack.pop()
            stack += node.variations
            board = node.board()
            counted = re.search(r'tried\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+\\[?([a-h1-8,]*)', node.comment)
            moves = list(board.legal_moves)
            checks = [move for move in moves if board.gives_check(move)]
            mates = []
            for move in checks:
                board.push(move)
                if board.is_checkmate():
                    mates.append(move)
                board.pop()
            mating = {chess.square_name(move.from_square) for move in mates}
            for move in filter(board.is_castling, mates):
                rook = 7 if board.is_kingside_castling(move) else 0
                mating.add(chess.square_name(chess.square(rook, chess.square_rank(move.to_square))))
            expected = [str(len(moves)), str(len(checks)), str(len(mates)), mating]
            found = [*counted.groups()[:3], set(filter(None, counted[4].split(',')))]
            assert found == expected, (board.fen(), found, expected)
            positions += 1
print(positions)
";

/// Compares comments about imagined positions and about real ones with python-chess, and prints the
/// number of positions.
const IMAGINER: &str = "
import re, sys
import chess.pgn, chess.polyglot
def counts(board, wanted):
    if board.was_into_check():
        return None
    n = 0
    for move in board.legal_moves:
        board.push(move)
        n += wanted(board)
        board.pop()
    return n
positions = 0
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    while game := chess.pgn.read_game(file):
        stack = [game]
        while stack:
            node = stack.pop()
            stack += node.variations
            board = node.board()
            words = re.search(r'imagined\\s+(.*)\\s+end', node.comment, re.S).group(1).split()
            flipped = board.copy(stack=False)
            flipped.turn = not board.turn
            flipped.ep_square = None
            bare = board.copy(stack=False)
            for square in [*board.pieces(chess.QUEEN, True), *board.pieces(chess.QUEEN, False)]:
                bare.remove_piece_at(square)
            expected = [
                counts(flipped, chess.Board.is_checkmate),
                counts(flipped, chess.Board.is_check),
                counts(bare, chess.Board.is_check),
                board.halfmove_clock,
                f'{chess.polyglot.zobrist_hash(board):016x}',
                board.fen(),
            ]
            found = [*map(int, words[:4]), words[4], ' '.join(words[5:])]
            for says, is_so in zip(found, expected):
                assert is_so is None or says == is_so, (board.fen(), found, expected)
            positions += 1
print(positions)
";

/// Compares the words for exchanges in comments with exchanges that python-chess plays move by move,
/// and prints the number of positions.
const EXCHANGER: &str = "
import re, sys
import chess.pgn
WORTH = [0, 1, 3, 3, 5, 9, 0]
def captures(board, square):
    moves = [m for m in board.generate_legal_captures(to_mask=chess.BB_SQUARES[square])
             if not board.is_en_passant(m) and m.promotion in (None, chess.QUEEN)]
    return sorted(moves, key=lambda m: (board.piece_type_at(m.from_square), m.from_square))
def won(board, square):
    moves = captures(board, square)
    if not moves:
        return None
    gain = WORTH[board.piece_type_at(square)] + (8 if moves[0].promotion else 0)
    board.push(moves[0])
    gain -= won(board, square) or 0
    board.pop()
    return max(0, gain)
positions = 0
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    while game := chess.pgn.read_game(file):
        stack = [game]
        while stack:
            node = stack.pop()
            stack += node.variations
            board = node.board()
            says = re.search(r'exchanges(.*)\\bend', node.comment, re.S).group(1).split()
            both = [board.copy(stack=False), board.copy(stack=False)]
            both[0].turn, both[1].turn = chess.WHITE, chess.BLACK
            of = {square: won(both[piece.color], square)
                  for square, piece in board.piece_map().items() if piece.piece_type != chess.KING}
            quiet = not board.is_check() and not any(
                n for square, n in of.items() if board.color_at(square) != board.turn)
            want = [f'quiescent{int(quiet)}', f'forced{int(board.legal_moves.count() == 1)}']
            for square in sorted(of):
                n = of[square]
                kind = 'x' if n is None else 'h' if n else 'd'
                want.append(f'{chess.square_name(square)}{kind}{n or 0}')
            assert says == want, (board.fen(), says, want)
            positions += 1
print(positions)
";

/// Compares the opening in the comments of each game with the last position of its main line that is in
/// the table, and prints the number of positions.
const OPENER: &str = "
import re, sys
import chess.pgn
names = {}
with open(r'TABLE', encoding='utf-8') as file:
    for line in file.read().splitlines()[1:]:
        eco, name, moves = line.split('\\t')
        board = chess.Board()
        for move in re.sub(r'[0-9]+\\.', '', moves).split():
            assert board.san(board.parse_san(move)) == move, line
            board.push_san(move)
        names[board.epd()] = f'{eco} {name}'
positions, named = 0, 0
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    while game := chess.pgn.read_game(file):
        boards = [node.board() for node in [game, *game.mainline()]]
        known = [names[board.epd()] for board in boards if board.epd() in names]
        # Comments have two `?` for each letter of two bytes.
        want = re.sub('[^ -~]', '??', known[-1] if known else '-')
        nodes = [game]
        while nodes:
            node = nodes.pop()
            nodes += node.variations
            says = ' '.join(re.search(r'opening\\s+(.*)\\s+end', node.comment, re.S).group(1).split())
            assert says == want, (game.headers, says, want)
            positions += 1
        named += bool(known)
assert named > 30, named
print(positions)
";

/// Compares likenesses and squares in comments with those that fractions yield on boards of
/// python-chess, and prints the number of positions.
const LIKENER: &str = "
import re, sys
from fractions import Fraction
import chess.pgn
FENS = sys.argv[2:]
VALUES = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9}
def dice(a, b):
    return Fraction(2 * len(a & b), len(a) + len(b)) if a or b else Fraction(1)
def men(board):
    return {(s, p.piece_type, p.color) for s, p in board.piece_map().items()}
def pawns(board, color):
    return set(board.pieces(chess.PAWN, color))
def structure(board):
    word = set()
    for color in chess.COLORS:
        own, other = pawns(board, color), pawns(board, not color)
        files = {chess.square_file(s) for s in own}
        forward = 1 if color else -1
        for s in own:
            f, r = chess.square_file(s), chess.square_rank(s)
            word.add(('file', color, f))
            if f - 1 not in files and f + 1 not in files:
                word.add(('isolated', color, f))
            if not any(abs(chess.square_file(o) - f) <= 1
                       and (chess.square_rank(o) - r) * forward > 0 for o in other):
                word.add(('passed', color, f))
            if any(abs(chess.square_file(o) - f) == 1
                   and chess.square_rank(o) == r - forward for o in own):
                word.add(('defended', color, f))
    return word
def likeness(query, board, weights):
    both = [(pawns(query, c), pawns(board, c)) for c in chess.COLORS]
    points, total = Fraction(0), 0
    for q, p in both:
        equal = len(q & p)
        near = sum(1 for s in p - q if s - 8 in q or s + 8 in q)
        points += 2 * equal + min(near, len(q) - equal)
        total += len(q) + len(p)
    squares = points / total if total else Fraction(1)
    pieces = lambda b: {m for m in men(b) if m[1] not in (chess.PAWN, chess.KING)}
    kings = Fraction(0)
    for color in chess.COLORS:
        steps = chess.square_distance(query.king(color), board.king(color))
        kings += [10, 6, 3, 1, 0, 0, 0, 0][steps]
    least = most = 0
    for kind, value in VALUES.items():
        for color in chess.COLORS:
            a, b = len(query.pieces(kind, color)), len(board.pieces(kind, color))
            least += value * min(a, b)
            most += value * max(a, b)
    parts = [(squares + dice(structure(query), structure(board))) / 2,
             dice(pieces(query), pieces(board)), kings / 20,
             Fraction(least, most) if most else Fraction(1)]
    return int(sum(w * part for w, part in zip(weights, parts)))
queries = [chess.Board(fen) for fen in FENS]
positions = 0
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    while game := chess.pgn.read_game(file):
        stack = [game]
        while stack:
            node = stack.pop()
            stack += node.variations
            board = node.board()
            says = re.search(r'likeness(.*)\\bend', node.comment, re.S).group(1).split()
            want = []
            for query in queries:
                want.append(likeness(query, board, [60, 20, 10, 10]))
                want.append(likeness(query, board, [50, 7000, 300, 11]))
                want.append(sum(query.piece_at(s) == board.piece_at(s) for s in chess.SQUARES))
            assert [int(n) for n in says] == want, (board.fen(), says, want)
            positions += 1
print(positions)
";

/// Prints the types of the columns of a table and some of its rows, as three libraries read them.
const TABLES: &str = "
import sys
import duckdb, pandas, polars
name = sys.argv[1]
columns = duckdb.sql(f'describe from \"{name}\"').fetchall()
print('duckdb', *(f'{column[0]}:{column[1]}' for column in columns), sep='|')
print(*duckdb.sql(
    f'select sum(white_elo), count(date), max(year), sum(len(comments)), max(tags[\\'White\\']), '
    f'sum(len(king)), count_if(mated), sum(coalesce(points, 0)) from \"{name}\"').fetchall()[0])
frame = polars.read_parquet(name)
# earlier versions have no type for maps
MAP = \"List(Struct({'key': String, 'value': String}))\"
types = (str(type).replace(MAP, 'Map(String, String)') for type in frame.schema.values())
print('polars', *(f'{column}:{type}' for column, type in zip(frame.columns, types)), sep='|')
print(frame['white_elo'].sum(), frame['date'].count(), frame['year'].max(),
      frame['comments'].list.len().sum(), frame['king'].list.len().sum())
frame = pandas.read_parquet(name)
print('pandas', len(frame), type(frame['date'][0]).__name__, dict(frame['tags'][0])['White'])
lines = pandas.read_json(sys.argv[2], lines=True)
print('json', lines['white_elo'].dtype, lines['year'].dtype, int(lines['white_elo'].sum()))
";

/// Compares each row of a table, as three libraries read it, with the JSON object of the same row.
/// Values are texts in a table, and of any type in an object.
const ROWS: &str = "
import json, sys
import duckdb, polars, pyarrow, pyarrow.parquet
text = lambda value: value if value is None or isinstance(value, str) else (
    '; '.join(value) if isinstance(value, list) else json.dumps(value))
objects = []
for line in open(sys.argv[2], encoding='utf-8'):
    row = json.loads(line)
    objects.append({name: {key: text(item) for key, item in cell.items()}
        if isinstance(cell, dict) else cell for name, cell in row.items()})
def seen(cell):
    if hasattr(cell, 'isoformat'):
        return cell.isoformat()
    if isinstance(cell, list) and cell and not isinstance(cell[0], str):
        return dict(item.values() if isinstance(item, dict) else item for item in cell)
    return cell
def compare(who, table):
    rows = table.to_pylist()
    assert len(rows) == len(objects), (who, len(rows), len(objects))
    for row, expected in zip(rows, objects):
        row = {name: seen(cell) for name, cell in row.items()}
        # without items, lists and maps look the same
        expected = {name: [] if cell == {} else cell for name, cell in expected.items()}
        assert row == expected, (who, row, expected)
    print(who, len(rows))
table = pyarrow.parquet.ParquetFile(sys.argv[1])
print('groups', table.num_row_groups)
compare('pyarrow', table.read())
compare('polars', polars.read_parquet(sys.argv[1]).to_arrow())
compare('duckdb', duckdb.sql(f'from \"{sys.argv[1]}\"').to_arrow_table())
";

/// Compares the columns of an archive as three libraries read them, and prints some.
const ARCHIVE: &str = "
import glob
import duckdb, polars, pyarrow.ipc
name, = glob.glob('games.cqa/*.arrow')
games = pyarrow.ipc.open_file(name).read_all()
games.validate(full=True)
rows = games.to_pylist()
assert polars.read_ipc(name).to_arrow().to_pylist() == rows
for kind in (pyarrow.ipc.open_stream, lambda file: pyarrow.ipc.open_file(file)):
    with open(name, 'rb') as file:
        # a stream begins behind the eight bytes of the file
        if kind is pyarrow.ipc.open_stream:
            file.seek(8)
        assert kind(file).read_all().to_pylist() == rows
print(*duckdb.sql('select count(*), sum(len(moves)), sum(white_elo), count(eco) from games').fetchall()[0])
for row in rows:
    print(row['white'], row['white_elo'], row['result'], row['source'],
          row['black_queens'].bit_count(), len(row['variation_squares']),
          [(code & 63, code >> 6 & 63, code >> 12) for code in row['moves']])
    text = open(row['source'], 'rb').read()
    assert text[row['offset']:][:row['length']].startswith(b'[White'), row
";

/// Compares what comments say of each position with python-chess, and prints the number of positions.
const OBSERVER: &str = "
import re, sys
import chess.pgn
def letters(board, color, types):
    return ''.join(chess.piece_symbol(t).upper() * len(board.pieces(t, color)) for t in types)
def named(board):
    sides = [letters(board, color, (6, 5, 4, 3, 2, 1)) for color in (chess.WHITE, chess.BLACK)]
    pieces = sorted(letters(board, color, (5, 4, 3, 2)) for color in (chess.WHITE, chess.BLACK))
    kinds = [set(side) for side in pieces]
    worth = [sum({'Q': 9, 'R': 5}.get(man, 3) for man in side) for side in pieces]
    phase = 'middlegame'
    if max(worth) <= 13:
        phase = 'endgame'
    elif board.fullmove_number <= 12 and sum(worth) >= 50:
        phase = 'opening'
    classes = {
        'men': sides == ['KQPPP', 'KRPPPP'],
        'pieces': pieces == ['Q', 'RN'],
        'pawn': kinds == [set(), set()] and bool(board.pawns),
        'rook': kinds == [{'R'}, {'R'}],
        'minor': all(kind and kind <= {'B', 'N'} for kind in kinds),
        'major': all(kind and kind <= {'Q', 'R'} for kind in kinds),
        'queen-rook': pieces == ['Q', 'R'],
        'rook+minor': all(len(side) == 2 and side[0] == 'R' and side[1] in 'BN' for side in pieces),
    }
    return [name + str(int(is_so)) for name, is_so in classes.items()] + [phase]
def fits(board, move, text):
    plain, core = board.san(move), text.rstrip('+')
    bare = re.sub('^([KQRBN])[a-h]?[1-8]?x?(?=[a-h][1-8])', r'\\1', plain.rstrip('+#'))
    return core in (bare, plain.rstrip('+#')) and (core == text or plain[-1] in '+#')
def follow(node, texts):
    return not texts or any(fits(node.board(), child.move, texts[0]) and follow(child, texts[1:])
                            for child in node.variations)
def played(node, color, *texts):
    return node.turn() == color and follow(node, texts)
seen = set()
positions = 0
with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
    while game := chess.pgn.read_game(file):
        stack = [(game, ())]
        while stack:
            node, before = stack.pop()
            board = node.board()
            key = board._transposition_key()
            stack += [(child, (*before, key)) for child in node.variations]
            says = re.search(r'observed(.*)\\bend', node.comment, re.S).group(1).split()
            want = [str(before.count(key)), *named(board)]
            for name, is_so in {
                'takes': played(node, chess.WHITE, 'exd5'),
                'knights': played(node, chess.WHITE, 'Nf3', 'Nc6'),
                'castles': played(node, chess.BLACK, 'O-O'),
                'checks': played(node, chess.WHITE, 'Bxf7+'),
                'retreats': played(node, chess.WHITE, 'Nd2'),
            }.items():
                want.append(name + str(int(is_so)))
            assert says == want, (board.fen(), says, want)
            seen.update(says)
            positions += 1
assert {'0', '1', 'men1', 'pieces1', 'pawn1', 'rook1', 'major1', 'queen-rook1', 'rook+minor1',
        'opening', 'middlegame', 'endgame', 'takes1', 'knights1', 'castles1', 'checks1',
        'retreats1'} <= seen, seen
print(positions)
";

/// Returns Python if it has these modules; otherwise prints a message.
fn python_with(modules: &str) -> Option<Command> {
    let name = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let has_modules = Command::new(&name).args(["-c", &format!("import {modules}")]).output();
    if has_modules.is_ok_and(|output| output.status.success()) {
        return Some(Command::new(name));
    }
    eprintln!("skipped: python3 with {modules} is not installed");
    None
}

/// Returns the output of a Python program.
fn printed(python: &mut Command) -> String {
    let output = python.output().expect("the reader runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the queries of the cookbook, with headers or without.
fn queries() -> Vec<String> {
    let cookbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/cookbook");
    let mut pages: Vec<PathBuf> = fs::read_dir(cookbook)
        .expect("the cookbook")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    let mut queries = Vec::new();
    for page in pages {
        let text = fs::read_to_string(page).expect("a page");
        for block in text.split("\n```cql").skip(1) {
            let (_, body) = block.split_once('\n').expect("a block");
            let body = body.split("\n```").next().unwrap_or_default();
            queries.push(if body.contains("cql(") {
                body.to_owned()
            } else {
                format!("cql() {body}")
            });
        }
    }
    queries
}

/// Counts games, moves of all lines, and comments.
fn count(file: &[u8]) -> [usize; 3] {
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    let mut counts = [0; 3];
    for raw in Splitter::default().split(file, true) {
        index.scan(raw.text);
        tree.parse(index.tags(raw.text));
        let comment = |node: usize| tree.comment(raw.text, node).unwrap_or_default();
        let with_comment = (0..tree.len()).filter(|&node| !comment(node).is_empty());
        let found = [1, tree.len() - 1, with_comment.count()];
        counts.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
    }
    counts
}

#[test]
fn python_chess_reads_what_is_written() {
    let Some(mut python) = python_with("chess.pgn") else {
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let games = ["examples/historic.pgn", "examples/miniatures.pgn", "examples/positions.pgn"];
    let dir = tempfile::tempdir().expect("a directory");
    let mut written = Vec::new();
    for (number, query) in queries().iter().enumerate() {
        let file = dir.path().join(format!("{number}.cql"));
        fs::write(&file, query).expect("written");
        let out = dir.path().join(format!("{number}.pgn"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command.current_dir(&root).arg("-variations");
        for games in games {
            command.arg("-i").arg(games);
        }
        command.arg("-o").arg(&out).arg(&file);
        let output = command.output().expect("the program runs");
        if output.status.success() {
            written.push(out);
        }
    }
    assert!(written.len() > 80, "only {} queries ran", written.len());
    let read = printed(python.arg("-c").arg(READER).args(&written));
    let mut sums = [0; 3];
    for (out, line) in written.iter().zip(read.lines()) {
        let counts = count(&fs::read(out).expect("an output"));
        let [games, moves, comments] = counts;
        let expected = format!("{} {games} {moves} {comments} []", out.display());
        assert_eq!(line, expected);
        sums.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    let [games, moves, comments] = sums;
    assert!(games > 300 && moves > 10_000 && comments > 1000, "{sums:?}");
}

#[test]
fn python_chess_finds_the_same_checks_and_mates_among_the_legal_moves() {
    let query = "cql(variations quiet matchstring \"\") comment(\"tried \" \
                 {countmoves legal --(true)} \" \" {countmoves legal --(check)} \" \" \
                 {countmoves legal --(mate)} \" \" legal --(mate from))";
    python_chess_agrees(query, COUNTER);
}

/// Runs a script of python-chess on the output of a query. The script prints the number of
/// positions on which it agrees.
fn python_chess_agrees(query: &str, script: &str) {
    python_chess_agrees_on(query, script, &[]);
}

/// Compares like [`python_chess_agrees`], with more arguments for the script.
fn python_chess_agrees_on(query: &str, script: &str, arguments: &[&str]) {
    let Some(mut python) = python_with("chess.pgn") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("q.cql");
    fs::write(&file, query).expect("written");
    let out = dir.path().join("o.pgn");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
    for games in ["historic.pgn", "miniatures.pgn"] {
        command.arg("-i").arg(examples.join(games));
    }
    let output = command.arg("-o").arg(&out).arg(&file).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    let n = printed(python.arg("-c").arg(script).arg(&out).args(arguments));
    assert!(n.trim().parse::<u32>().is_ok_and(|n| n > 2000), "{n}");
}

#[test]
fn python_chess_finds_the_same_in_positions_that_are_imagined() {
    let query = "cql(variations quiet matchstring \"\") comment(\"imagined \" \
                 {imagine sidetomove flip : countmoves legal --(mate)} \" \" \
                 {imagine sidetomove flip : countmoves legal --(check)} \" \" \
                 {imagine remove [Qq] : countmoves legal --(check)} \" \" \
                 halfmoveclock \" \" zobristkey \" \" standardfen \" end\")";
    python_chess_agrees(query, IMAGINER);
}

#[test]
fn python_chess_plays_the_same_exchanges() {
    let query = r#"cql(variations quiet matchstring "")
        says = ""
        says += if quiescent then " quiescent1" else " quiescent0"
        says += if forced then " forced1" else " forced0"
        {square s in [QqRrBbNnPp] {
            kind = if hanging s then "h" else if defended s then "d" else "x"
            says += str(" " s kind see s)
        }} or true
        comment("exchanges" says " end")"#;
    python_chess_agrees(query, EXCHANGER);
}

#[test]
fn python_chess_finds_the_same_openings() {
    let query = r#"cql(variations quiet matchstring "")
        says = if opening then str(openingcode " " opening) else "-"
        comment(positionid " opening " says " end")"#;
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/src/openings.tsv");
    python_chess_agrees(query, &OPENER.replace("TABLE", table));
}

#[test]
fn python_chess_finds_the_same_likeness() {
    let fens = [
        "r2q1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 1",
        "8/5pk1/4p1p1/3pP2p/3P1P1P/4K1P1/8/8 w - - 0 1",
        "8/8/4k3/8/8/4R3/4K3/8 w - - 0 1",
    ];
    let says = fens.map(|fen| {
        format!(
            "likeness(\"{fen}\") \" \" \
             likeness(\"{fen}\" kings 300 pieces 7000 material 11 pawns 50) \" \" \
             {{#fenset \"{fen}\"}}"
        )
    });
    let says = says.join(" \" \" ");
    let query =
        format!("cql(variations quiet matchstring \"\") comment(\"likeness \" {says} \" end\")");
    python_chess_agrees_on(&query, LIKENER, &fens);
}

#[test]
fn tables_have_the_types_that_are_promised() {
    let Some(mut python) = python_with("duckdb, pandas, polars, pyarrow") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let games = "[White \"A\"]\n[Black \"B\"]\n[Date \"1990.01.02\"]\n[WhiteElo \"2000\"]\n\n\
         1.f3 e5 2.g4 Qh4# 0-1\n\n[White \"C\"]\n[Date \"1991.??.??\"]\n[WhiteElo \"?\"]\n\n1.e4 *\n";
    fs::write(dir.path().join("g.pgn"), games).expect("written");
    let tables = ["t.parquet", "t.jsonl"];
    for table in tables {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command.current_dir(dir.path()).args(["-o", table]).args([
            "--columns",
            "input,game,date,year,white_elo,result,tags,comments,values,sort,king,mated,points,fen",
        ]);
        for value in ["king=k", "mated=mate", "points=ply==4 power a"] {
            command.args(["--value", value]);
        }
        let query = "{ ply>0 if mate {comment(\"a\") comment(\"b\")} sort \"n\" ply }";
        command.args(["-i", "g.pgn", "-cql", query]);
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{output:?}");
    }
    python.current_dir(dir.path()).arg("-c").arg(TABLES);
    assert_eq!(
        printed(python.args(tables)),
        "duckdb|input:VARCHAR|game:BIGINT|date:DATE|year:BIGINT|white_elo:BIGINT|result:VARCHAR\
         |tags:MAP(VARCHAR, VARCHAR)|comments:VARCHAR[]|values:MAP(VARCHAR, VARCHAR)\
         |sort:MAP(VARCHAR, VARCHAR)|king:VARCHAR[]|mated:BOOLEAN|points:BIGINT|fen:VARCHAR\n\
         8000 4 1991 2 C 5 1 39\n\
         polars|input:String|game:Int64|date:Date|year:Int64|white_elo:Int64|result:String\
         |tags:Map(String, String)|comments:List(String)\
         |values:Map(String, String)\
         |sort:Map(String, String)|king:List(String)|mated:Boolean\
         |points:Int64|fen:String\n\
         8000 4 1991 2 5\n\
         pandas 5 date A\n\
         json float64 int64 8000\n"
    );
}

#[test]
fn archives_are_read_by_others() {
    let Some(mut python) = python_with("duckdb, polars, pyarrow.ipc") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let games = "[White \"\u{c5}\"]\n[WhiteElo \"2000\"]\n[ECO \"A00\"]\n\n1.f3 e5 (1...e6) 2.g4 Qh4# 0-1\n\n\
        [White \"C\"]\n\n*\n\n[White \"D\"]\n\n1.e4 e4 *\n";
    fs::write(dir.path().join("games.pgn"), games).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
    command.current_dir(dir.path()).args(["index", "games.pgn"]);
    assert!(command.output().expect("the program runs").status.success());
    python.current_dir(dir.path()).arg("-c").arg(ARCHIVE);
    assert_eq!(
        printed(&mut python),
        "3 7 2000 1\n\
         \u{c5} 2000 0-1 games.pgn 2 12 [(13, 21, 0), (52, 36, 6), (0, 0, 14), (52, 44, 0), \
         (0, 0, 15), (14, 30, 6), (59, 31, 4)]\n\
         C None * games.pgn 1 0 []\n\
         D None * games.pgn 0 0 []\n"
    );
}

#[test]
fn exported_games_are_read_by_others() {
    let Some(mut python) = python_with("duckdb, polars, pyarrow, pyarrow.parquet") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let games = "[White \"\u{e9}\"]\n[Date \"1990.01.02\"]\n[BlackElo \"2000\"]\n\n\
         1.f3 (1.e4) e5 2.g4 Qh4# 0-1\n\n[White \"B\"]\n\n1.e4 Ke4 *\n\n\
         [Date \"1991.??.??\"]\n\n*\n\n";
    fs::write(dir.path().join("g.pgn"), games.repeat(100)).expect("written");
    for line in ["index g.pgn", "index g.cqa --export t.parquet", "index g.cqa --export t.jsonl"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command.current_dir(dir.path()).args(line.split(' '));
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{output:?}");
    }
    python.current_dir(dir.path()).arg("-c").arg(ROWS);
    let expected = "groups 1\npyarrow 300\npolars 300\nduckdb 300\n";
    assert_eq!(printed(python.args(["t.parquet", "t.jsonl"])), expected);
}

#[test]
fn tables_hold_what_objects_hold() {
    // Cells of all types, present and missing, and more rows than are written at once.
    let columns = "game,date,year,white,white_elo,tags,comments,values,sort,king,mated,points,\
         none,san,fen";
    check_rows(300, columns, "groups 1\npyarrow 2100\npolars 2100\nduckdb 2100\n");
    let expected = "groups 2\npyarrow 105000\npolars 105000\nduckdb 105000\n";
    check_rows(15_000, "ply,comments,values", expected);
}

/// Compares the rows of two formats, for a file with its games repeated `n_games` times.
fn check_rows(n_games: usize, columns: &str, expected: &str) {
    let Some(mut python) = python_with("duckdb, polars, pyarrow, pyarrow.parquet") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let games = "[White \"A, \u{e9}\"]\n[Date \"1990.01.02\"]\n[WhiteElo \"2000\"]\n\n\
         1.f3 e5 2.g4 Qh4# 0-1\n\n1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
         [White \"\"]\n[Date \"1991.??.??\"]\n\n*\n\n";
    fs::write(dir.path().join("g.pgn"), games.repeat(n_games)).expect("written");
    let tables = ["t.parquet", "t.jsonl"];
    for table in tables {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cql"));
        command.current_dir(dir.path()).args(["-o", table, "--columns", columns]);
        for value in [
            "king=if ply==2 then k else Q&a1",
            "mated=mate",
            "points=ply==4 power a",
            "none=gamenumber==0 ply",
        ] {
            command.args(["--value", value]);
        }
        let query = "{ if mate {comment(\"a\") comment(\"b\")} sort \"n\" {ply>2 ply} }";
        command.args(["-i", "g.pgn", "-cql", query]);
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{output:?}");
    }
    python.current_dir(dir.path()).arg("-c").arg(ROWS);
    assert_eq!(printed(python.args(tables)), expected);
}

#[test]
fn python_chess_observes_the_same_positions() {
    let query = r#"cql(variations quiet matchstring "")
        says = ""
        says += if material "KQPPPKRPPPP" then " men1" else " men0"
        says += if material "RN:Q" then " pieces1" else " pieces0"
        says += if endgame "pawn" then " pawn1" else " pawn0"
        says += if endgame "rook" then " rook1" else " rook0"
        says += if endgame "minor" then " minor1" else " minor0"
        says += if endgame "major" then " major1" else " major0"
        says += if endgame "queen-rook" then " queen-rook1" else " queen-rook0"
        says += if endgame "rook+minor" then " rook+minor1" else " rook+minor0"
        says += if phase "opening" then " opening" else ""
        says += if phase "middlegame" then " middlegame" else ""
        says += if phase "endgame" then " endgame" else ""
        says += if {path quiet san "exd5"} then " takes1" else " takes0"
        says += if {path quiet san "Nf3 Nc6"} then " knights1" else " knights0"
        says += if {path quiet san "1...O-O"} then " castles1" else " castles0"
        says += if {path quiet san "Bxf7+"} then " checks1" else " checks0"
        says += if {path quiet san "Nd2"} then " retreats1" else " retreats0"
        comment("observed " repetition says " end")"#;
    python_chess_agrees(query, OBSERVER);
}
