//! `--write-scenario`: the scenario with what was found in it, so that `evens run` plays it.

use std::path::Path;

use super::Arguments;
use crate::cli::Failure;
use crate::cli::output::Outlet;
use crate::cli::terminal::say;
use crate::engine::Scenario;
use crate::scenario::{Document, Spot};
use crate::shell::argument;
use crate::table::{Content, Target};

/// The file of a new scenario, open before the first battle.
pub(super) struct NewScenario<'a> {
    place: &'a Path,
    target: Target,
}

impl<'a> NewScenario<'a> {
    /// Opens the file that is asked for, if one is.
    pub(super) fn open(arguments: &'a Arguments, outlet: &Outlet) -> Result<Option<Self>, Failure> {
        let Some(place) = arguments.write_scenario.as_deref() else { return Ok(None) };
        if arguments.part.shard.is_some() {
            let remedy = "a shard is a part of the results: write the scenario where they are added up, or from all battles at once";
            return Err(Failure::Usage(format!("--write-scenario: {remedy}")));
        }
        outlet.spare([("--write-scenario", place)])?;
        Ok(Some(Self { place, target: Target::open(place, Content::Scenario)? }))
    }

    /// Writes the scenario. Paths at `files` are relative to the document, and are made relative to the new file.
    pub(super) fn fill(
        self,
        document: &Document,
        files: &[Spot],
        quiet: bool,
    ) -> Result<(), Failure> {
        // A pipe or a terminal is in no folder that paths could be relative to.
        let is_file = self.place.is_file() || !self.place.exists();
        let text = match self.place.parent().filter(|_| is_file) {
            Some(folder) => document.text_in(folder, files),
            None => document.as_it_is(),
        };
        self.target.fill(&text)?;
        if !quiet {
            say(&format!("wrote {}\n", self.place.display()));
            if is_file {
                say_what_is_outside(self.place);
            }
        }
        Ok(())
    }
}

/// Tells how to read the written scenario if it names files that are not below its folder.
fn say_what_is_outside(place: &Path) {
    let Ok(document) = Document::read(place) else { return };
    if Scenario::of(&document).is_err() && Scenario::of(&document.allowing_outside(true)).is_ok() {
        say(&format!(
            "it names files outside of its folder: `evens check {} --allow-outside`\n",
            argument(&place.display().to_string())
        ));
    }
}
