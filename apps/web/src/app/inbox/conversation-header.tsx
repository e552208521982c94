import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { FanGlance } from '../../fans/fan-facts/fan-glance.tsx';
import { SubscriptionNote } from '../../fans/subscriptions/subscription-note.tsx';
import { HeaderFaces } from '../../inbox/presence/faces.tsx';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { FanClock } from '../../messaging/conversation/fan-clock.tsx';
import { HeaderActions } from '../../messaging/conversation/header-actions.tsx';
import { holderOf } from '../../messaging/conversation/use-conversation-actions.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';

interface ConversationHeaderProps {
  conversation: Conversation;
  onBack: (() => void) | undefined;
  /** Opens the facts about the fan. @param opener gets the focus back */
  onOpenFan: (opener: HTMLElement) => void;
  moreActions: readonly MenuItem[];
  children: ReactNode;
}

function BackButton({ onBack }: { onBack: () => void }) {
  return (
    <IconButton
      label={t('Back to Inbox')}
      onClick={onBack}
      className="md:hidden"
      icon={<ArrowLeft className="rtl:-scale-x-100" />}
    />
  );
}

/** A header with only a back button, shown until the fan has loaded. */
export function BackBar({ onBack }: { onBack: () => void }) {
  return (
    <header className="flex h-12 shrink-0 items-center border-b border-line bg-surface px-2 md:hidden">
      <BackButton onBack={onBack} />
    </header>
  );
}

/** The header: the fan's name, claimant, subscription and local time, and the conversation's actions. */
export function ConversationHeader(props: ConversationHeaderProps) {
  const { conversation, onBack, onOpenFan, moreActions, children } = props;
  const { id, fan, claimed_by } = conversation;
  const { subscription } = fan;
  const name = displayName(fan);
  const { id: adminId } = useAdmin();
  const isOthers = claimed_by !== null && claimed_by !== adminId;
  return (
    <header className="@container flex h-14 shrink-0 items-center gap-3 border-b border-line bg-surface px-4 max-md:h-12 max-md:gap-2 max-md:px-2">
      {onBack && <BackButton onBack={onBack} />}
      <Avatar name={name} url={fan.avatar_url} size="medium" />
      <div className="@container min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          <h2 dir="auto" className="min-w-0 truncate text-base font-semibold">
            {name}
          </h2>
          <FanGlance conversationId={id} onOpen={onOpenFan} />
        </div>
        <p className="parts text-meta text-fg-3">
          {isOthers && (
            <Tooltip text={t('Claimed by {name}', { name: holderOf(conversation) })}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusing it shows the tooltip with the claimant */}
              <span tabIndex={0} className="inline-flex rounded-chip">
                <Badge>{t('Claimed by other')}</Badge>
              </span>
            </Tooltip>
          )}
          {subscription && <SubscriptionNote subscription={subscription} />}
          {fan.timezone && (
            <FanClock timeZone={fan.timezone} isBrief={isOthers || subscription !== null} />
          )}
          {fan.username && (
            <span>
              <span dir="ltr" className="block truncate">
                @{fan.username}
              </span>
            </span>
          )}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-0.5">
        <HeaderFaces conversationId={id} />
        <HeaderActions conversation={conversation} moreActions={moreActions} />
        {children}
      </div>
    </header>
  );
}
