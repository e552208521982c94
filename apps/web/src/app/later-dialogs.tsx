import type { Template } from '@stagedoor/contract/templates';
import { lazy, useSyncExternalStore } from 'react';
import { useCommands } from '../lib/commands.ts';

const TemplatesDialog = lazy(async () => ({
  default: (await import('../features/templates/templates-dialog.tsx')).TemplatesDialog,
}));

/** A dialog over the inbox that is opened from several places. */
interface LaterDialog {
  name: 'templates';
  /** Puts a template into the reply that is being written; null where none is. */
  onUse: ((template: Template) => void) | null;
}

let opened: LaterDialog | null = null;
const listeners = new Set<() => void>();

/** Opens a dialog in place of the one before; null closes it. */
export function openLater(dialog: LaterDialog | null): void {
  opened = dialog;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const close = () => openLater(null);

/** The dialog that is due, and the commands that open one. */
export function LaterDialogs() {
  const dialog = useSyncExternalStore(subscribe, () => opened);
  useCommands([
    {
      id: 'templates',
      title: 'Templates',
      section: 'Go to',
      run: () => openLater({ name: 'templates', onUse: null }),
    },
  ]);
  if (dialog === null) return null;
  const { onUse } = dialog;
  return (
    <TemplatesDialog
      onUse={
        onUse &&
        ((template) => {
          close();
          onUse(template);
        })
      }
      onClose={close}
    />
  );
}
