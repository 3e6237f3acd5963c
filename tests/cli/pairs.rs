//! Pairs of units.

use std::collections::BTreeMap;

use super::{Desk, code, duel, flat, stderr, stdout};

/// A few cards under single rulesets; one card makes the magic of others stronger.
const SCENARIO: &str = "game = \"splinterlands\"\nquestion = \"Who goes with whom?\"\nbattles = 6000\n\
    league = \"silver\"\nmana_caps = [20]\n\
    [rulesets]\nonly = [\"Standard\", \"Lost Magic\"]\ntwo = 0\n\
    [[pools]]\nname = \"Life and Water\"\nsummoners = [\"Alric Stormbringer\", \"Bortus\"]\n\
    [sides]\na = [\"Life and Water\"]\nb = [\"Life and Water\"]\n";

#[test]
fn pairs_that_do_better_together_on_a_page() {
    let desk = Desk::new();
    desk.write("my.toml", SCENARIO);
    let output = desk.evens(&[
        "run",
        "my.toml",
        "--only",
        "pairs",
        "--table",
        "unit_pairs",
        "-o",
        "out",
        "--format",
        "csv",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let page = stdout(&output);
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    let section = page.find("Pairs of units").expect("a section of pairs");
    let end = page[section..].find("\n\n").map_or(page.len(), |length| section + length);
    insta::assert_snapshot!(&page[section..end]);
    let table = desk.read("out/unit_pairs.csv");
    insta::assert_snapshot!("unit_pairs_csv", table.lines().take(6).collect::<Vec<_>>().join("\n"));
}

/// With one ruleset per battle, the pairs of all rulesets add up to all pairs, and every team of four to six monsters
/// and a summoner has the right number of pairs.
#[test]
fn pairs_by_ruleset_add_up() {
    let desk = Desk::new();
    desk.write("my.toml", SCENARIO);
    let counts = |table: &str, first: usize| {
        let output = desk.evens(&["run", "my.toml", "--table", table, "-o", "-"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let mut counts: BTreeMap<[String; 2], u64> = BTreeMap::new();
        for line in stdout(&output).lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let units = [cells[first].to_owned(), cells[first + 1].to_owned()];
            let count = counts.entry(units).or_default();
            *count += cells[first + 2].parse::<u64>().unwrap();
        }
        counts
    };
    let whole = counts("unit_pairs", 1);
    assert!(whole.len() > 100 && whole == counts("unit_pairs_by_ruleset", 2));
    let pairs: u64 = whole.values().sum();
    assert!((12_000 * 10..=12_000 * 21).contains(&pairs), "{pairs}");
}

/// P-values are adjusted over all rulesets together, because a reader who looks for the smallest one picks it from all
/// of them.
#[test]
fn pairs_by_ruleset_are_adjusted_for_all_of_the_table() {
    let desk = Desk::new();
    desk.write("my.toml", SCENARIO);
    let output = desk.evens(&["run", "my.toml", "--table", "unit_pairs_by_ruleset", "-o", "-"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
    let headers = rows.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (p_value, p_adjusted) = (at("p_value"), at("p_adjusted"));
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let number = |row: &csv::StringRecord, at: usize| row[at].parse().unwrap_or(f64::NAN);
    let p: Vec<f64> = rows.iter().map(|row| number(row, p_value)).collect();
    let known = p.iter().filter(|p| !p.is_nan()).count();
    assert!(known > 100, "{known}");
    for (row, expected) in rows.iter().zip(evens::statistics::benjamini_hochberg(&p)) {
        let has = number(row, p_adjusted);
        assert!((has - expected).abs() < 1e-6 || (has.is_nan() && expected.is_nan()), "{row:?}");
    }
}

#[test]
fn fixed_teams_have_no_pairs() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let output = desk.evens(&[
        "run",
        "duel.toml",
        "--table",
        "unit_pairs",
        "--table",
        "outcomes",
        "-o",
        "out",
        "--format",
        "csv",
    ]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(desk.files("out"), ["outcomes.csv", "provenance.json", "report.json"]);
}

/// The template has a team that some rulesets forbid: its forfeits do not become lifts of its pairs.
#[test]
fn forfeits_lift_no_pairs() {
    let desk = Desk::new();
    assert_eq!(code(&desk.evens(&["new", "splinterlands", "my.toml"])), 0);
    let run = ["run", "my.toml", "--battles", "3000", "--table", "unit_pairs", "-o", "-"];
    let output = desk.evens(&[&run[..], &["--format", "csv"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let mut rows = csv::Reader::from_reader(output.stdout.as_slice());
    let headers = rows.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (contender, lift) = (at("contender"), at("lift"));
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let fixed: Vec<&str> =
        rows.iter().filter(|row| &row[contender] == "Imp and ogre").map(|row| &row[lift]).collect();
    assert_eq!(
        fixed, [""; 10],
        "both of a pair are in every team that fought: nothing can be known"
    );
}

/// The page says so where forfeits leave units with other opponents. Lifts are not affected: they compare battles
/// against the same opponents.
#[test]
fn forfeits_that_leave_other_opponents_are_told_of() {
    let desk = Desk::new();
    let pool = "[[pools]]\nname = \"Anybody\"\npolicy = \"fill\"\n[sides]";
    let both = duel("").replace("illegal_teams = \"lose\"\n", "");
    let both = both.replace(
        "league = \"silver\"",
        "league = \"silver\"\nillegal_teams = \"lose\"\nmana_caps = [30]",
    );
    let both = both.replace(
        "fixed = [\"Standard\"]",
        "only = [\"Standard\", \"Lost Magic\", \"Keep Your Distance\"]",
    );
    let both =
        both.replace("[sides]", pool).replace("a = [\"Fire\"]", "a = [\"Fire\", \"Anybody\"]");
    desk.write("both.toml", &both.replace("b = [\"Water\"]", "b = [\"Anybody\"]"));
    let page = desk.page(&["run", "both.toml", "--battles", "6000", "--full"]);
    let told = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("Forfeits have left units with some opponents more often"), "{page}");
    assert!(told.contains("a unit's figures may be whom it met"), "{page}");
    assert!(!told.contains("two do together may be whom they met"), "{page}");
    let page = desk.page(&["run", "drawn-teams", "--battles", "3000", "--full"]);
    assert!(!page.contains("Forfeits have left"), "{page}");
}

/// The lift of each partner of a unit, with whether its interval leaves 0 out, and its p-value.
fn partners(page: &str) -> Vec<(bool, f64)> {
    let table = page.split("  together with ").skip(1);
    let lines =
        table.flat_map(|table| table.lines().skip(2).take_while(|line| line.contains(" pp ")));
    let read = |line: &str| {
        let (lift, rest) = line.split_once(" pp ").unwrap();
        let lift: f64 = lift.split_whitespace().last().unwrap().parse().unwrap();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (p, ends) = words.split_last().unwrap();
        let reach = |word: &str| word.trim_start_matches(['±', '-', '+']).parse::<f64>().unwrap();
        // The end that is nearer to 0: below a positive lift, above a negative one.
        let near = reach(if lift > 0.0 { ends[0] } else { ends[ends.len() - 1] });
        (lift.abs() > near, p.trim_start_matches('<').parse().unwrap())
    };
    lines.map(read).collect()
}

/// Intervals of lifts and their p-values allow for the same pairs: an interval leaves 0 out only where the p-value is
/// small.
#[test]
fn intervals_of_partners_say_what_their_p_values_say() {
    let desk = Desk::new();
    desk.page(&["new", "solforge", "my.toml"]);
    desk.write("teams.toml", SCENARIO);
    let mut clear = 0;
    for run in [
        ["my.toml", "--unit", "Thorn Warden", "--battles", "2000"],
        ["my.toml", "--unit", "Spring Dryad", "--battles", "2000"],
        ["teams.toml", "--unit", "Alric Stormbringer", "--battles", "6000"],
    ] {
        let mut command = assert_cmd::Command::new(crate::program());
        command.current_dir(desk.path()).env("COLUMNS", "120").arg("run").args(run);
        let page = stdout(&command.output().unwrap());
        let found = partners(&page);
        assert!(found.len() >= 8, "{page}");
        for (leaves_0_out, p) in found {
            assert!(p < 0.05 || !leaves_0_out, "{page}");
            clear += usize::from(leaves_0_out);
        }
        let said = "Its interval and p allow for all pairs of the run, its interval also for the choice of the largest.";
        assert!(flat(&page).contains(said), "{page}");
    }
    assert!(clear > 0, "some pair is known to do more together");
}
