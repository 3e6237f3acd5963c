//! What a sweep can vary, and what can be wrong with it.

use evens::game::Game;
use evens::games::eldertale::ElderTale;
use evens::games::sanctum::Sanctum;
use evens::games::solforge::SolForge;
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::setup::Setup;
use evens::scenario::{Document, Faults, Folder, Form, Variants, load_tree, variants};

const TEAM: &str = "game = \"splinterlands\"\nbattles = 1\nmana_caps = [30]\nrulesets.fixed = [\"Standard\"]\n\
                    [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\n\
                    monsters = [\"Pit Ogre@1\", \"Fire Beetle@1\"]\n\
                    [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";

type Swept<G> = (Variants<<G as Game>::Setup>, Vec<<G as Game>::Setup>);

fn swept<G: Form>(text: &str, set: &[&str], zip: bool) -> Result<Swept<G>, Vec<Faults>> {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    let document = Document::new("case.toml", text.to_owned(), Folder::Disk("".into()));
    let mut setups = Vec::new();
    let mut keep = |setup| setups.push(setup);
    let document = document.with_axes(&set);
    let found =
        variants(&document, zip, &|document, tree| load_tree::<G>(document, tree), &mut keep)?;
    Ok((found, setups))
}

fn values(text: &str, set: &[&str], zip: bool) -> Vec<String> {
    match swept::<Splinterlands>(text, set, zip) {
        Ok((found, _)) => {
            found.variants.into_iter().map(|variant| variant.values.join(" ")).collect()
        }
        Err(faults) => panic!("{:?}", told(faults)),
    }
}

/// What is wrong with a sweep: for each fault the variant, the marked text and the message.
fn told(faults: Vec<Faults>) -> Vec<String> {
    let told = |faults: Faults| {
        let name = faults.name;
        faults.faults.into_iter().map(move |fault| {
            let marked = fault.place.as_ref().map_or(String::new(), |(source, span)| {
                source.inner()[span.clone()].lines().next().unwrap_or("").to_owned()
            });
            format!("{name} | {marked} | {fault} | {}", fault.remedy)
        })
    };
    faults.into_iter().flat_map(told).collect()
}

fn wrong(sweep: &str, set: &[&str], zip: bool) -> Vec<String> {
    match swept::<Splinterlands>(&format!("{TEAM}{sweep}"), set, zip) {
        Ok(_) => panic!("this sweep is at fault"),
        Err(faults) => told(faults),
    }
}

#[test]
fn axes_make_a_grid_or_go_in_step() {
    let axes = "[[sweep.axes]]\npath = \"mana_caps\"\nvalues = [[30], [20, 30]]\n\
                [[sweep.axes]]\npath = \"changes.Pit Ogre.speed\"\nfrom = 1\nto = 5\nsteps = 3\n";
    let text = format!("{TEAM}{axes}");
    assert_eq!(
        values(&text, &[], false),
        ["[30] 1", "[30] 3", "[30] 5", "[20, 30] 1", "[20, 30] 3", "[20, 30] 5"]
    );
    let zipped =
        format!("{TEAM}[sweep]\nmode = \"zip\"\n{}", axes.replace("steps = 3", "steps = 2"));
    assert_eq!(values(&zipped, &[], false), ["[30] 1", "[20, 30] 5"]);
    assert_eq!(
        values(&text.replace("steps = 3", "steps = 2"), &[], true),
        ["[30] 1", "[20, 30] 5"]
    );
}

#[test]
fn the_command_line_adds_axes_and_goes_before_the_scenarios() {
    let text =
        format!("{TEAM}[[sweep.axes]]\npath = \"league\"\nvalues = [\"gold\", \"silver\"]\n");
    assert_eq!(values(&text, &["mana_caps.0=30"], false), ["gold 30", "silver 30"]);
    assert_eq!(values(&text, &["league=novice"], false), ["novice"]);
    let set = ["changes.\"Pit Ogre\".health=+0,\"-1\",7", "identical_teams=fight,draw"];
    assert_eq!(
        values(TEAM, &set, false),
        ["+0 fight", "+0 draw", "-1 fight", "-1 draw", "7 fight", "7 draw"]
    );
}

