//! Treats lack of memory as an ordinary error where sizes depend on what is read.

use std::io;

/// Makes a buffer `length` bytes long; new bytes are zero.
///
/// # Errors
/// There is not enough memory.
pub fn resize(bytes: &mut Vec<u8>, length: usize) -> io::Result<()> {
    let more = length.saturating_sub(bytes.len());
    if bytes.try_reserve(more).is_err() {
        let message = format!("not enough memory: cannot allocate {length} bytes");
        return Err(io::Error::new(io::ErrorKind::OutOfMemory, message));
    }
    bytes.resize(length, 0);
    Ok(())
}

/// Returns the error for a thread that cannot be created. If memory for its stack is short, the
/// system only reports "temporarily unavailable".
#[must_use]
pub fn no_thread(error: &io::Error) -> io::Error {
    let message = format!("not enough memory for another thread, or too many of them: {error}");
    io::Error::new(io::ErrorKind::OutOfMemory, message)
}

/// Whether an error means lack of memory, in this program or in a decompression library.
#[must_use]
pub fn is_shortage(error: &io::Error) -> bool {
    let said = error.to_string();
    let of_library = ["not enough memory", "too much memory", "could not allocate"];
    error.kind() == io::ErrorKind::OutOfMemory || of_library.iter().any(|text| said.contains(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_to_be_had_is_an_error() {
        let mut bytes = vec![1, 2];
        resize(&mut bytes, 3).expect("memory");
        assert_eq!(bytes, [1, 2, 0]);
        resize(&mut bytes, 1).expect("memory");
        assert_eq!(bytes, [1]);
        let error = resize(&mut bytes, usize::MAX / 2).expect_err("too much");
        assert!(is_shortage(&error), "{error}");
        assert_eq!(bytes, [1]);
        assert!(is_shortage(&no_thread(&io::ErrorKind::WouldBlock.into())));
        // as zstd reports it
        for text in [
            "Allocation error : not enough memory",
            "Frame requires too much memory for decoding",
            "zstd could not allocate a decompression context",
        ] {
            assert!(is_shortage(&io::Error::other(text)), "{text}");
        }
        assert!(!is_shortage(&io::Error::other("Data corruption detected")));
    }
}
