//! The form of an effect in a file, and the checks on it.

use enumset::EnumSet;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::games::sanctum::catalogue::Complaint;
use crate::games::sanctum::effect::{
    Amount, Class, Classes, Effect, Harm, Lasts, Stat, Target, Trigger, Verb, Weapon, fits,
};
use crate::games::sanctum::setup::LAST_ROUND;
use crate::games::sanctum::state::COUNTED;

/// Something that happens at a point of a pipeline.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EffectForm {
    /// At which point.
    pub when: Trigger,
    /// What happens.
    pub does: Verb,
    /// How much.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub amount: Option<i8>,
    /// Which number changes, with `gain`.
    #[serde(default)]
    pub stat: Option<Stat>,
    /// To whom. Left out: to its bearer.
    #[serde(default)]
    pub on: Option<Target>,
    /// Only to minions of any of these classes. Left out: to all.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub only: Vec<Class>,
    /// Only for attacks with this weapon. Left out: with any.
    #[serde(default)]
    pub weapon: Option<Weapon>,
    /// Only in these combat rounds, first and last. Left out: in all.
    #[serde(default)]
    #[schemars(length(min = 2, max = 2), inner(range(min = 1, max = 10)))]
    pub rounds: Option<Vec<u8>>,
    /// How likely it is, in percent. Left out: certain.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub percent: Option<u8>,
    /// Only to minions with at least so many marks.
    #[serde(default)]
    pub if_marks: Option<u8>,
    /// How often it can happen in one combat. Left out: any number of times.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub at_most: Option<u8>,
    /// How long the change lasts. Left out: until the combat is over, but a change of hit points for good.
    #[serde(default)]
    pub lasts: Option<Lasts>,
    /// How its damage meets armor, with `damage`.
    #[serde(default)]
    pub harm: Option<Harm>,
    /// With `take_more`: `amount` times the bearer's maximum armor.
    #[serde(default)]
    pub per_armor: bool,
    /// With `dying`, of a spell on a group as a whole: the spell is dispelled once this has happened.
    #[serde(default)]
    pub dispels: bool,
}

pub(super) fn classes(list: &[Class]) -> Classes {
    list.iter().copied().collect()
}

fn listed(triggers: EnumSet<Trigger>) -> String {
    triggers.iter().map(|trigger| trigger.to_string()).collect::<Vec<_>>().join(", ")
}

/// The effects of an entry; their faults and warnings are added to `complaints`.
pub(super) fn effects(
    forms: &[EffectForm],
    source: u16,
    of_group: bool,
    complaints: &mut Vec<Complaint>,
) -> Vec<Effect> {
    let counted = forms.iter().filter(|form| form.at_most.is_some()).count();
    if counted > COUNTED {
        complaints.push(Complaint {
            is_warning: false,
            key: "effects",
            entry: None,
            message: format!("{counted} effects with `at_most`"),
            remedy: format!("one minion can count {COUNTED} of them"),
        });
    }
    let mut all = Vec::new();
    for (at, form) in forms.iter().enumerate() {
        let mut complain = |is_warning: bool, message: String, remedy: &str| {
            let (entry, remedy) = (Some(at), remedy.to_owned());
            complaints.push(Complaint { is_warning, key: "effects", entry, message, remedy });
        };
        form.warn_if_void(&mut |message, remedy| complain(true, message, remedy));
        let mut wrong = |message: String, remedy: &str| complain(false, message, remedy);
        all.push(form.effect(source, of_group, &mut wrong));
    }
    all
}

