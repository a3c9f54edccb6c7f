//! Texts of sources stored in an archive, so that the source files can be deleted.
//!
//! Each text is a file of its own in the seekable format of Zstandard: frames of 64 KiB of text,
//! followed by a table of their sizes, which decoders skip. So `zstd -d` restores the text, and
//! reading a part of it means decompressing one or two frames. Each frame has a checksum; that of
//! the table is in the manifest.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use flow::{Cancel, Input, Interruption, ReadError};
use xxhash_rust::xxh3::Xxh3;
use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, DCtx, get_error_name};

use crate::archive::Archive;
use crate::error::{Error, Refusal};
use crate::fresh::Fresh;
use crate::ipc::checksum;
use crate::manifest::{ArchivedText, Manifest, NAME, TextAccess, shown};
use crate::plan::Base;
use crate::segment::SegmentFile;

/// Size of a frame in bytes of text.
const FRAME: usize = 64 << 10;

/// Compression level: achieves most of the possible gain at some hundred MB per second.
const LEVEL: i32 = 3;

/// Number of decompressed frames that are cached.
const KEPT: usize = 8;

// Constants of the format.
const SKIPPED: u32 = 0x184d_2a5e;
const SEEKABLE: u32 = 0x8f92_eab1;
const ENTRY: usize = 8;
const FOOTER: usize = 9;

/// Sizes and checksum of a stored text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed {
    /// Size of the text in bytes.
    pub(crate) text_bytes: u64,
    /// Size of the file in bytes.
    pub(crate) bytes: u64,
    /// Checksum of the table.
    pub(crate) table: u64,
}

impl ArchivedText {
    /// The sizes and the checksum from the manifest; `None` if the checksum is malformed.
    fn packed(&self) -> Option<Packed> {
        Some(Packed {
            text_bytes: self.text_bytes,
            bytes: self.bytes,
            table: u64::from_str_radix(&self.checksum, 16).ok()?,
        })
    }
}

impl Archive {
    /// Returns the text of the source with this index in the manifest, or `None` if the archive
    /// does not store it.
    ///
    /// # Errors
    /// The text cannot be read, or differs from what was written.
    pub fn text(&self, source: usize) -> Result<Option<Arc<dyn Input>>, Error> {
        let opened = self.open_text(source)?;
        Ok(opened.map(|text| Arc::new(text) as Arc<dyn Input>))
    }

    pub(crate) fn open_text(&self, source: usize) -> Result<Option<Text>, Error> {
        let source = self.manifest().sources.get(source);
        let Some(text) = source.and_then(|source| source.text.as_ref()) else {
            return Ok(None);
        };
        let packed = text.packed();
        let packed =
            packed.ok_or_else(|| Error::Damaged("one of its checksums is malformed".to_owned()))?;
        let opened = self.file(&text.name).and_then(|file| Text::of(file, packed));
        opened.map(Some).map_err(|error| error.in_file(&text.name))
    }
}

