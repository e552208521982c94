import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isComposing, isSilenced, shortcutName } from './keyboard.ts';

/** Something that can be done on the screen as it is, by its keys or from the command palette. */
export interface Command {
  /** The same each time the app runs: the palette remembers by it what was used. */
  id: string;
  title: string;
  /** Under which heading it is listed. */
  section: string;
  /** Each a way to do it: a press as `shortcutName` calls it, or two in a row with a space between, as in `g i`. */
  keys?: readonly string[];
  run: () => void;
  /** False where it is not permitted, or can't be done now: it is not listed then, and its keys do nothing. */
  enabled?: boolean;
  /** Goes on while its key is held down. */
  repeats?: boolean;
  /** Of use by its keys alone, such as a step through a list: the palette leaves it out. */
  keysOnly?: boolean;
}

/** After the first press of two the second is waited for this long. */
const CHORD_MS = 2_000;

let owners: readonly RefObject<readonly Command[]>[] = [];
let chord: string | null = null;
let chordTimer: ReturnType<typeof setTimeout> | undefined;

function available(): readonly Command[] {
  return owners.flatMap(({ current }) => current.filter(({ enabled }) => enabled !== false));
}

function setChord(first: string | null): void {
  if (first === chord) return;
  clearTimeout(chordTimer);
  if (first !== null) chordTimer = setTimeout(setChord, CHORD_MS, null);
  chord = first;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event)) return;
  // Held on the way to another key, as Shift is for `?`.
  if (/^(Alt|AltGraph|Control|Meta|Shift)$/.test(event.key)) return;
  const press = shortcutName(event);
  const first = chord;
  if (!event.repeat) setChord(null);
  if (isSilenced(event, press)) return;
  const keys = first === null ? press : `${first} ${press}`;
  const command = available().findLast((candidate) => candidate.keys?.includes(keys));
  const begins = `${press} `;
  if (command) {
    event.preventDefault();
    if (command.repeats || !event.repeat) command.run();
  } else if (first !== null) {
    // Meant as the second of two: on its own it could do something else.
    event.preventDefault();
  } else if (available().some(({ keys: own }) => own?.some((key) => key.startsWith(begins)))) {
    event.preventDefault();
    setChord(press);
  }
}

/**
 * Offers commands while the component is mounted, and binds their keys. Composition and open overlays silence all keys,
 * fields and the off switch those without a modifier. Where two commands have the same keys, the later mounted acts.
 */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  // Before the paint: a key that is pressed as soon as something shows must find it.
  useLayoutEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    owners = [...owners, latest];
    // The same listener is added once, however many there are to hear it.
    document.addEventListener('keydown', onKeyDown);
    return () => {
      owners = owners.filter((owner) => owner !== latest);
    };
  }, []);
}
