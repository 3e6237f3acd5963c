//! The traces that pages suggest, and what `evens trace --pick --with` finds.

use std::collections::BTreeSet;

use super::{Desk, code, duel, flat, stderr, stdout};

/// Two fixed teams that differ in one card.
const TEAMS: &str = r#"
game = "splinterlands"
seed = 3
battles = 2_000
mana_caps = [30]
[rulesets]
fixed = ["Standard"]
[[teams]]
name = "Fire"
summoner = "Malric Inferno"
monsters = ["Serpentine Soldier", "Pit Ogre"]
[[teams]]
name = "Flames"
summoner = "Malric Inferno"
monsters = ["Serpentine Soldier", "Giant Roc"]
[sides]
a = ["Fire"]
b = ["Flames"]
"#;

/// A fixed team that meets drawn ones.
const GIVEN: &str = r#"
game = "splinterlands"
seed = 7
battles = 8_000
mana_caps = [24, 30]
illegal_teams = "lose"
[[teams]]
name = "My team"
summoner = "Malric Inferno"
monsters = ["Pit Ogre", "Serpentine Soldier", "Fire Beetle"]
[[pools]]
name = "Anybody"
policy = "fill"
[sides]
a = ["My team"]
b = ["Anybody"]
"#;

/// The commands for traces that a page holds, as a shell reads them.
fn traces(page: &str) -> BTreeSet<String> {
    const END: &str = "--html battle.html";
    let page = page.replace("&#39;", "'").replace("\\u0027", "'").replace("&quot;", "\"");
    let begun = page.match_indices("evens trace ").map(|(at, _)| &page[at..]);
    begun.filter_map(|rest| Some(rest[..rest.find(END)? + END.len()].to_owned())).collect()
}

/// The last line of a story, which says who won.
fn ending(story: &str) -> &str {
    story.lines().last().unwrap()
}

/// Whatever trace a report of any game suggests finds a battle when it is pasted.
#[test]
#[cfg(target_os = "linux")]
fn every_suggested_trace_finds_a_battle() {
    for game in ["splinterlands", "solforge", "sanctum", "eldertale"] {
        let desk = Desk::new();
        desk.page(&["new", game, "my.toml"]);
        desk.write("given.toml", GIVEN);
        let mut pages = vec![
            vec!["run", "my.toml", "--battles", "1000"],
            vec!["worth", "my.toml", "--battles", "3000"],
            vec!["best", "my.toml", "--battles", "1000"],
        ];
        if game == "splinterlands" {
            pages.push(vec!["worth", "given.toml", "--battles", "20000"]);
        }
        for command in pages {
            let made = desk.evens(&[&command[..], &["--report", "page.html", "-q"]].concat());
            assert_eq!(code(&made), 0, "{command:?}: {}", stderr(&made));
            let suggested = traces(&desk.read("page.html"));
            assert!(command[0] == "best" || !suggested.is_empty(), "{command:?}");
            // A few of each page, from all over it.
            let every = suggested.len().div_ceil(3).max(1);
            for line in suggested.iter().step_by(every) {
                let found = desk.shell(line);
                assert_eq!(code(&found), 0, "{command:?} suggests {line}: {}", stderr(&found));
            }
        }
    }
}

/// The command of a figure's mark leads to a battle of the match-up that the mark is about.
#[test]
#[cfg(target_os = "linux")]
fn a_battle_of_a_mark_is_of_its_match_up() {
    let desk = Desk::new();
    let both = "a = [\"Malric's melee\", \"Alric's magic\"]\nb = [\"Malric's melee\", \"Alric's magic\"]\n";
    let scenario = include_str!("../../scenarios/splinterlands/archetypes.toml");
    let (head, sides) = scenario.split_once("[sides]").expect("sides");
    let rest = sides.split_once("\n[").map_or(String::new(), |(_, rest)| format!("\n[{rest}"));
    desk.write("robin.toml", &format!("{head}[sides]\n{both}{rest}"));
    for (scenario, battles, id) in
        [("robin.toml", "20000", "rulesets"), ("solforge/factions", "3000", "units-by-matchup")]
    {
        desk.page(&["run", scenario, "--battles", battles, "--report", "page.html", "-q"]);
        let held = super::report::data(&desk.read("page.html"));
        let figures = held["notes"]["figures"].as_array().unwrap();
        let figure = figures.iter().find(|figure| figure["id"] == id).expect("a figure");
        let marks = figure["marks"].as_array().unwrap();
        let mut led = 0;
        for mark in marks.iter().step_by(marks.len().div_ceil(8)) {
            let text = |key: &str| mark[key].as_str().unwrap_or_default().to_owned();
            let command = text("trace").replace(" --html battle.html", "");
            if command.is_empty() {
                continue;
            }
            let found = desk.shell(&command);
            assert_eq!(code(&found), 0, "{command}: {}", stderr(&found));
            let story = stdout(&found);
            let heading = flat(story.split_once("\nSeed").expect("a heading").0);
            let names = match id {
                "rulesets" => [text("group"), text("label")],
                _ => [text("group"), text("column")],
            };
            assert!(names.iter().all(|name| heading.contains(name)), "{command}: {heading}");
            led += 1;
        }
        assert!(led > 3, "{id}: {led}");
    }
}

