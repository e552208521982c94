import { formatPrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import { uuid } from '@stagedoor/browser/uuid';
import {
  HANDOVER_BRIEF_MAX_CHARS,
  HANDOVER_FAN_BRIEF_MAX_CHARS,
  type ShiftItem,
} from '@stagedoor/contract/messaging/handovers';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useId, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { errorText, isPassing } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName, formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { QueryError } from '../../ui/query-error.tsx';
import { PromiseLines } from './open-items.tsx';
import { passOn, shiftOptions } from './queries.ts';
import { TakerChoice } from './taker-choice.tsx';

interface EndShiftDialogProps {
  /** Returns a conversation's local draft, which the server may not have yet. */
  draftOf: (conversationId: string) => string | null;
  onClose: () => void;
}

/** The text of the handover, and the teammate who receives it. */
interface Written {
  /** An admin's id; null releases the claims; undefined while nothing is chosen. */
  to: string | null | undefined;
  brief: string;
  byFan: Readonly<Record<string, string>>;
}

const NOTHING: Written = { to: undefined, brief: '', byFan: {} };

/** Ends a shift: hands the viewer's claimed conversations over to a teammate with notes, or releases them. */
export function EndShiftDialog({ draftOf, onClose }: EndShiftDialogProps) {
  const client = useQueryClient();
  const { permissions } = useAdmin();
  const shift = useQuery({ ...shiftOptions, staleTime: 0, gcTime: 0 });
  const [written, setWritten] = useState(NOTHING);
  const [isUnchosen, setUnchosen] = useState(false);
  // A retry keeps the id, so that the handover is stored once. Every change gets a new id.
  const [clientId, setClientId] = useState(uuid);
  const briefId = useId();
  const change = (part: Partial<Written>) => {
    setWritten((held) => ({ ...held, ...part }));
    setClientId(uuid());
  };
  const items = shift.data?.items ?? [];
  const total = shift.data?.total ?? 0;
  const { to, brief, byFan } = written;
  const hasText = [brief, ...Object.values(byFan)].some((text) => text.trim() !== '');

  const end = useMutation({
    mutationFn: (receiver: string | null) =>
      passOn({
        clientId,
        to: receiver,
        brief,
        items: items.map(({ conversation: { id } }) => ({
          conversation_id: id,
          brief: byFan[id] ?? '',
        })),
      }),
    onSuccess: (_stored, receiver) => {
      showToast({ text: receiver === null ? t('All claims released') : t('Handed over') });
      onClose();
    },
    onError: (error) => {
      // The claims may have changed. No refetch after a lost response: a retry returns the handover if it was stored.
      if (!isPassing(error)) void client.invalidateQueries({ queryKey: shiftOptions.queryKey });
    },
  });
  const submit = () => {
    setUnchosen(to === undefined);
    if (to !== undefined && !end.isPending) end.mutate(to);
  };
  const problem = isUnchosen
    ? t('Choose a teammate, or release all')
    : end.error && errorText(end.error, t('Couldn’t end the shift. Try again.'));
  const close = () => leave(onClose, 'end-shift');
  return (
    <Dialog
      title={t('End Shift')}
      subtitle={t('Hand over your claimed conversations, with notes')}
      isWide
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('Cancel')}</Button>
          {items.length > 0 && permissions.can_manage_messages && (
            <Button variant="primary" busy={end.isPending} onClick={submit}>
              {to === null ? t('Release All') : t('Hand Over')}
            </Button>
          )}
        </>
      }
    >
      {problem !== null && (
        <div className="sticky -top-1 z-10 mb-3 bg-surface">
          <ErrorBox text={problem} />
        </div>
      )}
      {shift.isPending && <LoadingLine text={t('Loading your conversations...')} />}
      {shift.isError && <QueryError query={shift} text={t('Couldn’t load your conversations')} />}
      {shift.isSuccess && items.length === 0 && (
        <EmptyState
          icon={<CircleCheck size={22} />}
          title={t('Nothing to hand over')}
          text={t('You haven’t claimed any conversations')}
        />
      )}
      {items.length > 0 && (
        <>
          <TakerChoice chosen={to} onChoose={(chosen) => change({ to: chosen })} />
          <label htmlFor={briefId} className="mt-4 mb-1 block text-meta font-medium text-fg-2">
            {t('About the shift')}
          </label>
          <textarea
            id={briefId}
            rows={2}
            value={brief}
            maxLength={HANDOVER_BRIEF_MAX_CHARS}
            onChange={(event) => change({ brief: event.currentTarget.value })}
            placeholder={t('Notes about the whole shift...')}
            className="field-sizing-content block max-h-48 min-h-16 w-full resize-none rounded-control border border-control bg-surface px-2.5 py-1.5 outline-none focus:border-accent focus:ring-1 focus:ring-accent"
          />
          <ClaimCount count={items.length} total={total} />
          <ul aria-label={t('Claimed conversations')} className="divide-y divide-line">
            {items.map((item: ShiftItem) => (
              <ShiftItemRow
                key={item.conversation.id}
                item={item}
                draft={draftOf(item.conversation.id) ?? item.draft}
                brief={byFan[item.conversation.id] ?? ''}
                onBrief={(text) => change({ byFan: { ...byFan, [item.conversation.id]: text } })}
              />
            ))}
          </ul>
        </>
      )}
      {hasText && (
        <DiscardQuestion
          form="end-shift"
          text={t('Your handover notes will be lost.')}
          onDiscard={onClose}
        />
      )}
    </Dialog>
  );
}

