// Converts the Markdown of the book to elements. HTML in a text stays text.

import { h } from "./dom";

export interface Hooks {
  /** Returns an element to add to a query, such as a button to open it. */
  query?(text: string, info: string, heading: string): Node | null;
  /** Returns a function that follows a link; null for a link that the browser follows. */
  link?(target: string): (() => void) | null;
}

/** Returns the anchor of a heading, as links of the book name it. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

export function markdown(text: string, hooks: Hooks = {}): DocumentFragment {
  const out = document.createDocumentFragment();
  const lines = text.split("\n");
  let heading = "";
  let at = 0;
  const takeWhile = (is: (line: string) => boolean) => {
    const from = at;
    while (at < lines.length && is(lines[at])) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at];
    const title = /^(#{1,4}) (.*)$/.exec(line);
    const fence = /^```(.*)$/.exec(line);
    if (title) {
      at += 1;
      heading = title[2];
      const level = Math.min(title[1].length + 1, 5) as 2 | 3 | 4 | 5;
      out.append(h(`h${level}`, { id: `book-${anchor(heading)}` }, inline(heading, hooks)));
    } else if (fence) {
      at += 1;
      const code = takeWhile((line) => !line.startsWith("```")).join("\n");
      at += 1;
      const pre = h("pre", { tabindex: 0 }, h("code", {}, code));
      const extra = fence[1].startsWith("cql") ? hooks.query?.(code, fence[1], heading) : null;
      out.append(h("div", { class: "code" }, pre, extra));
    } else if (line.startsWith("|")) {
      out.append(table(takeWhile((line) => line.startsWith("|")), hooks));
    } else if (/^\s*([*-]|\d+\.) /.test(line)) {
      const items = takeWhile((line) => /^\s*([*-]|\d+\.) /.test(line) || /^\s+\S/.test(line));
      out.append(h("ul", {}, ...items.map((item) => h("li", {}, inline(item.replace(/^\s*([*-]|\d+\.) /, ""), hooks)))));
    } else if (/^---+$/.test(line)) {
      at += 1;
      out.append(h("hr"));
    } else if (line.trim() === "" || line.startsWith("![") || line.startsWith("<!--")) {
      at += 1;
    } else {
      const words = takeWhile((line) => line.trim() !== "" && !/^(```|\||#|---)/.test(line));
      out.append(h("p", {}, inline(words.join(" "), hooks)));
    }
  }
  return out;
}

function table(lines: string[], hooks: Hooks): HTMLElement {
  const cells = (line: string) => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());
  const [head, , ...body] = lines.map(cells);
  return h("div", { class: "scroll", tabindex: 0 }, h("table", {},
    head.some((cell) => cell) && h("thead", {}, h("tr", {}, ...head.map((cell) => h("th", {}, inline(cell, hooks))))),
    h("tbody", {}, ...body.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, inline(cell, hooks)))))),
  ));
}

const ENTITIES: Record<string, string> = { "&#124;": "|", "&lt;": "<", "&gt;": ">", "&amp;": "&", "\\|": "|" };
const plain = (text: string) => text.replace(/&#124;|&lt;|&gt;|&amp;|\\\|/g, (found) => ENTITIES[found]);

function inline(text: string, hooks: Hooks): DocumentFragment {
  const out = document.createDocumentFragment();
  const parts = /``(.+?)``|`([^`]+)`|<code>(.*?)<\/code>|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)/g;
  let last = 0;
  for (const found of text.matchAll(parts)) {
    out.append(plain(text.slice(last, found.index)));
    last = found.index + found[0].length;
    const [, double, code, html, bold, italic, words, target] = found;
    if (double ?? code ?? html) out.append(h("code", {}, plain(double ?? code ?? html)));
    else if (bold) out.append(h("b", {}, inline(bold, hooks)));
    else if (italic) out.append(h("i", {}, inline(italic, hooks)));
    else {
      const follow = hooks.link?.(target);
      out.append(follow ? h("a", { href: "#", onclick: (event: Event) => (event.preventDefault(), follow()) }, inline(words, hooks)) : h("span", {}, inline(words, hooks)));
    }
  }
  out.append(plain(text.slice(last)));
  return out;
}
