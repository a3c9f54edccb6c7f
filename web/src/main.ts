// The page of `cql studio`.

import { Refused } from "./backend";
import { h, message, replace, toast } from "./dom";
import { Server } from "./server";
import { Studio } from "./studio";
import { linked } from "./workspace";

/** Returns the token of the link, and takes it out of the address. */
function linkedToken(): string | null {
  const found = /[#&]token=(\w+)/.exec(location.hash);
  if (found) history.replaceState(null, "", location.pathname + location.hash.replace(/[#&]token=\w+/, "").replace(/^&/, "#"));
  return found?.[1] ?? null;
}

/** Reads the token that is stored for all tabs or for this one; null if there is none. */
function stored(storage: "localStorage" | "sessionStorage"): string | null {
  try {
    return window[storage].getItem("token");
  } catch {
    // The browser forbids it.
    return null;
  }
}

/** Stores the token for all tabs, or else for this one. Returns what does not work without it; empty if all does. */
function store(token: string): string {
  try {
    localStorage.setItem("token", token);
    sessionStorage.removeItem("token");
    return "";
  } catch (error) {
    console.warn(error);
  }
  try {
    sessionStorage.setItem("token", token);
    return "The storage of the browser is full: other tabs need the address that `cql studio` printed";
  } catch {
    return "The browser stores nothing here: a reload needs the address that `cql studio` printed";
  }
}

/**
 * Returns the token of the link if the server accepts it, and stores it for all tabs; or else the stored one. A link with
 * another token must not shut the other tabs out, and storage that is full or forbidden must not stop the page.
 */
async function tokenOf(linked: string | null): Promise<string | null> {
  const known = stored("localStorage");
  const given = linked ?? stored("sessionStorage");
  if (!given || given === known) return known;
  const isAccepted = await new Server(given).state().then(() => true, (error) => !(error instanceof Refused && error.status === 401));
  if (!isAccepted) return known ?? given;
  const lacking = store(given);
  // After a reload, the page does not say it again.
  if (lacking && linked) toast(lacking, "error");
  return given;
}

/** Name under which this tab keeps a link for which it has no token yet. */
const LINK = "link";

/** Keeps a link while the page waits for a token; null forgets it. */
function keepLink(hash: string | null): void {
  try {
    if (hash === null) sessionStorage.removeItem(LINK);
    else sessionStorage.setItem(LINK, hash);
  } catch {
    // The browser stores nothing here: the link opens in this tab if the address is opened in another one.
  }
}

function keptLink(): string {
  try {
    return sessionStorage.getItem(LINK) ?? "";
  } catch {
    return "";
  }
}

async function begin(): Promise<void> {
  const hash = /[#&](q\d*|run)=/.test(location.hash) ? location.hash : keptLink();
  const known = await tokenOf(linkedToken());
  // The address may be opened in another tab.
  let letIn: (token: string) => void = () => location.reload();
  window.addEventListener("storage", ({ key, newValue }) => key === "token" && newValue && letIn(newValue));
  // Or in this one, where only the part after # changes.
  window.addEventListener("hashchange", () => /[#&]token=/.test(location.hash) && location.reload());
  const refuse = (words: string) => {
    // The address that is opened in this tab takes the place of the link.
    if (isLink) keepLink(hash);
    letIn = () => location.reload();
    replace(document.querySelector("#app")!, h("div", { class: "lonely", role: "alert" }, h("h1", {}, "cql studio"), h("p", {}, message(words))));
  };
  const isLink = /[#&]q=/.test(hash);
  const link = isLink ? " The link then opens here; if your studio has a different address, paste it into the editor there." : "";
  if (!known) return refuse(`Open the address that \`cql studio\` printed in the terminal.${link}`);
  try {
    const server = new Server(known);
    // The page must not lose its queries when the studio restarts: it takes the new token.
    letIn = (token) => void (server.token = token);
    await new Studio(server, "studio").start(await linked(hash));
    keepLink(null);
  } catch (error) {
    const words = error instanceof Refused && error.status === 401 ? `Open the address that \`cql studio\` printed in the terminal: it changes with every start of the program.${link}` : (error as Error).message;
    refuse(words);
  }
}

void begin();
