//! How an Elder Tale session is told, and how it is counted.

use evens::chance::Seeded;
use evens::game::{Ended, Stratum, Watch, play};
use evens::games::eldertale::event::Event;
use evens::games::eldertale::setup::Setup;
use evens::games::eldertale::state::State;
use evens::games::eldertale::{ElderTale, activity};
use evens::scenario::{Document, Folder, load};
use evens::story::{Trace, Weight};
use evens::tally::{Layout, Measure, Record, Recorder};

/// A session without a die that has everything there is to tell: energy, queues, effects of each sort, All In.
const SESSION: &str = r#"game = "eldertale"
battles = 1

[all_in]
disable = [100]

[[cards]]
title = "Boost"
type = "Utility"
cost = 1
effects = [{ name = "Power", intensity = 2, hitduration = 3, roundduration = 3 }]

[[cards]]
title = "Venom"
type = "Utility"
cost = 1
targets = "one"
effects = [{ name = "Poison", intensity = 2, trigger = "on play" }]

[[cards]]
title = "Flails"
type = "Attack"
cost = 1
damage = 4
hits = 2
targets = "area"

[[cards]]
title = "Curse"
type = "Attack"
cost = 1
damage = 5
effects = [
    { name = "Guard Down", intensity = 2, hitduration = 1 },
    { name = "Doom", roundduration = 2 },
]

[[cards]]
title = "Ward"
type = "Defense"
cost = 1
defense = 5
effects = [
    { name = "Thorns", intensity = 3, hitduration = 1 },
    { name = "Gain Defense", intensity = 1 },
]

[[cards]]
title = "Balm"
type = "Utility"
cost = 1
effects = [{ name = "Heal", intensity = 4 }]

[[cards]]
title = "Poke"
type = "Attack"
cost = 1
damage = 2

[[characters]]
name = "Crow"
classes = ["Hunter", "Bard"]
hp = 30
policy = "scripted"
deck = ["Boost", "Venom", "Flails", "Curse"]
script = [["Boost", "Flails=Wren, Wren"], ["Venom", "Curse", "Flails"]]

[[characters]]
name = "Wren"
hp = 12
memory = 1
policy = "scripted"
deck = ["Ward", "Balm", "Poke"]
script = [["Ward", "Balm", "Poke"]]

[sides]
a = ["Crow"]
b = ["Wren"]
"#;

const STRATUM: Stratum = Stratum { matchup: 0, condition: 0 };

fn setup() -> Setup {
    let document = Document::new("story.toml", SESSION.to_owned(), Folder::Disk("".into()));
    load::<ElderTale>(&document).unwrap().setup
}

#[test]
fn a_session_as_a_story() {
    let mut trace = Trace::default();
    play::<ElderTale, _, _>(&setup(), STRATUM, &mut Seeded::from_seed(1), &mut trace);
    let mut text = String::new();
    for line in &trace.lines {
        let indent = match line.weight {
            Weight::Heading => "\n",
            Weight::Action => "  ",
            Weight::Consequence => "    ",
            Weight::Detail => "      ",
        };
        text += &format!("{indent}{}\n", line.text);
        assert!(line.facts["event"].is_string(), "{}", line.facts);
    }
    insta::assert_snapshot!(text);
}

fn counted() -> (Layout, Record, Ended<State>) {
    let setup = setup();
    let layout = ElderTale::layout(&setup);
    let mut record = Record::new(&layout);
    record.clear(STRATUM);
    let mut recorder = Recorder::<ElderTale>::new(&mut record);
    let ended = play::<ElderTale, _, _>(&setup, STRATUM, &mut Seeded::from_seed(1), &mut recorder);
    ElderTale::metrics(&setup, &ended.state, &mut record.metrics);
    ElderTale::fighters(&setup, &ended.state, &mut record);
    (layout, record, ended)
}

#[test]
fn the_same_session_as_it_is_counted() {
    let (layout, record, _) = counted();
    let mut text = String::new();
    for fighter in &record.fighters {
        let unit = &layout.units[usize::from(fighter.unit)];
        text += &format!(
            "{} {} {}: dealt {}, taken {}{}\n",
            fighter.side,
            unit.kind,
            unit.name,
            fighter.dealt,
            fighter.taken,
            if fighter.survived { ", there at the end" } else { "" }
        );
    }
    for (name, value) in layout.metrics.iter().zip(&record.metrics) {
        text += &format!("{name}: {value}\n");
    }
    for order in record.orders() {
        let items: Vec<&str> = order
            .items()
            .iter()
            .map(|&item| layout.order_items[usize::from(item)].as_str())
            .collect();
        text += &format!(
            "{}: {}\n",
            layout.moments[usize::from(order.moment())].name,
            items.join(" > ")
        );
    }
    insta::assert_snapshot!(text);
}

/// Counts how often each card and effect did something.
#[derive(Default)]
struct Counted(Vec<u64>);

impl Watch<ElderTale> for Counted {
    fn see(&mut self, setup: &Setup, state: &State, event: Event) {
        activity::note(setup, state, event, &mut self.0);
    }
}

#[test]
fn what_never_did_anything_in_the_same_session() {
    let setup = setup();
    let labels = activity::labels(&setup);
    let mut counted = Counted(vec![0; labels.len()]);
    play::<ElderTale, _, _>(&setup, STRATUM, &mut Seeded::from_seed(1), &mut counted);
    let told: Vec<(&str, u64)> =
        labels.iter().map(String::as_str).zip(counted.0.iter().copied()).collect();
    insta::assert_debug_snapshot!(told);
}

