//! The files of a result change all at once, and nothing is lost that somebody may still want.

use std::fs;

use sha2::Digest as _;

use super::{Desk, code, duel, flat, stderr, stdout};

const RUN: [&str; 6] = ["run", "duel.toml", "-o", "results", "--format", "csv"];

impl Desk {
    fn ran(&self, arguments: &[&str]) -> String {
        let output = self.evens(arguments);
        assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
        stderr(&output)
    }

    pub(super) fn manifest(&self, folder: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(&format!("{folder}/provenance.json"))).unwrap()
    }
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    desk
}

#[test]
fn a_folder_holds_the_tables_of_one_run() {
    let desk = desk();
    desk.ran(&RUN);
    fs::write(desk.path().join("results/notes.txt"), "mine").unwrap();
    desk.ran(&["run", "duel.toml", "-o", "results", "--format", "csv", "--table", "outcomes"]);
    assert_eq!(
        desk.files("results"),
        ["notes.txt", "outcomes.csv", "provenance.json", "report.json"]
    );
    desk.ran(&["run", "duel.toml", "-o", "results", "--format", "json", "--table", "units"]);
    assert_eq!(
        desk.files("results"),
        ["notes.txt", "provenance.json", "report.json", "units.json"]
    );
    assert_eq!(stdout(&desk.evens(&["check", "results"])), "results: ok\n");

    desk.write("results/units.json", "[]");
    let output = desk.evens(&["check", "results"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("units.json: it is not the file that was written"));
}

#[test]
fn files_that_are_not_ours_are_never_written_over() {
    let desk = desk();
    fs::create_dir(desk.path().join("results")).unwrap();
    desk.write("results/outcomes.csv", "mine");
    let output = desk.evens(&RUN);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("is no result of an earlier run"), "{}", stderr(&output));
    assert_eq!(desk.files("results"), ["outcomes.csv"]);
    assert_eq!(desk.read("results/outcomes.csv"), "mine");

    fs::remove_file(desk.path().join("results/outcomes.csv")).unwrap();
    desk.write("results/provenance.json", "{\"run\": {\"program\": \"another\"}, \"files\": []}");
    assert_eq!(code(&desk.evens(&RUN)), 1);
    fs::remove_file(desk.path().join("results/provenance.json")).unwrap();
    desk.ran(&RUN);
    // A table of ours that somebody has edited belongs to them.
    desk.write("results/units.csv", "my own notes");
    assert_eq!(code(&desk.evens(&RUN)), 1);
    assert_eq!(desk.read("results/units.csv"), "my own notes");
    // Nor does it stay beside new tables, because the folder would then be reported as whole.
    let outcomes = ["run", "duel.toml", "-o", "results", "--format", "csv", "--table", "outcomes"];
    assert_eq!(code(&desk.evens(&outcomes)), 1);
    fs::rename(desk.path().join("results/units.csv"), desk.path().join("mine.csv")).unwrap();
    desk.ran(&outcomes);
    assert_eq!(desk.files("results"), ["outcomes.csv", "provenance.json", "report.json"]);

    // A card file of a scenario may have the name of a table.
    let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
    desk.write("units.csv", cards).write("own.toml", &duel("cards = \"units.csv\""));
    assert_eq!(code(&desk.evens(&["run", "own.toml", "-o", ".", "--format", "csv"])), 1);
    assert_eq!(desk.read("units.csv"), cards);
}