/// Adds the texts of all sources that have none yet to the archive in a folder, and marks the
/// archive as storing texts. `open` returns the text of a source by its index in the manifest.
/// `go_on` receives the number of bytes done and cancels the work by returning `false`. The archive
/// stays as it was until all texts have been written and verified.
///
/// # Errors
/// The archive or a text cannot be read, a text cannot be written, or a text is not the one whose
/// games the archive has.
pub fn keep_texts(
    folder: &Path,
    mut open: impl FnMut(usize) -> Result<Box<dyn Read>, Error>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Manifest, Error> {
    let Base { manifest, name } = Base::of(folder, Some(Manifest::read(folder)?));
    let mut manifest = manifest.ok_or(Error::Missing)?;
    if !manifest.keeps_text() {
        // Recorded first, so that a resumed run knows what the archive should become.
        manifest.set_keeps_text(true);
        manifest.write(folder, name)?;
    }
    let mut done = 0;
    for number in 0..manifest.sources.len() {
        if manifest.sources[number].text.is_some() {
            continue;
        }
        let text = open(number)?;
        let mut visit = |n| go_on(done + n);
        let kept = keep_text(folder, &manifest, number, text, &mut visit)?;
        done += kept.text_bytes;
        manifest.sources[number].text = Some(kept);
    }
    for file in &manifest.files {
        if !manifest.has_only(file) {
            file.is_as_before()?;
        }
    }
    manifest.settle(folder, name)?;
    Ok(manifest)
}

/// Writes the text of a source to the folder, and verifies it by reading it again.
fn keep_text(
    folder: &Path,
    manifest: &Manifest,
    number: usize,
    text: impl Read,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<ArchivedText, Error> {
    let source = &manifest.sources[number];
    let refused =
        |error: ReadError| Error::unreadable(format!("keeping the text of {}", source.name), error);
    let failed = |error: io::Error| refused(error.into());
    let ended = || refused(Interruption::Cancelled.into());
    let mut visit = |n| go_on(n).then_some(()).ok_or(Interruption::Cancelled.into());
    let mut fresh = Fresh::create_with_folder(folder).map_err(failed)?;
    let packed = pack(text, &mut fresh, &mut visit).map_err(failed)?;
    let checksum = shown(packed.table);
    let name = format!("{number:05}-{}.zst", &checksum[..8]);
    fresh.put_in(folder, &name)?;
    let file = SegmentFile::open(&folder.join(&name), &Cancel::default())?;
    let text = Text::of(file, packed).map_err(|error| error.in_file(&name))?;
    let mut sum = |line_end: u8| {
        let sum = text.sum(line_end, || go_on(packed.text_bytes));
        let sum = sum.map_err(|error| error.in_file(&name))?;
        sum.map(shown).ok_or_else(ended)
    };
    let as_kept = sum(b'\n')?;
    // A text whose lines end with CR alone is read, and kept, with LF.
    if let Some(file) = manifest.files.get(source.file as usize)
        && source.form == TextAccess::Pgn
        && file.checksum != as_kept
        && file.checksum != sum(b'\r')?
    {
        return Err(refused(Refusal::Changed.into()));
    }
    Ok(ArchivedText { name, bytes: packed.bytes, text_bytes: packed.text_bytes, checksum })
}

/// Removes the texts from the archive in a folder.
///
/// # Errors
/// The archive cannot be read or written, or has the only text of a file.
pub fn drop_texts(folder: &Path) -> Result<(), Error> {
    let mut manifest = match Manifest::read(folder) {
        Err(Error::Missing) => return Ok(()),
        manifest => manifest?,
    };
    if let Some(gone) = manifest.files.iter().find(|file| manifest.has_only(file)) {
        let refusal = Refusal::KeepsOnlyText(gone.name.clone());
        return Err(Error::unreadable(folder.display().to_string(), refusal));
    }
    if !manifest.keeps_text() {
        return Ok(());
    }
    manifest.set_keeps_text(false);
    manifest.settle(folder, NAME)
}

/// Compresses a text. Calls `go_on` after each frame with the number of bytes of text done.
pub(crate) fn pack(
    mut text: impl Read,
    mut out: impl Write,
    go_on: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<Packed> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    let (mut frame, mut entries) = (Vec::with_capacity(FRAME), Vec::new());
    let (mut text_bytes, mut bytes) = (0, 0);
    loop {
        frame.clear();
        (&mut text).take(FRAME as u64).read_to_end(&mut frame)?;
        if frame.is_empty() {
            break;
        }
        let packed = compressor.compress(&frame)?;
        out.write_all(&packed)?;
        entries.extend((packed.len() as u32).to_le_bytes());
        entries.extend((frame.len() as u32).to_le_bytes());
        text_bytes += frame.len() as u64;
        bytes += packed.len() as u64;
        go_on(text_bytes)?;
    }
    let number = |n: usize| {
        let message = "it has more text than the format can address";
        u32::try_from(n).map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, message))
    };
    let n_frames = number(entries.len() / ENTRY)?;
    let length = number(entries.len() + FOOTER)?;
    let mut table = Vec::new();
    table.extend(SKIPPED.to_le_bytes());
    table.extend(length.to_le_bytes());
    table.append(&mut entries);
    table.extend(n_frames.to_le_bytes());
    // The table has no checksums, because each frame has its own.
    table.push(0);
    table.extend(SEEKABLE.to_le_bytes());
    out.write_all(&table)?;
    Ok(Packed { text_bytes, bytes: bytes + table.len() as u64, table: checksum(&table) })
}

