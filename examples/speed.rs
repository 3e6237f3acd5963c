use std::path::{Path,PathBuf};
use std::str::FromStr;
use evens::chance::*; use evens::game::*;
use evens::games::splinterlands::Splinterlands;
use evens::games::splinterlands::ability::{Abilities, Ability};
use evens::games::splinterlands::cards::*;
use evens::games::splinterlands::ruleset::*;
use evens::games::splinterlands::setup::*;
use serde_json::Value;
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


fn main(){
 let cat=catalogue(&data("cards_2020-05.json").unwrap());
 let mut luck=Seeded::from_seed(5);
 let caps=[5u8,4,3,2];
 let mons:Vec<usize>=(0..cat.cards.len()).filter(|&i|cat.cards[i].kind==CardKind::Monster).collect();
 let sums:Vec<usize>=(0..cat.cards.len()).filter(|&i|cat.cards[i].kind==CardKind::Summoner).collect();
 let mut teams=vec![];
 for _ in 0..512{ let s=sums[luck.below(sums.len() as u32) as usize];
  let mut m=arrayvec::ArrayVec::<CardAt,6>::new();
  let mut picks:Vec<usize>=vec![]; while picks.len()<6 { let c=mons[luck.below(mons.len() as u32) as usize]; if !picks.contains(&c){picks.push(c);} }
  // melee first by health
  picks.sort_by_key(|&c|{let k=&cat.cards[c]; let l=caps[k.rarity as usize-1].min(k.levels.len() as u8); let st=k.levels[l as usize-1].stats; if st.melee>0 && st.ranged==0 && st.magic==0 { -(st.health as i32) } else {1}});
  for c in picks { let k=&cat.cards[c]; m.push(CardAt{card:c as u16,level:caps[k.rarity as usize-1].min(k.levels.len() as u8)}); }
  teams.push(LineUp{summoner:CardAt{card:s as u16,level:1},monsters:m}); }
 use strum::IntoEnumIterator;
 let mut conds:Vec<Rulesets>=Ruleset::iter().map(|r|Rulesets::from(r)).collect(); conds.insert(0,Ruleset::Standard.into());
 let matchups=(0..256).map(|i|[2*i as u16,2*i as u16+1]).collect();
 let setup=Setup{catalogue:cat,conditions:conds,matchups,identical_teams_draw:false,teams};
 let n:u64=std::env::args().nth(1).map_or(300000,|s|s.parse().unwrap());
 let t=std::time::Instant::now(); let (mut rounds,mut w)=(0u64,0u64);
 for i in 0..n { let mut l=Seeded::of_battle(1,i); let st=Stratum{matchup:(i%256) as u32,condition:(i%28) as u32};
  let e=play::<Splinterlands,_,_>(&setup,st,&mut l,&mut Unwatched); rounds+=e.rounds as u64; if e.outcome==Outcome::Win(Side::A){w+=1} }
 let d=t.elapsed().as_secs_f64();
 println!("{:.0} battles/s, {:.2} rounds, A {:.4}",n as f64/d,rounds as f64/n as f64,w as f64/n as f64);
 struct Acts(u64,u64); impl Watch<Splinterlands> for Acts { fn see(&mut self,_:&Setup,_:&evens::games::splinterlands::state::State,e:evens::games::splinterlands::event::Event){ use evens::games::splinterlands::event::Event::*; match e{Turn{..}=>self.0+=1,Begins=>{},Round(_)=>{},AttackOver=>{},_=>self.1+=1} } }
 let mut acts=Acts(0,0); for i in 0..20000 { let mut l=Seeded::of_battle(1,i); let st=Stratum{matchup:(i%256) as u32,condition:(i%28) as u32}; play::<Splinterlands,_,_>(&setup,st,&mut l,&mut acts); }
 println!("{:.1} turns {:.1} events",acts.0 as f64/20000.,acts.1 as f64/20000.);
}
