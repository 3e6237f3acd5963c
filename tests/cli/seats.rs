//! What is said of contenders, seats and opponents where not everybody has the same of them.

use super::{Desk, code, flat, stderr, stdout};

/// Groups of two of the same minion each, in Sanctum, where the first to strike wins.
fn groups(sides: &str) -> String {
    let minion = |name: &str, hit_points: u8| {
        format!(
            "[[minions]]\nname = \"{name}\"\nhand = 2\nhit_points = {hit_points}\n\
             [[groups]]\nname = \"{name}s\"\nminions = [\"2 {name}\"]\n"
        )
    };
    let all = [("Ash", 9), ("Bog", 9), ("Clay", 9), ("Oak", 15), ("Reed", 4)];
    let minions: String = all.iter().map(|(name, points)| minion(name, *points)).collect();
    format!("game = \"sanctum\"\nbattles = 400\n[sides]\n{sides}\n{minions}")
}

/// The first seat always wins: three equals who take it differently often are no field, and the page says why scores differ.
#[test]
fn a_seat_is_nobodys_strength() {
    let desk = Desk::new();
    let sides = "a = [\"Ashs\", \"Bogs\"]\nb = [\"Bogs\", \"Clays\"]\nprecedence = \"a\"";
    desk.write("seats.toml", &groups(sides));
    let page = flat(&desk.page(&["run", "seats.toml", "--full"]));
    assert!(page.contains("so a seat's advantage is part of its contenders' scores"), "{page}");
    assert!(!page.contains("at equilibrium") && !page.contains("does best"), "{page}");
    let tables = desk.page(&["run", "seats.toml", "--json", "--table", "field"]);
    let printed: serde_json::Value = serde_json::from_str(&tables).unwrap();
    assert_eq!(printed["tables"]["field"], serde_json::json!([]));
    let tune = ["tune", "seats.toml", "--stats", "--within", "5pp", "--battles", "200"];
    let output = desk.evens(&[&tune[..], &["--confirm", "200", "--edits", "1"]].concat());
    let page = flat(&stdout(&output));
    assert!(page.contains("a lead holds the advantage of a seat, too"), "{page}");
    // Where both take both seats, nothing of it is said.
    let sides = "a = [\"Ashs\", \"Bogs\"]\nb = [\"Ashs\", \"Bogs\"]\nprecedence = \"a\"";
    desk.write("swapped.toml", &groups(sides));
    let page = flat(&desk.page(&["run", "swapped.toml", "--full"]));
    assert!(!page.contains("is part of"), "{page}");
    assert!(page.contains("against even, on average over the match-ups."), "{page}");
}

#[test]
fn a_schedule_is_nobodys_strength() {
    let desk = Desk::new();
    let sides = "a = [\"Ashs\", \"Oaks\"]\nb = [\"Bogs\", \"Reeds\"]\nprecedence = \"either\"";
    desk.write("schedule.toml", &groups(sides));
    let page = flat(&desk.page(&["run", "schedule.toml"]));
    assert!(page.contains("Contenders meet different opponents"), "{page}");
    let tune = ["tune", "schedule.toml", "--stats", "--within", "5pp", "--battles", "200"];
    let output = desk.evens(&[&tune[..], &["--confirm", "200", "--edits", "1"]].concat());
    let page = flat(&stdout(&output));
    assert!(page.contains("different opponents: a lead holds how strong these are"), "{page}");
}

/// Where one group has the first strike and the other strikes back, opposite seats are better and cancel out.
#[test]
fn seats_that_are_better_for_some_alone_are_told() {
    let desk = Desk::new();
    desk.write(
        "opposite.toml",
        "game = \"sanctum\"\nbattles = 400\n[sides]\na = [\"X\", \"Y\"]\nb = [\"X\", \"Y\"]\nprecedence = \"a\"\n\
         [[minions]]\nname = \"Ex\"\nhand = 2\nhit_points = 9\n\
         [[minions]]\nname = \"Why\"\nhand = 1\nhit_points = 9\n\
         effects = [{ when = \"is_hit\", does = \"damage\", amount = 6, on = \"foe\" }]\n\
         [[groups]]\nname = \"X\"\nminions = [\"2 Ex\"]\n[[groups]]\nname = \"Y\"\nminions = [\"2 Why\"]\n",
    );
    let page = flat(&desk.page(&["run", "opposite.toml"]));
    assert!(page.contains("No seat is visibly better: side A has 0.0 pp"), "{page}");
    assert!(page.contains("In 2 of 3 pairings a seat is visibly better."), "{page}");
}

