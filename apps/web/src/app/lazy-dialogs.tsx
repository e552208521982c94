import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { Template } from '@stagedoor/contract/messaging/templates';
import { useEffect, useSyncExternalStore } from 'react';
import { useCommands } from '../lib/commands.ts';
import { createListeners } from '../lib/listeners.ts';
import { t } from '../lib/text/i18n.ts';
import { useOpenId } from './inbox/use-open-conversation.ts';

const TemplatesDialog = lazyExtra(
  async () => (await import('../messaging/templates/templates-dialog.tsx')).TemplatesDialog,
);
const ScheduledDialog = lazyExtra(
  async () => (await import('../messaging/scheduled/scheduled-dialog.tsx')).ScheduledDialog,
);

/** A lazy dialog over the inbox that several components can open. */
type LazyDialog =
  /** `onUse` inserts a template into the reply; null if no reply can be written. */
  | { name: 'templates'; onUse: ((template: Template) => void) | null }
  /** Lists the messages of the open conversation first. `conversationId` is null if none is open. */
  | { name: 'scheduled'; conversationId: string | null };

let opened: LazyDialog | null = null;
const listeners = createListeners();

/** Opens a dialog and replaces the open one; null closes it. */
export function openLazyDialog(dialog: LazyDialog | null): void {
  opened = dialog;
  listeners.notify();
}

const close = () => openLazyDialog(null);

/** The open dialog, and the commands that open one. */
export function LazyDialogs() {
  const dialog = useSyncExternalStore(listeners.subscribe, () => opened);
  const openId = useOpenId();
  // A dialog only applies to the conversation it was opened in.
  useEffect(() => close, [openId]);
  useCommands([
    {
      id: 'templates',
      title: t('Templates'),
      section: t('Go to'),
      run: () => openLazyDialog({ name: 'templates', onUse: null }),
    },
    {
      id: 'scheduled',
      title: t('Scheduled Messages'),
      section: t('Go to'),
      run: () => openLazyDialog({ name: 'scheduled', conversationId: null }),
    },
  ]);
  if (dialog?.name === 'scheduled')
    return <ScheduledDialog conversationId={dialog.conversationId} onClose={close} />;
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
