//! What a Splinterlands scenario can say, and what can be wrong with it.

use evens::game::Stratum;
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::cards::{Card, Catalogue};
use evens::games::splinterlands::ruleset::Ruleset;
use evens::games::splinterlands::setup::{LineUp, Setup, label_of};
use num_rational::BigRational;

fn setup(text: &str) -> Setup {
    super::setup::<Splinterlands>(text)
}

fn faults(text: &str) -> Vec<String> {
    super::faults::<Splinterlands>(text)
}

fn warnings(text: &str) -> Vec<String> {
    super::warnings::<Splinterlands>(text)
}

/// A scenario with a team called T that fights itself.
fn team(before: &str, summoner: &str, monsters: &str) -> String {
    format!(
        "{before}\n[[teams]]\nname = \"T\"\nsummoner = \"{summoner}\"\nmonsters = [{monsters}]\n\
         [sides]\na = [\"T\"]\nb = [\"T\"]\n"
    )
}

/// A scenario with a pool called P that fights itself.
fn pool(before: &str, keys: &str) -> String {
    format!("{before}\n[[pools]]\nname = \"P\"\n{keys}\n[sides]\na = [\"P\"]\nb = [\"P\"]\n")
}

const STANDARD: &str = "[rulesets]\nfixed = [\"Standard\"]";

fn fixed(setup: &Setup) -> (&LineUp, &[bool]) {
    setup.team(0).expect("a fixed team")
}

// Rulesets

fn odds(text: &str) -> Vec<(String, String)> {
    let form = pool(text, "");
    let conditions = setup(&form).conditions().to_vec();
    conditions.iter().map(|(rulesets, odds)| (label_of(*rulesets), odds.to_string())).collect()
}

#[test]
fn only_the_named_rulesets_are_drawn() {
    let drawn = odds("[rulesets]\ntwo = 0\nonly = [\"Heavy Hitters\", \"Standard\"]");
    let half = |name: &str| (name.to_owned(), "1/2".to_owned());
    assert_eq!(drawn, [half("Standard"), half("Heavy Hitters")]);
}

#[test]
fn the_later_edition_has_to_be_asked_for() {
    let later = odds("edition = \"2022\"\n[rulesets]\ntwo = 0");
    assert_eq!((later.len(), odds("[rulesets]\ntwo = 0").len()), (33, 27));
    let rulesets = "[rulesets]\nonly = [\"Stampede\"]\nexclude = [\"Holy Protection\"]\n\
                    [rulesets.weights]\n\"Noxious Fumes\" = 2";
    let found = faults(&pool(rulesets, ""));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|fault| fault.contains("is of the edition of 2022")), "{found:?}");
}

#[test]
fn decimal_weights_and_percentages_are_exact() {
    let text = "[rulesets]\ntwo = 0.1\nonly = [\"Standard\", \"Earthquake\"]\n\
                weights = { Standard = 0.1, Earthquake = 0.2 }";
    let drawn = odds(text);
    let expected =
        [("Standard", "333/1000"), ("Earthquake", "333/500"), ("Standard + Earthquake", "1/1000")];
    assert_eq!(drawn, expected.map(|(name, odds)| (name.to_owned(), odds.to_owned())));
}

#[test]
fn everything_that_can_be_drawn_adds_up_to_one() {
    for text in ["", "[rulesets]\nredraw = \"pair\"\nexclude = [\"Standard\"]\ntwo = 33.3"] {
        let conditions = setup(&pool(text, "")).conditions().to_vec();
        let sum: BigRational = conditions.iter().map(|(_, odds)| odds).sum();
        assert_eq!(sum, BigRational::from_integer(1.into()));
    }
}

#[test]
fn a_draw_that_cannot_be_made_is_a_fault() {
    let wrong = |text: &str| faults(&pool(text, "")).join("\n");
    let none = wrong("[rulesets]\nonly = [\"Standard\"]\nweights = { Standard = 0 }");
    assert!(none.ends_with("no ruleset can be drawn: all weights are zero"), "{none}");
    let pair = wrong("[rulesets]\nonly = [\"Standard\", \"Aim True\"]");
    assert!(pair.ends_with("no two of the rulesets that can be drawn go together"), "{pair}");
}

