//! `evens trace --html`, and the same battle as data for programs: one page, safe, with the same bytes every time.

use std::process::Output;

use serde_json::Value;

use super::*;

/// One scenario of each game.
const SCENARIOS: [&str; 4] =
    ["splinterlands/drawn-teams", "solforge/factions", "sanctum/surrounded", "eldertale/three-way"];

fn page(desk: &Desk, arguments: &[&str]) -> String {
    let output = desk.evens(&[arguments, &["--html", "battle.html"]].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).starts_with("wrote battle.html ("), "{}", stderr(&output));
    desk.read("battle.html")
}

/// The data that the scripts of a page read.
fn data(page: &str) -> Value {
    let (_, from) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (json, _) = from.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// One board of a page, put together from its parts, in the shape that `--boards` prints.
fn board(data: &Value, number: usize) -> Value {
    let at = |list: &str, number: &Value| data[list][number.as_u64().unwrap() as usize].clone();
    let mut board = data["boards"][number].clone();
    for side in board["sides"].as_array_mut().unwrap() {
        *side = at("sides", side);
        for zone in side["zones"].as_array_mut().unwrap() {
            *zone = at("zones", zone);
            let units = zone["units"].as_array().unwrap().iter();
            zone["spaces"] = units
                .map(|unit| if unit.is_null() { Value::Null } else { at("units", unit) })
                .collect();
            zone.as_object_mut().unwrap().remove("units");
        }
    }
    bare(board)
}

/// A value without parts that carry no information: empty lists, nulls outside of spaces, `false`.
fn bare(mut value: Value) -> Value {
    if let Value::Object(object) = &mut value {
        for of in object.values_mut() {
            *of = bare(of.take());
        }
        object.retain(|name, of| {
            let empty = of.as_array().is_some_and(Vec::is_empty)
                && !matches!(&**name, "zones" | "sides" | "spaces");
            !of.is_null() && !empty && *of != Value::Bool(false)
        });
    } else if let Value::Array(list) = &mut value {
        for of in list {
            *of = bare(of.take());
        }
    }
    value
}

#[test]
fn a_page_has_every_line_and_board_of_the_battle() {
    let desk = Desk::new();
    for scenario in SCENARIOS {
        let page = page(&desk, &["trace", scenario, "--battle", "3"]);
        let data = data(&page);
        let steps = data["steps"].as_array().unwrap();
        let told = lines(&desk.evens(&["trace", scenario, "--battle", "3", "--json", "--boards"]));
        let plain = lines(&desk.evens(&["trace", scenario, "--battle", "3", "--json"]));

        // The page has every line of the story except the heading, and tells the end in its own words.
        let count: usize = steps.iter().map(|step| step["lines"].as_array().unwrap().len()).sum();
        assert_eq!(count, plain.len() - 1, "{scenario}");
        assert_eq!(page.matches(" id=\"line-").count(), steps.len());
        let end = plain.last().unwrap();
        let text = steps.last().unwrap()["lines"][0]["text"].as_str().unwrap();
        let rounds = end["rounds"].as_u64().unwrap();
        assert!(text.contains(&format!("after {rounds} ")), "{text}");
        match end["outcome"].as_str().unwrap().strip_suffix(" wins") {
            Some(side) => assert!(text.contains(&format!("({side}) wins")), "{text}"),
            None => assert!(text.starts_with("A draw") || text.starts_with("Undecided"), "{text}"),
        }

        // Boards and dice are those that `--boards` prints; without this flag there are none.
        assert!(plain.iter().all(|line| line["board"].is_null() && line["dice"].is_null()));
        let boards = told
            .iter()
            .filter(|line| !line["board"].is_null())
            .map(|line| bare(line["board"].clone()));
        let mut numbers: Vec<usize> =
            steps.iter().map(|step| step["board"].as_u64().unwrap() as usize).collect();
        numbers.dedup();
        let shown: Vec<Value> = numbers.iter().map(|&number| board(&data, number)).collect();
        assert_eq!(shown, boards.collect::<Vec<_>>(), "{scenario}");
        let dice = |of: &[Value]| -> Vec<Value> {
            of.iter()
                .flat_map(|line| line["dice"].as_array().cloned().unwrap_or_default())
                .collect()
        };
        assert_eq!(dice(steps), dice(&told), "{scenario}");
        assert!(!dice(steps).is_empty());
        let mut without = told;
        for line in &mut without {
            let line = line.as_object_mut().unwrap();
            line.remove("board");
            line.remove("dice");
        }
        assert_eq!(without, plain, "--boards adds and changes nothing else");
    }
}

/// The page shows the same battle as the table of battles.
#[test]
fn the_last_board_is_what_the_table_says() {
    let desk = Desk::new();
    let scenario = "splinterlands/mirror";
    let arguments = ["run", scenario, "--battles", "8", "--table", "battles", "-o", "-"];
    let table = stdout(&desk.evens(&arguments));
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let headers = rows.headers().unwrap().clone();
    for (battle, row) in rows.records().enumerate() {
        let row = row.unwrap();
        let data = data(&page(&desk, &["trace", scenario, "--battle", &battle.to_string()]));
        let last = data["steps"].as_array().unwrap().last().unwrap()["board"].as_u64().unwrap();
        let board = board(&data, last as usize);
        for side in ["a", "b"] {
            let column = headers.iter().position(|header| header == format!("survivors_{side}"));
            let at = usize::from(side == "b");
            let units = board["sides"][at]["zones"][0]["spaces"].as_array().unwrap();
            let there = units.iter().filter(|unit| unit["fate"].is_null());
            assert_eq!(
                there.count().to_string(),
                row[column.unwrap()],
                "battle {battle}, side {side}"
            );
        }
    }
}

#[test]
fn a_page_is_one_small_file_that_loads_nothing() {
    let desk = Desk::new();
    for scenario in SCENARIOS {
        let arguments = ["trace", scenario, "--pick", "longest", "--among", "30"];
        let html = page(&desk, &arguments);
        assert_eq!(html, page(&desk, &arguments), "the same bytes again");
        assert!(html.len() < 2_000_000, "{scenario}: {} bytes", html.len());
        assert!(html.contains("default-src 'none'"));
        let namespace = "http://www.w3.org/2000/svg";
        let html = html.replace(namespace, "");
        for loads in
            ["http:", "https:", " src=", "url(", "@import", "fetch(", "XMLHttpRequest", "innerHTML"]
        {
            assert!(!html.contains(loads), "{scenario}: {loads}");
        }
        assert_eq!(html.matches("</script>").count(), 2);
    }
}

/// Names are shown as text, whatever is in them.
#[test]
fn a_name_cannot_end_a_script_or_become_an_element() {
    let desk = Desk::new();
    let name = "</script><img src=x onerror=alert(1)><!--\\u202e&amp;'\\\"";
    let scenario = duel("").replace("\"Fire\"", &format!("\"{name}\""));
    desk.write("duel.toml", &scenario);
    let html = page(&desk, &["trace", "duel.toml", "--battle", "0"]);
    assert_eq!(html.matches("</script>").count(), 2);
    assert_eq!(html.matches("<img").count(), 0);
    assert!(!html.contains('\u{202e}'), "nothing turns the direction of writing");
    assert!(html.contains("&lt;/script&gt;&lt;img src=x"));
    let shown = data(&html)["contenders"][0].as_str().unwrap().to_owned();
    assert_eq!(shown, "</script><img src=x onerror=alert(1)><!--\\u{202e}&amp;'\"");
}

#[test]
fn a_page_says_how_to_make_it_again() {
    let desk = Desk::new();
    desk.write("my duel.toml", &duel(""));
    let html = page(&desk, &["trace", "my duel.toml", "--pick", "win", "--seed", "5"]);
    let (_, from) = html.split_once("<code>").unwrap();
    let (command, _) = from.split_once("</code>").unwrap();
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(&words[..4], ["evens", "trace", "&#39;my", "duel.toml&#39;"], "{command}");
    assert_eq!(&words[6..], ["--seed", "5", "--html", "battle.html"], "{command}");
    let battle = words[5];
    assert_eq!(html, page(&desk, &["trace", "my duel.toml", "--battle", battle, "--seed", "5"]));
}

#[test]
fn a_page_goes_where_it_is_told_or_nowhere() {
    let desk = Desk::new();
    desk.write("duel.toml", &duel(""));
    let trace = |arguments: &[&str]| {
        desk.evens(&[&["trace", "duel.toml", "--battle", "0"], arguments].concat())
    };
    let piped = trace(&["--html", "-"]);
    assert_eq!(code(&piped), 0);
    assert!(stdout(&piped).starts_with("<!doctype html>"));
    assert_eq!(stderr(&piped), "");
    let into = trace(&["--html", "duel.toml"]);
    assert_ne!(code(&into), 0);
    assert_eq!(desk.read("duel.toml"), duel(""), "{}", stderr(&into));
    let nowhere = trace(&["--html", "no/such/folder.html"]);
    assert_eq!(code(&nowhere), 1);
    assert!(stderr(&nowhere).contains("no/such/folder.html"), "{}", stderr(&nowhere));
    assert_eq!(code(&trace(&["--html", "-", "--json"])), 2);
    assert_eq!(code(&trace(&["--boards"])), 2);
    assert_eq!(desk.files("."), ["duel.toml"]);
}
