/** Unsaved input on the page. */
interface Unsaved {
  /** The form's name. If the form is inside a named part of the page, that name comes first: `panel/notes`. */
  form: string;
  /** A sentence that says what would be lost. */
  text: string;
  /** Asks whether all unsaved input may be discarded, and calls `go` to leave if so. */
  ask: (texts: readonly string[], go: () => void) => void;
  /** Deletes input that is stored outside the form, or closes a dialog that outlives the page. */
  discard?: (() => void) | undefined;
}

let held: readonly Unsaved[] = [];

/** Makes leaving ask for confirmation first. Returns a function that undoes this. */
export function guardLeaving(unsaved: Unsaved): () => void {
  held = [...held, unsaved];
  return () => {
    held = held.filter((other) => other !== unsaved);
  };
}

/**
 * Leaves at once or, if unsaved input would be lost, after the user confirms. A single question lists everything unsaved.
 * @param form the form to leave, or a part of the page with all forms in it; by default the whole page
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

/** Returns whether leaving the page asks for confirmation. */
export function isLeavingGuarded(): boolean {
  return held.length > 0;
}