/// Compresses a text as [`keep_texts`] does, lets `change` modify the file, and then reads a few
/// bytes at each of some places. For fuzzing: the checksum of the table is that of the modified
/// file, as if the attacker could write it, too.
///
/// # Errors
/// The modified file cannot be read, in general or at one of the places.
#[doc(hidden)]
pub fn read_changed(
    text: &[u8],
    change: impl FnOnce(&mut [u8]),
    places: impl IntoIterator<Item = u64>,
) -> Result<Vec<Vec<u8>>, Error> {
    let failed = |error: io::Error| Error::unreadable("", error);
    let mut file = Vec::new();
    let packed = pack(text, &mut file, &mut |_| Ok(())).map_err(failed)?;
    change(&mut file);
    // The table that the footer describes.
    let n_frames = match file.last_chunk::<FOOTER>() {
        Some([a, b, c, d, ..]) => u32::from_le_bytes([*a, *b, *c, *d]) as usize,
        None => 0,
    };
    let length = n_frames.saturating_mul(ENTRY).saturating_add(8 + FOOTER);
    let table = checksum(&file[file.len().saturating_sub(length)..]);
    let text = Text::of(&file[..], Packed { table, ..packed })?;
    let read = |place| {
        let mut part = vec![0; 99];
        let n = text.read_at(place, &mut part).map_err(failed)?;
        part.truncate(n);
        Ok(part)
    };
    places.into_iter().map(read).collect()
}

/// The stored text of a source, readable at any offset.
pub(crate) struct Text<I = SegmentFile> {
    input: I,
    /// Offset of each frame in the file and in the text, and the ends of the last one.
    frames: Vec<(u64, u64)>,
    /// Recently used frames, the newest first.
    kept: Mutex<VecDeque<(usize, Arc<Vec<u8>>)>>,
}

impl<I: Input> Text<I> {
    /// Reads and checks the table of a stored text.
    fn of(input: I, packed: Packed) -> Result<Text<I>, Error> {
        let damaged = |what: &str| Error::Damaged(what.to_owned());
        if input.size() != packed.bytes {
            return Err(damaged("the text in it has another size"));
        }
        let footer = packed.bytes.checked_sub(FOOTER as u64);
        let footer = footer.ok_or_else(|| damaged("the text in it is cut off"))?;
        let mut bytes = vec![0; FOOTER];
        read_exactly(&input, footer, &mut bytes)?;
        let n_frames = bytes.first_chunk().map_or(0, |n| u32::from_le_bytes(*n));
        let length = 8 + u64::from(n_frames) * ENTRY as u64 + FOOTER as u64;
        let start = packed.bytes.checked_sub(length);
        let start = start.ok_or_else(|| damaged("the text in it is cut off"))?;
        // At most the size of the file.
        let length = length as usize;
        let mut table = Error::room(length)?;
        read_exactly(&input, start, &mut table)?;
        if checksum(&table) != packed.table {
            return Err(damaged("the index of its text is damaged"));
        }
        let (mut at, mut in_text) = (0, 0);
        let mut frames = vec![(0, 0)];
        let (entries, _) = table[8..length - FOOTER].as_chunks::<4>();
        for sizes in entries.chunks_exact(2) {
            at += u64::from(u32::from_le_bytes(sizes[0]));
            in_text += u64::from(u32::from_le_bytes(sizes[1]));
            frames.push((at, in_text));
        }
        let is_short = |pair: &[(u64, u64)]| {
            pair[1].1 - pair[0].1 <= FRAME as u64 && pair[1].0 - pair[0].0 <= 2 * FRAME as u64
        };
        let is_sound = frames.windows(2).all(is_short);
        if is_sound && (at, in_text) == (start, packed.text_bytes) {
            Ok(Text { input, frames, kept: Mutex::default() })
        } else {
            Err(damaged("the index of its text is malformed"))
        }
    }