#[test]
fn fixed_rulesets_go_together_and_leave_nothing_to_draw() {
    let wrong = |text: &str| faults(&pool(&format!("[rulesets]\n{text}"), ""));
    assert_eq!(
        wrong("fixed = [\"Close Range\", \"Broken Arrows\", \"Close Range\"]"),
        [
            "\"Broken Arrows\": `Broken Arrows` and `Close Range` exclude each other",
            "\"Close Range\": `Close Range` stands here twice",
        ]
    );
    for key in ["two = 50", "only = [\"Standard\"]", "exclude = [\"Standard\"]"] {
        let found = wrong(&format!("fixed = [\"Earthquake\"]\n{key}"));
        assert_eq!(found, ["[\"Earthquake\"]: `fixed` rulesets leave nothing to draw"]);
    }
}

// Changed cards

#[test]
fn a_change_is_for_every_level_and_relative_or_absolute() {
    let text = "[changes]\n\"Pit Ogre\" = { health = \"+2\", speed = 9, mana = \"-1\" }\n\
                \"Malric Inferno\" = { melee = \"-3\", armor = 1 }";
    let changed = setup(&pool(text, "")).catalogue().clone();
    let bundled = evens::games::splinterlands::bundled();
    let card = |catalogue: &Catalogue, name: &str| {
        Card::clone(&catalogue.cards[usize::from(catalogue.find(name).unwrap())])
    };
    let mut ogre = card(bundled, "Pit Ogre");
    ogre.mana -= 1;
    for level in &mut ogre.levels {
        level.stats.health += 2;
        level.stats.speed = 9;
    }
    assert_eq!(card(&changed, "Pit Ogre"), ogre);
    let mut malric = card(bundled, "Malric Inferno");
    for level in &mut malric.levels {
        level.stats.melee -= 3;
        level.stats.armor = 1;
    }
    assert_eq!(card(&changed, "Malric Inferno"), malric);
    let others = |catalogue: &Catalogue| -> Vec<Card> {
        let others =
            catalogue.iter().filter(|card| !["Pit Ogre", "Malric Inferno"].contains(&&*card.name));
        others.cloned().collect()
    };
    assert_eq!(others(&changed), others(bundled));
}

/// Teams are checked with the changed cards.
#[test]
fn a_changed_cost_counts_against_the_mana_cap() {
    let text = |mana: &str| {
        let before = format!("mana_caps = [12]\nchanges.\"Pit Ogre\".mana = {mana}\n{STANDARD}");
        team(&before, "Malric Inferno", "\"Pit Ogre\"")
    };
    setup(&text("\"+0\""));
    let found = faults(&text("10"));
    assert!(found[0].ends_with("the team costs 13 mana and the cap is 12"), "{found:?}");
}

#[test]
fn a_change_that_cannot_be_made_is_a_fault() {
    let wrong = |text: &str| faults(&pool(&format!("[changes]\n{text}"), ""));
    assert_eq!(
        wrong(
            "\"Pit Orge\" = { health = 1 }\n\"Pit Ogre\" = { health = \"-9\", armor = -1, mana = 100 }\n\
             \"Fire Beetle\" = { speed = \"1\", melee = \"+x\", magic = \"+99\", ranged = \"+100\" }\n\
             \"Malric Inferno\" = { health = \"+10\", mana = \"-4\" }"
        ),
        [
            "\"Pit Orge\": unknown card `Pit Orge`",
            "\"-9\": `Pit Ogre` would have -2 health at level 1",
            "-1: `Pit Ogre` would have -1 armor at level 1",
            "100: `Pit Ogre` would cost 100 mana",
            "\"1\": `1` is not a change of speed",
            "\"+x\": `+x` is not a change of melee",
            "\"+100\": `Fire Beetle` would have 101 ranged at level 1",
            "\"+10\": `Malric Inferno` would have 10 health",
            "\"-4\": `Malric Inferno` would cost -1 mana",
        ]
    );
    // However large a number is, the fault tells the card's own range.
    assert_eq!(
        wrong(
            "\"Pit Ogre\" = { health = 65535, speed = [1, 2, 3, 4, 5, 6, 7, 40000], armor = \"+2147483647\" }"
        ),
        [
            "65535: `Pit Ogre` would have 65535 health at level 1",
            "[1, 2, 3, 4, 5, 6, 7, 40000]: `Pit Ogre` would have 40000 speed at level 8",
            "\"+2147483647\": `Pit Ogre` would have 2147483647 armor at level 1",
        ]
    );
    assert_eq!(
        wrong("\"Pit Ogre\" = { health = 1.5, wit = 3, speed = true }"),
        [
            "1.5: expected a whole number, a list or a string, found a number",
            "wit: unknown key `wit`",
            "true: expected a whole number, a list or a string, found true or false",
        ]
    );
}

