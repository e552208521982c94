import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { isComposing, isSilenced, shortcutName } from './keyboard.ts';
import { createListeners } from './listeners.ts';

/** An action that is available on the current screen, by shortcut or from the command palette. */
export interface Command {
  /** Stable across sessions: the palette stores it in its list of recent commands. */
  id: string;
  title: string;
  /** The heading in the palette that the command is listed under. */
  section: string;
  /** Alternative shortcuts. Each is a key press as named by `shortcutName`, or two key presses separated by a space: `g i`. */
  keys?: readonly string[];
  run: () => void;
  /** False if the command is not permitted or not possible right now: it isn't listed, and its keys do nothing. */
  enabled?: boolean;
  /** Set while the command is about to become enabled. Its key press is remembered until then, unless other input follows. */
  isComing?: boolean;
  /** Whether the command runs repeatedly while its key is held down. */
  repeats?: boolean;
  /** Only useful by shortcut, such as a step through a list. The palette leaves it out. */
  keysOnly?: boolean;
}

/** How long to wait for the second key of a two-key shortcut. Milliseconds. */
const CHORD_MS = 2_000;

let owners: readonly RefObject<readonly Command[]>[] = [];
let listed: readonly Command[] = [];
let chord: string | null = null;
let chordTimer: ReturnType<typeof setTimeout> | undefined;
/** Matches the command that was requested but is not available yet. */
let awaited: ((command: Command) => boolean) | null = null;
const listeners = createListeners();

function available(): readonly Command[] {
  return owners.flatMap(({ current }) => current.filter(({ enabled }) => enabled !== false));
}

function withKeys(keys: string): Command | undefined {
  return available().findLast((candidate) => candidate.keys?.includes(keys));
}

function runAwaited(): void {
  const command = awaited === null ? undefined : available().findLast(awaited);
  if (!command) return;
  awaited = null;
  command.run();
}

function endSequence(): void {
  awaited = null;
}

function snapshot(): readonly Command[] {
  const now = available();
  // `run` is ignored in the comparison: it is looked up when the command runs.
  if (JSON.stringify(now) !== JSON.stringify(listed)) listed = now;
  return listed;
}

function setChord(first: string | null): void {
  if (first === chord) return;
  clearTimeout(chordTimer);
  if (first !== null) chordTimer = setTimeout(setChord, CHORD_MS, null);
  chord = first;
  listeners.notify();
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event)) return;
  // A modifier key by itself, such as Shift before `?`.
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
    // The key was meant as the second key of a shortcut, so it must not trigger any other action.
    event.preventDefault();
  } else if (available().some(({ keys: own }) => own?.some((key) => key.startsWith(begins)))) {
    event.preventDefault();
    setChord(press);
  } else if (
    owners.some(({ current }) => current.some((one) => one.isComing && one.keys?.includes(press)))
  ) {
    event.preventDefault();
    awaited = ({ keys: own }) => own?.includes(press) === true;
  }
}

/**
 * Registers commands and their shortcuts while the component is mounted. All shortcuts are off during IME composition and while
 * an overlay is open. In text fields, only those with a modifier work. The user can turn off single-character shortcuts. If two
 * commands share a shortcut, the command mounted last runs.
 */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  // A layout effect, so that a shortcut works as soon as its screen is visible.
  useLayoutEffect(() => {
    latest.current = commands;
    listeners.notify();
    runAwaited();
  });
  useLayoutEffect(() => {
    owners = [...owners, latest];
    // Adding the same listener again has no effect.
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', endSequence, true);
    listeners.notify();
    runAwaited();
    return () => {
      owners = owners.filter((owner) => owner !== latest);
      listeners.notify();
    };
  }, []);
}

/** Returns the commands that can run now, and re-renders when they change. Run them with `runCommand`. */
export function useRegisteredCommands(): readonly Command[] {
  return useSyncExternalStore(listeners.subscribe, snapshot);
}

/** Returns the first key of a two-key shortcut while the second is awaited, or null. Re-renders when it changes. */
export function useChord(): string | null {
  return useSyncExternalStore(listeners.subscribe, () => chord);
}

/** Runs the current version of a command: now, or once its code has loaded, unless the user presses a key or clicks first. */
export function runCommand(id: string): void {
  awaited = (command) => command.id === id;
  runAwaited();
}