/// If a command is killed between two renames, the next one finishes what it had decided.
#[test]
fn what_an_ended_command_left_half_done_is_finished() {
    let desk = desk();
    desk.ran(&RUN);
    let new =
        ["run", "duel.toml", "--seed", "2", "-o", "new", "--format", "csv", "--table", "outcomes"];
    desk.ran(&new);
    let (old_outcomes, outcomes) =
        (desk.read("results/outcomes.csv"), desk.read("new/outcomes.csv"));
    assert_ne!(old_outcomes, outcomes);
    let hashes = |folder: &str, names: &[&str]| {
        let hash = |name: &&str| {
            let digest = sha2::Sha256::digest(desk.read(&format!("{folder}/{name}")));
            let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("\"{name}\":\"{hash}\"")
        };
        names.iter().map(hash).collect::<Vec<_>>().join(",")
    };
    let removed = ["orders.csv", "rulesets.csv", "units.csv"];
    let moved = ["outcomes.csv", "provenance.json", "report.json"];
    let known = format!(
        "\"sha256\":{{{}}},\"before\":{{{}}}",
        hashes("new", &moved),
        hashes("results", &[&removed[..], &moved].concat())
    );
    // The folder as a command leaves it that is killed after the first of its renames.
    desk.write("results/outcomes.csv", &outcomes);
    desk.write("results/.evens-staged-b", &desk.read("new/provenance.json"));
    desk.write("results/.evens-staged-c", &desk.read("new/report.json"));
    let note = "{\"moves\":[[\".evens-staged-a\",\"outcomes.csv\"],[\".evens-staged-b\",\"provenance.json\"],\
                [\".evens-staged-c\",\"report.json\"]],\
                \"removals\":[\"orders.csv\",\"rulesets.csv\",\"units.csv\"],";
    desk.write("results/.evens-commit.json", &format!("{note}{known}}}"));
    let output = desk.evens(&["check", "results"]);
    assert_eq!(code(&output), 3, "half done: {}", stdout(&output));
    let output = desk.evens(&["report", "results", "-o", "page.html"]);
    assert_eq!(code(&output), 3);
    assert!(flat(&stderr(&output)).contains("was ended while it put its results here"));

    // The next command finishes it, before it writes its own results.
    fs::create_dir(desk.path().join("results/units.csv.d")).unwrap();
    let next = [
        "run",
        "duel.toml",
        "-o",
        "results",
        "--format",
        "csv",
        "--battles",
        "1",
        "--table",
        "outcomes",
    ];
    desk.ran(&next);
    assert_eq!(
        desk.files("results"),
        ["outcomes.csv", "provenance.json", "report.json", "units.csv.d"]
    );

    // A note that came from elsewhere moves and removes nothing outside its folder.
    desk.write("victim", "mine");
    let outside = "{\"moves\":[],\"sha256\":{},\"before\":{},\"removals\":[\"../victim\"]}";
    desk.write("results/.evens-commit.json", outside);
    assert_eq!(code(&desk.evens(&next)), 1);
    assert_eq!(desk.read("victim"), "mine");
}

#[cfg(unix)]
#[test]
fn a_partial_result_never_replaces_a_complete_one() {
    let desk = desk();
    desk.ran(&[
        "run",
        "splinterlands/mirror",
        "--battles",
        "1000",
        "-o",
        "results",
        "--format",
        "csv",
    ]);
    let complete = desk.read("results/outcomes.csv");
    let long = [
        "run",
        "splinterlands/mirror",
        "--battles",
        "100000000000",
        "-o",
        "results",
        "--format",
        "csv",
    ];
    let (exit, told) = desk.interrupted(&long, "INT");
    assert_eq!(exit, 5, "{told}");
    assert!(told.contains("the complete results beside them were kept"), "{told}");
    assert_eq!(desk.read("results/outcomes.csv"), complete);
    assert_eq!(desk.manifest("results")["run"]["partial"], false);
    assert_eq!(desk.manifest("results/partial")["run"]["partial"], true);
    // Besides the complete results, the folder holds the folder of partial ones and the checkpoint from which the same
    // command goes on.
    assert_eq!(desk.files("results/partial").len(), desk.files("results").len() - 2);
    for folder in ["results", "results/partial"] {
        assert_eq!(code(&desk.evens(&["check", folder])), 0, "{folder}");
    }
    let told: Vec<&str> = long.iter().copied().chain(["--replace-complete"]).collect();
    assert_eq!(desk.interrupted(&told, "INT").0, 5);
    assert_eq!(desk.manifest("results")["run"]["partial"], true);
    assert!(desk.files("results").iter().all(|name| !name.starts_with('.')));
}

