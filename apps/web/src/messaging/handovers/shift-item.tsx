import { formatPrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import {
  HANDOVER_FAN_BRIEF_MAX_CHARS,
  type ShiftItem,
} from '@stagedoor/contract/messaging/handovers';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PromiseLines } from './open-items.tsx';

interface ShiftItemRowProps {
  item: ShiftItem;
  /** The unsent draft for the fan, or null. */
  draft: string | null;
  brief: string;
  onBrief: (brief: string) => void;
}

/** A claimed conversation at the end of a shift: its open items, and a note for the next teammate. */
export function ShiftItemRow({ item, draft, brief, onBrief }: ShiftItemRowProps) {
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
