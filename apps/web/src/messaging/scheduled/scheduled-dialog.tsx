import type { ScheduledMessage } from '@stagedoor/contract/messaging/scheduled';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { scheduledByOptions, scheduledInOptions } from './queries.ts';
import { ScheduledRow } from './scheduled-row.tsx';

const HERE = t('This conversation');
const MINE = t('Mine', 'messages');
const ALL = t('Everyone’s');

interface ScheduledDialogProps {
  /** The open conversation, or null. */
  conversationId: string | null;
  onClose: () => void;
}

/** The dialog with scheduled and failed messages, where they can be changed. */
export function ScheduledDialog({ conversationId, onClose }: ScheduledDialogProps) {
  const admin = useAdmin();
  const scopes = [
    ...(conversationId === null ? [] : [HERE]),
    MINE,
    ...(admin.permissions.can_manage_admins ? [ALL] : []),
  ];
  const [scope, setScope] = useState(scopes[0] ?? MINE);
  const list = <ScheduledList scope={scope} conversationId={conversationId} onLeave={onClose} />;
  return (
    <Dialog
      isWide
      title={t('Scheduled Messages')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      {scopes.length === 1 ? (
        list
      ) : (
        <Tabs label={t('Which messages')} tabs={scopes} current={scope} onChange={setScope}>
          {list}
        </Tabs>
      )}
    </Dialog>
  );
}

interface ScheduledListProps {
  /** The selected tab. */
  scope: string;
  conversationId: string | null;
  /** Called when a link leads to another page. */
  onLeave: () => void;
}

function ScheduledList({ scope, conversationId, onLeave }: ScheduledListProps) {
  const here = useQuery({
    ...scheduledInOptions(conversationId ?? ''),
    enabled: scope === HERE && conversationId !== null,
  });
  const by = useQuery({
    ...scheduledByOptions(scope === ALL ? 'all' : 'mine'),
    enabled: scope !== HERE,
  });
  const messages = scope === HERE ? here : by;
  /** The message as it was when editing began, so that the form stays even if the message is sent meanwhile. */
  const [edited, setEdited] = useState<ScheduledMessage | null>(null);
  if (messages.data === undefined) {
    return (
      <div className="h-60">
        {messages.isError ? (
          <ErrorBox
            text={errorText(messages.error, t('Couldn’t load scheduled messages'))}
            onRetry={() => void messages.refetch()}
            retrying={messages.isFetching}
          />
        ) : (
          <CenteredSpinner text={t('Loading scheduled messages...')} />
        )}
      </div>
    );
  }
  const isGone = edited !== null && !messages.data.some(({ id }) => id === edited.id);
  const shown = isGone ? [edited, ...messages.data] : messages.data;
  if (shown.length === 0) {
    return (
      <EmptyState
        icon={<CalendarClock size={22} />}
        title={t('Nothing is scheduled')}
        text={t('To schedule a message, use the clock next to Send.')}
      />
    );
  }
  return (
    <ul aria-label={t('Scheduled Messages')} className="flex flex-col gap-2">
      {shown.map((message) => (
        <ScheduledRow
          key={message.id}
          message={message}
          showsFan={scope !== HERE}
          isEdited={message.id === edited?.id}
          isGone={isGone && message === edited}
          onEdit={setEdited}
          onLeave={onLeave}
        />
      ))}
    </ul>
  );
}
