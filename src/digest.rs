//! SHA-256, as text.

use sha2::{Digest, Sha256};

/// A fingerprint (SHA-256, hexadecimal) of several texts, one after the other.
#[must_use]
pub(crate) fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    hexadecimal(texts.into_iter().fold(Sha256::new(), |hash, text| hash.chain_update(text)))
}

/// A finished hash as text.
pub(crate) fn hexadecimal(hash: Sha256) -> String {
    use std::fmt::Write as _;
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
