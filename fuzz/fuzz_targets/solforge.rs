#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| evens_fuzz::TARGETS[1].1(data));