/// A match-up is named in letters of either case, and one that there is not is a mistake with a way out.
#[test]
fn a_match_up_picks_its_battles() {
    let desk = Desk::new();
    let trace = |of: &str| {
        desk.evens(&[
            "trace",
            "solforge/factions",
            "--pick",
            "typical",
            "--among",
            "100",
            "--matchup",
            of,
        ])
    };
    let told = flat(&stderr(&trace("Alloyin")));
    assert!(told.contains("there is no match-up `Alloyin` in this scenario"), "{told}");
    let label = stdout(&desk.evens(&["trace", "solforge/factions", "--battle", "5"]));
    let (_, label) = label.lines().next().unwrap().split_once(": ").unwrap();
    let label = label.split(',').next().unwrap();
    for name in [label.to_owned(), label.to_lowercase()] {
        let story = stdout(&trace(&name));
        assert!(story.lines().next().unwrap().contains(label), "{name}: {story}");
    }
    let told = flat(&stderr(&trace(&format!("{label}x"))));
    assert!(told.contains("did you mean `"), "{told}");
}

/// Without `--side` a card is looked for on all sides, and a win is one of the side that has it.
#[test]
fn a_card_is_found_on_whichever_side_has_it() {
    let desk = Desk::new();
    desk.write("teams.toml", TEAMS);
    let trace = |more: &[&str]| desk.evens(&[&["trace", "teams.toml"], more].concat());
    for (card, kind, winner) in [
        ("Giant Roc", "win", "side B wins"),
        ("Giant Roc", "loss", "side A wins"),
        ("Pit Ogre", "win", "side A wins"),
        ("Pit Ogre", "loss", "side B wins"),
    ] {
        let found = trace(&["--pick", kind, "--with", card]);
        assert_eq!(code(&found), 0, "{}", stderr(&found));
        let story = stdout(&found);
        assert!(ending(&story).contains(winner), "{kind} of {card}: {}", ending(&story));
    }
    // Without a card, a win is side A's, as ever.
    let won = stdout(&trace(&["--pick", "win"]));
    assert!(ending(&won).contains("side A wins"), "{won}");
    let none = trace(&["--pick", "typical", "--side", "A", "--with", "Giant Roc"]);
    assert_eq!(code(&none), 2);
    let told = flat(&stderr(&none));
    assert!(told.contains("but another has: say `--side B`, or leave --side out"), "{told}");
    let nobody = trace(&["--pick", "typical", "--with", "Gold Dragon"]);
    assert!(flat(&stderr(&nobody)).contains("nobody in this scenario can have `Gold Dragon`"));
}

/// In Elder Tale a card that was played in the battle is found; one that is only brought is said to be only brought.
#[test]
fn a_card_is_found_where_it_is_played() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "my.toml"]);
    let trace = |card| desk.evens(&["trace", "my.toml", "--pick", "typical", "--with", card]);
    let played = trace("Heavy Swing");
    assert_eq!(code(&played), 0, "{}", stderr(&played));
    assert!(stdout(&played).contains("Heavy Swing"));
    assert_eq!(stderr(&played), "");
    let brought = trace("Brace");
    assert_eq!(code(&brought), 0, "{}", stderr(&brought));
    let said = flat(&stderr(&brought));
    assert!(said.contains("to this one its side only brings it"), "{said}");
}