#[test]
fn an_effect_that_is_lost_for_want_of_room_is_told() {
    let text = r#"game = "eldertale"
battles = 1
last_round = 9

[[cards]]
title = "Rage"
type = "Utility"
cost = 1
effects = [
    { name = "Power", intensity = 3, hitduration = 1 },
    { name = "Power", intensity = 3, hitduration = 1 },
]

[[cards]]
title = "Curse"
type = "Utility"
cost = 1
targets = "one"
effects = [{ name = "Doom", intensity = 1, roundduration = 9 }]

[[characters]]
name = "Ann"
policy = "scripted"
deck = ["Rage*2"]
script = [["Rage", "Rage"]]

[[characters]]
name = "Bob"
policy = "scripted"
deck = ["Curse"]
script = [[], [], [], [], [], [], ["Curse"], []]

[sides]
a = ["Ann"]
b = ["Bob"]
"#;
    let document = Document::new("story.toml", text.to_owned(), Folder::Disk("".into()));
    let setup = load::<ElderTale>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let mut trace = Trace::default();
    play::<ElderTale, _, _>(&setup, STRATUM, &mut Seeded::from_seed(1), &mut trace);
    let told = |of: &str| trace.lines.iter().filter(|line| line.text == of).count();
    // Four in each of six turns, then one that displaces another, then only such as find no room.
    assert_eq!(told("Power 3 (1 hit) on A Ann"), 24);
    assert_eq!(told("Doom 1 (9 rounds) on A Ann") + told("Doom (9 rounds) on A Ann"), 1);
    let lost = "A Ann bears 24 effects, the most: Power 3 (1 hit) is lost";
    assert_eq!(told(lost), 13);
    let facts = trace.lines.iter().find(|line| line.text == lost).map(|line| &line.facts);
    assert_eq!(facts.unwrap()["event"], "effect_lost");
}

/// The text of a session's story, without indents, and the facts of its lines.
fn told(text: &str) -> (Vec<String>, Vec<serde_json::Value>) {
    let document = Document::new("story.toml", text.to_owned(), Folder::Disk("".into()));
    let setup = load::<ElderTale>(&document).unwrap_or_else(|faults| panic!("{faults:?}")).setup;
    let mut trace = Trace::default();
    play::<ElderTale, _, _>(&setup, STRATUM, &mut Seeded::from_seed(1), &mut trace);
    trace.lines.into_iter().map(|line| (line.text, line.facts)).unzip()
}

/// What a card costs and what is left to pay with stands beside each play; what a script says and its player cannot do
/// is told as well.
#[test]
fn what_a_script_leaves_out_is_told() {
    let (lines, facts) = told(
        r#"game = "eldertale"
battles = 1
last_round = 1

[[cards]]
title = "Swing"
type = "Attack"
cost = 2
damage = 4

[[cards]]
title = "Poke"
type = "Attack"
cost = 1
damage = 1

[[cards]]
title = "Once"
type = "Utility"
cost = 1
singleuse = true
effects = [{ name = "Power", intensity = 1, hitduration = 1 }]

[[characters]]
name = "Ann"
policy = "scripted"
deck = ["Swing", "Poke"]
script = [["Swing", "Poke"]]

[[characters]]
name = "Bob"
policy = "scripted"
deck = ["Poke", "Once"]
script = [["Once", "Once", "Poke"]]

[sides]
a = ["Ann"]
b = ["Bob"]
"#,
    );
    for line in [
        "Poke is left out: it costs 1 energy, with 0 left by then",
        "A Ann plays Swing at B Bob (2 of 2 energy)",
        "Once is left out: no further copy is in hand",
        "B Bob plays Once (1 of 3 energy)",
        "B Bob plays Poke at A Ann (1 of 2 energy)",
    ] {
        assert_eq!(lines.iter().filter(|told| *told == line).count(), 1, "{line}\n{lines:#?}");
    }
    let left_out: Vec<_> = facts.iter().filter(|fact| fact["event"] == "left_out").collect();
    assert_eq!(left_out.len(), 2, "{lines:#?}");
    assert_eq!((&left_out[0]["why"], &left_out[0]["energy"]), (&"energy".into(), &0.into()));
    assert_eq!((&left_out[1]["why"], &left_out[1]["actor"]), (&"hand".into(), &"B".into()));
    let plays = facts.iter().filter(|fact| fact["event"] == "play");
    assert_eq!(
        plays.map(|fact| fact["energy_left"].as_u64()).collect::<Vec<_>>(),
        [Some(0), Some(2), Some(1)]
    );
}

#[test]
fn an_attack_that_is_lost_with_its_target_is_told() {
    let (lines, facts) = told(
        r#"game = "eldertale"
battles = 1
last_round = 2

[[cards]]
title = "Whirl"
type = "Attack"
cost = 1
damage = 4
hits = 2
targets = "area"

[[cards]]
title = "Venom"
type = "Utility"
cost = 1
targets = "one"
effects = [{ name = "Poison", intensity = 9 }]

[[characters]]
name = "Ann"
hp = 9
policy = "scripted"
deck = ["Whirl"]
script = [[]]

[[characters]]
name = "Bob"
policy = "scripted"
deck = ["Whirl"]
script = [["Whirl=Ann, Cyd"], []]

[[characters]]
name = "Cyd"
policy = "scripted"
deck = ["Venom"]
script = [["Venom=Ann"], []]

[sides]
a = ["Ann"]
b = ["Bob"]
c = ["Cyd"]
"#,
    );
    let out = lines.iter().position(|line| line == "A Ann is out").expect("she goes out");
    assert_eq!(lines[out + 1], "Whirl (1x4) of B Bob is lost with A Ann");
    assert_eq!(facts[out + 1]["event"], "lost_attack");
    let lost = facts.iter().filter(|fact| fact["event"] == "lost_attack");
    assert_eq!(lost.count(), 1);
}
