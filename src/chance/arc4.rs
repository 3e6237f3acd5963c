//! The generator of the npm package `seedrandom`, version 3.0.5, as its default function makes it: ARC4 keyed with a
//! text. Programs in JavaScript record their random numbers by a seed; this draws the same numbers again.

/// Bytes of state.
const WIDTH: usize = 256;
/// Bytes that the first part of a number is made of.
const CHUNKS: u32 = 6;
/// Numbers have at least this many values, 2^52, before they are divided.
const SIGNIFICANCE: f64 = 4_503_599_627_370_496.0;
/// And less than twice as many.
const OVERFLOW: f64 = 2.0 * SIGNIFICANCE;

/// Numbers in [0, 1) as `seedrandom(seed)()` draws them.
///
/// ```
/// use evens::chance::Arc4;
///
/// assert_eq!(Arc4::from_seed("a").double(), 0.43449421599986604);
/// ```
#[derive(Clone, Debug)]
pub struct Arc4 {
    state: [u8; WIDTH],
    i: u8,
    j: u8,
}

impl Arc4 {
    /// The generator of a seed.
    #[must_use]
    pub fn from_seed(seed: &str) -> Self {
        let key = mixed(seed);
        let mut state: [u8; WIDTH] = std::array::from_fn(|at| at as u8);
        let mut j = 0_u8;
        for i in 0..WIDTH {
            j = j.wrapping_add(key[i % key.len()]).wrapping_add(state[i]);
            state.swap(i, usize::from(j));
        }
        let mut generator = Self { state, i: 0, j: 0 };
        for _ in 0..WIDTH {
            generator.byte();
        }
        generator
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let (i, at_i) = (usize::from(self.i), self.state[usize::from(self.i)]);
        self.j = self.j.wrapping_add(at_i);
        let at_j = self.state[usize::from(self.j)];
        self.state[i] = at_j;
        self.state[usize::from(self.j)] = at_i;
        self.state[usize::from(at_i.wrapping_add(at_j))]
    }

    /// The next number.
    pub fn double(&mut self) -> f64 {
        let mut number = (0..CHUNKS).fold(0.0, |number, _| number * 256.0 + f64::from(self.byte()));
        let mut denominator = (0..CHUNKS).fold(1.0, |all, _| all * 256.0);
        let mut low = 0_u8;
        while number < SIGNIFICANCE {
            number = (number + f64::from(low)) * 256.0;
            denominator *= 256.0;
            low = self.byte();
        }
        while number >= OVERFLOW {
            number /= 2.0;
            denominator /= 2.0;
            low >>= 1;
        }
        (number + f64::from(low)) / denominator
    }
}

/// The key that a text is mixed into.
fn mixed(seed: &str) -> Vec<u8> {
    let mut key: Vec<u8> = Vec::new();
    let mut smear = 0_u32;
    for (at, unit) in seed.encode_utf16().enumerate() {
        let at = at % WIDTH;
        if let Some(&old) = key.get(at) {
            smear ^= u32::from(old) * 19;
        }
        let byte = smear.wrapping_add(u32::from(unit)) as u8;
        match key.get_mut(at) {
            Some(old) => *old = byte,
            None => key.push(byte),
        }
    }
    if key.is_empty() { vec![0] } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of the package itself.
    #[test]
    fn draws_what_seedrandom_draws() {
        let mut generator = Arc4::from_seed("1173fc40e6032f01d7ea0bed5f435607");
        let drawn: Vec<f64> = (0..4).map(|_| generator.double()).collect();
        let known =
            [0.4720892658460058, 0.5620310260091941, 0.9756086325480564, 0.5140535263016013];
        assert_eq!(drawn, known);
    }
}
