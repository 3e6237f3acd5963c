//! Random groups and maps, within all that a scenario can state.

use std::sync::LazyLock;

use evens::games::sanctum::catalogue::Catalogue;
use evens::games::sanctum::effect::{
    Class, Effect, Harm, Lasts, Stat, Target, Trigger, Verb, Weapon, fits,
};
use evens::games::sanctum::open_rules::{KillEstimate, OpenRules};
use evens::games::sanctum::rules::check_for_all_combats::{Board, Placed, Square};
use evens::games::sanctum::setup::{Company, Profile};
use evens::games::sanctum::state::Player;
use proptest::prelude::*;
use proptest::sample::select;
use strum::IntoEnumIterator as _;

fn catalogue() -> &'static Catalogue {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(&Default::default()));
    &CATALOGUE
}

pub fn names() -> Vec<String> {
    catalogue().names.clone()
}

/// A minion of the catalogue by its name.
pub fn minion(name: &str) -> Profile {
    let minion = catalogue().minions.iter().find(|minion| minion.name == name);
    minion.unwrap_or_else(|| panic!("no minion {name}")).clone()
}

pub fn first() -> impl Strategy<Value = Player> {
    select(vec![Player::Blue, Player::Red])
}

fn harm() -> impl Strategy<Value = Harm> {
    select(vec![Harm::Plain, Harm::Plain, Harm::IgnoresArmor, Harm::Magical])
}

/// Minions without any effects.
pub fn plain_minion() -> impl Strategy<Value = Profile> {
    let weapons = (prop::option::of(0..6i8), prop::option::of(0..6i8));
    (weapons, 0..4u8, 0..4i8, 1..15i16, 0..=5u8, harm(), any::<(bool, bool)>()).prop_map(
        |((hand, missile), attacks, armor, hit_points, level, harm, (recruit, experienced))| {
            let base = Profile::recruit("Anybody", hand, missile);
            Profile { attacks, armor, hit_points, level, harm, recruit, experienced, ..base }
        },
    )
}

/// Minions of the catalogue at any level, under any of its spells.
pub fn catalogue_minion() -> impl Strategy<Value = Profile> {
    let spells = prop::collection::vec(select(catalogue().spells.clone()), 0..=3);
    let level = prop::option::of(0..=5u8);
    (select(catalogue().minions.clone()), spells, level).prop_map(|(mut minion, spells, level)| {
        minion.level = level.unwrap_or(minion.level);
        for spell in spells {
            if !spell.on_group && spell.can_be_on(&minion) {
                spell.cast_on(&mut minion);
            }
        }
        minion.hit_points = minion.hit_points.max(1 + minion.wounds);
        minion
    })
}

/// The points of a pipeline at which a group's own spells can act.
const OF_GROUPS: [Trigger; 6] = [
    Trigger::Always,
    Trigger::CombatStart,
    Trigger::RoundStart,
    Trigger::CombatEnd,
    Trigger::AfterCombat,
    Trigger::Dying,
];

/// Any effect that a scenario can put on a minion.
fn effect() -> impl Strategy<Value = Effect> {
    let pairs: Vec<(Trigger, Verb)> = Trigger::iter()
        .flat_map(|when| Verb::iter().map(move |does| (when, does)))
        .filter(|&(when, does)| fits(when, does))
        .collect();
    // Every verb and every trigger comes up often enough.
    let verbs: Vec<Verb> = Verb::iter().collect();
    let of_verb = select(verbs).prop_flat_map(|does| {
        let triggers = does.triggers().iter().map(move |when| (when, does));
        select(triggers.collect::<Vec<_>>())
    });
    let pair = prop_oneof![of_verb, select(pairs)];
    let stats =
        vec![Stat::Hand, Stat::Missile, Stat::Armor, Stat::Attacks, Stat::Level, Stat::HitPoints];
    use Target::{Bearer, Comrades, Enemies, Everybody, Foe, Group};
    let target = select(vec![Bearer, Foe, Comrades, Group, Enemies, Everybody]);
    let amount = prop_oneof![4 => 1..5i8, 1 => -4..1i8];
    let lasts = select(vec![Lasts::Round, Lasts::Combat, Lasts::Forever]);
    let weapon = select(vec![None, None, Some(Weapon::Hand), Some(Weapon::Missile)]);
    let percent = prop_oneof![3 => Just(100u8), 1 => 1..100u8];
    let rounds =
        prop_oneof![2 => Just((1, u8::MAX)), 1 => (1..=5u8, 0..=5u8).prop_map(|(a, b)| (a, a + b))];
    let only = prop_oneof![
        3 => Just(Vec::new()),
        1 => prop::collection::vec(select(Class::iter().collect::<Vec<_>>()), 1..=6),
    ];
    let at_most = prop_oneof![2 => Just(0u8), 1 => 1..3u8];
    let if_marks = prop_oneof![4 => Just(0u8), 1 => 1..3u8];
    (
        (pair, amount, select(stats), percent, rounds),
        (target, lasts, harm(), weapon, only),
        (at_most, if_marks, any::<bool>()),
    )
        .prop_map(
            |((pair, amount, stat, percent, rounds), (on, lasts, harm, weapon, only), more)| {
                let ((when, does), (at_most, if_marks, per_armor)) = (pair, more);
                let mut effect =
                    Effect { amount, stat, percent, rounds, ..Effect::new(when, does) };
                if does.needs_positive() {
                    effect.amount = amount.max(1);
                }
                if does.has_target() {
                    effect.on = if on == Foe && !when.has_foe() { Enemies } else { on };
                }
                if does.can_single_out() {
                    effect.only = only.into_iter().collect();
                    effect.if_marks = if_marks;
                }
                let lasting = matches!(does, Verb::Gain | Verb::DealNothing | Verb::StopAttacking);
                if lasting && when != Trigger::Attacks && stat != Stat::HitPoints {
                    effect.lasts = lasts;
                }
                if does == Verb::Damage {
                    effect.harm = harm;
                }
                if when.has_weapon() || does == Verb::DealNothing {
                    effect.weapon = weapon;
                }
                effect.per_armor = per_armor && does == Verb::TakeMore;
                effect.at_most = at_most;
                if when == Trigger::Always {
                    effect = Effect { rounds: (1, u8::MAX), percent: 100, at_most: 0, ..effect };
                }
                effect
            },
        )
}

