/** Something unsaved that the page holds. */
interface Unsaved {
  /** Whose it is. A form within a part of the page is called by both, as in `panel/notes`. */
  form: string;
  /** What would be lost, as a sentence. */
  text: string;
  /** Asks whether all of this may be lost; `go` leaves. */
  ask: (texts: readonly string[], go: () => void) => void;
  /** Gives up what would outlive its form. */
  discard?: (() => void) | undefined;
}

let held: readonly Unsaved[] = [];

/** Has leaving ask first from now on; returns how to stop that. */
export function guardLeaving(unsaved: Unsaved): () => void {
  held = [...held, unsaved];
  return () => {
    held = held.filter((other) => other !== unsaved);
  };
}

/**
 * Goes at once, or where something would be lost by it once that was agreed to. One question names all of it.
 * @param form what is left: a form, or a part of the page with the forms in it; without it, the whole page
 */
export function leave(go: () => void, form?: string): void {
  const lost = held.filter(
    (one) => form === undefined || one.form === form || one.form.startsWith(`${form}/`),
  );
  const asking = lost.at(-1);
  if (asking === undefined) {
    go();
    return;
  }
  const texts = lost.map(({ text }) => text);
  asking.ask(texts, () => {
    held = held.filter((one) => !lost.includes(one));
    for (const { discard } of lost) discard?.();
    go();
  });
}

/** Whether leaving the page would ask. */
export function isLeavingGuarded(): boolean {
  return held.length > 0;
}
