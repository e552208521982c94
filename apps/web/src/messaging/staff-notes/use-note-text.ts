import { useState } from 'react';
import { readNoteText, writeNoteText } from './note-texts.ts';

/**
 * A note that is being written: begins with what was kept, and keeps each change at once.
 * @param id of the conversation for a new note, of the note for its new text
 * @param otherwise what it begins with where nothing was kept
 */
export function useNoteText(id: string, otherwise: string) {
  const [text, setText] = useState(() => readNoteText(id)?.text ?? otherwise);
  return {
    text,
    change(next: string) {
      setText(next);
      writeNoteText(id, next === otherwise ? null : next);
    },
    /** What was kept is done with: what was typed since it was sent off stays. */
    settle(sent: string) {
      const written = readNoteText(id)?.text ?? '';
      const rest = written.startsWith(sent) ? written.slice(sent.length).trimStart() : written;
      setText(rest);
      writeNoteText(id, rest === '' ? null : rest);
    },
    forget: () => writeNoteText(id, null),
  };
}
