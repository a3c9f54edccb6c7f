//! Checks which requests are allowed.
//!
//! Other users of the machine can reach the server, and so can every page that is open in the
//! browser. Therefore every path except the files of the page requires the token of this start, in
//! a header that pages of other origins cannot send; a cookie would be sent to every server of this
//! machine. The page gets the token from the part of the link after `#`, which stays in the
//! browser. Host and origin are checked as well, since a foreign host name may resolve to this
//! machine.

use std::fmt::Write as _;
use std::io;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

use crate::api_error::ApiError;
use crate::app::App;

/// Name of the header with the token.
pub(crate) const TOKEN: &str = "x-studio-token";

/// Content security policy of the page: nothing from other origins. Editor and board set inline
/// styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Returns a random secret of 128 bits, in hexadecimal.
pub(crate) fn new_secret() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Refuses requests that are not allowed, and sets the security headers of every response.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let refused = check(&app.token, app.port, path, request.headers());
    if refused.is_ok() && path.starts_with("/api/") {
        // The page has been opened, so its file is not needed any more.
        app.close_door();
    }
    let mut response = match refused {
        Ok(()) => next.run(request).await,
        Err(refusal) => axum::response::IntoResponse::into_response(refusal),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

fn check(token: &str, port: u16, path: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let is_own = |host: &str| {
        let (name, number) = host.rsplit_once(':').unwrap_or((host, "80"));
        matches!(name, "127.0.0.1" | "localhost") && number.parse() == Ok(port)
    };
    if !text("host").is_some_and(is_own) {
        let message = "the request names a different server";
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
    }
    let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
    if text("origin").is_some_and(|origin| !is_own_origin(origin)) {
        let message = "the request comes from another page";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    // A link on another page or in a file may lead to the page; nothing else may be fetched from
    // there.
    let from_elsewhere =
        text("sec-fetch-site").is_some_and(|site| matches!(site, "cross-site" | "same-site"));
    if from_elsewhere && path != "/" {
        let message = "the request comes from another page";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    let knows_token = || text(TOKEN).is_some_and(|given| is_same(given, token));
    if path.starts_with("/api/") && !knows_token() {
        let message = "open the address that `cql studio` printed; it changes with every start of \
                       the program";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, message));
    }
    Ok(())
}

/// Compares two texts in a time that does not depend on where they differ.
fn is_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).map(|(a, b)| a ^ b);
    a.len() == b.len() && differences.fold(0, |all, one| all | one) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_headers(path: &str, given: &[(&'static str, &str)], expected: Option<StatusCode>) {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.insert(*name, value.parse().expect("a value"));
        }
        let found = check("secret", 7777, path, &headers);
        let found = found.err().map(|refusal| refusal.status());
        assert_eq!(found, expected, "{path} {given:?}");
    }

    #[test]
    fn only_the_page_itself_comes_in() {
        let host = ("host", "127.0.0.1:7777");
        let token = (TOKEN, "secret");
        let unauthorized = Some(StatusCode::UNAUTHORIZED);
        let forbidden = Some(StatusCode::FORBIDDEN);
        let misdirected = Some(StatusCode::MISDIRECTED_REQUEST);
        check_headers("/", &[host], None);
        check_headers("/api/state", &[host, token], None);
        check_headers("/api/state", &[("host", "localhost:7777"), token], None);
        check_headers("/api/state", &[host], unauthorized);
        check_headers("/api/state", &[host, (TOKEN, "secre")], unauthorized);
        check_headers("/api/state", &[host, (TOKEN, "sEcret")], unauthorized);
        check_headers("/", &[], misdirected);
        check_headers("/", &[("host", "evil.example:7777")], misdirected);
        check_headers("/", &[("host", "127.0.0.1:7778")], misdirected);
        let origin = |origin| ("origin", origin);
        check_headers("/api/state", &[host, token, origin("http://127.0.0.1:7777")], None);
        check_headers("/api/state", &[host, token, origin("null")], forbidden);
        check_headers("/api/state", &[host, token, origin("https://127.0.0.1:7777")], forbidden);
        check_headers("/api/state", &[host, token, origin("http://127.0.0.1:80")], forbidden);
        let site = |site| ("sec-fetch-site", site);
        check_headers("/", &[host, site("cross-site")], None);
        check_headers("/app.js", &[host, site("cross-site")], forbidden);
        check_headers("/api/state", &[host, token, site("same-site")], forbidden);
        check_headers("/api/state", &[host, token, site("same-origin")], None);
    }

    #[test]
    fn secrets_are_long_and_new() {
        let [a, b] = [new_secret(), new_secret()].map(|secret| secret.expect("randomness"));
        assert_eq!((a.len(), a == b), (32, false));
    }
}
