#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| evens_fuzz::TARGETS[8].1(data));