/// What a fixed team brings to every battle is no candidate for a nerf because it is in every battle.
#[test]
fn what_the_scenario_always_brings_does_not_head_the_list() {
    let desk = Desk::new();
    desk.write("given.toml", GIVEN);
    let arguments = ["worth", "given.toml", "--battles", "8000", "--report", "page.html"];
    let page = desk.page(&arguments);
    let text = flat(&page);
    assert!(text.contains("Not listed, because My team brings them to every battle"), "{page}");
    assert!(text.contains("Sides with Pit Ogre score"), "{page}");
    let list = page.split("Nerf first").nth(1).unwrap().split("Not listed").next().unwrap();
    assert!(!list.contains("Pit Ogre") && !list.contains("Serpentine"), "{page}");
    let closer = page.split("A closer look").nth(1).and_then(|rest| rest.split("\n\n").next());
    assert!(!closer.unwrap_or_default().contains("Serpentine Soldier:"), "{page}");
    let html = desk.read("page.html");
    assert!(
        html.contains("Of the units that are drawn, ") || html.contains("No unit that is drawn"),
        "{text}"
    );
}

/// Bringing a card costs nothing in Elder Tale, and playing it does: pages say which of them counts.
#[test]
fn costs_that_do_not_count_are_said_not_to() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "my.toml"]);
    let arguments = ["worth", "my.toml", "--battles", "3000", "--report", "page.html"];
    let text = flat(&desk.page(&arguments));
    assert!(text.contains("of its kind, whatever their energy cost, in the place"), "{text}");
    assert!(text.contains("What it takes to play a unit is not taken into account"), "{text}");
    let html = desk.read("page.html");
    assert!(!html.contains("for its energy"), "there is no price");
    assert!(!html.contains("kind and cost"), "there is no price");
    assert!(html.contains("another of its kind, whatever their energy cost, stood in its place"));
    // Where line-ups are the scenario's own, a card of the same energy cost takes a card's place.
    let own =
        ["worth", "my.toml", "--battles", "3000", "--line-ups", "own", "--unit", "Battle Focus"];
    let text = flat(&desk.page(&own));
    assert!(text.contains("of its kind and energy cost"), "{text}");
}

/// In a table an interval and a count stay in one line, as long as anything else can be cut.
#[test]
fn intervals_and_counts_are_not_cut() {
    let desk = Desk::new();
    desk.write("given.toml", GIVEN);
    let page = desk.page(&["worth", "given.toml", "--battles", "8000"]);
    // Before this heading, lines of lists begin like rows.
    let (_, tables) = page.split_once("Worth of each").unwrap();
    let rows = tables.lines().filter(|line| line.starts_with("  "));
    for row in rows {
        assert_eq!(row.matches('(').count(), row.matches(')').count(), "{row}\n{page}");
        let ends_in_count = row.trim_end().ends_with(" of");
        assert!(!ends_in_count, "{row}\n{page}");
        assert!(!row.contains('\u{f8fe}'), "{row}");
    }
    assert!(page.contains(" of 208\n"), "{page}");
}

/// A command in a sentence is not broken within a file's name, so that it can be copied.
#[test]
fn a_file_name_with_spaces_and_an_apostrophe_stays_in_one_line() {
    let desk = Desk::new();
    for (file, argument) in [
        ("the dragon's lair.toml", "'the dragon'\\''s lair.toml'"),
        ("a lair where dragons sleep.toml", "'a lair where dragons sleep.toml'"),
    ] {
        desk.page(&["new", "sanctum", file]);
        let page = desk.page(&["run", file, "--battles", "2000"]);
        let whole = flat(&page).matches(argument).count();
        assert!(whole >= 2 && page.matches(argument).count() == whole, "{page}");
    }
}

/// A range is no value: the values are listed.
#[test]
fn a_range_on_the_command_line_is_told_how_to_be_listed() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "my.toml"]);
    let told = |set: &str| {
        let output = desk.evens(&["sweep", "my.toml", "--battles", "100", "--set", set]);
        assert_eq!(code(&output), 3);
        flat(&stderr(&output))
    };
    let short = told("cards.\"Glancing Blow\".damage=3..7");
    assert!(short.contains("`3..7` is a range, and here values are listed"), "{short}");
    assert!(short.contains("write each of them: `=3,4,5,6,7`"), "{short}");
    assert!(!short.contains("Write it as"), "{short}");
    let long = told("cards.\"Glancing Blow\".damage=1..=500");
    assert!(long.contains("with commas between"), "{long}");
}

/// A list of cards says of which level their numbers are.
#[test]
fn a_list_of_cards_says_of_which_level() {
    let page = Desk::new().page(&["list", "cards", "splinterlands"]);
    let ogre = flat(page.split("\nPit Ogre\n").nth(1).unwrap());
    assert!(ogre.contains("highest level 8; attack melee"), "{ogre}");
}

