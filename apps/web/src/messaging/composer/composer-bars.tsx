import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Lock, Reply, Users, X } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { shownTarget } from '../messages/message-text.ts';
import { NO_PRIVILEGE } from '../messages/no-privilege.ts';
import { noticeOptions, setNotice, useNoticeEnd } from '../messages/notice.ts';
import type { ReplyTarget } from '../messages/reply-target.ts';

/** The message being replied to, with a button to cancel the reply. */
export function ReplyBar({
  target,
  onCancel,
  onOpen,
}: {
  target: ReplyTarget;
  onCancel: () => void;
  onOpen: () => void;
}) {
  const { sender, preview } = shownTarget(target);
  return (
    <div className="mb-1.5 flex items-center gap-2.5 rounded-control bg-surface-2 py-0.5 pe-0.5 ps-2.5 text-control">
      <Reply className="text-accent-text" />
      <button
        type="button"
        onClick={onOpen}
        className="min-w-0 flex-1 truncate rounded-chip py-1 text-start text-fg-2"
      >
        <span className="font-medium text-accent-text">{sender}</span>{' '}
        <span dir="auto">{preview}</span>
      </button>
      <IconButton label={t('Cancel Reply')} onClick={onCancel} icon={<X />} />
    </div>
  );
}

/** An error in the conversation, until it is dismissed. */
export function NoticeBar() {
  const client = useQueryClient();
  const { data: text } = useQuery(noticeOptions);
  useNoticeEnd(client);
  if (text === null) return null;
  return (
    <div
      role="alert"
      className="mb-1.5 flex items-center gap-2.5 rounded-control border border-danger/30 bg-flagged py-0.5 pe-0.5 ps-2.5 text-control text-danger-text"
    >
      <CircleAlert />
      <span className="min-w-0 flex-1 wrap-break-word">{text}</span>
      <IconButton
        label={t('Dismiss')}
        onClick={() => setNotice(client, null)}
        className="text-danger-text"
        icon={<X />}
      />
    </div>
  );
}

/** Warns that a teammate replied first, before the fan gets two answers. */
export function TeammateBar({ onSend }: { onSend: () => void }) {
  return (
    <div
      role="alert"
      className="mb-1.5 flex items-center gap-2.5 rounded-control bg-warn-bg py-1 pe-1 ps-2.5 text-control text-warn"
    >
      <Users />
      <span className="min-w-0 flex-1">{t('A teammate just replied. Send anyway?')}</span>
      <Button size="small" onClick={onSend}>
        {t('Send anyway')}
      </Button>
    </div>
  );
}

/** Replaces the text field for staff without the message privilege. */
export function ReadOnlyComposer() {
  return (
    <p className="order-2 flex min-h-[42px] items-center justify-center gap-2 text-control text-fg-3">
      <Lock />
      {NO_PRIVILEGE}
    </p>
  );
}
