//! What pages say about counts, places and means.

use super::{Desk, code, duel, flat, stderr, stdout};

/// One battle of a round robin says nothing of most match-ups.
#[test]
fn seats_of_match_ups_that_were_not_played_are_not_known() {
    let desk = Desk::new();
    for scenario in ["solforge/factions", "eldertale/three-way-greedy"] {
        let page = flat(&desk.page(&["run", scenario, "--battles", "1"]));
        assert!(page.contains("of some match-ups to tell whether a seat is better"), "{page}");
        assert!(!page.contains("NaN"), "{page}");
    }
}

#[test]
fn one_of_anything_is_told_in_the_singular() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let told = |arguments: &[&str]| {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        flat(&(stdout(&output) + &stderr(&output)))
    };
    for (arguments, said) in [
        (&["run", "duel.toml", "--battles", "1", "--unit", "Medusa"][..], "in battle 1 time: its"),
        (
            &["effects", "splinterlands/mirror", "--order", "first-turn", "--battles", "1"],
            "The one battle was played as it came and again with the other side forced, on common random numbers; the order \
             came up in it, which all figures are about.",
        ),
        (
            &["tune", "splinterlands/archetypes", "--battles", "128", "--confirm", "1"],
            "splinterlands/archetypes, 128 battles and 1 fresh one to confirm, seed 2",
        ),
        (
            &["tune", "splinterlands/archetypes", "--battles", "128", "--confirm", "1"],
            "in 1 fresh battle some draws or contenders never came up",
        ),
        (
            &[
                "run",
                "duel.toml",
                "--battles",
                "1",
                "-o",
                "out",
                "--table",
                "battles",
                "--format",
                "csv",
            ],
            "battles.csv (1 row)",
        ),
    ] {
        let page = told(arguments);
        assert!(page.contains(said), "{arguments:?}: {page}");
    }
}

