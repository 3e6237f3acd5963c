//! Streams of seeds: what keeps the battles of one command apart from each other.

use super::seeded::finalise;

/// Battles are numbered within a stream, so two sets of battles that must be independent need two streams of the same
/// master seed. A stream's number never changes; new ones go to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The battles of a run, and whatever else plays one set of battles. Its seed is the master seed itself, so that
    /// battle `i` of a sweep or an effect is battle `i` of its master seed.
    Battles,
    /// The battles after those of a pilot.
    AfterPilot,
    /// Fresh battles that confirm what other battles suggested.
    Confirmation,
    /// The resamples of a bootstrap.
    Bootstrap,
    /// The line-ups that a search draws.
    LineUps,
    /// The battles between the line-ups of a metagame.
    Metagame,
    /// Fresh battles that bound what any line-up gains.
    Bounds,
    /// Which numbers a screening design changes together.
    Screening,
    /// The battles that a search looks closer in, after those that it began with.
    Refinement,
}

/// The seed of a stream: a pure function of the master seed.
#[must_use]
pub fn stream_seed(master: u64, stream: Stream) -> u64 {
    match stream {
        Stream::Battles => master,
        Stream::AfterPilot => apart(master, 1),
        Stream::Confirmation => apart(master, 2),
        Stream::Bootstrap => apart(master, 3),
        Stream::LineUps => apart(master, 4),
        Stream::Metagame => apart(master, 5),
        Stream::Bounds => apart(master, 6),
        Stream::Screening => apart(master, 7),
        Stream::Refinement => apart(master, 8),
    }
}

/// Two rounds of the finaliser, as for the seeds of battles, with a constant that keeps streams apart from those.
fn apart(master: u64, number: u64) -> u64 {
    const STREAMS: u64 = 0x7374_7265_616D_5F31;
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    finalise(finalise(master ^ STREAMS) ^ finalise(number.wrapping_mul(GOLDEN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_neighbouring_seeds_share_no_seed() {
        let streams = [
            Stream::Battles,
            Stream::AfterPilot,
            Stream::Confirmation,
            Stream::Bootstrap,
            Stream::LineUps,
            Stream::Metagame,
            Stream::Bounds,
            Stream::Screening,
            Stream::Refinement,
        ];
        let mut seeds: Vec<u64> = (0..1_000)
            .flat_map(|master| streams.map(|stream| stream_seed(master, stream)))
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 1_000 * streams.len());
    }
}
