//! Who writes the rows of battles while the next ones are played.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::parallel::locked;
use crate::table::{OutputError, Table};

/// Receives rows in the order of the battles.
pub(super) type Keep<'k> = &'k mut (dyn FnMut(&Table) -> Result<(), OutputError> + Send);

/// A thread that writes rows, or the playing one where the operating system gives no other: rows are the same.
pub(super) enum Writer<'s, 'k> {
    /// A thread of its own.
    Apart(SyncSender<Message>, ScopedJoinHandle<'s, Result<(), OutputError>>),
    /// The thread that plays, and what went wrong when it wrote.
    Here(&'s Mutex<Keep<'k>>, Result<(), OutputError>),
}

/// What a writer is told.
pub(super) enum Message {
    /// Rows to be written.
    Rows(Vec<Table>),
    /// A request to answer once all earlier rows are written.
    Tell(SyncSender<()>),
}

impl<'s, 'k> Writer<'s, 'k> {
    pub(super) fn start(scope: &'s Scope<'s, '_>, keep: &'s Mutex<Keep<'k>>) -> Self {
        // Two waves of rows may wait: one being written, one ready.
        let (sender, receiver) = sync_channel(1);
        let thread = Builder::new().name("writer".to_owned());
        match thread.spawn_scoped(scope, move || write(&receiver, *locked(keep))) {
            Ok(thread) => Self::Apart(sender, thread),
            Err(_) => Self::Here(keep, Ok(())),
        }
    }

    /// Takes rows to be written; returns false when writing has failed.
    pub(super) fn write(&mut self, rows: Vec<Table>) -> bool {
        match self {
            Self::Apart(sender, _) => sender.send(Message::Rows(rows)).is_ok(),
            Self::Here(keep, so_far) => {
                if so_far.is_ok() {
                    *so_far = rows.iter().try_for_each(&mut **locked(keep));
                }
                so_far.is_ok()
            }
        }
    }

    /// Waits until all rows are written; returns false when they cannot be.
    pub(super) fn wait(&self) -> bool {
        match self {
            Self::Apart(sender, _) => {
                let (answer, answered) = sync_channel(1);
                sender.send(Message::Tell(answer)).is_ok() && answered.recv().is_ok()
            }
            Self::Here(_, so_far) => so_far.is_ok(),
        }
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// The first error of writing.
    pub(super) fn end(self) -> Result<(), OutputError> {
        match self {
            Self::Apart(sender, thread) => {
                drop(sender);
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
            Self::Here(_, result) => result,
        }
    }
}

fn write(told: &Receiver<Message>, keep: Keep<'_>) -> Result<(), OutputError> {
    told.iter().try_for_each(|told| match told {
        Message::Rows(rows) => rows.iter().try_for_each(&mut *keep),
        Message::Tell(written) => {
            let _ = written.send(());
            Ok(())
        }
    })
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Writes four waves of one table each, and fails at one of them if that is asked for.
    fn written(is_apart: bool, fails_at: Option<usize>) -> (usize, Result<(), String>) {
        let mut count = 0;
        let mut keep = |_: &Table| {
            if fails_at == Some(count) {
                let (what, source) = ("rows".to_owned(), io::ErrorKind::StorageFull.into());
                return Err(OutputError::Write { what, source });
            }
            count += 1;
            Ok(())
        };
        let keep_here = Mutex::new(&mut keep as Keep<'_>);
        let result = std::thread::scope(|scope| {
            let mut writer = match is_apart {
                true => Writer::start(scope, &keep_here),
                false => Writer::Here(&keep_here, Ok(())),
            };
            let all = (0..4).all(|_| {
                writer.write(vec![Table { name: "rows".to_owned(), columns: Vec::new() }])
            });
            assert_eq!(all && writer.wait(), fails_at.is_none());
            writer.end().map_err(|error| error.to_string())
        });
        (count, result)
    }

    #[test]
    fn rows_are_written_alike_whoever_writes_them() {
        for fails_at in [None, Some(0), Some(2)] {
            let apart = written(true, fails_at);
            assert_eq!(apart, written(false, fails_at));
            assert_eq!(apart.0, fails_at.unwrap_or(4));
            assert_eq!(apart.1.is_err(), fails_at.is_some());
        }
    }
}
