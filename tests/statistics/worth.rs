//! Whether the intervals of worths hold the planted values, whether claims come at their nominal rate where all cards
//! are alike, and whether a broken card comes first.
//!
//! `cargo test --release --test suite statistics::worth -- --ignored --nocapture` prints the figures that
//! docs/statistics.md records.

use std::any::Any;

use evens::chance::Seeded;
use evens::engine::{Battle, Dice, Engine, Look, Place, Scenario, Told};
use evens::game::{Outcome, Side, Stratum};
use evens::scenario::{Document, Folder};
use evens::statistics::{DrawModel, Level};
use evens::story::Stepped;
use evens::studies::worth::{Design, Model, Of, Results, fit, results, test};
use evens::table::Table;
use evens::tally::{Condition, Fighter, Layout, Matchup, Record, Unit};
use evens::walk::{Budget, Horizon, Odds, Outlook};
use num_rational::BigRational;

/// The probability of the second condition.
const STORM: f64 = 0.4;
/// The number of cards that a side brings.
const BROUGHT: usize = 4;
/// The probability of a draw.
const DRAWS: f64 = 0.1;

/// Battles whose odds are the sum of what cards add to them: every side draws four cards, and side A has a head start.
struct Additive {
    /// A real engine that answers what these tests do not look at.
    of: Box<dyn Engine>,
    layout: Layout,
    /// By card: what it adds to the score of its side.
    worths: Vec<f64>,
    /// What the first card adds besides in a storm.
    in_a_storm: f64,
    /// The head start of side A.
    seat: f64,
}

impl Additive {
    fn new(worths: Vec<f64>, in_a_storm: f64, seat: f64) -> Self {
        let condition = |label: &str, factor: u16, probability: f64| Condition {
            label: label.to_owned(),
            factors: vec![factor],
            probability,
        };
        let unit = |at: usize| Unit {
            name: format!("Card {at:02}"),
            kind: if at.is_multiple_of(3) { "spell" } else { "creature" },
            group: String::new(),
        };
        let pool = || "Pool".to_owned();
        let layout = Layout {
            matchups: vec![Matchup { contenders: vec![pool(), pool()] }],
            conditions: vec![condition("Calm", 0, 1.0 - STORM), condition("Storm", 1, STORM)],
            factors: ["Calm", "Storm"].map(str::to_owned).to_vec(),
            factor_noun: "weather",
            units: (0..worths.len()).map(unit).collect(),
            units_are_brought: true,
            units_are_drawn: true,
            longest: 1,
            round_noun: "round",
            sides: 2,
            ..Layout::default()
        };
        let of = Scenario::read("sanctum/precedence").expect("a bundled scenario").setup;
        Self { of, layout, worths, in_a_storm, seat }
    }
}

impl Engine for Additive {
    fn game(&self) -> &'static str {
        "additive"
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn play(&self, battle: Battle<'_>, _: Look, record: &mut Record) {
        let salt = u64::from(battle.dice == Dice::Keyed);
        let mut dice = Seeded::of_battle(battle.seed.wrapping_add(salt << 40), battle.index);
        let is_storm = dice.unit() < STORM;
        let condition = match battle.place {
            Place::Stratum(stratum) => stratum.condition,
            Place::Assigned(_) => u32::from(is_storm),
        };
        record.clear(Stratum { matchup: 0, condition });
        let mut lead = self.seat;
        for (side, sign) in [(Side::A, 1.0), (Side::B, -1.0)] {
            let mut left: Vec<usize> = (0..self.worths.len()).collect();
            for _ in 0..BROUGHT {
                let card = left.swap_remove(dice.below(left.len() as u32) as usize);
                let more = if card == 0 && condition == 1 { self.in_a_storm } else { 0.0 };
                lead += sign * (self.worths[card] + more);
                let (unit, level) = (card as u16, 1);
                record.fighters.push(Fighter {
                    unit,
                    level,
                    side,
                    survived: true,
                    dealt: 0,
                    taken: 0,
                });
            }
        }
        let [drawn, won] = [dice.unit(), dice.unit()];
        record.outcome = match () {
            () if drawn < DRAWS => Outcome::Draw,
            () if won < 0.5 + lead / (1.0 - DRAWS) => Outcome::Win(Side::A),
            () => Outcome::Win(Side::B),
        };
        record.rounds = 1;
    }