/// Effects on a group as a whole.
fn group_effect() -> impl Strategy<Value = Effect> {
    let all = (effect(), select(OF_GROUPS.to_vec()), any::<bool>());
    all.prop_filter_map("not of a group", |(effect, when, dispels)| {
        let on = if effect.on == Target::Bearer || effect.on == Target::Foe {
            Target::Group
        } else {
            effect.on
        };
        let on = if effect.does.has_target() { on } else { Target::Bearer };
        let dispels = dispels && when == Trigger::Dying;
        let effect = Effect { when, on, at_most: 0, dispels, ..effect };
        let is_trait = when == Trigger::Always;
        let can_be = fits(when, effect.does) && (!is_trait || effect.does == Verb::KeepPeace);
        can_be.then_some(effect)
    })
}

/// Minions with any effects at all.
pub fn enchanted_minion() -> impl Strategy<Value = Profile> {
    let minion = prop_oneof![plain_minion(), catalogue_minion()];
    (minion, prop::collection::vec(effect(), 0..=4)).prop_map(|(mut minion, effects)| {
        minion.effects.extend(effects);
        minion
    })
}

/// A group of up to `most` minions.
pub fn company(
    minion: impl Strategy<Value = Profile>,
    most: usize,
) -> impl Strategy<Value = Company> {
    let effects =
        prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(group_effect(), 1..=2)];
    (prop::collection::vec(minion, 1..=most), effects).prop_map(|(minions, effects)| Company {
        name: "Group".to_owned(),
        minions,
        effects,
    })
}

/// Open rules in any of their readings.
pub fn open_rules() -> impl Strategy<Value = OpenRules> {
    let estimates = select(vec![KillEstimate::Chosen, KillEstimate::ShootersTogether]);
    (estimates, any::<bool>())
        .prop_map(|(kill_estimate, cancelled_kills)| OpenRules { kill_estimate, cancelled_kills })
}

/// Groups of all three players on a small part of the map, so that many are adjacent.
pub fn map() -> impl Strategy<Value = (Vec<Company>, Board)> {
    let player = select(vec![Player::Blue, Player::Red, Player::Neutral]);
    let minion = prop_oneof![3 => catalogue_minion(), 1 => enchanted_minion()];
    let placed = (player, 0..4i8, 0..4i8, company(minion, 3));
    let corner = (0..=8i8, 0..=8i8);
    (prop::collection::vec(placed, 2..=9), corner, any::<(bool, u64)>()).prop_map(
        |(placed, (right, down), (neutrals_at_peace, ages))| {
            let mut board = Board { groups: vec![], neutrals_at_peace, seen_by: Player::Blue };
            let mut companies = Vec::new();
            for (player, column, row, company) in placed {
                let square = Square { column: column + right, row: row + down };
                if board.groups.iter().any(|other| other.square == square) {
                    continue;
                }
                let nth = board.groups.len() as u32;
                // Ages in any order, without duplicates.
                let created = (ages >> (4 * nth) & 15) as u32 * 16 + nth;
                board.groups.push(Placed { player, square, created });
                let name = format!("Group {nth}");
                companies.push(Company { name, ..company });
            }
            (companies, board)
        },
    )
}
