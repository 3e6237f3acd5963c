//! Mistakes of the first day: each is answered with the remedy that fits.

use super::{Desk, code, duel, flat, stderr, stdout};

/// The faults that `evens check` finds in a file, in one line.
fn checked(desk: &Desk, file: &str) -> String {
    let output = desk.evens(&["check", file]);
    assert_eq!(code(&output), 3, "{file}: {}", stderr(&output));
    flat(&stderr(&output))
}

fn said(text: &str) -> String {
    let desk = Desk::new();
    desk.write("my.toml", text);
    checked(&desk, "my.toml")
}

#[test]
fn what_is_missing_is_told_with_how_it_is_written() {
    let told = said("game = \"splinterlands\"\nbattles = 10\n");
    assert!(told.contains("`sides` is missing"), "{told}");
    assert!(told.contains("add a table `[sides]` with `a` and `b`: Who fights whom."), "{told}");
    let told = said("game = \"eldertale\"\nbattles = 10\n[sides]\na = [\"x\"]\nb = [\"x\"]\n");
    assert!(told.contains("add a table `[[characters]]` with `name`: A character."), "{told}");
}

#[test]
fn one_bracket_too_few() {
    let told = said(
        &duel("")
            .replace("[[teams]]\nname = \"Water\"", "")
            .replace("[[teams]]", "[teams]")
            .replace(
                "summoner = \"Alric Stormbringer\"\nmonsters = [\"Medusa\", \"Sea Genie\"]\n",
                "",
            ),
    );
    assert!(told.contains("expected a list, found a table"), "{told}");
    assert!(told.contains("write `[[teams]]`, with two brackets, above each of them"), "{told}");
}

#[test]
fn a_single_thing_for_a_list() {
    let told = said(&duel("mana_caps = 30"));
    assert!(told.contains("write `mana_caps = [30]`: there may be several."), "{told}");
    let told = said(&duel("").replace("a = [\"Fire\"]", "a = \"Fire\""));
    assert!(told.contains("write `a = [\"Fire\"]`: there may be several."), "{told}");
}

#[test]
fn a_whole_number_with_an_exponent() {
    let told = said(&duel("").replace("battles = 500", "battles = 1e6"));
    assert!(told.contains("write it as `battles = 1_000_000`"), "{told}");
    let told = said(&duel("").replace("battles = 500", "battles = \"100k\""));
    assert!(told.contains("Write it as `battles = 100_000`"), "{told}");
    takes("battles = 1_000_000");
    takes("battles = 100_000");
}

fn takes(line: &str) {
    let desk = Desk::new();
    desk.write("my.toml", &duel("").replace("battles = 500", line));
    desk.page(&["check", "my.toml"]);
}

/// A value of `--set` that should be a list is told with a setting that a shell passes on and the command accepts.
#[test]
fn a_setting_of_lists() {
    let desk = Desk::new();
    desk.write("my.toml", &duel("mana_caps = [30]"));
    let faulty = |setting: &str| {
        let output = desk.evens(&["sweep", "my.toml", "--battles", "40", "--set", setting]);
        assert_eq!(code(&output), 3, "{setting}: {}", stderr(&output));
        flat(&stderr(&output))
    };
    for (setting, remedy) in [
        ("mana_caps=40,50", "--set 'mana_caps=[40],[50]'"),
        ("sides.a=Fire,Water", "--set 'sides.a=[\"Fire\"],[\"Water\"]'"),
    ] {
        let told = faulty(setting);
        assert!(told.contains(&format!("make each value a list, `{remedy}`: ")), "{told}");
        let setting = remedy.trim_start_matches("--set ").trim_matches('\'');
        desk.page(&["sweep", "my.toml", "--battles", "40", "--set", setting]);
    }
}

