//! Answers to requests, and reasons why there is none.

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Answer to a request that is refused.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into() }
    }

    /// Creates a refusal of a malformed request.
    pub(crate) fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl From<page::RequestError> for ApiError {
    fn from(refusal: page::RequestError) -> ApiError {
        match refusal {
            page::RequestError::Bad(message) => ApiError::bad(message),
            page::RequestError::Missing(message) => ApiError::missing(message),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = answer(&json!({ "error": self.message }));
        *response.status_mut() = self.status;
        response
    }
}

/// Returns a value as a JSON response.
pub(crate) fn answer(value: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, Body::from(value.to_string())).into_response()
}

/// Parses the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, ApiError> {
    serde_json::from_slice(body)
        .map_err(|error| ApiError::bad(format!("the request cannot be read: {error}")))
}

/// Computes an answer on a thread of its own, so that other requests do not wait.
pub(crate) async fn apart(
    work: impl FnOnce() -> Result<Value, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    let defect = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "this is a defect of cql");
    Ok(answer(&done.map_err(defect)??))
}
