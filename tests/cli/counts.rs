//! What pages say of counts, places and means.

use super::{Desk, flat};

/// Where a unit may stand among its kind is an interval, of each by itself or of all at once.
#[test]
fn places_say_what_they_cover() {
    let desk = Desk::new();
    let scenario = "game = \"splinterlands\"\nbattles = 2400\nleague = \"silver\"\nmana_caps = [20]\n\
        [rulesets]\nonly = [\"Standard\"]\ntwo = 0\n\
        [[pools]]\nname = \"Fire\"\nfactions = [\"Fire\"]\nsummoners = [\"Malric Inferno\"]\n\
        [sides]\na = [\"Fire\"]\nb = [\"Fire\"]\n";
    desk.write("fire.toml", scenario);
    let run = flat(&desk.page(&["run", "fire.toml", "--only", "units"]));
    let said = "place: where it may truly stand among them, with 95% for each by itself and not for all at once.";
    assert!(run.contains(said), "{run}");
    let one = flat(&desk.page(&["run", "fire.toml", "--unit", "Goblin Shaman"]));
    assert!(one.contains("(95%, for it alone); drawn towards their mean"), "{one}");
    let worth = flat(&desk.page(&["worth", "fire.toml", "--replace", "1"]));
    let said = "place: where it may stand among its kind, with 95% for all of the kind at once and not only for each by itself.";
    assert!(worth.contains(said), "{worth}");
}
