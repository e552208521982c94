import type { Conversation } from '@stagedoor/contract/conversations';
import { lazy, type ReactNode, Suspense } from 'react';
import { FanClock } from '../features/conversation/fan-clock.tsx';
import type { SideTab } from '../features/notes/notes-panel.tsx';
import { SubscriptionNote } from '../features/subscriptions/subscription-badge.tsx';
import { displayName } from '../lib/format.ts';
import { CenteredSpinner } from '../ui/spinner.tsx';

const FanTab = lazy(async () => ({
  default: (await import('../features/fan-facts/fan-tab.tsx')).FanTab,
}));

export const FAN_TAB = 'Fan';

/** What is known of a fan, as a tab beside the notes. @param onShowMessage shows a message of the thread */
export function fanTab(
  conversation: Conversation,
  onShowMessage: (messageId: string) => void,
): SideTab {
  const { fan } = conversation;
  return {
    name: FAN_TAB,
    title: (
      <>
        Facts <span className="font-normal text-fg-3">about {displayName(fan)}</span>
      </>
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

const waiting = (content: ReactNode) => (
  <Suspense fallback={<CenteredSpinner text="Loading..." />}>{content}</Suspense>
);