impl EffectForm {
    fn effect(&self, source: u16, of_group: bool, wrong: &mut impl FnMut(String, &str)) -> Effect {
        let Self { when, does, .. } = *self;
        if !fits(when, does) {
            let can = listed(does.triggers());
            wrong(format!("`{does}` cannot happen at `{when}`"), &format!("it can at: {can}"));
        }
        match (does.facts().amount, self.amount) {
            (Amount::Any | Amount::Positive, None) => {
                wrong(format!("`{does}` needs an `amount`"), "such as `amount = 1`");
            }
            (Amount::None, Some(_)) => wrong(format!("`{does}` has no `amount`"), "leave it out"),
            (Amount::Any | Amount::Positive | Amount::OneOrMore, Some(_))
            | (Amount::None | Amount::OneOrMore, None) => {}
        }
        match (does == Verb::Gain, self.stat) {
            (true, None) => wrong(
                "`gain` needs a `stat`".to_owned(),
                "one of: hand, missile, armor, attacks, level, hit_points",
            ),
            (false, Some(_)) => wrong(format!("`{does}` has no `stat`"), "only `gain` has one"),
            (true, Some(_)) | (false, None) => {}
        }
        if self.on.is_some() && !does.has_target() {
            wrong(format!("`{does}` is on nobody in particular"), "leave out `on`");
        }
        if self.on == Some(Target::Foe) && !when.has_foe() {
            let with: EnumSet<Trigger> =
                EnumSet::all().iter().filter(|t: &Trigger| t.has_foe()).collect();
            let remedy = format!("somebody does at: {}", listed(with));
            wrong(format!("nobody stands opposite at `{when}`"), &remedy);
        }
        if self.harm.is_some() && does != Verb::Damage {
            wrong(format!("`{does}` has no `harm`"), "only `damage` has one");
        }
        if self.per_armor && does != Verb::TakeMore {
            wrong(format!("`{does}` cannot be `per_armor`"), "only `take_more` can");
        }
        if self.lasts.is_some() && !(does.facts().lasts && when != Trigger::Attacks) {
            let remedy = "only `gain`, `deal_nothing` and `stop_attacking` last";
            wrong(format!("`{does}` lasts no time at `{when}`"), remedy);
        }
        let ends = self.lasts.is_some_and(|lasts| lasts != Lasts::Forever);
        if ends && self.stat == Some(Stat::HitPoints) {
            wrong("a change of hit points does not end".to_owned(), "leave out `lasts`");
        }
        if does.needs_positive() && self.amount.is_some_and(|amount| amount < 1) {
            wrong(format!("`{does}` with an `amount` below 1"), "give at least 1");
        }
        let of_one = of_group && when == Trigger::Dying;
        let singles_out = !self.only.is_empty() || self.if_marks.is_some();
        if singles_out && !does.can_single_out() && !of_one {
            wrong(format!("`{does}` singles out nobody"), "leave out `only` and `if_marks`");
        }
        if self.weapon.is_some() && !when.has_weapon() && does != Verb::DealNothing {
            wrong(format!("no weapon is used at `{when}`"), "leave out `weapon`");
        }
        let conditional = self.rounds.is_some() || self.percent.is_some() || self.at_most.is_some();
        if when == Trigger::Always && conditional {
            let remedy = "leave out `rounds`, `percent` and `at_most`";
            wrong("a trait holds always".to_owned(), remedy);
        }
        let rounds = match self.rounds.as_deref() {
            None => (1, u8::MAX),
            Some(&[first, last]) if first <= last && last <= LAST_ROUND => (first, last),
            Some(_) => {
                let remedy = "give the first and the last, such as `rounds = [2, 10]`";
                wrong("`rounds` are not a first and a last one".to_owned(), remedy);
                (1, u8::MAX)
            }
        };
        if of_group {
            self.check_of_group(wrong);
        } else if does == Verb::KeepPeace {
            wrong(format!("`{does}` on a single minion"), "say `on_group = true`, in a spell");
        }
        if self.dispels && !of_one {
            let remedy = "leave out `dispels`, or let it happen at `dying` to a group as a whole";
            wrong(format!("`{does}` at `{when}` dispels nothing here"), remedy);
        }
        Effect {
            amount: self.amount.unwrap_or_default(),
            stat: self.stat.unwrap_or(Stat::Hand),
            on: self.on.unwrap_or_default(),
            only: classes(&self.only),
            weapon: self.weapon,
            rounds,
            percent: self.percent.unwrap_or(100),
            if_marks: self.if_marks.unwrap_or(0),
            at_most: self.at_most.unwrap_or(0),
            lasts: self.lasts.unwrap_or_default(),
            harm: self.harm.unwrap_or_default(),
            per_armor: self.per_armor,
            dispels: self.dispels,
            source,
            ..Effect::new(when, does)
        }
    }

    /// Warns of a change at the end of combat that ends with it, because it is not for good.
    fn warn_if_void(&self, warn: &mut impl FnMut(String, &str)) {
        let at_the_end = matches!(self.when, Trigger::CombatEnd | Trigger::AfterCombat);
        let ends = self.lasts != Some(Lasts::Forever) && self.stat != Some(Stat::HitPoints);
        if at_the_end && ends && self.does.facts().lasts {
            let message = format!("`{}` at `{}` is over with the combat", self.does, self.when);
            warn(message, "say `lasts = \"forever\"`, or let it happen earlier");
        }
    }

    /// Checks an effect of a group as a whole, which has no victim, no attacker and no counters; of what happens to single
    /// minions it can cancel their dying.
    fn check_of_group(&self, wrong: &mut impl FnMut(String, &str)) {
        let moments = Trigger::CombatStart
            | Trigger::RoundStart
            | Trigger::CombatEnd
            | Trigger::AfterCombat
            | Trigger::Dying;
        if !moments.contains(self.when) && self.does != Verb::KeepPeace {
            let remedy = format!("it can at: {}", listed(moments));
            wrong(format!("nothing happens to a group at `{}`", self.when), &remedy);
        }
        let target = self.on.unwrap_or_default();
        if self.does.has_target() && target == Target::Bearer {
            let remedy = "say `on = \"group\"`, `\"enemies\"` or `\"everybody\"`";
            wrong("a group as a whole is no bearer".to_owned(), remedy);
        }
        if self.at_most.is_some() {
            let remedy = match self.when {
                Trigger::Dying => "say `dispels = true` where it happens once",
                _ => "name a single round with `rounds` instead",
            };
            wrong("a group as a whole counts nothing".to_owned(), remedy);
        }
    }
}
