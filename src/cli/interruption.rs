//! Ctrl-C and the signals that end a command: the first asks it to come to its end, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use super::Exit;
use super::terminal::say;
use crate::remote::remove_scratch_folders;
use crate::table::remove_temporary_files;

/// Set by Ctrl-C, and by SIGTERM and SIGHUP.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// When the first of them came.
static FIRST: OnceLock<Instant> = OnceLock::new();
/// Two that are no farther apart are one: `timeout` and others send theirs to the program and to its group.
const APART: Duration = Duration::from_millis(200);

/// Whether the command should come to its end.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The same for whoever asks from other threads.
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
    if INTERRUPTED.swap(true, Ordering::Relaxed) && first.elapsed() > APART {
        remove_temporary_files();
        remove_scratch_folders();
        std::process::exit(i32::from(Exit::Interrupted as u8));
    }
}

/// Lets a write beyond the limit of a file's size (`ulimit -f`) fail as one to a full disk does. By default its signal ends the
/// program, which then says nothing and leaves half-written files behind.
pub(super) fn outlive_limits_of_files() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        // Whoever looks at this flag sees nothing that the failed write does not say. Without the handler all is as by default.
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
