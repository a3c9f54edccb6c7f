//! The number of games of an input, as `lastgamenumber` counts them.

use std::io;

use memchr::memmem::Finder;

use crate::run::Input;

/// Every game is taken to have one White tag.
const MARK: &[u8] = b"[White ";

/// Counts the games of `input` by their White tags, as the reference does: wherever the bytes
/// `[White ` stand, comments included.
///
/// # Errors
/// Those of reading the input.
pub fn count_games(input: &dyn Input) -> io::Result<u64> {
    let finder = Finder::new(MARK);
    let mut buffer = vec![0; 1 << 20];
    let (mut offset, mut kept, mut count) = (0, 0, 0);
    loop {
        let read = match input.read_at(offset, &mut buffer[kept..]) {
            Ok(0) => return Ok(count),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        offset += read as u64;
        let end = kept + read;
        count += finder.find_iter(&buffer[..end]).count() as u64;
        // a mark may be cut in two; what is kept is too short to hold a whole one
        kept = end.min(MARK.len() - 1);
        buffer.copy_within(end - kept..end, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_wherever_they_are_cut() {
        /// Gives one byte at a time.
        struct Drops<'a>(&'a [u8]);
        impl Input for Drops<'_> {
            fn size(&self) -> u64 {
                self.0.size()
            }
            fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
                let n = buffer.len().min(1);
                self.0.read_at(offset, &mut buffer[..n])
            }
        }
        let text = b"[White \"A\"]\n[Black \"B\"]\n\n1.e4 {[White } *\n\n[White \"C\"]\n\n*\n";
        assert_eq!(count_games(&text.as_slice()).expect("reads"), 3);
        assert_eq!(count_games(&Drops(text)).expect("reads"), 3);
        assert_eq!(count_games(&[].as_slice()).expect("reads"), 0);
    }
}
