//! A combat phase on a map: the groups' squares, owners and ages.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{File, find_group, warn_of_idlers};
use crate::games::sanctum::catalogue::Catalogue;
use crate::games::sanctum::rules::check_for_all_combats::{Board, Placed, Square};
use crate::games::sanctum::setup::{Company, First, Setup};
use crate::games::sanctum::state::{GROUPS, Player};
use crate::scenario::{Checker, Spot};

/// Where groups stand, for a whole combat phase.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MapForm {
    /// Who has the initiative.
    #[serde(default)]
    initiative: InitiativeForm,
    /// As whom squares are written down and traces told: the red player sees the board upside down.
    #[serde(default = "blue")]
    seen_by: ViewerForm,
    /// Whether neutral groups leave each other alone. Left out: they are hostile to each other.
    #[serde(default)]
    neutrals_at_peace: bool,
    /// The groups on the map. Within a player their order here is the player's group sequence.
    #[schemars(length(min = 1))]
    groups: Vec<PlacedForm>,
}

/// Who has the initiative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum InitiativeForm {
    /// The blue player.
    Blue,
    /// The red player.
    Red,
    /// Either, equally likely, drawn for each battle.
    #[default]
    Either,
}

/// Whose eyes see the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ViewerForm {
    /// The blue player's.
    Blue,
    /// The red player's.
    Red,
}

fn blue() -> ViewerForm {
    ViewerForm::Blue
}

/// A group on the map.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlacedForm {
    /// Which of the scenario's groups.
    group: String,
    /// Its name on the map. Left out: the group's.
    #[serde(default)]
    name: Option<String>,
    /// Whose it is.
    player: Player,
    /// Its square: column and row, each from 0 to 11, counted from the top left.
    #[schemars(length(min = 2), inner(range(min = 0, max = 11)))]
    at: Vec<i8>,
    /// When it was created, for who is older; smaller is older. Left out: its place in this list, from 1.
    #[serde(default)]
    created: Option<u32>,
}

impl PlacedForm {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.group)
    }
}

/// Checks the map and makes the setup of it. None where there are faults.
pub(super) fn phase(
    file: &File,
    map: &MapForm,
    companies: Vec<Option<Company>>,
    catalogue: &Catalogue,
    checker: &mut Checker<'_>,
) -> Option<Setup> {
    let spot = Spot::top().key("map").key("groups");
    let mut groups = Vec::new();
    let mut standing = Vec::new();
    for (at, placed) in map.groups.iter().enumerate() {
        let spot = spot.index(at);
        standing.push(find_group(file, &placed.group, &spot.key("group"), checker));
        groups.push(Placed {
            player: placed.player,
            square: square(placed, map.seen_by, &spot, checker),
            created: placed.created.unwrap_or(at as u32 + 1),
        });
    }
    check_apart(map, &groups, &spot, checker);
    warn_of_equal_ages(map, &groups, &spot, checker);
    if groups.len() > GROUPS {
        let message = format!("{} groups on a map", groups.len());
        checker.fault(&spot.index(GROUPS), message, format!("a map has at most {GROUPS}"));
    }
    warn_of_idlers(file, |group| standing.contains(&Some(group)), checker);
    let seen_by = match map.seen_by {
        ViewerForm::Blue => Player::Blue,
        ViewerForm::Red => Player::Red,
    };
    let board = Board { groups, neutrals_at_peace: map.neutrals_at_peace, seen_by };
    let first = match map.initiative {
        InitiativeForm::Blue => First::Always(Player::Blue),
        InitiativeForm::Red => First::Always(Player::Red),
        InitiativeForm::Either => First::Either,
    };
    if checker.is_clean() && board.check_for_all_combats(Player::Blue).is_empty() {
        let message = "no two hostile groups are orthogonally adjacent: nobody fights";
        checker.warn(&spot, message, "neighbours share a column or a row");
    }
    let on_map = standing.into_iter().zip(&map.groups).map(|(group, placed)| {
        let company = companies[group?].clone()?;
        Some(Company { name: placed.name().to_owned(), ..company })
    });
    let on_map = on_map.collect::<Option<Vec<_>>>()?;
    checker.is_clean().then(|| Setup::of_map(on_map, catalogue.names.clone(), board, first))
}

fn square(
    placed: &PlacedForm,
    seen_by: ViewerForm,
    spot: &Spot,
    checker: &mut Checker<'_>,
) -> Square {
    let (column, row) = match placed.at[..] {
        [column, row] => (column, row),
        _ => {
            let message = format!("a square with {} numbers", placed.at.len());
            checker.fault(&spot.key("at"), message, "give the column and the row: `at = [4, 6]`");
            (placed.at[0], placed.at[1])
        }
    };
    let square = Square { column, row };
    if seen_by == ViewerForm::Red { square.upside_down() } else { square }
}

/// Warns where two groups of a player are equally old: age decides precedence between neutral groups.
fn warn_of_equal_ages(map: &MapForm, groups: &[Placed], spot: &Spot, checker: &mut Checker<'_>) {
    for (at, placed) in groups.iter().enumerate() {
        let is_as_old =
            |other: &Placed| (other.player, other.created) == (placed.player, placed.created);
        if let Some(other) = groups[..at].iter().position(is_as_old) {
            let [name, other] = [at, other].map(|group| map.groups[group].name());
            let message = format!("`{name}` was created when `{other}` was");
            let remedy = "give each group of a player another `created`; now the one listed first is the older";
            let written = map.groups[at].created.is_some();
            let key = if written { "created" } else { "group" };
            checker.warn(&spot.index(at).key(key), message, remedy);
        }
    }
}

/// Reports two groups on one square, and two groups of the same name.
fn check_apart(map: &MapForm, groups: &[Placed], spot: &Spot, checker: &mut Checker<'_>) {
    for (at, placed) in map.groups.iter().enumerate() {
        let name = placed.name();
        if let Some(other) = groups[..at].iter().position(|group| group.square == groups[at].square)
        {
            let other = map.groups[other].name();
            let message = format!("`{name}` stands where `{other}` stands");
            checker.fault(&spot.index(at).key("at"), message, "a square holds one group");
        }
        if let Some(name) = &placed.name {
            checker.check_names("group", [(name.as_str(), spot.index(at).key("name"))]);
        }
        if let Some(other) = map.groups[..at].iter().position(|other| other.name() == name) {
            let key_of = |placed: &PlacedForm| match placed.name {
                Some(_) => "name",
                None => "group",
            };
            let message = format!("two groups on the map are called `{name}`");
            let remedy = match checker.line(&spot.index(other).key(key_of(&map.groups[other]))) {
                Some(line) => {
                    format!("give this one a `name` of its own: line {line} has this one, too")
                }
                None => "give this one a `name` of its own".to_owned(),
            };
            checker.fault(&spot.index(at).key(key_of(placed)), message, remedy);
        }
    }
}