    fn tell(&self, battle: Battle<'_>) -> Told {
        self.of.tell(battle)
    }

    fn step(&self, battle: Battle<'_>) -> Stepped {
        self.of.step(battle)
    }

    fn activities(&self) -> Vec<String> {
        Vec::new()
    }

    fn count_activity(&self, _: Battle<'_>, _: &mut [u64]) {}

    fn walk(&self, matchup: usize, budget: Budget, go_on: &mut dyn FnMut(u64) -> bool) -> Odds {
        self.of.walk(matchup, budget, go_on)
    }

    fn outlook(&self, matchup: usize, horizon: Horizon) -> Vec<Outlook> {
        self.of.outlook(matchup, horizon)
    }

    fn drawn(&self) -> Vec<BigRational> {
        self.of.drawn()
    }

    fn odds(&self) -> Option<Table> {
        None
    }

    fn draw_model(&self) -> Option<&dyn DrawModel> {
        None
    }

    fn plays_alike(&self, _: &dyn Engine) -> bool {
        false
    }

    fn forcing(&self, _: usize, _: Side) -> Option<Box<dyn Engine>> {
        None
    }

    fn share(&mut self, _: &dyn Engine) {}

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn studied(engine: &dyn Engine, battles: u64, seed: u64) -> Results {
    let design = Design::new(engine, None, battles).expect("there are cards");
    let fitted = fit(&design, seed, 1, &mut |_| true);
    let model = Model::fit(&design, &fitted.tally);
    let fresh = test(&design, model.as_ref(), &[], seed, 1, &mut |_| true);
    results(&design, model.as_ref(), &[], &fitted, &fresh, Level::P95)
}

/// Counts of the cases in which something held, and of all cases.
#[derive(Default)]
struct Rate {
    held: u32,
    all: u32,
}

impl Rate {
    fn note(&mut self, holds: bool) {
        self.held += u32::from(holds);
        self.all += 1;
    }

    fn share(&self) -> f64 {
        f64::from(self.held) / f64::from(self.all)
    }

    /// Whether the share is the nominal one, within five standard errors.
    fn is_about(&self, nominal: f64) -> bool {
        let error = (nominal * (1.0 - nominal) / f64::from(self.all)).sqrt();
        (self.share() - nominal).abs() < 5.0 * error
    }
}

/// Counts how often intervals, places and conditional impacts are right where worths are planted, the first of which
/// depends on the weather.
fn coverage(sets: u64, battles: u64) {
    let (mut plain, mut shrunken, mut all_places, mut storm, mut others) =
        (Rate::default(), Rate::default(), Rate::default(), Rate::default(), Rate::default());
    for set in 0..sets {
        let mut random = Seeded::of_battle(11, set);
        let worths: Vec<f64> = (0..12).map(|_| 0.03 * random.normal().clamp(-2.0, 2.0)).collect();
        let engine = Additive::new(worths, 0.06, 0.03);
        let found = studied(&engine, battles, 1_000 + set);
        // The true worth of a card over all weather, less the mean of its kind weighted by how often each card was
        // brought.
        let truth = |unit: usize| {
            engine.worths[unit] + if unit == 0 { STORM * engine.in_a_storm } else { 0.0 }
        };
        let mean_of = |kind: &str| {
            let of = found.worths.iter().filter(|row| engine.layout.units[row.unit].kind == kind);
            let (sum, total) = of.fold((0.0, 0.0), |(sum, total), row| {
                (sum + row.share * truth(row.unit), total + row.share)
            });
            sum / total
        };
        let mut hold = true;
        for row in &found.worths {
            let kind = engine.layout.units[row.unit].kind;
            let own = truth(row.unit) - mean_of(kind);
            plain.note(!row.plain.excludes(own));
            shrunken.note(!row.worth.excludes(own));
            let better = |other: usize| {
                engine.layout.units[other].kind == kind && truth(other) > truth(row.unit)
            };
            let place = 1 + (0..12).filter(|&other| better(other)).count();
            hold &= (row.places[0]..=row.places[1]).contains(&place);
        }
        all_places.note(hold);
        for row in found.impacts.iter().filter(|row| row.of == Of::Factor(1)) {
            match row.unit {
                0 => storm.note(row.p_value < 0.05),
                // Other cards of its own kind are worth less in a storm, relative to a mean that includes it, so they
                // are left out.
                other if engine.layout.units[other].kind != engine.layout.units[0].kind => {
                    others.note(row.p_value < 0.05);
                }
                _ => {}
            }
        }
    }
    println!(
        "{sets} sets of {battles}: plain {:.3}, shrunken {:.3}, all places at once {:.3}, in a storm: seen of the one {:.3}, of \
         the others {:.3}",
        plain.share(),
        shrunken.share(),
        all_places.share(),
        storm.share(),
        others.share()
    );
    assert!(plain.is_about(0.95), "{}", plain.share());
    assert!(shrunken.share() > 0.92, "{}", shrunken.share());
    assert!(all_places.share() >= 0.9, "{}", all_places.share());
    assert!(others.is_about(0.05) && storm.share() > 0.5);
}

#[test]
fn worths_cover_what_was_planted() {
    coverage(40, 4_000);
}

#[test]
#[ignore = "minutes in release: every week, and after a change of what it counts"]
fn worths_cover_what_was_planted_in_many_sets() {
    coverage(400, 5_000);
}

/// Counts how often anything is claimed of cards that are all alike.
fn alarms(sets: u64, battles: u64) {
    let (mut units, mut factors, mut partners, mut any, mut explains) =
        (Rate::default(), Rate::default(), Rate::default(), Rate::default(), Rate::default());
    for set in 0..sets {
        let engine = Additive::new(vec![0.0; 12], 0.0, 0.02);
        let found = studied(&engine, battles, 9_000 + set);
        for row in &found.impacts {
            match row.of {
                Of::All => units.note(row.p_value < 0.05),
                // With two conditions there is only one comparison.
                Of::Factor(1) => factors.note(row.p_value < 0.05),
                Of::Factor(_) | Of::Bracket(_) => {}
                Of::Partner(_) => partners.note(row.p_value < 0.05),
            }
        }
        any.note(found.worths.iter().any(|row| row.p_adjusted < 0.05));
        explains.note(found.explained.low > 0.0);
    }
    println!(
        "{sets} sets of {battles}, all alike: units {:.3}, conditions {:.3}, partners {:.3}, any unit after adjustment {:.3}, a \
         share explained {:.3}",
        units.share(),
        factors.share(),
        partners.share(),
        any.share(),
        explains.share()
    );
    for rate in [&units, &factors] {
        assert!(rate.is_about(0.05), "{}", rate.share());
    }
    // The errors of the two worths are added as if they were independent, which makes claims rarer, if anything.
    let of_partners = (0.05 * 0.95 / f64::from(partners.all)).sqrt();
    assert!(partners.share() < 0.05 + 5.0 * of_partners, "{}", partners.share());
    let error = (0.05 * 0.95 / f64::from(any.all)).sqrt();
    assert!(any.share() < 0.05 + 5.0 * error && explains.share() < 0.025 + 5.0 * error);
}

#[test]
fn claims_of_cards_that_are_alike_come_at_their_nominal_rate() {
    alarms(60, 1_500);
}

#[test]
#[ignore = "minutes in release: every week, and after a change of what it counts"]
fn claims_of_cards_that_are_alike_come_at_their_nominal_rate_in_many_sets() {
    alarms(400, 2_500);
}

/// A scenario with one broken card, and the number of battles that suffice to find it.
struct Broken {
    scenario: &'static str,
    card: &'static str,
    battles: u64,
}

/// One of each game: a monster, a creature at all its levels, a swordsman and an attack, each with three more attack.
const BROKEN: [Broken; 4] = [
    Broken {
        scenario: "game = \"splinterlands\"\nbattles = 100\nleague = \"silver\"\nmana_caps = [24]\n\
                   [rulesets]\nfixed = [\"Standard\"]\n\
                   [changes.\"Goblin Shaman\"]\nmagic = \"+3\"\n\
                   [[pools]]\nname = \"Fire\"\nfactions = [\"Fire\"]\n\
                   summoners = [\"Malric Inferno\"]\n\
                   [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n",
        card: "Goblin Shaman",
        battles: 1_200,
    },
    Broken {
        scenario: "game = \"solforge\"\nbattles = 100\n\
                   [changes.\"Nexus Aeronaut\"]\nattack = \"+3\"\n\
                   [[pools]]\nname = \"Two\"\nfactions = [\"alloyin\", \"nekrium\"]\npolicy = \"greedy\"\n\
                   [sides]\na = [\"Two\"]\nb = [\"Two\"]\n",
        card: "Nexus Aeronaut",
        battles: 800,
    },
    Broken {
        scenario: "game = \"sanctum\"\nbattles = 100\n\
                   [changes.\"Human swordsman\"]\nhand = \"+3\"\n\
                   [[groups]]\nname = \"Humans\"\nminions = [\"2 Human swordsman\"]\n\
                   [sides]\na = [\"Humans\"]\nb = [\"Humans\"]\nprecedence = \"either\"\n",
        card: "Human swordsman",
        battles: 1_200,
    },
    Broken {
        scenario: "game = \"eldertale\"\nbattles = 100\n\
                   [changes.\"Quick Jabs\"]\ndamage = \"+3\"\n\
                   [[characters]]\nname = \"Bard\"\nclasses = [\"Bard\"]\npolicy = \"greedy\"\n\
                   [sides]\na = [\"Bard\"]\nb = [\"Bard\"]\n",
        card: "Quick Jabs",
        battles: 1_200,
    },
];

/// Counts the seeds with which the broken card heads the impact list of a game.
fn found_first(broken: &Broken, seeds: u64) -> u64 {
    let document =
        Document::new("broken.toml", broken.scenario.to_owned(), Folder::Disk(".".into()));
    let scenario = Scenario::of(&document).unwrap_or_else(|faults| panic!("{faults:?}"));
    let first = |seed: &u64| {
        let found = studied(scenario.engine(), broken.battles, *seed);
        let all = found.impacts.iter().filter(|row| row.of == Of::All);
        let first = all.max_by(|a, b| a.impact.value.total_cmp(&b.impact.value));
        let design = Design::new(scenario.engine(), None, 1).expect("there are cards");
        first.is_some_and(|row| {
            design.layout.units[row.unit].name == broken.card && row.p_adjusted < 0.05
        })
    };
    (0..seeds).filter(first).count() as u64
}

#[test]
fn a_broken_card_comes_first_in_every_game() {
    for broken in &BROKEN {
        let found = found_first(broken, 2);
        assert_eq!(found, 2, "{}", broken.card);
    }
}

#[test]
#[ignore = "minutes in release: every week, and after a change of what it counts"]
fn a_broken_card_comes_first_in_nineteen_of_twenty_seeds() {
    for broken in &BROKEN {
        let found = found_first(broken, 20);
        println!("{}: first in {found} of 20", broken.card);
        assert!(found >= 19, "{}: {found} of 20", broken.card);
    }
}

/// The monsters of one splinter, or neutral ones, that differ in nothing but their names.
fn clones(letter: char, splinter: &str) -> String {
    let of = |at: u32| {
        format!(
            "{{ name = \"{letter}{at}\", faction = \"{splinter}\", mana = 4, melee = 2, health = 5, speed = 2 }}"
        )
    };
    (1..=6).map(of).collect::<Vec<_>>().join(", ")
}

/// A scenario with clones of two splinters and neutral ones, and with pools that have the summoners of one splinter or
/// of both, under some rulesets.
fn of_clones(rulesets: &str, pools: &[(&str, &str)]) -> Scenario {
    let names = |letters: &str| {
        let all =
            letters.chars().flat_map(|letter| (1..=6).map(move |at| format!("\"{letter}{at}\"")));
        all.collect::<Vec<_>>().join(", ")
    };
    let summoners = |letters: &str| {
        let of =
            |(letter, name): (char, &str)| letters.contains(letter).then(|| format!("\"{name}\""));
        let all = [('F', "Malric Inferno"), ('W', "Alric Stormbringer")].into_iter().filter_map(of);
        all.collect::<Vec<_>>().join(", ")
    };
    let pool = |(name, letters): &(&str, &str)| {
        format!(
            "[[pools]]\nname = \"{name}\"\nsummoners = [{}]\nmonsters = [{}]\npolicy = \"fill\"\n",
            summoners(letters),
            names(letters)
        )
    };
    let text = format!(
        "game = \"splinterlands\"\nmana_caps = [18]\nleague = \"novice\"\nbattles = 100\nnew_cards = [{}, {}, {}]\n\
         [rulesets]\nonly = [{rulesets}]\ntwo = 0\n{}[sides]\na = [\"{}\"]\nb = [\"{}\"]\n",
        clones('F', "Fire"),
        clones('W', "Water"),
        clones('N', "Neutral"),
        pools.iter().map(pool).collect::<String>(),
        pools[0].0,
        pools[pools.len() - 1].0
    );
    let document = Document::new("clones.toml", text, Folder::Disk(".".into()));
    Scenario::of(&document).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// A ruleset that silences a summoner favours contenders or teams that have another one, and a ruleset that takes the
/// neutral monsters away changes who is brought: no monster does any of it. Before this was taken out, every run named
/// some monsters as worth more, and every row under a ruleset counted.
#[test]
fn what_a_ruleset_does_to_a_side_is_no_monsters_doing() {
    let contenders =
        of_clones("\"Silenced Summoners\", \"Taking Sides\"", &[("Fire", "FN"), ("Water", "WN")]);
    let summoners = of_clones("\"Silenced Summoners\", \"Standard\"", &[("Any", "FWN")]);
    for (which, scenario) in [("contenders", contenders), ("summoners", summoners)] {
        let kinds = Design::new(scenario.engine(), None, 1).expect("there are cards").layout.units;
        let is_monster = |unit: usize| kinds[unit].kind == "monster";
        let (mut named, mut worths, mut rulesets) = (0, Rate::default(), Rate::default());
        for seed in 0..40 {
            let found = studied(scenario.engine(), 4_000, seed);
            let monsters = || found.worths.iter().filter(|row| is_monster(row.unit));
            named += u32::from(monsters().any(|row| row.p_adjusted < 0.05));
            monsters().for_each(|row| worths.note(row.for_cost.excludes(0.0)));
            for row in found.impacts.iter().filter(|row| is_monster(row.unit)) {
                // With two rulesets there is only one comparison.
                if matches!(row.of, Of::Factor(at) if at == first_factor(&found)) {
                    rulesets.note(row.p_value < 0.05);
                }
            }
        }
        println!(
            "{which}: named in {named} of 40, worths miss {:.3}, rulesets {:.3} of {}",
            worths.share(),
            rulesets.share(),
            rulesets.all
        );
        // P-values are adjusted so that one in 20 of the named cards may be named by chance. Where every run rightly names a
        // summoner, a monster beside it is a smaller part of what is named, so that more runs may name one.
        assert!(named <= if which == "summoners" { 12 } else { 5 }, "{which}: {named} of 40");
        assert!(
            worths.share() < 0.05 && rulesets.share() < 0.09,
            "{which}: {} {}",
            worths.share(),
            rulesets.share()
        );
    }
}

/// The first factor that has rows of its own.
fn first_factor(found: &Results) -> usize {
    let factors = found.impacts.iter().filter_map(|row| match row.of {
        Of::Factor(at) => Some(at),
        Of::All | Of::Bracket(_) | Of::Partner(_) => None,
    });
    factors.min().unwrap_or_default()
}