// Teams

#[test]
fn a_team_has_the_highest_levels_that_the_league_allows_unless_it_says_others() {
    let text = |league: &str, summoner: &str| {
        let before = format!("league = \"{league}\"\n{STANDARD}");
        setup(&team(&before, summoner, "\"Pit Ogre\", \"Fire Beetle@2\", \"Goblin Shaman\""))
    };
    let levels = |setup: &Setup| -> Vec<u8> {
        let team = fixed(setup).0;
        let monsters = team.monsters.iter().map(|monster| monster.level);
        std::iter::once(team.summoner.level).chain(monsters).collect()
    };
    // Malric is rare: at silver level 4 of 8, so monsters are at half of their levels.
    assert_eq!(levels(&text("silver", "Malric Inferno")), [4, 4, 2, 5]);
    assert_eq!(levels(&text("silver", "Malric Inferno@2")), [2, 2, 2, 3]);
    assert_eq!(levels(&text("champion", "Malric Inferno")), [8, 8, 2, 10]);
}

#[test]
fn everything_that_is_wrong_with_a_team_is_told_at_its_card() {
    let before = format!("league = \"silver\"\nmana_caps = [30, 12]\n{STANDARD}");
    let monsters = "\"Pit Ogre@5\", \"Medusa\", \"Pit Ogre\", \"Alric Stormbringer\", \"Nobody\", \"Cerberus@x\"";
    assert_eq!(
        faults(&team(&before, "Malric Inferno@5", monsters)),
        [
            "\"Malric Inferno@5\": `Malric Inferno` can be at most level 4 here, not 5",
            "[\"Pit Ogre@5\", \"Medusa\", \"Pit Ogre\", \"Alric Stormbringer\", \"Nobody\", \"Cerberus@x\"]: \
             the team costs 26 mana and the cap is 12",
            "\"Medusa\": `Medusa` (Water) cannot be led by `Malric Inferno`",
            "\"Pit Ogre\": `Pit Ogre` is in the team twice",
            "\"Alric Stormbringer\": `Alric Stormbringer` is not a monster",
            "\"Nobody\": unknown monster `Nobody`",
            "\"Cerberus@x\": `Cerberus` has no level `x`",
        ]
    );
}

#[test]
fn a_team_has_at_most_six_monsters_and_a_summoner_that_is_one() {
    let names =
        ["Pit Ogre", "Fire Beetle", "Cerberus", "Giant Roc", "Kobold Miner", "Goblin Shaman"];
    let six = names.map(|name| format!("\"{name}\"")).join(", ");
    assert_eq!(fixed(&setup(&team(STANDARD, "Malric Inferno", &six))).0.monsters.len(), 6);
    let seven = format!("{six}, \"Fire Demon\"");
    let found = faults(&team(STANDARD, "Malric Inferno", &seven));
    assert_eq!(found, ["\"Fire Demon\": 7 monsters in a team"]);
    let found = faults(&team(STANDARD, "Pit Ogre", "\"Cerberus\""));
    assert_eq!(found, ["\"Pit Ogre\": `Pit Ogre` is not a summoner"]);
}

#[test]
fn a_dragon_summoner_leads_dragons_neutrals_and_one_splinter() {
    let led =
        |monsters: &str| super::read::<Splinterlands>(&team(STANDARD, "Drake of Arnak", monsters));
    assert!(led("\"Pit Ogre\", \"Red Dragon\", \"War Chaang\", \"Cerberus\"").is_ok());
    let text = team(STANDARD, "Drake of Arnak", "\"Pit Ogre\", \"Red Dragon\", \"Medusa\"");
    assert_eq!(faults(&text), ["\"Medusa\": `Medusa` (Water) cannot be led by `Drake of Arnak`"]);
    let text = team(STANDARD, "Malric Inferno", "\"Pit Ogre\", \"Red Dragon\"");
    assert_eq!(
        faults(&text),
        ["\"Red Dragon\": `Red Dragon` (Dragon) cannot be led by `Malric Inferno`"]
    );
}