/// `-1` alone is a number, and hardly ever meant where numbers of cards are changed.
#[test]
fn a_setting_of_differences() {
    let desk = Desk::new();
    desk.write("my.toml", &duel(""));
    let sweep =
        |setting: &str| desk.evens(&["sweep", "my.toml", "--battles", "400", "--set", setting]);
    let told = flat(&stderr(&sweep("changes.Medusa.health=-1,-2")));
    let remedy = "for 1 less than there is write `--set changes.Medusa.health=+0,-1,-2`";
    assert!(told.contains(remedy), "{told}");
    let output = sweep("changes.Medusa.health=+0,-1,-2");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    // Where there is nothing to take away, nothing is suggested.
    let told = flat(&stderr(&sweep("changes.Medusa.armor=-1,-2")));
    assert!(told.contains("armor") && !told.contains("less than there is"), "{told}");
    let axis = "[sweep]\naxes = [{ path = \"changes.Medusa.health\", values = [-1, -2] }]\n";
    desk.write("my.toml", &format!("{}\n{axis}", duel("")));
    let told = flat(&stderr(&desk.evens(&["sweep", "my.toml", "--battles", "400"])));
    assert!(told.contains("write `values = [\"-1\", \"-2\"]`"), "{told}");
    let axis = axis.replace("[-1, -2]", "[\"-1\", \"-2\"]");
    desk.write("my.toml", &format!("{}\n{axis}", duel("")));
    desk.page(&["sweep", "my.toml", "--battles", "400"]);
}

#[test]
fn a_list_of_cards_for_a_scenario() {
    let desk = Desk::new();
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    desk.write("set.csv", cards);
    let told = checked(&desk, "set.csv");
    assert!(told.contains("this is a list of cards and no scenario"), "{told}");
    assert!(told.contains("put the line `cards = \"set.csv\"` before the first table"), "{told}");
    assert!(!told.contains("faults"), "one fault is enough: {told}");
    desk.write("my.toml", &format!("cards = \"set.csv\"\n{}", duel("")));
    desk.page(&["check", "my.toml"]);
    desk.write("set.csv", &cards.replacen("Fire", "Fyre", 1));
    assert!(checked(&desk, "my.toml").contains("unknown faction `Fyre`"));
    desk.write("wins.csv", "matchup,score\nA,0.5\n");
    assert!(checked(&desk, "wins.csv").contains("this is a table (CSV) and no scenario"));

    desk.write("set.toml", include_str!("../../scenarios/eldertale/cards/example.toml"));
    let told = checked(&desk, "set.toml");
    assert!(told.contains("put the line `catalogue = \"set.toml\"`"), "{told}");
    let duel = include_str!("../../scenarios/eldertale/duel.toml");
    desk.write("own.toml", &format!("catalogue = \"set.toml\"\n{duel}"));
    desk.page(&["check", "own.toml"]);
    assert!(said("").contains("does not say which game"));
}

/// A list with one level of each card has one fault, and one without a column names it.
#[test]
fn a_list_of_cards_that_lacks_rows_or_columns() {
    let desk = Desk::new();
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    let is_first = |line: &&str| {
        let level = line.split(',').nth(6).unwrap();
        ["level", "", "1"].contains(&level)
    };
    let firsts: Vec<&str> = cards.lines().filter(is_first).collect();
    desk.write("set.csv", &firsts.join("\n"));
    desk.write("my.toml", &format!("cards = \"set.csv\"\n{}", duel("")));
    let told = checked(&desk, "my.toml");
    assert!(told.contains("208 cards lack levels: `Goblin Shaman` ends with level 1"), "{told}");
    assert!(told.contains("common cards have 10, rare cards have 8"), "{told}");
    assert!(told.contains("as one of its `new_cards`"), "{told}");
    assert_eq!(told.matches("ends with level").count(), 1, "{told}");

    let without = |at: usize| -> String {
        let row = |line: &str| {
            let fields = line.split(',').enumerate();
            let kept: Vec<&str> = fields.filter(|of| of.0 != at).map(|of| of.1).collect();
            kept.join(",")
        };
        cards.lines().map(row).collect::<Vec<_>>().join("\n")
    };
    for (text, wrong) in [
        (without(8), "`ranged` is missing"),
        (cards.replacen("ranged", "bow", 1), "`ranged` is missing and `bow` is unknown"),
        (cards.replacen("mana,level", "level,mana", 1), "they stand in another order"),
    ] {
        desk.write("set.csv", &text);
        let told = checked(&desk, "my.toml");
        let message = format!("these are not the columns of a card catalogue: {wrong}");
        assert!(told.contains(&message), "{told}");
    }
}

