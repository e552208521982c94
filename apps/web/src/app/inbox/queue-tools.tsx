import { type Conversation, releaseConversation } from '@stagedoor/contract/inbox/conversations';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { AlarmClock, Pin, SkipForward } from 'lucide-react';
import { useNavigate } from 'react-router';
import { takeNext } from '../../inbox/queue/actions.ts';
import { pinsOptions } from '../../inbox/queue/queries.ts';
import { snoozeWords, spanSince } from '../../inbox/queue/words.ts';
import { useCommands } from '../../lib/commands.ts';
import { call, errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { teammatesOptions } from '../../messaging/staff-notes/queries.ts';
import { Button } from '../../ui/button.tsx';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { showProblem, showToast } from '../../ui/overlay/toast.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { useBoard } from '../live/board.ts';
import { useConversationPath, useOpenId } from './use-open-conversation.ts';

/** Claims and opens the conversation to answer next. */
export function NextControl() {
  const { next, isBusy, canWrite } = useNext();
  if (!canWrite) return null;
  return (
    <Tooltip text={t('Next fan · X')} describes={false}>
      <Button
        size="small"
        busy={isBusy}
        aria-keyshortcuts="X"
        onClick={next}
        className="@max-[330px]:border-transparent"
        icon={<SkipForward size={14} className="rtl:-scale-x-100" />}
      >
        <span className="@max-[330px]:sr-only">{t('Next')}</span>
      </Button>
    </Tooltip>
  );
}

/** Returns the action behind 'Next', which claims and opens the conversation to answer next, and registers its command. */
export function useNext() {
  const openId = useOpenId();
  const linkTo = useConversationPath();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { permissions } = useAdmin();
  const canWrite = permissions.can_manage_messages;
  // Fetched here for the list, which only reads pins and teammates from the cache so that it can load first.
  useQuery(pinsOptions);
  useQuery(teammatesOptions);
  const board = useBoard();
  const isBusy = useIsMutating({ mutationKey: ['next'] }) > 0;
  const refreshStats = () => client.invalidateQueries({ queryKey: ['inbox', 'stats'] });

  const release = ({ id, fan }: Conversation) =>
    void makeChange(client, {
      key: ['conversation', id],
      save: () => call(releaseConversation, { params: { id } }),
      saved: ({ data }) => {
        board.show(data);
        return refreshStats();
      },
      failed: (error) => {
        const problem = errorText(error, t('Couldn’t release the conversation'));
        const text = t('{name}: {problem}', { name: displayName(fan), problem });
        showProblem({ key: id, text });
      },
    });
  const next = () => {
    if (client.isMutating({ mutationKey: ['next'] }) > 0) return;
    void makeChange(client, {
      key: ['next'],
      save: () => takeNext(openId),
      saved: async ({ data, reasons, claimed }) => {
        if (data === null) return showToast({ text: t('No one is waiting') });
        board.show(data);
        const text = t('Claimed {name}', { name: displayName(data.fan) });
        if (claimed) showToast({ text, onUndo: () => release(data) });
        await navigate(linkTo(data.id), { state: { reasons, focusComposer: false } });
        await refreshStats();
      },
      failed: (error) =>
        showProblem({
          key: 'next',
          text: errorText(error, t('Couldn’t find the next fan. Try again.')),
        }),
    });
  };
  useCommands([
    {
      id: 'next',
      title: t('Answer Next Fan'),
      section: t('Inbox'),
      keys: ['x'],
      run: next,
      enabled: canWrite,
    },
  ]);
  return { next, isBusy, canWrite };
}

/** How long the fan of a row has been waiting. */
export function Waiting({ since }: { since: string }) {
  return <time dateTime={since}>{t('waiting {span}', { span: spanSince(since, useNow()) })}</time>;
}

interface QueueStateProps {
  conversation: Conversation;
  isPinned: boolean;
}

/** The marks for a pinned or snoozed conversation in its row. */
export function QueueState({ conversation: { snooze }, isPinned }: QueueStateProps) {
  const now = useNow();
  const icon = { size: 14, className: 'text-fg-3' };
  const snoozed = snooze === null ? null : snoozeWords(snooze, now);
  return (
    <>
      {isPinned && (
        <>
          <span className="said sr-only">{t('pinned')}</span>
          <Pin {...icon} />
        </>
      )}
      {snoozed !== null && (
        <>
          <span className="said sr-only">{snoozed}</span>
          <span title={snoozed} className="shrink-0">
            <AlarmClock {...icon} />
          </span>
        </>
      )}
    </>
  );
}
