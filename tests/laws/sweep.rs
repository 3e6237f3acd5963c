//! Laws of sweeps: threads change nothing, and pairing and reweighting agree with separate runs and are cheaper.

use std::num::NonZeroU64;

use evens::batch::{Detail, Plan, run_whole};
use evens::engine::{Engine, variants_of};
use evens::scenario::{Document, Folder};
use evens::statistics::{Level, difference, proportion};
use evens::studies::sweep::{Design, Played, Row, Setups, play, play_after_pilot, results};
use evens::tally::OutcomeMeasure;

const SEED: u64 = 21;

/// The setups of a scenario's variants: all of them, and as a sweep keeps them.
struct Swept {
    engines: Vec<Box<dyn Engine>>,
    setups: Setups,
    values: Vec<Vec<String>>,
}

/// The variants of a scenario with these axes.
fn of(scenario: &str, axes: &[&str]) -> Swept {
    combined(scenario, axes, false)
}

fn combined(scenario: &str, axes: &[&str], zip: bool) -> Swept {
    let axes: Vec<String> = axes.iter().map(|&axis| axis.to_owned()).collect();
    variants(&Document::read(scenario).unwrap().with_axes(&axes), zip)
}

fn variants(document: &Document, zip: bool) -> Swept {
    let (mut engines, mut setups) = (Vec::new(), Setups::default());
    let all = variants_of(document, zip, &mut |engine| engines.push(engine));
    let all = all.unwrap_or_else(|faults| panic!("{}", super::told(&faults)));
    let values = all.variants.into_iter().map(|variant| variant.values).collect();
    let kept = variants_of(document, zip, &mut |engine| setups.add(engine));
    kept.unwrap_or_else(|faults| panic!("{}", super::told(&faults)));
    Swept { engines, setups, values }
}

fn swept(variants: &Swept, battles: u64) -> (usize, Vec<Row>) {
    let mut design = Design::new(&variants.setups, battles).unwrap();
    design.measure = OutcomeMeasure::Wins;
    let played = play(&design, SEED, 2, &mut |_| true);
    (design.arms.len(), results(&design, &played, Level::P95))
}

/// Wins of side A and battles of every variant, each played in a run of its own with another seed.
fn separate(variants: &Swept, battles: u64) -> Vec<(u64, u64)> {
    let one = |(variant, engine): (usize, &dyn Engine)| {
        let battles = NonZeroU64::new(battles).unwrap();
        let plan =
            Plan { seed: 900 + variant as u64, battles, threads: 2, detail: Detail::default() };
        let finished = run_whole(engine, plan, &mut |_| true);
        let count = finished.tally.count(engine.layout(), |matchup, _| matchup == 0);
        (count.wins[0], count.battles)
    };
    variants.engines.iter().map(|engine| &**engine).enumerate().map(one).collect()
}

fn of_side_a(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| (row.matchup, row.side) == (0, 0)).collect()
}

/// A sweep agrees with separate runs of the same variants, within their intervals. `least` is the smallest allowed
/// ratio of the two intervals' widths for a difference: that of separate runs over that of the sweep.
fn agrees_with_separate_runs(variants: &Swept, arms: usize, battles: u64, least: f64) {
    let (found, rows) = swept(variants, battles);
    assert_eq!(found, arms);
    let separate = separate(variants, battles);
    let rows = of_side_a(&rows);
    for (row, &(wins, battles)) in rows.iter().zip(&separate) {
        // Six standard errors, because dozens of numbers are compared here.
        let alone = proportion(wins, battles, Level::new(1.0 - 2e-9).unwrap());
        assert!(
            (alone.low..alone.high).contains(&row.score.value),
            "{}: {} is not {alone:?}",
            row.variant,
            row.score.value
        );
        if let Some(comparison) = row.comparison {
            let apart = difference((wins, battles), separate[0], Level::new(1.0 - 2e-9).unwrap());
            let paired = comparison.difference;
            assert!((apart.low..apart.high).contains(&paired.value), "{paired:?} is not {apart:?}");
            let narrower = (apart.high - apart.low) / 6.0 * 1.96 / (paired.high - paired.low);
            assert!(narrower > least, "{}: {narrower}", row.variant);
        }
    }
}

#[test]
fn paired_differences_are_those_of_separate_runs() {
    let health = of("splinterlands/sweep-health", &[]);
    agrees_with_separate_runs(&health, 4, 10_000, 1.7);
    let hp = of("eldertale/sweep-hp", &[]);
    agrees_with_separate_runs(&hp, 5, 10_000, 1.7);
}

