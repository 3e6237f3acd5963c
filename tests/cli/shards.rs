//! Commands that are played in parts, and parts that are added up.

use std::fs;

use super::survive::{CSV, Dice, ORDER, RUN, SWEEP, with};
use super::{Desk, code, duel, stderr};

const EFFECTS: &[&str] = &["effects", "splinterlands/archetypes", "--battles", "5"];

#[test]
fn shards_in_any_number_and_grouping_are_the_bytes_of_the_single_command() {
    let mut dice = Dice(15);
    for command in [RUN, SWEEP, EFFECTS, ORDER] {
        let desk = Desk::new();
        let page = desk.page(&with(command, &with(CSV, &["-o", "single"])));
        for round in 0..3 {
            let of = 1 + dice.below(6);
            let shards = format!("shards{round}");
            // The last part first, and one of them twice.
            for number in (1..=of).rev().chain([1 + dice.below(of)]) {
                let shard = format!("{number}/{of}");
                let play = with(command, &["--shard", &shard, "-o", &shards, "-q"]);
                assert_eq!(desk.page(&play), "");
            }
            // Merges random groups of parts, and then the sums with others, until two are left.
            let mut parts: Vec<String> =
                (1..=of).map(|number| format!("{shards}/shard-{number}-of-{of}")).collect();
            while parts.len() > 2 {
                let take = 2 + dice.below(parts.len() as u64 - 2) as usize;
                let group: Vec<String> = (0..take)
                    .map(|_| parts.remove(dice.below(parts.len() as u64) as usize))
                    .collect();
                let into = format!("{shards}-{}", parts.len());
                let mut merge = vec!["merge", "-q", "--into", &into];
                merge.extend(group.iter().map(String::as_str));
                desk.page(&merge);
                parts.push(into);
            }
            let mut merge = with(&["merge", "-o", "merged"], CSV);
            merge.extend(parts.iter().map(String::as_str));
            assert_eq!(desk.page(&merge), page, "{command:?} in {of} parts");
            desk.same("single", "merged");
        }
    }
}

#[test]
fn shards_of_a_run_that_says_more_of_units_add_up_too() {
    let desk = Desk::new();
    let command = [
        "run",
        "solforge/factions",
        "--battles",
        "40",
        "--unit",
        "Enrage",
        "--unit",
        "Spring Dryad",
    ];
    let page = desk.page(&with(&command, &with(CSV, &["-o", "single"])));
    assert!(page.contains("Enrage") && page.contains("Spring Dryad"));
    for shard in ["1/2", "2/2"] {
        desk.page(&with(&command, &["--shard", shard, "-o", "shards", "-q"]));
    }
    assert_eq!(desk.page(&with(&["merge", "shards", "-o", "merged"], CSV)), page);
    desk.same("single", "merged");
}