function ClaimCount({ count, total }: { count: number; total: number }) {
  return (
    <h3 className="mt-4 text-meta font-medium text-fg-2">
      {rich('Your conversations {count}', {
        count: <span className="tabular-nums">({formatCount(count)})</span>,
      })}
      {total > count && (
        <span className="block font-normal text-fg-3">
          {t('These are the first of {total}. End the shift again to hand over the rest.', {
            total: formatCount(total),
          })}
        </span>
      )}
    </h3>
  );
}

interface ShiftItemRowProps {
  item: ShiftItem;
  /** The unsent draft for the fan, or null. */
  draft: string | null;
  brief: string;
  onBrief: (brief: string) => void;
}

/** A claimed conversation at the end of a shift: its open items, and a note for the next teammate. */
function ShiftItemRow({ item, draft, brief, onBrief }: ShiftItemRowProps) {
  const { conversation, unpaid_offers: offers, promises } = item;
  const name = displayName(conversation.fan);
  const { unread_count: unread, waiting_since: waiting } = conversation;
  return (
    <li className="flex gap-3 py-3">
      <Avatar name={name} url={conversation.fan.avatar_url} size="medium" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <span className="truncate font-semibold">{name}</span>
          {unread > 0 && (
            <span className="shrink-0 text-meta font-medium text-accent-text">
              {t('{count, plural, one {# unread} other {# unread}}', { count: unread })}
            </span>
          )}
          {unread === 0 && waiting !== null && (
            <span className="shrink-0 text-meta text-fg-3">{t('Waiting for a reply')}</span>
          )}
        </p>
        {draft !== null && (
          <p className="truncate text-control text-danger-text">
            {rich('Draft: {text}', { text: <bdi className="text-fg-2">{draft}</bdi> })}
          </p>
        )}
        {offers.map((offer) => (
          <p key={offer.attachment_id} className="flex gap-2 text-control text-fg-2">
            <span className="truncate">{offer.title}</span>
            <span className="shrink-0 tabular-nums">{formatPrice(offer.price)}</span>
            <span className="shrink-0 rounded-chip bg-warn-bg px-1.5 text-meta leading-5 text-warn">
              {t('Not paid')}
            </span>
          </p>
        ))}
        <PromiseLines promises={promises} />
        <textarea
          rows={1}
          value={brief}
          onChange={(event) => onBrief(event.currentTarget.value)}
          maxLength={HANDOVER_FAN_BRIEF_MAX_CHARS}
          aria-label={t('Note about {name}', { name })}
          placeholder={t('Notes about this fan...')}
          className="mt-1.5 field-sizing-content block max-h-40 min-h-8 w-full resize-none rounded-control border border-control bg-surface px-2.5 py-[5px] text-control outline-none focus:border-accent focus:ring-1 focus:ring-accent coarse:min-h-11 coarse:py-2.5"
        />
      </div>
    </li>
  );
}
