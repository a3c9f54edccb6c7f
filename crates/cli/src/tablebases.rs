//! The process that reads Syzygy tables for a search.
//!
//! The library that reads them maps files into memory and trusts them, so that a damaged table can
//! end the process or give wrong answers. For this reason, a table is used only if its checksum is
//! right, and the library runs in a process of its own: the program itself, started with a hidden
//! argument. It answers lines with lines; `programs` has the other side.

mod checksum;
mod material;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use board::{Color, Position, Role, Square, SquareSet};
use engine::TableValue;
use pyrrhic_rs::{DtzProbeValue, EngineAdapter, TableBases, WdlProbeResult};

use crate::programs::{TABLE_ANSWER as ANSWER, parse_table_value};
use checksum::{LENGTH, PADDING, checksum};
use material::Material;

/// Bytes of the header that all tables have.
const SHORTEST: u64 = LENGTH + PADDING;

/// Answers the questions on standard input about the tables in a directory, one on each line, until
/// it ends.
///
/// # Errors
/// The directory cannot be read.
pub(crate) fn serve(directory: &OsStr) -> Result<(), String> {
    let names = std::fs::read_dir(directory).and_then(|entries| {
        let name = |entry: io::Result<std::fs::DirEntry>| Ok(entry?.file_name());
        entries.map(name).collect::<io::Result<Vec<_>>>()
    });
    let names = names.map_err(|error| error.to_string())?;
    let names: HashSet<String> =
        names.into_iter().filter_map(|name| name.into_string().ok()).collect();
    // The library takes a list of paths, separated by colons.
    std::env::set_current_dir(directory).map_err(|error| error.to_string())?;
    let is_irregular = |name: &&String| {
        let extension = Path::new(name).extension();
        extension.is_some_and(|end| end == "rtbw" || end == "rtbz")
            && !std::fs::metadata(name).is_ok_and(|found| found.is_file())
    };
    let irregular = names.iter().find(is_irregular).cloned();
    let mut tables =
        Tables { names, irregular, checked: HashMap::new(), sound: HashSet::new(), library: None };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else {
            break;
        };
        let answer = tables.answer(&line);
        let mut out = io::stdout().lock();
        if writeln!(out, "{ANSWER} {answer}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    Ok(())
}

/// Reason why there is no value.
enum Unknown {
    /// There is no file for these pieces.
    Missing(String),
    /// A file that is needed is damaged, for this reason.
    Damaged(String, String),
    /// Anything else.
    Failed(&'static str),
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unknown::Missing(name) => write!(f, "missing {name}"),
            Unknown::Damaged(name, reason) => write!(f, "damaged {name} {reason}"),
            Unknown::Failed(reason) => write!(f, "failed {reason}"),
        }
    }
}

/// Tables in the working directory.
struct Tables {
    /// Names of the files.
    names: HashSet<String>,
    /// A table that is no file, such as a named pipe, on which the library would wait.
    irregular: Option<String>,
    /// The files that were checked, each with the reason why it cannot be used.
    checked: HashMap<String, Option<String>>,
    /// Materials all of whose tables of results were checked.
    sound: HashSet<Material>,
    library: Option<TableBases<Attacks>>,
}

impl Tables {
    /// Returns the answer to a question: the kind of value and a FEN.
    fn answer(&mut self, line: &str) -> String {
        let question = line.split_once(' ').and_then(|(kind, fen)| {
            let position = board::parse_fen(fen.as_bytes()).ok()?;
            Some((parse_table_value(kind)?, position))
        });
        let Some((kind, position)) = question else {
            return Unknown::Failed("malformed question").to_string();
        };
        match self.value(kind, &position) {
            Ok(value) => format!("value {value}"),
            Err(unknown) => unknown.to_string(),
        }
    }

    fn value(&mut self, kind: TableValue, position: &Position) -> Result<i32, Unknown> {
        let material = Material::on(&position.board);
        if material.is_bare() {
            return Ok(0);
        }
        if let Some(name) = &self.irregular {
            return Err(Unknown::Damaged(name.clone(), "not a file".to_owned()));
        }
        if !self.sound.contains(&material) {
            for other in material.reached() {
                self.check(other, TableValue::Wdl, other == material)?;
            }
            self.sound.insert(material);
        }
        if kind == TableValue::Dtz {
            self.check(material, kind, true)?;
        }
        let probed = catch_unwind(AssertUnwindSafe(|| self.probe(kind, position)));
        probed.unwrap_or(Err(Unknown::Failed("defect of the library")))
    }

    /// Checks a table, once. A table that is missing matters only if it is `wanted`: the library
    /// fails if it needs another one.
    fn check(&mut self, material: Material, kind: TableValue, wanted: bool) -> Result<(), Unknown> {
        let extension = match kind {
            TableValue::Wdl => "rtbw",
            TableValue::Dtz => "rtbz",
        };
        let names = material.names().map(|name| format!("{name}.{extension}"));
        let Some(name) = names.iter().find(|name| self.names.contains(*name)) else {
            let [name, _] = names;
            return if wanted && !material.is_bare() {
                Err(Unknown::Missing(name))
            } else {
                Ok(())
            };
        };
        let found = match self.checked.get(name) {
            Some(found) => found.clone(),
            None => {
                let found = find_damage(Path::new(name), kind);
                self.checked.insert(name.clone(), found.clone());
                found
            }
        };
        found.map_or(Ok(()), |reason| Err(Unknown::Damaged(name.clone(), reason)))
    }