#[test]
fn partial_results_that_are_not_there_are_a_fault_of_the_input() {
    let desk = Desk::new();
    let output = desk.evens(&["merge", "nowhere", "-o", "merged"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("there is no such folder"), "{}", stderr(&output));
}

#[test]
fn a_shard_is_the_same_bytes_whenever_it_is_played() {
    let desk = Desk::new();
    for (folder, threads) in [("one", "1"), ("two", "3")] {
        desk.page(&with(RUN, &["--shard", "2/3", "-o", folder, "--threads", threads]));
    }
    desk.same("one/shard-2-of-3", "two/shard-2-of-3");
    let before = desk.bytes("one/shard-2-of-3");
    desk.page(&with(RUN, &["--shard", "2/3", "-o", "one"]));
    assert!(desk.bytes("one/shard-2-of-3") == before, "once more changes nothing");
}

#[test]
fn what_does_not_belong_together_is_not_added_up() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let shard = |folder: &str, shard: &str, more: &[&str]| {
        let run = ["run", "duel.toml", "--table", "outcomes", "--shard", shard, "-o", folder];
        desk.page(&with(&run, more));
    };
    shard("shards", "1/3", &[]);
    shard("shards", "3/3", &[]);
    let merge = with(&["merge", "shards", "-o", "merged"], CSV);
    let told = desk.refused(&merge);
    assert!(told.contains("167 of 500 battles are missing: 166 to 332"), "{told}");
    assert!(told.contains("`--shard 2/3`"), "{told}");
    assert!(!desk.path().join("merged").exists(), "nothing was written");

    // Of parts of other sizes, no equal one has what is missing and nothing else.
    shard("ranges", "1/2", &[]);
    shard("ranges", "300..500", &[]);
    let told = desk.refused(&["merge", "ranges", "-o", "whole"]);
    assert!(told.contains("`--shard 250..300`") && !told.contains("2/2"), "{told}");
    shard("ranges", "250..300", &[]);
    desk.page(&["merge", "ranges", "-o", "whole"]);

    desk.page(&with(&merge, &["--allow-missing"]));
    assert_eq!(desk.manifest("merged")["run"]["partial"], true);
    assert_eq!(desk.manifest("merged")["run"]["battles_played"], 333);

    for (more, told) in [
        (&["--seed", "9"][..], "the seed is"),
        (&["--battles", "600"], "the number of battles is"),
        (&["--measure", "wins"], "`--measure` is"),
        (&["--table", "units"], "`--table` is"),
    ] {
        shard("foreign", "2/3", &with(more, &["--fresh"]));
        let output = desk.refused(&with(&merge, &["foreign"]));
        assert!(output.contains(told) && !output.contains("--fresh"), "{output}");
        assert!(output.contains("only parts of one job add up"), "{output}");
        // Nor does a shard go on from the checkpoint of another one.
        let output = desk.refused(&[
            "run",
            "duel.toml",
            "--table",
            "outcomes",
            "--shard",
            "2/3",
            "-o",
            "foreign",
        ]);
        assert!(output.contains(told), "{output}");
    }
    desk.write("duel.toml", &duel("mana_caps = [30]"));
    let output = desk.refused(&with(&merge, &["--allow-missing"]));
    assert!(output.contains("the scenario is") && !output.contains("--fresh"), "{output}");
    fs::remove_file(desk.path().join("duel.toml")).unwrap();
    let output = desk.refused(&with(&merge, &["--allow-missing"]));
    assert!(output.contains("is not where it was when the parts were played"), "{output}");
    assert!(output.contains("`--scenario FILE`"), "{output}");
    desk.write("moved.toml", &duel(""));
    desk.page(&with(&merge, &["--allow-missing", "--scenario", "moved.toml"]));
    desk.write("duel.toml", &duel(""));
    // A part that is named twice counts once.
    desk.page(&with(&merge, &["shards", "shards/shard-1-of-3", "--allow-missing"]));

    shard("halves", "1/2", &[]);
    let output = desk.refused(&with(&merge, &["halves"]));
    assert!(output.contains("both hold battles 0 to 165"), "{output}");

    shard("shards", "2/3", &[]);
    let result = "shards/shard-2-of-3/result.partial";
    let bytes = fs::read(desk.path().join(result)).unwrap();
    let mut spoilt = bytes.clone();
    *spoilt.last_mut().unwrap() ^= 1;
    fs::write(desk.path().join(result), &spoilt).unwrap();
    let output = desk.refused(&merge);
    assert!(output.contains("is damaged: its checksum does not fit"), "{output}");
    // The command that wrote it starts over, and says so.
    let again =
        desk.evens(&["run", "duel.toml", "--table", "outcomes", "--shard", "2/3", "-o", "shards"]);
    assert!(stderr(&again).contains("starting over"), "{}", stderr(&again));
    assert!(fs::read(desk.path().join(result)).unwrap() == bytes);
    desk.page(&merge);

    for other in ["format 3", "format 5"] {
        let bytes = String::from_utf8_lossy(&bytes).replacen("format 4", other, 1);
        fs::write(desk.path().join(result), bytes.as_bytes()).unwrap();
        let output = desk.refused(&merge);
        assert!(output.contains(&format!("has {other}")), "{output}");
    }
    assert_eq!(code(&desk.evens(&["merge", "."])), 3, "there is no partial result here");
    for wrong in ["0/3", "4/3", "1", "1/0"] {
        let output = desk.evens(&["run", "duel.toml", "--shard", wrong, "-o", "shards"]);
        assert_eq!(code(&output), 2, "{wrong}");
    }
    let until = ["run", "duel.toml", "--until", "margin=1pp", "--shard", "1/2", "-o", "shards"];
    assert_eq!(code(&desk.evens(&until)), 2);
    assert_eq!(code(&desk.evens(&["run", "duel.toml", "--shard", "1/2"])), 2, "where to?");
}

