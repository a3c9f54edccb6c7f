//! The engine of the playground: WebAssembly in a worker of the browser.
//!
//! It exports two functions and imports four, whose arguments are numbers and places in its memory.
//! A request is the path and the body of a request to the server of `cql studio`, with a line end
//! in between. The answer is that of the server, sent line by line while it is found. The page
//! stops a request by terminating the worker. A panic ends this program: the page starts it again,
//! and repeats the request without the game that caused the panic (`js/engine.ts`).

mod here;
mod outside;
mod request;

use std::cell::RefCell;
use std::panic;

use here::File;
use outside::EventKind;

/// The state between two calls.
#[derive(Default)]
struct Engine {
    /// Memory for the next request, which the page fills.
    room: Vec<u8>,
    files: Vec<File>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

/// Reserves memory for a request of `length` bytes, and returns its place.
// The compiler considers exported names unsafe, since another symbol could have the same name.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    ENGINE.with_borrow_mut(|engine| {
        engine.room = vec![0; length];
        engine.room.as_mut_ptr()
    })
}

/// Handles the request in the reserved memory.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    panic::set_hook(Box::new(|panic| {
        outside::tell(EventKind::Panic, panic.to_string().as_bytes());
    }));
    ENGINE.with_borrow_mut(|engine| {
        let request = std::mem::take(&mut engine.room);
        match request::carry_out(&mut engine.files, request) {
            Ok(answer) => outside::tell(EventKind::Answer, &answer),
            Err(message) => outside::tell(EventKind::Refusal, message.as_bytes()),
        }
    });
}