#[test]
fn each_ruleset_that_forbids_a_team_is_told_once_with_the_cards() {
    let text = "[rulesets]\nonly = [\"Broken Arrows\", \"Even Stevens\", \"Earthquake\"]";
    let monsters = "\"Pit Ogre\", \"Fire Beetle\", \"Giant Roc\"";
    assert_eq!(
        faults(&team(text, "Malric Inferno", monsters)),
        [
            "[\"Pit Ogre\", \"Fire Beetle\", \"Giant Roc\"]: 2 rulesets that can be drawn do not allow this team: Broken Arrows \
          (`Fire Beetle`); Even Stevens (`Fire Beetle`, `Giant Roc`)"
        ]
    );
    let little =
        faults(&team("[rulesets]\nfixed = [\"Little League\"]", "Yodin Zaku", "\"Cerberus\""));
    assert_eq!(little, ["\"Yodin Zaku\": Little League does not allow `Yodin Zaku`"]);
}

#[test]
fn an_illegal_team_that_may_lose_loses_where_it_is_illegal_and_only_there() {
    let before = "illegal_teams = \"lose\"\nmana_caps = [9, 30]\n[rulesets]\ntwo = 0\n\
                  only = [\"Broken Arrows\", \"Standard\"]";
    let setup = setup(&team(before, "Malric Inferno", "\"Pit Ogre\", \"Fire Beetle\""));
    let rulesets: Vec<Ruleset> = setup.conditions().iter().flat_map(|(r, _)| r.iter()).collect();
    assert_eq!(rulesets, [Ruleset::Standard, Ruleset::BrokenArrows]);
    // By condition and then by mana cap; the team costs 12.
    assert_eq!(fixed(&setup).1, [false, true, false, false]);
}

#[test]
fn a_team_above_the_level_cap_that_may_lose_forfeits_every_battle() {
    let before = format!("illegal_teams = \"lose\"\nleague = \"novice\"\n{STANDARD}");
    let text = team(&before, "Malric Inferno@2", "\"Pit Ogre@1\"");
    assert_eq!(fixed(&setup(&text)).1, [false]);
    let says = "`Malric Inferno` can be at most level 1 here, not 2: the team forfeits every battle: it loses, or \
                draws where the other side forfeits, too";
    assert_eq!(warnings(&text), [says]);
}

// Mana

#[test]
fn a_team_that_no_mana_cap_allows_is_warned_of() {
    let costly = "\"Pit Ogre\", \"Serpentine Soldier\", \"Fire Beetle\"";
    let text = |cap: u8| {
        let before = format!("illegal_teams = \"lose\"\nmana_caps = [{cap}]\n{STANDARD}");
        team(&before, "Malric Inferno", costly)
    };
    let told = warnings(&text(12)).join("\n");
    assert!(told.contains("and the cap is 12: the team forfeits every battle"), "{told}");
    assert_eq!(warnings(&text(40)), [""; 0]);
}

#[test]
fn a_card_of_ones_own_that_is_at_fault_is_not_unknown() {
    let own = "new_cards = [{ name = \"Ash Imp\", faction = \"Fire\", melee = 2 }]\n";
    let before = format!("{own}{STANDARD}");
    let told = faults(&team(&before, "Malric Inferno", "\"Ash Imp\""));
    assert_eq!(told, ["\"Ash Imp\": `Ash Imp` has no mana, no health"]);
    // Other unknown names are still faults.
    let told = faults(&team(&before, "Malric Inferno", "\"Ash Imp\", \"Ash Elf\""));
    assert_eq!(told.len(), 2, "{told:?}");
}

