//! The errors that callers of the crate receive.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use board::counted;
use zip::result::ZipError;

use super::format::{ARCHIVES, COMPRESSED, InputFormat, searched_extensions};

/// Reason why an option or a file is refused, or why a file cannot be read.
///
/// Messages are in lower case, without a full stop. As an [`io::Error`] it keeps its message, and
/// an output that is read has the kind [`io::ErrorKind::AlreadyExists`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No encoding has this name.
    UnknownEncoding(String),
    /// No format has this name.
    UnknownFormat(String),
    /// The file of a part does not have the size that it had when it was cut.
    Changed(PathBuf),
    /// The size of the file of a part cannot be determined.
    Unreadable(PathBuf, io::Error),
    /// The output is a file that is read, whether by another name, through a link, or as a hard
    /// link.
    Overwrites {
        /// The output.
        target: PathBuf,
        /// Way in which the run reads it.
        read: ReadAs,
    },
    /// Standard output is this file, which is read.
    OverwritesByStdout(PathBuf),
    /// There is no such file.
    NoSuchFile,
    /// There is no such file, and the name is not a pattern either.
    NotAPattern(glob::PatternError),
    /// No name of a file matches the pattern.
    NoMatch,
    /// No address of games matches the pattern, or is in the folder.
    NoMatchingAddress,
    /// The directory holds no games.
    EmptyDirectory,
    /// The contents are of this kind, which has no games that can be read.
    Foreign(&'static str),
    /// The contents are JSON that is not of games.
    ForeignJson,
    /// The table of puzzles lacks these columns.
    MissingColumns(Vec<&'static str>),
    /// The input can be read only once.
    AlreadyRead,
    /// Reading the input has failed before.
    FailedBefore,
    /// The decompressed contents are compressed.
    CompressedTwice,
    /// An archive of this kind is in a pipe.
    ArchiveInPipe(&'static str),
    /// The zip archive is damaged, or packed in an unknown way.
    Zip(ZipError),
    /// The list of the zip archive's members is cut off or damaged; this many members were read by
    /// their own headers.
    ZipList(ZipError, usize),
    /// The name of the zip archive's member with this number is damaged.
    DamagedName(usize),
    /// The data of a member of a zip archive are damaged.
    DamagedMember(io::Error),
    /// The tar archive is cut off.
    TarCutOff,
    /// The tar archive is damaged in this way.
    DamagedTar(&'static str),
    /// The 7z archive is cut off.
    SevenZipCutOff,
    /// The list of members of the 7z archive is damaged.
    DamagedSevenZip,
    /// A member of a 7z archive has another checksum.
    MemberChecksum,
    /// The data of a member of a 7z archive are cut off.
    MemberCutOff,
    /// A member of a 7z archive is encrypted.
    EncryptedMember,
    /// A member of a 7z archive is compressed by this method, which is not read.
    UnreadMethod(String),
    /// No member of the archive may hold games.
    NoMember,
    /// The member of an archive is itself compressed or an archive.
    PackedMember,
    /// The member of a tar archive is stored with holes.
    SparseMember,
    /// A table in Parquet has no random access.
    TableInOrder,
    /// The table in Parquet does not end with its signature.
    TableCutOff,
    /// The footer of the table in Parquet cannot have this many bytes.
    TableFooterSize(u64),
    /// The footer of the table in Parquet is damaged or cut off.
    TableFooter(io::Error),
    /// The table in Parquet has no moves that can be read, for this reason.
    TableWithoutMoves(&'static str),
    /// A row of the table in Parquet is damaged or cut off.
    TableRow {
        /// Number of rows before it.
        n_read: u64,
        /// Error of reading it.
        error: io::Error,
    },
    /// The Scid database has this version, times 100.
    ScidVersion(u16),
    /// These files are not beside the index of the Scid database.
    ScidAlone(Vec<String>),
    /// This file beside the index of the Scid database cannot be opened.
    Beside(PathBuf, io::Error),
    /// The index of the Scid database is cut off, in its header or after this many games.
    ScidCutOff(Option<u64>),
    /// The index of the Scid database has more records than this number, which it declares.
    ScidRecords(u64),
    /// The names of the Scid database are damaged in this way.
    ScidNames(&'static str),
    /// The file with the moves of the Scid database is cut off.
    ScidMoves {
        /// Number of its bytes.
        at: u64,
        /// Number of games whose moves are not all there.
        n_games: u64,
    },
    /// The file with the moves of the ChessBase database is missing.
    ChessBaseAlone,
    /// The index of the ChessBase database is cut off, in its header or after this many records.
    ChessBaseCutOff(Option<u64>),
    /// Parts of the ChessBase database are missing. All games were read as far as possible.
    ChessBaseDamage {
        /// Endings of files that are missing or cannot be read.
        files: Vec<&'static str>,
        /// Number of games whose moves are not all in their file.
        n_moves: u64,
        /// Number of games whose annotations cannot all be read.
        n_annotations: u64,
        /// Number of games with names that are not in their files.
        n_names: u64,
    },
    /// The list of members of the ChessBase archive is cut off.
    ChessBaseArchiveCutOff,
    /// Parts of the ChessBase archive are damaged.
    ChessBaseArchiveDamaged {
        /// Names of damaged members, which were read up to the damage.
        members: Vec<String>,
        /// Names of databases that cannot be read to the end, each with its error.
        databases: Vec<(String, io::Error)>,
    },
    /// No member of the ChessBase archive is a database that can be read.
    ChessBaseArchiveEmpty,
    /// Compressed data end too early.
    CutOff {
        /// Name of the compression.
        what: &'static str,
        /// Number of compressed bytes.
        at: u64,
    },
    /// Compressed data are damaged.
    Damaged {
        /// Name of the compression.
        what: &'static str,
        /// Number of compressed bytes before the damage, roughly.
        at: u64,
        /// Error of the decoder.
        error: io::Error,
    },
    /// The decompressed text is this many times as long as the compressed one.
    Implausible(u64),
    /// A list of games in JSON is cut off.
    ListCutOff,
    /// The server does not send parts of files.
    NoPieces,
    /// A part is wanted of a file that is compressed.
    PackedPart,
    /// The file is shorter than when the part was cut.
    Shorter,
}

/// Way in which a run reads the file that an output would replace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadAs {
    /// Under the same name, through a link or by another spelling.
    Itself,
    /// As standard input.
    Stdin,
    /// As this file, of which the output is a hard link.
    HardLink(PathBuf),
    /// As text of an archive; the file itself is missing.
    Archived,
}

/// Reason why a table in Parquet has no games at all.
pub(super) const NO_MOVES: &str =
    "it has no column `pgn`, `movetext` or `moves` with the moves of games";

impl Error {
    /// Whether the contents are a table or objects, but not of games.
    pub(super) fn is_of_table_without_games(&self) -> bool {
        matches!(
            self,
            Error::ForeignJson | Error::MissingColumns(_) | Error::TableWithoutMoves(NO_MOVES)
        )
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownEncoding(name) => write!(
                f,
                "unknown encoding '{name}': use auto, utf-8, utf-16le, utf-16be, windows-1250 to \
                 windows-1258, iso-8859-1 to iso-8859-16, koi8-r, macintosh, gb18030, big5, \
                 shift_jis, euc-kr or another one of the Encoding Standard"
            ),
            Error::UnknownFormat(_) => write!(f, "the formats are {}", InputFormat::names(", ")),
            Error::Changed(path) => {
                write!(f, "{} has changed since it was cut", remote::shown(path))
            }
            Error::Unreadable(path, error) => {
                write!(f, "cannot read {}: {error}", remote::shown(path))
            }
            Error::Overwrites { target, read } => {
                write!(f, "the output would overwrite the input: {}", remote::shown(target))?;
                match read {
                    ReadAs::Itself => Ok(()),
                    ReadAs::Stdin => f.write_str(", which is read on standard input"),
                    ReadAs::HardLink(read) => {
                        write!(f, ", which is a hard link to {}", read.display())
                    }
                    ReadAs::Archived => f.write_str(", whose text is read from its archive"),
                }
            }
            Error::OverwritesByStdout(read) => {
                let name = read.display();
                write!(f, "standard output is the input: {name}; give another file")
            }
            Error::NoSuchFile => f.write_str("no such file"),
            Error::NotAPattern(error) => write!(f, "no such file, and not a pattern: {error}"),
            Error::NoMatch => f.write_str("no file name matches the pattern"),
            Error::NoMatchingAddress => f.write_str(
                "no name matches the pattern, or none has the extension of a file of games",
            ),
            Error::EmptyDirectory => write!(
                f,
                "the directory holds no games: expected names that end in .{}, or these followed \
                 by .{}",
                searched_extensions().collect::<Vec<_>>().join(" ."),
                COMPRESSED.join(" .")
            ),
            Error::Foreign(what) => write!(
                f,
                "it is {what}; cql reads {}, also compressed as {}, or in archives ({}), tables in \
                 Parquet, and databases of ChessBase and Scid",
                InputFormat::titles(),
                COMPRESSED.join(", "),
                ARCHIVES.join(", ")
            ),
            Error::ForeignJson => {
                f.write_str("it is JSON, but not as Lichess and Chess.com write games")
            }
            Error::MissingColumns(names) => write!(
                f,
                "the first line of a table of puzzles must name its columns; missing: {}",
                names.join(", ")
            ),
            Error::AlreadyRead => f.write_str("it can be read only once and was already read"),
            Error::FailedBefore => f.write_str("it cannot be read"),
            Error::CompressedTwice => {
                f.write_str("it is compressed more than once: decompress it first")
            }
            Error::ArchiveInPipe(kind) => {
                write!(f, "a {kind} archive cannot be read from a pipe: give the name of the file")
            }
            Error::Zip(error) => match error {
                ZipError::InvalidArchive(what) => write!(f, "the zip archive is damaged: {what}"),
                ZipError::UnsupportedArchive(what) => {
                    write!(f, "the zip archive cannot be read: {what}")
                }
                ZipError::CompressionMethodNotSupported(method) => {
                    write!(f, "compressed by an unknown method ({method}): use deflate")
                }
                ZipError::Io(error) => error.fmt(f),
                other => other.fmt(f),
            },
            Error::ZipList(_, n) => write!(
                f,
                "its list of members is cut off or damaged; read by its own header: {}",
                counted(*n as u64, "member")
            ),
            Error::DamagedName(number) => write!(f, "the name of member {number} is damaged"),
            Error::DamagedMember(error) => write!(f, "damaged in the archive: {error}"),
            Error::TarCutOff => f.write_str("the tar archive is cut off"),
            Error::DamagedTar(what) => write!(f, "the tar archive is damaged: {what}"),
            Error::SevenZipCutOff => f.write_str("the 7z archive is cut off"),
            Error::DamagedSevenZip => {
                f.write_str("the 7z archive is damaged: its list of members cannot be read")
            }
            Error::MemberChecksum => f.write_str("damaged in the archive: its checksum differs"),
            Error::MemberCutOff => f.write_str("damaged in the archive: its data are cut off"),
            Error::EncryptedMember => f.write_str("encrypted in the archive: unpack it first"),
            Error::UnreadMethod(method) => write!(
                f,
                "compressed by {method}, which is not read: unpack it first, or use LZMA2"
            ),
            Error::NoMember => {
                let endings: Vec<&str> = InputFormat::extensions().collect();
                let endings = endings.join(" or .");
                write!(f, "the archive holds no file whose name ends in .{endings}")
            }
            Error::PackedMember => {
                f.write_str("compressed a second time within the archive: decompress it first")
            }
            Error::SparseMember => {
                f.write_str("it is stored with holes: pack it with `tar` without `--sparse`")
            }
            Error::TableInOrder => f.write_str(
                "a table in Parquet can be read only from a file that is not compressed: give the \
                 name of the file",
            ),
            Error::TableCutOff => {
                f.write_str("the table in Parquet is cut off: it does not end with `PAR1`")
            }
            Error::TableFooterSize(n) => {
                write!(f, "the footer of the table in Parquet cannot have {n} bytes")
            }
            Error::TableFooter(error) => {
                f.write_str("the footer of the table in Parquet ")?;
                match error.kind() {
                    io::ErrorKind::UnexpectedEof => f.write_str("is cut off"),
                    _ => write!(f, "cannot be read: {error}"),
                }
            }
            Error::TableWithoutMoves(why) => write!(f, "it is a table in Parquet, but {why}"),
            Error::TableRow { n_read, error } => {
                write!(f, "the table in Parquet cannot be read after row {n_read}: ")?;
                match error.kind() {
                    io::ErrorKind::UnexpectedEof => f.write_str("a page is cut off"),
                    _ => error.fmt(f),
                }
            }
            Error::ScidVersion(version) => write!(
                f,
                "it is a Scid database of version {}.{:02}, and only versions 4 and 5 are read: \
                 open it in Scid, which converts it",
                version / 100,
                version % 100
            ),
            Error::ScidAlone(missing) => write!(
                f,
                "it is the index of a Scid database, and {} is not beside it",
                missing.join(" and ")
            ),
            Error::Beside(path, error) => write!(f, "{}: {error}", path.display()),
            Error::ScidCutOff(after) => {
                f.write_str("the index of the Scid database is cut off")?;
                after.map_or(Ok(()), |n_read| write!(f, " after game {n_read}"))
            }
            Error::ScidRecords(n_games) => write!(
                f,
                "the index of the Scid database has more records than the {n_games} games that it \
                 declares"
            ),
            Error::ScidNames(what) => {
                write!(f, "the names of the Scid database cannot be read: {what}")
            }
            Error::ScidMoves { at, n_games } => write!(
                f,
                "the moves of the Scid database are cut off after byte {at}; games that lack some: \
                 {n_games}"
            ),
            Error::ChessBaseAlone => f.write_str(
                "it is the index of a ChessBase database, and the file with the moves (`.cbg`) is \
                 not beside it",
            ),
            Error::ChessBaseCutOff(after) => {
                f.write_str("the index of the ChessBase database is cut off")?;
                after.map_or(Ok(()), |n_read| write!(f, " after record {n_read}"))
            }
            Error::ChessBaseDamage { files, n_moves, n_annotations, n_names } => {
                let mut parts = Vec::new();
                if !files.is_empty() {
                    parts.push(format!("no `.{}`", files.join("` and no `.")));
                }
                let games = [
                    (n_moves, "games that lack moves"),
                    (n_annotations, "games that lack annotations"),
                    (n_names, "games that lack names"),
                ];
                let games = games.into_iter().filter(|(n, _)| **n > 0);
                parts.extend(games.map(|(n, what)| format!("{what}: {n}")));
                write!(f, "the ChessBase database is damaged: {}", parts.join("; "))
            }
            Error::ChessBaseArchiveCutOff => f.write_str("the ChessBase archive is cut off"),
            Error::ChessBaseArchiveDamaged { members, databases } => {
                let members = Some(members.join(", ")).filter(|members| !members.is_empty());
                let databases = databases.iter().map(|(name, error)| format!("{name}: {error}"));
                let parts: Vec<String> = members.into_iter().chain(databases).collect();
                write!(f, "damaged in the ChessBase archive: {}", parts.join("; "))
            }
            Error::ChessBaseArchiveEmpty => {
                f.write_str("the ChessBase archive holds no database that can be read (`.cbh`)")
            }
            Error::CutOff { what, at } => {
                write!(f, "the {what} data are cut off after compressed byte {at}")
            }
            Error::Damaged { what, at, error } => {
                write!(f, "the {what} data are damaged near compressed byte {at}: {error}")
            }
            Error::Implausible(most) => write!(
                f,
                "its decompressed text is more than {most} times its size, which is implausible \
                 for games; --limits unpacked=N permits more"
            ),
            Error::ListCutOff => f.write_str("the list of games is cut off"),
            Error::NoPieces => f.write_str(
                "the server does not support reading parts of files: search the whole file",
            ),
            Error::PackedPart => {
                f.write_str("parts of a file can be read only if it is not compressed")
            }
            Error::Shorter => f.write_str("it has become shorter"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Unreadable(_, error)
            | Error::DamagedMember(error)
            | Error::TableFooter(error)
            | Error::TableRow { error, .. }
            | Error::Beside(_, error)
            | Error::Damaged { error, .. } => Some(error),
            Error::NotAPattern(error) => Some(error),
            Error::Zip(error) | Error::ZipList(error, _) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match &error {
            Error::UnknownEncoding(_) | Error::UnknownFormat(_) => io::ErrorKind::InvalidInput,
            Error::Unreadable(_, error) => error.kind(),
            Error::Overwrites { .. } | Error::OverwritesByStdout(_) => io::ErrorKind::AlreadyExists,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_io_error_keeps_kind_and_message() {
        let check = |error: Error, kind: io::ErrorKind, message: &str| {
            let error = io::Error::from(error);
            assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
        };
        let overwrites = |read| Error::Overwrites { target: "out.pgn".into(), read };
        let refused = |read, message: &str| {
            let message = format!("the output would overwrite the input: out.pgn{message}");
            check(overwrites(read), io::ErrorKind::AlreadyExists, &message);
        };
        refused(ReadAs::Itself, "");
        refused(ReadAs::Stdin, ", which is read on standard input");
        refused(ReadAs::HardLink("a.pgn".into()), ", which is a hard link to a.pgn");
        refused(ReadAs::Archived, ", whose text is read from its archive");
        let message = "standard output is the input: a.pgn; give another file";
        check(Error::OverwritesByStdout("a.pgn".into()), io::ErrorKind::AlreadyExists, message);
        let message = "a.pgn has changed since it was cut";
        check(Error::Changed("a.pgn".into()), io::ErrorKind::Other, message);
        let gone = io::Error::new(io::ErrorKind::NotFound, "gone");
        let message = "cannot read a.pgn: gone";
        check(Error::Unreadable("a.pgn".into(), gone), io::ErrorKind::NotFound, message);
    }
}