/// Values are set where their paths say: in tables, in tables that do not exist yet, in lists by index and by name.
#[test]
fn variants_are_what_they_say() {
    let set = [
        "teams.Fire.monsters.1=Serpentine Soldier@2",
        "changes.Pit Ogre.health=9",
        "teams.0.name=Fire",
    ];
    let Ok((found, setups)) = swept::<Splinterlands>(TEAM, &set, false) else { panic!("no fault") };
    let setup = &setups[0];
    let (team, _) = setup.team(0).expect("a fixed team");
    let [ogre, soldier] =
        ["Pit Ogre", "Serpentine Soldier"].map(|name| setup.catalogue().find(name).unwrap());
    assert_eq!((team.monsters[1].card, team.monsters[1].level), (soldier, 2));
    assert!(setup.catalogue().cards[usize::from(ogre)].levels.iter().all(|l| l.stats.health == 9));
    assert_eq!(
        found.variants[0].name,
        "case.toml with teams.Fire.monsters.1 = \"Serpentine Soldier@2\", changes.Pit Ogre.health = 9, \
         teams.0.name = \"Fire\""
    );

    let duel = "game = \"eldertale\"\nbattles = 1\n[[characters]]\nname = \"X\"\nhp = 40\n\
                classes = [\"Blademaster\"]\n[sides]\na = [\"X\"]\nb = [\"X\"]\n";
    let Ok((found, _)) = swept::<ElderTale>(duel, &["characters.X.hp=41,42"], false) else {
        panic!("no fault")
    };
    let values: Vec<_> = found.variants.iter().map(|variant| variant.values[0].as_str()).collect();
    assert_eq!(values, ["41", "42"]);
}

#[test]
fn the_fingerprint_is_of_the_scenario_and_of_what_is_varied() {
    let print = |text: &str, set: &[&str]| match swept::<Splinterlands>(text, set, false) {
        Ok((found, _)) => found.fingerprint,
        Err(_) => panic!("no fault"),
    };
    let one = print(TEAM, &["league=gold,silver"]);
    assert_eq!(one, print(TEAM, &["league=gold,silver"]));
    assert_ne!(one, print(TEAM, &["league=silver,gold"]));
    assert_ne!(one, print(&format!("{TEAM}\n"), &["league=gold,silver"]));
}

#[test]
fn an_axis_that_makes_no_sense_is_a_fault() {
    let axis = |keys: &str| format!("[[sweep.axes]]\n{keys}\n");
    let either = "an axis has either `values`, or `from`, `to` and `steps`";
    for keys in ["", "from = 1\nto = 2", "values = [1]\nsteps = 2"] {
        let found = wrong(&axis(&format!("path = \"league\"\n{keys}")), &[], false);
        assert!(found.len() == 1 && found[0].contains(either), "{found:?}");
    }
    for (keys, message) in [
        ("path = \"league\"\nvalues = []", "needs at least 1 entry"),
        ("path = \"league\"\nfrom = 1\nto = 2\nsteps = 1", "must lie between 2 and 1000"),
        ("values = [1]", "`path` is missing"),
        ("path = \"seed\"\nvalues = [1]", "`seed` is the same for all variants"),
        ("path = \"league.\"\nvalues = [1]", "`league.` is not a path"),
        ("path = \"league.'a\"\nvalues = [1]", "`league.'a` has an open quote"),
    ] {
        let found = wrong(&axis(keys), &[], false);
        assert!(found.len() == 1 && found[0].contains(message), "{found:?}");
    }
    let found = wrong("", &[], false);
    assert!(found[0].contains("the scenario says nothing to sweep"), "{found:?}");
    let found = wrong("", &["league=gold,silver", "mana_caps.0=30"], true);
    assert_eq!(
        found,
        [
            "case.toml | mana_caps.0 | `mana_caps.0` has 1 value, and `league` has 2 | with mode `zip` every axis \
          has the same number of values"
        ]
    );
    let hundred: Vec<String> = (1..=101).map(|value| value.to_string()).collect();
    let hundred = hundred.join(",");
    let large = [format!("mana_caps.0={hundred}"), format!("changes.Pit Ogre.mana={hundred}")];
    let found = wrong("", &[&large[0], &large[1]], false);
    assert!(found[0].contains("this grid has more than 10000 variants"), "{found:?}");
}

