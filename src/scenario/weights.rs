//! Documents with other `[rulesets.weights]`: found weights are written where the scenario has its own.

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::Document;

/// The path of the weights in a scenario.
const PLACE: [&str; 2] = ["rulesets", "weights"];

impl Document {
    /// This document with these weights, everything else unchanged, comments too. A weight of 1 is the default, so that
    /// it is written only where there is a line for it already.
    ///
    /// # Panics
    /// When the text is not TOML: it has been read before.
    #[must_use]
    pub fn reweighted<'n>(&self, weights: impl IntoIterator<Item = (&'n str, f64)>) -> Self {
        let mut document: DocumentMut =
            self.source.inner().parse().expect("it was read as TOML before");
        for (name, weight) in weights {
            let is_there = entries(&document).is_some_and(|table| table.contains_key(name));
            if is_there || weight != 1.0 {
                set(document.as_table_mut(), &[&PLACE[..], &[name]].concat(), weight);
            }
        }
        // The entry that was the last between braces still has a blank after it, before the new comma.
        for steps in [&PLACE[..1], &PLACE[..]] {
            // `Item::get_mut` would create missing entries.
            let item = steps.iter().try_fold(document.as_item_mut(), |item, step| {
                item.as_table_like_mut()?.get_mut(step)
            });
            if let Some(Item::Value(Value::InlineTable(table))) = item {
                table.fmt();
            }
        }
        self.with_text(document.to_string())
    }

    /// The weights of the document, in whatever form it has them, as the lines of a table `[rulesets.weights]`; empty
    /// where it has none.
    ///
    /// # Panics
    /// When the text is not TOML: it has been read before.
    #[must_use]
    pub fn weights_text(&self) -> String {
        let document: DocumentMut =
            self.source.inner().parse().expect("it was read as TOML before");
        let lines = entries(&document).into_iter().flat_map(|table| table.iter());
        let mut alone = Table::new();
        for (name, weight) in lines {
            let Some(weight) = weight.as_value() else { continue };
            let mut weight = weight.clone();
            weight.decor_mut().clear();
            alone.insert(name, Item::Value(weight));
        }
        if alone.is_empty() {
            return String::new();
        }
        format!("[{}]\n{alone}", PLACE.join("."))
    }
}

/// The document's own table of weights.
fn entries(document: &DocumentMut) -> Option<&dyn TableLike> {
    let item = PLACE.iter().try_fold(document.as_item(), |item, step| item.get(step))?;
    item.as_table_like()
}

/// Sets a weight at the end of a path of tables, and makes missing tables. The comment of a previous value is kept.
fn set(table: &mut dyn TableLike, steps: &[&str], weight: f64) {
    let Some((step, rest)) = steps.split_first() else { return };
    if rest.is_empty() {
        let mut value = Value::from(weight);
        if let Some(known) = table.get(step).and_then(Item::as_value) {
            *value.decor_mut() = known.decor().clone();
        }
        table.insert(step, Item::Value(value));
        return;
    }
    if !table.contains_key(step) {
        let mut made = Table::new();
        made.set_implicit(true);
        table.insert(step, Item::Table(made));
    }
    if let Some(below) = table.get_mut(step).and_then(Item::as_table_like_mut) {
        set(below, rest, weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Folder;

    fn reweighted(text: &str, weights: &[(&str, f64)]) -> [String; 2] {
        let document = Document::new("x", text.to_owned(), Folder::Disk("".into()));
        let written = document.reweighted(weights.iter().copied());
        [written.source.inner().clone(), written.weights_text()]
    }

    #[test]
    fn weights_stand_in_the_scenarios_own_table() {
        let text = "battles = 7\n[rulesets.weights]\nStandard = 2 # twice\nEarthquake = 0\n";
        let [whole, alone] =
            reweighted(text, &[("Standard", 1.0), ("Little League", 0.5), ("Equalizer", 1.0)]);
        assert_eq!(
            whole,
            "battles = 7\n[rulesets.weights]\nStandard = 1.0 # twice\nEarthquake = 0\n\"Little League\" = 0.5\n"
        );
        // A ruleset that is never drawn stays so.
        assert_eq!(
            alone,
            "[rulesets.weights]\nStandard = 1.0\nEarthquake = 0\n\"Little League\" = 0.5\n"
        );
    }

    #[test]
    fn a_scenario_without_weights_gets_a_table() {
        let [whole, alone] = reweighted("battles = 7\n", &[("Standard", 0.5)]);
        assert_eq!(whole, "battles = 7\n\n[rulesets.weights]\nStandard = 0.5\n");
        assert_eq!(alone, "[rulesets.weights]\nStandard = 0.5\n");
        assert_eq!(reweighted("battles = 7\n", &[("Standard", 1.0)]), ["battles = 7\n", ""]);
    }

    #[test]
    fn what_is_added_between_braces_is_written_as_people_do() {
        let text =
            "rulesets = { two = 30, weights = { Standard = 2 } } # as of spring\r\nbattles = 7\r\n";
        let [whole, _] = reweighted(text, &[("Standard", 0.5), ("Equalizer", 3.0)]);
        let weights = "{ Standard = 0.5, Equalizer = 3.0 }";
        assert_eq!(
            whole,
            format!(
                "rulesets = {{ two = 30, weights = {weights} }} # as of spring\r\nbattles = 7\r\n"
            )
        );
        let [whole, _] = reweighted("rulesets = { two = 30 }\n", &[("Standard", 0.5)]);
        assert_eq!(whole, "rulesets = { two = 30, weights = { Standard = 0.5 } }\n");
    }

    #[test]
    fn weights_of_every_form_are_found() {
        for text in [
            "rulesets = { two = 30, weights = { Standard = 2 } }\n",
            "[rulesets]\ntwo = 30\nweights = { Standard = 2 }\n",
            "[rulesets]\ntwo = 30\nweights.Standard = 2\n",
            "rulesets.two = 30\nrulesets.weights.Standard = 2\n",
        ] {
            let [whole, alone] = reweighted(text, &[("Standard", 0.5), ("Equalizer", 3.0)]);
            let read: toml::Table = whole.parse().unwrap_or_else(|why| panic!("{whole}: {why}"));
            let weights = &read["rulesets"]["weights"];
            assert_eq!(weights["Standard"].as_float(), Some(0.5), "{whole}");
            assert_eq!(weights["Equalizer"].as_float(), Some(3.0), "{whole}");
            assert_eq!(read["rulesets"]["two"].as_integer(), Some(30), "{whole}");
            assert_eq!(alone, "[rulesets.weights]\nStandard = 0.5\nEqualizer = 3.0\n");
        }
    }
}
