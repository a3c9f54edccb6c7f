// The playground: static files of any web server, with the engine in the page itself.

import { h, replace } from "./dom";
import { Local, type Begun } from "./local";
import { Studio } from "./studio";
import { linked } from "./workspace";

async function begin(): Promise<void> {
  try {
    const { begun } = window as unknown as { begun: Begun };
    const local = new Local(begun, "historic.pgn");
    const link = await linked(location.hash);
    // The engine searches while the page is built.
    if (link?.isRun) await local.begin({ query: link.query, values: [], openings: false });
    await Promise.all([begun.module, new Studio(local, "playground").start(link)]);
  } catch (error) {
    replace(document.querySelector("#app")!, h("div", { class: "lonely", role: "alert" }, h("h1", {}, "cql playground"), h("p", {}, (error as Error).message)));
  }
}

void begin();
