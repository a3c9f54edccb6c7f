// How what is found wrong with a query is worded.

import type { Edit } from "./backend";

/** What an edit does, in two words. */
export function fixName(edit: Edit[]): string {
  const [first] = edit;
  if (first.insert === "") return "Remove it";
  return first.insert.length <= 24 && !first.insert.includes("\n") ? `Write ${first.insert.trim()}` : "Mend it";
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