    /// Returns the decompressed text of a frame, from the cache if possible.
    fn frame(&self, number: usize) -> Result<Arc<Vec<u8>>, Error> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, frame)) = lock().iter().find(|(kept, _)| *kept == number) {
            return Ok(frame.clone());
        }
        let [(start, text_start), (end, text_end)] = self.frames[number..number + 2] else {
            return Err(Error::Damaged("its text ends early".to_owned()));
        };
        let mut packed = Error::room((end - start) as usize)?;
        read_exactly(&self.input, start, &mut packed)?;
        let length = (text_end - text_start) as usize;
        let mut frame = Error::room(length)?;
        // `Decompressor::new` panics if memory is short.
        let context = DCtx::try_create();
        let no_memory = || Error::unreadable("", Refusal::NoMemory);
        let mut context = context.ok_or_else(no_memory)?;
        match context.decompress(&mut frame[..], &packed) {
            Ok(n) if n == length => {}
            Err(code) if get_error_name(code).contains("memory") => return Err(no_memory()),
            _ => return Err(Error::Damaged("the text in it is damaged".to_owned())),
        }
        let frame = Arc::new(frame);
        let mut kept = lock();
        kept.push_front((number, frame.clone()));
        kept.truncate(KEPT);
        Ok(frame)
    }

    /// Reads exactly the requested bytes, or fails.
    pub(crate) fn read_exactly(&self, start: u64, bytes: &mut [u8]) -> Result<(), Error> {
        read_exactly(self, start, bytes)
    }

    /// Decompresses the whole text. Returns its checksum with each LF as `line_end`, or `None` if
    /// `go_on` returned `false`.
    pub(crate) fn sum(
        &self,
        line_end: u8,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Option<u64>, Error> {
        let mut hash = Xxh3::new();
        for number in 0..self.frames.len() - 1 {
            let frame = self.frame(number)?;
            match line_end {
                b'\n' => hash.update(&frame),
                _ => {
                    let bytes = frame.iter();
                    let ended = bytes.map(|&byte| if byte == b'\n' { line_end } else { byte });
                    hash.update(&ended.collect::<Vec<u8>>());
                }
            }
            if !go_on() {
                return Ok(None);
            }
        }
        Ok(Some(hash.digest()))
    }
}

