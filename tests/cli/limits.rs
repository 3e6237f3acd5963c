//! What is too large to be meant, or to be played, is refused or reported at once.

use std::time::{Duration, Instant};

use super::{Desk, code, duel, flat, stderr, stdout};

impl Desk {
    /// Runs the program, which must end soon, in few words and with this exit code; returns the error message as one
    /// line.
    pub(super) fn soon(&self, arguments: &[&str], expected: i32) -> String {
        let began = Instant::now();
        let output = self.evens(arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", stderr(&output));
        // Enough for a debug build on a busy machine; a release build takes a tenth of it.
        assert!(began.elapsed() < Duration::from_secs(60), "{arguments:?}: {:?}", began.elapsed());
        assert!(output.stderr.len() < 300_000, "{arguments:?}: {} bytes", output.stderr.len());
        flat(&stderr(&output))
    }
}

#[test]
fn faults_beyond_number_are_counted() {
    let desk = Desk::new();
    let head = "game = \"splinterlands\"\nbattles = 1\n";
    let keys: String = (0..9_000).map(|key| format!("k{key} = 1\n")).collect();
    let long = "k".repeat(1_000_000);
    for (name, text) in [
        ("words", "a\n".repeat(100_000)),
        ("lists", "[".repeat(300_000)),
        ("open", format!("a = {}", "[".repeat(300_000))),
        ("tables", "a = {".repeat(50_000)),
        ("lines", format!("\"{}", "x\n".repeat(100_000))),
        ("keys", format!("{head}{keys}")),
        ("key", format!("{head}{long} = 1\n")),
        ("text", format!("{head}question = {long}\n")),
        ("teams", format!("{head}{}", "[[teams]]\n".repeat(9_000))),
        ("most", format!("{head}{}", "[[teams]]\n".repeat(16_000))),
    ] {
        let file = format!("{name}.toml");
        desk.write(&file, &text);
        let told = desk.soon(&["check", &file], 3);
        match name {
            "keys" => {
                assert!(told.contains("has 9,001 faults, of which 100 are shown"), "{}", told)
            }
            "most" => {
                assert!(told.contains("16000 entries") && told.contains("at most 10000"), "{told}")
            }
            _ => {}
        }
    }
}

#[test]
fn files_beyond_size_and_files_that_are_none() {
    let desk = Desk::new();
    let file = std::fs::File::create(desk.path().join("large.toml")).unwrap();
    file.set_len(65 << 20).unwrap();
    std::fs::copy(desk.path().join("large.toml"), desk.path().join("large.json")).unwrap();
    for command in [
        &["check", "large.toml"][..],
        &["import", "splinterlands", "large.toml"],
        &["replay", "large.toml"],
        &["compare", "large.json", "large.json"],
    ] {
        let told = desk.soon(command, 3);
        assert!(told.contains("larger than 64 MB, the most that is read"), "{told}");
        assert!(told.contains("take out of it what is not needed"), "{told}");
    }

    std::fs::create_dir(desk.path().join("folder.json")).unwrap();
    assert!(desk.soon(&["import", "splinterlands", "folder.json"], 3).contains("it is a folder"));
    assert!(desk.soon(&["import", "splinterlands", "none.json"], 3).contains("cannot read"));
    for command in
        [&["score", "none.json"][..], &["replay", "none.json"], &["compare", "a.json", "b.json"]]
    {
        desk.soon(command, 3);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_writes_to_does_not_block() {
    let desk = Desk::new();
    let made = std::process::Command::new("mkfifo").arg(desk.path().join("pipe")).status();
    assert!(made.unwrap().success());
    desk.write("cards.toml", &duel("cards = \"pipe\""));
    for command in [
        &["check", "pipe"][..],
        &["run", "cards.toml"],
        &["import", "splinterlands", "pipe"],
        &["score", "pipe"],
        &["check", "/dev/zero"],
    ] {
        assert!(desk.soon(command, 3).contains("a pipe or a device"), "{command:?}");
    }
    // A file that a shell has opened is read.
    desk.write("duel.toml", &duel(""));
    let binary = crate::program();
    let line = format!("'{}' check <(cat duel.toml)", binary.display());
    let output = std::process::Command::new("bash")
        .args(["-c", &line])
        .current_dir(desk.path())
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// A list of names may be a file that a shell has opened.
#[cfg(unix)]
#[test]
fn candidates_are_read_from_what_a_shell_has_opened() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let binary = crate::program();
    let best = |candidates: &str| {
        let line = format!(
            "'{}' best duel.toml --battles 400 --candidates {candidates}",
            binary.display()
        );
        let mut bash = assert_cmd::Command::new("bash");
        bash.current_dir(desk.path()).args(["-c", &line]).timeout(Duration::from_secs(60));
        bash.output().unwrap()
    };
    let names = "Malric Inferno\\nPit Ogre\\nFire Beetle\\nGiant Roc\\n";
    let output = best(&format!("<(printf '{names}')"));
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = best("pipe; mkfifo pipe; exit 3");
    assert!(flat(&stderr(&output)).contains("there is no such file either"));
    let output = best("pipe");
    assert!(flat(&stderr(&output)).contains("a pipe or a device"), "{}", stderr(&output));
}

/// A round robin of this many teams.
pub(super) fn round_robin(teams: usize) -> String {
    let names: Vec<String> = (0..teams).map(|team| format!("\"T{team}\"")).collect();
    let team = |name: &String| {
        format!(
            "[[teams]]\nname = {name}\nsummoner = \"Malric Inferno\"\nmonsters = [\"Pit Ogre\"]\n"
        )
    };
    let all: String = names.iter().map(team).collect();
    let names = names.join(", ");
    format!(
        "game = \"splinterlands\"\nbattles = 20_000\nillegal_teams = \"lose\"\n{all}[sides]\na = [{names}]\nb = [{names}]\n"
    )
}

#[test]
fn too_many_matchups_are_named_with_their_number() {
    let desk = Desk::new();
    desk.write("many.toml", &round_robin(500));
    let told = desk.soon(&["check", "many.toml"], 3);
    assert!(told.contains("250,000 match-ups") && told.contains("at most 20,000"), "{told}");
    desk.write("few.toml", &round_robin(100));
    desk.soon(&["check", "few.toml"], 0);

    let names: Vec<String> = (0..2_048).map(|name| format!("\"N{name}\"")).collect();
    let names = names.join(", ");
    let sides: String = "abcdef".chars().map(|side| format!("{side} = [{names}]\n")).collect();
    desk.write("seats.toml", &format!("game = \"eldertale\"\nbattles = 10\n[sides]\n{sides}"));
    desk.soon(&["check", "seats.toml"], 3);
    let character =
        |name: usize| format!("[[characters]]\nname = \"N{name}\"\nclass = \"assassin\"\n");
    let characters: String = (0..2_048).map(character).collect();
    desk.write(
        "seated.toml",
        &format!("game = \"eldertale\"\nbattles = 10\n[sides]\n{sides}{characters}"),
    );
    desk.soon(&["check", "seated.toml"], 3);
}

#[test]
fn too_many_cards_are_a_fault() {
    let desk = Desk::new();
    let stats =
        "{\"mana\":3,\"attack\":1,\"ranged\":0,\"magic\":0,\"armor\":0,\"health\":0,\"speed\":0}";
    let card = |id: u32| {
        format!(
            "{{\"id\":{id},\"name\":\"L{id}\",\"color\":\"Red\",\"type\":\"Summoner\",\"rarity\":4,\"stats\":{stats}}}"
        )
    };
    let cards: Vec<String> = (0..65_537).map(card).collect();
    desk.write("cards.json", &format!("[{}]", cards.join(",")));
    let told = desk.soon(&["import", "splinterlands", "cards.json", "-o", "cards.csv"], 3);
    assert!(told.contains("65537 cards or more") && told.contains("at most 10000"), "{told}");
    assert_eq!(desk.files("."), ["cards.json"]);

    let row = |id: u32| format!("L{id},{id},Fire,Summoner,Epic,3,,1,0,0,0,0,0,\n");
    let rows: String = (0..65_537).map(row).collect();
    let head =
        "name,id,faction,type,rarity,mana,level,melee,ranged,magic,armor,health,speed,abilities\n";
    desk.write("cards.csv", &format!("{head}{rows}"))
        .write("own.toml", &duel("cards = \"cards.csv\""));
    assert!(desk.soon(&["check", "own.toml"], 3).contains("10001 cards or more"));
}

#[test]
fn more_threads_than_there_can_be() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for threads in ["3000", "100000", "18446744073709551615"] {
        let told = desk.soon(&["run", "duel.toml", "--threads", threads], 2);
        assert!(told.contains("from 0 to 1024"), "{told}");
    }
}

/// Where there is no room for the stacks of a thousand threads, two megabytes each, fewer threads give the same
/// results.
#[cfg(target_os = "linux")]
#[test]
fn fewer_threads_than_were_asked_for_give_the_same() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let one = stdout(&desk.evens(&["run", "duel.toml", "--threads", "1"]));
    let binary = crate::program();
    let line = format!("ulimit -v 2100000; '{}' run duel.toml --threads 1024", binary.display());
    let output = std::process::Command::new("bash")
        .args(["-c", &line])
        .current_dir(desk.path())
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), one);
}

