// Wording of diagnostics.

import type { Edit } from "./backend";

/** Names a quick fix by its effect. */
export function fixName(edit: Edit[]): string {
  const [first] = edit;
  if (first.insert === "") return "Remove it";
  return first.insert.length <= 24 && !first.insert.includes("\n") ? `Write ${first.insert.trim()}` : "Fix it";
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