/// The figure of how often units take part is titled by the list that it shows first.
#[test]
fn the_title_of_a_figure_is_about_the_list_that_is_shown() {
    let desk = Desk::new();
    desk.page(&["new", "eldertale", "my.toml"]);
    desk.page(&["run", "my.toml", "--battles", "4000", "--report", "page.html", "-q"]);
    let page = desk.read("page.html");
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (text, _) = rest.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(text).unwrap();
    let figures = data["notes"]["figures"].as_array().unwrap();
    let figure = figures.iter().find(|figure| figure["id"] == "frequency").unwrap();
    let marks = figure["marks"].as_array().unwrap();
    let group = marks[0]["group"].as_str().unwrap();
    let title = figure["title"].as_str().unwrap();
    let rest = title.strip_prefix(&format!("Of the {group} that are ranked, ")).expect(title);
    let shown = marks.iter().filter(|mark| mark["group"] == group);
    let names: Vec<&str> = shown.map(|mark| mark["label"].as_str().unwrap()).collect();
    assert!(names.iter().any(|name| rest.starts_with(name)), "{title}: {names:?}");
    let groups: Vec<&str> = marks.iter().map(|mark| mark["group"].as_str().unwrap()).collect();
    assert!(groups.contains(&"utilities of Duellist"), "{groups:?}");
}

/// A scenario with a card of its own asks about it: the page of a run and its report lead to what judges it, in every game,
/// and to what can tell of it.
#[cfg(target_os = "linux")]
#[test]
fn what_a_scenario_defines_itself_is_judged_by_a_suggested_command() {
    let desk = Desk::new();
    let imp = "new_cards = [{ name = \"Ash Imp\", faction = \"Fire\", mana = 4, melee = 3, health = 5, speed = 4 }]";
    let whole = "[[pools]]\nname = \"Whole set\"\npolicy = \"fill\"\n[sides]\na = [\"Whole set\"]\nb = [\"Whole set\"]\n";
    let head = "game = \"splinterlands\"\nbattles = 2_000\nmana_caps = [24, 30]";
    desk.write("imp.toml", &format!("{head}\n{imp}\n{whole}"));
    desk.write("usual.toml", &format!("{head}\n{whole}"));
    for (scenario, told) in [
        (
            "imp.toml",
            "`evens worth imp.toml --unit 'Ash Imp'` tells what the scenario's own Ash Imp is worth; ",
        ),
        (
            "eldertale/piercing-strike",
            "`evens worth eldertale/piercing-strike --unit 'Plain Strike'` tells what the scenario's own Plain Strike is worth; ",
        ),
    ] {
        let page =
            flat(&desk.page(&["run", scenario, "--battles", "2000", "--report", "page.html"]));
        assert!(page.contains(&format!("Next: {told}")), "{page}");
        let command = told.split('`').nth(1).unwrap();
        assert!(
            desk.read("page.html").replace("&#39;", "'").replace("\\u0027", "'").contains(command),
            "{command}"
        );
        let answer = desk.shell(&format!("{command} --battles 2000"));
        assert_eq!(code(&answer), 0, "{}", stderr(&answer));
        assert!(flat(&stdout(&answer)).contains(" is worth "), "{}", stdout(&answer));
    }
    let page = flat(&desk.page(&["run", "usual.toml"]));
    assert!(!page.contains("scenario's own"), "{page}");
    // A card that nobody had in these battles is no matter of theirs.
    let never = "[[pools]]\nname = \"Water\"\nfactions = [\"Water\"]\nsummoners = [\"Alric Stormbringer\"]\n[sides]\na = [\"Water\"]\nb = [\"Water\"]\n";
    desk.write("never.toml", &format!("{head}\n{imp}\n{never}"));
    let page = flat(&desk.page(&["run", "never.toml"]));
    assert!(!page.contains("scenario's own"), "{page}");
}

/// What came through a pipe is not there again.
#[test]
#[cfg(target_os = "linux")]
fn commands_after_a_pipe_name_a_file_to_read() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for line in ["evens run - < duel.toml", "evens run <(cat duel.toml)"] {
        let output = desk.shell(line);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let page = flat(&stdout(&output));
        assert!(
            page.contains(" - < my.toml") && !page.contains("evens effects /dev/fd/"),
            "{page}"
        );
    }
}
