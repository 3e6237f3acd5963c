//! What a scenario defines itself, and the command that judges it.

use crate::engine::Scenario;
use crate::report::figures::joined;
use crate::shell::{command_on, flag};
use crate::studies::run::Analysis;
use crate::studies::worth::Design;

/// The most units that a command is suggested for.
const MOST: usize = 3;

/// Cards, summoners or minions that a scenario defines itself and that took part: whoever plays it most likely asks about
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// Their names, at least one.
    names: Vec<String>,
    /// Whether they have a worth, by other line-ups or by others in their place.
    have_worth: bool,
}

impl Own {
    /// Those of a scenario; None where it defines none, or none that took part.
    pub(super) fn of(scenario: &Scenario, analysis: &Analysis<'_>) -> Option<Self> {
        if scenario.own.is_empty() {
            return None;
        }
        let layout = analysis.layout;
        let seen = analysis.units();
        let took_part = |name: &&String| {
            let unit = layout.units.iter().position(|unit| unit.name == **name);
            unit.is_some_and(|unit| seen.iter().any(|row| row.unit == unit))
        };
        let own = scenario.own.iter().filter(took_part).take(MOST);
        let names: Vec<String> = own.cloned().collect();
        if names.is_empty() {
            return None;
        }
        let design = Design::new(scenario.engine(), None, 1).ok();
        let has_all = |design: &Design<'_>| {
            let known = &design.layout.units;
            design.varies() && names.iter().all(|name| known.iter().any(|unit| unit.name == *name))
        };
        let have_worth = design.is_some_and(|design| has_all(&design));
        Some(Self { names, have_worth })
    }

    /// What a command tells of them, and that command.
    pub(super) fn question(&self, scenario: &str) -> (String, String) {
        let (name, is_one) = (joined(&self.names), self.names.len() == 1);
        let (command, question) = match self.have_worth {
            true => (
                "worth",
                format!(
                    "what the scenario's own {name} {} worth",
                    if is_one { "is" } else { "are" }
                ),
            ),
            false => (
                "run",
                format!("how the scenario's own {name} {}", if is_one { "fares" } else { "fare" }),
            ),
        };
        let units = self.names.iter().map(|name| format!(" {}", flag("--unit", name)));
        (question, command_on(command, scenario) + &units.collect::<String>())
    }

    /// Whether the command writes a report about them.
    pub(super) fn has_report(&self) -> bool {
        self.have_worth
    }
}
