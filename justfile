# What a developer does, one line each. CONTRIBUTING.md has the same as plain commands; `just` is not needed.

# Polars is most of a first build: an edit-test loop does without it.
quick := "--no-default-features --features cli"

# List these.
default:
    @just --list --unsorted

# Does it compile? Seconds.
check:
    cargo check {{ quick }} --all-targets

# Every test, without Parquet.
test *arguments:
    cargo test {{ quick }} {{ arguments }}

# The rulebook cases of one game: `just game sanctum`.
game name *arguments:
    cargo test {{ quick }} --test suite rulebook::{{ name }} -- {{ arguments }}

# Formatting and lints.
lint:
    cargo fmt --check
    cargo clippy {{ quick }} --all-targets -- -D warnings

# The library's documentation, opened in a browser: `just docs --open`.
docs *arguments:
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps {{ quick }} {{ arguments }}

# Battles per second of one game: `just bench splinterlands`.
bench name *arguments:
    cargo bench {{ quick }} --bench {{ name }} -- {{ arguments }}

# Instructions per battle against benches/instructions.csv; `just gate --bless` writes it.
gate *arguments:
    cargo build --release {{ quick }}
    benches/count-instructions {{ arguments }}

# Holds the bundled scenarios against their baselines; `just baselines --write` renews them.
baselines *arguments:
    cargo run --release {{ quick }} --quiet -- nightly --seed 2026 {{ arguments }}

# Renews the snapshots and shows what changed in them.
snapshots *arguments:
    INSTA_UPDATE=always cargo test {{ quick }} --no-fail-fast {{ arguments }}
    git diff -- '*.snap'

# Mutants of one game's rules; docs/mutation-testing.md. `just mutants sanctum --shard 1/20`.
mutants name *arguments:
    scripts/mutants {{ name }} {{ arguments }}

# Fuzzes each kind of file for so many seconds, or one: `just fuzz 60 records`. Without arguments as `.ci/run` does.
fuzz *arguments:
    scripts/fuzz {{ arguments }}

# Jobs on a Ray cluster of two nodes: `just ray -k node`. Says SKIPPED where Ray cannot be had.
ray *arguments:
    scripts/test-ray {{ arguments }}

# Results in an object store (moto, in .venv-s3).
test-s3 *arguments:
    scripts/test-s3 {{ arguments }}

# The Python package, from the built wheel: `just python -k notebook`. Says SKIPPED where it cannot be built.
python *arguments:
    scripts/test-python {{ arguments }}

# Licences, advisories, duplicate versions.
deny:
    scripts/check-dependencies

# Whether the oldest Rust that Cargo.toml promises compiles the program and the library.
oldest:
    scripts/check-oldest-rust

# Builds what a release consists of, in dist/.
release *arguments:
    scripts/release {{ arguments }}

# Packs target/release/evens and uses what comes out.
pack *arguments:
    scripts/test-release {{ arguments }}

# Everything that must hold before a change lands.
all:
    .ci/run
