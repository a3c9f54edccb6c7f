// Adds a link to every query of the book that runs it in the playground, which is next to the book.

const playground = `${path_to_root}../playground/`;
let isFetched = false;

// Fetches the files of the playground when the user points at a link, since a click will follow.
async function fetchSoon() {
  if (isFetched) return;
  isFetched = true;
  const address = new URL(`${playground}index.html`, location.href);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of page.querySelectorAll("link[href], script[src]")) {
    const link = document.createElement("link");
    link.rel = "prefetch";
    link.href = new URL(part.getAttribute("href") ?? part.getAttribute("src"), address);
    document.head.append(link);
  }
}

for (const code of document.querySelectorAll("pre > code.language-cql")) {
  const link = document.createElement("a");
  link.href = `${playground}index.html#run=${encodeURIComponent(code.textContent.trimEnd())}`;
  link.target = "_blank";
  link.textContent = "▶ Run";
  link.title = "Search the historic games for it, in the browser";
  link.className = "run-query";
  link.style.cssText = "position: absolute; right: 0.5rem; bottom: 0.4rem; font: 600 0.8em sans-serif";
  link.addEventListener("pointerenter", fetchSoon);
  link.addEventListener("focus", fetchSoon);
  code.parentElement.style.position = "relative";
  code.parentElement.append(link);
}
