//! The pipeline to check for all combats: which groups fight each other in a combat phase, and in which order.
//!
//! Groups do not move during the phase, so the order is known before it. A combat with a group that is gone by
//! then is passed over when its turn comes (`full_combat`).

use strum::Display;

use crate::games::sanctum::state::Player;

/// The number of squares along each side of the board.
pub const BOARD: i8 = 12;

/// A square: its column and its row as the blue player sees the board, from 0. What is called north lies
/// between the top and the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Square {
    /// The column, counted from the left.
    pub column: i8,
    /// The row, counted from the top.
    pub row: i8,
}

impl Square {
    /// The same square as the other player sees it: upside down (Questions; SA-10).
    #[must_use]
    pub fn upside_down(self) -> Self {
        Self { column: BOARD - 1 - self.column, row: BOARD - 1 - self.row }
    }

    /// The orthogonal neighbour in a direction, on the board or off it; diagonal ones do not fight (Pipeline to Check for
    /// All Combats; SA-07).
    #[must_use]
    pub fn neighbour(self, direction: Direction) -> Self {
        let (right, down) = match direction {
            Direction::NorthEast => (0, -1),
            Direction::SouthWest => (0, 1),
            Direction::SouthEast => (1, 0),
            Direction::NorthWest => (-1, 0),
        };
        Self { column: self.column + right, row: self.row + down }
    }
}

/// An orthogonal direction, in the order in which a group looks around, as the blue player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    /// One row up.
    NorthEast,
    /// One row down.
    SouthWest,
    /// One column to the right.
    SouthEast,
    /// One column to the left.
    NorthWest,
}

impl Direction {
    /// The order in which a group looks around: "the blue player sees this order as NE, SW, SE, NW" (Questions; SA-09,
    /// SA-14).
    pub const ALL: [Direction; 4] =
        [Direction::NorthEast, Direction::SouthWest, Direction::SouthEast, Direction::NorthWest];

    /// What the player calls this direction: "for the red player, just turn the map upside-down" (Questions;
    /// SA-10).
    #[must_use]
    pub fn seen_by(self, player: Player) -> Self {
        match (player, self) {
            (Player::Blue | Player::Neutral, seen) => seen,
            (Player::Red, Direction::NorthEast) => Direction::SouthWest,
            (Player::Red, Direction::SouthWest) => Direction::NorthEast,
            (Player::Red, Direction::SouthEast) => Direction::NorthWest,
            (Player::Red, Direction::NorthWest) => Direction::SouthEast,
        }
    }
}

/// A group on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its owner.
    pub player: Player,
    /// Its square.
    pub square: Square,
    /// When it was created; of two groups of a player, the one with the smaller number is older.
    pub created: u32,
}

/// All groups on the board. The order of a player's groups here is that player's group sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The groups.
    pub groups: Vec<Placed>,
    /// Whether neutral groups leave each other alone.
    pub neutrals_at_peace: bool,
    /// The player from whose view the board is shown.
    pub seen_by: Player,
}

/// A combat that is to be fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fight {
    /// The group with precedence, as an index into the groups.
    pub high: u8,
    /// The other group, as an index into the groups.
    pub low: u8,
    /// The direction of the other group, seen from the group with precedence; none without a board.
    pub from: Option<Direction>,
}

impl Board {
    /// The pipeline: "every orthogonally adjacent pair of hostile groups will fight 1 combat per pair" (Pipeline to Check
    /// for All Combats; SA-03, SA-04, SA-05, SA-06, SA-07, SA-08, SA-13; decisions 1, 2 and 4).
    #[must_use]
    pub fn check_for_all_combats(&self, initiative: Player) -> Vec<Fight> {
        let mut fights = Vec::new();
        for player in player_initiative_sequence(initiative) {
            for g in self.group_sequence(player) {
                for direction in Direction::ALL {
                    let square = self.groups[g].square.neighbour(direction);
                    if let Some(h) = self.group_in(square)
                        && self.are_hostile(g, h)
                        && self.has_precedence(g, h, initiative)
                    {
                        let from = Some(direction);
                        fights.push(Fight { high: g as u8, low: h as u8, from });
                    }
                    // Where h has precedence it finds, or has found, the same pair itself: one combat
                    // per pair.
                }
            }
        }
        fights
    }

    /// "Groups g, from first to last (approximately oldest to youngest)" (Pipeline to Check for All Combats; SA-04, SA-11,
    /// SA-12).
    fn group_sequence(&self, player: Player) -> impl Iterator<Item = usize> {
        (0..self.groups.len()).filter(move |&group| self.groups[group].player == player)
    }

    /// The group in a square.
    fn group_in(&self, square: Square) -> Option<usize> {
        self.groups.iter().position(|group| group.square == square)
    }

    /// Whether two groups are hostile: groups of different players are, and neutral groups to each other unless
    /// they are at peace (Pipeline to Check for All Combats; SA-07, SA-14; decision 3).
    #[must_use]
    pub fn are_hostile(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|group| self.groups[group].player);
        one != other || (one == Player::Neutral && !self.neutrals_at_peace)
    }

    /// Whether group `g` has precedence over group `h`: the owners' initiative decides, "a non-standard sequence,
    /// used only for combats", then the older group (Precedence Between Groups; SA-01, SA-02).
    #[must_use]
    pub fn has_precedence(&self, g: usize, h: usize, initiative: Player) -> bool {
        let rank = |group: usize| match self.groups[group].player {
            player if player == initiative => 0,
            Player::Neutral => 1,
            Player::Blue | Player::Red => 2,
        };
        let age = |group: usize| self.groups[group].created;
        (rank(g), age(g), g) < (rank(h), age(h), h)
    }
}

/// The player initiative sequence: initiative, non-initiative, neutral. It is not the order of precedence (Pipeline to
/// Check for All Combats; SA-03, SA-08).
fn player_initiative_sequence(initiative: Player) -> [Player; 3] {
    match initiative {
        Player::Red => [Player::Red, Player::Blue, Player::Neutral],
        Player::Blue | Player::Neutral => [Player::Blue, Player::Red, Player::Neutral],
    }
}
