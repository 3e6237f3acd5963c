//! Recorded battles that were fought again, for people.

use crate::report::figures::counted;
use crate::report::page::{Align, Page, Style, Tone};

/// A battle that was fought again.
#[derive(Clone, Debug)]
pub struct Refought {
    /// The file and the place in it.
    pub name: String,
    /// What came of it.
    pub verdict: RefoughtVerdict,
}

/// What came of fighting a battle again.
#[derive(Clone, Debug)]
pub enum RefoughtVerdict {
    /// As recorded.
    Reproduced {
        /// How many actions were compared.
        actions: usize,
        /// Of how many rounds.
        rounds: usize,
        /// Who won.
        winner: String,
    },
    /// Not as recorded.
    Differs {
        /// What is different.
        why: String,
        /// Whether there are attempts that were not made.
        undecided: bool,
        /// Round, the record's story and ours.
        stories: Vec<[String; 3]>,
    },
    /// Not fought.
    LeftOut(String),
}

/// Every battle in a line or, where it differs, with both stories; and the counts.
#[must_use]
pub fn replay(battles: &[Refought], style: Style) -> String {
    let mut page = Page::new(style);
    let (mut reproduced, mut differ, mut undecided, mut left_out, mut compared) = (0, 0, 0, 0, 0);
    for Refought { name, verdict } in battles {
        match verdict {
            RefoughtVerdict::Reproduced { actions, rounds, winner } => {
                reproduced += 1;
                compared += *actions as u64;
                let actions = counted(*actions as u64, "action");
                let rounds = counted(*rounds as u64, "round");
                page.line(&format!("{name}: reproduced, {actions} in {rounds}, {winner}"));
            }
            RefoughtVerdict::Differs { why, undecided: open, stories } => {
                if *open {
                    undecided += 1;
                } else {
                    differ += 1;
                }
                let what = if *open { "undecided; one attempt differs" } else { "differs" };
                page.gap();
                page.toned(Tone::Against, &format!("{name}: {what}: {why}"));
                let columns =
                    [("round", Align::Right), ("recorded", Align::Left), ("here", Align::Left)];
                page.table(&columns, stories.iter().map(|row| row.to_vec()).collect());
                page.gap();
            }
            RefoughtVerdict::LeftOut(why) => {
                left_out += 1;
                page.line(&format!("{name}: left out: {why}"));
            }
        }
    }
    let mut parts = vec![format!("{reproduced} reproduced"), format!("{differ} differ")];
    if undecided > 0 {
        parts.push(format!("{undecided} undecided"));
    }
    if left_out > 0 {
        parts.push(format!("{left_out} left out"));
    }
    let battles = counted(battles.len() as u64, "battle");
    let actions = counted(compared, "action");
    page.gap();
    page.line(&format!("{battles}: {}; {actions} as recorded", parts.join(", ")));
    page.into_text()
}
