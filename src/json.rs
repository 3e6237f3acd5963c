//! Reading of JSON that this program has written.

use serde::de::DeserializeOwned;

/// Parses bytes as JSON; none where they are no JSON of this type. They are turned into text first, because
/// `serde_json::from_slice` would be compiled beside `from_str` for every type.
pub(crate) fn of_json<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_str(std::str::from_utf8(bytes).ok()?).ok()
}