    /// Reads a value from tables that were checked.
    fn probe(&mut self, kind: TableValue, position: &Position) -> Result<i32, Unknown> {
        let library = match &mut self.library {
            Some(library) => library,
            none => {
                let library = TableBases::new(".");
                none.insert(library.map_err(|_| Unknown::Failed("no tables found"))?)
            }
        };
        let board = &position.board;
        let [white, black] = [Color::White, Color::Black].map(|color| board.color(color).0);
        let [pawns, knights, bishops, rooks, queens, kings] =
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
                .map(|role| board.role(role).0);
        let en_passant = position.en_passant_capture().map_or(0, |square| square.index() as u32);
        let is_white = position.turn == Color::White;
        let result = library.probe_wdl(
            white, black, kings, queens, rooks, bishops, knights, pawns, en_passant, is_white,
        );
        // The checks have found the table of these pieces, so another one is missing.
        let missing =
            |_| Unknown::Missing(format!("{} after captures", Material::on(board).names()[0]));
        let result = match result.map_err(missing)? {
            WdlProbeResult::Win => 2,
            WdlProbeResult::CursedWin => 1,
            WdlProbeResult::Draw => 0,
            WdlProbeResult::BlessedLoss => -1,
            WdlProbeResult::Loss => -2,
        };
        if kind == TableValue::Wdl || result == 0 {
            return Ok(result);
        }
        let distance = library.probe_root(
            white, black, kings, queens, rooks, bishops, knights, pawns, 0, en_passant, is_white,
        );
        match distance.map_err(missing)?.root {
            DtzProbeValue::DtzResult(found) => Ok(i32::from(found.dtz) * result.signum()),
            DtzProbeValue::Checkmate => Ok(-1),
            DtzProbeValue::Stalemate => Ok(0),
            DtzProbeValue::Failed => Err(Unknown::Failed("no distance")),
        }
    }
}

/// Returns the reason why a table cannot be used, if there is one.
fn find_damage(file: &Path, kind: TableValue) -> Option<String> {
    let magic: u32 = match kind {
        TableValue::Wdl => 0x5d23_e871,
        TableValue::Dtz => 0xa50c_66d7,
    };
    let damage = || -> io::Result<Option<&str>> {
        let file = File::open(file)?;
        let length = file.metadata()?.len();
        if length < SHORTEST || length % PADDING != LENGTH {
            return Ok(Some("wrong length"));
        }
        let mut head = [0; 4];
        let mut file = BufReader::new(file);
        file.read_exact(&mut head)?;
        if head != magic.to_le_bytes() {
            return Ok(Some("not a Syzygy table of this kind"));
        }
        let sum = checksum(&mut head.chain(&mut file), length - LENGTH)?;
        let mut expected = [0; LENGTH as usize];
        file.read_exact(&mut expected)?;
        Ok((sum != expected).then_some("wrong checksum"))
    };
    match damage() {
        Ok(damage) => damage.map(str::to_owned),
        Err(error) => Some(error.to_string()),
    }
}

/// The attacks of pieces, for the library.
#[derive(Clone)]
struct Attacks;

fn square(index: u64) -> Square {
    Square::new(index as u8 & 63)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, from: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::White => Color::White,
            pyrrhic_rs::Color::Black => Color::Black,
        };
        board::pawn_attacks(color, square(from)).0
    }

    fn knight_attacks(from: u64) -> u64 {
        board::knight_attacks(square(from)).0
    }

    fn bishop_attacks(from: u64, occupied: u64) -> u64 {
        board::bishop_attacks(square(from), SquareSet(occupied)).0
    }

    fn rook_attacks(from: u64, occupied: u64) -> u64 {
        board::rook_attacks(square(from), SquareSet(occupied)).0
    }

    fn queen_attacks(from: u64, occupied: u64) -> u64 {
        board::queen_attacks(square(from), SquareSet(occupied)).0
    }

    fn king_attacks(from: u64) -> u64 {
        board::king_attacks(square(from)).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_checked_to_their_end() {
        const CHUNK: usize = 1 << 24;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("KQRvKQ.rtbw");
        let mut table: Vec<u8> = (0..2 * CHUNK + 4160).map(|i| (i ^ i >> 13) as u8).collect();
        table[..4].copy_from_slice(&0x5d23_e871_u32.to_le_bytes());
        let sum = checksum(&mut &table[..], table.len() as u64).expect("a checksum");
        table.extend(sum);
        let check = |change: &dyn Fn(&mut Vec<u8>), expected: Option<&str>| {
            let mut changed = table.clone();
            change(&mut changed);
            std::fs::write(&file, changed).expect("a file");
            assert_eq!(find_damage(&file, TableValue::Wdl).as_deref(), expected);
        };
        check(&|_| {}, None);
        for at in [5, CHUNK - 1, CHUNK, 2 * CHUNK - 1, 2 * CHUNK + 4159, 2 * CHUNK + 4175] {
            check(&|table| table[at] ^= 16, Some("wrong checksum"));
        }
        // Cut where a chunk or a block ends: the last bytes are no checksum.
        for end in [CHUNK + 16, 2 * CHUNK + 16, 2 * CHUNK + 4112] {
            check(&|table| table.truncate(end), Some("wrong checksum"));
        }
        check(&|table| table.truncate(2 * CHUNK), Some("wrong length"));
        check(&|table| table.push(0), Some("wrong length"));
    }
}
