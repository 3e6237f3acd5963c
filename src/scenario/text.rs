//! Reads files as text, up to a size limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read, in bytes.
pub const LARGEST_FILE: u64 = 64 << 20;

/// Reads the text of a file.
///
/// # Errors
/// When it cannot be read, is larger than [`LARGEST_FILE`], is not text in UTF-8, or is a pipe or a device. A pipe that
/// was opened for the program (`/dev/stdin`, `<(...)` in a shell) is read; others might never begin or end.
pub fn read_text(path: &Path) -> io::Result<String> {
    Ok(read_marked(path)?.0)
}

/// Reads the text of a file as [`read_text`] does; also whether a byte order mark stands before it.
pub(super) fn read_marked(path: &Path) -> io::Result<(String, bool)> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let was_opened =
        ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|of| path.starts_with(of));
    if !found.is_file() && !was_opened {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    crate::inputs::note(path);
    read_marked_stream(&mut File::open(path)?)
}

/// Reads the text of a stream, up to [`LARGEST_FILE`]; also whether a byte order mark stands before it.
///
/// # Errors
/// When it cannot be read, is larger than that, or is not text in UTF-8.
pub(super) fn read_marked_stream(stream: &mut dyn Read) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    stream.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    let too_large = bytes.len() as u64 > LARGEST_FILE;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // The limit may have cut a character in two.
        Err(_) if too_large => String::new(),
        Err(error) => return Err(not_utf8(&error)),
    };
    if too_large {
        let why = format!("it is larger than {} MB, the most that is read", LARGEST_FILE >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(without_mark(text))
}

/// The byte order mark with which some editors begin a file. It means nothing in UTF-8, and JSON does not allow it.
pub(super) const MARK: char = '\u{feff}';

/// Removes the byte order mark from a text; also returns whether there was one.
fn without_mark(mut text: String) -> (String, bool) {
    let is_marked = text.starts_with(MARK);
    if is_marked {
        text.drain(..MARK.len_utf8());
    }
    (text, is_marked)
}

/// The error for a text that is not UTF-8: the line where it stops being so, and the likely encoding.
fn not_utf8(error: &std::string::FromUtf8Error) -> io::Error {
    let at = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
    let kind = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => ", it looks like UTF-16",
        _ if bytes.contains(&0) => ", it is no text at all",
        _ => ", it looks like Latin-1 (Windows-1252)",
    };
    io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is not UTF-8{kind}"))
}

/// Whether a path that a file names stays below a folder: it is relative, does not climb out, and no symbolic link
/// leads out.
#[must_use]
pub fn stays_below(folder: &Path, path: &Path) -> bool {
    use std::path::Component;
    let mut depth = 0_i32;
    for part in path.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => depth -= 1,
            Component::RootDir | Component::Prefix(_) => return false,
        }
        if depth < 0 {
            return false;
        }
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let whole = folder.join(path);
    // A file that does not exist yet will be where its nearest existing ancestor is.
    let nearest = whole.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    match (folder.canonicalize(), nearest) {
        (Ok(folder), Some(nearest)) => nearest.starts_with(folder),
        // The folder does not exist, so nothing can be read from it.
        (Err(_), _) | (_, None) => true,
    }
}
/// Gives a text the line ends of another one.
pub(super) fn with_line_ends_of(other: &str, text: String) -> String {
    match other.contains("\r\n") {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text,
    }
}
