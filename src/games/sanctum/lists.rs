//! What `evens list` can list: minions, spells, nations, and the vocabulary of effects.

use strum::IntoEnumIterator;

use super::catalogue::{Catalogue, bundled_minions, bundled_spells};
use super::effect::{Trigger, Verb};
use super::form::entries::{EffectForm, RecruitsForm};
use super::nation::House;
use super::setup::Profile;
use crate::tables::{Column, Table};

fn table(name: &str, columns: Vec<Column>) -> Table {
    Table { name: name.to_owned(), columns }
}

fn with_times(damage: Option<i8>, attacks: u8) -> String {
    match (damage, attacks) {
        (None, _) | (_, 0) => String::new(),
        (Some(damage), 1) => damage.to_string(),
        (Some(damage), attacks) => format!("{damage} (x{attacks})"),
    }
}

fn told(effects: &[EffectForm]) -> String {
    let one = |form: &EffectForm| {
        let amount = form.amount.map_or_else(String::new, |amount| format!(" {amount}"));
        let stat = form.stat.map_or_else(String::new, |stat| format!(" {stat}"));
        format!("{}: {}{stat}{amount}", form.when, form.does)
    };
    effects.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The bundled minions, after the recruits of all nations with their usual numbers.
pub(super) fn minions() -> Table {
    let catalogue = Catalogue::new(&RecruitsForm::default());
    let minions = &catalogue.minions;
    let text = |of: &dyn Fn(&Profile) -> String| minions.iter().map(of).collect::<Vec<_>>();
    let forms = &bundled_minions().minions;
    let form = |name: &str| forms.iter().find(|form| form.name == name);
    let sort = |minion: &Profile| if minion.recruit { "recruit" } else { "monster" }.to_owned();
    let house = |minion: &Profile| minion.house.map_or_else(String::new, |house| house.to_string());
    table(
        "minions",
        vec![
            Column::text("minion", "its name", text(&|minion| minion.name.clone())),
            Column::text("sort", "recruit or monster", text(&sort)),
            Column::text("house", "whose it is", text(&house)),
            Column::text("hand", "damage", text(&|m| with_times(m.hand, m.attacks))),
            Column::text("missile", "damage", text(&|m| with_times(m.missile, m.attacks))),
            Column::text("armor", "maximum", text(&|minion| minion.armor.to_string())),
            Column::text("hit_points", "maximum", text(&|minion| minion.hit_points.to_string())),
            Column::text("level", "0 to 5", text(&|minion| minion.level.to_string())),
            Column::text(
                "effects",
                "what it does besides attacking",
                text(&|minion| form(&minion.name).map_or_else(String::new, |f| told(&f.effects))),
            ),
        ],
    )
}

/// The bundled spells.
pub(super) fn spells() -> Table {
    let forms = &bundled_spells().spells;
    let gives = |form: &super::form::entries::SpellForm| {
        let gives = &form.gives;
        let all = [
            ("hand", gives.hand),
            ("missile", gives.missile),
            ("armor", gives.armor),
            ("attacks", gives.attacks),
            ("level", gives.level),
            ("hit points", gives.hit_points),
        ];
        let given = all.iter().filter(|(_, amount)| *amount != 0);
        given.map(|(stat, amount)| format!("{amount:+} {stat}")).collect::<Vec<_>>().join(", ")
    };
    let on = |form: &super::form::entries::SpellForm| {
        let classes: Vec<&str> = form.on.iter().map(Into::into).collect();
        match (form.on_group, classes.is_empty()) {
            (true, _) => "the group".to_owned(),
            (false, true) => "any minion".to_owned(),
            (false, false) => classes.join(", "),
        }
    };
    table(
        "spells",
        vec![
            Column::text("spell", "its name", forms.iter().map(|f| f.name.clone()).collect()),
            Column::text(
                "house",
                "whose it is",
                forms.iter().map(|f| f.house.map_or_else(String::new, |h| h.to_string())).collect(),
            ),
            Column::text("on", "what it can be on", forms.iter().map(on).collect()),
            Column::text("gives", "before combat", forms.iter().map(gives).collect()),
            Column::text("effects", "in combat", forms.iter().map(|f| told(&f.effects)).collect()),
        ],
    )
}

/// The twelve nations.
pub(super) fn nations() -> Table {
    let text = |of: &dyn Fn(House) -> String| House::iter().map(of).collect::<Vec<_>>();
    table(
        "nations",
        vec![
            Column::text("nation", "its name", text(&|house| house.nation().to_owned())),
            Column::text("house", "whose it is", text(&|house| house.to_string())),
            Column::text(
                "ability",
                "what sets its recruits apart",
                text(&|house| house.ability().meaning().to_owned()),
            ),
            Column::text(
                "recruits",
                "their names in scenarios",
                text(&|house| format!("{0} swordsman, {0} archer", house.nation())),
            ),
        ],
    )
}

/// What an effect can do, and at which points.
pub(super) fn effects() -> Table {
    let points = |verb: Verb| {
        let points: Vec<&str> = verb.triggers().iter().map(|t: Trigger| t.into()).collect();
        points.join(", ")
    };
    table(
        "effects",
        vec![
            Column::text("does", "what happens", Verb::iter().map(|v| v.to_string()).collect()),
            Column::text("when", "at which points it can", Verb::iter().map(points).collect()),
        ],
    )
}
