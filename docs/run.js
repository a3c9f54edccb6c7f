// A link beside every query of the book that runs it in the playground, which lies above the book.

for (const code of document.querySelectorAll("pre > code.language-cql")) {
  const link = document.createElement("a");
  link.href = `${path_to_root}../index.html#run=${encodeURIComponent(code.textContent.trimEnd())}`;
  link.target = "_blank";
  link.textContent = "▶ Run";
  link.title = "Search the historic games for it, in the browser";
  link.className = "run-query";
  link.style.cssText = "position: absolute; right: 0.5rem; bottom: 0.4rem; font: 600 0.8em sans-serif";
  code.parentElement.style.position = "relative";
  code.parentElement.append(link);
}
