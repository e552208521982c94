import { Inbox } from 'lucide-react';
import { useShortcutsOn } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Kbd } from '../../ui/kbd.tsx';

/** Shown next to the list while no conversation is open. */
export function NothingSelected() {
  return (
    <div className="flex h-full items-center justify-center">
      <EmptyState
        icon={<Inbox size={22} />}
        title={t('Select a conversation')}
        text={t('Choose a conversation from the list to view messages')}
        action={useShortcutsOn() && <KeyHints />}
      />
    </div>
  );
}

function KeyHints() {
  const hints = [
    [['J', 'K'], t('move')],
    [['↵'], t('open')],
    [['/'], t('search')],
    [['?'], t('all keys')],
  ] as const;
  return (
    <p className="flex flex-wrap justify-center gap-x-4 gap-y-2 text-meta text-fg-3 coarse:hidden">
      {hints.map(([keys, text]) => (
        <span key={text} className="inline-flex items-center gap-1.5">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {text}
        </span>
      ))}
    </p>
  );
}
