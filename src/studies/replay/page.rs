//! The page on recorded battles that were fought again.

use crate::report::figures::counted;
use crate::report::page::{Align, Page, Style, Tone};

/// A recorded battle that was fought again.
#[derive(Clone, Debug)]
pub struct Refought {
    /// The file with the record and the place in it.
    pub name: String,
    /// The result of fighting it again.
    pub verdict: RefoughtVerdict,
}

/// The result of fighting a recorded battle again.
#[derive(Clone, Debug)]
pub enum RefoughtVerdict {
    /// The battle went as recorded.
    Reproduced {
        /// How many actions were compared.
        actions: usize,
        /// In how many rounds.
        rounds: usize,
        /// Who won.
        winner: String,
    },
    /// The battle went otherwise than recorded.
    Differs {
        /// The difference, in words.
        why: String,
        /// Whether some attempts were not made, so that the battle may still be reproducible.
        undecided: bool,
        /// Rows of round, the recorded story and ours.
        stories: Vec<[String; 3]>,
    },
    /// The battle was not fought again, for this reason.
    LeftOut(String),
}

/// The page with a line for every battle, both stories for one that differs, and the counts at the end.
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