#[test]
fn a_scenario_for_a_folder_of_results() {
    let desk = Desk::new();
    desk.write("my.toml", &duel("")).write("other file.toml", &duel(""));
    for (scenario, word) in [
        ("my.toml", "my.toml"),
        ("other file.toml", "'other file.toml'"),
        ("splinterlands/mirror", "splinterlands/mirror"),
        ("mirror", "mirror"),
    ] {
        let output = desk.evens(&["report", scenario, "-o", "page.html"]);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        let told = flat(&stderr(&output));
        assert!(told.contains("it is a scenario, and a report is made of results"), "{told}");
        assert!(told.contains(&format!("`evens run {word} --report report.html`")), "{told}");
        assert!(told.contains(&format!("`evens run {word} -o results`")), "{told}");
        assert!(told.contains("`evens report results -o report.html`"), "{told}");
    }
    desk.page(&["run", "my.toml", "--report", "report.html", "--quiet"]);
    desk.page(&["run", "my.toml", "-o", "results", "--quiet", "--format", "csv"]);
    desk.page(&["report", "results", "-o", "report.html"]);
}

#[test]
fn a_folder_for_a_scenario() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path().join("mine")).unwrap();
    let of = |arguments: &[&str]| {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 3);
        flat(&stderr(&output))
    };
    assert!(of(&["run", "mine"]).contains("mine is a folder, not a scenario"));
    desk.write("mine/duel.toml", &duel(""));
    assert!(of(&["run", "mine"]).contains("name the file in it: mine/duel.toml"));
    desk.write("mine/other.toml", &duel(""));
    assert!(of(&["run", "mine"]).contains("`evens check mine/*.toml` checks all"));
}

#[test]
fn a_file_that_is_not_utf_8() {
    let desk = Desk::new();
    for (bytes, said) in [
        (
            &b"game = \"splinterlands\"\nquestion = \"Caf\xe9?\"\n"[..],
            "line 2 is not UTF-8, it looks like Latin-1",
        ),
        (b"\xff\xfeg\0a\0m\0e\0", "line 1 is not UTF-8, it looks like UTF-16"),
    ] {
        std::fs::write(desk.path().join("my.toml"), bytes).unwrap();
        let told = checked(&desk, "my.toml");
        assert!(told.contains(said) && told.contains("save it as UTF-8"), "{told}");
    }
}

#[test]
fn a_file_whose_lines_end_with_carriage_returns_alone() {
    let desk = Desk::new();
    desk.write("old.toml", "game = \"sanctum\"\rbattles = 10\r[sides]\r");
    let told = checked(&desk, "old.toml");
    assert_eq!(told.matches('×').count(), 1, "{told}");
    assert!(told.contains("the lines end with carriage returns alone"), "{told}");
    assert!(told.contains(r"`tr '\r' '\n' < old.toml > NEW`"), "{told}");
    desk.write("mixed.toml", "game = \"sanctum\"\rbattles = 10\r\n");
    let told = checked(&desk, "mixed.toml");
    assert_eq!(told.matches('×').count(), 1, "{told}");
    assert!(told.contains("the lines end with carriage returns alone"), "{told}");
}

