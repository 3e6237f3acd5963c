//! Pages refer to tables that are written, and otherwise to how they would be.

use super::{Desk, flat};

/// Teams that no draw of rulesets allows at this mana cap: quickly counted, and with many conditions.
const DRAWN: &str = "game = \"splinterlands\"\nbattles = 100\nmana_caps = [12]\nillegal_teams = \"lose\"\n\
    [[teams]]\nname = \"A\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Living Lava\", \"Giant Roc\"]\n\
    [[teams]]\nname = \"B\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Giant Roc\", \"Living Lava\"]\n\
    [[teams]]\nname = \"C\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Living Lava\", \"Pit Ogre\"]\n\
    [sides]\na = [\"A\"]\nb = [\"B\"]\n";

/// Teams drawn from a splinter, one monster of which is broken.
const BROKEN: &str = "game = \"splinterlands\"\nbattles = 2400\nleague = \"silver\"\nmana_caps = [20, 26]\n\
    [rulesets]\nonly = [\"Standard\", \"Super Sneak\"]\ntwo = 0\n[changes.\"Goblin Shaman\"]\nmagic = \"+3\"\n\
    [[pools]]\nname = \"Fire\"\nfactions = [\"Fire\"]\nsummoners = [\"Malric Inferno\"]\n\
    [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";

/// A metagame with more members than are shown.
const METAGAME: &str = "game = \"splinterlands\"\nbattles = 3000\nleague = \"novice\"\nmana_caps = [12]\n\
    illegal_teams = \"lose\"\n\
    [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\nmonsters = [\"Kobold Miner\"]\n\
    [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\nmonsters = [\"Spineback Turtle\"]\n\
    [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n";

/// A page of a command with these flags, in one line.
fn page(desk: &Desk, command: &str, more: &str) -> String {
    let words: Vec<&str> =
        command.split(' ').chain(more.split(' ').filter(|of| !of.is_empty())).collect();
    flat(&desk.page(&words))
}

/// Each page with all tables and with one of them, and what these say of a table that the second does not write.
fn refer(desk: &Desk, command: &str, only: &str, usual: &str, other: &str) {
    let all = page(desk, command, "");
    assert!(all.contains(usual) && !all.contains(other), "{command}: {all}");
    let one = page(desk, command, &format!("--table {only}"));
    assert!(one.contains(other) && !one.contains(usual), "{command} --table {only}: {one}");
}

#[test]
fn what_exact_refers_to_is_written() {
    let desk = Desk::new();
    desk.write("drawn.toml", DRAWN);
    let conditions = ["The table `exact` has 257 more", "`--table exact` writes 257 more"];
    refer(&desk, "exact drawn.toml", "exact_orders", conditions[0], conditions[1]);
    let kept = page(&desk, "exact drawn.toml", "--table exact");
    assert!(kept.contains(conditions[0]), "{kept}");
    let swapped = DRAWN.replace(
        "a = [\"A\"]\nb = [\"B\"]",
        "a = [\"A\", \"B\", \"C\"]\nb = [\"A\", \"B\", \"C\"]",
    );
    desk.write("many.toml", &swapped);
    refer(
        &desk,
        "exact many.toml",
        "exact",
        "Lengths, results and orders are in the tables `exact` and `exact_orders`.",
        "The table `exact` has lengths and results, and `--table exact_orders` writes orders.",
    );
}

#[test]
fn what_worth_refers_to_is_written() {
    let desk = Desk::new();
    desk.write("broken.toml", BROKEN);
    let rare =
        ["of fewer than 10 battles (table `replacements`)", "(`--table replacements` writes all)"];
    refer(&desk, "worth broken.toml --replace 2 --battles 50", "impact", rare[0], rare[1]);
    let interval = ["the table `impact` has its interval", "`--table impact` writes its interval"];
    refer(&desk, "worth broken.toml --replace 1", "worth", interval[0], interval[1]);
    let all = ["(Holm). The tables `worth`,", "(Holm). Without `--table` the tables `worth`,"];
    refer(&desk, "worth broken.toml --replace 1", "worth", all[0], all[1]);
}

#[test]
fn what_effects_refers_to_is_written() {
    let desk = Desk::new();
    let effects = "effects splinterlands/drawn-teams --battles 4";
    refer(
        &desk,
        effects,
        "unit_effects",
        "the tables `ruleset_effects` and `unit_effects` hold everything",
        "the table `unit_effects` holds everything of units, `--table ruleset_effects` writes that of sides",
    );
    let sides = page(&desk, effects, "--table ruleset_effects");
    assert!(sides.contains("; the table `ruleset_effects` holds everything"), "{sides}");
}

#[test]
fn what_best_refers_to_is_written() {
    let desk = Desk::new();
    desk.write("metagame.toml", METAGAME);
    refer(
        &desk,
        "best metagame.toml --metagame --top 3",
        "best_line_ups",
        "The table `metagame` has 2 more.",
        "`--table metagame` writes 2 more.",
    );
}
