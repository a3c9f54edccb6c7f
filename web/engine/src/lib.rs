//! The engine of a page that has no server: WebAssembly in a worker of the browser.
//!
//! It is called by two functions and calls four, with numbers and places in its memory. A request is
//! the path and the body that the server of `cql studio` would be sent, with a line end in between;
//! what the server would answer is told while it is found. Whoever wants it stopped ends the worker.
//! A panic ends this program: the page starts it again, and then leaves out the game it was at
//! (`web/src/engine.ts`).

mod here;
mod outside;
mod request;

use std::cell::RefCell;
use std::panic;

use here::File;
use outside::What;

/// What is there between two calls.
#[derive(Default)]
struct Engine {
    /// The request, written by the page.
    room: Vec<u8>,
    files: Vec<File>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

/// Makes room for a request of so many bytes. The result is where it is.
// A name that the page can call is what the compiler takes for unsafe: another could have it.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    ENGINE.with_borrow_mut(|engine| {
        engine.room = vec![0; length];
        engine.room.as_mut_ptr()
    })
}

/// Carries out the request that was written there.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn call() {
    panic::set_hook(Box::new(|panic| {
        outside::tell(What::Panic, panic.to_string().as_bytes());
    }));
    ENGINE.with_borrow_mut(|engine| {
        let request = std::mem::take(&mut engine.room);
        match request::carry_out(&mut engine.files, request) {
            Ok(answer) => outside::tell(What::Answer, &answer),
            Err(message) => outside::tell(What::Refusal, message.as_bytes()),
        }
    });
}