#[test]
fn a_path_that_leads_nowhere_is_a_fault_with_what_may_be_meant() {
    let of = |set: &str| {
        let found = wrong("", &[set], false);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    assert_eq!(
        of("leage=gold"),
        "case.toml with leage = \"gold\" | leage | unknown key `leage` | did you mean `league`? One of: battles, \
         cards, changes, edition, game, identical_teams, illegal_teams, league, mana_caps, new_cards, output, pools, \
         question, rulesets, seed, sides, sweep, teams, turn_ties, watch"
    );
    assert!(of("rulesets.weight.Standard=1").contains("did you mean `weights`?"));
    assert!(of("changes.Pit Orge.mana=1").contains("did you mean `Pit Ogre`?"));
    assert!(of("changes.Pit Ogre.helth=1").contains("did you mean `health`?"));
    let entry = of("teams.Fyre.name=X");
    assert!(
        entry.contains("| teams.Fyre.name | `teams` has no entry `Fyre` | did you mean `Fire`?")
    );
    assert!(
        of("teams.1.name=X").contains("`teams` has no entry `1` | its entries are counted from 0")
    );
    let pools = of("pools.0.name=X");
    assert!(
        pools.contains("the scenario has no `pools`, so there is no entry `0` in it"),
        "{pools}"
    );
    let league = of("league.name=X");
    assert!(league.contains("unknown `name`"), "{league}");
    assert!(
        of("teams.0.summoner.name=X")
            .contains("`summoner` is a single value and has no `name` in it")
    );
    assert!(of("x").contains("`x` sets nothing"));
    assert!(of("league=gold,,silver").contains("has an empty value"));
}

/// A fault of a variant names the variant. It marks the swept value, or the text that does not go with it.
#[test]
fn a_fault_of_a_variant_names_the_values_that_made_it() {
    let sweep = "[[sweep.axes]]\npath = \"changes.Pit Ogre.health\"\nvalues = [\"+1\", \"-7\", \"-8\", 1.5]\n\
                 [[sweep.axes]]\npath = \"mana_caps.0\"\nvalues = [30, 4]\n";
    let found = wrong(sweep, &[], false);
    let found: Vec<Vec<&str>> =
        found.iter().map(|line| line.split(" | ").take(3).collect()).collect();
    let name = |health: &str, mana: &str| {
        format!("case.toml with changes.Pit Ogre.health = {health}, mana_caps.0 = {mana}")
    };
    assert_eq!(
        found,
        [
            [
                &name("\"+1\"", "4"),
                "[\"Pit Ogre@1\", \"Fire Beetle@1\"]",
                "the team costs 12 mana and the cap is 4"
            ],
            [&name("\"-7\"", "30"), "\"-7\"", "`Pit Ogre` would have 0 health at level 1"],
            [&name("\"-8\"", "30"), "\"-8\"", "`Pit Ogre` would have -1 health at level 1"],
            [
                &name("1.5", "30"),
                "1.5",
                "expected a whole number, a list or a string, found a number"
            ],
        ]
    );
}

/// A fault of the scenario itself is told once, without any variant.
#[test]
fn a_faulty_scenario_is_not_swept() {
    let found =
        wrong("[[sweep.axes]]\npath = \"league\"\nvalues = [\"gold\"]\nluck = 1\n", &[], false);
    assert!(
        found.len() == 1 && found[0].starts_with("case.toml | luck | unknown key"),
        "{found:?}"
    );
}

/// A fault in a number of a range marks the end of the range that leads there, or the number of steps.
#[test]
fn a_fault_of_a_range_points_to_the_key_that_made_it() {
    let range = |from: i32, to: i32, steps: u32| {
        let axis = format!(
            "[[sweep.axes]]\npath = \"changes.Pit Ogre.health\"\nfrom = {from}\nto = {to}\nsteps = {steps}\n"
        );
        wrong(&axis, &[], false)
    };
    let told = |found: &[String]| -> Vec<String> {
        let part = |line: &String| line.split(" | ").skip(1).take(2).collect::<Vec<_>>().join(": ");
        found.iter().map(part).collect()
    };
    assert_eq!(told(&range(0, 4, 3)), ["0: `Pit Ogre` would have 0 health at level 1"]);
    assert_eq!(
        told(&range(4, 900, 5)),
        ["900: `Pit Ogre` would have 900 health at level 1"],
        "what lies between is told with the end"
    );
    let whole = "expected a whole number, a list or a string, found a number";
    assert_eq!(told(&range(4, 7, 3)), [format!("3: {whole}")]);
    assert_eq!(told(&range(4, 4, 3)), ["4: `to` is what `from` is"]);
    let both = "[[sweep.axes]]\npath = \"league\"\nvalues = [1]\nto = 2\n";
    assert!(wrong(both, &[], false)[0].starts_with("case.toml | to | an axis has either"));
}

#[test]
fn a_sign_without_quotes_adds_to_nothing() {
    let axis = "[[sweep.axes]]\npath = \"mana_caps.0\"\nvalues = [+30, 20]\n";
    let found = wrong(axis, &[], false);
    let wanted = "case.toml | +30 | `+30` is the number 30, and no more than there is | write `30`";
    assert_eq!(found, [wanted]);
}

#[test]
fn an_empty_axis_sets_nothing() {
    for sets in [&[""][..], &["", "mana_caps.0=20,30"], &["mana_caps.0=20,30", " "]] {
        let found = wrong("", sets, false);
        assert!(
            found.len() == 1 && found[0].contains("an empty `--set` sets nothing"),
            "{found:?}"
        );
    }
}

const ELDERTALE: &str = include_str!("../../src/games/eldertale/template.toml");
const SANCTUM: &str = include_str!("../../src/games/sanctum/template.toml");
const SOLFORGE: &str = include_str!("../../src/games/solforge/template.toml");
const SPLINTERLANDS: &str = include_str!("../../src/games/splinterlands/template.toml");

/// What is wrong with an axis of a game's template.
fn wrong_in<G: Form>(template: &str, set: &[&str]) -> Vec<String> {
    match swept::<G>(template, set, false) {
        Ok(_) => panic!("{set:?} is at fault"),
        Err(faults) => told(faults),
    }
}

/// Asserts that these two axes of a game's template make the same variants.
#[track_caller]
fn assert_same<G: Form>(template: &str, one: &str, other: &str)
where
    G::Setup: std::fmt::Debug,
{
    let setups = |set: &str| match swept::<G>(template, &[set], false) {
        Ok((_, setups)) => setups.iter().map(|setup| format!("{setup:?}")).collect::<Vec<_>>(),
        Err(faults) => panic!("{set}: {:?}", told(faults)),
    };
    let (one, other) = (setups(one), setups(other));
    assert!(one[0] != one[1], "the variants differ");
    assert!(one == other, "the axes are the same");
}

/// An axis adds to what a scenario writes of its own cards as it does to bundled ones, to each number of a list.
#[test]
fn an_axis_adds_to_what_the_scenario_writes() {
    let blow = "cards.\"Glancing Blow\".damage";
    assert_same::<ElderTale>(ELDERTALE, &format!("{blow}=+0,+1"), &format!("{blow}=5,6"));
    assert_same::<ElderTale>(ELDERTALE, "cards.0.damage=+0,-1", &format!("{blow}=5,4"));
    let hound = "minions.\"Ember Hound\".hit_points";
    assert_same::<Sanctum>(SANCTUM, &format!("{hound}=+0,+1"), &format!("{hound}=8,9"));
    let effect = "minions.\"Ember Hound\".effects.0.amount";
    assert_same::<Sanctum>(SANCTUM, &format!("{effect}=+0,+1"), &format!("{effect}=1,2"));
    let warden = "cards.\"Thorn Warden\".health";
    let lists = format!("{warden}=[6,11,18],[7,12,19]");
    assert_same::<SolForge>(SOLFORGE, &format!("{warden}=+0,+1"), &lists);
    let imp = |list: &str, values: &str| format!("{list}.\"Ash Imp\".melee={values}");
    let imps = |set: &str| {
        let (_, setups) = swept::<Splinterlands>(SPLINTERLANDS, &[set], false).unwrap();
        let imp = |setup: &Setup| {
            let found = setup.catalogue().cards.iter().find(|card| card.name == "Ash Imp");
            format!("{:?}", found.unwrap())
        };
        setups.iter().map(imp).collect::<Vec<_>>()
    };
    let added = imps(&imp("cards", "+0,+1"));
    assert!(added[0] != added[1] && added == imps(&imp("new_cards", "2,3")), "{added:?}");
    let axis = format!("{ELDERTALE}\n[[sweep.axes]]\npath = '{blow}'\nvalues = [\"+0\", \"+2\"]\n");
    let (found, _) = swept::<ElderTale>(&axis, &[&format!("{blow}=5,6,7")], false).unwrap();
    assert_eq!(found.axes, [blow], "the command line's axis goes before the scenario's");
    let twice =
        wrong_in::<ElderTale>(ELDERTALE, &[&format!("{blow}=+0,+1"), &format!("{blow}=5,6")]);
    assert!(twice.len() == 1 && twice[0].contains("is set twice"), "{twice:?}");
    let less = wrong_in::<ElderTale>(ELDERTALE, &[&format!("{blow}=-1")]);
    let advice = format!("for 1 less than there is write `--set '{blow}=+0,-1'`");
    assert!(less.len() == 1 && less[0].contains(&advice), "{less:?}");
    // Nothing is written of a number that the card does not have.
    let nothing = wrong_in::<Sanctum>(SANCTUM, &["minions.\"Ember Hound\".missile=+1"]);
    assert!(
        nothing[0].contains(
            "differences are added to the numbers of cards that are there already: write the number"
        ),
        "{nothing:?}"
    );
}

/// A new card is only more or less than a card that it is like.
#[test]
fn an_axis_adds_nothing_to_a_new_card_that_is_like_no_other() {
    let imp = wrong_in::<Splinterlands>(SPLINTERLANDS, &["new_cards.\"Ash Imp\".melee=+0"]);
    let said = "`Ash Imp` is `like` no card to whose melee `+0` could be added | write the number itself, or a card that \
                it is `like`; a sweep adds to the number that is written with `cards.\"Ash Imp\".melee=+0,+1`";
    assert!(imp.len() == 1 && imp[0].ends_with(said), "{imp:?}");
    assert!(
        swept::<Splinterlands>(SPLINTERLANDS, &["new_cards.\"Ash Ogre\".health=+0,+1"], false)
            .is_ok()
    );
}

/// A slip in the name of a scenario's own card is mended as in that of a bundled one.
#[test]
fn the_name_of_an_own_card_may_be_meant() {
    let hound = wrong_in::<Sanctum>(SANCTUM, &["minions.\"Ember Houn\".armor=0"]);
    let said = "unknown minion or spell `Ember Houn` | did you mean `Ember Hound`? `evens list minions` or \
                `evens list spells` names all but the scenario's own";
    assert!(hound.len() == 1 && hound[0].ends_with(said), "{hound:?}");
    let dragon = wrong_in::<Sanctum>(SANCTUM, &["minions.\"Brimstone Drago\".armor=0"]);
    assert!(dragon[0].contains("did you mean `Brimstone Dragon`?"), "{dragon:?}");
    let blow = wrong_in::<ElderTale>(ELDERTALE, &["cards.\"Glancing Blo\".damage=5"]);
    assert!(blow[0].contains("did you mean `Glancing Blow`?"), "{blow:?}");
    let warden = wrong_in::<SolForge>(SOLFORGE, &["changes.\"Thorn Warde\".health=5"]);
    assert!(warden[0].contains("did you mean `Thorn Warden`?"), "{warden:?}");
    // A scenario without a card of its own has none that a list could leave out, whatever it changes.
    let (changed, rest) = SANCTUM.split_once("[[minions]]").unwrap();
    let (_, rest) = rest.split_once("[[groups]]").unwrap();
    let rest = rest.replace("4 Ember Hound", "2 Boggart");
    let bare = format!("{changed}[[groups]]{rest}");
    let unknown = wrong_in::<Sanctum>(&bare, &["minions.\"Zzz\".armor=0"]);
    assert!(
        unknown[0].ends_with("| `evens list minions` or `evens list spells` names them all"),
        "{unknown:?}"
    );
}

/// A path to one level of a number leads nowhere where `[changes]` changes all levels at once, and the remedy says what to write
/// there.
#[test]
fn a_level_of_a_number_that_is_changed_as_a_whole() {
    let found = wrong(
        "[changes]\n\"Pit Ogre\" = { health = \"+1\" }\n",
        &["cards.Pit Ogre.health.0=9"],
        false,
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`health` is a single value and has no `0` in it"), "{found:?}");
    assert!(found[0].contains("let `[changes]` list them all (`health = [...]`)"), "{found:?}");
    let found = wrong("", &["cards.Pit Ogre.health.0=9"], false);
    assert!(
        found[0].contains(
            "expected a whole number, a list or a string, found a table | A whole number"
        ),
        "{found:?}"
    );
}