/// The state of a stopping rule in a partial result: whether there is evidence enough, and after how many battles the
/// next looks are.
fn look(desk: &Desk, folder: &str) -> (bool, Vec<u64>) {
    let bytes = fs::read(desk.path().join(folder).join("result.partial")).unwrap();
    let json = bytes.split(|&byte| byte == b'\n').nth(1).unwrap();
    let header: serde_json::Value = serde_json::from_slice(json).unwrap();
    let look = &header["stages"][0]["look"];
    let next = look["next"].as_array().unwrap().iter().map(|next| next.as_u64().unwrap());
    (look["enough"].as_bool().unwrap(), next.collect())
}

#[test]
fn a_run_with_a_stopping_rule_is_shared_out_in_ranges_and_ends_at_the_same_look() {
    for rule in ["margin=4pp", "ci=8pp"] {
        let desk = Desk::new();
        let until = ["run", "splinterlands/archetypes", "--until", rule, "--table", "outcomes"];
        let page = desk.page(&with(&until, &with(CSV, &["-o", "single"])));
        let battles = |from: u64, to: u64| {
            let range = format!("{from}..{to}");
            desk.page(&with(&until, &["--shard", &range, "-o", "parts", "-q"]));
            format!("parts/battles-{from}-to-{}", to - 1)
        };
        let (mut sum, mut at) = (battles(0, 250), 250);
        let told = desk.refused(&with(&["merge", &sum, "-o", "early"], CSV));
        assert!(told.contains("after 250 battles there is not evidence enough"), "{told}");
        assert!(!desk.path().join("early").exists(), "nothing was written");
        let mut looks = 0;
        while let (false, next) = look(&desk, &sum) {
            let middle = at + (next[0] - at) / 2;
            let mut parts = vec![sum.clone()];
            parts.push(battles(middle, next[0]));
            if middle > at {
                parts.push(battles(at, middle));
            }
            if looks == 0 {
                // A merge may neither reach beyond a look nor leave battles out.
                let later = battles(next[0], next[1]);
                let mut merge = vec!["merge", "--into", "refused", &later];
                merge.extend(parts.iter().map(String::as_str));
                let told = desk.refused(&merge);
                assert!(told.contains("has to be looked at after"), "{told}");
                let gap = desk.refused(&["merge", "--into", "refused", &sum, &later]);
                assert!(gap.contains("are missing between others"), "{gap}");
                let late = desk.refused(&with(&["merge", "-o", "refused", &later], CSV));
                assert!(late.contains("the first battles are missing"), "{late}");
            }
            let into = format!("sum-{}", next[0]);
            let mut merge = vec!["merge", "-q", "--into", &into];
            merge.extend(parts.iter().map(String::as_str));
            desk.page(&merge);
            (sum, at) = (into, next[0]);
            looks += 1;
        }
        assert!(looks > 1, "{rule}: {looks} looks");
        assert_eq!(desk.page(&with(&["merge", &sum, "-o", "merged"], CSV)), page, "{rule}");
        desk.same("single", "merged");
        // Battles after the decisive look do not count, and a first range that is long enough ends by itself.
        let later = battles(at, at + 100);
        let told = desk.refused(&["merge", &sum, &later, "--into", "refused"]);
        assert!(told.contains("there was evidence enough after"), "{told}");
        let all = battles(0, 10 * at);
        assert_eq!(desk.page(&with(&["merge", &all, "-o", "whole"], CSV)), page, "{rule}");
        desk.same("single", "whole");
    }
}

