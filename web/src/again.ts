// What failed because the studio did not answer, to be done again once it answers: after a pause that grows, when the
// browser has a connection again, and when the page comes into sight.

import { Refused } from "./backend";

/** Milliseconds until the first look whether the studio answers, and at most between two. */
const FIRST = 1000;
const LONGEST = 15_000;

/** Milliseconds without a failure after which the pauses are short again. */
const CALM = 60_000;

/** Whether a request did not reach the studio. */
export function isUnreached(error: unknown): boolean {
  return error instanceof Refused && error.status === 0;
}

class Again {
  private readonly wishes = new Map<string, () => void>();
  private pause = FIRST;
  private timer = 0;
  private failed = -Infinity;
  private isLooking = false;

  private ask: () => Promise<unknown> = async () => {};

  /** Begins to look; `ask` asks the studio something. */
  start(ask: () => Promise<unknown>): void {
    this.ask = ask;
    const look = () => {
      this.pause = FIRST;
      void this.look();
    };
    window.addEventListener("online", look);
    document.addEventListener("visibilitychange", look);
  }

  /** Has something done once the studio answers, if this error says that it did not. */
  after(error: unknown, name: string, wish: () => void): void {
    if (isUnreached(error)) this.later(name, wish);
  }

  /** Has something done once the studio answers, in place of what this name stood for before. */
  later(name: string, wish: () => void): void {
    const now = performance.now();
    if (now - this.failed > CALM) this.pause = FIRST;
    this.failed = now;
    this.wishes.set(name, wish);
    // A request that fails meanwhile does not put the next look off.
    if (this.timer === 0) this.wait();
  }

  forget(name: string): void {
    this.wishes.delete(name);
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      void this.look();
    }, this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST);
  }

  private async look(): Promise<void> {
    if (this.wishes.size === 0 || document.hidden || this.isLooking) return;
    this.isLooking = true;
    const answers = await this.ask().then(() => true, (error) => !isUnreached(error));
    this.isLooking = false;
    if (!answers) return this.wait();
    const wishes = [...this.wishes.values()];
    this.wishes.clear();
    for (const wish of wishes) wish();
  }
}

export const again = new Again();
