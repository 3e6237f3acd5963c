//! `evens tune --stats`.

use super::{Desk, code, flat, stderr, stdout};

/// Three groups that differ only in the name of their leader; the leader of one hits too hard.
pub(super) const RIVALS: &str = r#"# Whose leader is too strong?
game = "sanctum"
question = "Whose leader is too strong?"
battles = 900
seed = 4

[sides]
a = ["Ash's", "Bog's", "Clay's"]
b = ["Ash's", "Bog's", "Clay's"]

[[minions]]
name = "Ash"
hand = 5 # since the last update
hit_points = 14

[[minions]]
name = "Bog"
hand = 4
hit_points = 14

[[minions]]
name = "Clay"
hand = 4
hit_points = 14

[[groups]]
name = "Ash's"
minions = ["3 Ash"]

[[groups]]
name = "Bog's"
minions = ["3 Bog"]

[[groups]]
name = "Clay's"
minions = ["3 Clay"]
"#;

const SEARCH: [&str; 5] = ["tune", "rivals.toml", "--stats", "--within", "8pp"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("rivals.toml", RIVALS);
    desk
}

fn searched(desk: &Desk, options: &[&str]) -> serde_json::Value {
    let margin = if options.contains(&"--within") { 3 } else { SEARCH.len() };
    let output = desk.evens(&[&SEARCH[..margin], options, &["--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn edits(found: &serde_json::Value) -> Vec<String> {
    let edit = |of: &serde_json::Value| {
        format!("{}.{} {}", of["card"].as_str().unwrap(), of["number"].as_str().unwrap(), of["by"])
    };
    found["edits"].as_array().unwrap().iter().map(edit).collect()
}

#[test]
fn a_patch_on_a_page() {
    let output = desk().evens(&SEARCH);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    insta::assert_snapshot!(page);
}

/// The first line says the patch and what it does, and what the page suggests can be pasted as it stands.
#[test]
fn the_patch_comes_first_and_the_commands_of_its_page_can_be_pasted() {
    let desk = desk();
    let page = stdout(&desk.evens(&SEARCH));
    let first = flat(page.split("\n\n").next().unwrap());
    let wanted = "Ash hand 5 → 4: in fresh battles the largest lead goes from +";
    assert!(first.starts_with(wanted), "{page}");
    assert!(first.ends_with("95% confidence)."), "{page}");
    // A shell puts lines together that end with a backslash.
    let joined = page.replace("\\\n", "");
    let commands: Vec<&str> =
        joined.lines().filter_map(|line| line.strip_prefix("  evens ")).collect();
    assert_eq!(commands.len(), 2, "{page}");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        let output = desk.evens(&words);
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    }
    assert!(desk.read("patched.toml").contains("hand = 4"), "{}", desk.read("patched.toml"));
    // Where the scenario is written already there is nothing more to write.
    let written = stdout(&desk.evens(&[&SEARCH[..], &["--write-scenario", "new.toml"]].concat()));
    assert!(
        !written.contains("patched.toml") && written.contains("  evens run new.toml "),
        "{written}"
    );
}

/// A character that is in all battles of its contender moves as its contender does, which the leads say already.
#[test]
fn what_else_moves_does_not_tell_the_leads_again() {
    let desk = Desk::new();
    assert_eq!(code(&desk.evens(&["new", "eldertale", "e.toml"])), 0);
    let only = ["tune", "e.toml", "--stats", "--only", "Holy Charge.damage", "--battles", "600"];
    let output = desk.evens(&[&only[..], &["--json"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let rows = found["tables"]["side_effects"].as_array().unwrap();
    let units: Vec<_> = rows.iter().filter(|of| of["kind"] == "character").collect();
    assert_eq!(units.len(), 2, "{found}");
    for of in units {
        assert!(of["difference"].as_f64().unwrap().abs() > 0.02, "its side moves: {of}");
        assert_eq!((&of["own"], &of["told"]), (&of["name"], &serde_json::json!("no")), "{of}");
        assert!(of["beyond"].as_f64().unwrap().abs() < 1e-9, "{of}");
    }
}

/// The written scenario, and the old one with the printed lines pasted into it, reproduce the scores of the fresh
/// battles to the last digit.
#[test]
fn a_run_of_what_is_written_reproduces_the_confirmed_figures() {
    let desk = desk();
    let files =
        ["--write-scenario", "new.toml", "--changes", "changes.toml", "--notes", "notes.md"];
    let found = searched(&desk, &files);
    assert_eq!(edits(&found), ["Ash.hand -1"]);
    let new = desk.read("new.toml");
    assert!(new.contains("hand = 5 # since the last update"), "comments stay: {new}");
    desk.write("pasted.toml", &format!("{RIVALS}\n{}", desk.read("changes.toml")));
    let confirmed = &found["confirmed_with"];
    let (battles, seed) = (confirmed["battles"].to_string(), confirmed["seed"].to_string());
    for scenario in ["new.toml", "pasted.toml"] {
        let run = ["run", scenario, "--battles", &battles, "--seed", &seed, "--json"];
        let run: serde_json::Value = serde_json::from_str(&stdout(&desk.evens(&run))).unwrap();
        for lead in found["tables"]["patch_leads"].as_array().unwrap() {
            let rows = run["tables"]["outcomes"].as_array().unwrap().iter();
            let is_own = |row: &&serde_json::Value| {
                let name = lead["contender"].as_str().unwrap();
                row["contender"] == lead["contender"]
                    && row["matchup"] != format!("{name} vs {name}")
            };
            let scores: Vec<f64> =
                rows.filter(is_own).map(|row| row["score"].as_f64().unwrap()).collect();
            assert_eq!(scores.len(), 4, "two rivals on two sides");
            let mean = scores.iter().sum::<f64>() / 4.0 - 0.5;
            assert!((mean - lead["lead_after"].as_f64().unwrap()).abs() < 1e-12, "{lead} {mean}");
        }
    }
    let notes = desk.read("notes.md");
    assert!(notes.contains("## Ash\n\n- Hand: 5 → 4 (-1)"), "{notes}");
    assert!(notes.contains("The largest lead of Ash's, Bog's, Clay's"), "{notes}");
}

/// One command makes a drawn card fair: where only a card is named, its own score is what should be even.
#[test]
fn how_much_of_a_number_makes_a_drawn_card_fair() {
    let desk = Desk::new();
    let only = ["--only", "Yodin Zaku.mana", "--within", "4pp", "--battles", "1200", "--json"];
    let command = ["tune", "splinterlands/drawn-teams", "--stats", "--write-scenario", "new.toml"];
    let output = desk.evens(&[&command[..], &only].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let edits = edits(&found);
    assert!(edits.len() == 1 && edits[0].starts_with("Yodin Zaku.mana "), "{edits:?}");
    assert!(found["edits"][0]["by"].as_i64().unwrap() > 1, "it costs too little: {edits:?}");
    let leads = found["tables"]["patch_leads"].as_array().unwrap();
    assert_eq!(leads.len(), 1);
    let page = found["page"].as_str().unwrap();
    assert!(page.contains("What every mana of Yodin Zaku gives"), "{page}");
    let confirmed = &found["confirmed_with"];
    let (battles, seed) = (confirmed["battles"].to_string(), confirmed["seed"].to_string());
    let run = ["run", "new.toml", "--battles", &battles, "--seed", &seed, "--json"];
    let run: serde_json::Value = serde_json::from_str(&stdout(&desk.evens(&run))).unwrap();
    let mut units = run["tables"]["units"].as_array().unwrap().iter();
    let unit = units.find(|row| row["unit"] == "Yodin Zaku").unwrap();
    let lead = unit["score"].as_f64().unwrap() - 0.5;
    assert!((lead - leads[0]["lead_after"].as_f64().unwrap()).abs() < 1e-12, "{unit}");
}

#[test]
fn threads_change_nothing_in_a_search() {
    let desk = desk();
    let on = |threads: &str| searched(&desk, &["--threads", threads, "--battles", "450"]);
    assert_eq!(on("1"), on("3"));
}

#[test]
fn limits_of_a_patch_are_kept() {
    let desk = desk();
    let few = ["--battles", "450"];
    let with = |more: &[&str]| edits(&searched(&desk, &[&few[..], more].concat()));
    let others = with(&["--not", "Ash"]);
    assert!(
        !others.is_empty() && others.iter().all(|edit| !edit.starts_with("Ash.")),
        "{others:?}"
    );
    let pinned = with(&["--pin", "Ash.hand"]);
    assert!(
        !pinned.is_empty() && !pinned.iter().any(|edit| edit.starts_with("Ash.hand")),
        "{pinned:?}"
    );
    let dear = with(&["--only", "Ash", "--price", "Ash.hand=100"]);
    assert!(dear.iter().all(|edit| edit.starts_with("Ash.")), "{dear:?}");
    let only_up = ["--only", "Ash.hand", "--range", "Ash.hand=5..9"];
    assert_eq!(with(&only_up), Vec::<String>::new(), "no way up makes it weaker");
    assert_eq!(with(&["--edits", "0"]), Vec::<String>::new());
    // Ash is on target already: it scores about what is wanted.
    let found = searched(&desk, &["--battles", "450", "--target", "Ash's=94%", "--within", "15pp"]);
    assert_ne!(found["as_it_is"], "refuted", "{found}");
    assert_eq!(edits(&found), Vec::<String>::new());
}

#[test]
fn tables_of_a_patch() {
    let desk = desk();
    let output = desk.evens(
        &[&SEARCH[..], &["--battles", "450", "-o", "out", "--format", "csv", "--report", "r.html"]]
            .concat(),
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let tables = [
        "patch_edits.csv",
        "patch_effects.csv",
        "patch_frontier.csv",
        "patch_leads.csv",
        "side_effects.csv",
    ];
    let files = desk.files("out");
    assert!(tables.iter().all(|table| files.iter().any(|file| file == table)), "{files:?}");
    let frontier = desk.read("out/patch_frontier.csv");
    assert_eq!(frontier.lines().filter(|line| line.contains(",yes,")).count(), 1, "{frontier}");
    assert!(desk.read("r.html").contains("Edits against evenness"));
}

#[test]
fn what_cannot_be_patched_says_why() {
    let desk = desk();
    for (options, why) in [
        (&["--only", "Ash.mana"][..], "--only Ash.mana: Ash has hand, hit_points"),
        (&["--only", "hit_point"], "did you mean `hit_points`?"),
        (&["--not", "Nobody"], "--not or --pin Nobody"),
        (&["--range", "hand=9to2"], "such as `health=2..9`"),
        (&["--range", "hand=9..2"], "9..2 is backwards: write 2..9"),
        (&["--range", "hand=5..5"], "5..5 is a single value, and a range has two; --pin CARD"),
        (&["--price", "hand=-1"], "is no price"),
        (&["--price", "1pp"], "what a point of a number costs"),
        (&["--bounds", "0.5..2"], "numbers have --range"),
        (&["--shard", "1/2", "-o", "out"], "is not shared out"),
        (&["--only", "Ash", "--pin", "Ash"], "no number may change"),
        (&["--even", "factions"], "not drawn"),
        (&["--notes", "rivals.toml"], "rivals.toml"),
    ] {
        let output = desk.evens(&[&SEARCH[..], options].concat());
        assert_ne!(code(&output), 0, "{options:?}");
        assert!(flat(&stderr(&output)).contains(why), "{options:?}: {}", stderr(&output));
    }
    assert_eq!(desk.read("rivals.toml"), RIVALS, "no input is written over");
    let output = desk.evens(&["tune", "rivals.toml", "--only", "Ash"]);
    assert!(stderr(&output).contains("--stats"), "{}", stderr(&output));
    let output = desk.evens(&["tune", "splinterlands/archetypes", "--price", "mana=2"]);
    assert!(flat(&stderr(&output)).contains("with --stats"), "{}", stderr(&output));
}

/// A cost has bounds that no rule of the card file states: if one step of one number is impossible, the screening must
/// not lose its variants.
#[test]
fn more_numbers_than_are_tried_one_by_one_are_screened_where_some_cannot_move() {
    let search = ["tune", "eldertale/classes", "--stats", "--only", "cost", "--within", "0.1pp"];
    let sizes = ["--battles", "1000", "--confirm", "144", "--edits", "1", "--json"];
    let output = Desk::new().evens(&[&search[..], &sizes].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(found["candidates"].as_u64().unwrap() > 64, "{found}");
    assert!(found["screened"].as_u64().unwrap() > 90, "{found}");
    assert!(found["variants"].as_u64().unwrap() > 130, "{found}");
}

/// Among equals, going by estimates alone, the contender that happens to be ahead would make up the whole equilibrium.
#[test]
fn the_equilibrium_of_equals_is_even() {
    let desk = desk();
    let (mut undone, mut even) = (0, 0);
    for seed in 1..=10 {
        let found = searched(&desk, &["--seed", &seed.to_string()]);
        if edits(&found) != ["Ash.hand -1"] {
            continue;
        }
        undone += 1;
        let told = found["tables"]["side_effects"].as_array().unwrap().iter();
        let shares: Vec<f64> = told
            .filter(|of| of["kind"] == "equilibrium")
            .map(|of| of["after"].as_f64().unwrap())
            .collect();
        assert_eq!(shares.len(), 3, "{found}");
        even += u32::from(shares.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-9));
    }
    assert!(undone >= 8 && even + 1 >= undone, "{even} of {undone}");
}

/// Paths are relative to the scenario's folder, so a scenario that is written elsewhere gets other paths to its cards.
#[test]
fn a_scenario_that_is_written_elsewhere_finds_its_cards() {
    let desk = Desk::new();
    let duel = "game = \"eldertale\"\nbattles = 60\n\
                [[characters]]\nname = \"Crow\"\nclasses = [\"Blademaster\"]\n\
                [[characters]]\nname = \"Wren\"\nclasses = [\"Hunter\"]\n\
                [sides]\na = [\"Crow\", \"Wren\"]\nb = [\"Crow\", \"Wren\"]\n";
    let cards = include_str!("../../scenarios/eldertale/cards/example.toml");
    std::fs::create_dir_all(desk.path().join("mine/cards")).unwrap();
    std::fs::create_dir(desk.path().join("out")).unwrap();
    desk.write("mine/cards/own.toml", cards);
    desk.write("mine/duel.toml", &format!("catalogue = \"cards/own.toml\" # ours\n{duel}"));
    let written = |to: &str| {
        let search = ["tune", "mine/duel.toml", "--stats", "--battles", "60", "--confirm", "60"];
        let output = desk.evens(&[&search[..], &["--edits", "1", "--write-scenario", to]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        (desk.read(to).lines().next().unwrap().to_owned(), flat(&stderr(&output)))
    };
    assert_eq!(written("mine/new.toml").0, "catalogue = \"cards/own.toml\" # ours");
    let (first, said) = written("new.toml");
    assert_eq!(first, "catalogue = \"mine/cards/own.toml\" # ours");
    assert!(!said.contains("--allow-outside"), "{said}");
    let (first, said) = written("out/new.toml");
    assert_eq!(first, "catalogue = \"../mine/cards/own.toml\" # ours");
    assert!(said.contains("`evens check out/new.toml --allow-outside`"), "{said}");
    desk.page(&["check", "mine/new.toml", "new.toml"]);
    desk.page(&["check", "out/new.toml", "--allow-outside"]);
}

/// Side effects are shown because they are the largest, so their intervals on the page are wider than those in the
/// table, which hold for each alone.
#[test]
fn side_effects_are_told_with_intervals_that_allow_for_the_choice() {
    let desk = desk();
    let found = searched(&desk, &["--battles", "4000"]);
    assert_eq!(edits(&found), ["Ash.hand -1"]);
    let rows = found["tables"]["side_effects"].as_array().unwrap();
    let told: Vec<_> = rows.iter().filter(|of| of["told"] == "yes").collect();
    let tested = rows.iter().filter(|of| of["p_value"].is_number()).count();
    assert!(!told.is_empty() && told.len() < tested, "{found}");
    // Wide enough for a row to be one line.
    let output = std::process::Command::new(crate::program())
        .args([&SEARCH[..], &["--battles", "4000"]].concat())
        .current_dir(desk.path())
        .env("COLUMNS", "120")
        .output()
        .unwrap();
    let page = stdout(&output);
    for of in told.iter().filter(|of| of["p_value"].is_number()) {
        let half = of["beyond_high"].as_f64().unwrap() - of["beyond"].as_f64().unwrap();
        let [kind, name] = ["kind", "name"].map(|key| of[key].as_str().unwrap());
        let is_row = |line: &&str| {
            let line = line.trim_start();
            line.starts_with(kind) && line[kind.len()..].trim_start().starts_with(name)
        };
        let line = page.lines().find(is_row).unwrap_or_else(|| panic!("{name}: {page}"));
        let (_, after) = line.split_once('±').unwrap();
        let shown: f64 = after.split_whitespace().next().unwrap().parse().unwrap();
        assert!(shown > 100.0 * half, "{name}: {shown} {half}");
    }
    assert!(flat(&page).contains("intervals allow for the choice"), "{page}");
}

/// A patch that was the best in the battles of the search may do nothing in others: the page says that they do not show that it
/// does, and by how much it brings scores nearer where they do.
#[test]
fn a_patch_that_is_not_seen_to_do_anything_is_told_so() {
    let desk = desk();
    // The seat alone matters, and no number of a card.
    let seats = "game = \"eldertale\"\nbattles = 4000\n\
        [[characters]]\nname = \"First\"\nclasses = [\"Blademaster\"]\n\
        [[characters]]\nname = \"Second\"\nclasses = [\"Blademaster\"]\n\
        [sides]\na = [\"First\"]\nb = [\"Second\"]\n";
    desk.write("seats.toml", seats);
    let tune = [
        "tune",
        "seats.toml",
        "--stats",
        "--edits",
        "1",
        "--only",
        "damage",
        "--battles",
        "8000",
        "--seed",
    ];
    let mut open = 0;
    for seed in ["4", "10", "25"] {
        let page = flat(&desk.page(&[&tune[..], &[seed]].concat()));
        let says = "These battles do not show that it brings Second nearer to even.";
        if let Some((_, told)) = page.split_once("; they bring ") {
            let (told, _) = told.split_once(" nearer").unwrap();
            assert_eq!(page.contains(says), told.contains("(-"), "{page}");
            open += u32::from(page.contains(says));
        }
    }
    assert!(open > 0);
    let page = flat(&desk.page(&SEARCH));
    assert!(!page.contains("do not show"), "{page}");
}

/// Where nobody wins scores are even, too: the first sentence says so.
#[test]
fn a_stalemate_is_not_sold_as_fairness() {
    let desk = desk();
    desk.write(
        "bones.toml",
        "game = \"sanctum\"\nbattles = 2000\n\
         [[groups]]\nname = \"Imps\"\nminions = [\"2 Imp swordsman\"]\n\
         [[groups]]\nname = \"Elves\"\nminions = [\"2 Elf swordsman\"]\n\
         [sides]\na = [\"Imps\"]\nb = [\"Elves\"]\nprecedence = \"a\"\n",
    );
    let tune = ["tune", "bones.toml", "--stats", "--battles", "1000"];
    let page = flat(&desk.page(&tune));
    let says = "Nobody wins 100.0% of these battles with the patch, and 0.0% without it.";
    assert!(page.contains("all shown even") && page.contains(says), "{page}");
    let json = desk.page(&[&tune[..], &["--json"]].concat());
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        [&found["nobody_wins"], &found["nobody_wins_without"]].map(|of| of.as_f64()),
        [Some(1.0), Some(0.0)]
    );
    // A patch with which as many battles are won says nothing of that.
    assert!(!flat(&desk.page(&SEARCH)).contains("Nobody wins"));
}

/// Of two rivals one gains what the other loses, so that neither is farther off.
#[test]
fn two_leads_that_are_equally_large_are_told_as_such() {
    let desk = Desk::new();
    let two = RIVALS.replacen(r#"a = ["Ash's", "Bog's", "Clay's"]"#, r#"a = ["Ash's"]"#, 1);
    desk.write("two.toml", &two.replace(r#"b = ["Ash's", "Bog's", "Clay's"]"#, r#"b = ["Bog's"]"#));
    let search = "tune two.toml --stats --within 3pp --edits 0 --battles 600 --confirm 600";
    let output = desk.evens(&search.split(' ').collect::<Vec<_>>());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = flat(&stdout(&output));
    assert!(page.contains("points, that of Bog's; Ash's is off by as much."), "{page}");
}

/// Elder Tale counts cards once they are played, and a card of a deck that nobody plays may be one that nobody can afford.
#[test]
fn cards_that_a_deck_holds_and_nobody_plays_may_change() {
    let desk = Desk::new();
    desk.write(
        "my.toml",
        "game = \"eldertale\"\nbattles = 400\n[sides]\na = [\"One\"]\nb = [\"Two\"]\nswap = true\n\
         [[characters]]\nname = \"One\"\nhp = 60\nclasses = [\"Blademaster\"]\npolicy = \"greedy\"\n\
         deck = [\"Strike\", \"Heavy Swing\", \"Brace\"]\n\
         [[characters]]\nname = \"Two\"\nhp = 60\nclasses = [\"Crusader\"]\npolicy = \"greedy\"\n\
         deck = [\"Strike*2\", \"Brace\"]\n",
    );
    let page = desk.page(&["tune", "my.toml", "--stats", "--only", "Brace", "--battles", "200"]);
    assert!(page.contains("Brace defense 6 → "), "{page}");
}

/// As the page does, `--json` names all whose lead is the largest: of two rivals one gains what the other loses.
#[test]
fn all_whose_lead_is_the_largest_are_named_for_programs() {
    let desk = Desk::new();
    desk.write("rivals.toml", &RIVALS.replace(", \"Clay's\"", ""));
    let few = ["--battles", "2000", "--json"];
    for (command, place) in [
        (["tune", "splinterlands/archetypes"], "/verdict/largest"),
        (["tune", "rivals.toml"], "/largest"),
    ] {
        let stats = if command[1] == "rivals.toml" { &["--stats"][..] } else { &[] };
        let output = desk.evens(&[&command[..], stats, &few].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        let largest = found.pointer(place).unwrap();
        let others = largest["off_by_as_much"].as_array().unwrap();
        assert_eq!(others.len(), 1, "{largest}");
        assert_ne!(others[0], largest["contender"], "{largest}");
    }
}

/// Three of twelve nations lead by as much: three edits that lower all of them are better than two that do so less where the
/// largest lead counts, though the other leads stay larger.
#[test]
fn the_largest_lead_is_made_small_where_that_is_asked_for() {
    let desk = Desk::new();
    let left = |objective: &str| {
        let nations = [
            "tune",
            "sanctum/nations",
            "--stats",
            "--edits",
            "3",
            "--within",
            "8pp",
            "--seed",
            "1",
        ];
        let battles = ["--battles", "900", "--confirm", "900", "--objective", objective, "--json"];
        let output = desk.evens(&[&nations[..], &battles].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(found["objective"], objective);
        (found["largest"]["value"].as_f64().unwrap().abs(), found["page"].to_string())
    };
    let [(by_largest, largest), (by_squares, squares)] = ["largest", "squares"].map(left);
    assert!(by_largest < by_squares - 0.04, "{by_largest} {by_squares}");
    assert!(flat(&squares).contains("add up to least"), "{squares}");
    assert!(!flat(&largest).contains("add up to least"), "{largest}");
}

/// A target for a contender says whom to make even, although cards that `--only` names would be made even without one.
#[test]
fn a_target_for_a_contender_is_about_contenders() {
    let desk = Desk::new();
    desk.page(&["new", "splinterlands", "my.toml"]);
    let found = |target: &str| {
        let only = ["tune", "my.toml", "--stats", "--only", "Ash Imp", "--battles", "400"];
        let output = desk.evens(&[&only[..], &["--target", target, "--json"]].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let found: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
        found["largest"]["contender"].as_str().unwrap().to_owned()
    };
    assert!(["Imp and ogre", "Anybody"].contains(&&*found("Imp and ogre=47%")));
}

/// A fixed team against whatever is drawn: 900 numbers may change, and those of the team's own cards are tried whatever
/// screening says of them.
const OGRES: &str = "game = \"splinterlands\"\nseed = 9\nbattles = 1000\nmana_caps = [24]\nleague = \"bronze\"\n\
    illegal_teams = \"lose\"\n\
    [[teams]]\nname = \"Ogre\"\nsummoner = \"Malric Inferno\"\n\
    monsters = [\"Pit Ogre\", \"Serpentine Soldier\", \"Fire Beetle\"]\n\
    [[pools]]\nname = \"Anybody\"\npolicy = \"fill\"\n\
    [sides]\na = [\"Ogre\"]\nb = [\"Anybody\"]\n";

#[test]
fn the_own_cards_of_a_contender_that_is_off_are_always_tried() {
    let desk = Desk::new();
    desk.write("ogres.toml", OGRES);
    let search = ["tune", "ogres.toml", "--stats", "--battles", "200", "--edits", "3"];
    let output = desk.evens(
        &[&search[..], &["--within", "3pp", "-o", "found", "--format", "csv", "--json"]].concat(),
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("an object");
    assert!(found["screened"].as_u64().expect("a number") > 0, "{}", found["page"]);
    let rows = found["tables"]["patch_effects"].as_array().expect("rows");
    let cards = ["Pit Ogre", "Serpentine Soldier", "Fire Beetle"];
    for card in cards {
        let of_card = rows.iter().filter(|row| row["card"] == card);
        assert!(of_card.count() > 3, "{card}: {rows:?}");
    }
    // Three edits are too few, and the page says what bounds the search.
    let page = flat(found["page"].as_str().expect("a page"));
    assert!(page.contains("Allow more (`--edits`,"), "{page}");
    assert!(
        page.contains("were tried one by one: name the cards to change (`--only CARD`)"),
        "{page}"
    );
    // With one mana less, the team may be brought under both caps.
    desk.write("ogres.toml", &OGRES.replace("mana_caps = [24]", "mana_caps = [24, 16]"));
    let cheaper = ["--only", "Fire Beetle.mana", "--even", "contenders"];
    let page = flat(&desk.page(&[&search[..5], &cheaper].concat()));
    assert!(page.contains("of the fresh battles are forfeits without the patch and"), "{page}");
}