#[test]
fn nothing_is_piped_in() {
    let desk = Desk::new();
    let output = desk.evens(&["run", "-"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    let told = flat(&stderr(&output));
    assert!(told.contains("nothing came from standard input"), "{told}");
}

#[test]
fn a_fixed_team_under_drawn_rulesets() {
    let told = said(&duel("").replace("[rulesets]\nfixed = [\"Standard\"]\n", ""));
    assert_eq!(told.matches('×').count(), 3, "a headline, and one fault for each team: {told}");
    assert!(
        told.contains("say `illegal_teams = \"lose\"` at the top, or `exclude = [\""),
        "{told}"
    );
}

/// Two teams that rulesets forbid: the first is forbidden by two rulesets, the second by one ruleset that allows the
/// first.
fn forbidden(rulesets: &str) -> String {
    format!(
        "game = \"splinterlands\"\nbattles = 10\nleague = \"silver\"\n[rulesets]\n{rulesets}\n\
         [[teams]]\nname = \"Two\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Fire Beetle\"]\n\
         [[teams]]\nname = \"One\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\"]\n\
         [sides]\na = [\"Two\"]\nb = [\"One\"]\n"
    )
}

#[test]
fn what_one_line_leaves_out_is_enough_for_all_teams() {
    let excluded = "exclude = [\"Even Stevens\", \"Odd Ones Out\", \"Keep Your Distance\"]";
    let told = said(&forbidden(excluded));
    assert_eq!(told.matches(" for all teams, or change the team").count(), 2, "{told}");
    let (_, line) = told.split_once("or `exclude = ").expect("what to write");
    let (line, rest) = line.split_once('`').expect("a whole line");
    assert!(rest.trim_start().starts_with("in place of yours"), "{told}");
    let desk = Desk::new();
    desk.write("mended.toml", &forbidden(&format!("exclude = {line}")));
    let output = desk.evens(&["check", "mended.toml"]);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
}

#[test]
fn rulesets_that_are_named_are_taken_out_of_their_list() {
    for (list, more) in [("only", "two = 0"), ("fixed", "")] {
        let named = |rest: &str| {
            forbidden(&format!("{list} = [\"Broken Arrows\", \"Little League\"{rest}]\n{more}"))
        };
        let told = said(&named(", \"Silenced Summoners\""));
        let remedy =
            format!("or take \"Broken Arrows\", \"Little League\" out of `{list}` for all teams");
        assert_eq!(told.matches(&remedy).count(), 2, "{told}");
        // An empty list would allow all rulesets.
        let told = said(&named(""));
        let remedy = format!("or name other rulesets in `{list}` for all teams");
        assert_eq!(told.matches(&remedy).count(), 2, "{told}");
    }
}

/// An official card file begins as a table of TOML does, and was taken for a scenario with mistakes.
#[test]
fn an_official_card_file_for_a_scenario() {
    let desk = Desk::new();
    desk.write(
        "official cards.json",
        "[{\"id\": 1, \"name\": \"Goblin Shaman\", \"color\": \"Red\", \"stats\": {}}]",
    );
    let told = checked(&desk, "official cards.json");
    assert!(told.contains("this is an official card file (JSON) and no scenario"), "{told}");
    let remedy =
        "`evens import splinterlands 'official cards.json' -o cards.csv` makes a list of its cards";
    assert!(told.contains(remedy), "{told}");
    assert!(!told.contains("toml.io"), "{told}");
    for other in ["[1, 2]", "[{\"id\": }]", "{\"cards\": []}"] {
        desk.write("other.json", other);
        let told = checked(&desk, "other.json");
        assert!(told.contains("this is JSON and no TOML"), "{told}");
        assert!(told.contains("official card files by `evens import`"), "{told}");
    }
    // A mistake in TOML that begins with a table stays one.
    desk.write("my.toml", "[sides\na = 1\n");
    assert!(checked(&desk, "my.toml").contains("toml.io"));
}

/// A file where a folder is wanted is called a file, and a report of it leads to its folder.
#[test]
fn a_file_for_a_folder() {
    let desk = Desk::new();
    desk.write("my.toml", &duel(""));
    desk.page(&["run", "my.toml", "-o", "results", "--format", "csv"]);
    let told = |arguments: &[&str]| {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 3, "{arguments:?}: {}", stdout(&output));
        flat(&stderr(&output))
    };
    for file in ["my.toml", "results/outcomes.csv"] {
        let told = told(&["trend", file]);
        assert!(told.contains("it is a file, and a history of nights is a folder"), "{told}");
        assert!(told.contains("`evens nightly --history FOLDER` has added to"), "{told}");
    }
    assert!(told(&["trend", "nothing"]).contains("there is no such folder"));
    for file in ["results/outcomes.csv", "results/provenance.json", "results/report.json"] {
        let told = told(&["report", file, "-o", "my page.html"]);
        let why = "it is a file, and a report is made of the folder that it is in";
        assert!(told.contains(why), "{told}");
        assert!(told.contains("`evens report results -o 'my page.html'` makes it"), "{told}");
    }
    desk.page(&["report", "results", "-o", "my page.html"]);
    desk.write("elsewhere.csv", "a,b\n1,2\n");
    let told = told(&["report", "elsewhere.csv", "-o", "other.html"]);
    assert!(told.contains("it is a file, and a report is made of a folder of results"), "{told}");
}
