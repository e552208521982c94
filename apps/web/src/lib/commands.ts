import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
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
  /** Not enabled yet, and about to be: a press of its keys is remembered until then, or until the next press. */
  isComing?: boolean;
  /** Goes on while its key is held down. */
  repeats?: boolean;
  /** Of use by its keys alone, such as a step through a list: the palette leaves it out. */
  keysOnly?: boolean;
}

/** After the first press of two the second is waited for this long. */
const CHORD_MS = 2_000;

let owners: readonly RefObject<readonly Command[]>[] = [];
let listed: readonly Command[] = [];
let chord: string | null = null;
let chordTimer: ReturnType<typeof setTimeout> | undefined;
/** The keys of a command that is not enabled yet. */
let awaited: string | null = null;
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function available(): readonly Command[] {
  return owners.flatMap(({ current }) => current.filter(({ enabled }) => enabled !== false));
}

function withKeys(keys: string): Command | undefined {
  return available().findLast((candidate) => candidate.keys?.includes(keys));
}

function runAwaited(): void {
  const command = awaited === null ? undefined : withKeys(awaited);
  if (!command) return;
  awaited = null;
  command.run();
}

function forgetAwaited(): void {
  awaited = null;
}

function snapshot(): readonly Command[] {
  const now = available();
  // What is written of a command is all but how it is run: that is looked up when it is.
  if (JSON.stringify(now) !== JSON.stringify(listed)) listed = now;
  return listed;
}

function setChord(first: string | null): void {
  if (first === chord) return;
  clearTimeout(chordTimer);
  if (first !== null) chordTimer = setTimeout(setChord, CHORD_MS, null);
  chord = first;
  changed();
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event)) return;
  // Held on the way to another key, as Shift is for `?`.
  if (/^(Alt|AltGraph|Control|Meta|Shift)$/.test(event.key)) return;
  awaited = null;
  const press = shortcutName(event);
  const first = chord;
  if (!event.repeat) setChord(null);
  if (isSilenced(event, press)) return;
  const keys = first === null ? press : `${first} ${press}`;
  const command = withKeys(keys);
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
  } else if (
    owners.some(({ current }) => current.some((one) => one.isComing && one.keys?.includes(press)))
  ) {
    event.preventDefault();
    awaited = press;
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
    changed();
    runAwaited();
  });
  useLayoutEffect(() => {
    owners = [...owners, latest];
    // The same listener is added once, however many there are to hear it.
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', forgetAwaited, true);
    changed();
    runAwaited();
    return () => {
      owners = owners.filter((owner) => owner !== latest);
      changed();
    };
  }, []);
}

/** The commands that can be run now, re-rendering as they change. They are run by `runCommand`. */
export function useRegisteredCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, snapshot);
}

/** The press that began a shortcut of two and waits for the second, or null; re-rendering with it. */
export function useChord(): string | null {
  return useSyncExternalStore(subscribe, () => chord);
}

/** Runs a command as it is by now; nothing where it can't be run any more. */
export function runCommand(id: string): void {
  available()
    .findLast((command) => command.id === id)
    ?.run();
}