/// A round robin with millions of strata, most of which have no battle, fits into memory. Dense counts took four
/// gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn a_round_robin_of_a_hundred_teams_fits_into_memory() {
    let desk = Desk::new();
    desk.write("few.toml", &round_robin(100));
    let binary = crate::program();
    let line = format!(
        "ulimit -v 900000; '{}' run few.toml -q --battles 2000 --threads 2 -o results --format csv --table outcomes",
        binary.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &line])
        .current_dir(desk.path())
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(desk.read("results/outcomes.csv").lines().count(), 1 + 20_000);
    assert!(!stderr(&output).contains("GB of memory"));

    // A run that would take much more memory says so before it is played.
    let long =
        ["run", "few.toml", "--table", "outcomes", "--battles", "100000000000", "--threads", "2"];
    let (exit, told) = desk.interrupted(&long, "TERM");
    assert_eq!(exit, 5, "{told}");
    assert!(told.contains("10,000 match-ups") && told.contains("GB of memory"), "{told}");
}

/// `effects` counts every side of every match-up under every ruleset and every pair of rulesets, and says what memory
/// that takes.
#[test]
fn effects_of_many_match_ups_say_what_memory_they_take() {
    let desk = Desk::new();
    desk.write("few.toml", &round_robin(50));
    // Battles that wait to be summed up take most of it, so that few battles take less.
    let long = ["effects", "few.toml", "--battles", "1000000", "--threads", "1"];
    let (exit, told) = desk.interrupted(&long, "TERM");
    assert_eq!(exit, 5, "{told}");
    assert!(told.contains("2,500 match-ups") && told.contains("GB of memory"), "{told}");
    let effects = ["effects", "few.toml", "--battles", "1", "--threads", "1"];
    let output = desk.evens(&[&effects[..], &["-q"]].concat());
    assert!(!stderr(&output).contains("GB of memory"));
}

