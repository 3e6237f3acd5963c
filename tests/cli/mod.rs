//! The real binary, from end to end.

mod best;
mod brought;
mod cards;
mod chosen;
mod counts;
mod effects;
mod exact;
mod first_faults;
mod folders;
mod forfeits;
mod history;
mod hostile;
mod identity;
mod kind;
mod limits;
mod missing;
mod nightly;
mod outputs;
mod outside;
mod pairs;
mod patch;
mod plan;
mod plays;
mod referred;
mod repeated;
mod replaced;
mod replay;
mod report;
mod score;
mod seats;
mod shards;
mod signals;
mod stories;
mod streams;
mod suggested;
mod survive;
mod sweep;
mod tables;
mod terminal;
mod tune;
mod usage;
mod viewer;
mod worth;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// A temporary folder for one test, and the commands that run in it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.path().join(name), text).unwrap();
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a line in a shell, where `evens` is the program and redirections work.
    #[cfg(target_os = "linux")]
    fn shell(&self, line: &str) -> Output {
        let binary = crate::program();
        let line = format!("evens() {{ '{}' \"$@\"; }}; {line}", binary.display());
        std::process::Command::new("bash")
            .args(["-c", &line])
            .current_dir(self.path())
            .env("COLUMNS", "80")
            .output()
            .unwrap()
    }

    fn evens(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(crate::program());
        command.current_dir(self.path()).env("COLUMNS", "80").env_remove("EVENS_THREADS");
        command.args(arguments).output().unwrap()
    }

    /// Runs a command that must succeed, and returns the page that it prints.
    fn page(&self, arguments: &[&str]) -> String {
        let output = self.evens(arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Waits until a program that would play on for ever is playing its battles: no such program needs this much processor
/// time to read what it plays, however busy the machine is.
#[cfg(unix)]
fn until_it_plays(child: &std::process::Child) {
    until_it_has_worked(child, std::time::Duration::from_millis(700));
}

/// Waits until a program has used this much processor time, but no longer than a minute.
#[cfg(target_os = "linux")]
fn until_it_has_worked(child: &std::process::Child, time: std::time::Duration) {
    // The kernel gives user and system time in hundredths of a second, after the program's name in parentheses.
    let worked = || {
        let path = format!("/proc/{}/stat", child.id());
        let stat = fs::read_to_string(path).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
        std::time::Duration::from_millis(10 * ticks.sum::<u64>())
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while worked() < time && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn until_it_has_worked(_: &std::process::Child, time: std::time::Duration) {
    std::thread::sleep(2 * time);
}

/// Sends a signal to a running program.
#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args([&format!("-{name}"), &child.id().to_string()]).status().unwrap().success());
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A text as one line, without the line breaks and the vertical rules that a terminal's width makes.
fn flat(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "│");
    words.collect::<Vec<_>>().join(" ")
}

/// The rows of a CSV table, with each cell by its column. Cells with commas are not supported: tests look at none.
fn rows(table: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = table.lines().map(|line| line.split(','));
    let head: Vec<&str> = lines.next().unwrap().collect();
    lines.map(|cells| head.iter().copied().zip(cells).collect()).collect()
}

/// A duel of two small teams; `extra` comes before the first TOML table.
fn duel(extra: &str) -> String {
    format!(
        "game = \"splinterlands\"\nbattles = 500\nleague = \"silver\"\n{extra}\n\
         [rulesets]\nfixed = [\"Standard\"]\n\
         [[teams]]\nname = \"Fire\"\nsummoner = \"Malric Inferno\"\n\
         monsters = [\"Pit Ogre\", \"Fire Beetle\"]\n\
         [[teams]]\nname = \"Water\"\nsummoner = \"Alric Stormbringer\"\n\
         monsters = [\"Medusa\", \"Sea Genie\"]\n\
         [sides]\na = [\"Fire\"]\nb = [\"Water\"]\n"
    )
}

#[test]
fn help_of_every_command() {
    let desk = Desk::new();
    let commands = evens::cli::command();
    let names = commands.get_subcommands().map(|command| command.get_name().to_owned());
    for name in names.chain([String::new()]) {
        let arguments: Vec<&str> = name.split_whitespace().chain(["--help"]).collect();
        let output = desk.evens(&arguments);
        assert_eq!(code(&output), 0);
        let help = stdout(&output);
        let examples = help.lines().skip_while(|line| *line != "Examples:").skip(1);
        let mut goes_on = false;
        for line in examples.take_while(|line| !line.is_empty()) {
            assert!(goes_on || line.starts_with("  evens "), "to be pasted as it is: {line}");
            goes_on = line.ends_with('\\');
        }
        insta::assert_snapshot!(format!("help_{name}"), help);
    }
    evens::cli::command().debug_assert();
}

#[test]
fn a_run_prints_a_summary_and_writes_nothing_unasked() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.evens(&["run", "duel.toml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    insta::assert_snapshot!("summary", stdout(&output));
    assert_eq!(desk.files("."), ["duel.toml"]);
    assert!(!stdout(&output).contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn a_run_writes_its_tables_in_every_format() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for (format, ending) in [("csv", "csv"), ("json", "json"), ("markdown", "md")] {
        let output = desk.evens(&["run", "duel.toml", "-o", format, "--format", format]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let tables = ["orders", "outcomes", "rulesets", "units"];
        let mut expected: Vec<String> =
            tables.iter().map(|table| format!("{table}.{ending}")).collect();
        expected.extend(["provenance.json", "report.json"].map(str::to_owned));
        expected.sort();
        assert_eq!(desk.files(format), expected);
    }
    insta::assert_snapshot!("outcomes_csv", desk.read("csv/outcomes.csv"));
    insta::assert_snapshot!("provenance", desk.read("csv/provenance.json"));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_the_usual_format() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.evens(&["run", "duel.toml", "-o", "results", "--table", "battles"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(desk.files("results"), ["battles.parquet", "provenance.json", "report.json"]);
    let bytes = fs::read(desk.path().join("results/battles.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let desk = Desk::new();
    let run = |threads: &str, folder: &str| {
        let output = desk.evens(&[
            "run",
            "splinterlands/drawn-teams",
            "--battles",
            "3000",
            "--threads",
            threads,
            "-o",
            folder,
            "--format",
            "csv",
            "--table",
            "battles",
            "--table",
            "outcomes",
            "--table",
            "units",
            "--table",
            "orders",
            "--table",
            "rulesets",
            "--table",
            "units_by_ruleset",
            "--table",
            "unit_pairs",
            "--table",
            "unit_pairs_by_ruleset",
        ]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    let summary = run("1", "one");
    for threads in ["2", "3", "16"] {
        assert_eq!(run(threads, threads), summary);
        assert_eq!(desk.files("one"), desk.files(threads));
        for file in desk.files("one") {
            let read = |folder: &str| desk.read(&format!("{folder}/{file}"));
            assert!(read("one") == read(threads), "{file} on {threads} threads");
        }
    }
}

#[test]
fn one_table_on_standard_output() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.evens(&["run", "duel.toml", "--table", "battles", "-o", "-"]);
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 501);
    assert!(
        text.lines()
            .nth(1)
            .unwrap()
            .contains(r#",Malric Inferno,4,"[""Pit Ogre"",""Fire Beetle""]","[4,5]","#)
    );
    let two = desk.evens(&["run", "duel.toml", "-o", "-"]);
    assert_eq!(code(&two), 2);
    assert!(stderr(&two).contains("--table"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let desk = Desk::new();
    let binary = crate::program();
    let run = format!(
        "'{}' run splinterlands/mirror --battles 50000 --table battles -o - | head -n 1; echo ${{PIPESTATUS[0]}}",
        binary.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &run])
        .current_dir(desk.path())
        .output()
        .unwrap();
    let text = stdout(&output);
    assert_eq!(text.lines().last(), Some("0"), "{}", stderr(&output));
    assert!(text.starts_with("battle") || text.starts_with("index"), "{text}");
}

const FAULTY: &str = r#"game = "splinterlands"
battles = 0
leage = "silver"
mana_caps = [3, "thirty"]

[rulesets]
redraw = "both"
"#;

const WRONG: &str = r#"game = "splinterlands"
battles = 10
mana_caps = [2, 30]
league = "bronze"

[rulesets]
exclude = ["Earthqake"]
weights = { "Even Steven" = 1, Standard = -1 }

[[teams]]
name = "One"
summoner = "Malric Inferno@9"
monsters = ["Pit Ogre", "Pit Orge", "Sea Genie", "Fire Beetle@11"]

[[pools]]
name = "One"
factions = ["Fyre"]
weights = { "Fire Betle" = 2 }

[sides]
a = ["One"]
b = ["Two"]
"#;

#[test]
fn every_fault_is_reported_at_once_with_its_place_and_a_remedy() {
    let desk = Desk::new();
    desk.write("faulty.toml", FAULTY).write("wrong.toml", WRONG).write("good.toml", &duel(""));
    desk.write("broken.toml", "game = \"splinterlands\nbattles = = 3\n");
    desk.write("stranger.toml", "game = \"splinterland\"\nbattles = 3\n");
    for name in ["faulty", "wrong", "broken", "stranger"] {
        let output = desk.evens(&["check", &format!("{name}.toml")]);
        assert_eq!(code(&output), 3);
        insta::assert_snapshot!(format!("faults_{name}"), stderr(&output));
    }
    let all = desk.evens(&["check", "good.toml", "faulty.toml", "wrong.toml"]);
    assert_eq!((code(&all), stdout(&all).as_str()), (3, "good.toml: ok\n"));
    let missing = desk.evens(&["check", "splinterlands/miror"]);
    assert_eq!(code(&missing), 3);
    assert!(stderr(&missing).contains("splinterlands/mirror"), "{}", stderr(&missing));
}

#[test]
fn faults_in_a_pool_and_in_a_catalogue() {
    let desk = Desk::new();
    let head = "game = \"splinterlands\"\nbattles = 10\n";
    desk.write(
        "pool.toml",
        &format!(
            "{head}[rulesets]\nfixed = [\"Lost Magic\"]\n[[pools]]\nname = \"P\"\n\
             monsters = [\"Sea Genie\"]\n[sides]\na = [\"P\"]\nb = [\"P\"]\n"
        ),
    );
    desk.write(
        "cards.csv",
        "name,id,faction,type,rarity,mana,level,melee,ranged,magic,armor,health,speed,abilities\n\
         Imp,1,Fire,Monster,Common,3,1,1,0,0,0,2,2,Flyng\n\
         Imp,1,Fire,Monster,Common,3,3,x,0,0,0,2,2,\n\
         Ogre,2,Fyre,Monster,Common,3,1,1,0,0,0,0,2,\n",
    );
    desk.write(
        "cards.toml",
        &format!("{head}cards = \"cards.csv\"\n[sides]\na = [\"P\"]\nb = [\"P\"]\n"),
    );
    for name in ["pool", "cards"] {
        let output = desk.evens(&["check", &format!("{name}.toml")]);
        assert_eq!(code(&output), 3);
        insta::assert_snapshot!(format!("faults_{name}"), stderr(&output));
    }
}

#[test]
fn all_zero_weights_and_weights_that_are_no_numbers() {
    let desk = Desk::new();
    let with = |rulesets: &str| duel("").replace("fixed = [\"Standard\"]", rulesets);
    desk.write("zero.toml", &with("weights = { Standard = nan, Earthquake = inf }"));
    let output = desk.evens(&["check", "zero.toml"]);
    assert_eq!(code(&output), 3);
    assert_eq!(stderr(&output).matches("not a finite number").count(), 2);
    let names: Vec<String> = {
        use evens::games::splinterlands::{edition::Edition, ruleset::Ruleset};
        use strum::IntoEnumIterator;
        let of_the_guide = Ruleset::iter().filter(|ruleset| ruleset.edition() == Edition::Guide);
        of_the_guide.map(|ruleset| format!("\"{ruleset}\"")).collect()
    };
    desk.write("none.toml", &with(&format!("exclude = [{}]", names.join(", "))));
    let output = desk.evens(&["check", "none.toml"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("all weights are zero"));
}

#[test]
fn a_fault_leaves_existing_results_as_they_are() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let run = ["run", "duel.toml", "-o", "results", "--format", "csv"];
    assert_eq!(code(&desk.evens(&run)), 0);
    let before = desk.read("results/outcomes.csv");
    desk.write("duel.toml", &duel("mana_caps = [3]"));
    assert_eq!(code(&desk.evens(&run)), 3);
    assert_eq!(desk.read("results/outcomes.csv"), before);
    assert_eq!(desk.files("results").len(), 6);
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    let desk = Desk::new();
    for arguments in [
        &["run"][..],
        &["fly"],
        &["run", "splinterlands/mirror", "--battles", "0"],
        &["run", "splinterlands/mirror", "--format", "csv"],
        &["list", "dragons"],
        &["schema", "chess"],
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn an_output_that_cannot_be_written_fails_before_the_run() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel("")).write("results", "a file, not a folder");
    let output = desk.evens(&["run", "duel.toml", "--battles", "100000000", "-o", "results"]);
    assert_eq!(code(&output), 2);
    assert_eq!(desk.read("results"), "a file, not a folder");
}

#[test]
fn a_trace_tells_the_battle_that_the_table_has() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let table = stdout(&desk.evens(&["run", "duel.toml", "--table", "battles", "-o", "-"]));
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let headers = rows.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (seed, winner, rounds) = (column("battle_seed"), column("winner"), column("rounds"));
    for (battle, row) in rows.records().take(20).enumerate() {
        let row = row.unwrap();
        let story = stdout(&desk.evens(&["trace", "duel.toml", "--battle", &battle.to_string()]));
        assert!(story.contains(&format!("Seed {} ", &row[seed])));
        let end = match &row[winner] {
            "draw" => "a draw".to_owned(),
            side => format!("side {side} wins"),
        };
        assert!(story.contains(&format!("The end: {end} after {} round", &row[rounds])), "{story}");
    }
    insta::assert_snapshot!("trace", stdout(&desk.evens(&["trace", "duel.toml", "--battle", "3"])));
    let json = stdout(&desk.evens(&["trace", "duel.toml", "--battle", "3", "--json"]));
    for line in json.lines() {
        let fact: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(fact["event"].is_string());
    }
}

#[test]
fn lists() {
    let desk = Desk::new();
    for (name, arguments) in [
        ("games", &["list", "games"][..]),
        ("scenarios", &["list", "scenarios", "splinterlands"]),
        ("rulesets", &["list", "rulesets"]),
        ("abilities", &["list", "abilities"]),
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        insta::assert_snapshot!(format!("list_{name}"), stdout(&output));
    }
    let cards = stdout(&desk.evens(&["list", "cards", "splinterlands", "--format", "csv"]));
    assert_eq!(cards.lines().count(), 1 + 239);
    let odds = ["list", "rulesets", "--odds", "splinterlands/drawn-teams", "--format", "csv"];
    let odds = stdout(&desk.evens(&odds));
    assert!(odds.contains("ruleset,Standard,5.61"), "{odds}");
    assert_eq!(odds.lines().count(), 1 + 27 + 27 + 242);
}

#[test]
fn committed_schemas_are_fresh() {
    let desk = Desk::new();
    for game in evens::engine::names() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenarios/schema/{game}.json"));
        let fresh = stdout(&desk.evens(&["schema", game]));
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(&path, &fresh).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == fresh, "stale schema: UPDATE_SCHEMAS=1 cargo test writes it anew");
    }
}

#[test]
fn every_bundled_scenario_passes_its_checks_and_says_its_question_first() {
    for name in evens::scenario::bundled::names() {
        let output = Desk::new().evens(&["check", &name]);
        assert_eq!(code(&output), 0, "{name}: {}", stderr(&output));
        let (text, _) = evens::scenario::bundled::find(&name).unwrap();
        let first = text.lines().find(|line| !line.starts_with("#:")).unwrap();
        assert!(first.starts_with("# ") && text.contains("question = "), "{name}");
    }
}

#[test]
fn the_scenario_in_the_readme_can_be_played() {
    let readme = include_str!("../../README.md");
    let scenario = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let desk = Desk::new();
    desk.write("readme.toml", scenario);
    let output = desk.evens(&["run", "readme.toml", "--battles", "2000"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).starts_with("Does the ogre carry the fire team?"));
}

#[test]
fn choices_that_are_none_are_told_with_those_that_are() {
    let desk = Desk::new();
    for (arguments, values) in [
        (&["import", "splinterlands", "x.json", "--edition", "2021"][..], "2020, 2022"),
        (&["sweep", "sweep-health", "--measure", "decided"], "score, wins"),
    ] {
        let output = desk.evens(arguments);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        let said = flat(&stderr(&output));
        assert!(said.contains(&format!("[possible values: {values}]")), "{said}");
    }
}

#[test]
fn imported_cards_can_be_played() {
    let desk = Desk::new();
    let card = |id: u32, name: &str, kind: &str, stats: &str| {
        format!(
            "{{\"id\":{id},\"name\":\"{name}\",\"color\":\"Red\",\"type\":\"{kind}\",\"rarity\":4,\"stats\":{stats}}}"
        )
    };
    let each = |value: &str| format!("[{value},{value},{value},{value}]");
    let stats = |ability: &str| {
        let numbers: Vec<String> = ["attack", "ranged", "magic", "armor", "health", "speed"]
            .iter()
            .map(|name| format!("\"{name}\":{}", each("2")))
            .collect();
        format!(
            "{{\"mana\":{},{},\"abilities\":[[\"{ability}\"],[],[],[]]}}",
            each("3"),
            numbers.join(",")
        )
    };
    let summoner =
        "{\"mana\":3,\"attack\":1,\"ranged\":0,\"magic\":0,\"armor\":0,\"health\":0,\"speed\":0}";
    let cards = [
        card(1, "Lord", "Summoner", summoner),
        card(2, "Beast", "Monster", &stats("Flying")),
        card(3, "Oddity", "Monster", &stats("Telepathy")),
        card(4, "Archer", "Monster", &stats("True Strike")),
    ];
    desk.write("cards.json", &format!("[{}]", cards.join(",")));
    let output = desk.evens(&["import", "splinterlands", "cards.json", "-o", "cards.csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("left out Oddity: unknown ability Telepathy"), "{said}");
    assert!(said.ends_with("2 cards, 2 left out; 1 more with `--edition 2022`\n"), "{said}");
    let later = ["import", "splinterlands", "cards.json", "--edition", "2022", "-o", "later.csv"];
    let said = stderr(&desk.evens(&later));
    assert!(said.ends_with("3 cards, 1 left out\n"), "{said}");
    insta::assert_snapshot!("imported_cards", desk.read("cards.csv"));
    desk.write(
        "own.toml",
        "game = \"splinterlands\"\nbattles = 20\ncards = \"cards.csv\"\n[rulesets]\nfixed = [\"Standard\"]\n\
         [[teams]]\nname = \"T\"\nsummoner = \"Lord\"\nmonsters = [\"Beast\"]\n\
         [sides]\na = [\"T\"]\nb = [\"T\"]\n",
    );
    assert_eq!(code(&desk.evens(&["run", "own.toml", "--quiet"])), 0);
    desk.write("broken.json", "[{\"id\": }]");
    assert_eq!(code(&desk.evens(&["import", "splinterlands", "broken.json"])), 3);
}

/// A file that is not TOML at all has one fault, not one for each line.
#[test]
fn a_file_of_another_kind_has_one_fault() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    assert_eq!(code(&desk.evens(&["nightly", "--write", "duel.toml", "-q"])), 0);
    let baseline = desk.files("reports/baseline").remove(0);
    let output = desk.evens(&["check", &format!("reports/baseline/{baseline}")]);
    assert_eq!(code(&output), 3);
    let told = flat(&stderr(&output));
    assert_eq!(told.matches('×').count(), 1, "{told}");
    assert!(told.contains("this is JSON and no TOML"), "{told}");
    assert!(told.contains("`evens nightly` and `evens compare`"), "{told}");
    desk.write("table.csv", "a,b,c\n1,2,3\n2,3,4\n");
    let told = flat(&stderr(&desk.evens(&["check", "table.csv"])));
    assert_eq!(told.matches('×').count(), 1, "{told}");
    assert!(told.contains("this is a table (CSV) and no scenario"), "{told}");
}

/// A handful of battles that happen to end alike favour nobody, and no seat.
#[test]
fn a_handful_of_battles_favours_nobody() {
    let desk = Desk::new();
    desk.write(
        "alike.toml",
        "game = \"eldertale\"\nbattles = 4\n[[characters]]\nname = \"Y\"\nclasses = [\"Hunter\"]\n\
         [[characters]]\nname = \"Z\"\nclasses = [\"Hunter\"]\n[sides]\na = [\"Y\"]\nb = [\"Z\"]\n",
    );
    for seed in 1..60_u32 {
        let page = flat(&desk.page(&["run", "alike.toml", "--seed", &seed.to_string()]));
        assert!(!page.contains("is favoured") && !page.contains("The seat matters"), "{page}");
    }
}
