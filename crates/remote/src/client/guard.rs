//! Guards the library against servers: limits every answer to what was requested, and sends
//! credentials only to the host that the user named.
//!
//! Servers may be broken or malicious. The library buffers what they send and follows their
//! redirects, so each answer passes through here first.

use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use futures_util::StreamExt;
use http_body::{Body, Frame};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{ClientBuilder, NoProxy, Proxy, Url};

use super::errors::Refused;

/// Largest size in bytes of an answer that is not the bytes of an object. A page of a list has a
/// thousand names of up to a thousand bytes each.
const LARGEST_ANSWER: u64 = 16 << 20;

/// Largest size in bytes of an error message that is read.
const LONGEST_ERROR: usize = 4 << 10;

/// Longest time to wait for an error message.
const PATIENCE: Duration = Duration::from_secs(5);

/// Largest number of redirects.
const REDIRECTS: usize = 10;

/// Largest size of an object in bytes, so that sums of offsets cannot overflow.
pub(super) const LARGEST_OBJECT: u64 = 1 << 60;

/// Extension of a request for a whole object, which is read in order and may have any length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Everything;

/// Creates guarded clients.
#[derive(Debug)]
pub(super) struct Connector {
    /// Whether the server may redirect to other hosts. Requests to object storage stay on their
    /// host, because they carry credentials.
    pub(super) is_of_web: bool,
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let generic = |error: Box<dyn std::error::Error + Send + Sync>| {
            let source = error;
            let store = "client";
            object_store::Error::Generic { store, source }
        };
        let build = |is_hurried| -> object_store::Result<HttpClient> {
            let builder = self.builder(options, is_hurried).map_err(generic)?;
            let client = builder.build().map_err(|error| generic(error.into()))?;
            Ok(HttpClient::new(client))
        };
        Ok(HttpClient::new(Guarded { hurried: build(true)?, unhurried: build(false)? }))
    }
}

impl Connector {
    /// Builds a client from options. The library gives access to options only by key, and keys that
    /// are not needed here are ignored.
    fn builder(
        &self,
        options: &ClientOptions,
        is_hurried: bool,
    ) -> Result<ClientBuilder, Box<dyn std::error::Error + Send + Sync>> {
        use ClientConfigKey as Key;
        let get = |key| options.get_config_value(&key);
        let is_set = |key| get(key).as_deref() == Some("true");
        let time = |key| get(key).map(|text| humantime::parse_duration(&text)).transpose();
        let mut builder = ClientBuilder::new()
            .redirect(self.policy())
            // The address may be secret.
            .referer(false)
            .https_only(!is_set(Key::AllowHttp))
            .user_agent(get(Key::UserAgent).unwrap_or_else(|| "babson".to_owned()));
        if is_set(Key::AllowInvalidCertificates) {
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        if is_set(Key::Http1Only) {
            builder = builder.http1_only();
        }
        if let Some(time) = time(Key::ConnectTimeout)? {
            builder = builder.connect_timeout(time);
        }
        if let Some(time) = time(Key::ReadTimeout)? {
            builder = builder.read_timeout(time);
        }
        if let Some(time) = time(Key::Timeout)?.filter(|_| is_hurried) {
            builder = builder.timeout(time);
        }
        if let Some(url) = get(Key::ProxyUrl) {
            let except = get(Key::ProxyExcludes).unwrap_or_default();
            let proxy = Proxy::all(url)?.no_proxy(NoProxy::from_string(&except));
            builder = builder.proxy(proxy);
        }
        if let Some(certificate) = get(Key::ProxyCaCertificate) {
            let certificate = reqwest::Certificate::from_pem(certificate.as_bytes())?;
            builder = builder.tls_certs_merge([certificate]);
        }
        Ok(builder)
    }

    /// Returns the redirect policy. Object storage may redirect only within its host, because
    /// requests carry credentials. Web servers may redirect to other hosts, where the client drops
    /// credentials, but not from https to http.
    fn policy(&self) -> Policy {
        let is_of_web = self.is_of_web;
        Policy::custom(move |attempt: Attempt<'_>| {
            let from = attempt.previous().last();
            let is_same = from.is_some_and(|from| from.origin() == attempt.url().origin());
            let is_open = from.is_some_and(|from| from.scheme() == "https")
                && attempt.url().scheme() == "http";
            if attempt.previous().len() > REDIRECTS {
                attempt.error(Refused("the server redirects without end".to_owned()))
            } else if is_of_web && is_open {
                attempt.error(Refused(
                    "the server redirects from https to http, which is not secure".to_owned(),
                ))
            } else if is_same || is_of_web {
                attempt.follow()
            } else {
                // The redirect is then reported as a status.
                attempt.stop()
            }
        })
    }
}

