//! File formats for tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file format for tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema, strum::Display)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// Apache Parquet, Zstandard-compressed, provenance in the file's metadata.
    Parquet,
    /// Comma-separated values with a header line.
    Csv,
    /// A JSON list of objects.
    Json,
    /// A Markdown table.
    Markdown,
}

impl Format {
    /// The default format of files.
    pub const OF_FILES: Self = if cfg!(feature = "parquet") { Self::Parquet } else { Self::Csv };

    /// Whether this build can write it.
    #[must_use]
    pub const fn can_be_written(self) -> bool {
        !matches!(self, Self::Parquet) || cfg!(feature = "parquet")
    }
}
