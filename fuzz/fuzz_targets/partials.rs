#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| evens_fuzz::TARGETS[9].1(data));
