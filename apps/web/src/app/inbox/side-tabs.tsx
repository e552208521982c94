import { rich } from '@stagedoor/browser/rich-text';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { type ReactNode, Suspense } from 'react';
import type { SideTab } from '../../fans/notes/notes-panel.tsx';
import type { PinnedMessage } from '../../fans/statements/statements-tab.tsx';
import { SubscriptionNote } from '../../fans/subscriptions/subscription-note.tsx';
import { lazyPart } from '../../lib/lazy-part.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { fanZoneOf } from '../../lib/text/zoned-time.ts';
import { FanClock } from '../../messaging/conversation/fan-clock.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';

const StatementsTab = lazyPart(
  async () => (await import('../../fans/statements/statements-tab.tsx')).StatementsTab,
);
const FanTab = lazyPart(async () => (await import('../../fans/fan-facts/fan-tab.tsx')).FanTab);

export const FAN_TAB = t('Fan');
export const STATEMENTS_TAB = t('Statements');

/** Creates the tab with the facts about a fan. @param onShowMessage shows a message of the thread */
export function fanTab(
  conversation: Conversation,
  onShowMessage: (messageId: string) => void,
): SideTab {
  const { fan } = conversation;
  return {
    name: FAN_TAB,
    title: (
      <span className="font-normal text-fg-3">
        {rich('About {name}', {
          name: <span className="font-semibold text-fg">{displayName(fan)}</span>,
        })}
      </span>
    ),
    content: waiting(
      <FanTab
        conversation={conversation}
        standing={
          fan.subscription && (
            <span className="@container block">
              <SubscriptionNote subscription={fan.subscription} />
            </span>
          )
        }
        clock={fan.timezone && <FanClock timeZone={fan.timezone} isBrief={false} />}
        onShowMessage={onShowMessage}
      />,
    ),
  };
}

/** Creates the tab with the statements and promises made to the fan. @param pinned a message to save as a statement */
export function statementsTab(
  { id, fan }: Conversation,
  pinned: PinnedMessage | null,
  onShowMessage: (messageId: string) => void,
): SideTab {
  return {
    name: STATEMENTS_TAB,
    title: (
      <span className="font-normal text-fg-3">
        {rich('Statements to {name}', {
          name: <span className="font-semibold text-fg">{displayName(fan)}</span>,
        })}
      </span>
    ),
    content: waiting(
      <StatementsTab
        conversationId={id}
        fan={fanZoneOf(fan.timezone, displayName(fan))}
        pinned={pinned}
        onShowMessage={onShowMessage}
      />,
    ),
  };
}

const waiting = (content: ReactNode) => (
  <Suspense fallback={<CenteredSpinner text={t('Loading...')} />}>{content}</Suspense>
);