/// A client whose answers are checked.
#[derive(Debug)]
struct Guarded {
    /// Answers must be complete within a time limit, …
    hurried: HttpClient,
    /// … except those of any length.
    unhurried: HttpClient,
}

#[async_trait]
impl HttpService for Guarded {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let header = |name: &str| {
            let value = request.headers().get(name);
            value.and_then(|value| value.to_str().ok()).map(String::from)
        };
        let asked = match header("range") {
            Some(range) => Asked::Range(range_of(&range).ok_or_else(other_bytes)?),
            None if request.extensions().get::<Everything>().is_some() => Asked::Everything,
            None => Asked::Answer,
        };
        say_who_asks(&mut request);
        let client = match asked {
            Asked::Everything => &self.unhurried,
            _ => &self.hurried,
        };
        let mut response = client.execute(request).await?;
        if !response.status().is_success() {
            let body = std::mem::replace(response.body_mut(), Vec::new().into());
            *response.body_mut() = code_of(body).await.into();
            return Ok(response);
        }
        let header = |name: &str| {
            let value = response.headers().get(name);
            value.and_then(|value| value.to_str().ok())
        };
        let most = match asked.most(
            response.status().as_u16(),
            header("content-range"),
            header("content-length").and_then(|length| length.parse().ok()),
        ) {
            Ok(most) => most,
            Err(refused) => return Err(HttpError::new(HttpErrorKind::Decode, refused)),
        };
        if let Some(most) = most
            && (matches!(asked, Asked::Range(_)) || header("content-length").is_none())
        {
            // The library requires the length of each answer, which chunked answers do not state.
            response.headers_mut().insert("content-length", most.into());
        }
        Ok(response.map(|body| match most {
            Some(most) => HttpResponseBody::new(Limited {
                body,
                left: most,
                is_range: matches!(asked, Asked::Range(_)),
            }),
            None => body,
        }))
    }
}

/// Sends the name and password of an address in the header where servers expect them. The client
/// drops the header when it is redirected to another host.
fn say_who_asks(request: &mut HttpRequest) {
    let Ok(url) = Url::parse(&request.uri().to_string()) else {
        return;
    };
    if url.username().is_empty() && url.password().is_none() {
        return;
    }
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).collect::<Vec<u8>>();
    let mut who = decoded(url.username());
    who.push(b':');
    who.extend(decoded(url.password().unwrap_or_default()));
    let value = format!("Basic {}", BASE64_STANDARD.encode(who));
    if let Ok(mut value) = reqwest::header::HeaderValue::from_str(&value) {
        value.set_sensitive(true);
        request.headers_mut().insert("authorization", value);
    }
}

fn other_bytes() -> HttpError {
    HttpError::new(HttpErrorKind::Decode, Refused(OTHER_BYTES.to_owned()))
}

const OTHER_BYTES: &str =
    "the server sends bytes that were not requested, or does not declare their range";

/// Message for servers that send more than was requested.
pub(super) const MORE_BYTES: &str = "the server sends more bytes than requested";

/// Contents that a request asks for.
#[derive(Debug)]
enum Asked {
    /// A byte range of an object.
    Range(Range<u64>),
    /// A whole object, in order.
    Everything,
    /// Any other answer, which is short.
    Answer,
}

impl Asked {
    /// Returns the number of bytes to accept of an answer, or `None` for any number. Checks its
    /// status and the range and length that it states.
    fn most(
        &self,
        status: u16,
        content_range: Option<&str>,
        length: Option<u64>,
    ) -> Result<Option<u64>, Refused> {
        const PARTIAL: u16 = 206;
        let (most, message) = match self {
            Asked::Range(asked) if status == PARTIAL => {
                let given = content_range.and_then(given);
                let is_right = |(bytes, size): &(Range<u64>, u64)| {
                    bytes.start == asked.start && bytes.end == asked.end.min(*size)
                };
                let (bytes, _) =
                    given.filter(is_right).ok_or_else(|| Refused(OTHER_BYTES.to_owned()))?;
                (bytes.end - bytes.start, MORE_BYTES)
            }
            // The body is not read: the library then requests the whole object.
            Asked::Range(_) => return Ok(Some(0)),
            _ if status == PARTIAL => return Err(Refused(OTHER_BYTES.to_owned())),
            Asked::Everything => return Ok(None),
            Asked::Answer => (LARGEST_ANSWER, TOO_LONG),
        };
        match length {
            Some(length) if length > most => Err(Refused(message.to_owned())),
            _ => Ok(Some(most)),
        }
    }
}

const TOO_LONG: &str = "the server's answer is too long";