#[test]
fn a_sign_without_quotes_is_not_taken_for_a_number() {
    let text =
        |before: &str| team(&format!("{before}{STANDARD}"), "Malric Inferno", "\"Pit Ogre\"");
    let with = |before: &str| faults(&text(before));
    let changed = "changes = { \"Pit Ogre\" = { health = +1 } }\n";
    assert_eq!(with(changed), ["+1: `+1` without quotes is the number 1"]);
    let by_level = "changes = { \"Pit Ogre\" = { health = [+1, 2] } }\n";
    assert_eq!(
        with(by_level),
        ["[+1, 2]: 2 numbers of health for 8 levels", "+1: `+1` without quotes is the number 1"]
    );
    let own = "new_cards = [{ name = \"Ash Ogre\", like = \"Pit Ogre\", health = +2 }]\n";
    assert_eq!(with(own), ["+2: `+2` without quotes is the number 2"]);
    for wrong in ["++1", "+1x", "-1.5"] {
        let told = with(&format!("changes = {{ \"Pit Ogre\" = {{ health = \"{wrong}\" }} }}\n"));
        assert_eq!(told, [format!("\"{wrong}\": `{wrong}` is no change of a number")]);
    }
    setup(&text("changes = { \"Pit Ogre\" = { health = \"+1\" } }\n"));
}

#[test]
fn a_number_that_is_a_string_gets_a_remedy() {
    let told = |weight: &str| {
        let before = format!("rulesets = {{ weights = {{ Earthquake = {weight} }} }}\n");
        let Err(faults) =
            super::read::<Splinterlands>(&team(&before, "Malric Inferno", "\"Pit Ogre\""))
        else {
            panic!("{weight} is no number")
        };
        super::rendered(&faults)
    };
    assert!(told("\"2\"").contains("write it without quotes: `2`"), "{}", told("\"2\""));
    assert!(told("\"2x\"").contains("such as `Earthquake = 2`"), "{}", told("\"2x\""));
}

#[test]
fn a_mana_cap_that_nobody_can_keep_is_a_fault() {
    let caps = |caps: &str| pool(&format!("mana_caps = {caps}\n{STANDARD}"), "");
    assert_eq!(setup(&caps("[2, 99]")).mana_caps(), [2, 99], "2 and a Furious Chicken");
    let found = faults(&caps("[30, 1]"));
    assert_eq!(found[0], "1: nobody can field a monster with 1 mana");
    assert_eq!(
        faults(&caps("[0, 100]")),
        ["0: must lie between 1 and 99", "100: must lie between 1 and 99"]
    );
}

// Pools

#[test]
fn a_pool_without_a_legal_team_names_the_rulesets_and_no_pair_that_has_one_of_them() {
    let beetles = "monsters = [\"Fire Beetle\", \"Pit Ogre\"]\nsummoners = [\"Malric Inferno\"]";
    let found =
        faults(&pool("mana_caps = [30, 8]\n[rulesets]\nexclude = [\"Little League\"]", beetles));
    // A Fire Beetle fits 8 mana, a Pit Ogre does not.
    let says = "\"P\": the pool `P` has no legal team under Broken Arrows with 8 mana, under Even \
                Stevens with 8 mana, under Up Close & Personal with 8 mana";
    assert_eq!(found, [says]);
}

#[test]
fn a_pool_needs_a_summoner_and_a_monster_with_a_weight() {
    let says = |what: &str| [format!("\"P\": no {what} can be drawn from the pool `P`")];
    let summoners = "summoners = [\"Malric Inferno\"]\nweights = { \"Malric Inferno\" = 0 }";
    assert_eq!(faults(&pool(STANDARD, summoners)), says("summoner"));
    let other_faction = "summoners = [\"Malric Inferno\"]\nfactions = [\"Water\"]";
    assert_eq!(faults(&pool(STANDARD, other_faction)), says("summoner"));
    let monsters = "monsters = [\"Pit Ogre\"]\nexclude = [\"Pit Ogre\"]";
    assert_eq!(faults(&pool(STANDARD, monsters)), says("monster"));
}

