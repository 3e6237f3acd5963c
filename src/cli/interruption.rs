//! Ctrl-C and the signals that end a command: the first asks the command to end early, the second ends the program.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use super::Exit;
use super::exit::ended_early;
use super::terminal::say;
use crate::remote::remove_scratch_folders;
use crate::table::remove_temporary_files;

/// Set by Ctrl-C, and by SIGTERM and SIGHUP.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How many guards of the time before the first battle there are.
static SETTING_UP: AtomicUsize = AtomicUsize::new(0);

/// How many texts are on their way to standard output.
static PRINTING: AtomicUsize = AtomicUsize::new(0);
/// How many pieces of them it has taken so far.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
/// Standard output that takes nothing for so long after a signal has no reader: a slow one takes something.
const PATIENCE: Duration = Duration::from_secs(1);

/// When the first signal came.
static FIRST: OnceLock<Instant> = OnceLock::new();
/// Signals that are no farther apart count as one: `timeout` and others send theirs to the program and to its group.
const APART: Duration = Duration::from_millis(200);

/// Whether the command should come to its end.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The flag that [`interrupted`] reads, for code in other threads.
pub(super) fn interruption() -> &'static AtomicBool {
    &INTERRUPTED
}

/// The first Ctrl-C ends the command after the battles that are being played, the second ends the program. SIGTERM (a
/// scheduler that wants the machine back) and SIGHUP (a terminal that was closed) are no different.
pub(super) fn watch_for_interruption() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(watch);
}

fn watch() {
    let watching = ctrlc::set_handler(interrupt).map_err(|error| error.to_string());
    #[cfg(unix)]
    let watching = watching.and(watch_for_termination().map_err(|error| error.to_string()));
    if let Err(error) = watching {
        say(&format!("warning: Ctrl-C will end the program at once: {error}\n"));
    }
}

fn interrupt() {
    let first = *FIRST.get_or_init(Instant::now);
    if INTERRUPTED.swap(true, Ordering::SeqCst) && first.elapsed() > APART {
        end();
    }
    if SETTING_UP.load(Ordering::SeqCst) > 0 {
        end_before_the_first_battle();
    }
    if PRINTING.load(Ordering::SeqCst) > 0 {
        end_where_nobody_reads();
    }
}

/// Ends the program if standard output takes no more of what is being printed. A pipe whose reader waits, such as a pager,
/// may never take the rest, and the write cannot be broken off.
fn end_where_nobody_reads() {
    let watch = || {
        loop {
            let taken = TAKEN.load(Ordering::SeqCst);
            std::thread::sleep(PATIENCE);
            if PRINTING.load(Ordering::SeqCst) == 0 {
                return;
            }
            if TAKEN.load(Ordering::SeqCst) == taken {
                // Without a word: standard error may lead to the same reader.
                end();
            }
        }
    };
    // Without a thread the second signal still ends the program.
    let _ = std::thread::Builder::new().name("reader".to_owned()).spawn(watch);
}

/// A guard of a text on its way to standard output. If a signal comes meanwhile and nobody reads, the program ends: all files
/// have to be in their places before.
#[must_use]
pub(super) struct Printing(());

/// Begins to print.
pub(super) fn printing() -> Printing {
    PRINTING.fetch_add(1, Ordering::SeqCst);
    Printing(())
}

impl Printing {
    /// Notes that standard output has taken a piece of the text.
    pub(super) fn is_taken_on(&self) {
        TAKEN.fetch_add(1, Ordering::SeqCst);
    }
}

impl Drop for Printing {
    fn drop(&mut self) {
        PRINTING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the program at once.
fn end() -> ! {
    remove_temporary_files();
    remove_scratch_folders();
    std::process::exit(i32::from(Exit::Interrupted as u8));
}

fn end_before_the_first_battle() -> ! {
    ended_early("nothing was played");
    end()
}

/// A guard of the time before the first battle, in which nothing can be complete: until it is dropped, the first Ctrl-C
/// ends the program.
#[must_use]
pub(super) struct SettingUp(());

/// Begins the time before the first battle. Scenarios with thousands of variants or match-ups take minutes, in which
/// nothing checks for an interruption.
pub(super) fn setting_up() -> SettingUp {
    watch_for_interruption();
    SETTING_UP.fetch_add(1, Ordering::SeqCst);
    if INTERRUPTED.load(Ordering::SeqCst) {
        end_before_the_first_battle();
    }
    SettingUp(())
}

impl Drop for SettingUp {
    fn drop(&mut self) {
        SETTING_UP.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Lets a write beyond the limit of a file's size (`ulimit -f`) fail as one to a full disk does. By default its signal ends the
/// program, which then says nothing and leaves half-written files behind.
pub(super) fn outlive_limits_of_files() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        // Nobody reads the flag: the failed write says it all. Without the handler all is as by default.
        let seen = Arc::new(AtomicBool::new(false));
        drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen));
    }
}

#[cfg(unix)]
fn watch_for_termination() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM])?;
    if !hangups_are_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let watch = move || signals.forever().for_each(|_| interrupt());
    std::thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop)
}

/// Whether the program was started so that it outlives its terminal (`nohup`).
#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    use std::io::IsTerminal;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    match ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
        Some(mask) => mask & 1 == 1,
        // Where the system does not say it: `nohup` leaves no stream at a terminal.
        None => !std::io::stdout().is_terminal() && !std::io::stderr().is_terminal(),
    }
}