#[cfg(unix)]
#[test]
fn two_commands_do_not_write_to_one_folder_at_once() {
    let desk = desk();
    let mut first = std::process::Command::new(crate::program())
        .args(["run", "splinterlands/mirror", "--battles", "100000000000", "-q", "-o", "results"])
        .args(["--format", "csv"])
        .current_dir(desk.path())
        .spawn()
        .unwrap();
    super::until_it_plays(&first);
    let second = desk.evens(&RUN);
    assert_eq!(code(&second), 1);
    assert!(stderr(&second).contains("another evens is writing to results"), "{}", stderr(&second));
    // Once the first command is killed, nobody owns what it had staged.
    super::signal(&first, "KILL");
    first.wait().unwrap();
    assert!(desk.files("results").iter().any(|name| name.starts_with(".evens-staged-")));
    desk.ran(&RUN);
    assert_eq!(desk.files("results").len(), 6);
}

#[cfg(unix)]
mod single_files {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::{Desk, code, desk, duel, flat, stderr};

    const CARDS: &str = "[{\"id\":1,\"name\":\"Lord\",\"color\":\"Red\",\"type\":\"Summoner\",\"rarity\":4,\"stats\":\
        {\"mana\":3,\"attack\":1,\"ranged\":0,\"magic\":0,\"armor\":0,\"health\":0,\"speed\":0}}]";

    fn import(desk: &Desk, output: &str) -> i32 {
        let output = desk.evens(&["import", "splinterlands", "cards.json", "-o", output]);
        assert!(stderr(&output).len() < 2_000);
        code(&output)
    }

    #[test]
    fn an_input_is_not_written_over() {
        let desk = desk();
        desk.write("cards.json", CARDS);
        symlink("cards.json", desk.path().join("link")).unwrap();
        fs::hard_link(desk.path().join("cards.json"), desk.path().join("hard")).unwrap();
        for output in ["cards.json", "./cards.json", "link", "hard"] {
            assert_eq!(import(&desk, output), 2, "{output}");
            assert_eq!(desk.read("cards.json"), CARDS);
        }
        desk.ran(&["nightly", "--write", "duel.toml", "-q"]);
        let baseline = "reports/baseline/splinterlands-duel.json";
        let before = desk.read(baseline);
        for summary in [baseline, "duel.toml"] {
            assert_eq!(code(&desk.evens(&["nightly", "-q", "--summary", summary])), 2, "{summary}");
        }
        assert_eq!(code(&desk.evens(&["compare", baseline, baseline, "--summary", baseline])), 2);
        assert_eq!(desk.read(baseline), before);
        assert!(desk.read("duel.toml").contains("splinterlands"));
    }