#[test]
fn reweighted_rates_are_those_of_direct_simulation() {
    let weights = of("splinterlands/sweep-rulesets", &[]);
    // One arm answers for twelve variants here, six of which share no condition with the others.
    agrees_with_separate_runs(&weights, 1, 20_000, 0.7);
}

/// A sweep over both kinds of axis: two arms, each of which answers for two variants.
#[test]
fn a_sweep_of_both_kinds_reweights_within_each_kind_of_battle() {
    let both = of(
        "splinterlands/archetypes",
        &["changes.\"Living Lava\".health=+0,+3", "rulesets.weights.Standard=1,30"],
    );
    agrees_with_separate_runs(&both, 2, 20_000, 0.8);
}

/// One arm answers for all variants as long as one of them draws every condition that the others draw.
#[test]
fn variants_need_not_draw_the_same_rulesets() {
    let axes = ["rulesets.weights.Standard=0,1", "rulesets.weights.Earthquake=1,0"];
    let arms = |zip| {
        let variants = combined("splinterlands/archetypes", &axes, zip);
        Design::new(&variants.setups, 1_000).unwrap().arms.len()
    };
    // In the grid one variant draws both rulesets. In step, each variant draws one that the other does not.
    assert_eq!((arms(false), arms(true)), (1, 2));
    let in_step = combined("splinterlands/archetypes", &axes, true);
    agrees_with_separate_runs(&in_step, 2, 10_000, 0.8);
    let fixed = combined("splinterlands/mirror", &["rulesets.fixed.0=Standard,Earthquake"], false);
    agrees_with_separate_runs(&fixed, 2, 10_000, 0.97);
}

/// Where nothing is drawn, variants of a fixed ruleset play the same battles: a ruleset that changes nothing has no
/// effect in any of them. Fog of War takes away Sneak and Snipe, which nobody has here.
#[test]
fn fixed_rulesets_are_paired() {
    let text = "game = \"splinterlands\"\nbattles = 1\nmana_caps = [30]\nleague = \"silver\"\n\
                [rulesets]\nfixed = [\"Standard\"]\n[[teams]]\nname = \"Fire\"\n\
                summoner = \"Malric Inferno\"\nmonsters = [\"Living Lava\", \
                \"Serpentine Soldier\", \"Giant Roc\"]\n[sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";
    let document = Document::new("mirror.toml", text.to_owned(), Folder::Disk("".into()));
    let fixed = "rulesets.fixed=[\"Standard\"],[\"Fog of War\"],[\"Standard\"]".to_owned();
    let variants = variants(&document.with_axes(&[fixed]), false);
    let design = Design::new(&variants.setups, 2_000).unwrap();
    assert_eq!((design.strata(), design.battles()), (1, 2_000));
    let rows = results(&design, &play(&design, SEED, 2, &mut |_| true), Level::P95);
    for row in rows.iter().filter(|row| row.variant > 0) {
        let comparison = row.comparison.unwrap();
        assert_eq!((row.battles, comparison.difference.value), (2_000, 0.0));
        assert!(comparison.difference.high < 0.005, "{comparison:?}");
    }
}

/// The promise of the bundled example: the effect of one more point of health is known equally well from less than a
/// third of the battles.
#[test]
fn pairing_saves_more_than_two_thirds_of_the_battles() {
    let health = of("splinterlands/sweep-health", &[]);
    assert_eq!(health.values[..2], [["+0"], ["+1"]]);
    let (_, rows) = swept(&health, 20_000);
    let ratio = of_side_a(&rows)[1].comparison.unwrap().variance_ratio;
    assert!(ratio > 6.0, "{ratio}");
}

/// The hardest case for pairing: the card is in every battle, on both sides, and acts in each of them.
#[test]
fn pairing_saves_battles_where_every_battle_has_the_card_twice() {
    let mirror = of("splinterlands/mirror", &["changes.\"Living Lava\".health=+0,+1"]);
    let (_, rows) = swept(&mirror, 20_000);
    let ratio = of_side_a(&rows)[1].comparison.unwrap().variance_ratio;
    assert!(ratio > 3.0, "{ratio}");
}

fn threads_change_nothing(scenario: &str, axes: &[&str], battles: u64) {
    let variants = of(scenario, axes);
    let design = Design::new(&variants.setups, battles).unwrap();
    let on = |threads| play(&design, SEED, threads, &mut |_| true);
    let one = on(1);
    assert_eq!(one.battles, design.battles());
    for threads in [2, 3, 16] {
        assert!(one.tally == on(threads).tally, "{scenario}, {threads} threads");
    }
}

