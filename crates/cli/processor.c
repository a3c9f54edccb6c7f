/*
 * Reports the reason and exits if the processor lacks instructions that the program was built with.
 *
 * Code compiled by rustc may begin with such an instruction, so this file is in C; it runs before
 * `main`. `build.rs` says when.
 */
#include <cpuid.h>
#include <unistd.h>

static const char refusal[] =
    "error: this program was built for processors since 2013; this one lacks some of their instructions\n"
    "help: take the files of the release that have `baseline` in their names, or build it with\n"
    "      RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release\n";

/* The system must keep the wide registers (bit 27, OSXSAVE), or their instructions are as good as missing. */
static const unsigned basic = bit_POPCNT | bit_OSXSAVE | bit_AVX;
static const unsigned later = bit_BMI | bit_BMI2 | bit_AVX2;

__attribute__((constructor)) static void ask_the_processor(void) {
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & basic) == basic && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&
        (b & later) == later)
        return;
    ssize_t written = write(STDERR_FILENO, refusal, sizeof refusal - 1);
    (void)written;
    _exit(1);
}
