//! Precedence Between Groups and the Pipeline to Check for All Combats.

use evens::games::sanctum::rules::check_for_all_combats::{Board, Placed};
use evens::games::sanctum::state::Player;

/// SA-01, SA-02: the initiative player's group has precedence, then the neutral one, then the other player's; of one
/// player's groups the older one.
fn has_precedence(one: &Placed, other: &Placed, initiative: Player) -> bool {
    let rank = |player: Player| match player {
        Player::Neutral => 1,
        player if player == initiative => 0,
        _ => 2,
    };
    (rank(one.player), one.created) < (rank(other.player), other.created)
}

fn are_hostile(one: &Placed, other: &Placed, board: &Board) -> bool {
    one.player != other.player || one.player == Player::Neutral && !board.neutrals_at_peace
}

/// SA-03, SA-04, SA-09: all combats in order, as pairs with the group that has precedence first.
pub fn all_combats(board: &Board, initiative: Player) -> Vec<[usize; 2]> {
    let other = if initiative == Player::Blue { Player::Red } else { Player::Blue };
    let mut fights = Vec::new();
    for player in [initiative, other, Player::Neutral] {
        for (g, group) in board.groups.iter().enumerate() {
            if group.player != player {
                continue;
            }
            // Northeast, southwest, southeast, northwest.
            for (right, down) in [(0, -1), (0, 1), (1, 0), (-1, 0)] {
                let square = (group.square.column + right, group.square.row + down);
                let there = board
                    .groups
                    .iter()
                    .position(|placed| (placed.square.column, placed.square.row) == square);
                if let Some(h) = there
                    && are_hostile(group, &board.groups[h], board)
                    && has_precedence(group, &board.groups[h], initiative)
                {
                    fights.push([g, h]);
                }
            }
        }
    }
    fights
}