#[test]
fn every_game_gives_the_same_sweep_on_1_2_3_and_16_threads() {
    threads_change_nothing("splinterlands/sweep-rulesets", &[], 3_000);
    threads_change_nothing("splinterlands/sweep-health", &[], 2_000);
    threads_change_nothing("solforge/cercee-and-oros", &["position.a.life=100,90"], 2_000);
    threads_change_nothing(
        "sanctum/precedence",
        &["groups.Elves.minions.0=5 Elf swordsman,4 Elf swordsman"],
        2_000,
    );
    threads_change_nothing("eldertale/sweep-hp", &[], 2_000);
}

/// A sweep that is ended early has played battles of all strata, and its results are less sure but not wrong.
#[test]
fn a_sweep_that_is_ended_early_knows_every_variant() {
    let variants = of("splinterlands/sweep-rulesets", &[]);
    let design = Design::new(&variants.setups, 400_000).unwrap();
    let Played { tally, battles } = play(&design, SEED, 2, &mut |_| false);
    assert!(battles > 0 && battles < design.battles());
    assert_eq!((0..design.strata()).map(|stratum| tally.battles(stratum)).sum::<u64>(), battles);
    let rows = results(&design, &Played { tally, battles }, Level::P95);
    assert!(rows.iter().all(|row| row.score.high - row.score.low < 0.2));
}

/// Where a ruleset decides battles, more of them tell little: a pilot finds this out, and the same number of battles
/// then tells more. The results agree with a plain sweep.
#[test]
fn a_pilot_sends_battles_where_they_are_needed() {
    let text = "game = \"splinterlands\"\nbattles = 1\nillegal_teams = \"lose\"\n\
                [rulesets]\nonly = [\"Standard\", \"Armored Up\", \"Little League\"]\ntwo = 0\n\
                [[pools]]\nname = \"Anybody\"\n[[teams]]\nname = \"Giants\"\n\
                summoner = \"Malric Inferno\"\nmonsters = [\"Living Lava\", \"Pit Ogre\", \
                \"Serpentine Soldier\", \"Fire Beetle\", \"Kobold Miner\"]\n\
                [sides]\na = [\"Giants\"]\nb = [\"Anybody\"]\n";
    let document = Document::new("giants.toml", text.to_owned(), Folder::Disk("".into()));
    let axes = ["rulesets.weights.Little League=1,4".to_owned()];
    let variants = variants(&document.with_axes(&axes), false);
    let design = Design::new(&variants.setups, 12_000).unwrap();
    let plain = results(&design, &play(&design, SEED, 2, &mut |_| true), Level::P95);
    let played = play_after_pilot(&design, SEED, 2, &mut |_| true);
    assert_eq!(played.battles, design.battles());
    // The giants are too expensive for Little League, so they always lose there.
    let of = |label: usize| played.tally.battles(label) as f64 / played.battles as f64;
    assert!((0..design.strata()).any(|stratum| of(stratum) < 0.2), "hardly any where all lose");
    for (plain, piloted) in
        of_side_a(&plain).iter().zip(of_side_a(&results(&design, &played, Level::P95)))
    {
        let width = |row: &Row| row.score.high - row.score.low;
        assert!(width(piloted) < 0.9 * width(plain), "{plain:?} {piloted:?}");
        let apart = (piloted.score.value - plain.score.value).abs();
        assert!(apart < 1.1 * width(plain), "{plain:?} {piloted:?}");
    }
}

#[test]
fn a_sweep_after_a_pilot_is_the_same_on_1_2_3_and_16_threads() {
    let variants = of("splinterlands/sweep-rulesets", &[]);
    let design = Design::new(&variants.setups, 3_000).unwrap();
    let on = |threads| play_after_pilot(&design, SEED, threads, &mut |_| true);
    let one = on(1);
    assert_eq!(one.battles, design.battles());
    for threads in [2, 3, 16] {
        assert!(one.tally == on(threads).tally, "{threads} threads");
    }
    // Ended during the pilot, or after it: the battles that were played count.
    for waves in [1, 40] {
        let mut left = waves;
        let early = play_after_pilot(&design, SEED, 2, &mut |_| {
            left -= 1;
            left > 0
        });
        let counted: u64 = (0..design.strata()).map(|stratum| early.tally.battles(stratum)).sum();
        assert_eq!(counted, early.battles);
    }
}