/// Intervals from a few battles stay within what is possible: no count is negative.
#[test]
fn means_of_counts_are_not_below_0() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/archetypes", "--battles", "3", "--full"];
    let page = desk.page(&run);
    let measured = page.find("Measured").expect("what is measured");
    let end = page[measured..].find("\n\n").map_or(page.len(), |length| measured + length);
    let measured = &page[measured..end];
    assert!(measured.contains("(0.0 to ") && !measured.contains("(-"), "{measured}");
    let output = desk.evens(&[&run[..4], &["--table", "outcomes", "-o", "-"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
    let names = rows.headers().unwrap().clone();
    let mut seen = 0;
    for row in rows.records() {
        let row = row.unwrap();
        for name in ["length_mean_low", "survivors_a_mean_low", "survivors_b_mean_low"] {
            let at = names.iter().position(|of| of == name).unwrap();
            assert!(row[at].parse::<f64>().unwrap() >= 0.0, "{name}: {row:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 6);
}

/// The place of a unit among its kind is an interval, and the page says whether it holds for each by itself or for all
/// at once.
#[test]
fn places_say_what_they_cover() {
    let desk = Desk::new();
    let scenario = "game = \"splinterlands\"\nbattles = 2400\nleague = \"silver\"\nmana_caps = [20]\n\
        [rulesets]\nonly = [\"Standard\"]\ntwo = 0\n\
        [[pools]]\nname = \"Fire\"\nfactions = [\"Fire\"]\nsummoners = [\"Malric Inferno\"]\n\
        [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";
    desk.write("fire.toml", scenario);
    let run = flat(&desk.page(&["run", "fire.toml", "--only", "units"]));
    let said = "place: where it may truly stand in its kind, with 95% for each by itself and not for all at once.";
    assert!(run.contains(said), "{run}");
    let one = flat(&desk.page(&["run", "fire.toml", "--unit", "Goblin Shaman"]));
    assert!(one.contains("(95%, for it alone); drawn towards their mean"), "{one}");
    let worth = flat(&desk.page(&["worth", "fire.toml", "--replace", "1"]));
    let said = "place: where it may stand among its kind, with 95% for all of the kind at once and not only for each by itself.";
    assert!(worth.contains(said), "{worth}");
}

/// Activity is counted in every match-up: the last of 900 has a card that does something whenever it is brought.
#[test]
fn a_card_of_the_last_match_up_is_watched_too() {
    let desk = Desk::new();
    let team = |name: &str, monster: &str| {
        format!(
            "[[teams]]\nname = \"{name}\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"{monster}\"]\n"
        )
    };
    let names = |side: &str| (0..30).map(|at| format!("{side}{at}")).collect::<Vec<_>>();
    let (a, b) = (names("A"), names("B"));
    let monster = |name: &String| if name == "A29" { "Goblin Shaman" } else { "Cerberus" };
    let teams: String = a.iter().chain(&b).map(|name| team(name, monster(name))).collect();
    desk.write(
        "my.toml",
        &format!(
            "game = \"splinterlands\"\nbattles = 900\nleague = \"silver\"\nmana_caps = [99]\n\
             [rulesets]\nfixed = [\"Standard\"]\n{teams}[sides]\na = {a:?}\nb = {b:?}\n"
        ),
    );
    let page = flat(&desk.page(&["run", "my.toml", "--only", "activity"]));
    assert!(!page.contains("Goblin Shaman"), "{page}");
}

/// The answer agrees with the evidence for it: what a test has shown of side A's score is visible in the seat.
#[test]
fn a_seat_is_judged_by_the_test_that_was_made_of_it() {
    let desk = Desk::new();
    assert_eq!(code(&desk.evens(&["new", "eldertale", "my.toml"])), 0);
    let page = flat(&desk.page(&["run", "my.toml", "--until", "sprt(-1pp,1pp)"]));
    assert!(page.contains("Evidence for a score of side A of 51% or more"), "{page}");
    assert!(page.contains("The seat matters: side A has +18.8 pp (+7.4 to +28.7)"), "{page}");
    assert!(page.contains("Side A's score is 68.8% (57.4 to 78.7)"), "{page}");
}

#[test]
fn who_is_favoured_is_not_told_where_a_match_up_was_not_played() {
    let desk = Desk::new();
    assert_eq!(code(&desk.evens(&["new", "solforge", "my.toml"])), 0);
    let page = flat(&desk.page(&["run", "my.toml", "--battles", "1"]));
    assert!(
        page.contains("Too few battles were played of some match-ups to tell who is favoured."),
        "{page}"
    );
    assert!(!page.contains("is favoured:") && !page.contains("visibly favoured"), "{page}");
}

/// A killing hit that deadly Thorns answer ends the session for both in one "done", which is one order and not two.
#[test]
fn a_done_that_takes_both_is_one_order() {
    let desk = Desk::new();
    desk.write(
        "both.toml",
        "game = \"eldertale\"\nseed = 1\nbattles = 10\n\
         cards = [\n{ title = \"Spikes\", type = \"Defense\", cost = 1, effects = [\n\
         { name = \"Thorns\", intensity = 9, hitduration = 3, roundduration = 3 }] },\n\
         { title = \"Jab\", type = \"Attack\", cost = 1, damage = 9 },\n]\n\
         [[characters]]\nname = \"Hitter\"\nhp = 5\npolicy = \"scripted\"\ndeck = [\"Jab\"]\nscript = [[\"Jab\"]]\n\
         [[characters]]\nname = \"Spiky\"\nhp = 5\npolicy = \"scripted\"\ndeck = [\"Spikes\"]\nscript = [[\"Spikes\"]]\n\
         [sides]\na = [\"Hitter\"]\nb = [\"Spiky\"]\n",
    );
    let output =
        desk.evens(&["run", "both.toml", "--table", "orders", "-o", "-", "--format", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let table = stdout(&output);
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let header = rows.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|of| of == name).expect(name);
    let (moment, times) = (at("moment"), at("times"));
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.unwrap()).collect();
    let done: Vec<u64> = rows
        .iter()
        .filter(|row| &row[moment] == "done")
        .map(|row| row[times].parse().unwrap())
        .collect();
    // Ten battles of two turns each.
    assert_eq!(done, [10, 10], "{table}");
}

/// Draw Up for a deck that has no card left to draw changes no hand, and has no effect.
#[test]
fn what_draws_nothing_has_no_effect() {
    let desk = Desk::new();
    let deck = |jabs: &str| {
        format!(
            "game = \"eldertale\"\nseed = 1\nbattles = 50\n\
             cards = [\n{{ title = \"Inspire\", type = \"Utility\", cost = 1, effects = [\n\
             {{ name = \"Draw Up\", deck = \"Attack\", intensity = 2, roundduration = 3 }}] }},\n\
             {{ title = \"Jab\", type = \"Attack\", cost = 1, damage = 1 }},\n]\n\
             [[characters]]\nname = \"P\"\nhp = 5\ndeck = [{jabs}, \"Inspire\"]\n\
             [[characters]]\nname = \"Q\"\nhp = 5\ndeck = [\"Jab\"]\n[sides]\na = [\"P\"]\nb = [\"Q\"]\n"
        )
    };
    for (jabs, is_void) in [("\"Jab\"", true), ("\"4 Jab\"", false)] {
        desk.write("draw.toml", &deck(jabs));
        let page = flat(&desk.page(&["run", "draw.toml", "--full"]));
        assert_eq!(page.contains("effect Draw Up"), is_void, "{page}");
    }
}

/// Where nobody draws, wins are scores, and a favourite's interval holds nothing that is even.
#[test]
fn wins_without_draws_are_judged_as_scores_are() {
    let desk = Desk::new();
    let run = ["run", "sanctum/surrounded", "--battles", "2500", "--seed", "7"];
    let headline = |measure: &str| {
        let page = desk.page(&[&run[..], &["--measure", measure]].concat());
        flat(&page).split(" favoured: it ").nth(1).unwrap().split(';').next().unwrap().to_owned()
    };
    let (wins, score) = (headline("wins"), headline("score"));
    assert!(wins.contains("52.1% (50.1 to 54.0)") && score.contains("52.1% (50.1 to 54.0)"));
    assert!(!wins.contains("adjusted"), "{wins}");
}
