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
