//! The format of a partial result, format 4.
//!
//! ```text
//! evens partial result, format 4
//! {"program":"evens","version":"0.1.0","asked":{...},"sample":"...","stages":[...],"rows":[...]}
//! (tally of the first stage)(tally of the second) ...
//! (32 bytes: SHA-256 of everything before)
//! ```
//!
//! Two lines of text, so that `head -n 2` tells what it is: the format, and the [`Header`] as one line of JSON. Then
//! come the tallies, one after the other, as [postcard](https://postcard.jamesmunns.com/wire-format) writes them, each
//! as long as the header says. Keys that are added to the header later have a default; whatever else changes raises the
//! format's number, and a program reads its own format alone: format 1 did not know how a unit fared in each match-up,
//! format 2 not how two fared under each condition,
//! and format 3 not what a sweep's arms forfeited.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Ranges;
use crate::json::of_json;
use crate::table::run_id;

/// The format that this program writes.
pub const FORMAT: u32 = 4;

const MAGIC: &str = "evens partial result, format ";
const HASH: usize = 32;

/// What a partial result belongs to, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `evens`.
    pub program: String,
    /// The version of the program that played the battles. Rules may differ between versions, so battles of two
    /// versions do not add up.
    pub version: String,
    /// The job.
    pub asked: Asked,
    /// A digest of how a few battles of the job ended, which tells whether the rules are still the same.
    pub sample: String,
    /// The plays of the job that were begun, in order of play.
    pub stages: Vec<StageNote>,
    /// The names of all plays of the job, in order, where it has several that may be shared out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plays: Vec<String>,
    /// The rows of `rows.partial`, in the order in which they are there.
    #[serde(default)]
    pub rows: Vec<Segment>,
}

/// The settings of a command, as far as they decide what is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The command (`run`, `sweep`, ...).
    pub command: String,
    /// The scenario, as it was named on the command line.
    pub scenario: String,
    /// A fingerprint of the scenario and of the files it reads.
    pub fingerprint: String,
    /// The master seed.
    pub seed: u64,
    /// How many battles were asked for.
    pub battles: u64,
    /// All other flags that matter, with their values; nothing for a flag that takes none.
    pub settings: Vec<(String, String)>,
    /// Inputs of the command that do not decide what is counted: further files, by the flag that names them, and
    /// tables. Where it names files without a flag, `scenario` is only for display.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub besides: Vec<(String, String)>,
}

impl Asked {
    /// An id that tells a run of this job from any other. It does not depend on which tables are written, nor on what
    /// else they are made from.
    #[must_use]
    pub fn run_id(&self) -> String {
        // Units are only told more of in a `run`; `worth` plays their battles again.
        let is_of_tables =
            |name: &str| name == "--table" || name == "--unit" && self.command == "run";
        let matter = self.settings.iter().filter(|(name, _)| !is_of_tables(name));
        let settings = matter.flat_map(|(name, value)| [name.as_str(), value.as_str()]);
        run_id(&self.command, &self.fingerprint, self.seed, self.battles, settings)
    }
}

/// One play: a stream of numbered battles and their sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageNote {
    /// The play's name, which says what it is for.
    pub name: String,
    /// A digest of how its battles are allocated, where that follows from something that was played before.
    pub allocation: String,
    /// How many battles it has when it is done.
    pub planned: u64,
    /// The battles that were counted.
    pub done: Ranges,
    /// How many bytes its tally has.
    pub bytes: u64,
    /// The state of a stopping rule after these battles, where they are the first ones of a run that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<LookNote>,
}

/// The state of a stopping rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookNote {
    /// Whether there is evidence enough.
    pub enough: bool,
    /// The next numbers of battles after which the evidence is looked at; the last one of all is the most battles that
    /// are played. None where these were played.
    pub next: Vec<u64>,
}

/// Rows of battles that follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The first battle.
    pub from: u64,
    /// The one after the last.
    pub to: u64,
    /// How many bytes its rows have.
    pub bytes: u64,
    /// SHA-256 of these bytes, in hexadecimal.
    pub sha256: String,
}

/// Why bytes are no partial result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They were not written by evens.
    Foreign,
    /// They differ from the bytes that were written; the text says how.
    Damaged(&'static str),
    /// Another version wrote them, in this format.
    OtherFormat(u32),
}

/// Writes a partial result. The tallies are those of the header's stages, in their order.
///
/// # Panics
/// Never: a header is always JSON.
#[must_use]
pub fn to_bytes<'b>(header: &Header, tallies: impl IntoIterator<Item = &'b [u8]>) -> Vec<u8> {
    let json = serde_json::to_string(header).expect("a header is made of texts and numbers");
    let mut bytes = format!("{MAGIC}{FORMAT}\n{json}\n").into_bytes();
    tallies.into_iter().for_each(|tally| bytes.extend_from_slice(tally));
    let hash = Sha256::digest(&bytes);
    bytes.extend_from_slice(&hash);
    bytes
}

/// Reads a partial result: its header, and the tally of each of its stages.
///
/// # Errors
/// When the bytes are not those that were written, or of another format.
pub fn of_bytes(bytes: &[u8]) -> Result<(Header, Vec<Vec<u8>>), Unreadable> {
    use Unreadable::Damaged;
    let begins = "it does not begin as a partial result does";
    let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(match resembles_ours(bytes) {
        true => Damaged(begins),
        false => Unreadable::Foreign,
    })?;
    let number = line(rest).ok_or(Damaged("it breaks off"))?;
    let format = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok());
    let format: u32 = format.ok_or(Damaged("it does not say which format it has"))?;
    // The checksum of another format may be elsewhere.
    if format != FORMAT {
        return Err(Unreadable::OtherFormat(format));
    }
    let end = bytes.len().checked_sub(HASH).ok_or(Damaged("it breaks off"))?;
    let (held, hash) = bytes.split_at(end);
    if Sha256::digest(held)[..] != *hash {
        return Err(Damaged("its checksum does not fit its bytes"));
    }
    let begin = MAGIC.len() + number.len() + 1;
    let held = held.get(begin..).ok_or(Damaged("it breaks off"))?;
    let json = line(held).ok_or(Damaged("it breaks off"))?;
    let header: Header = of_json(json).ok_or(Damaged("its header cannot be read"))?;
    let mut rest = &held[json.len() + 1..];
    let mut tallies = Vec::with_capacity(header.stages.len().min(64));
    for stage in &header.stages {
        let length = usize::try_from(stage.bytes).ok().filter(|&length| length <= rest.len());
        let length = length.ok_or(Damaged("its tallies are shorter than it says"))?;
        if !stage.done.is_sound() {
            return Err(Damaged("its ranges of battles are none"));
        }
        let (tally, after) = rest.split_at(length);
        tallies.push(tally.to_vec());
        rest = after;
    }
    if rest.is_empty() {
        Ok((header, tallies))
    } else {
        Err(Damaged("its tallies are longer than it says"))
    }
}

/// Whether bytes that do not begin as a partial result does may have been one: at least half of the beginning is right.
fn resembles_ours(bytes: &[u8]) -> bool {
    let there = bytes.len().min(MAGIC.len());
    let right = bytes.iter().zip(MAGIC.as_bytes()).filter(|(found, ours)| found == ours).count();
    2 * right >= there
}

/// The bytes before the next line break.
fn line(bytes: &[u8]) -> Option<&[u8]> {
    bytes.iter().position(|&byte| byte == b'\n').map(|end| &bytes[..end])
}