#[test]
fn shards_of_a_scoring_are_the_bytes_of_the_single_command() {
    let desk = Desk::new();
    desk.write("records.jsonl", &vec![super::score::results(); 5].join("\n"));
    let score = ["score", "records.jsonl", "--runs", "50", "--table", "forecasts"];
    let page = desk.page(&with(&score, &with(CSV, &["-o", "single"])));
    for number in ["3/4", "1/4", "4/4", "2/4"] {
        desk.page(&with(&score, &["--shard", number, "-o", "shards", "-q"]));
    }
    let part = |number: u64| format!("shards/shard-{number}-of-4");
    desk.page(&["merge", "-q", &part(4), &part(2), "--into", "even"]);
    desk.page(&["merge", "-q", &part(3), &part(1), "--into", "odd"]);
    assert_eq!(desk.page(&with(&["merge", "odd", "even", "-o", "merged"], CSV)), page);
    desk.same("single", "merged");
    let told = desk.refused(&["merge", "odd", "-o", "some"]);
    assert!(told.contains("battles are missing"), "{told}");
    // The records have moved to another file.
    fs::rename(desk.path().join("records.jsonl"), desk.path().join("moved.jsonl")).unwrap();
    assert_eq!(code(&desk.evens(&["merge", "odd", "even", "-o", "lost"])), 3);
    desk.page(&with(&["merge", "odd", "even", "--scenario", "moved.jsonl", "-o", "there"], CSV));
    let forecasts =
        |folder: &str| fs::read(desk.path().join(folder).join("forecasts.csv")).unwrap();
    assert!(forecasts("single") == forecasts("there"));
}

/// A sum beside its own parts in a folder of folders would be taken for one more part.
#[test]
fn a_sum_does_not_go_into_a_folder_that_is_added_up() {
    let desk = Desk::new();
    desk.write("mine.toml", &duel(""));
    for number in ["1/2", "2/2"] {
        desk.page(&[
            "run",
            "mine.toml",
            "--battles",
            "200",
            "--shard",
            number,
            "-o",
            "parts",
            "-q",
        ]);
    }
    for into in ["parts/all", "./parts/deep/er", "parts", "parts/shard-1-of-2/x"] {
        let told = desk.told(&["merge", "parts", "--into", into], 2);
        assert!(told.contains("or one around it or in it"), "{into}: {told}");
    }
    desk.page(&["merge", "parts", "--into", "parts-all", "-q"]);
    desk.page(&["merge", "parts", "-o", "whole", "-q"]);
}

/// Whoever has deleted the parts of a sum has its battles there alone.
#[test]
fn a_sum_is_replaced_only_by_one_that_has_all_of_its_battles() {
    let desk = Desk::new();
    desk.write("mine.toml", &duel(""));
    for number in ["1/3", "2/3", "3/3"] {
        let part = ["--shard", number, "-o", "parts", "-q"];
        desk.page(&with(&["run", "mine.toml", "--battles", "300"], &part));
    }
    let part = |number| format!("parts/shard-{number}-of-3");
    desk.page(&["merge", &part(1), &part(2), "--into", "sum", "-q"]);
    let there = fs::read(desk.path().join("sum/result.partial")).unwrap();
    for folders in [vec![part(3)], vec![part(2), part(3)]] {
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        let told = desk.told(&with(&["merge", "--into", "sum"], &folders), 2);
        let battles = if folders.len() == 1 { "200 battles" } else { "100 battles" };
        let expected = format!("sum has {battles} that none of these folders has");
        assert!(told.contains(&expected), "{told}");
        assert!(fs::read(desk.path().join("sum/result.partial")).unwrap() == there);
    }
    desk.page(&["merge", &part(3), "sum", "--into", "all", "-q"]);
    desk.page(&["merge", "parts", "--into", "sum", "-q"]);
    desk.page(&["merge", "sum", "-o", "whole", "-q"]);
}