/// Groups that never beat each other, and one that beats all: by decided battles most is not known, and is not even.
#[test]
fn what_no_decided_battle_tells_is_not_known() {
    let desk = Desk::new();
    let walls: String = (0..4)
        .map(|at| {
            format!(
                "[[minions]]\nname = \"Wall {at}\"\nhand = 1\nhit_points = 40\n\
                 [[groups]]\nname = \"D{at}\"\nminions = [\"2 Wall {at}\"]\n"
            )
        })
        .collect();
    let all = "[\"D0\", \"D1\", \"D2\", \"D3\", \"F\"]";
    desk.write(
        "walls.toml",
        &format!(
            "game = \"sanctum\"\nbattles = 2000\n[sides]\na = {all}\nb = {all}\n{walls}\
             [[minions]]\nname = \"Strong\"\nhand = 5\nhit_points = 14\n\
             [[groups]]\nname = \"F\"\nminions = [\"3 Strong\"]\n"
        ),
    );
    let run = ["run", "walls.toml", "--measure", "decided", "--only", "matchups"];
    let page = flat(&desk.page(&run));
    assert!(page.contains("Of 16 match-ups nothing is known"), "{page}");
    assert!(!page.contains("not more uneven") && !page.contains("Too few battles"), "{page}");
    let plan = ["plan", "walls.toml", "--measure", "decided", "--comparison", "contenders"];
    let page = flat(&desk.page(&[&plan[..], &["--margin", "5pp"]].concat()));
    let unseen = "4 more comparisons did not come up in the pilot, or nobody won a battle of some match-up there";
    assert!(page.contains(unseen), "{page}");
    let tune = ["tune", "walls.toml", "--stats", "--measure", "decided", "--within", "5pp"];
    let output = desk.evens(&[&tune[..], &["--battles", "500", "--confirm", "500"]].concat());
    let page = flat(&stdout(&output));
    assert!(!page.contains("Ended early") && !page.contains("NaN"), "{page}{}", stderr(&output));
}

#[test]
fn no_plan_finds_what_cannot_be() {
    let desk = Desk::new();
    let sides = "a = [\"Ashs\"]\nb = [\"Bogs\"]\nprecedence = \"either\"";
    desk.write("two.toml", &groups(sides));
    for (battles, finds) in [("2", false), ("6", false), ("100", true)] {
        let plan = ["plan", "two.toml", "--comparison", "change", "--battles", battles];
        let page = flat(&desk.page(&plan));
        assert_eq!(!page.contains("no difference, however large"), finds, "{battles}: {page}");
    }
    let score = flat(&desk.page(&["plan", "two.toml", "--battles", "2"]));
    assert!(score.contains("give intervals of ±50 pp"), "{score}");
}

/// 9 and 10 hit points are as good: where even lies is the same seen from either side.
#[test]
fn several_values_in_a_row_are_even() {
    let desk = Desk::new();
    let sides = "a = [\"Ashs\", \"Bogs\"]\nb = [\"Ashs\", \"Bogs\"]\nprecedence = \"either\"";
    desk.write("two.toml", &groups(sides));
    for values in ["8,9,10,11", "0x8,0x9,0xA,0xB"] {
        let values = format!("minions.Ash.hit_points={values}");
        let output = desk.evens(&["sweep", "two.toml", "--set", &values, "--battles", "2000"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let page = flat(&stdout(&output));
        assert_eq!(page.matches("about 9.0 to 10.0").count(), 2, "{page}");
    }
}