    /// No command writes any of its outputs over any of its inputs.
    #[test]
    fn no_command_writes_over_what_it_reads() {
        let desk = desk();
        let cards = include_str!("../../scenarios/splinterlands/cards/2020-05.csv");
        let scenario = duel("cards = \"cards.csv\"");
        let given = "Malric Inferno; Pit Ogre; Fire Beetle\n";
        desk.write("own.toml", &scenario).write("cards.csv", cards).write("given.txt", given);
        let targets = "\"Fire\" = \"52%\"\n";
        desk.write(
            "drawn.toml",
            &scenario.replace("fixed =", "only = [\"Earthquake\", \"Standard\"] #"),
        );
        desk.write("targets.toml", targets);
        desk.write("allowed.txt", "Malric Inferno\nPit Ogre\nFire Beetle\nGiant Roc\n");
        let few = ["--battles", "400"];
        for (command, inputs, flags) in [
            ("run own.toml", &["own.toml", "cards.csv"][..], &["--report"][..]),
            (
                "sweep own.toml --set changes.Medusa.health=+0,+1",
                &["own.toml", "cards.csv"],
                &["--report"],
            ),
            (
                "tune drawn.toml --targets targets.toml",
                &["drawn.toml", "cards.csv", "targets.toml"],
                &["--report"],
            ),
            (
                "best own.toml --given given.txt --candidates allowed.txt",
                &["own.toml", "cards.csv", "given.txt", "allowed.txt"],
                &["--report"],
            ),
            ("trace own.toml --battle 1", &["own.toml", "cards.csv"], &["--html"]),
            (
                "tune own.toml --stats",
                &["own.toml", "cards.csv"],
                &["--report", "--notes", "--write-scenario"],
            ),
        ] {
            for (input, flag) in
                inputs.iter().flat_map(|of| flags.iter().map(move |flag| (of, flag)))
            {
                let words: Vec<&str> = command.split(' ').chain([*flag, *input]).collect();
                let more = if command.starts_with("trace") { &[][..] } else { &few };
                let before = desk.read(input);
                let output = desk.evens(&[&words, more].concat());
                assert_eq!(code(&output), 2, "{words:?}: {}", stderr(&output));
                let told = flat(&stderr(&output));
                assert!(told.contains(input) && !told.contains("unexpected"), "{words:?}: {told}");
                assert_eq!(desk.read(input), before, "{words:?}");
            }
        }
    }

