// The keyboard focus when its control goes away: a neighbour receives it, and not the page, where Tab would begin
// anew.

/** The control that had the focus last, and what is around it, each with its place among its siblings. */
let trail: { element: Element; place: number }[] = [];

const CONTROLS = "button, input, select, textarea, summary, a[href], [tabindex]";

function isThere(control: Element): boolean {
  return control.isConnected && control.checkVisibility({ visibilityProperty: true }) && !control.matches(":disabled");
}

function isUsable(control: HTMLElement): boolean {
  // A field would open the keyboard of a phone.
  const isField = control.matches("input:not([type=checkbox], [type=radio]), textarea");
  return control.tabIndex >= 0 && isThere(control) && !(isField && matchMedia("(pointer: coarse)").matches);
}

/** Returns the controls in an element that Tab can reach, and the element itself if it is one. */
function controlsIn(element: Element): HTMLElement[] {
  const all = [...element.querySelectorAll<HTMLElement>(CONTROLS)];
  return (element.matches(CONTROLS) ? [element as HTMLElement, ...all] : all).filter(isUsable);
}

function note(focused: Element | null): void {
  trail = [];
  for (let element = focused; element && element !== document.body; element = element.parentElement) {
    trail.push({ element, place: element.parentElement ? [...element.parentElement.children].indexOf(element) : 0 });
  }
}

/** Whether the control that had the focus is gone, and not only left. */
function isLost(): boolean {
  const { activeElement: focused } = document;
  return (focused === document.body || focused === null) && trail.length > 0 && !isThere(trail[0].element);
}

/** Gives the focus to what follows in the place of the lost control, or else to what precedes it. */
function mend(): void {
  if (!isLost()) return;
  for (const [i, { element }] of trail.entries()) {
    if (i === 0 || !element.isConnected) continue;
    const { place } = trail[i - 1];
    const children = [...element.children];
    const next = children.slice(place).flatMap(controlsIn)[0] ?? children.slice(0, place).flatMap(controlsIn).at(-1);
    const control = next ?? (isUsable(element as HTMLElement) && element.matches(CONTROLS) ? (element as HTMLElement) : undefined);
    if (!control) continue;
    trail = [];
    return control.focus();
  }
}

/** Keeps the focus on the page from now on. */
export function keepFocus(): void {
  document.addEventListener("focusin", (event) => note(event.target as Element));
  // A click beside all controls leaves them.
  document.addEventListener("click", () => note(document.activeElement === document.body ? null : document.activeElement), true);
  document.addEventListener("focusout", (event) => event.relatedTarget === null && queueMicrotask(mend));
  // Tab leaves a menu, which closes before the next control has the focus.
  new MutationObserver(() => setTimeout(mend)).observe(document.body, { subtree: true, childList: true, attributeFilter: ["hidden", "open", "disabled", "data-way", "data-part", "data-board"] });
}
