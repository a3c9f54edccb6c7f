// Answers as text, one value or lines, and what they say.

import type { Found, Query } from "./types.js";

/** Reason why a request has no answer: a mistake in the query, or in the request. */
export class Refusal extends Error {}

/** Returns the body of a search. */
export function searchOf(query: string | Query, files: number[]): object {
  return { ...(typeof query === "string" ? { query } : query), collections: files };
}

/** An answer, whose parts are collected. */
export class Answer {
  text = "";
  refusal: string | null = null;

  private get whole(): string {
    if (this.refusal !== null) throw new Refusal(this.refusal);
    return this.text;
  }

  get value(): any {
    return JSON.parse(this.whole);
  }

  get found(): Found {
    const found = { heading: { sort: [], ascending: [], values: [] }, games: [], faults: [], said: "" } as unknown as Found;
    for (const text of this.whole.split("\n")) {
      if (text === "") continue;
      const line = JSON.parse(text);
      if (Array.isArray(line)) found.games.push(line as Found["games"][number]);
      else if (line.start) found.heading = line.start;
      else if (line.fault) found.faults.push(line.fault);
      else if (line.said) found.said += line.said;
      else if (line.end) found.end = line.end;
    }
    return found;
  }
}