    #[test]
    fn links_are_followed_and_modes_kept() {
        let desk = desk();
        desk.write("cards.json", CARDS).write("real.csv", "");
        symlink("real.csv", desk.path().join("link.csv")).unwrap();
        let mode = fs::Permissions::from_mode(0o640);
        fs::set_permissions(desk.path().join("real.csv"), mode).unwrap();
        assert_eq!(import(&desk, "link.csv"), 0);
        assert!(desk.path().join("link.csv").is_symlink());
        assert!(desk.read("real.csv").contains("Lord"));
        let mode = fs::metadata(desk.path().join("real.csv")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        symlink("made.csv", desk.path().join("dangling.csv")).unwrap();
        assert_eq!(import(&desk, "dangling.csv"), 0);
        assert!(desk.read("made.csv").contains("Lord"));
    }

    /// A folder that nobody may look into says what to do about that, and not how to make another one.
    #[test]
    fn a_folder_that_cannot_be_read_says_how_it_could() {
        let desk = desk();
        symlink("round", desk.path().join("round")).unwrap();
        let output = desk.evens(&["merge", "round", "-o", "all"]);
        let told = flat(&stderr(&output));
        assert_eq!(code(&output), 3, "{told}");
        let why = "cannot read the folder: Too many levels of symbolic links";
        assert!(told.contains(why) && told.contains("check the path"), "{told}");
        for command in [&["report", "round", "-o", "page.html"][..], &["trend", "round"]] {
            let output = desk.evens(command);
            let told = flat(&stderr(&output));
            assert_eq!(code(&output), 3, "{told}");
            assert!(told.contains("Too many levels of symbolic links"), "{told}");
            assert!(told.contains("check the path"), "{told}");
        }

        let closed = desk.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read_dir(&closed).is_ok() {
            return eprintln!("SKIPPED: who runs this test may look into every folder");
        }
        for command in [
            &["check", "closed"][..],
            &["nightly", "--baseline", "closed"],
            &["merge", "closed"],
            &["report", "closed", "-o", "page.html"],
            &["trend", "closed"],
        ] {
            let told = flat(&stderr(&desk.evens(command)));
            assert!(told.contains("make it readable (`chmod u+r`)"), "{told}");
        }
    }

    #[test]
    fn pipes_and_devices_are_written_to() {
        let desk = desk();
        desk.write("cards.json", CARDS);
        let made = std::process::Command::new("mkfifo").arg(desk.path().join("pipe")).status();
        assert!(made.unwrap().success());
        let pipe = desk.path().join("pipe");
        let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
        assert_eq!(import(&desk, "pipe"), 0);
        assert!(reader.join().unwrap().contains("Lord"));
        symlink("/dev/null", desk.path().join("nothing")).unwrap();
        assert_eq!(import(&desk, "nothing"), 0);
        assert!(desk.path().join("nothing").is_symlink());
        symlink("/dev/full", desk.path().join("full")).unwrap();
        assert_eq!(import(&desk, "full"), 1);
        assert!(desk.files(".").iter().all(|name| !name.starts_with(".evens")));
    }
}

#[test]
fn no_other_output_goes_to_the_place_of_a_table() {
    let desk = desk();
    let files = ["outcomes.csv", "provenance.json", "report.json", "partial/outcomes.csv"];
    fs::create_dir_all(desk.path().join("results/partial")).unwrap();
    for file in files.map(|file| format!("results/{file}")) {
        let output = desk.evens(&[&RUN[..], &["--report", &file]].concat());
        assert_eq!(code(&output), 2, "{file}");
        assert!(stderr(&output).contains("belongs to the tables"), "{}", stderr(&output));
        assert!(!desk.path().join(&file).exists(), "{file}");
    }
    desk.ran(&[&RUN[..], &["--report", "results/page.html"]].concat());
    desk.ran(&[&RUN[..], &["--report", "outcomes.csv"]].concat());
    assert!(desk.read("results/outcomes.csv").starts_with("matchup,"));

    desk.ran(&["nightly", "duel.toml", "--baseline", "base", "--write"]);
    for flag in ["--summary", "--junit", "--report"] {
        let night =
            ["nightly", "duel.toml", "--baseline", "base", "--format", "csv", "-o", "night"];
        let output = desk.evens(&[&night[..], &[flag, "night/changes.csv"]].concat());
        assert!(stderr(&output).contains("belongs to the tables"), "{flag}: {}", stderr(&output));
    }
    let shared = ["run", "duel.toml", "-o", "many", "--partition", "--format", "csv"];
    desk.ran(&shared);
    let run = format!("many/runs/{}", desk.files("many/runs")[0]);
    let before = desk.read(&run);
    let output = desk.evens(&[&shared[..], &["--report", &run]].concat());
    assert!(stderr(&output).contains("belongs to the tables"), "{}", stderr(&output));
    assert_eq!(desk.read(&run), before);
}

/// A run by itself is not written into a folder that many runs share.
#[test]
fn a_run_by_itself_does_not_go_among_many() {
    let desk = desk();
    let many = ["run", "duel.toml", "-o", "results", "--partition", "--format", "csv"];
    desk.ran(&many);
    let before = desk.files("results");
    let output = desk.evens(&RUN);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("holds the results of many runs"), "{}", stderr(&output));
    assert_eq!(desk.files("results"), before);
    desk.ran(&many);
}

/// A command that fails does not make later commands in the same folder fail.
#[test]
fn a_command_that_fails_locks_no_folder() {
    let desk = desk();
    let many = ["run", "duel.toml", "-o", "many", "--partition", "--format", "csv"];
    let last = ["--table", "outcomes", "--table", "units"];
    fs::create_dir(desk.path().join("many")).unwrap();
    desk.write("many/units", "mine");
    let output = desk.evens(&[&many[..], &last].concat());
    assert_eq!(code(&output), 1);
    let told = flat(&stderr(&output));
    assert!(told.contains("many/units is no folder") && told.contains("move it away"), "{told}");
    assert_eq!(desk.files("many"), ["units"]);
    desk.ran(&[&many[..], &["--table", "outcomes"]].concat());
    assert_eq!(desk.files("many"), ["outcomes", "runs", "units"]);

    let long = format!("{}.toml", "ä".repeat(60));
    desk.write(&long, &duel(""));
    let before = desk.files("many");
    let output = desk.evens(&["run", &long, "-o", "many", "--partition", "--format", "csv"]);
    assert_eq!(code(&output), 2);
    let told = flat(&stderr(&output));
    assert!(told.contains("a name of 374 bytes") && told.contains("shorter name"), "{told}");
    assert_eq!(desk.files("many"), before);
    fs::remove_file(desk.path().join("many/units")).unwrap();
    desk.ran(&[&many[..], &last].concat());
}