/// Parses the byte range of a request.
fn range_of(header: &str) -> Option<Range<u64>> {
    let (first, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let end = last.parse::<u64>().ok()?.checked_add(1)?;
    Some(first.parse().ok()?..end)
}

/// Parses the byte range and total size stated by an answer.
fn given(header: &str) -> Option<(Range<u64>, u64)> {
    let (range, size) = header.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let size = size.parse().ok().filter(|size| *size <= LARGEST_OBJECT)?;
    (first <= last && last < size).then(|| (first..last + 1, size))
}

/// Returns the error code in an error answer of object storage. Nothing else is used for messages,
/// because such answers repeat the request.
async fn code_of(body: HttpResponseBody) -> String {
    let mut text = Vec::new();
    let mut parts = body.bytes_stream();
    let read = async {
        while text.len() < LONGEST_ERROR
            && let Some(Ok(part)) = parts.next().await
        {
            text.extend_from_slice(&part[..part.len().min(LONGEST_ERROR - text.len())]);
        }
    };
    // The part that has arrived by then is used.
    let _ = tokio::time::timeout(PATIENCE, read).await;
    let text = String::from_utf8_lossy(&text);
    let code = text
        .split_once("<Code>")
        .and_then(|(_, rest)| rest.split_once("</Code>"))
        .map_or("", |(code, _)| code);
    let is_word = code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_word { code } else { "" }.to_owned()
}

/// A body that is limited to the requested number of bytes.
#[derive(Debug)]
struct Limited {
    body: HttpResponseBody,
    left: u64,
    /// Whether one excess byte is passed on, so that the reader of a range reports it. After an
    /// error the library would only repeat the request.
    is_range: bool,
}

impl Body for Limited {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        loop {
            let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
            let data = match frame {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => data,
                    Err(_) => continue,
                },
                // Everything has arrived.
                Some(Err(_)) if self.is_range && self.left == 0 => return Poll::Ready(None),
                other => return Poll::Ready(other),
            };
            let n = data.len() as u64;
            if n <= self.left {
                self.left -= n;
                return Poll::Ready(Some(Ok(Frame::data(data))));
            }
            if !self.is_range {
                let error = HttpError::new(HttpErrorKind::Decode, Refused(TOO_LONG.to_owned()));
                return Poll::Ready(Some(Err(error)));
            }
            let taken = usize::try_from(self.left + 1).unwrap_or(usize::MAX);
            self.left = 0;
            // Closes the connection, whose other bytes are not read.
            self.body = Vec::new().into();
            return Poll::Ready(Some(Ok(Frame::data(data.slice(..taken)))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_held_against_what_was_asked_for() {
        let check = |range: &str, length: Option<u64>, expected: Result<u64, &str>| {
            let most = Asked::Range(10..20).most(206, Some(range), length);
            let most = most.map(|most| most.expect("a limit"));
            let expected = expected.map_err(|message| message.to_owned());
            assert_eq!(most.map_err(|Refused(message)| message), expected, "{range}");
        };
        check("bytes 10-19/100", Some(10), Ok(10));
        check("bytes 10-19/100", None, Ok(10));
        check("bytes 10-14/15", Some(5), Ok(5));
        // The connection may break before all bytes have arrived.
        check("bytes 10-19/100", Some(3), Ok(10));
        check("bytes 10-19/100", Some(11), Err(MORE_BYTES));
        for range in [
            "bytes 9-19/100",
            "bytes 10-20/100",
            "bytes 10-18/100",
            "bytes 11-19/100",
            "bytes 10-19/15",
            "bytes 10-19/*",
            "bytes 10-19/0",
            "bytes */100",
            "bytes 19-10/100",
            "bytes 10-18446744073709551615/18446744073709551615",
            "bytes 10-19/18446744073709551615",
            "bytes 10-19/9223372036854775808",
            "10-19/100",
            "",
        ] {
            check(range, None, Err(OTHER_BYTES));
        }
        assert!(Asked::Range(10..20).most(206, None, Some(10)).is_err());
    }

    #[test]
    fn other_answers_are_short_or_wanted() {
        let n = |asked: Asked, status, length| asked.most(status, None, length).ok();
        assert_eq!(n(Asked::Everything, 200, Some(1 << 40)), Some(None));
        assert_eq!(n(Asked::Everything, 206, Some(10)), None);
        assert_eq!(n(Asked::Answer, 200, Some(10)), Some(Some(LARGEST_ANSWER)));
        assert_eq!(n(Asked::Answer, 200, None), Some(Some(LARGEST_ANSWER)));
        assert_eq!(n(Asked::Answer, 200, Some(LARGEST_ANSWER + 1)), None);
        // A server without support for ranges.
        assert_eq!(n(Asked::Range(0..10), 200, Some(1 << 40)), Some(Some(0)));
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(range_of("bytes=0-131071"), Some(0..131_072));
        for header in ["bytes=5-", "bytes=-5", "5-6", "bytes=0-18446744073709551615"] {
            assert_eq!(range_of(header), None, "{header}");
        }
    }
}