#[test]
fn the_weight_of_a_card_is_0_or_neither_tiny_nor_huge() {
    let weights = |weight: &str| {
        pool(STANDARD, &format!("policy = \"weighted\"\nweights = {{ \"Pit Ogre\" = {weight} }}"))
    };
    for weight in ["0", "0.001", "1000"] {
        assert!(super::read::<Splinterlands>(&weights(weight)).is_ok(), "{weight}");
    }
    for weight in ["-1", "0.0001", "1001"] {
        let says = format!("{weight}: `Pit Ogre` cannot have the weight {weight}");
        assert_eq!(faults(&weights(weight)), [says]);
    }
}

#[test]
fn names_in_a_pool_are_of_the_right_kind() {
    let keys = "summoners = [\"Pit Ogre\", \"Malric Infreno\"]\nmonsters = [\"Yodin Zaku\"]\n\
                exclude = [\"Pit Orge\"]\nfactions = [\"Gold\"]\nweights = { \"Pit Oger\" = 2 }";
    assert_eq!(
        faults(&pool(STANDARD, keys)),
        [
            "\"Pit Ogre\": `Pit Ogre` is a monster",
            "\"Malric Infreno\": unknown summoner `Malric Infreno`",
            "\"Yodin Zaku\": `Yodin Zaku` is a summoner",
            "\"Pit Orge\": unknown card `Pit Orge`",
            "\"Gold\": unknown faction `Gold`",
            "\"Pit Oger\": unknown card `Pit Oger`",
        ]
    );
}

#[test]
fn keys_without_effect_are_warned_of() {
    let idle = pool(STANDARD, "fill_within = 2\nweights = { \"Pit Ogre\" = 2 }");
    assert_eq!(
        warnings(&idle),
        ["`fill_within` has no effect", "the weight of `Pit Ogre` has no effect"]
    );
    let useful = "policy = \"fill\"\nfill_within = 2\nweights = { \"Pit Ogre\" = 2 }";
    assert_eq!(warnings(&pool(STANDARD, useful)), [""; 0]);
}

// Sides

#[test]
fn everybody_on_side_a_meets_everybody_on_side_b_and_swap_adds_the_exchange() {
    let text = |sides: &str| {
        let pools = ["P", "Q", "R"].map(|name| format!("[[pools]]\nname = \"{name}\"\n")).concat();
        setup(&format!("{STANDARD}\n{pools}[sides]\n{sides}\n")).matchups().to_vec()
    };
    assert_eq!(text("a = [\"P\"]\nb = [\"Q\", \"R\"]"), [[0, 1], [0, 2]]);
    assert_eq!(text("a = [\"P\"]\nb = [\"Q\"]\nswap = true"), [[0, 1], [1, 0]]);
    let all = "[\"P\", \"Q\", \"R\"]";
    let all = text(&format!("a = {all}\nb = {all}\nswap = true"));
    assert_eq!(all.len(), 9, "each pairing once, those with itself included");
}

#[test]
fn who_fights_nobody_is_warned_of_and_who_is_unknown_is_a_fault() {
    let text = |side: &str| {
        format!(
            "{STANDARD}\n[[pools]]\nname = \"P\"\n[[pools]]\nname = \"Q\"\n\
             [sides]\na = [\"P\"]\nb = [\"{side}\"]\n"
        )
    };
    assert_eq!(warnings(&text("P")), ["`Q` fights nobody"]);
    assert_eq!(warnings(&text("Q")), [""; 0]);
    assert_eq!(faults(&text("R")), ["\"R\": unknown team or pool `R`"]);
}

#[test]
fn a_scenario_with_many_faults() {
    let text = r#"mana_caps = [30, 1]
league = "silver"

[rulesets]
only = ["Earthqake"]
weights = { "Close Rnage" = 2, Standard = -1 }

[[teams]]
name = "Goblin rush"
summoner = "Malric Inferno@7"
monsters = ["Pit Ogre", "Goblin Sharman", "Medusa", "Pit Ogre"]

[[pools]]
name = "Goblin rush"
factions = ["Fyre"]
exclude = ["Cyclop"]
weights = { "Fire Beetle" = 1e9 }

[sides]
a = ["Goblin rush"]
b = ["Goblins"]
"#;
    insta::assert_snapshot!(super::rendered(&super::read::<Splinterlands>(text).unwrap_err()));
}

// There is a stratum for every match-up and condition.