impl<I: Input> Input for Text<I> {
    fn size(&self) -> u64 {
        self.frames.last().map_or(0, |end| end.1)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if offset >= self.size() {
            return Ok(0);
        }
        let behind = self.frames.partition_point(|frame| frame.1 <= offset);
        let number = behind.saturating_sub(1);
        let frame = self.frame(number).map_err(|error| match error {
            Error::Damaged(what) => io::Error::new(io::ErrorKind::InvalidData, what),
            other => io::Error::other(other),
        })?;
        let in_frame = (offset - self.frames[number].1) as usize;
        let rest = frame.get(in_frame..).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

fn read_exactly(input: &impl Input, start: u64, bytes: &mut [u8]) -> Result<(), Error> {
    match input.fill_at(start, bytes) {
        Ok(n) if n == bytes.len() => Ok(()),
        Ok(_) => Err(Error::Damaged("the text in it is cut off".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(Error::Damaged(error.to_string()))
        }
        Err(error) => Err(Error::unreadable("", error)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn packed(text: &[u8]) -> (Vec<u8>, Packed) {
        let mut out = Vec::new();
        let packed = pack(text, &mut out, &mut |_| Ok(())).expect("packed");
        assert_eq!(packed.bytes, out.len() as u64);
        (out, packed)
    }

    fn read(file: &[u8], packed: Packed) -> Result<Vec<u8>, Error> {
        let text = Text::of(file, packed)?;
        text.sum(b'\n', || true)?;
        let (mut bytes, mut at) = (vec![0; text.size() as usize], 0);
        while at < bytes.len() {
            at += text.read_at(at as u64, &mut bytes[at..]).expect("read");
        }
        Ok(bytes)
    }

    /// A text that does not compress well.
    fn noise(length: usize) -> Vec<u8> {
        let byte = |n: u32| (n.wrapping_mul(n) >> 7) as u8;
        (0..length as u32).map(byte).collect()
    }

    /// Reading a part of a damaged file fails or gives the original bytes.
    fn check_parts(file: &[u8], packed: Packed, text: &[u8]) {
        let Ok(damaged) = Text::of(file, packed) else {
            return;
        };
        for start in (0..text.len()).step_by(FRAME / 2) {
            let mut part = [0; 99];
            if let Ok(n) = damaged.read_at(start as u64, &mut part) {
                assert!(text[start..].starts_with(&part[..n]), "at {start}");
            }
        }
    }

    #[test]
    fn every_byte_may_be_damaged() {
        // All bytes of a short file; for a long one, some of its frames and the whole table.
        for (length, step) in [(300, 1), (FRAME + 99, 997)] {
            let text = noise(length);
            let (mut file, packed) = packed(&text);
            assert_eq!(read(&file, packed).as_ref(), Ok(&text));
            let end = file.len();
            for at in (0..end - 40).step_by(step).chain(end - 40..end) {
                for change in [1, 0x80, 0xff] {
                    file[at] ^= change;
                    assert!(read(&file, packed).is_err(), "byte {at} of {length}");
                    check_parts(&file, packed, &text);
                    file[at] ^= change;
                }
                assert!(read(&file[..at], packed).is_err(), "cut at {at}");
            }
        }
    }

    #[test]
    fn any_decoder_makes_the_text_of_it() {
        for text in [&b""[..], b"a game", &vec![b'x'; 3 * FRAME]] {
            let (file, packed) = packed(text);
            assert_eq!(zstd::decode_all(&file[..]).expect("decoded"), text);
            assert_eq!(read(&file, packed).as_deref(), Ok(text));
        }
    }

    proptest! {
        #[test]
        fn parts_are_those_of_the_text(
            seed: u64, length in 0..3 * FRAME, parts in proptest::collection::vec((0..3 * FRAME, 0..2 * FRAME), 1..20)
        ) {
            let mut state = seed;
            let byte = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                b"abcdefgh12345678"[(state >> 60) as usize]
            };
            let text: Vec<u8> = (0..length).map(byte).collect();
            let (file, packed) = packed(&text);
            let unpacked = Text::of(&file[..], packed).expect("a text");
            for (start, n) in parts {
                let mut buffer = vec![0; n];
                let read = unpacked.read_at(start as u64, &mut buffer).expect("read");
                prop_assert_eq!(&buffer[..read], text.get(start..start + read).unwrap_or_default());
                prop_assert_eq!(read == 0, n == 0 || start >= length);
            }
        }

        /// An attacker who can write checksums can write any table.
        #[test]
        fn any_table_does_no_harm(
            length in 0..2 * FRAME,
            changes in proptest::collection::vec((0..40_usize, any::<u8>()), 0..9),
            places in proptest::collection::vec(0..3 * FRAME as u64, 1..9)
        ) {
            let text = noise(length);
            let change = |file: &mut [u8]| {
                let end = file.len();
                for (from_end, byte) in &changes {
                    file[end - 1 - from_end % end] = *byte;
                }
            };
            let read = read_changed(&text, change, places.iter().copied());
            if changes.is_empty() {
                for (place, part) in places.iter().zip(read.expect("not changed")) {
                    let rest = text.get(*place as usize..).unwrap_or_default();
                    prop_assert!(rest.starts_with(&part) && part.is_empty() == rest.is_empty());
                }
            }
        }
    }
}