/// The experiment on an order counts every match-up under every condition that it meets, and says in the same words what
/// memory that takes.
#[test]
fn an_order_that_is_forced_in_many_match_ups_says_what_memory_it_takes() {
    let desk = Desk::new();
    desk.write("few.toml", &round_robin(50));
    let order = ["effects", "few.toml", "--order", "first-turn", "--threads", "1", "--battles"];
    let output = desk.evens(&[&order[..], &["1000"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(!stderr(&output).contains("GB of memory"), "few battles meet few conditions");
    let (exit, told) = desk.interrupted(&[&order[..], &["100000000000"]].concat(), "TERM");
    assert_eq!(exit, 5, "{told}");
    assert!(told.contains("2,500 match-ups") && told.contains("GB of memory"), "{told}");
}

/// A line break in a name is refused, and other characters that break lines are shown escaped.
#[test]
fn names_break_no_lines() {
    let desk = Desk::new();
    let text = "game = \"sanctum\"\nbattles = 90\nsides = { a = [\"As\\nh\"], b = [\"Bog\"] }\n\
        minions = [{ name = \"As\\nh\", hand = 6, hit_points = 14 }]\n\
        groups = [{ name = \"As\\nh\", minions = [\"As\\nh\"] }, { name = \"Bog\", minions = [\"As\\nh\"] }]\n";
    desk.write("my.toml", text);
    let refused = desk.evens(&["run", "my.toml", "--full"]);
    assert_eq!(code(&refused), 3, "a line break in a name");
    assert!(stderr(&refused).contains("`As\\nh` cannot be a name"), "{}", stderr(&refused));
    // A character that breaks lines in a browser without being a control character is shown escaped.
    desk.write("my.toml", &text.replace("\\n", "\\u2028"));
    let page = desk.page(&["run", "my.toml", "--full"]);
    assert!(page.contains("As\\u{2028}h"), "{page}");
    assert!(page.lines().all(|line| !line.starts_with('h')), "{page}");
}

/// Weights whose sum is no number, or beside which others vanish, are refused before anything is played.
#[test]
fn weights_have_bounds() {
    let desk = Desk::new();
    for weight in ["1e308", "1e-12"] {
        let set = format!("rulesets.weights.Earthquake={weight}");
        let output =
            desk.evens(&["sweep", "splinterlands/archetypes", "--set", &set, "--battles", "100"]);
        assert_eq!(code(&output), 3, "{}", stdout(&output));
        assert!(stderr(&output).contains("all others are from"), "{}", stderr(&output));
    }
    // Such weights are printed in scientific notation: nobody counts three hundred zeros.
    let desk = Desk::new();
    let weights = "weights = { Standard = 1e308, Equalizer = 5e-324 }";
    desk.write("duel.toml", &duel("").replace("fixed = [\"Standard\"]", weights));
    let told = desk.soon(&["check", "duel.toml"], 3);
    assert!(told.contains("`Standard` cannot have the weight 1e308"), "{told}");
    assert!(told.contains("`Equalizer` cannot have the weight 5e-324"), "{told}");
}

/// An empty list of all that is allowed does not mean that everything is allowed.
#[test]
fn empty_lists_restrict_nothing_to_everything() {
    let desk = Desk::new();
    let pool = |key: &str| {
        format!(
            "game = \"splinterlands\"\nbattles = 9\nillegal_teams = \"lose\"\n\
             pools = [{{ name = \"All\", {key} = [] }}]\nsides = {{ a = [\"All\"], b = [\"All\"] }}\n"
        )
    };
    let decks = |key: &str| {
        format!(
            "game = \"solforge\"\nbattles = 9\npools = [{{ name = \"All\", {key} = [] }}]\n\
             sides = {{ a = [\"All\"], b = [\"All\"] }}\n"
        )
    };
    let group = |spell: &str| {
        format!(
            "game = \"sanctum\"\nbattles = 9\nsides = {{ a = [\"Ash\"], b = [\"Bog\"] }}\n\
             minions = [{{ name = \"Imp\", hand = 6, hit_points = 14 }}]\nspells = [{spell}]\n\
             groups = [{{ name = \"Ash\", minions = [\"Imp + Web\"] }}, {{ name = \"Bog\", minions = [\"Imp\"] }}]\n"
        )
    };
    let drawn = |key: &str| duel("").replace("fixed = [\"Standard\"]", &format!("{key} = []"));
    let effect = "{ when = \"hit\", do = \"damage\", to = \"target\", amount = 1, only = [] }";
    for (key, scenario) in [
        ("only", drawn("only")),
        ("fixed", drawn("fixed")),
        ("factions", pool("factions")),
        ("summoners", pool("summoners")),
        ("monsters", pool("monsters")),
        ("factions", decks("factions")),
        ("cards", decks("cards")),
        ("on", group("{ name = \"Web\", on = [], armor = 1 }")),
        ("only", group(&format!("{{ name = \"Web\", effects = [{effect}] }}"))),
    ] {
        desk.write("my.toml", &scenario);
        let told = stderr(&desk.evens(&["check", "my.toml"]));
        assert!(told.contains("needs at least 1 entry"), "{key}: {told}");
        assert!(told.contains(&format!("{key} = []")), "{key}: its line is shown: {told}");
        assert!(told.contains("leave it out, or name some"), "{key}: {told}");
        assert_eq!(code(&desk.evens(&["check", "my.toml"])), 3, "{key}");
    }
}

/// Editors of Windows begin files with a byte order mark, which is not part of the text.
#[test]
fn files_may_begin_with_a_byte_order_mark() {
    let desk = Desk::new();
    desk.write("duel.toml", &format!("\u{feff}{}", duel("")));
    desk.page(&["nightly", "--write", "--baseline", "base", "duel.toml", "--quiet"]);
    let baseline = "base/splinterlands-duel.json";
    desk.write(baseline, &format!("\u{feff}{}", desk.read(baseline)));
    desk.page(&["compare", baseline, baseline]);
    desk.write("cards.json", "\u{feff}[]");
    let told = desk.soon(&["import", "splinterlands", "cards.json"], 3);
    assert!(told.contains("there is no card in it"), "{told}");
}

/// An error about JSON of the wrong shape contains no names from our code.
#[test]
fn what_json_should_be_is_said_in_words() {
    let desk = Desk::new();
    desk.write("list.json", "[]").write("one.json", "[1]").write("object.json", "{}");
    for (command, expected) in [
        (&["replay", "one.json"][..], "expected a battle, in braces"),
        (&["score", "one.json"], "expected a battle, in braces"),
        (&["compare", "list.json", "list.json"], "expected a baseline, in braces"),
        (&["import", "splinterlands", "object.json"], "this is no list of cards"),
    ] {
        let told = desk.soon(command, 3);
        assert!(told.contains(expected) && !told.contains("struct "), "{command:?}: {told}");
    }
}

#[test]
fn a_file_without_a_name_is_told_as_such() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("cards = \"\""));
    let told = desk.soon(&["check", "duel.toml"], 3);
    assert!(told.contains("the name of a file is empty"), "{told}");
    assert!(told.contains("or leave the key out"), "{told}");
}

/// A number means the same in every base: to changes, which add to it, and to the bounds that it must keep.
#[test]
fn numbers_in_other_bases_are_the_same_numbers() {
    let desk = Desk::new();
    let told = |hit_points: &str, change: &str| {
        let text = format!(
            "game = \"sanctum\"\nbattles = 1\nsides = {{ a = [\"H\"], b = [\"H\"] }}\n\
             [changes.Hound]\nhit_points = \"{change}\"\n[[minions]]\nname = \"Hound\"\nhand = 3\n\
             hit_points = {hit_points}\n[[groups]]\nname = \"H\"\nminions = [\"Hound\"]\n"
        );
        desk.write("one.toml", &text);
        let output = desk.evens(&["trace", "one.toml", "--battle", "0"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let decimal = told("16", "+1");
    for other in ["0x10", "0o20", "0b1_0000", "1_6"] {
        assert_eq!(told(other, "+1"), decimal, "{other}");
    }
    assert_eq!(told("0x1F", "-1"), told("31", "-1"));
    let head = "game = \"splinterlands\"\nbattles = 1\nsides = { a = [\"All\"], b = [\"All\"] }\n\
                pools = [{ name = \"All\" }]\n[rulesets]\n";
    desk.write("odds.toml", &format!("{head}two = 0xFF\n"));
    let output = desk.evens(&["check", "odds.toml"]);
    assert_eq!(code(&output), 3);
    assert!(flat(&stderr(&output)).contains("between 0 and 100"), "{}", stderr(&output));
}
