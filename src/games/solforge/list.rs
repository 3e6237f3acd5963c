//! A short list stored inline: a whole game is copied with it in one go, which players who think ahead do often.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// Up to `N` items in order, stored inline and used as a slice. Items beyond the current length mean nothing.
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    len: u16,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        const { assert!(N <= u16::MAX as usize, "the length is a u16") };
        Self { len: 0, items: [T::default(); N] }
    }

    /// Appends an item and returns whether there was room for it; a full list stays as it is.
    #[must_use = "a full list takes no more"]
    pub fn try_push(&mut self, item: T) -> bool {
        let fits = usize::from(self.len) < N;
        if fits {
            self.items[usize::from(self.len)] = item;
            self.len += 1;
        }
        fits
    }

    /// Appends an item.
    ///
    /// # Panics
    /// When the list is full.
    pub fn push(&mut self, item: T) {
        assert!(self.try_push(item), "a list of {N} is full");
    }

    /// Removes and returns the item at an index; the items after it move up.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn remove(&mut self, at: usize) -> T {
        let item = self[at];
        let len = usize::from(self.len);
        self.items.copy_within(at + 1..len, at);
        self.len -= 1;
        item
    }

    /// Removes and returns the item at an index; the last item takes its place.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn swap_remove(&mut self, at: usize) -> T {
        let item = self[at];
        self.len -= 1;
        self.items[at] = self.items[usize::from(self.len)];
        item
    }

    /// Keeps only the items for which `keep` returns true, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let mut kept = 0;
        for at in 0..usize::from(self.len) {
            let item = self.items[at];
            if keep(&item) {
                self.items[kept] = item;
                kept += 1;
            }
        }
        self.len = kept as u16;
    }

    /// Removes all items.
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// # Panics
/// When the list is full.
impl<T: Copy + Default, const N: usize> Extend<T> for List<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for List<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = Self::new();
        list.extend(items);
        list
    }
}

impl<T: Copy + Default, const N: usize> IntoIterator for List<T, N> {
    type Item = T;
    type IntoIter = std::iter::Take<std::array::IntoIter<T, N>>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().take(usize::from(self.len))
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a List<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: Hash, const N: usize> Hash for List<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::List;

    fn list(items: &[u8]) -> List<u8, 4> {
        items.iter().copied().collect()
    }

    #[test]
    fn it_is_its_items_in_their_order() {
        let mut of = list(&[1, 2, 3]);
        assert_eq!((of.remove(0), &of[..]), (1, &[2, 3][..]));
        assert_eq!(of, list(&[2, 3]), "what lies beyond means nothing");
        of.extend([4, 5]);
        assert!(!of.try_push(6));
        assert_eq!((of.swap_remove(1), &of[..]), (3, &[2, 5, 4][..]));
        of.retain(|item| item % 2 == 0);
        assert_eq!(&of[..], [2, 4]);
        of.clear();
        assert!(of.is_empty());
    }

    #[test]
    #[should_panic(expected = "a list of 4 is full")]
    fn a_full_list_takes_no_more() {
        list(&[1, 2, 3, 4]).push(5);
    }
}
