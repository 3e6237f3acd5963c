//! Keeps the teams that were drawn for a battle under its other conditions, most of which leave the same cards: with
//! the same dice under each of them, the teams are the same. Nothing here is a rule, and no battle depends on what is
//! kept.

use std::cell::RefCell;

use crate::game::Side;
use crate::games::splinterlands::setup::LineUp;

/// The most teams of a side that a thread keeps: 28 KiB.
const MOST: usize = 512;

/// By index of the choice: the last team that was drawn from it, with what it was drawn for.
type Teams = Vec<Option<(Drawn, LineUp)>>;

thread_local! {
    /// The teams that this thread keeps, by side.
    static KEPT: RefCell<[Teams; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// What a team was drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    /// A number that identifies the battle, and so its dice, among all that are played.
    pub battle: u64,
    /// The number of the pool.
    pub pool: u64,
    /// The index of the choice that the team was drawn from.
    pub choice: u32,
}

impl Drawn {
    /// The team of a side, if it was drawn for this before and is kept, or else the one that `draw` gives.
    #[inline]
    pub(super) fn kept_or(self, side: Side, draw: impl FnOnce() -> LineUp) -> LineUp {
        let (side, at) = (usize::from(side.0), self.choice as usize);
        if at >= MOST {
            return draw();
        }
        KEPT.with_borrow_mut(|kept| {
            let kept = &mut kept[side];
            if kept.len() <= at {
                kept.resize(at + 1, None);
            }
            match &kept[at] {
                Some((known, team)) if *known == self => team.clone(),
                _ => {
                    let team = draw();
                    kept[at] = Some((self, team.clone()));
                    team
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::chance::Keyed;
    use crate::game::{Game as _, Stratum, Unwatched};
    use crate::games::splinterlands::Splinterlands;
    use crate::games::splinterlands::setup::Setup;
    use crate::games::splinterlands::state::State;
    use crate::scenario::{Document, load};

    fn setup(path: &str) -> Setup {
        let document = Document::read(path).expect("it is bundled");
        load::<Splinterlands>(&document).expect("it has no faults").setup
    }

    fn start(setup: &Setup, index: u64, stratum: Stratum) -> State {
        Splinterlands::start(setup, stratum, &mut Keyed::of_battle(7, index), &mut Unwatched)
    }

    /// Battles begin as they would in a thread that has drawn nothing before.
    #[test]
    fn teams_that_are_kept_are_those_that_would_be_drawn() {
        let setups = ["splinterlands/archetypes", "splinterlands/drawn-teams"].map(setup);
        for index in 0..40 {
            for (nth, setup) in setups.iter().enumerate() {
                let conditions = setup.conditions().len();
                for condition in (0..conditions).step_by(1 + 12 * nth) {
                    let matchup = (index % setup.matchups().len() as u64) as u32;
                    let stratum = Stratum { matchup, condition: condition as u32 };
                    let known = start(setup, index, stratum);
                    let anew = std::thread::scope(|scope| {
                        scope.spawn(|| start(setup, index, stratum)).join().expect("it begins")
                    });
                    assert_eq!(known, anew, "battle {index} under condition {condition}");
                }
            }
        }
    }
}