#[test]
fn every_condition_of_every_matchup_can_be_played() {
    use evens::chance::Seeded;
    use evens::game::{Unwatched, play};
    let text = pool("mana_caps = [13, 30]\nleague = \"bronze\"", "policy = \"fill\"");
    let setup = setup(&text);
    assert_eq!(setup.conditions().len(), 27 + 242);
    for condition in 0..setup.conditions().len() as u32 {
        let stratum = Stratum { matchup: 0, condition };
        let mut chance = Seeded::of_battle(1, condition.into());
        let ended = play::<Splinterlands, _, _>(&setup, stratum, &mut chance, &mut Unwatched);
        assert!(ended.state.mana_cap == 13 || ended.state.mana_cap == 30);
    }
}

// Cards of the scenario's own

fn card<'s>(setup: &'s Setup, name: &str) -> &'s Card {
    let at = setup.catalogue().find(name).expect("it is in the catalogue");
    &setup.catalogue().cards[usize::from(at)]
}

#[test]
fn a_new_card_is_one_line() {
    let text = "new_cards = [{ name = \"Imp\", faction = \"fire\", rarity = \"Rare\", mana = 4, melee = [1, 1, 1, 2, 2, 2, 3, 3], \
                health = 5, speed = 4, abilities = [\"Sneak\", \"Thorns@5\"] }]\n";
    let setup = setup(&team(&format!("{text}{STANDARD}"), "Malric Inferno", "\"Imp@5\""));
    let imp = card(&setup, "Imp");
    assert_eq!((imp.levels.len(), imp.mana), (8, 4));
    let of =
        |level: usize| (imp.levels[level - 1].stats.melee, imp.levels[level - 1].abilities.len());
    assert_eq!([of(1), of(4), of(5), of(8)], [(1, 1), (2, 1), (2, 2), (3, 2)]);
    assert!(imp.levels.iter().all(|level| level.stats.health == 5 && level.stats.ranged == 0));
}

#[test]
fn a_new_card_can_be_like_another() {
    let text = "new_cards = [{ name = \"Great Ogre\", like = \"Pit Ogre\", health = \"+2\", abilities = [\"+Thorns\"] }]\n";
    let setup = setup(&team(
        &format!("{text}{STANDARD}"),
        "Malric Inferno",
        "\"Great Ogre\", \"Pit Ogre\"",
    ));
    let (great, pit) = (card(&setup, "Great Ogre"), card(&setup, "Pit Ogre"));
    assert_eq!(great.levels.len(), pit.levels.len());
    for (great, pit) in great.levels.iter().zip(&pit.levels) {
        assert_eq!(great.stats.health, pit.stats.health + 2);
        assert_eq!(great.stats.melee, pit.stats.melee);
        assert_eq!(great.abilities.len(), pit.abilities.len() + 1);
    }
    assert!(great.id != pit.id);
}

#[test]
fn abilities_can_be_changed() {
    let abilities = |change: &str| {
        let text =
            format!("[changes]\n\"Serpentine Soldier\" = {{ abilities = {change} }}\n{STANDARD}");
        let setup = setup(&team(&text, "Malric Inferno", "\"Serpentine Soldier\""));
        let levels = &card(&setup, "Serpentine Soldier").levels;
        [levels[0], levels[levels.len() - 1]].map(|level| level.abilities.len())
    };
    let as_it_is = abilities("[\"+Sneak\", \"-Sneak\"]");
    assert_eq!(abilities("[\"+Blast\"]"), as_it_is.map(|count| count + 1));
    assert_eq!(abilities("[]"), [0, 0]);
    assert_eq!(abilities("[\"Thorns\", \"Sneak@3\"]"), [1, 2]);
}

