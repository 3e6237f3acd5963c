//! Inputs that nobody wrote by hand: too long, too many, too deep, or made to do harm.

use super::{Desk, code, duel, flat, stderr, stdout};

#[test]
fn a_fault_far_along_a_line_is_shown_in_a_window_of_it() {
    let desk = Desk::new();
    let cards = "{\"id\":1,\"name\":\"x\"},".repeat(5_000);
    desk.write("cards.json", &format!("[{cards}{{\"id\": }}]"));
    let output = desk.evens(&["import", "splinterlands", "cards.json"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("[cards.json:1:100"), "the true column is told: {told}");
    assert!(told.contains("…") && told.contains("here") && told.len() < 2_000, "{told}");

    let scenario = format!("name = {}\n", "[1, ".repeat(30_000));
    desk.write("long.toml", &scenario);
    let output = desk.evens(&["check", "long.toml"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));

    let padding = format!("question = \"{}\", ", "q".repeat(70_000));
    desk.write(
        "inline.toml",
        &duel("").replace(
            "battles = 500",
            &format!("watch = {{ {padding}tables = [] }}\nbattles = 500"),
        ),
    );
    let output = desk.evens(&["check", "inline.toml"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("inline.toml:2:70"), "{}", stderr(&output));
}

#[test]
fn names_cannot_reach_the_terminal() {
    let desk = Desk::new();
    let hostile = "\\u001b[2J\\u001b]0;owned\\u0007\\u202e\\u009b31m";
    desk.write("duel.toml", &duel("").replace("\"Fire\"", &format!("\"Fire{hostile}\"")));
    let acts = |text: &str| {
        text.contains(|letter: char| {
            letter != '\n' && (letter.is_control() || letter == '\u{202e}')
        })
    };
    let commands = [
        &["run", "duel.toml"][..],
        &["run", "duel.toml", "-o", "-", "--table", "outcomes", "--format", "markdown"],
        &["trace", "duel.toml", "--battle", "1"],
        &["trace", "duel.toml", "--battle", "1", "--json"],
        &["sweep", "duel.toml", "--set", "league=silver,gold"],
        &["exact", "duel.toml", "--json", "--ways", "1000"],
        &["run", "duel.toml", "--battles", "0\u{1b}[2J"],
    ];
    let nothing_acts = || {
        for command in commands {
            let output = desk.evens(command);
            let (out, err) = (stdout(&output), stderr(&output));
            assert!(!acts(&out), "{command:?}: {out:?}");
            assert!(!acts(&err), "{command:?}: {err:?}");
        }
    };
    nothing_acts();
    // A name with control characters is quoted safely and refused; one that only changes the direction of writing is
    // shown escaped.
    let refused = desk.evens(&["run", "duel.toml"]);
    assert_eq!(code(&refused), 3);
    assert!(stderr(&refused).contains("Fire\\u{1b}[2J"), "{}", stderr(&refused));
    desk.write("duel.toml", &duel("").replace("\"Fire\"", "\"Fire\\u202e31m\""));
    nothing_acts();
    let shown = stdout(&desk.evens(&["run", "duel.toml"]));
    assert!(shown.contains("Fire\\u{202e}31m"), "{shown}");
    // Faults quote the text of the file itself.
    desk.write(
        "faulty.toml",
        "game = \"splinterlands\"\nbattles = 1\n\"\\u001b[2J\" = 1 # \u{7f}\n",
    );
    desk.write("raw.toml", "game = \"\u{1b}[2J\u{9b}2J\"\n");
    for name in ["faulty.toml", "raw.toml", "no\u{1b}[2Jsuch.toml"] {
        let output = desk.evens(&["check", name]);
        assert_eq!(code(&output), 3);
        assert!(!acts(&stderr(&output)), "{:?}", stderr(&output));
    }
}

#[test]
fn tables_are_safe_to_open() {
    let desk = Desk::new();
    let name = "=HYPERLINK(0)<script>[x](y)";
    desk.write("duel.toml", &duel("").replace("\"Fire\"", &format!("\"{name}\"")));
    let table = |format| {
        stdout(&desk.evens(&[
            "run",
            "duel.toml",
            "-o",
            "-",
            "--table",
            "outcomes",
            "--format",
            format,
        ]))
    };
    let text = table("csv");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let cell = rows.records().next().unwrap().unwrap()[2].to_owned();
    assert_eq!(cell, format!("'{name}"));
    let markdown = table("markdown");
    assert!(
        !markdown.contains('<') && markdown.contains("=HYPERLINK(0)&lt;script>\\[x\\](y)"),
        "{markdown}"
    );
    let json: serde_json::Value = serde_json::from_str(&table("json")).unwrap();
    assert_eq!(json[0]["contender"], name);
}

/// In the prose of a summary, beside its tables, names are plain text, and a line break ends no quotation.
#[test]
fn summaries_hold_neither_html_nor_links() {
    let desk = Desk::new();
    let name = "<h1>x</h1><img src=http://a.b/c> [d](http://a.b)";
    let scenario = duel("").replace("\"Fire\"", &format!("\"{name}\""));
    let file = "my\n# own `x`.toml";
    desk.write(file, &scenario);
    desk.page(&["nightly", "--write", "--baseline", "base", file, "--quiet"]);
    desk.write(file, &scenario.replace("\"Pit Ogre\", ", ""));
    let output = desk.evens(&["nightly", "--baseline", "base", "--summary", "summary.md"]);
    assert_eq!(code(&output), 4, "{}", stderr(&output));
    let summary = desk.read("summary.md");
    assert!(summary.contains("Changed in its files: "), "{summary}");
    assert!(summary.contains("&lt;h1>x&lt;/h1>&lt;img src=http\\://a.b/c> \\[d\\](http\\://a.b)"));
    for raw in ["<h1>", "<img", "[d](", "http://", "\n# own"] {
        assert!(!summary.contains(raw), "{raw:?}: {summary}");
    }
    // Commands are shown as code, whatever they quote.
    let command = "`` evens nightly --baseline base --write $'my\\n# own `x`.toml' ``";
    assert!(summary.contains(command), "{summary}");
}

/// The runner of a CI job takes a line that begins with `::` for a command, and a terminal acts on what follows an
/// escape character.
#[test]
fn file_names_stay_in_their_lines() {
    let desk = Desk::new();
    let name = "x\n::error title=forged::made up\n\u{1b}[31m.toml";
    desk.write(name, &duel("")).write("broken\n::error::x", "a =");
    let page = "page\n::error::x\u{1b}[31m.html";
    let mut said = Vec::new();
    for (arguments, expected) in [
        (&["nightly", "--write", "--baseline", "base", name][..], 0),
        (&["nightly", "--baseline", "base", "--annotations", "github", "--seed", "5", name], 0),
        (&["nightly", "--baseline", "none", name], 3),
        (&["run", name, "--battles", "50", "--report", page], 0),
        (&["run", name, "--report", "none\n::error::x/\u{1b}[31m.html"], 1),
        (&["check", name], 0),
        (&["check", "broken\n::error::x", "none\n::error::x"], 3),
        (&["run", name, "--battles", "20000", "--progress", "json"], 0),
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        let (out, err) = (stdout(&output), stderr(&output));
        for text in [&out, &err] {
            assert!(!text.contains('\u{1b}'), "{arguments:?}: {text:?}");
            let is_forged = |line: &str| {
                line.trim_start().starts_with("::") && !line.starts_with("::notice title=Balance::")
            };
            assert!(!text.lines().any(is_forged), "{arguments:?}: {text}");
        }
        said.push(format!("{out}{err}"));
    }
    let shown = "x\\n::error title=forged::made up\\n\\u{1b}[31m.toml";
    assert!(said[0].contains(&format!("playing {shown}, 500 battles\n")), "{}", said[0]);
    assert!(said[5].contains(&format!("{shown}: ok\n")), "{}", said[5]);
    // Commands that are to be copied are quoted as a shell reads them.
    assert!(flat(&said[2]).contains("--write $'x\\n::error title=forged::made"), "{}", said[2]);
}

/// Card files cannot bring in names that scenarios refuse for their own cards.
#[test]
fn names_of_cards_stand_in_one_line() {
    let desk = Desk::new();
    let card = |id: u8, name: &str| {
        format!(
            "{{\"id\":{id},\"name\":\"{name}\",\"color\":\"Red\",\"type\":\"Monster\",\"rarity\":4,\"stats\":\
             {{\"mana\":3,\"attack\":1,\"armor\":0,\"health\":2,\"speed\":2,\"ranged\":0,\"magic\":0,\"abilities\":[]}}}}"
        )
    };
    let file = format!("[{},{}]", card(1, "Imp"), card(2, "Og\\nre\\u001b[2J"));
    desk.write("cards.json", &file);
    let output = desk.evens(&["import", "splinterlands", "cards.json", "-o", "cards.csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("left out Og\\nre\\u{1b}[2J: a name stands in one line"), "{said}");
    let catalogue = desk.read("cards.csv");
    assert!(catalogue.contains("Imp") && !catalogue.contains("re\u{1b}"), "{catalogue}");
    desk.write("cards.csv", &catalogue.replace("Imp", "\"I\nmp\""));
    desk.write("my.toml", &duel("cards = \"cards.csv\""));
    let output = desk.evens(&["check", "my.toml"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("`I\\nmp` cannot be a name"), "{}", stderr(&output));
}

/// A line of a page may begin with a name, which the runner of a CI job must not take for a command.
#[test]
fn names_on_pages_are_no_commands_to_runners() {
    let desk = Desk::new();
    let text =
        duel("").replace("\"Fire\"", "\"::error::x\"").replace("\"Water\"", "\"::warning::y\"");
    desk.write("duel.toml", &text);
    for command in [
        &["run", "duel.toml"][..],
        &["run", "duel.toml", "--full"],
        &["exact", "duel.toml", "--ways", "10"],
    ] {
        let page = desk.page(command);
        assert!(page.contains("::error::x"), "{page}");
        assert!(page.lines().all(|line| !line.trim_start().starts_with("::")), "{page}");
    }
}

/// A player that looks beyond a battle does not play cards that the battle has made it discard.
#[test]
fn a_battle_that_discards_breaks_nobody_who_looks_ahead() {
    let desk = Desk::new();
    let deck = |name: &str, policy: &str| {
        format!(
            "[[decks]]\nname = \"{name}\"\npolicy = \"{policy}\"\n[decks.cards]\n\"Booby Trap\" = 3\n\"Fell Walker\" = 3\n\
             \"Vengeful Spirit\" = 3\n\"Crypt Conjurer\" = 3\n\"Cull the Weak\" = 3\n\"Grimgaunt Devourer\" = 3\n\
             \"Grimgaunt Doomrider\" = 3\n\"Grimgaunt Predator\" = 3\n\"Tarsus Deathweaver\" = 3\n\"Death Seeker\" = 3\n"
        )
    };
    let cards = "game = \"solforge\"\nseed = 1\nbattles = 40\n[sides]\na = [\"One\"]\nb = [\"Two\"]\n\
                 [[cards]]\nname = \"Booby Trap\"\nfaction = \"nekrium\"\nattack = [3, 5, 9]\nhealth = [2, 4, 6]\n\
                 [[cards.abilities]]\nwhen = \"vengeance\"\ndo = [{ discard_down_to = { who = \"opponent\", amount = 1 } }]\n";
    for [one, two] in [["greedy", "greedy"], ["thoughtful", "random"]] {
        desk.write("traps.toml", &[cards, &deck("One", one), &deck("Two", two)].concat());
        let output = desk.evens(&["run", "traps.toml", "-q"]);
        assert_eq!(code(&output), 0, "{one}, {two}: {}", stderr(&output));
    }
}
