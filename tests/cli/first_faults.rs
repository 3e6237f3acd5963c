//! Mistakes of the first day: each is answered with the remedy that fits.

use super::{Desk, code, duel, flat, stderr};

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
    assert!(told.contains("write it as `1_000_000`"), "{told}");
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
