//! JSON that this program has written, read again.

use serde::de::DeserializeOwned;

/// What the bytes say; none where they say nothing of the kind. They are text first, because `serde_json::from_slice` would be
/// compiled beside `from_str` for every type.
pub(crate) fn of_json<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_str(std::str::from_utf8(bytes).ok()?).ok()
}