/// Counts and rows of a sum change as one act.
#[cfg(unix)]
#[test]
fn a_sum_that_cannot_be_written_leaves_the_one_that_was_there() {
    let desk = Desk::new();
    desk.write("mine.toml", &duel(""));
    for number in ["1/2", "2/2"] {
        let run = ["run", "mine.toml", "--battles", "6000", "--table", "battles"];
        desk.page(&with(&run, &["--shard", number, "-o", "parts", "-q"]));
    }
    desk.page(&["merge", "parts/shard-1-of-2", "--into", "sum", "-q"]);
    let files = desk.files("sum");
    let bytes = || -> Vec<Vec<u8>> {
        files.iter().map(|name| fs::read(desk.path().join("sum").join(name)).unwrap()).collect()
    };
    let there = bytes();
    // In kilobytes: room for the rows that are there, and not for twice as many.
    let rows = there.iter().map(Vec::len).max().unwrap() / 1024 + 8;
    let line =
        format!("ulimit -f {rows} && exec '{}' merge parts --into sum", crate::program().display());
    let mut bash = assert_cmd::Command::new("bash");
    let output = bash.current_dir(desk.path()).args(["-c", &line]).output().unwrap();
    assert_ne!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(desk.files("sum"), files);
    assert!(bytes() == there, "nothing has changed");
    desk.page(&["merge", "parts", "--into", "sum", "-q"]);
    desk.page(&["merge", "sum", "-o", "whole", "-q", "--format", "csv"]);
}

/// What is unfinished in a folder beside the parts belongs to whoever writes there.
#[test]
fn parts_are_added_up_beside_what_is_no_part() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for number in ["1/2", "2/2"] {
        desk.page(&["run", "duel.toml", "--shard", number, "-o", "parts"]);
    }
    fs::create_dir(desk.path().join("parts/other")).unwrap();
    desk.write("parts/other/.evens-commit.json", "{}");
    desk.page(&["merge", "parts", "-o", "whole"]);
    assert_eq!(desk.read("parts/other/.evens-commit.json"), "{}");
}

/// A sum that was ended between its two files is finished wherever it is named.
#[test]
fn a_sum_that_was_left_half_done_is_finished_before_it_is_read() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    for number in ["1/2", "2/2"] {
        let run = ["run", "duel.toml", "--table", "battles", "--shard", number, "-o", "parts"];
        desk.page(&run);
    }
    desk.page(&["merge", "parts", "--into", "sum"]);
    let (sum, staged) = (desk.path().join("sum"), ".evens-staged-result");
    // As if the command had ended before the counts had their name.
    fs::rename(sum.join("result.partial"), sum.join(staged)).unwrap();
    let bytes = fs::read(sum.join(staged)).unwrap();
    let hash: String = <sha2::Sha256 as sha2::Digest>::digest(&bytes)
        .iter()
        .map(|of| format!("{of:02x}"))
        .collect();
    let note = serde_json::json!({
        "moves": [[staged, "result.partial"]],
        "sha256": { "result.partial": hash },
        "before": {},
        "removals": [],
    });
    desk.write("sum/.evens-commit.json", &note.to_string());
    desk.page(&with(&["merge", "sum", "-o", "whole"], CSV));
    desk.page(&with(&["merge", "parts", "-o", "single"], CSV));
    desk.same("single", "whole");
    assert!(!sum.join(".evens-commit.json").exists());
}
