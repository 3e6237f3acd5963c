//! What a command line names twice, and one place that is named for two things.

use super::{Desk, code, duel, flat, stderr};

/// A folder of tables cannot be the file of a page, whether it is there already or not.
#[test]
fn a_file_in_the_place_of_the_folder_is_a_wrong_command_line() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let of_scenario = format!("{}[output]\nfolder = \"X\"\n", duel(""));
    desk.write("kept.toml", &of_scenario);
    let tune = ["tune", "splinterlands/archetypes", "--battles", "2000"];
    for is_there in [false, true] {
        if is_there {
            std::fs::create_dir(desk.path().join("X")).unwrap();
        }
        for (command, option, folder) in [
            (&["run", "duel.toml", "-o", "X", "--report", "X"][..], "--report", "`-o X`"),
            (&["run", "duel.toml", "-o", "./X", "--report", "X/"], "--report", "`-o ./X`"),
            (&["run", "kept.toml", "--report", "X"], "--report", "the scenario's `output.folder`"),
            (
                &[&tune[..], &["-o", "X", "--write-scenario", "X"]].concat(),
                "--write-scenario",
                "`-o X`",
            ),
            (&[&tune[..2], &["--stats", "-o", "X", "--notes", "X"]].concat(), "--notes", "`-o X`"),
        ] {
            let output = desk.evens(command);
            let told = flat(&stderr(&output));
            assert_eq!(code(&output), 2, "{command:?}: {told}");
            assert!(told.contains(&format!("`{option} X")), "{told}");
            assert!(told.contains(&format!("and {folder} name the same place")), "{told}");
            assert!(told.contains(&format!("name a file for `{option}`")), "{told}");
            assert_eq!(desk.path().join("X").exists(), is_there, "{command:?}");
        }
    }
    assert_eq!(desk.files("X"), [""; 0]);
}

/// A unit that is asked for twice is told of once, as a table that is named twice is written once.
#[test]
fn a_unit_that_is_named_twice_is_worked_out_once() {
    let desk = Desk::new();
    let ogre = ["--unit", "Pit Ogre"];
    for command in ["run", "worth"] {
        let asked = [command, "splinterlands/drawn-teams", "--battles", "2000"];
        let once = desk.page(&[&asked[..], &ogre].concat());
        let twice = desk.page(&[&asked[..], &ogre, &["--unit", "pit ogre"]].concat());
        assert_eq!(once, twice, "{command}");
        let rows = ["-o", "-", "--table", if command == "run" { "units" } else { "replacements" }];
        let once = desk.page(&[&asked[..], &ogre, &rows].concat());
        let twice = desk.page(&[&asked[..], &ogre, &ogre, &rows].concat());
        assert_eq!(once.lines().count(), twice.lines().count(), "{command}");
    }
}
