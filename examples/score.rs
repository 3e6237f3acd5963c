use std::path::{Path,PathBuf};
use std::str::FromStr;
use evens::chance::*; use evens::game::*;
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ability::{Abilities, Ability};
use evens::games::splinterlands::cards::*;
use evens::games::splinterlands::ruleset::*;
use evens::games::splinterlands::setup::*;
use serde_json::Value;
use std::collections::BTreeMap;
fn data(name: &str) -> Option<String> {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/splinterlands").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not there", path.display());
    }
    text
}

fn abilities(names: &Value) -> Option<Abilities> {
    names.as_array()?.iter().map(|name| Ability::from_str(name.as_str()?).ok()).collect()
}

/// The cards whose abilities are all known.
fn catalogue(text: &str) -> Catalogue {
    let cards: Value = serde_json::from_str(text).unwrap();
    let mut known = Catalogue::default();
    for card in cards.as_array().unwrap() {
        let number = |value: &Value, level: usize| -> i8 {
            let value = value.get(level).unwrap_or(value);
            value.as_i64().unwrap_or(0) as i8
        };
        let stats = &card["stats"];
        let levels = stats["mana"].as_array().map_or(1, Vec::len);
        let mut so_far = Some(Abilities::empty());
        let summoner = card["type"] == "Summoner";
        let levels = (0..levels)
            .map_while(|level| {
                let list = if summoner { &stats["abilities"] } else { &stats["abilities"][level] };
                let more = if list.is_null() { Some(Abilities::empty()) } else { abilities(list) };
                so_far = so_far.and_then(|abilities| Some(abilities | more?));
                Some(Level {
                    stats: Stats {
                        melee: number(&stats["attack"], level),
                        ranged: number(&stats["ranged"], level),
                        magic: number(&stats["magic"], level),
                        armor: number(&stats["armor"], level),
                        health: number(&stats["health"], level),
                        speed: number(&stats["speed"], level),
                    },
                    abilities: so_far?,
                })
            })
            .collect();
        known.cards.push(Card {
            id: card["id"].as_u64().unwrap() as u16,
            name: card["name"].as_str().unwrap().to_owned(),
            faction: Faction::Neutral,
            kind: if summoner { CardKind::Summoner } else { CardKind::Monster },
            rarity: [Rarity::Common, Rarity::Rare, Rarity::Epic, Rarity::Legendary]
                [card["rarity"].as_u64().unwrap() as usize - 1],
            mana: number(&stats["mana"], 0) as u8,
            levels,
        });
    }
    known
}

fn line_up(catalogue: &Catalogue, team: &Value) -> Option<LineUp> {
    let card_at = |value: &Value| -> Option<CardAt> {
        let id = value["card_detail_id"].as_u64()? as u16;
        let card = catalogue.cards.iter().position(|card| card.id == id)?;
        let levels = &catalogue.cards[card].levels;
        let summoner = catalogue.cards[card].kind == CardKind::Summoner;
        let level = if summoner { 1 } else { value["level"].as_u64()? as u8 };
        (usize::from(level) <= levels.len()).then_some(CardAt { card: card as u16, level })
    };
    Some(LineUp {
        summoner: card_at(&team["summoner"])?,
        monsters: team["monsters"].as_array()?.iter().map(card_at).collect::<Option<_>>()?,
    })
}


fn main(){
 let cat=catalogue(&data("cards_2022-04.json").unwrap());
 let text=data("results_2021.jsonl").unwrap();
 let n=400u64; let (mut k,mut acc,mut brier,mut ll,mut ell,mut var,mut imp)=(0.,0.,0.,0.,0.,0.,0);
 let mut by:BTreeMap<String,(f64,f64,f64,f64)>=BTreeMap::new();
 for (li,line) in text.lines().enumerate(){ let r:Value=serde_json::from_str(line).unwrap();
  let rs:Option<Rulesets>=r["ruleset"].as_str().unwrap().split('|').map(|x|Ruleset::from_str(x).ok()).collect();
  let (Some(rs),Some(a),Some(b))=(rs,line_up(&cat,&r["team1"]),line_up(&cat,&r["team2"])) else {println!("skip {li} {}",r["ruleset"]);continue};
  if r["winner"]=="draw" {continue}
  let setup=Setup{catalogue:cat.clone(),conditions:vec![rs],matchups:vec![[0,1]],identical_teams_draw:false,teams:vec![a,b]};
  let (mut w,mut d)=(0.,0.);
  for i in 0..n { let mut l=Seeded::of_battle(7,i); match play::<Splinterlands,_,_>(&setup,Stratum{matchup:0,condition:0},&mut l,&mut Unwatched).outcome { Outcome::Win(Side::A)=>w+=1.,Outcome::Win(_)=>{},_=>d+=1. } }
  // check stats
  let y=if r["winner"]=="team1"{1.}else{0.};
  let p:f64=(w+0.5*d+0.5)/(n as f64+1.);
  let pr=if y==1.{p}else{1.-p};
  k+=1.; if pr>0.5{acc+=1.} brier+=(p-y)*(p-y); ll-=pr.ln(); ell-=p*p.ln()+(1.-p)*(1.-p).ln(); let m=p*p.ln()+(1.-p)*(1.-p).ln(); var+=p*p.ln().powi(2)+(1.-p)*(1.-p).ln().powi(2)-m*m;
  if (y==1. && w==0.)||(y==0. && w==n as f64){imp+=1;}
  for one in rs { let e=by.entry(one.to_string()).or_default(); e.0+=1.; e.1-=pr.ln(); e.2-=p*p.ln()+(1.-p)*(1.-p).ln(); e.3+=p*p.ln().powi(2)+(1.-p)*(1.-p).ln().powi(2)-m*m; }
  if pr<0.06 {println!("line {li} {rs} p(actual)={pr:.4}");}
 }
 println!("n {k} acc {:.4} brier {:.4} logloss {:.4} expected {:.4} z {:.2} impossible {imp}",acc/k,brier/k,ll/k,ell/k,(ll-ell)/var.sqrt());
 for (n,e) in by { println!("{n:24} {:4} ll {:.3} exp {:.3} z {:+.2}",e.0,e.1/e.0,e.2/e.0,(e.1-e.2)/e.3.sqrt()); }
}