/// `nightly` takes every `.json` in the folder for a baseline, and would fail at another file.
#[test]
fn nothing_else_goes_among_baselines() {
    let desk = desk();
    desk.ran(&["nightly", "--write", "duel.toml", "--battles", "50", "--baseline", "base", "-q"]);
    let before = desk.files("base");
    for output in [&["-o", "base", "--format", "csv"][..], &["--report", "base/page.json"]] {
        let refused = desk.evens(&[&["run", "duel.toml"], output].concat());
        assert_eq!(code(&refused), 2, "{output:?}");
        assert!(flat(&stderr(&refused)).contains("base holds baselines"), "{}", stderr(&refused));
        assert_eq!(desk.files("base"), before);
    }
    desk.ran(&["run", "duel.toml", "--report", "base/page.html"]);
    desk.ran(&["nightly", "--baseline", "base", "--seed", "1"]);
}

/// Rows that wait for the last battle wait on the disk of the folder that they go to.
#[cfg(unix)]
#[test]
fn rows_wait_where_they_go_to() {
    let desk = desk();
    let run = ["run", "duel.toml", "--until", "0.3s", "--table", "battles", "-q"];
    let with_output = |output: &[&str]| {
        let mut evens = assert_cmd::Command::new(crate::program());
        evens.current_dir(desk.path()).env("TMPDIR", "/nowhere").args(run).args(output);
        evens.output().unwrap()
    };
    let output = with_output(&["-o", "results", "--format", "csv"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = with_output(&["-o", "-"]);
    assert_eq!(code(&output), 1);
    let told = flat(&stderr(&output));
    assert!(told.contains("cannot write to /nowhere") && told.contains("TMPDIR"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_reader_of_a_report_may_leave() {
    let desk = desk();
    let program = crate::program();
    let line = format!(
        "'{}' run duel.toml -q --report /dev/stdout | true; echo ${{PIPESTATUS[0]}}",
        program.display()
    );
    let mut bash = assert_cmd::Command::new("bash");
    let output = bash.current_dir(desk.path()).args(["-c", &line]).output().unwrap();
    assert_eq!(stdout(&output), "0\n", "{}", stderr(&output));
}

/// The remedy that `check` and `report` suggest works.
#[test]
fn the_remedy_for_a_changed_file_works() {
    let desk = desk();
    desk.ran(&RUN);
    desk.write("results/outcomes.csv", "mine");
    for command in [&["check", "results"][..], &["report", "results", "-o", "page.html"]] {
        let output = desk.evens(command);
        assert_eq!(code(&output), 3);
        let told = flat(&stderr(&output));
        assert!(told.contains("move it away and run the command again"), "{told}");
    }
    assert_eq!(code(&desk.evens(&RUN)), 1);
    fs::remove_file(desk.path().join("results/outcomes.csv")).unwrap();
    let told = flat(&stderr(&desk.evens(&["check", "results"])));
    assert!(told.contains("outcomes.csv: it is missing"), "{told}");
    assert!(!told.contains("move it away"), "{told}");
    desk.ran(&RUN);
    assert_eq!(stdout(&desk.evens(&["check", "results"])), "results: ok\n");
}

#[test]
fn a_later_format_is_no_folder_that_is_well() {
    let desk = desk();
    desk.ran(&RUN);
    let later = desk.read("results/provenance.json").replacen("\"format\": 2", "\"format\": 99", 1);
    desk.write("results/provenance.json", &later);
    let output = desk.evens(&["check", "results"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("format 99"), "{}", stderr(&output));
}

/// A list that somebody has edited is told by whatever reads it, and is not replaced, neither in a folder of one run nor in
/// one that runs share.
#[test]
fn what_lists_the_files_is_checked_as_well() {
    let desk = desk();
    let shared = [&RUN[..2], &["-o", "shared", "--partition", "--format", "csv"]].concat();
    for (command, folder, listed) in [(&RUN[..], "results", "."), (&shared[..], "shared", "runs")] {
        desk.ran(command);
        desk.ran(&["check", folder]);
        let inner = format!("{folder}/{listed}");
        let is_list = |name: &String| name.ends_with(".json") && !name.contains("report");
        let name = desk.files(&inner).into_iter().find(is_list).unwrap();
        let list = format!("{inner}/{name}");
        let written = desk.read(&list);
        desk.write(&list, &written.replacen("\"seed\": ", "\"seed\": 1", 1));
        for reading in [&["check", folder][..], &["report", folder, "-o", "page.html"]] {
            let output = desk.evens(reading);
            let told = flat(&stderr(&output));
            assert_eq!(code(&output), 3, "{told}");
            assert!(told.contains(&name), "{told}");
            assert!(told.contains("put back the file that was written"), "{told}");
        }
        let output = desk.evens(command);
        let told = flat(&stderr(&output));
        assert_eq!(code(&output), 1, "{told}");
        assert!(told.contains("it was changed since"), "{told}");
        desk.write(&list, &written);
        desk.ran(command);
        desk.ran(&["check", folder]);
    }
}

/// Results of a later version are not replaced, neither in a folder of one run nor in one that runs or nights share.
#[test]
fn what_a_later_version_wrote_is_not_replaced() {
    let desk = desk();
    desk.ran(&["nightly", "--write", "duel.toml", "--battles", "50", "--baseline", "base", "-q"]);
    let shared = [&RUN[..2], &["-o", "shared", "--partition", "--format", "csv"]].concat();
    let night = ["nightly", "--baseline", "base", "--history", "history", "--seed", "1"];
    for (command, listed) in
        [(&RUN[..], "results"), (&shared[..], "shared/runs"), (&night[..], "history/runs")]
    {
        desk.ran(command);
        let is_list = |name: &String| name.ends_with(".json") && !name.contains("report");
        let list = desk.files(listed).into_iter().find(is_list).unwrap();
        let list = format!("{listed}/{list}");
        let later = desk.read(&list).replacen("\"format\": 2", "\"format\": 99", 1);
        desk.write(&list, &later);
        let before = desk.files(listed);
        let output = desk.evens(command);
        assert_eq!(code(&output), 2, "{command:?}");
        let told = flat(&stderr(&output));
        assert!(told.contains("format 99") && told.contains("choose another folder"), "{told}");
        assert_eq!((desk.read(&list), desk.files(listed)), (later, before));
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn what_a_build_cannot_write_is_told_before_anything_is_played() {
    let desk = desk();
    let output = desk.evens(&["run", "duel.toml", "-o", "results", "--format", "parquet"]);
    assert_eq!(code(&output), 2);
    let told = flat(&stderr(&output));
    assert!(told.contains("cannot write parquet") && told.contains("`--format csv`"), "{told}");
    let of_scenario = |output: &str| {
        desk.write(
            "own.toml",
            &duel("").replace("[rulesets]", &format!("[output]\n{output}\n[rulesets]")),
        );
        desk.evens(&["check", "own.toml"])
    };
    let refused = of_scenario("folder = \"results\"\nformat = \"parquet\"");
    assert_eq!(code(&refused), 3);
    let told = flat(&stderr(&refused));
    assert!(told.contains("own.toml:7:10") && told.contains("`--format csv`"), "{told}");
    assert_eq!(code(&desk.evens(&["run", "own.toml"])), 2);
    assert_eq!(code(&desk.evens(&["run", "own.toml", "--format", "csv"])), 0);
    // Without a folder nothing is written, so this is only a warning.
    let warned = of_scenario("format = \"parquet\"");
    assert_eq!(code(&warned), 0);
    assert!(flat(&stderr(&warned)).contains("cannot write parquet"), "{}", stderr(&warned));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_writes_csv() {
    let desk = desk();
    desk.ran(&["run", "duel.toml", "-o", "results"]);
    assert!(desk.files("results").contains(&"outcomes.csv".to_owned()));
    let output = desk.evens(&["run", "duel.toml", "-o", "other", "--format", "parquet"]);
    assert!(flat(&stderr(&output)).contains("choose `--format csv`"), "{}", stderr(&output));
}

#[test]
fn a_folder_that_is_not_there_is_to_be_made() {
    let output = desk().evens(&["run", "duel.toml", "--report", "nowhere/page.html"]);
    assert_eq!(code(&output), 1);
    assert!(flat(&stderr(&output)).contains("there is no such folder: make it"));
}

/// A command that reaches the limit of file sizes says so: it removes what it has begun, and leaves what was there.
#[cfg(unix)]
#[test]
fn a_file_beyond_the_limit_of_its_size_is_told() {
    let desk = desk();
    desk.ran(&RUN);
    let kept = desk.files("results");
    let before: Vec<String> =
        kept.iter().map(|name| desk.read(&format!("results/{name}"))).collect();
    let program = crate::program();
    let limited = |command: &str| {
        let mut bash = assert_cmd::Command::new("bash");
        let line = format!("ulimit -f 4 && exec '{}' {command}", program.display());
        bash.current_dir(desk.path()).args(["-c", &line]).output().unwrap()
    };
    let rows = "run duel.toml --battles 20000 -q --format csv --table battles -o results";
    let page = "run duel.toml --battles 200 -q --report page.html";
    let mut all = vec![(rows, "battles.csv"), (page, "page.html")];
    if cfg!(feature = "parquet") {
        // The end of such a file does not say why it could not be written.
        all.push(("run splinterlands/archetypes --battles 500 -q -o other", ".parquet"));
    }
    for (command, file) in all {
        let output = limited(command);
        assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
        let told = flat(&stderr(&output));
        assert!(told.contains(file), "{command}: {told}");
        assert!(
            told.contains("raise the limit of a file's size (`ulimit -f`)"),
            "{command}: {told}"
        );
    }
    assert_eq!(desk.files("results"), kept);
    let after: Vec<String> =
        kept.iter().map(|name| desk.read(&format!("results/{name}"))).collect();
    assert_eq!(after, before);
    assert!(
        desk.files(".").iter().all(|name| !name.starts_with(".evens")),
        "{:?}",
        desk.files(".")
    );
}

/// A folder with sound parts of a run is not well if something else in it is not.
#[test]
fn a_folder_with_parts_is_checked_as_a_whole() {
    let desk = Desk::new();
    let run = ["run", "splinterlands/mirror", "--battles", "200", "--quiet"];
    let played = |more: &[&str]| code(&desk.evens(&[&run[..], more].concat()));
    assert_eq!(played(&["--shard", "1/2", "-o", "all"]), 0);
    assert_eq!(played(&["-o", "all/whole", "--format", "csv"]), 0);
    let checked = || desk.evens(&["check", "all"]);
    assert_eq!(code(&checked()), 0, "{}", stderr(&checked()));
    desk.write("all/whole/outcomes.csv", "mine\n");
    assert_eq!(code(&checked()), 3);
    assert!(stderr(&checked()).contains("whole/outcomes.csv"), "{}", stderr(&checked()));
    fs::remove_dir_all(desk.path().join("all/whole")).unwrap();
    desk.write("all/wrong.toml", "game = 3\n");
    assert_eq!(code(&checked()), 3);
    assert!(stderr(&checked()).contains("wrong.toml"), "{}", stderr(&checked()));
}
