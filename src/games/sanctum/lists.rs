//! The lists that `evens list` can show: minions, spells, nations, and the vocabulary of effects.

use strum::{EnumMessage as _, IntoEnumIterator};

use super::catalogue::{Catalogue, bundled_minions, bundled_spells};
use super::effect::{Trigger, Verb};
use super::form::entries::{EffectForm, RecruitsForm};
use super::nation::House;
use super::setup::Profile;
use crate::table::{Column, Table};

fn table(name: &str, columns: Vec<Column>) -> Table {
    Table { name: name.to_owned(), columns }
}

/// A minion's numbers as card lists write them: `H2 (x2) A0 HP12 L1`, M for missiles.
fn numbers(minion: &Profile) -> String {
    let with = |letter: char, damage: Option<i8>| damage.map(|damage| format!("{letter}{damage}"));
    let times = match (minion.attacks, minion.hand.or(minion.missile)) {
        (1, _) | (_, None) => None,
        (attacks, _) => Some(format!("(x{attacks})")),
    };
    let attack = [with('H', minion.hand), with('M', minion.missile), times];
    let rest = format!("A{} HP{} L{}", minion.armor, minion.hit_points, minion.level);
    attack.into_iter().flatten().chain([rest]).collect::<Vec<_>>().join(" ")
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
    let house = |minion: &Profile| minion.house.map_or_else(String::new, |house| house.to_string());
    table(
        "minions",
        vec![
            Column::text("minion", "its name", text(&|minion| minion.name.clone())),
            Column::text("house", "whose it is", text(&house)),
            Column::text(
                "numbers",
                "hand or missile damage, attacks a round, armor, hit points, level",
                text(&numbers),
            ),
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
            ("damage taken", gives.damage),
        ];
        let given = all.iter().filter(|(_, amount)| *amount != 0);
        given.map(|(stat, amount)| format!("{amount:+} {stat}")).collect::<Vec<_>>().join(", ")
    };
    let on = |form: &super::form::entries::SpellForm| match form.on_group {
        true => "the group".to_owned(),
        false => form.spell(0).0.can_be_on_in_words(),
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

/// The verbs of effects, and the points at which each can happen.
pub(super) fn effects() -> Table {
    let meaning = |verb: Verb| {
        let meaning = verb.get_documentation().unwrap_or_default();
        meaning.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "")
    };
    let points = |verb: Verb| {
        if verb.is_at_any_moment() {
            return "any moment".to_owned();
        }
        let points: Vec<&str> = verb.triggers().iter().map(|t: Trigger| t.into()).collect();
        points.join(", ")
    };
    let verbs = || Verb::iter();
    table(
        "effects",
        vec![
            Column::text("does", "the word for it", verbs().map(|v| v.to_string()).collect()),
            Column::text("meaning", "what happens", verbs().map(meaning).collect()),
            Column::text("when", "at which points it can", verbs().map(points).collect()),
        ],
    )
}

/// The points of the pipelines at which effects can happen.
pub(super) fn moments() -> Table {
    let triggers = || Trigger::iter();
    let meaning = |trigger: Trigger| {
        let meaning = trigger.get_documentation().unwrap_or_default();
        meaning.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let any = |trigger: Trigger| match Verb::Gain.triggers().contains(trigger) {
        true => "yes".to_owned(),
        false => String::new(),
    };
    table(
        "moments",
        vec![
            Column::text("when", "the word for it", triggers().map(|t| t.to_string()).collect()),
            Column::text("meaning", "which point", triggers().map(meaning).collect()),
            Column::text(
                "any_effect",
                "whether everything that can happen at any moment can happen here",
                triggers().map(any).collect(),
            ),
        ],
    )
}