#[test]
fn faults_of_cards_of_ones_own() {
    for (card, said) in [
        (
            "{ name = \"Pit Ogre\", faction = \"Fire\", mana = 1, health = 1 }",
            "there is a card `Pit Ogre` already",
        ),
        ("{ name = \"X\", mana = 1 }", "`X` has no faction, no health"),
        ("{ name = \"X\", like = \"Pit Orge\" }", "unknown card `Pit Orge`"),
        ("{ name = \"X\", faction = \"Fier\", mana = 1, health = 1 }", "unknown faction `Fier`"),
        (
            "{ name = \"X\", like = \"Pit Ogre\", rarity = \"Epic\" }",
            "the rarity is that of `Pit Ogre`",
        ),
        (
            "{ name = \"X\", like = \"Pit Ogre\", abilities = [\"Flyng\"] }",
            "unknown ability `Flyng`",
        ),
        (
            "{ name = \"X\", like = \"Pit Ogre\", abilities = [\"Thorns@99\"] }",
            "`Thorns@99`: `X` has levels 1 to",
        ),
        (
            "{ name = \"X\", like = \"Pit Ogre\", abilities = [\"Thorns\", \"-Sneak\"] }",
            "some abilities have a sign",
        ),
        ("{ name = \"X\", like = \"Pit Ogre\", health = [1, 2] }", "2 numbers of health for"),
        ("{ name = \"X\", like = \"Pit Ogre\", health = 0 }", "`X` would have 0 health"),
        ("{ name = \"X@2\", like = \"Pit Ogre\" }", "`X@2` cannot be a name"),
        (
            "{ name = \"X\", faction = \"Fire\", mana = 1, health = \"+2\" }",
            "`X` is `like` no card to whose health `+2` could be added",
        ),
    ] {
        let text = format!("new_cards = [{card}]\n{STANDARD}");
        let faults = faults(&team(&text, "Malric Inferno", "\"Pit Ogre\""));
        assert!(faults.len() == 1 && faults[0].contains(said), "{card}: {faults:?}");
    }
}

// First faults

#[test]
fn a_fixed_team_under_drawn_rulesets_is_one_fault() {
    let faults = faults(&team(
        "",
        "Malric Inferno",
        "\"Pit Ogre\", \"Serpentine Soldier\", \"Spark Pixies\"",
    ));
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(
        faults[0].contains("rulesets that can be drawn do not allow this team: "),
        "{faults:?}"
    );
    for ruleset in ["Keep Your Distance (`Pit Ogre`", "Little League (", "Odd Ones Out ("] {
        assert!(faults[0].contains(ruleset), "{ruleset}: {faults:?}");
    }
}

#[test]
fn a_weight_beside_fixed_rulesets_is_a_fault() {
    for (key, value) in [
        ("weights", "{ Earthquake = 2 }"),
        ("only", "[\"Standard\"]"),
        ("exclude", "[\"Earthquake\"]"),
        ("two", "50"),
        ("redraw", "\"pair\""),
    ] {
        let rulesets = format!("[rulesets]\nfixed = [\"Standard\"]\n{key} = {value}");
        let faults = faults(&team(&rulesets, "Malric Inferno", "\"Pit Ogre\""));
        assert_eq!(faults.len(), 1, "{key}: {faults:?}");
        assert!(faults[0].contains("`fixed` rulesets leave nothing to draw"), "{key}: {faults:?}");
    }
}

#[test]
fn names_of_contenders_stand_in_one_line_and_are_not_empty() {
    let named = |name: &str| pool("", "").replace("\"P\"", &format!("\"{name}\""));
    setup(&named("Q"));
    for name in ["", " ", "a\\nb", "a\\tb"] {
        let found = faults(&named(name));
        assert_eq!(found, [format!("\"{name}\": `{name}` cannot be a name")]);
    }
}

/// A laboratory may combine any rulesets; those that the game never draws together are warned of.
#[test]
fn fixed_rulesets_that_are_never_drawn_together_are_worth_a_warning() {
    let fixed = |rulesets: &str| {
        let before = format!("[rulesets]\nfixed = [{rulesets}]\n");
        warnings(&team(&before, "Malric Inferno", "\"Kobold Miner\""))
    };
    assert_eq!(
        fixed("\"Armored Up\", \"Unprotected\""),
        ["the game never draws `Armored Up` with `Unprotected`: both are primary"]
    );
    assert_eq!(
        fixed("\"Lost Legendaries\", \"Melee Mayhem\""),
        ["the game never draws `Lost Legendaries` with `Melee Mayhem`: both are secondary"]
    );
    assert_eq!(
        fixed("\"Aim True\", \"Earthquake\", \"Equalizer\""),
        ["the game never draws 3 rulesets together"]
    );
    assert_eq!(fixed("\"Aim True\", \"Earthquake\""), [""; 0]);
}
