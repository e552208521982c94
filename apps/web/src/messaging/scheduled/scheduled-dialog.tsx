import { formatPrice } from '@stagedoor/browser/money';
import {
  cancelScheduled,
  type ScheduledMessage,
  sendScheduledNow,
} from '@stagedoor/contract/messaging/scheduled';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, CircleAlert, Paperclip, Tag } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isLeavingGuarded, leave } from '../../lib/leave-guard.ts';
import { call, errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName, exactTimeOf } from '../../lib/text/format.ts';
import { t, translated } from '../../lib/text/i18n.ts';
import { formatMoment, ownZone } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Link } from '../../ui/link.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { EditScheduled } from './edit-scheduled.tsx';
import { scheduledByOptions, scheduledInOptions } from './queries.ts';

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
  const close = () => leave(onClose, 'scheduled');
  const list = <ScheduledList scope={scope} conversationId={conversationId} onLeave={onClose} />;
  return (
    <Dialog
      isWide
      title={t('Scheduled Messages')}
      onClose={close}
      footer={<Button onClick={close}>{t('Close')}</Button>}
    >
      {scopes.length === 1 ? (
        list
      ) : (
        <Tabs
          label={t('Which messages')}
          tabs={scopes}
          current={scope}
          onChange={(next) => leave(() => setScope(next), 'scheduled')}
        >
          {list}
        </Tabs>
      )}
    </Dialog>
  );
}

interface ScheduledListProps {
  scope: string;
  conversationId: string | null;
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
  /** The message as it was when editing began, so that the form stays even if the message is sent in the meantime. */
  const [edited, setEdited] = useState<ScheduledMessage | null>(null);
  if (messages.data === undefined) {
    return (
      <div className="h-60">
        {messages.isError ? (
          <QueryError query={messages} text={t('Couldn’t load scheduled messages')} />
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
          onEdit={(next) => leave(() => setEdited(next), 'scheduled')}
          onLeave={onLeave}
        />
      ))}
    </ul>
  );
}

/** The server's reasons for a failed scheduled message, in addition to the errors of failed calls. */
const REASONS: Readonly<Record<string, string>> = {
  'The person who scheduled this was removed': t('The person who scheduled this was removed'),
  'The person who scheduled this can no longer send messages': t(
    'The person who scheduled this can no longer send messages',
  ),
  'Something went wrong on our side': t('Something went wrong on our side'),
};

interface ScheduledRowProps {
  message: ScheduledMessage;
  showsFan: boolean;
  isEdited: boolean;
  /** Whether the message was sent or canceled during editing. */
  isGone: boolean;
  /** Starts editing; null ends it. */
  onEdit: (message: ScheduledMessage | null) => void;
  onLeave: () => void;
}

function reasonOf({ reason }: ScheduledMessage): string {
  return reason === null ? '' : (REASONS[reason] ?? translated(reason));
}

function ScheduledRow(props: ScheduledRowProps) {
  const { message, showsFan, isEdited, isGone, onEdit, onLeave } = props;
  const admin = useAdmin();
  const client = useQueryClient();
  const now = useNow();
  const navigate = useNavigate();
  const [isCanceling, setCanceling] = useState(false);
  const { author, state, send_at, fan, attachments } = message;
  const path = `/inbox/${encodeURIComponent(message.conversation_id)}`;
  const isFailed = state === 'failed';
  const canWrite = admin.permissions.can_manage_messages;
  const isOwn = author.id === admin.id && canWrite;
  const refresh = () => client.invalidateQueries({ queryKey: ['scheduled'] });
  const act = useMutation({
    mutationFn: (what: 'send' | 'cancel') =>
      call(what === 'send' ? sendScheduledNow : cancelScheduled, { params: { id: message.id } }),
    onSettled: refresh,
  });
  if (isEdited) {
    return (
      <li className="rounded-card border border-line bg-surface-2 p-3">
        <EditScheduled message={message} isGone={isGone} onDone={() => onEdit(null)} />
      </li>
    );
  }
  return (
    <li
      className={classes(
        'flex flex-col gap-1.5 rounded-card border p-3',
        isFailed ? 'border-danger/30 bg-flagged' : 'border-line',
      )}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-fg-2">
        <time dateTime={send_at} title={exactTimeOf(send_at)} className="font-medium text-fg">
          {formatMoment(Date.parse(send_at), now, ownZone())}
        </time>
        {showsFan && (
          <Link
            to={path}
            onClick={(event) => {
              if (!isLeavingGuarded()) return onLeave();
              event.preventDefault();
              leave(() => {
                onLeave();
                void navigate(path);
              });
            }}
            className="rounded-chip font-medium text-accent-text hover:underline"
          >
            {t('To {name}', { name: displayName(fan) })}
          </Link>
        )}
        <span>{t('by {name}', { name: author.codename })}</span>
        {message.is_follow_up && <Badge>{t('If no one writes first')}</Badge>}
      </p>
      {message.content.trim() !== '' && (
        <p dir="auto" className="line-clamp-4 whitespace-pre-wrap wrap-break-word">
          {message.content}
        </p>
      )}
      {attachments.map(({ input, label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids and keep their order
        <p key={index} className="flex items-center gap-1.5 text-control text-fg-2">
          {'product_id' in input ? <Tag size={14} /> : <Paperclip size={14} />}
          <span className="truncate">{label}</span>
          {'price' in input && <span className="tabular-nums">{formatPrice(input.price)}</span>}
        </p>
      ))}
      {isFailed && (
        <p className="flex items-start gap-1.5 text-control text-danger-text">
          <CircleAlert className="mt-0.5" />
          {t('Not sent: {reason}', { reason: reasonOf(message) })}
        </p>
      )}
      {act.isError && <ErrorBox text={errorText(act.error, t('That didn’t work. Try again.'))} />}
      {(isOwn || (canWrite && admin.permissions.can_manage_admins)) && (
        <p className="mt-1 flex flex-wrap gap-2">
          {isOwn && (
            <>
              <Button
                size="small"
                busy={act.isPending && act.variables === 'send'}
                onClick={() => act.mutate('send')}
              >
                {isFailed ? t('Retry Now') : t('Send Now')}
              </Button>
              <Button size="small" onClick={() => onEdit(message)}>
                {t('Edit')}
              </Button>
            </>
          )}
          <Button
            size="small"
            busy={act.isPending && act.variables === 'cancel'}
            onClick={() => setCanceling(true)}
          >
            {isFailed ? t('Discard') : t('Cancel Message')}
          </Button>
        </p>
      )}
      {isCanceling && (
        <ConfirmDialog
          title={isFailed ? t('Discard this message?') : t('Cancel this message?')}
          text={t('It won’t be sent to {name}.', { name: displayName(fan) })}
          confirmLabel={isFailed ? t('Discard') : t('Cancel Message')}
          onClose={() => setCanceling(false)}
          onConfirm={() => act.mutate('cancel')}
        />
      )}
    </li>
  );
}
