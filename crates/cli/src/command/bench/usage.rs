//! Resources used by this process so far, as far as the system reports them.

/// Returns the CPU time of all threads together, in seconds.
pub(super) fn cpu_seconds() -> Option<f64> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
    }
    #[cfg(not(unix))]
    None
}

/// Returns the peak memory since [`forget_peak_memory`], in bytes.
pub(super) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim();
    Some(1024 * kilobytes.parse::<u64>().ok()?)
}

/// Resets the peak memory. If the system does not permit that, the peak is that of the whole
/// process.
pub(super) fn forget_peak_memory() {
    // See proc(5).
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_memory() {
        let before = cpu_seconds().expect("known here");
        forget_peak_memory();
        let small = peak_memory().expect("known here");
        let block = std::hint::black_box(vec![1u8; 50 << 20]);
        let sum: u64 = block.iter().map(|&byte| u64::from(byte)).sum();
        assert_eq!(sum, 50 << 20);
        assert!(peak_memory().expect("known here") >= small + (40 << 20));
        assert!(cpu_seconds().expect("known here") > before);
    }
}
