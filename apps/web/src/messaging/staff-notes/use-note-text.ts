import { useState } from 'react';
import { readNoteText, writeNoteText } from './note-texts.ts';

/**
 * Holds the note being written: starts with the stored text and stores each change at once.
 * @param id the conversation's id for a new note, the note's id for an edit
 * @param otherwise the initial text if none is stored
 */
export function useNoteText(id: string, otherwise: string) {
  const [text, setText] = useState(() => readNoteText(id)?.text ?? otherwise);
  return {
    text,
    change(next: string) {
      setText(next);
      writeNoteText(id, next === otherwise ? null : next);
    },
    /** Clears the stored text once it is saved, except for what was typed since. */
    settle(sent: string) {
      const written = readNoteText(id)?.text ?? '';
      const rest = written.startsWith(sent) ? written.slice(sent.length).trimStart() : written;
      setText(rest);
      writeNoteText(id, rest === '' ? null : rest);
    },
    forget: () => writeNoteText(id, null),
  };
}
