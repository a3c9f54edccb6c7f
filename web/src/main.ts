// The page of `cql studio`.

import { Refused } from "./backend";
import { h, message, replace } from "./dom";
import { Server } from "./server";
import { Studio } from "./studio";
import { linked } from "./workspace";

/** Returns the token of the link, and takes it out of the address. */
function linkedToken(): string | null {
  const found = /[#&]token=(\w+)/.exec(location.hash);
  if (found) history.replaceState(null, "", location.pathname + location.hash.replace(/[#&]token=\w+/, "").replace(/^&/, "#"));
  return found?.[1] ?? null;
}

/**
 * Returns the token of the link if the server accepts it, and stores it for all tabs; or else the stored one. A link with
 * another token must not shut the other tabs out, and storage that is full or forbidden must not stop the page.
 */
async function tokenOf(linked: string | null): Promise<string | null> {
  let known: string | null = null;
  try {
    known = localStorage.getItem("token");
    if (!linked || linked === known) return known;
    const isAccepted = await new Server(linked).state().then(() => true, (error) => !(error instanceof Refused && error.status === 401));
    if (!isAccepted) return known ?? linked;
    localStorage.setItem("token", linked);
  } catch (error) {
    console.warn(error);
  }
  return linked ?? known;
}

async function begin(): Promise<void> {
  const hash = location.hash;
  const known = await tokenOf(linkedToken());
  // The address may be opened in another tab.
  let letIn: (token: string) => void = () => location.reload();
  window.addEventListener("storage", ({ key, newValue }) => key === "token" && newValue && letIn(newValue));
  const refuse = (words: string) => {
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
  } catch (error) {
    const words = error instanceof Refused && error.status === 401 ? `Open the address that \`cql studio\` printed in the terminal: it changes with every start of the program.${link}` : (error as Error).message;
    refuse(words);
  }
}

void begin();
