//! The real binary at work in a folder of its own.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

/// A folder of its own to work in.
pub struct Desk {
    folder: TempDir,
}

impl Desk {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.path().join(name), text).unwrap();
        self
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn evens(&self, arguments: &[&str]) -> Output {
        let mut command: Command = cargo_bin_cmd!("evens");
        command.current_dir(self.path()).env("COLUMNS", "80").env_remove("EVENS_THREADS");
        command.args(arguments).output().unwrap()
    }
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
