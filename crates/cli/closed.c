/*
 * Keeps a closed standard output (`cql … >&-`) apart from `/dev/null`.
 *
 * Before `main`, the Rust runtime replaces closed streams by `/dev/null`, and everything written there is
 * lost without an error. This function runs before: it puts a stream there that cannot be written, which
 * `closed.rs` recognizes. If all three streams are closed, as for a service, there is nobody to tell.
 */
#include <fcntl.h>
#include <unistd.h>

static int is_closed(int stream) {
    return fcntl(stream, F_GETFD) == -1;
}

__attribute__((constructor)) static void keep_closed(void) {
    if (!is_closed(STDOUT_FILENO) || (is_closed(STDIN_FILENO) && is_closed(STDERR_FILENO)))
        return;
    int null = open("/dev/null", O_RDONLY);
    if (null != -1 && null != STDOUT_FILENO) {
        dup2(null, STDOUT_FILENO);
        close(null);
    }
}
